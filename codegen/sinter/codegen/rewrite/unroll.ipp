// Bodies of unroll.hpp.
#pragma once

#include <sinter/codegen/graph/reduce_tree.hpp>
#include <sinter/codegen/rewrite/rebuild.hpp>
#include <sinter/codegen/rewrite/unroll.hpp>

#include <algorithm>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// Operations of a term, of which more would be kernels that take long to compile; and terms, at most.
inline constexpr int most_unrolled_nodes = 16, most_unrolled_terms = 8;

// Whether a view repeats its elements along an axis that remains.
SINTER_INLINE bool repeats(const layout& l, std::uint8_t reduced) {
    for (int i = 0; i < l.shape.size(); ++i)
        if (!(reduced >> i & 1) && l.shape[i] > 1 && l.strides[i] == 0) return true;
    return false;
}

// Whether a node is computed from operands that repeat, by at most so many more operations.
SINTER_INLINE bool is_outer_product(const graph& h, node_id id, std::uint8_t reduced, int& operations) {
    if (h.is_scalar_like(id)) return true;
    if (h.nodes[id].kind == node_kind::view) return repeats(h.layout_of(id), reduced);
    if (h.nodes[id].kind != node_kind::apply || --operations < 0) return false;
    for (node_id a : h.args(id))
        if (!is_outer_product(h, a, reduced, operations)) return false;
    return true;
}

// The elements of a node at a place along the reduced axes, as a node of the other axes.
SINTER_INLINE node_id slice_of(graph& h, node_id id, const layout& where) {
    if (h.is_scalar_like(id)) return id;
    if (h.nodes[id].kind == node_kind::view) {
        const auto both = composed(h.layout_of(id), where);
        return both ? h.add_view(h.arg(id, 0), *both) : h.add_view(id, where);
    }
    const node of = h.nodes[id];
    node_id args[3];
    for (std::uint32_t i = 0; i < of.arg_count; ++i) args[i] = slice_of(h, h.arg(id, static_cast<int>(i)), where);
    const bool fast = h.adds_fast;
    h.adds_fast = of.fast;
    const node_id r = of.operation == op::cast ? h.add_cast(args[0], of.type)
                                               : h.add_apply(of.operation, {args, of.arg_count}, where.shape);
    h.adds_fast = fast;
    return r;
}

// Where the elements with a number along the reduced axes lie among all.
SINTER_INLINE layout place_of(const dims& shape, std::uint8_t reduced, std::int64_t number) {
    const dims strides = contiguous_strides(shape);
    layout at;
    for (int i = shape.size() - 1; i >= 0; --i) {
        if (!(reduced >> i & 1)) continue;
        at.offset += number % shape[i] * strides[i];
        number /= shape[i];
    }
    for (int i = 0; i < shape.size(); ++i) {
        if (reduced >> i & 1) continue;
        at.shape.push_back(shape[i]);
        at.strides.push_back(strides[i]);
    }
    return at;
}

SINTER_INLINE std::int64_t reduced_count(const graph& g, node_id operand, std::uint8_t axes) {
    const dims& shape = g.nodes[operand].shape;
    std::int64_t count = 1;
    for (int i = 0; i < shape.size(); ++i)
        if (axes >> i & 1) count *= shape[i];
    return count;
}

SINTER_INLINE bool may_unroll_sum(const graph& g, node_id operand, const reduce_info& how, int most) {
    const std::int64_t count = reduced_count(g, operand, how.axes);
    int operations = most_unrolled_nodes;
    return how.how == reduction::sum && count > 1 && count <= std::min(most, most_unrolled_terms) &&
           g.nodes[operand].shape.product() > 0 && g.nodes[operand].kind == node_kind::apply &&
           is_outer_product(g, operand, how.axes, operations);
}

SINTER_INLINE node_id unrolled_sum(graph& h, node_id operand, const reduce_info& how) {
    const dims shape = h.nodes[operand].shape, kept = kept_shape(shape, how.axes);
    const dtype type = h.nodes[operand].type, wide = accumulator_type(how.how, type);
    const std::int64_t count = reduced_count(h, operand, how.axes);
    node_id terms[most_unrolled_terms];
    for (std::int64_t k = 0; k < count; ++k)
        terms[k] = h.add_cast(slice_of(h, operand, place_of(shape, how.axes, k)), wide);
    const auto add = [&](node_id& x, node_id y) {
        const node_id both[2] = {x, y};
        x = h.add_apply(op::add, both, kept);
    };
    combine_in_block(tree_of(shape, how.axes), terms, count, add);
    if (ends_with_identity(how.how, type)) {
        scalar_value zero;
        zero.type = wide;
        add(terms[0], h.add_literal(zero));
    }
    return h.add_cast(terms[0], reduce_type(how.how, type));
}

SINTER_INLINE graph unroll_sums(graph g, int most) {
    bool unrolls = false;
    for (node_id n = 0; n < g.nodes.size() && !unrolls; ++n)
        unrolls = g.nodes[n].kind == node_kind::reduce &&
                  may_unroll_sum(g, g.arg(n, 0), g.reduce_infos[g.nodes[n].payload], most);
    if (!unrolls) return g;
    const graph h = rebuilt(g, [&](const graph& from, node_id id, graph& to, span<const node_id> args) {
        const node& n = from.nodes[id];
        if (n.kind != node_kind::reduce) return copied(from, id, to, args);
        const reduce_info& how = from.reduce_infos[n.payload];
        return may_unroll_sum(to, args[0], how, most) ? unrolled_sum(to, args[0], how) : copied(from, id, to, args);
    });
    return rebuilt(h, copied);
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
