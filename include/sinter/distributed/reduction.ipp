// Bodies of reduction.hpp.
#pragma once

#include <sinter/array/reading.hpp>
#include <sinter/distributed/reduction.hpp>
#include <sinter/distributed/messages.hpp>
#include <sinter/functions/joining.hpp>
#include <sinter/parts/reduced_blocks.hpp>
#include <sinter/functions/shape_functions.hpp>
#include <sinter/functions/term.hpp>

namespace sinter::inline SINTER_ABI::detail {

using codegen::reduction;

SINTER_INLINE placement reduced_placement(const placement& p, std::uint8_t axes, bool keepdims) {
    if (p.kind != placement_kind::split || keepdims) return p;
    int before = 0;
    for (int i = 0; i < p.axis; ++i) before += axes >> i & 1;
    return distributed::split(p.axis - before);
}

SINTER_INLINE distributed_ref begin_waiting(reduction how, const distributed_ref& v, std::uint8_t axes, bool keepdims) {
    std::vector<range> parts;
    for (int r = 0; r < v->session->ranks(); ++r) parts.push_back(v->part(r));
    auto w = std::make_shared<blocked_reduction>(begin_blocks(how, v->type, v->shape, axes, v->where.axis, parts));
    record_blocks(*w, v->local, v->shape, axes, v->where.axis, static_cast<std::size_t>(v->session->rank()));
    auto result = std::make_shared<distributed_value>(distributed_value{v->session,
                                                                        w->how.result,
                                                                        reduced_shape(v->shape, axes, keepdims),
                                                                        distributed::partial(how),
                                                                        {},
                                                                        w,
                                                                        {},
                                                                        {},
                                                                        v->moves});
    v->session->add_pending(result);
    return result;
}

// What lies in a mesh is brought to a split along one axis first, one that is kept where there is such; results that
// stay split go to all ranks, so that they stand beside what lies in the mesh.
template <class F>
distributed_ref reduce_mesh(const distributed_ref& v, std::string_view name, std::uint8_t axes, F reduce) {
    const distributed_ref flat = record_reshard(v, distributed::split((axes & 1) && !(axes & 2) ? 1 : 0), name);
    const distributed_ref result = reduce(flat);
    return result->where.kind == placement_kind::split ? record_reshard(result, distributed::replicated(), name)
                                                       : result;
}

SINTER_INLINE bool reduces_locally(const distributed_ref& v, std::uint8_t axes) {
    if (v->where.kind == placement_kind::replicated) return true;
    if (v->where.kind != placement_kind::split) return false;
    if (!(axes >> v->where.axis & 1)) return true;
    std::int64_t n = 1;
    for (int i = 0; i < v->shape.size(); ++i) n *= axes >> i & 1 ? v->shape[i] : 1;
    return v->session->ranks() == 1 && distributed::has_blocks(codegen::tree_of(v->shape, axes), n);
}

SINTER_INLINE distributed_ref record_distributed_reduce(reduction how, const distributed_ref& given, std::uint8_t axes,
                                                        bool keepdims) {
    using distributed::action;
    const std::string_view name = to_string(how);
    const dtype type = codegen::operand_type(how, given->type);
    const action first = plan_axes(name, distributed::operation_class::reduce, given->where, axes);
    if (first == action::flatten)
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
    handle local = where.kind == placement_kind::split
                       ? in_order_of(v->shape, axes, v->local, v->where.axis, where.axis, reduce)
                       : reduce(v->local);
    return make_distributed(v->session, shape, where, std::move(local), v->moves);
}

SINTER_INLINE void finish_waiting(distributed_value& v, const char* elements, std::string_view moved) {
    v.local = store(v.waiting->how.result, v.shape, elements);
    v.where = distributed::replicated();
    v.waiting = nullptr;
    add_move(v.moves, std::string(moved));
}

SINTER_INLINE std::string names_of(std::span<const distributed_ref> values) {
    std::string names;
    for (const distributed_ref& v : values)
        names += (names.empty() ? "" : ", ") + std::string(to_string(v->waiting->how.how));
    return names;
}

// All parts on every rank in one message, which each rank combines.
SINTER_INLINE void combine_small(const session_ref& s, std::span<const distributed_ref> values) {
    if (values.empty()) return;
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(s->ranks()));
    std::vector<char> mine;
    for (const distributed_ref& v : values) {
        for (int r = 0; r < s->ranks(); ++r)
            sizes[static_cast<std::size_t>(r)] += block_bytes(*v->waiting, r, v->waiting->rows);
        append_rows(mine, *v->waiting, {0, v->waiting->rows});
    }
    std::string words;
    const std::vector<char> all = s->all_gather(names_of(values), mine, sizes, words);
    std::vector<const char*> at{all.data()};
    for (std::size_t r = 1; r < sizes.size(); ++r) at.push_back(at.back() + sizes[r - 1]);
    for (const distributed_ref& v : values) {
        std::vector<distributed::block_contribution> parts;
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
    e.run(s, name, v.moves);
    std::vector<distributed::block_contribution> parts;
    const char* at = e.in.data();
    for (int r = 0; r < s->ranks(); ++r) parts.push_back(contribution_at(w, r, own.size(), at));
    std::string words;
    const std::vector<char> all = s->all_gather(name, combined_rows(w, parts, own.size()), sizes, words);
    finish_waiting(v, all.data(), words);
}

/// Bytes up to which a reduction's parts go to all ranks.
inline constexpr std::int64_t small_reduction = 1 << 18;

SINTER_INLINE void combine_waiting(const session_ref& s) {
    const std::vector<distributed_ref> all = s->take_pending();
    std::vector<handle> values;
    std::vector<distributed_ref> small, large;
    for (const distributed_ref& v : all) {
        for (const handle* h : {&v->waiting->head, &v->waiting->body, &v->waiting->position, &v->waiting->tail})
            if (*h && (*h)->bytes() > 0) values.push_back(*h);
        std::int64_t bytes = 0;
        for (int r = 0; r < s->ranks(); ++r) bytes += block_bytes(*v->waiting, r, v->waiting->rows);
        (bytes <= small_reduction ? small : large).push_back(v);
    }
    if (!values.empty()) evaluate(values);
    combine_small(s, small);
    for (const distributed_ref& v : large) combine_large(s, *v);
}

SINTER_INLINE distributed_ref record_distributed_first(const distributed_ref& v, std::uint8_t axes, bool keepdims) {
    settled(v);
    if (v->where.kind == placement_kind::mesh)
        return reduce_mesh(v, "first", axes,
                           [&](const distributed_ref& flat) { return record_distributed_first(flat, axes, keepdims); });
    const bool along = v->where.kind == placement_kind::split && (axes >> v->where.axis & 1);
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
    v->session->broadcast("first", bytes, 0, words);
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

SINTER_INLINE distributed_ref record_distributed_scan(reduction how, const distributed_ref& v, int axis) {
    using distributed::action;
    const std::string_view name = codegen::running_name(how);
    const dtype result = codegen::reduce_type(how, v->type), wide = codegen::accumulator_type(how, v->type);
    const auto mask = static_cast<std::uint8_t>(1 << axis);
    if (plan_axes(name, distributed::operation_class::scan, v->where, mask) == action::resolve) settled(v);
    const bool carries = plan_axes(name, distributed::operation_class::scan, v->where, mask) == action::carry;
    if (!carries || v->session->ranks() == 1 || v->shape.product() == 0) {
        const int own = v->where.kind == placement_kind::split ? v->where.axis : 0;
        auto scan = [&](const handle& part) { return record_scan(how, part, axis); };
        return make_distributed(v->session, v->shape, v->where, in_order_of(v->shape, mask, v->local, own, own, scan),
                                v->moves);
    }
    const handle own = record_scan(how, record_cast(v->local, wide), axis);
    const std::int64_t n = v->part().size();
    const dims line = with_size(v->shape, axis, 1);
    std::vector<char> mine;
    if (n > 0) append_elements(mine, record_part(own, axis, n - 1, n));
    std::vector<std::int64_t> sizes;
    for (int r = 0; r < v->session->ranks(); ++r)
        sizes.push_back(v->part(r).size() > 0 ? line.product() * codegen::size_of(own->type) : 0);
    std::string words;
    const std::vector<char> all = v->session->all_gather(name, mine, sizes, words);
    std::vector<std::string> moves = v->moves;
    add_move(moves, words);
    handle sum = own;
    handle before;
    const char* at = all.data();
    for (int r = 0; r < v->session->rank() && n > 0; at += sizes[static_cast<std::size_t>(r++)]) {
        const handle total = store(own->type, line, at);
        before = before ? apply_two(carrying_op(how), before, total) : total;
    }
    if (before) sum = apply_two(carrying_op(how), before, own);
    return make_distributed(v->session, v->shape, v->where, record_cast(sum, result), std::move(moves));
}

}  // namespace sinter::inline SINTER_ABI::detail
