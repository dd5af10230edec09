// Bodies of rules.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/distributed/rules.hpp>
#include <utility>

namespace sinter::inline SINTER_ABI::distributed {

/// A row of rules.def.
struct rule_row {
    std::string_view name;
    action replicated, along, elsewhere, partial, block_cyclic;
};

inline constexpr rule_row rule_rows[] = {
#define SINTER_RULE(name, replicated, along, elsewhere, partial, block_cyclic) \
    {#name, action::replicated, action::along, action::elsewhere, action::partial, action::block_cyclic},
#include <sinter/codegen/distributed/rules.def>
};

SINTER_INLINE std::string_view to_string(operation_class c) { return rule_rows[static_cast<int>(c)].name; }

SINTER_INLINE std::string_view to_string(action a) {
    constexpr std::string_view names[] = {"keep", "resolve",  "combine", "carry",
                                          "halo", "exchange", "engine",  "refuse"};
    return names[static_cast<int>(a)];
}

SINTER_INLINE action rule_of(operation_class c, placement_kind kind, bool along) {
    const rule_row& row = rule_rows[static_cast<int>(c)];
    switch (kind) {
        case placement_kind::replicated: return row.replicated;
        case placement_kind::split:
        case placement_kind::mesh: return along ? row.along : row.elsewhere;
        case placement_kind::partial: return row.partial;
        case placement_kind::block_cyclic: return row.block_cyclic;
    }
    return action::refuse;
}

SINTER_INLINE operation_class class_of(codegen::op o) {
    using codegen::op;
    switch (o) {
        case op::add:
        case op::subtract:
        case op::negative: return operation_class::add;
        case op::multiply: return operation_class::scale;
        case op::divide: return operation_class::quotient;
        default: return operation_class::map;
    }
}

// Whether a rank's part is split along two axes.
SINTER_INLINE bool lies_in_blocks(const placement& p) {
    return p.kind == placement_kind::block_cyclic || p.kind == placement_kind::mesh;
}

[[noreturn]] SINTER_INLINE void throw_in_blocks(std::string_view operation, const placement& p) {
    throw value_error(codegen::joined(
        {"[", operation, "] not of an array that is ", to_string(p), ": reshard to split or replicated first"}));
}

SINTER_INLINE action plan_axes(std::string_view operation, operation_class c, const placement& p, std::uint8_t axes) {
    int along = no_axis;
    for (int axis = max_rank; axis-- > 0;)
        if ((axes >> axis & 1) != 0 && splits(p, axis)) along = axis;
    const action a = rule_of(c, p.kind, along != no_axis);
    if (a == action::refuse && along == no_axis) throw_in_blocks(operation, p);
    if (a == action::refuse)
        throw value_error(
            codegen::joined({"[", operation, "] not distributed along axis ", along, ": reshard or gather first"}));
    return a;
}

SINTER_INLINE int cut_axis(const dims& operand, const dims& result, int axis) {
    const int own = axis - (result.size() - operand.size());
    return own < 0 || operand[own] != result[axis] ? -1 : own;
}

// Whether a result of parts is made of the operands' parts: of all where they are added, of one that is scaled by a
// number. Infinity, 0 and NaN make of parts what they do not make of their sum, and so does the division of integers.
SINTER_INLINE bool keeps_parts(operation_class c, codegen::span<const operand_info> operands) {
    std::size_t parts = 0;
    for (const operand_info& o : operands) {
        if (o.where.kind == placement_kind::split || o.where.kind == placement_kind::mesh) return false;
        if (o.where.kind != placement_kind::partial) {
            if (c != operation_class::add && !o.is_factor) return false;
            continue;
        }
        if (c != operation_class::add && !o.is_floating) return false;
        if (rule_of(c, o.where.kind, false) != action::keep || o.where.op != codegen::reduction::sum) return false;
        ++parts;
    }
    if (c == operation_class::add) return parts == operands.size();
    return parts == 1 && (c == operation_class::scale || operands[0].where.kind == placement_kind::partial);
}

[[noreturn]] SINTER_INLINE void throw_broadcast(std::string_view operation, const operand_info& o, int axis) {
    throw value_error(
        codegen::joined({"[", operation, "] an operand of shape ", sinter::to_string(o.shape), " is split along axis ",
                         axis, ", which broadcasts: reshard it to replicated first"}));
}

[[noreturn]] SINTER_INLINE void throw_beside(std::string_view operation, const operand_info& o, const placement& p) {
    throw value_error(
        codegen::joined({"[", operation, "] an operand of shape ", sinter::to_string(o.shape), " that is ",
                         to_string(o.where), " beside one that is ", to_string(p), ": reshard one of them first"}));
}

// Blocks that are dealt out lie alike where they are of one placement. Of other operands single numbers have a place
// among them.
SINTER_INLINE void require_in_blocks(std::string_view operation, const placement& p, const dims& shape,
                                     codegen::span<const operand_info> operands) {
    for (const operand_info& o : operands) {
        const bool is_everywhere =
            o.where.kind == placement_kind::replicated || o.where.kind == placement_kind::partial;
        if (is_everywhere && o.shape.empty()) continue;
        if (o.where == p && o.shape == shape) continue;
        if (o.where == p)
            throw value_error(
                codegen::joined({"[", operation, "] an operand of shape ", sinter::to_string(o.shape),
                                 " broadcasts to ", sinter::to_string(shape), ", and operands that are ", to_string(p),
                                 " do not broadcast against each other: reshard both of them first"}));
        throw_beside(operation, o, p);
    }
}

// Where the result lies beside one more operand, whose axes are counted as the result's are.
SINTER_INLINE placement placed_beside(std::string_view operation, const operand_info& o, const map_plan& plan) {
    const int more = plan.shape.size() - o.shape.size();
    const placement own = renamed(o.where, [&](int axis) {
        if (o.shape[axis] != plan.shape[axis + more]) throw_broadcast(operation, o, axis);
        return axis + more;
    });
    placement both = plan.result;
    if (both.kind == placement_kind::replicated) return own;
    if (both == own) return both;
    if (both.kind == placement_kind::split && own.kind == placement_kind::split)
        throw value_error(codegen::joined({"[", operation, "] operands are split along axes ", both.axis, " and ",
                                           own.axis, " of the result: reshard one of them first"}));
    auto join = [](int& axis, int other) {
        if (axis == no_axis) axis = other;
        return other == no_axis || axis == other;
    };
    const bool is_one = both.kind == own.kind && both.rows == own.rows && join(both.axis, own.axis) &&
                        join(both.second, own.second) && both.axis != both.second;
    if (!is_one) throw_beside(operation, o, plan.result);
    return both;
}

SINTER_INLINE map_plan plan_map(std::string_view operation, operation_class c,
                                codegen::span<const operand_info> operands) {
    map_plan plan;
    bool has_parts = false;
    for (const operand_info& o : operands) {
        plan.shape = codegen::broadcast_shapes(operation, plan.shape, o.shape);
        if (o.where.kind == placement_kind::block_cyclic) plan.result = o.where;
        has_parts = has_parts || o.where.kind == placement_kind::partial;
    }
    plan.resolve = has_parts && (plan.result.kind == placement_kind::block_cyclic || !keeps_parts(c, operands));
    if (plan.result.kind == placement_kind::block_cyclic) {
        require_in_blocks(operation, plan.result, plan.shape, operands);
        return plan;
    }
    if (has_parts && !plan.resolve) {
        plan.result = partial();
        return plan;
    }
    for (const operand_info& o : operands)
        if (o.where.kind == placement_kind::split || o.where.kind == placement_kind::mesh)
            plan.result = placed_beside(operation, o, plan);
    return plan;
}

// Axes of products by what they are in the result: leading ones from 0, then these.
enum : int { label_m = 100, label_n, label_k, label_none };

SINTER_INLINE int label_of(const operand_info& o, bool left, int axis) {
    const int rank = o.shape.size();
    if (rank == 1) return label_k;
    if (axis == rank - 1) return left ? label_k : label_n;
    if (axis == rank - 2) return left ? label_m : label_k;
    return rank - 3 - axis;  // leading axes are counted from the last one, as they broadcast
}

SINTER_INLINE int axis_of(const operand_info& o, bool left, int label) {
    for (int i = 0; i < o.shape.size(); ++i)
        if (label_of(o, left, i) == label) return i;
    return -1;
}

SINTER_INLINE placement placed_product(const operand_info& a, const operand_info& b, int label) {
    const bool matrix_a = a.shape.size() > 1, matrix_b = b.shape.size() > 1;
    const int stack_a = matrix_a ? a.shape.size() - 2 : 0, stack_b = matrix_b ? b.shape.size() - 2 : 0;
    const int stack = stack_a > stack_b ? stack_a : stack_b;
    if (label == label_k) return partial();
    if (label == label_m) return split(stack);
    if (label == label_n) return split(stack + (matrix_a ? 1 : 0));
    return split(stack - 1 - label);
}

// Of a leading axis that is split all elements must be elements of the result.
SINTER_INLINE void require_whole_stack(std::string_view operation, const operand_info& o, bool left, int label,
                                       const operand_info& other) {
    if (label >= label_m) return;
    const int axis = axis_of(other, !left, label);
    if (axis >= 0 && o.shape[o.where.axis] == 1 && other.shape[axis] != 1) throw_broadcast(operation, o, o.where.axis);
}

// Of matrices that lie in two directions: the result lies in blocks, or as the operand whose axis it keeps.
SINTER_INLINE placement placed_by_engine(std::string_view operation, const operand_info& a, const operand_info& b) {
    if (a.shape.size() != 2 || b.shape.size() != 2 || !a.is_floating || !b.is_floating)
        throw value_error(
            codegen::joined({"[", operation, "] of operands of shapes ", sinter::to_string(a.shape), " and ",
                             sinter::to_string(b.shape), " that are ", to_string(a.where), " and ", to_string(b.where),
                             ": reshard one of them to replicated, or both along the axis that is summed; matrices of "
                             "floating elements may be as they are"}));
    for (const operand_info* o : {&a, &b})
        if (lies_in_blocks(o->where)) return o->where;
    return a.where == split(0) ? split(0) : split(1);
}

SINTER_INLINE product_plan plan_product(std::string_view operation, const operand_info& a, const operand_info& b) {
    product_plan plan;
    bool in_blocks = false;
    auto label = [&](const operand_info& o, bool left) -> int {
        in_blocks = in_blocks || lies_in_blocks(o.where);
        plan.resolve = plan.resolve || o.where.kind == placement_kind::partial;
        return o.where.kind == placement_kind::split ? label_of(o, left, o.where.axis) : label_none;
    };
    const int of_a = label(a, true), of_b = label(b, false);
    if (plan.resolve || (!in_blocks && of_a == label_none && of_b == label_none)) return plan;
    const int both = of_a == label_none ? of_b : of_a;
    if (in_blocks || (of_b != label_none && of_b != both)) {
        plan.engine = true;
        plan.result = placed_by_engine(operation, a, b);
        return plan;
    }
    require_whole_stack(operation, a, true, of_a, b);
    require_whole_stack(operation, b, false, of_b, a);
    plan.result = placed_product(a, b, both);
    if (of_a == label_none) plan.cut_a = axis_of(a, true, both);
    if (of_b == label_none) plan.cut_b = axis_of(b, false, both);
    if (plan.cut_a >= 0 && a.shape[plan.cut_a] == 1 && both < label_m) plan.cut_a = -1;
    if (plan.cut_b >= 0 && b.shape[plan.cut_b] == 1 && both < label_m) plan.cut_b = -1;
    return plan;
}

// The axis of a reshaped array whose parts hold the elements of the parts of an axis, as both begin at the same ones;
// no_axis where there is none.
SINTER_INLINE int reshaped_axis(const dims& from, int axis, const dims& shape, int count) {
    std::int64_t before = 1, so_far = 1, inner = 1;
    for (int i = 0; i < axis; ++i) before *= from[i];
    for (int i = axis + 1; i < from.size(); ++i) inner *= from[i];
    const std::int64_t n = from[axis], first = part_of(n, count, 0).size();
    for (int i = 0; i < shape.size(); so_far *= shape[i++]) {
        if (so_far != before) continue;
        std::int64_t rest = 1;
        for (int j = i + 1; j < shape.size(); ++j) rest *= shape[j];
        if (part_of(shape[i], count, 0).size() * rest == first * inner && shape[i] * rest == n * inner) return i;
    }
    return no_axis;
}

SINTER_INLINE placement plan_reshape(const operand_info& x, const dims& shape, int ranks) {
    if (x.where.kind == placement_kind::block_cyclic) throw_in_blocks("reshape", x.where);
    const mesh_lines lines(x.where, ranks);
    int last = no_axis;
    return renamed(x.where, [&](int axis) {
        const int kept = reshaped_axis(x.shape, axis, shape, lines.along(axis).count);
        if (kept == no_axis || kept == std::exchange(last, kept))
            throw value_error(
                codegen::joined({"[reshape] from ", sinter::to_string(x.shape), " to ", sinter::to_string(shape),
                                 " does not keep the parts of axis ", axis, ": reshard or gather first"}));
        return kept;
    });
}

}  // namespace sinter::inline SINTER_ABI::distributed
