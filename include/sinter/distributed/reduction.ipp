// Bodies of reduction.hpp.
#pragma once

#include <sinter/array/reading.hpp>
#include <sinter/distributed/reduction.hpp>
#include <sinter/distributed/messages.hpp>
#include <sinter/functions/joining.hpp>
#include <sinter/functions/reductions.hpp>
#include <sinter/parts/reduced_blocks.hpp>
#include <sinter/functions/shape_functions.hpp>
#include <sinter/functions/term.hpp>

namespace sinter::inline SINTER_ABI::detail {

using codegen::reduction;

SINTER_INLINE placement reduced_placement(const placement& p, std::uint8_t axes, bool keepdims) {
    return renamed(p, [&](int axis) {
        int before = 0;
        for (int i = 0; i < axis; ++i) before += axes >> i & 1;
        return keepdims ? axis : axis - before;
    });
}

SINTER_INLINE distributed_ref begin_waiting(reduction how, const distributed_ref& v, std::uint8_t axes, bool keepdims) {
    codegen::sequence<range> parts;
    for (int r = 0; r < v->session->ranks(); ++r) parts.push_back(v->part(r, v->where.axis));
    auto w = std::make_shared<blocked_reduction>(begin_blocks(how, v->type, v->shape, axes, v->where.axis, parts));
    record_blocks(*w, v->local, v->shape, axes, v->where.axis, static_cast<std::size_t>(v->session->rank()));
    distributed_ref result =
        make_distributed(v->session, w->how.result, reduced_shape(v->shape, axes, keepdims), distributed::partial(how));
    result->waiting = std::move(w);
    result->moves = v->moves;
    result->later = std::make_unique<postponed_result>();
    if (v->session->is_checked()) {
        dims over;
        for (int i = 0; i < v->shape.size(); ++i)
            if (axes >> i & 1) over.push_back(i);
        result->later->subject = reason_of(to_string(how), v, "along " + to_string(over)).subject;
    }
    v->session->add_pending(result);
    return result;
}

// What lies in a mesh is brought to a split along one axis first, one that is kept where there is such; results that
// stay split go to all ranks, so that they stand beside what lies in the mesh.
template <class F>
distributed_ref reduce_mesh(const distributed_ref& v, std::string_view name, std::uint8_t axes, F reduce) {
    int kept = 0;
    while (kept < v->shape.size() && (axes >> kept & 1)) ++kept;
    const distributed_ref flat = record_reshard(v, distributed::split(kept < v->shape.size() ? kept : 0), name);
    const distributed_ref result = reduce(flat);
    return result->where.kind == placement_kind::split ? record_reshard(result, distributed::replicated(), name)
                                                       : result;
}

// Whether ranks have different elements of one of the axes.
SINTER_INLINE bool is_split_along(const distributed_ref& v, std::uint8_t axes) {
    for (int i = 0; i < v->shape.size(); ++i)
        if ((axes >> i & 1) && splits(v->where, i)) return true;
    return false;
}

SINTER_INLINE bool reduces_locally(const distributed_ref& v, std::uint8_t axes) {
    if (v->where.kind == placement_kind::partial || v->where.kind == placement_kind::block_cyclic) return false;
    if (!is_split_along(v, axes)) return true;
    std::int64_t n = 1;
    for (int i = 0; i < v->shape.size(); ++i) n *= axes >> i & 1 ? v->shape[i] : 1;
    return v->where.kind == placement_kind::split && v->session->ranks() == 1 &&
           distributed::has_blocks(codegen::tree_of(v->shape, axes), n);
}

SINTER_INLINE int axes_of_one_rank(const distributed_ref& v, const axes& a) {
    if (v->session->ranks() != 1) return -1;
    const std::uint8_t mask = a.mask(a.name_or("reduce"), v->shape.size());
    return reduces_locally(v, mask) ? mask : -1;
}

SINTER_INLINE distributed_ref make_reduced(const distributed_ref& v, int axes, bool keepdims, handle reduced) {
    const auto mask = static_cast<std::uint8_t>(axes);
    const placement where =
        is_split_along(v, mask) ? distributed::replicated() : reduced_placement(v->where, mask, keepdims);
    distributed_ref made = make_distributed(v->session, reduced->type, reduced->shape, where);
    made->local = std::move(reduced);
    if (!v->moves.empty()) made->moves = v->moves;
    return made;
}

SINTER_INLINE distributed_ref record_distributed_reduce(reduction how, const distributed_ref& given, std::uint8_t axes,
                                                        bool keepdims) {
    using distributed::action;
    const std::string_view name = to_string(how);
    const dtype type = codegen::operand_type(how, given->type);
    const action first = plan_axes(name, distributed::operation_class::reduce, given->where, axes);
    if (first == action::combine && given->where.kind == placement_kind::mesh)
        return reduce_mesh(given, name, axes, [&](const distributed_ref& flat) {
            return record_distributed_reduce(how, flat, axes, keepdims);
        });
    if (first == action::resolve) settled(given);
    distributed_ref v = given;
    const dims shape = reduced_shape(v->shape, axes, keepdims);
    if (plan_axes(name, distributed::operation_class::reduce, v->where, axes) == action::combine) {
        const bool empty = v->shape.product() == 0;
        if (!empty && !reduces_locally(v, axes)) {
            // Numbers of elements run over the outermost reduced axis last: its parts are the parts of the order.
            const int outer = outermost_reduced(v->shape, axes);
            if (outer >= 0 && outer != v->where.axis) v = record_reshard(v, distributed::split(outer), name);
            v = make_distributed(v->session, v->shape, v->where, record_cast(v->local, type), v->moves);
            return begin_waiting(how, v, axes, keepdims);
        }
        // Without elements the shape alone matters.
        const handle all = empty ? record_empty(v->type, v->shape) : v->local;
        return make_distributed(v->session, shape, distributed::replicated(),
                                record_reduce(how, record_cast(all, type), axes, keepdims), v->moves);
    }
    const placement where = reduced_placement(v->where, axes, keepdims);
    auto reduce = [&](const handle& part) { return record_reduce(how, record_cast(part, type), axes, keepdims); };
    handle local = in_order_of(v->shape, axes, keepdims, v->local, reduce);
    return make_distributed(v->session, shape, where, std::move(local), v->moves);
}

SINTER_INLINE void finish_waiting(distributed_value& v, const char* elements, std::string_view moved) {
    v.local = store(v.waiting->how.result, v.shape, elements);
    v.where = distributed::replicated();
    v.waiting = nullptr;
    v.later = nullptr;
    add_move(v.moves, std::string(moved));
}

SINTER_INLINE std::string names_of(codegen::span<const distributed_ref> values) {
    std::string names;
    for (const distributed_ref& v : values)
        names += (names.empty() ? "" : ", ") + std::string(to_string(v->waiting->how.how));
    return names;
}

SINTER_INLINE std::string subjects_of(codegen::span<const distributed_ref> values) {
    std::string subjects;
    for (const distributed_ref& v : values) subjects += (subjects.empty() ? "" : ", ") + v->later->subject;
    return subjects;
}

// All parts on every rank in one message, which each rank combines.
SINTER_INLINE void combine_small(const session_ref& s, codegen::span<const distributed_ref> values) {
    if (values.empty()) return;
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(s->ranks()));
    std::vector<char> mine;
    for (const distributed_ref& v : values) {
        for (int r = 0; r < s->ranks(); ++r)
            sizes[static_cast<std::size_t>(r)] += block_bytes(*v->waiting, r, v->waiting->rows);
        append_rows(mine, *v->waiting, {0, v->waiting->rows});
    }
    std::string words;
    const std::string names = names_of(values);
    const std::vector<char> all = s->all_gather({names, subjects_of(values)}, mine, sizes, words);
    std::vector<const char*> at{all.data()};
    for (std::size_t r = 1; r < sizes.size(); ++r) at.push_back(at.back() + sizes[r - 1]);
    for (const distributed_ref& v : values) {
        codegen::sequence<distributed::block_contribution> parts;
        for (int r = 0; r < s->ranks(); ++r)
            parts.push_back(contribution_at(*v->waiting, r, v->waiting->rows, at[static_cast<std::size_t>(r)]));
        finish_waiting(*v, combined_rows(*v->waiting, parts, v->waiting->rows).data(), words);
    }
}

