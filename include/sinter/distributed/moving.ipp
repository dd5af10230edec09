// Bodies of moving.hpp.
#pragma once

#include <algorithm>
#include <bit>
#include <sinter/array/matrix_products.hpp>
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
    dims shape, place = dims::filled(rank, 0);
    for (int i = 0; i < rank; ++i) {
        const int axis = codegen::normalize_axis("transpose", order[i], rank);
        shape.push_back(v->shape[axis]);
        place[axis] = i;
    }
    const placement where = renamed(v->where, [&](int axis) { return static_cast<int>(place[axis]); });
    return make_distributed(v->session, shape, where, std::move(local), v->moves);
}

SINTER_INLINE distributed_ref record_distributed_reshape(const distributed_ref& v, dims shape) {
    with_part(v);
    shape = reshaped(v->shape, shape);
    const placement where = distributed::plan_reshape({v->shape, v->where}, shape, v->session->ranks());
    handle local = record_reshape(v->local, local_shape(shape, where, v->session->ranks(), v->session->rank()));
    return make_distributed(v->session, shape, where, std::move(local), v->moves);
}

// Calls f with an item for each axis, and those of new axes.
template <class F>
void for_each_item(int axes, codegen::span<const index_item> items, F f) {
    using what = index_item::what;
    static const index_item whole{.kind = what::slice};
    int rest = axes;
    for (const index_item& i : items) rest -= i.kind == what::number || i.kind == what::slice;
    for (const index_item& i : items)
        if (i.kind != what::ellipsis) f(i);
        else
            while (rest-- > 0) f(whole);
    while (rest-- > 0) f(whole);
}

SINTER_INLINE std::int64_t bounded(const slice::bound& b, std::int64_t n, std::int64_t otherwise) {
    if (!b.given) return otherwise;
    const std::int64_t i = b.value < 0 ? b.value + n : b.value;
    return std::clamp<std::int64_t>(i, 0, n);
}

// What an index picks of a split axis.
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

// Where an index meets a split axis.
struct axis_pick {
    std::size_t item;  ///< which one of those that each axis has
    int axis, result;  ///< of the result, or no_axis where a number was given
    range of;          ///< of the whole axis

    bool is_number() const { return result == distributed::no_axis; }
};
struct split_picks {
    placement result;
    axis_pick picks[2];  ///< one for each direction of a mesh
    std::size_t count = 0;

    codegen::span<const axis_pick> all() const { return {picks, count}; }
    const axis_pick* at(int axis) const {
        for (const axis_pick& pick : all())
            if (pick.axis == axis) return &pick;
        return nullptr;
    }
};

// Where a value lies once partial results are combined, which is on every rank.
SINTER_INLINE placement settled_placement(const distributed_value& v) {
    if (v.where.kind != placement_kind::partial) return v.where;
    const bool is_derived = v.later && !v.later->inputs.empty();
    return is_derived ? settled_placement(*v.later->inputs[0]) : distributed::replicated();
}

SINTER_INLINE split_picks pick_split(const distributed_value& v, codegen::span<const index_item> items) {
    using what = index_item::what;
    split_picks picks{settled_placement(v), {}};
    const distributed::mesh_lines lines(picks.result, 1);
    std::size_t at = 0;
    int axis = 0, result = 0;
    for_each_item(v.shape.size(), items, [&](const index_item& item) {
        const bool is_number = item.kind == what::number, is_axis = item.kind != what::newaxis;
        if (is_axis && (axis == lines.of[0].axis || axis == lines.of[1].axis))
            picks.picks[picks.count++] = {at, axis, is_number ? distributed::no_axis : result,
                                          picked_range(item, v.shape[axis], axis)};
        ++at;
        axis += is_axis;
        result += !is_number;
    });
    picks.result = renamed(picks.result, [&](int of) { return picks.at(of)->result; });
    return picks;
}

// Whether this rank has all elements of a value that lies so.
SINTER_INLINE bool has_all(const distributed_value& v, const placement& where) {
    return v.session->ranks() == 1 || where.kind == placement_kind::replicated;
}

SINTER_INLINE codegen::span<const index_item> without_positions(codegen::span<const index_item> items) {
    for (const index_item& i : items)
        if (i.kind == index_item::what::indices || i.kind == index_item::what::mask)
            throw value_error("[index] arrays of indices and masks are not distributed: gather first");
    return items;
}

SINTER_INLINE distributed_part::distributed_part(const distributed_ref& v, codegen::span<const index_item> given)
    : of(v), whole(select(v->shape, without_positions(given))) {
    plan_axes("index", operation_class::shift, v->where, 0);
    where = pick_split(*v, given).result;
    if (!has_all(*v, settled_placement(*v)))
        for_each_item(v->shape.size(), given, [&](const index_item& item) { items.push_back(item); });
}

