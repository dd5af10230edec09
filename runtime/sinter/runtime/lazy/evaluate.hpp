// The driver: what a read needs goes through the stages, from pending statements to launches.
#pragma once

#include <sinter/codegen/base/span.hpp>

#include <atomic>
#include <cstdint>

namespace sinter::inline SINTER_ABI::runtime {

class turn_repetition;
struct value;

/// How an evaluation goes about what else is pending.
enum class policy : std::uint8_t {
    read,     ///< computes with it what a loop that reads would carry along; throws while a step is recorded
    request,  ///< the same for what is not read at once: while a step is recorded it waits for the step's end
    replay,   ///< as read, by the plan that a recorded step is known to have, if that still holds
    turn,     ///< the same for what nobody else can get, so that an error may leave its operands overwritten
    only,     ///< computes nothing else: what completes a value that has been evaluated just now
    unasked,  ///< nothing else, and also while a step is recorded: what nobody reads yet
};

/// Computes and stores the values, each device's in as few kernels as possible. Throws what computing them throws; a
/// value that failed throws again at each read. A turn of a loop whose plan was known may be repeated, see
/// turn_repetition.
void evaluate(codegen::span<value* const> roots, policy how = policy::read, turn_repetition* loop = nullptr);

/// Computes what is needed for values and reads more memory than there is: called by evaluate with its roots where
/// buffers are absent, and set by what makes such buffers. runtime_lock() is held.
inline constinit std::atomic<void (*)(codegen::span<value* const>)> compute_in_parts{nullptr};

/// Throws the error that makes a stored value's contents meaningless; call it after a wait for the device, when it is
/// read.
void require_valid(value& v);

/// Computes everything this thread has recorded and something still names; `what` says in the error why that is not
/// allowed while a step is recorded. Errors of data stay with the values.
void run_recorded(const char* what);
/// The same, then waits for the device.
void synchronize_all();

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/lazy/evaluate.ipp>
#endif
