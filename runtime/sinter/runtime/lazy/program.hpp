// What a read has to compute: the statements behind its roots, which of them are stored, and the key of its plan.
#pragma once

#include <sinter/codegen/base/span.hpp>
#include <sinter/codegen/graph/graph.hpp>
#include <sinter/codegen/base/number_map.hpp>
#include <sinter/runtime/memory/memory_pool.hpp>

namespace sinter::inline SINTER_ABI::runtime {

struct value;

/// The pending statements behind some roots, and the memory they start from. Programs are used again, so that
/// collecting one costs no allocation; runtime_lock() is held as long as one is looked at.
struct program {
    struct facts {
        int edges = 0;                ///< reads by the collected statements
        bool needed_later = false;    ///< a value that is wanted and not stored would compute it again
        bool is_stored = false;       ///< by this program: a root
        bool is_overwritten = false;  ///< or computed from what is, after a failure
        std::uint64_t failing = 0;    ///< which of the statements behind it bad data could fail, a bit for each
    };
    codegen::sequence<value*> order;                   ///< what has been reached, inputs before their users
    codegen::sequence<facts> known;                    ///< by the values' numbers
    codegen::sequence<value*> roots;                   ///< what is stored, in that order
    codegen::sequence<value*> inlined;                 ///< pending values that are computed and not stored
    codegen::sequence<buffer*> inputs;                 ///< by slot; values of the program hold them
    codegen::sequence<bool> consumable;                ///< by slot: nothing else will read it
    codegen::sequence<codegen::scalar_value> scalars;  ///< of all statements, in order
    codegen::sequence<std::uint32_t>
        first_equal;                       ///< by scalar: the first one that it equals; empty where none was sought
    codegen::sequence<std::uint64_t> key;  ///< all that the plan depends on, in words, compared in full
    std::uint64_t hash = 0;                ///< of the key

    bool has_power = false;    ///< exponents are part of the key
    int components = 0;        ///< results of functions that have several
    bool may_consume = false;  ///< an input may be overwritten
    bool updates = false;      ///< however small it is
    bool of_step = false;      ///< recorded as a step

    codegen::sequence<void*> data;        ///< addresses of the inputs, then of what running it allocates
    codegen::sequence<buffer_ref> fresh;  ///< that memory

    std::uint64_t serial = 0;                                 ///< marks the values that have been reached
    codegen::sequence<bool> has_whole;                        ///< by slot: a value is the whole of it
    codegen::sequence<std::int64_t> holders;                  ///< by slot: references that the program knows about
    codegen::sequence<std::pair<value*, std::size_t>> stack;  ///< of the search
    codegen::number_map scalar_numbers;                       ///< of scalars, by hash
    program* next_idle = nullptr;                             ///< of those that no evaluation has

    facts& of(const value* v);
};

/// A program for the time of one evaluation: the one that is given, or one that is used again.
class program_lease {
public:
    explicit program_lease(program* given = nullptr);
    ~program_lease();
    program_lease(const program_lease&) = delete;
    program_lease& operator=(const program_lease&) = delete;
    program& operator*() const { return *program_; }
    program* operator->() const { return program_; }

private:
    program* program_;
    bool is_given_;
};

/// Maps take over the memory of operands from this size on: below, dispatch is dearer than what that would save.
inline constexpr std::size_t least_taken_over = std::size_t{64} << 10;

/// What a program may write over, where nothing else needs it.
enum class overwriting : std::uint8_t {
    nothing,
    of_what_cannot_fail,  ///< operands, unless the host could find bad data after that which does not fail all roots
    operands,             ///< also then: nobody could ask for their values
};

/// Collects the pending statements behind the roots; throws the failure of an input.
void collect(program& p, codegen::span<value* const> roots, overwriting allowed);

/// A number that was not given before.
std::uint64_t new_serial();

/// Collects anew what differs between programs of the same statements, of whose order the stored values are there, and
/// the scalars: the inputs, and in the key the words of memory and exponents alone.
void collect_memory(program& p);
/// Whether scalars that its plan takes for equal are. Others may be as well.
bool has_equal_scalars(const program& p);

/// From this many scalars on, which of them are equal is part of a program's plan: long formulas compute the same terms
/// of the same constants in several places.
inline constexpr std::size_t many_scalars = 32;

/// Whether a stored value is a row-major array at the beginning of its memory.
bool is_whole(const value& v);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/lazy/program.ipp>
#endif