// What each rank needs of the split axes: its part of a range that is split again, or a number.
SINTER_INLINE std::vector<box> picked_boxes(const distributed_ref& v, const split_picks& picks) {
    const distributed::mesh_lines lines(v->where, v->session->ranks());
    return boxes_of(v, [&](int rank, int axis, range whole) {
        const axis_pick* const pick = picks.at(axis);
        if (!pick) return whole;
        const distributed::mesh_line line = lines.along(axis);
        const range part =
            pick->is_number() ? range{0, 1} : distributed::part_of(pick->of.size(), line.count, line.place_of(rank));
        return range{pick->of.begin + part.begin, pick->of.begin + part.end};
    });
}

SINTER_INLINE distributed_ref record_distributed_select(const distributed_part& p) {
    const distributed_ref& v = p.of;
    settled(v);
    if (has_all(*v, v->where))
        return make_distributed(v->session, p.whole.view.shape, p.where, read_selection(v->local, p.whole), v->moves);
    std::vector<index_item> items = p.items;
    std::vector<std::string> moves = v->moves;
    const split_picks picks = pick_split(*v, items);
    handle from = v->local;
    bool moved = false;
    for (const axis_pick& pick : picks.all())
        moved = moved || pick.is_number() || pick.of != range{0, v->shape[pick.axis]};
    if (moved) from = fetch(v, "slice", picked_boxes(v, picks), moves);
    for (const axis_pick& pick : picks.all()) {
        if (pick.is_number()) items[pick.item].number = 0;
        else items[pick.item].range = slice(none, none);
    }
    handle local = read_selection(from, select(from, items));
    return make_distributed(v->session, p.whole.view.shape, p.where, std::move(local), std::move(moves));
}

// Each rank's elements of a value that is assigned to a part, from the ranks that have them.
SINTER_INLINE handle assigned_elements(const distributed_ref& v, const distributed_ref& value, const dims& shape,
                                       const split_picks& picks, std::vector<std::string>& moves) {
    bool moved = false;
    std::vector<box> wanted = boxes_of(value, [](int, int, range whole) { return whole; });
    for (const axis_pick& pick : picks.all()) {
        const int axis = pick.is_number() ? -1 : distributed::cut_axis(value->shape, shape, pick.result);
        if (axis < 0) continue;
        moved = moved || splits(value->where, axis);
        for (int r = 0; r < v->session->ranks(); ++r) {
            const range own = common(v->part(r, pick.axis), pick.of);
            wanted[static_cast<std::size_t>(r)].set(axis, {own.begin - pick.of.begin, own.end - pick.of.begin});
        }
    }
    if (moved) return fetch(value, "assignment", wanted, moves);
    return take_box(value->local, wanted[static_cast<std::size_t>(v->session->rank())]);
}

// A value without the axes of one in front that a part does not have.
SINTER_INLINE distributed_ref without_leading_ones(const distributed_ref& value, int rank) {
    dims shape = value->shape;
    while (shape.size() > rank && shape[0] == 1) shape.erase(0);
    return shape == value->shape ? value : record_distributed_reshape(value, shape);
}

// The axis of a selection at which an item stands, where numbers of split axes are slices.
SINTER_INLINE int selected_axis(codegen::span<const index_item> items, std::size_t item) {
    int axis = 0;
    for (std::size_t i = 0; i < item; ++i) axis += items[i].kind != index_item::what::number;
    return axis;
}

SINTER_INLINE void require_assigned(const distributed_ref& value, const dims& shape, const placement& where) {
    codegen::require_fills("assignment", value->shape, shape);
    if (value->where.kind == placement_kind::replicated || (value->where == where && value->shape == shape)) return;
    const distributed::operand_info operands[] = {{shape, where}, {value->shape, value->where}};
    if (distributed::plan_map("assignment", operation_class::map, operands).result != where)
        throw value_error("[assignment] of a value that is " + to_string(value->where) + " to a part that is " +
                          to_string(where) + ": reshard it to replicated first");
}

