// Bodies of moving.hpp.
#pragma once

#include <algorithm>
#include <sinter/array/reading.hpp>
#include <sinter/distributed/moving.hpp>
#include <sinter/distributed/messages.hpp>
#include <sinter/functions/joining.hpp>
#include <sinter/functions/shape_functions.hpp>

namespace sinter::inline SINTER_ABI::detail {

using distributed::action;
using distributed::operation_class;

// A value with a part, or one of partial results that may stay such.
SINTER_INLINE const distributed_ref& with_part(const distributed_ref& v) { return v->local ? v : (settled(v), v); }

SINTER_INLINE distributed_ref record_distributed_transpose(const distributed_ref& v, dims order) {
    with_part(v);
    const int rank = v->shape.size();
    if (order.empty())
        for (int i = rank; i-- > 0;) order.push_back(i);
    plan_axes("transpose", operation_class::relabel, v->where, 0);
    handle local = record_transpose(v->local, order);
    dims shape;
    placement where = v->where;
    for (int i = 0; i < rank; ++i) {
        const int axis = codegen::normalize_axis("transpose", order[i], rank);
        shape.push_back(v->shape[axis]);
        if (where.kind == placement_kind::split && axis == v->where.axis) where.axis = i;
    }
    return make_distributed(v->session, shape, where, std::move(local), v->moves);
}

SINTER_INLINE dims known_shape(const dims& from, dims shape) {
    std::int64_t rest = 1;
    int open = -1;
    for (int i = 0; i < shape.size(); ++i)
        if (shape[i] == -1 && open < 0) open = i;
        else rest *= shape[i];
    if (open >= 0 && rest > 0) shape[open] = from.product() / rest;
    if (shape.product() != from.product())
        throw shape_error("[reshape] " + to_string(from) + " does not fit into " + to_string(shape));
    return shape;
}

SINTER_INLINE distributed_ref record_distributed_reshape(const distributed_ref& v, dims shape) {
    with_part(v);
    shape = known_shape(v->shape, shape);
    const placement where = distributed::plan_reshape({v->shape, v->where}, shape, v->session->ranks());
    handle local = record_reshape(v->local, local_shape(shape, where, v->session->ranks(), v->session->rank()));
    return make_distributed(v->session, shape, where, std::move(local), v->moves);
}

// An item for each axis, and those of new axes; index arrays and masks are refused.
SINTER_INLINE std::vector<index_item> whole_items(const dims& shape, std::span<const index_item> items) {
    using what = index_item::what;
    int used = 0;
    bool open = false;
    for (const index_item& i : items) {
        if (i.kind == what::indices || i.kind == what::mask)
            throw value_error("[index] arrays of indices and masks are not distributed: gather first");
        used += i.kind == what::number || i.kind == what::slice;
        open = open || i.kind == what::ellipsis;
    }
    if (used > shape.size())
        throw index_error("[index] too many indices for shape " + to_string(shape) + ": " + std::to_string(used));
    std::vector<index_item> all;
    auto fill = [&] {
        for (int i = used; i < shape.size(); ++i) all.push_back({.kind = what::slice});
    };
    for (const index_item& i : items)
        if (i.kind == what::ellipsis) fill();
        else all.push_back(i);
    if (!open) fill();
    return all;
}

SINTER_INLINE std::int64_t bounded(const slice::bound& b, std::int64_t n, std::int64_t otherwise) {
    if (!b.given) return otherwise;
    const std::int64_t i = b.value < 0 ? b.value + n : b.value;
    return std::clamp<std::int64_t>(i, 0, n);
}

// What an index picks of the split axis.
SINTER_INLINE range picked_range(const index_item& item, std::int64_t n, int axis) {
    if (item.kind == index_item::what::number) {
        const std::int64_t i = item.number < 0 ? item.number + n : item.number;
        if (i < 0 || i >= n)
            throw index_error("[index] index " + std::to_string(item.number) + " is out of bounds for axis " +
                              std::to_string(axis) + " with size " + std::to_string(n));
        return {i, i + 1};
    }
    if (item.range.step.given && item.range.step.value != 1)
        throw value_error("[slice] steps of " + std::to_string(item.range.step.value) +
                          " are not distributed along axis " + std::to_string(axis) + ": reshard or gather first");
    const range r{bounded(item.range.start, n, 0), bounded(item.range.stop, n, n)};
    return {r.begin, std::max(r.begin, r.end)};
}

// The parts of a range that is split again, or all of it on every rank.
SINTER_INLINE std::vector<range> wanted_ranges(const session_ref& s, range of, bool everywhere) {
    std::vector<range> all;
    for (int r = 0; r < s->ranks(); ++r) {
        const range part = everywhere ? range{0, of.size()} : distributed::part_of(of.size(), s->ranks(), r);
        all.push_back({of.begin + part.begin, of.begin + part.end});
    }
    return all;
}

// Where an index meets the split axis.
struct split_pick {
    index_item* item = nullptr;  ///< none where nothing is split
    range of;                    ///< of the whole axis
    bool is_number = false;
    placement result;
};

// Where a value lies once partial results are combined, which is on every rank.
SINTER_INLINE placement settled_placement(const distributed_value& v) {
    if (v.where.kind != placement_kind::partial) return v.where;
    return v.inputs.empty() ? distributed::replicated() : settled_placement(*v.inputs[0]);
}

SINTER_INLINE split_pick pick_split(const distributed_value& v, std::span<index_item> items) {
    using what = index_item::what;
    const placement where = settled_placement(v);
    split_pick pick{nullptr, {}, false, where};
    if (where.kind != placement_kind::split) return pick;
    int axis = 0, result = 0;
    for (index_item& item : items) {
        if (item.kind != what::newaxis && axis == where.axis) {
            const bool number = item.kind == what::number;
            return {&item, picked_range(item, v.shape[axis], axis), number,
                    number ? distributed::replicated() : distributed::split(result)};
        }
        axis += item.kind != what::newaxis;
        result += item.kind != what::number;
    }
    return pick;
}

SINTER_INLINE distributed_layout distributed_layout_of(const distributed_ref& v, std::span<const index_item> items) {
    plan_axes("index", operation_class::shift, v->where, 0);
    std::vector<index_item> all = whole_items(v->shape, items);
    const placement where = pick_split(*v, all).result;
    return {select(v->shape, all).view.shape, where};
}

SINTER_INLINE distributed_ref record_distributed_select(const distributed_ref& v, std::span<const index_item> items) {
    settled(v);
    plan_axes("index", operation_class::shift, v->where, 0);
    std::vector<index_item> all = whole_items(v->shape, items);
    std::vector<std::string> moves = v->moves;
    const split_pick pick = pick_split(*v, all);
    handle from = v->local;
    // One rank has all that an index picks.
    if (pick.item && v->session->ranks() > 1) {
        if (pick.is_number || pick.of != range{0, v->shape[v->where.axis]})
            from = fetch(v, "slice", wanted_ranges(v->session, pick.of, pick.is_number), moves);
        if (pick.is_number) pick.item->number = 0;
        else pick.item->range = slice(none, none);
    }
    handle local = read_selection(from, select(from, all));
    dims shape = local->shape;
    if (pick.result.kind == placement_kind::split) shape[pick.result.axis] = pick.of.size();
    return make_distributed(v->session, shape, pick.result, std::move(local), std::move(moves));
}

// Each rank's elements of a value that is assigned to a part, from the ranks that have them.
SINTER_INLINE handle assigned_elements(const distributed_ref& v, const distributed_ref& value, const dims& shape,
                                       const split_pick& pick, std::vector<std::string>& moves) {
    if (pick.result.kind != placement_kind::split) return value->local;
    const int axis = distributed::cut_axis(value->shape, shape, pick.result.axis);
    auto wanted = [&](int rank) {
        const range own = common(v->part(rank), pick.of);
        return range{own.begin - pick.of.begin, own.end - pick.of.begin};
    };
    const bool is_split = value->where.kind == placement_kind::split && v->session->ranks() > 1;
    if (!is_split) return axis < 0 ? value->local : take_part(value->local, axis, wanted(v->session->rank()));
    std::vector<range> all;
    for (int r = 0; r < v->session->ranks(); ++r) all.push_back(wanted(r));
    return fetch(value, "assignment", all, moves);
}

// A value without the axes of one in front that a part does not have.
SINTER_INLINE distributed_ref without_leading_ones(const distributed_ref& value, int rank) {
    dims shape = value->shape;
    while (shape.size() > rank && shape[0] == 1) shape.erase(0);
    return shape == value->shape ? value : record_distributed_reshape(value, shape);
}

// The shape of a part as the whole array has it, of what this rank selects of its own; the axis that is split, or of
// which a number was given.
SINTER_INLINE dims assigned_shape(const dims& selected, const split_pick& pick, std::span<const index_item> items,
                                  int& axis) {
    dims shape = selected;
    axis = 0;
    for (const index_item& i : items) {
        if (&i == pick.item) break;
        axis += i.kind != index_item::what::number;
    }
    if (pick.is_number) shape.erase(axis);
    else if (pick.item) shape[axis] = pick.of.size();
    return shape;
}

SINTER_INLINE void require_assigned(const distributed_ref& value, const dims& shape, const placement& where) {
    const distributed::operand_info operands[] = {{shape, where}, {value->shape, value->where}};
    codegen::require_fills("assignment", value->shape, shape);
    if (distributed::plan_map("assignment", operation_class::map, operands).result != where)
        throw value_error("[assignment] of a value that is " + to_string(value->where) + " to a part that is " +
                          to_string(where) + ": reshard it to replicated first");
}

SINTER_INLINE distributed_ref record_distributed_assign(const distributed_ref& v, std::span<const index_item> items,
                                                        const distributed_ref& given) {
    const distributed_ref both[] = {v, given};
    common_session("assignment", both);
    settled(v);
    settled(given);
    for (const distributed_ref& operand : both) plan_axes("assignment", operation_class::shift, operand->where, 0);
    std::vector<index_item> all = whole_items(v->shape, items);
    const split_pick pick = pick_split(*v, all);
    range own;
    if (pick.item) {
        own = common(v->part(), pick.of);
        const std::int64_t begin = v->part().begin;
        *pick.item = {.kind = index_item::what::slice, .range = slice(own.begin - begin, own.end - begin)};
    }
    const selection where = select(v->local, all);
    int axis = 0;
    const dims shape = assigned_shape(where.view.shape, pick, all, axis);
    const distributed_ref value = without_leading_ones(given, shape.size());
    require_assigned(value, shape, pick.result);
    std::vector<std::string> moves = moves_of(both);
    handle elements = assigned_elements(v, value, shape, pick, moves);
    handle local = v->local;
    if (!pick.item || own.size() > 0) {
        if (pick.is_number) {
            dims line = shape;
            line.insert(axis, 1);
            elements = record_reshape(record_broadcast("assignment", elements, shape), line);
        }
        local = write_selection(local, where, elements);
    }
    return make_distributed(v->session, v->shape, v->where, std::move(local), std::move(moves));
}

// The shape of a product; throws what an ordinary one does.
SINTER_INLINE dims product_shape(const dims& a, const dims& b) {
    auto fail = [&](const std::string& what) {
        throw shape_error("[matmul] " + what + ": " + to_string(a) + " x " + to_string(b));
    };
    if (a.empty() || b.empty()) fail("operands need at least one axis");
    const int left = a.size() > 1 ? a.size() - 2 : 0, right = b.size() > 1 ? b.size() - 2 : 0;
    if (a.back() != (b.size() > 1 ? b[b.size() - 2] : b[0])) fail("inner dimensions differ");
    dims lead_a, lead_b;
    for (int i = 0; i < left; ++i) lead_a.push_back(a[i]);
    for (int i = 0; i < right; ++i) lead_b.push_back(b[i]);
    dims shape = codegen::broadcast_shapes("matmul", lead_a, lead_b);
    if (a.size() > 1) shape.push_back(a[a.size() - 2]);
    if (b.size() > 1) shape.push_back(b.back());
    return shape;
}

SINTER_INLINE distributed_product plan_matmul(const distributed_ref& a, const distributed_ref& b) {
    const distributed_ref both[] = {a, b};
    common_session("matmul", both);
    const dims shape = product_shape(a->shape, b->shape);
    auto info = [](const distributed_ref& v) {
        return distributed::operand_info{v->shape, v->where, codegen::kind_rank(v->type) >= 2};
    };
    auto plan = [&] { return distributed::plan_product("matmul", info(a), info(b)); };
    distributed::product_plan p = plan();
    if (p.resolve) {
        settled(a);
        settled(b);
        p = plan();
    }
    auto cut = [](const distributed_ref& v, int axis) {
        if (axis < 0) return v->local;
        return take_part(v->local, axis, distributed::part_of(v->shape[axis], v->session->ranks(), v->session->rank()));
    };
    if (a->session->ranks() == 1) p.engine = false;
    return {cut(a, p.cut_a), cut(b, p.cut_b), shape, p.result, moves_of(both), p.engine};
}

SINTER_INLINE distributed_ref record_distributed_roll(const distributed_ref& v, std::int64_t shift, int axis) {
    const auto mask = static_cast<std::uint8_t>(1 << axis);
    if (plan_axes("roll", operation_class::shift, v->where, mask) == action::resolve) settled(v);
    if (plan_axes("roll", operation_class::shift, v->where, mask) == action::keep || v->session->ranks() == 1 ||
        v->shape.product() == 0)
        return make_distributed(v->session, v->shape, v->where, record_roll(v->local, shift, axis), v->moves);
    const std::int64_t n = v->shape[axis], by = ((shift % n) + n) % n;
    // A part comes from one range, or from two where it goes over the end.
    std::vector<range> first, second;
    for (int r = 0; r < v->session->ranks(); ++r) {
        const range part = v->part(r);
        const std::int64_t start = (part.begin - by + n) % n, stop = start + part.size();
        first.push_back({start, std::min(stop, n)});
        second.push_back({0, std::max<std::int64_t>(stop - n, 0)});
    }
    std::vector<std::string> moves = v->moves;
    const handle parts[] = {fetch(v, "roll", first, moves), fetch(v, "roll", second, moves)};
    handle local = parts[1]->shape[axis] == 0 ? parts[0] : record_concatenate("roll", parts, v->type, axis);
    return make_distributed(v->session, v->shape, v->where, std::move(local), std::move(moves));
}

SINTER_INLINE distributed_ref record_distributed_lines(std::string_view operation, operation_class c,
                                                       const distributed_ref& v, int axis,
                                                       const std::function<handle(const handle&)>& f) {
    const auto mask = static_cast<std::uint8_t>(1 << axis);
    if (plan_axes(operation, c, v->where, mask) == action::resolve) settled(v);
    distributed_ref x = v;
    const bool by_another_axis = plan_axes(operation, c, v->where, mask) == action::exchange && v->session->ranks() > 1;
    if (by_another_axis) {
        const int other = axis > 0 ? 0 : 1;
        x = record_reshard(v, v->shape.size() > 1 ? distributed::split(other) : distributed::replicated(), operation);
    }
    handle local = f(x->local);
    dims shape = local->shape;
    if (x->where.kind == placement_kind::split) shape[x->where.axis] = x->shape[x->where.axis];
    distributed_ref result = make_distributed(x->session, shape, x->where, std::move(local), x->moves);
    return by_another_axis ? record_reshard(result, v->where, operation) : result;
}

}  // namespace sinter::inline SINTER_ABI::detail
