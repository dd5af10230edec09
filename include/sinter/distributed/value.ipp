// Bodies of value.hpp.
#pragma once

#include <mutex>
#include <sinter/array/reading.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/distributed/elements/idle_list.hpp>
#include <sinter/distributed/messages.hpp>
#include <sinter/distributed/redistribution.hpp>
#include <sinter/distributed/reduction.hpp>
#include <sinter/distributed/value.hpp>
#include <sinter/functions/joining.hpp>
#include <sinter/functions/shape_functions.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE distributed_ref make_distributed(const session_ref& s, dtype type, const dims& shape,
                                               const placement& where) {
    return std::allocate_shared<distributed_value>(block_allocator<distributed_value>(), s, type, shape, where);
}

SINTER_INLINE distributed_ref make_distributed(session_ref s, const dims& shape, const placement& where, handle local,
                                               std::vector<std::string> moves) {
    distributed_ref v = make_distributed(s, local->type, shape, where);
    v->local = std::move(local);
    v->moves = std::move(moves);
    return v;
}

SINTER_INLINE void close_expression(distributed_value& v) {
    if (!v.is_open.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(runtime::runtime_lock());
    if (!v.open) return;
    v.local = v.open->close(v.type);
    v.open = nullptr;
    v.is_open.store(false, std::memory_order_release);
}

SINTER_INLINE call_reason reason_of(std::string_view operation, const distributed_ref& v, std::string_view more) {
    if (!v->session->is_checked()) return operation;
    return {operation, to_string(v->shape) + " " + std::string(to_string(v->type)) + " " + to_string(v->where) +
                           (more.empty() ? "" : " ") + std::string(more)};
}

SINTER_INLINE void join_moves(std::vector<std::string>& all, const std::vector<std::string>& more) {
    for (const std::string& words : more) {
        bool known = false;
        for (const std::string& w : all) known = known || w == words;
        if (!known) add_move(all, words);
    }
}

SINTER_INLINE std::vector<std::string> moves_of(codegen::span<const distributed_ref> from) {
    std::vector<std::string> all;
    for (const distributed_ref& v : from)
        if (v) join_moves(all, v->moves);
    return all;
}

SINTER_INLINE const session_ref& common_session(std::string_view operation,
                                                codegen::span<const distributed_ref> operands) {
    const session_ref* common = nullptr;
    for (const distributed_ref& v : operands) {
        if (v && common && *common != v->session)
            throw value_error("[" + std::string(operation) + "] operands belong to different sessions");
        if (v) common = &v->session;
    }
    return *common;
}

SINTER_INLINE distributed_ref make_derived(std::vector<distributed_ref> inputs, dtype type,
                                           std::function<handle(codegen::span<const handle>)> finish) {
    distributed_ref v = make_distributed(inputs[0]->session, type, inputs[0]->shape, inputs[0]->where);
    v->moves = moves_of(inputs);
    bool waits = false;
    for (const distributed_ref& i : inputs) waits = waits || i->where.kind == placement_kind::partial;
    v->later = std::make_unique<postponed_result>(postponed_result{std::move(inputs), std::move(finish)});
    if (!waits) finish_derived(*v);
    return v;
}

SINTER_INLINE distributed_ref make_derived(codegen::span<const distributed_ref* const> inputs, handle made) {
    const distributed_value& first = **inputs[0];
    std::vector<std::string> moves;
    for (const distributed_ref* v : inputs) join_moves(moves, (*v)->moves);
    return make_distributed(first.session, first.shape, first.where, std::move(made), std::move(moves));
}

SINTER_INLINE bool any_waits(codegen::span<const distributed_ref* const> values) {
    for (const distributed_ref* v : values)
        if ((*v)->where.kind == placement_kind::partial) return true;
    return false;
}

SINTER_INLINE void finish_derived(distributed_value& v) {
    codegen::sequence<handle> parts;
    for (const distributed_ref& i : v.later->inputs) parts.push_back(settled(i)->local);
    v.local = v.later->finish(parts);
    v.where = v.later->inputs[0]->where;
    v.moves = moves_of(v.later->inputs);
    v.later = nullptr;
}

SINTER_INLINE distributed_ref record_distribute(const handle& whole, placement p, std::string_view operation) {
    const session_ref& s = current_session(operation);
    p = checked(operation, p, whole->shape.size(), s->ranks());
    if (p.kind == placement_kind::partial)
        throw value_error("[" + std::string(operation) +
                          "] an array has no parts that add up to it: use replicated or split");
    if (p.kind == placement_kind::replicated) return make_distributed(s, whole->shape, p, whole);
    if (p.kind == placement_kind::block_cyclic)
        return record_reshard(make_distributed(s, whole->shape, distributed::replicated(), whole), p, operation);
    handle mine = whole;
    for (int axis = 0; axis < whole->shape.size(); ++axis)
        mine = take_part(mine, axis, part_along(whole->shape, p, s->ranks(), s->rank(), axis));
    return make_distributed(s, whole->shape, p, std::move(mine));
}

SINTER_INLINE handle take_box(handle h, const box& of) {
    for (int axis = 0; axis < h->shape.size(); ++axis) h = take_part(h, axis, of.along(axis));
    return h;
}

SINTER_INLINE box shifted_box(box b, const dims& by) {
    for (int axis = 0; axis < by.size(); ++axis) b.set(axis, {b.begin[axis] - by[axis], b.end[axis] - by[axis]});
    return b;
}

/// What ranks have of a box, joined line by line of a mesh.
struct joined_box {
    const distributed_value& from;
    const distributed::mesh_lines lines;
    const box& wanted;
    std::function<handle(int rank)> piece;

    handle from_line(int which, int rank) const {
        if (which == 2) return piece(rank);
        const distributed::mesh_line& line = lines.of[which];
        if (line.axis == distributed::no_axis) return from_line(which + 1, rank);
        codegen::sequence<handle> parts;
        for (int i = 0; i < line.count; ++i) {
            const int there = rank + (i - line.place_of(rank)) * line.step;
            if (common(from.part(there, line.axis), wanted.along(line.axis)).size() > 0)
                parts.push_back(from_line(which + 1, there));
        }
        return parts.size() == 1 ? parts[0] : record_concatenate("reshard", parts, from.type, line.axis);
    }
};

SINTER_INLINE handle fetch(const distributed_ref& v, std::string_view operation, codegen::span<const box> wanted,
                           std::vector<std::string>& moves, bool between_few) {
    const int ranks = v->session->ranks(), rank = v->session->rank();
    auto part = [&](int r) { return part_box(v->shape, v->where, ranks, r); };
    const box mine = part(rank), &own = wanted[static_cast<std::size_t>(rank)];
    runtime::evaluate(v->local.alone(), runtime::policy::request);
    exchange_of_values e(v->session, v->type, v->local->where);
    auto here = [&](const box& of) { return take_box(v->local, shifted_box(of, mine.begin)); };
    for (int r = 0; r < ranks; ++r) {
        if (r == rank) continue;
        const box to = common(mine, wanted[static_cast<std::size_t>(r)]);
        if (is_source(v->where, ranks, rank, r) && to.shape().product() > 0) e.send(r, here(to));
        if (is_source(v->where, ranks, r, rank)) e.expect(r, common(part(r), own).shape());
    }
    std::string boxes = "to";
    for (std::size_t r = 0; r < wanted.size() && v->session->is_checked(); ++r) {
        const std::string begin = to_string(wanted[r].begin);
        boxes += " " + begin + "-" + to_string(wanted[r].end);
    }
    e.run(reason_of(operation, v, boxes), moves, between_few);
    if (own.shape().product() == 0) return record_empty(v->type, own.shape());
    auto piece = [&](int r) { return r == rank ? here(common(part(r), own)) : e.received(r); };
    return joined_box{*v, distributed::mesh_lines(v->where, ranks), own, piece}.from_line(0, rank);
}

// This rank's share of partial results along an axis: the sum of what all ranks have of it, in the order of ranks.
SINTER_INLINE handle reduce_scatter(const distributed_ref& v, const handle& local, int axis, std::string_view operation,
                                    std::vector<std::string>& moves) {
    const int ranks = v->session->ranks();
    const std::int64_t n = local->shape[axis];
    runtime::evaluate(local.alone(), runtime::policy::request);
    const dims share = with_size(local->shape, axis, distributed::part_of(n, ranks, v->session->rank()).size());
    exchange_of_values e(v->session, v->type, local->where);
    for (int r = 0; r < ranks; ++r) {
        e.send(r, take_part(local, axis, distributed::part_of(n, ranks, r)));
        e.expect(r, share);
    }
    e.run(reason_of(operation, v), moves);
    dims all = share;
    all.insert(0, ranks);
    return record_cast(record_reduce(v->where.op, e.received(all), 1, false), v->type);
}

// All parts of an axis behind each other on every rank.
SINTER_INLINE handle gather_axis(const distributed_ref& v, const handle& local, const dims& shape, int axis,
                                 std::string_view operation, std::vector<std::string>& moves) {
    const int ranks = v->session->ranks();
    exchange_of_values e(v->session, v->type, local->where);
    e.send_to_all(local);
    auto size_of = [&](int r) { return distributed::part_of(shape[axis], ranks, r).size(); };
    for (int r = 0; r < ranks; ++r) e.expect(r, with_size(shape, axis, size_of(r)));
    e.run(reason_of(operation, v), moves);
    bool outermost = true;
    for (int i = 0; i < axis; ++i) outermost = outermost && shape[i] == 1;
    if (outermost) return e.received(shape);
    codegen::sequence<handle> parts;
    for (int r = 0; r < ranks; ++r)
        if (size_of(r) > 0) parts.push_back(e.received(r));
    if (parts.empty()) return record_empty(v->type, shape);
    return parts.size() == 1 ? parts[0] : record_concatenate(operation, parts, v->type, axis);
}

// Partial results of elements, combined on every rank: each combines a share, which all gather.
SINTER_INLINE void all_reduce(const distributed_ref& v) {
    const handle flat = record_reshape(v->local, dims(v->shape.product()));
    const handle share = reduce_scatter(v, flat, 0, "all_reduce", v->moves);
    v->local = record_reshape(gather_axis(v, share, flat->shape, 0, "all_reduce", v->moves), v->shape);
    v->where = distributed::replicated();
}

SINTER_INLINE distributed_ref settled(const distributed_ref& v) {
    if (v->where.kind != placement_kind::partial) return v;
    if (v->later && v->later->finish) finish_derived(*v);
    else if (v->waiting) {
        combine_waiting(v->session);
        if (v->waiting)
            throw device_error("[" + std::string(to_string(v->waiting->how.how)) +
                               "] the call that was to combine this result has failed before");
    } else if (v->session->ranks() == 1) v->where = distributed::replicated();
    else all_reduce(v);
    return v;
}

SINTER_INLINE distributed_ref record_reshard(const distributed_ref& v, placement p, std::string_view operation) {
    p = checked(operation, p, v->shape.size(), v->session->ranks());
    if (p == v->where) return v;
    if (p.kind == placement_kind::partial)
        throw value_error("[" + std::string(operation) + "] an array has no parts that add up to it: use replicated " +
                          "or split");
    if (v->session->ranks() == 1) return make_distributed(v->session, v->shape, p, settled(v)->local, v->moves);
    std::vector<std::string> moves = v->moves;
    if (v->where.kind == placement_kind::partial && v->local && p.kind == placement_kind::split) {
        handle share = reduce_scatter(v, v->local, p.axis, operation, moves);
        return make_distributed(v->session, v->shape, p, std::move(share), std::move(moves));
    }
    settled(v);
    moves = v->moves;
    if (p == v->where) return v;
    if (v->where.kind == placement_kind::block_cyclic || p.kind == placement_kind::block_cyclic) {
        handle local = redistribute(v, p, operation, moves);
        return make_distributed(v->session, v->shape, p, std::move(local), std::move(moves));
    }
    if (p.kind == placement_kind::replicated)
        return make_distributed(v->session, v->shape, p, record_gathered(v, operation), v->moves);
    if (v->where.kind == placement_kind::replicated)
        return make_distributed(v->session, v->shape, p, local_operand(v, v->shape, p), std::move(moves));
    const int ranks = v->session->ranks();
    const auto wanted = boxes_of(v, [&](int r, int axis, range) { return part_along(v->shape, p, ranks, r, axis); });
    handle local = fetch(v, operation, wanted, moves, false);
    return make_distributed(v->session, v->shape, p, std::move(local), std::move(moves));
}

SINTER_INLINE handle record_gathered(const distributed_ref& v, std::string_view operation) {
    settled(v);
    if (v->where.kind == placement_kind::replicated || v->session->ranks() == 1) return v->local;
    if (v->where.kind == placement_kind::block_cyclic)
        return redistribute(v, distributed::replicated(), operation, v->moves);
    if (v->where.kind == placement_kind::mesh)
        return fetch(v, operation, boxes_of(v, [](int, int, range whole) { return whole; }), v->moves, false);
    return gather_axis(v, v->local, v->shape, v->where.axis, operation, v->moves);
}

SINTER_INLINE handle local_operand(const distributed_ref& v, const dims& result, const placement& where) {
    handle local = v->local;
    if (v->where == where && v->shape == result) return local;
    for (int axis = 0; axis < result.size(); ++axis) {
        const range mine = part_along(result, where, v->session->ranks(), v->session->rank(), axis);
        const int own = distributed::cut_axis(v->shape, result, axis);
        if (own >= 0 && mine.size() < result[axis] && !splits(v->where, own)) local = take_part(local, own, mine);
    }
    return local;
}

SINTER_IEEE_BEGIN
// Whether a number of this size, which no type makes 0 or infinity, scales elements of all these types.
SINTER_INLINE bool is_factor_of(codegen::span<distributed_ref> operands, double size) {
    double least = 0x1p-1022, most = 0x1p1023;
    for (const distributed_ref& v : operands) {
        if (!v) continue;
        const auto bytes = codegen::size_of(v->type) / (codegen::is_complex(v->type) ? 2 : 1);
        if (bytes <= 4) {
            least = 0x1p-126;
            most = 0x1p127;
        }
        if (bytes < 4) return size >= 0x1p-14 && size <= 0x1p15;
    }
    return size >= least && size <= most;
}
SINTER_IEEE_END

// The first of operands that have parts, where all others, but numbers, lie as it does; else nullptr.
SINTER_INLINE const distributed_value* lie_alike(codegen::span<distributed_ref> operands) {
    const distributed_value* first = nullptr;
    for (const distributed_ref& v : operands) {
        if (!v) continue;
        if (!v->local || v->where.kind == placement_kind::partial) return nullptr;
        if (!first) first = v.get();
        else if (v->shape != first->shape || v->where != first->where) return nullptr;
    }
    return first;
}

SINTER_INLINE distributed::map_plan plan_elements(std::string_view operation, distributed::operation_class c,
                                                  codegen::span<distributed_ref> operands,
                                                  codegen::span<const double> numbers) {
    common_session(operation, operands);
    if (const distributed_value* first = lie_alike(operands)) return {first->shape, first->where, false};
    auto plan = [&] {
        std::vector<distributed::operand_info> infos;
        for (std::size_t i = 0; i < operands.size(); ++i) {
            const distributed_ref& v = operands[i];
            if (v) infos.push_back({v->shape, v->where, codegen::kind_rank(v->type) >= 2});
            else infos.push_back({{}, {}, true, is_factor_of(operands, numbers[i])});
        }
        return distributed::plan_map(operation, c, infos);
    };
    // What waits for other ranks is no part of a sum that could be scaled or added to.
    for (const distributed_ref& v : operands)
        if (v && !v->local) settled(v);
    const distributed::map_plan first = plan();
    if (!first.resolve) return first;
    for (const distributed_ref& v : operands)
        if (v) settled(v);
    return plan();
}

}  // namespace sinter::inline SINTER_ABI::detail
