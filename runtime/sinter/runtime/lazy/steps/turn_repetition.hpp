// What a turn of a loop leaves for the next one, so that a device may repeat the turn by itself; must not know how it
// does.
#pragma once

#include <cstdint>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/codegen/base/span.hpp>

namespace sinter::inline SINTER_ABI::runtime {

class handle;
class stream_work;
struct prepared_plan;
struct program;
struct repetition;
struct value;

/// One turn after the other of a loop over a state: told of each before it is recorded and before it is computed.
class turn_repetition {
public:
    /// Begins a turn over a state, after which `most` more may follow.
    void begin(codegen::span<const handle> state, std::int64_t most);
    /// What the turn makes of the state and, of a loop that has one, the condition of the next turn; the loop holds
    /// each part `times`.
    void close(codegen::span<const handle> state, const handle* condition, std::int64_t times);
    /// After the plan has computed the turn: lets the device repeat it where nothing else holds the state's memory and
    /// each part comes out as it went in. runtime_lock() is held.
    void repeat(program& p, const prepared_plan& r, stream_work& order);
    /// How many turns the device runs besides, at most: all of them where there is no condition.
    std::int64_t repeated() const { return repeated_; }

private:
    bool find_copies(const program& p, const prepared_plan& r, repetition& how) const;
    bool is_own(const program& p, const value& v) const;
    std::int64_t times_of(const value& v) const;
    bool is_handed_on(const value& v) const;

    codegen::span<const handle> state_;
    const handle* condition_ = nullptr;
    codegen::sequence<const value*> old_;        ///< the parts that the turn reads; compared only
    codegen::sequence<const value*> handed_on_;  ///< parts of the result that were there, and only the loop holds
    std::int64_t most_ = 0, turns_ = 0, repeated_ = 0;
};

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/lazy/steps/turn_repetition.ipp>
#endif
