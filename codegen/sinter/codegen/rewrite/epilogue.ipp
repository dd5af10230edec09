// Bodies of epilogue.hpp.
#pragma once

#include <sinter/codegen/rewrite/epilogue.hpp>
#include <sinter/codegen/ops/matrix_stack.hpp>
#include <sinter/codegen/rewrite/rebuild.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

/// State of the pass: a node of the old graph is built from those that its arguments have become.
struct epilogue_folder {
    const graph& g;
    sequence<std::uint32_t> uses;    ///< of the old graph's nodes, by nodes and as roots
    sequence<std::uint32_t> others;  ///< those of them that do not take the value from memory
    sequence<node_id> names;         ///< of the old graph's nodes in the new one
    graph h;

    explicit epilogue_folder(const graph& from)
        : g(from), uses(from.nodes.size(), 0), others(from.nodes.size(), 0), names(from.nodes.size(), no_node) {
        for (std::size_t n = g.nodes.size(); n-- > 0;)
            for (int i = 0; i < static_cast<int>(g.nodes[n].arg_count); ++i) {
                const node_id a = g.arg(static_cast<node_id>(n), i);
                ++uses[a];
                others[a] += !takes_from_memory(static_cast<node_id>(n), i);
            }
        for (node_id r : g.roots) ++uses[r];
    }

    // Whether a node of the old graph, whose own uses are counted, has that argument in memory whatever it is.
    bool takes_from_memory(node_id n, int i) const {
        switch (g.nodes[n].kind) {
            case node_kind::call: return true;
            case node_kind::update:
            case node_kind::gather: return i == 0;
            case node_kind::view:
                return others[n] == 0 && is_contiguous(g.layout_of(n)) &&
                       g.nodes[n].shape.product() == g.nodes[g.arg(n, 0)].shape.product();
            default: return false;
        }
    }

    // Whether a node has become a product that nothing but its only user needs, and what follows can still be part of.
    bool is_open_product(node_id n) const {
        const node& v = h.nodes[names[n]];
        if (uses[n] != 1 || v.kind != node_kind::call) return false;
        const call_info c = h.call_of(names[n]);
        if (!is_product(c.what) || c.last() != activation::none || c.has_factor() || c.in() == precision::tf32x3)
            return false;
        // Sums of nothing are written without the library, which counts in 32 bits here and there.
        constexpr std::int64_t most = 0x7fffffff, most_in_stack = 65535;
        const int rank = v.shape.size();
        const std::int64_t m = v.shape[rank - 2], n_columns = v.shape[rank - 1];
        const dims& left = h.nodes[h.arg(names[n], first_matrix(c.what))].shape;
        const std::int64_t k = left[rank - 1];
        if (!has_one_stride(v.shape, left, h.nodes[h.arg(names[n], first_matrix(c.what) + 1)].shape)) return false;
        if (m == 0 || n_columns == 0 || k == 0 || m > most || n_columns > most || k > most) return false;
        return v.shape.product() / (m * n_columns) <= most_in_stack;
    }

    // Whether a node of the new graph has memory whatever becomes of what reads it.
    bool is_stored(node_id n) const {
        const node_kind k = h.nodes[n].kind;
        return k == node_kind::input || k == node_kind::call || k == node_kind::reduce || k == node_kind::scan ||
               k == node_kind::update;
    }

    // The vector that a node of the new graph repeats in every row of its shape, or no_node.
    node_id vector_of(node_id n) {
        if (h.nodes[n].kind != node_kind::view || !is_stored(h.arg(n, 0))) return no_node;
        const layout l = h.layout_of(n);
        const int last = l.shape.size() - 1;
        for (int i = 0; i < last; ++i)
            if (l.strides[i] != 0 && l.shape[i] > 1) return no_node;
        if (l.strides[last] != 1 && l.shape[last] > 1) return no_node;
        return h.add_view(h.arg(n, 0), {dims(l.shape[last]), dims(std::int64_t{1}), l.offset});
    }

