// What fusion makes of a graph: memory slots, kernels and library calls in order, and the numbers it weighs.
#pragma once

#include <sinter/codegen/schedule/kernel.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Numbers that decide between computing again and storing; one row per kind of machine.
struct fusion_limits {
    int instructions = 1000;     ///< per kernel
    int accesses = 64;           ///< per kernel
    int accumulators = 10;       ///< per kernel: a GPU's thread has four of each in registers
    int parameter_bytes = 3600;  ///< per kernel: a launch takes 4 KiB
    int recompute = 128;  ///< arithmetic per element that costs as much as storing one element and reading it back
    /// The elements of a row are read again after its reductions, where it may still be on the chip. Rows up to this
    /// length are, and longer ones where there are so many that one of them per processor keeps the machine busy.
    std::int64_t row_length = 16384;
    std::int64_t many_rows = 256;
    family_schedule family = {};  ///< of the machine that kernels are for
};

/// Memory that a plan uses.
struct slot {
    static constexpr std::int32_t fresh = -1;

    std::int32_t input = fresh;  ///< slot of the graph's inputs, or fresh memory
    dtype type;
    std::int64_t size;  ///< elements
};

/// Where a value lies.
struct place {
    std::uint32_t slot;
    layout at;
};

/// A library call: results, arguments and numbers.
struct library_call {
    call_info call;
    sequence<node_id> nodes;  ///< of the results that are read, in the graph
    sequence<std::uint32_t> results;
    dims shape;                               ///< of the first result
    sequence<place> args;                     ///< those in memory
    std::uint32_t factor_scalar = no_scalar;  ///< of a product: the scalar of the graph that it is multiplied by
    double factor = 1;                        ///< or this number

    static constexpr std::uint32_t no_scalar = ~std::uint32_t{0};
};

/// Copies a whole slot before an update that may not overwrite it.
struct slot_copy {
    std::uint32_t from, to;
};

/// Why a value is stored that a kernel or a library computes; `asked` where there is no other reason.
enum class store_reason : std::uint8_t {
    asked,       ///< it is a root
    result,      ///< of a reduction, scan, selection or update: known when all of it is
    operand,     ///< a library call takes it from memory, or an update changes it there
    indexed,     ///< read at any place: by index, or by a function of whole arrays
    across,      ///< tiles transpose what a reduction would read across its order
    recomputed,  ///< computing it again would cost more
    options,     ///< it goes in or out of a function that has compiler options
    fast_math,   ///< fast functions compute it, or compute from it, in a kernel of their own
    size,        ///< a kernel with it would be too large
    layout       ///< it is read in an order that computing it cannot follow
};

struct stored_value {
    node_id node;
    store_reason why;
};

enum class step_kind : std::uint8_t { kernel, call, copy };

struct step {
    step_kind kind;
    std::uint32_t index;  ///< into the plan's kernels, calls or copies
};

struct plan {
    sequence<slot> slots;
    sequence<kernel> kernels;
    sequence<library_call> calls;
    sequence<slot_copy> copies;
    sequence<step> steps;
    sequence<place> roots;          ///< where the graph's roots lie afterwards
    sequence<stored_value> stored;  ///< in the graph's order
};

/// Calls f with each slot that a step of a plan uses, and with whether the step writes it.
template <class F>
void for_slots_of(const plan& p, const step& s, const F& f) {
    if (s.kind == step_kind::kernel)
        for (const operand& o : p.kernels[s.index].operands) f(o.slot, o.written);
    if (s.kind == step_kind::call) {
        for (std::uint32_t r : p.calls[s.index].results) f(r, true);
        for (const place& a : p.calls[s.index].args) f(a.slot, false);
    }
    if (s.kind == step_kind::copy) {
        f(p.copies[s.index].to, true);
        f(p.copies[s.index].from, false);
    }
}

}  // namespace sinter::inline SINTER_ABI::codegen
