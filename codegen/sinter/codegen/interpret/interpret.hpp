// The interpreter: evaluates a graph node by node and so defines what it means; must not know plans or source text.
#pragma once

#include <sinter/codegen/base/span.hpp>
#include <sinter/codegen/graph/graph.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Computes a call node from its row-major operands; out has the node's shape and type.
using call_function = void (*)(const graph& g, node_id n, const void* const* args, void* out);

/// Routines as plain loops. numpy.matmul of matrices and stacks of one rank: sums run over ascending k, in float64 for
/// floating types, complex128 for complex64, and 64 bits for integers. Sorts: see sort_reference.
void call_reference(const graph& g, node_id n, const void* const* args, void* out);

/// Compute a reduce and a scan node from their operand; null where a graph has none.
struct row_functions {
    void (*reduce)(const reduce_info& how, const node& operand, const void* in, const node& result,
                   void* out) = nullptr;
    void (*scan)(const reduce_info& how, const node& operand, const void* in, const node& result, void* out) = nullptr;
};

/// Those of interpret_reduce.hpp and interpret_scan.hpp.
row_functions row_reference();

/// Evaluates what the roots need, each node into memory of its own that lives until its last use.
/// inputs: by slot, row-major; outputs: one for each root, row-major, of the root's size. An output may be an input's
/// memory: outputs are written when everything is computed.
/// Throws index_error for an index out of range, value_error for the extremum of nothing, out_of_memory; then no output
/// has been written.
void interpret(const graph& g, span<const void* const> inputs, span<void* const> outputs,
               call_function call = call_reference, row_functions rows = row_reference());

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/interpret/interpret.ipp>
#endif