// What this rank writes of a part of a value that is split.
SINTER_INLINE handle write_own_elements(const distributed_part& p, const distributed_ref& value,
                                        std::vector<std::string>& moves) {
    const distributed_ref& v = p.of;
    std::vector<index_item> items = p.items;
    const split_picks picks = pick_split(*v, items);
    bool is_empty = false;
    for (const axis_pick& pick : picks.all()) {
        const range part = v->part(pick.axis), own = common(part, pick.of);
        is_empty = is_empty || own.size() == 0;
        items[pick.item] = {.kind = index_item::what::slice,
                            .range = slice(own.begin - part.begin, own.end - part.begin)};
    }
    const selection where = select(v->local, items);
    handle elements = assigned_elements(v, value, p.whole.view.shape, picks, moves);
    if (is_empty) return v->local;
    dims own = where.view.shape;
    for (std::size_t i = picks.count; i-- > 0;)
        if (picks.picks[i].is_number()) own.erase(selected_axis(items, picks.picks[i].item));
    if (own.size() < where.view.shape.size())
        elements = record_reshape(record_broadcast("assignment", elements, own), where.view.shape);
    return write_selection(v->local, where, elements);
}

SINTER_INLINE distributed_ref record_distributed_assign(const distributed_part& p, const distributed_ref& given) {
    const distributed_ref& v = p.of;
    const distributed_ref both[] = {v, given};
    common_session("assignment", both);
    settled(v);
    settled(given);
    plan_axes("assignment", operation_class::shift, given->where, 0);
    const distributed_ref value = without_leading_ones(given, p.whole.view.shape.size());
    require_assigned(value, p.whole.view.shape, p.where);
    std::vector<std::string> moves = moves_of(both);
    handle local =
        has_all(*v, v->where) ? write_selection(v->local, p.whole, value->local) : write_own_elements(p, value, moves);
    return make_distributed(v->session, v->shape, v->where, std::move(local), std::move(moves));
}

SINTER_INLINE distributed_product plan_matmul(const distributed_ref& a, const distributed_ref& b) {
    const distributed_ref both[] = {a, b};
    common_session("matmul", both);
    const dims shape = product_shape("matmul", a->shape, b->shape);
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
    if (!a->session->has_engine()) p.engine = false;
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
    auto ranges = [&](bool over_end) {
        return boxes_of(v, [&](int r, int of, range) {
            const range part = v->part(r, of);
            if (of != axis) return part;
            const std::int64_t start = (part.begin - by + n) % n, stop = start + part.size();
            return over_end ? range{0, std::max<std::int64_t>(stop - n, 0)} : range{start, std::min(stop, n)};
        });
    };
    std::vector<std::string> moves = v->moves;
    const handle parts[] = {fetch(v, "roll", ranges(false), moves), fetch(v, "roll", ranges(true), moves)};
    handle local = parts[1]->shape[axis] == 0 ? parts[0] : record_concatenate("roll", parts, v->type, axis);
    return make_distributed(v->session, v->shape, v->where, std::move(local), std::move(moves));
}

// Where the lines along a split axis are whole: another axis is split in its stead, one of which no rank has a part.
SINTER_INLINE placement with_whole_lines(const distributed_ref& v, int axis) {
    for (int other = 0; other < v->shape.size(); ++other)
        if (!splits(v->where, other)) return renamed(v->where, [&](int of) { return of == axis ? other : of; });
    if (v->shape.size() == 1) return distributed::replicated();
    return distributed::split(axis > 0 ? 0 : 1);
}

SINTER_INLINE distributed_ref record_distributed_lines(std::string_view operation, operation_class c,
                                                       const distributed_ref& v, const line_axes& along,
                                                       const std::function<handle(const handle&)>& f) {
    if (plan_axes(operation, c, v->where, along.mask) == action::resolve) settled(v);
    distributed_ref x = v;
    const bool by_another_axis =
        plan_axes(operation, c, v->where, along.mask) == action::exchange && v->session->ranks() > 1;
    if (by_another_axis) x = record_reshard(v, with_whole_lines(v, std::countr_zero(along.mask)), operation);
    auto of_lines = [&] {
        try {
            return in_order_of(x->shape, along.mask, !along.drops, x->local, f, along.in_front);
        } catch (const error&) {
            // All ranks throw it, in words of the whole and not of their parts.
            static_cast<void>(f(record_empty(v->type, v->shape)));
            throw;
        }
    };
    handle local = of_lines();
    dims shape = local->shape;
    const placement where = renamed(x->where, [&](int axis) {
        const auto before = static_cast<std::uint8_t>(along.mask & ((1 << axis) - 1));
        const int kept = axis + along.in_front - (along.drops ? std::popcount(before) : 0);
        shape[kept] = x->shape[axis];
        return kept;
    });
    distributed_ref result = make_distributed(x->session, shape, where, std::move(local), x->moves);
    return by_another_axis ? record_reshard(result, v->where, operation) : result;
}

}  // namespace sinter::inline SINTER_ABI::detail