// Each rank combines a share of the rows, which all gather.
SINTER_INLINE void combine_large(const session_ref& s, distributed_value& v) {
    const blocked_reduction& w = *v.waiting;
    const std::string_view name = to_string(w.how.how);
    const range own = distributed::part_of(w.rows, s->ranks(), s->rank());
    exchange_of_ranks e(s->ranks());
    std::vector<std::int64_t> sizes;
    for (int r = 0; r < s->ranks(); ++r) {
        const range share = distributed::part_of(w.rows, s->ranks(), r);
        const std::size_t before = e.out.size();
        append_rows(e.out, w, share);
        e.out_sizes[static_cast<std::size_t>(r)] = static_cast<std::int64_t>(e.out.size() - before);
        e.in_sizes[static_cast<std::size_t>(r)] = block_bytes(w, r, own.size());
        sizes.push_back(share.size() * codegen::size_of(w.how.result));
    }
    e.run(s, {name, v.later->subject}, v.moves);
    codegen::sequence<distributed::block_contribution> parts;
    const char* at = e.in.data();
    for (int r = 0; r < s->ranks(); ++r) parts.push_back(contribution_at(w, r, own.size(), at));
    std::string words;
    const std::vector<char> all =
        s->all_gather({name, v.later->subject}, combined_rows(w, parts, own.size()), sizes, words);
    finish_waiting(v, all.data(), words);
}

