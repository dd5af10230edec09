// Loops that each element goes through for itself, traced from expressions: what a turn computes, as text and
// interpreted; must not know arrays.
#pragma once

#include <sinter/codegen/graph/graph.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// One turn of a loop over single elements. Inputs by slot: the state, then what the turns only read; all of shape ().
/// Roots: whether there is another turn, then the next state.
struct loop {
    graph turn;
    sequence<dtype> inputs;
    std::uint32_t states = 0;
};

/// The function that runs the loop, for kernels: its parameters are the inputs, its results the last state. Everything
/// that resolve() would find out is filled in. Throws type_error for operations that functions do not have.
definition function_of(const loop& l, const std::string& name);

/// The last value of one part of the state, for `count` elements: arguments are the function's, each `steps` bytes
/// apart.
void interpret_loop(const loop& l, std::uint32_t which, span<const void* const> args, span<const std::int64_t> steps,
                    void* out, std::int64_t count);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/interpret/loop.ipp>
#endif
