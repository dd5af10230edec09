// The planner of distributed arrays: from operands' shapes and placements alone what moves and how the result lies.
#pragma once

#include <sinter/codegen/base/span.hpp>
#include <sinter/codegen/distributed/placement.hpp>
#include <sinter/codegen/ops/op.hpp>
#include <string_view>

namespace sinter::inline SINTER_ABI::distributed {

enum class operation_class : std::uint8_t {
#define SINTER_RULE(name, ...) name,
#include <sinter/codegen/distributed/rules.def>
    count_
};
inline constexpr int operation_classes = static_cast<int>(operation_class::count_);

/// What an operand's placement asks for: see rules.def.
enum class action : std::uint8_t { keep, resolve, combine, carry, halo, exchange, engine, refuse };

/// Names of classes and actions, as rules.def has them.
std::string_view to_string(operation_class c);
std::string_view to_string(action a);

/// The table's entry; `along`: the operation works on an axis that is split.
action rule_of(operation_class c, placement_kind kind, bool along);

/// The class of an operation on elements.
operation_class class_of(codegen::op o);

/// The entry for an operand of an operation along axes, a bit mask; throws value_error for refuse.
action plan_axes(std::string_view operation, operation_class c, const placement& p, std::uint8_t axes);

/// An operand, as far as the planner knows it.
struct operand_info {
    dims shape;
    placement where;
    bool is_floating = true;
    bool is_factor = false;  ///< a number that is known to be finite and not 0
};

/// The result of an operation on elements.
struct map_plan {
    dims shape;
    placement result;
    bool resolve = false;  ///< operands' partial results are combined first
};

/// Throws shape_error for shapes that do not broadcast and value_error for placements that differ.
map_plan plan_map(std::string_view operation, operation_class c, codegen::span<const operand_info> operands);

/// The axis of an operand that must be cut where the result is split along an axis; -1: all of it is needed.
int cut_axis(const dims& operand, const dims& result, int axis);

/// A matrix product: axes along which replicated operands are cut, or -1, and the result's placement.
struct product_plan {
    int cut_a = -1, cut_b = -1;
    placement result;
    bool resolve = false;  ///< operands' partial results are combined first
    bool engine = false;   ///< by a library of distributed matrices
};

/// Of operands of (…, m, k) and (…, k, n), or vectors; throws value_error for placements that only an engine multiplies
/// where it does not: stacks, vectors and integers.
product_plan plan_product(std::string_view operation, const operand_info& a, const operand_info& b);

/// Where the split axis of an array is after a reshape; throws value_error where the parts are not whole in it.
placement plan_reshape(const operand_info& x, const dims& shape, int ranks);

}  // namespace sinter::inline SINTER_ABI::distributed

#if SINTER_HEADER_ONLY
#include <sinter/codegen/distributed/rules.ipp>
#endif