SINTER_INLINE std::int64_t bytes_of_all(const distributed_value& v) {
    std::int64_t bytes = 0;
    for (int r = 0; r < v.session->ranks(); ++r) bytes += block_bytes(*v.waiting, r, v.waiting->rows);
    return bytes;
}

// Blocks of which several ranks have items are completed by one of them, all by the same message.
SINTER_INLINE void complete_borders(const session_ref& s, codegen::span<const distributed_ref> values) {
    const auto own = static_cast<std::size_t>(s->rank());
    exchange_of_ranks e(s->ranks());
    codegen::sequence<codegen::sequence<distributed::block_step>> steps;
    for (const distributed_ref& v : values) steps.push_back(steps_of(*v->waiting));
    bool is_any = false;
    for (int r = 0; r < s->ranks(); ++r)
        for (std::size_t i = 0; i < values.size(); ++i) {
            blocked_reduction& w = *values[i]->waiting;
            const distributed::block_step &mine = steps[i][own], &other = steps[i][static_cast<std::size_t>(r)];
            is_any = is_any || other.to >= 0;
            if (other.to == s->rank()) e.in_sizes[static_cast<std::size_t>(r)] += passed_bytes(w, other);
            if (mine.to != r) continue;
            e.out_sizes[static_cast<std::size_t>(r)] += passed_bytes(w, mine);
            pass_on(e.out, w, mine, own);
        }
    std::vector<std::string> moves;
    if (is_any) e.run(s, {names_of(values), subjects_of(values)}, moves, true);
    codegen::sequence<codegen::sequence<distributed::block_contribution>> passed(values.size());
    const char* at = e.in.data();
    for (std::size_t r = 0; r < own; ++r)
        for (std::size_t i = 0; i < values.size(); ++i)
            if (steps[i][r].to == s->rank()) passed[i].push_back(passed_at(*values[i]->waiting, steps[i][r], at));
    for (std::size_t i = 0; i < values.size(); ++i) {
        take_step(*values[i]->waiting, steps[i], own, std::move(passed[i]));
        for (const std::string& words : moves) add_move(values[i]->moves, words);
    }
}