    node_id with_operand(node_id product, call_info c, node_id base, node_id last) {
        const node v = h.nodes[product];
        const int first = first_matrix(h.call_of(product).what);
        sequence<node_id> operands;
        if (base != no_node) operands.push_back(base);
        if (first) operands.push_back(h.arg(product, 0));
        for (int i = first; i < static_cast<int>(v.arg_count); ++i) operands.push_back(h.arg(product, i));
        if (last != no_node) operands.push_back(last);
        return h.add_call(c, operands, v.type, v.shape);
    }

    node_id with_sum(node_id product, node_id other) {
        if (!is_open_product(product)) return no_node;
        const call_info c = h.call_of(names[product]);
        const dtype type = g.nodes[product].type;
        if (c.what != routine::matmul || c.has(call_info::bias)) return no_node;
        if (const node_id bias = type == dtype::float32 ? vector_of(names[other]) : no_node; bias != no_node)
            return with_operand(names[product], c.with(call_info::bias), no_node, bias);
        if (!is_stored(names[other]) || (type != dtype::float32 && type != dtype::float64)) return no_node;
        return with_operand(names[product], {routine::matmul_add, c.in()}, names[other], no_node);
    }

    node_id with_factor(node_id product, node_id number) {
        if (!h.is_scalar_like(names[number]) || !is_open_product(product)) return no_node;
        const call_info c = h.call_of(names[product]);
        const dtype type = g.nodes[product].type;
        if (c.what != routine::matmul || c.has(call_info::bias)) return no_node;
        if (type != dtype::float32 && type != dtype::float64) return no_node;
        return with_operand(names[product], c.with(call_info::factor), no_node, names[number]);
    }

    // Not of a single row or column or of such: cuBLASLt's relu of a product of 2 x 1 and 1 x 4, seen on an H200, makes
    // zero of NaN.
    bool is_product_of_matrices(node_id n, node_id call) const {
        const dims &shape = g.nodes[n].shape, &left = h.nodes[h.arg(call, first_matrix(h.call_of(call).what))].shape;
        return shape[shape.size() - 1] > 1 && shape[shape.size() - 2] > 1 && left[left.size() - 1] > 1;
    }

    node_id built(node_id n, span<const node_id> args) {
        const node& v = g.nodes[n];
        if (v.kind == node_kind::apply && (v.operation == op::add || (v.operation == op::multiply && others[n] == 0))) {
            auto with = [&](int product, int other) {
                const node_id p = g.arg(n, product), o = g.arg(n, other);
                return v.operation == op::add ? with_sum(p, o) : with_factor(p, o);
            };
            node_id r = with(0, 1);
            if (r == no_node) r = with(1, 0);
            if (r != no_node) return r;
        }
        const activation last = v.kind == node_kind::apply ? activation_of(v.operation) : activation::none;
        if (last != activation::none && is_open_product(g.arg(n, 0)) && is_product_of_matrices(n, args[0]))
            if (const call_info c = h.call_of(args[0]); has_call(last, c.in(), v.type))
                return with_operand(args[0], c.with(last), no_node, no_node);
        return copied(g, n, h, args);
    }

    graph run() {
        sequence<node_id> args;
        for (node_id n = 0; n < g.nodes.size(); ++n) {
            args.clear();
            for (node_id a : g.args(n)) args.push_back(names[a]);
            h.adds_fast = g.nodes[n].fast;
            names[n] = built(n, args);
        }
        h.adds_fast = false;
        for (node_id r : g.roots) h.roots.push_back(names[r]);
        return rebuilt(h, copied);
    }
};

SINTER_INLINE graph fold_epilogues(const graph& g) {
    bool any = false;
    for (node_id n = 0; n < g.nodes.size(); ++n)
        any = any || (g.nodes[n].kind == node_kind::call && is_product(g.call_of(n).what));
    return any ? epilogue_folder(g).run() : g;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
