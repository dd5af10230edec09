// Operations on literals.
#pragma once

#include <sinter/codegen/base/span.hpp>
#include <sinter/codegen/graph/graph.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Whether an operation in a common type has the same bits on every machine: no libm function, no complex product.
bool is_exact(op o, dtype common);

/// The operation on one number for each operand, of any type: converted to the operand's.
scalar_value applied(op o, dtype common, const scalar_value* args);

/// The operation on literals as a literal, or `no_node`: where it has the same bits on every machine.
node_id folded(graph& h, op o, span<const node_id> args);

/// The same, or the operation.
node_id folded_or_added(graph& h, op o, span<const node_id> args, const dims& shape);

/// A real scalar's value; NaN, which equals nothing, for a complex one with an imaginary part and for large integers.
double real_value(const graph& g, node_id id);

/// Whether simplify has another form, with other bits, of some power with this exponent.
bool has_simpler_power(double exponent);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/rewrite/folding.ipp>
#endif