/// Bytes up to which a reduction's parts go to all ranks as they are, and as far as its blocks are completed.
inline constexpr std::int64_t smallest_completed = 1 << 14, small_reduction = 1 << 18;

// Of few long rows blocks are completed where most of their elements are, and groups of blocks after them, until what
// all ranks get is little; of many rows each rank combines some instead.
SINTER_INLINE void complete_long_rows(const session_ref& s, codegen::span<const distributed_ref> values) {
    auto are_long = [&](bool is_whole) {
        std::vector<distributed_ref> all;
        for (const distributed_ref& v : values) {
            const blocked_reduction& w = *v->waiting;
            const std::int64_t bytes = bytes_of_all(*v);
            const bool is_shared_by_rows = w.rows >= s->ranks() && bytes > small_reduction;
            if (bytes > smallest_completed && !is_shared_by_rows && w.is_whole == is_whole) all.push_back(v);
        }
        return all;
    };
    for (const bool is_whole : {false, true})
        if (const auto some = are_long(is_whole); !some.empty()) complete_borders(s, some);
}

SINTER_INLINE void combine_waiting(const session_ref& s) {
    const std::vector<distributed_ref> all = s->take_pending();
    codegen::sequence<handle> values;
    for (const distributed_ref& v : all)
        for (const handle* h : {&v->waiting->head, &v->waiting->body, &v->waiting->position, &v->waiting->tail})
            if (*h && (*h)->bytes() > 0) values.push_back(*h);
    if (!values.empty()) evaluate(values);
    if (s->ranks() > 1) complete_long_rows(s, all);
    std::vector<distributed_ref> small, large;
    for (const distributed_ref& v : all) (bytes_of_all(*v) <= small_reduction ? small : large).push_back(v);
    combine_small(s, small);
    for (const distributed_ref& v : large) combine_large(s, *v);
}

SINTER_INLINE distributed_ref record_distributed_first(const distributed_ref& v, std::uint8_t axes, bool keepdims) {
    settled(v);
    const bool along = is_split_along(v, axes);
    if (along && v->where.kind == placement_kind::mesh)
        return reduce_mesh(v, "first", axes,
                           [&](const distributed_ref& flat) { return record_distributed_first(flat, axes, keepdims); });
    const placement where = along ? distributed::replicated() : reduced_placement(v->where, axes, keepdims);
    const dims shape = reduced_shape(v->shape, axes, keepdims);
    const handle wide = record_cast(v->local, codegen::operand_type(reduction::first, v->type));
    if (!along || v->session->ranks() == 1)
        return make_distributed(v->session, shape, where, record_reduce(reduction::first, wide, axes, keepdims),
                                v->moves);
    std::vector<char> bytes(static_cast<std::size_t>(shape.product() * codegen::size_of(dtype::float64)));
    if (v->session->rank() == 0 && !bytes.empty())
        read(record_reduce(reduction::first, wide, axes, keepdims), bytes.data());
    std::string words;
    v->session->broadcast(reason_of("first", v), bytes, 0, words);
    std::vector<std::string> moves = v->moves;
    add_move(moves, words);
    return make_distributed(v->session, shape, where, store(dtype::float64, shape, bytes.data()), std::move(moves));
}

SINTER_INLINE codegen::op carrying_op(reduction how) {
    using codegen::op;
    switch (how) {
        case reduction::sum: return op::add;
        case reduction::prod: return op::multiply;
        case reduction::min: return op::minimum;
        default: return op::maximum;
    }
}

// The last elements along a split axis of what ranks before this one have, in order. Where all ranks stand in one line
// they have the same message for all; in a mesh each line has its own.
SINTER_INLINE codegen::sequence<handle> totals_before(const distributed_ref& v, std::string_view name,
                                                      const handle& own, int axis, std::vector<std::string>& moves) {
    const int ranks = v->session->ranks(), rank = v->session->rank();
    const distributed::mesh_line line = distributed::mesh_lines(v->where, ranks).along(axis);
    const dims shape = with_size(own->shape, axis, 1);
    const std::int64_t n = own->shape[axis];
    auto bytes_of = [&](int r) {
        return v->part(r, axis).size() > 0 ? shape.product() * codegen::size_of(own->type) : 0;
    };
    const handle last = n > 0 ? record_part(own, axis, n - 1, n) : handle();
    std::vector<char> all;
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(ranks));
    if (line.count == ranks) {
        for (int r = 0; r < ranks; ++r) sizes[static_cast<std::size_t>(r)] = bytes_of(r);
        std::vector<char> mine;
        if (last) append_elements(mine, last);
        std::string words;
        all = v->session->all_gather(reason_of(name, v), mine, sizes, words);
        add_move(moves, words);
    } else {
        exchange_of_ranks e(ranks);
        for (int i = line.place_of(rank) + 1; i < line.count && last; ++i)
            e.send(rank + (i - line.place_of(rank)) * line.step, last);
        for (int i = 0; i < line.place_of(rank); ++i) {
            const int there = rank + (i - line.place_of(rank)) * line.step;
            e.in_sizes[static_cast<std::size_t>(there)] = bytes_of(there);
        }
        e.run(v->session, reason_of(name, v), moves, true);
        all = std::move(e.in);
        sizes = e.in_sizes;
    }
    codegen::sequence<handle> totals;
    const char* at = all.data();
    for (int r = 0; r < rank && n > 0; at += sizes[static_cast<std::size_t>(r++)])
        if (sizes[static_cast<std::size_t>(r)] > 0) totals.push_back(store(own->type, shape, at));
    return totals;
}

// The running reduction without what is mended of products.
SINTER_INLINE distributed_ref scan_distributed(reduction how, const distributed_ref& v, int axis) {
    using distributed::action;
    const std::string_view name = codegen::running_name(how);
    const dtype result = codegen::reduce_type(how, v->type), wide = codegen::accumulator_type(how, v->type);
    const auto mask = static_cast<std::uint8_t>(1 << axis);
    if (plan_axes(name, distributed::operation_class::scan, v->where, mask) == action::resolve) settled(v);
    const bool carries = plan_axes(name, distributed::operation_class::scan, v->where, mask) == action::carry;
    if (!carries || v->session->ranks() == 1 || v->shape.product() == 0) {
        auto scan = [&](const handle& part) { return record_scan(how, part, axis); };
        return make_distributed(v->session, v->shape, v->where, in_order_of(v->shape, mask, true, v->local, scan),
                                v->moves);
    }
    handle sum = record_scan(how, record_cast(v->local, wide), axis);
    std::vector<std::string> moves = v->moves;
    handle before;
    for (const handle& total : totals_before(v, name, sum, axis, moves))
        before = before ? apply_two(carrying_op(how), before, total) : total;
    if (before) sum = apply_two(carrying_op(how), before, sum);
    const handle rounded = record_cast(record_cast(sum, codegen::widened(result)), result);
    return make_distributed(v->session, v->shape, v->where, rounded, std::move(moves));
}

SINTER_INLINE distributed_ref record_distributed_scan(reduction how, const distributed_ref& v, int axis) {
    distributed_ref run = scan_distributed(how, v, axis);
    if (how != reduction::prod || codegen::kind_rank(v->type) < 2) return run;
    const distributed_ref factors = make_distributed(v->session, v->shape, v->where, record_signs(v->local), v->moves);
    const distributed_ref signs = scan_distributed(how, factors, axis);
    return make_distributed(v->session, v->shape, v->where, record_zero_of_overflow(run->local, signs->local),
                            moves_of(std::vector{run, signs}));
}

}  // namespace sinter::inline SINTER_ABI::detail
