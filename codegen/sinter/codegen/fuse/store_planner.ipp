// Bodies of store_planner.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/fuse/library_layouts.hpp>
#include <sinter/codegen/fuse/store_planner.hpp>
#include <sinter/codegen/ops/fourier.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/ops/matrix_stack.hpp>

#include <algorithm>
#include <cstdlib>

SINTER_COLD_BEGIN

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* fast_math_words = "fast math";

SINTER_INLINE store_planner::store_planner(const graph& g, const sequence<bool>& consumable,
                                           const fusion_limits& limits)
    : g_(g), consumable_(consumable), limits_(limits) {
    std::size_t n = g.nodes.size();
    d_.stored.assign(n, 0);
    d_.slot_of.assign(n, decisions::no_slot);
    users_.resize(n);
    is_root_.assign(n, 0);
    why_stored_.assign(n, store_reason::asked);
    forced_.assign(n, 0);
    transposed_.assign(n, 0);
    apart_.assign(n, 0);
    follows_.assign(n, 0);
    for (node_id i = 0; i < n; ++i)
        for (node_id a : g.args(i))
            if (users_[a].empty() || users_[a].back() != i) users_[a].push_back(i);
    for (node_id r : g.roots) {
        is_root_[r] = 1;
        if (g.nodes[r].kind == node_kind::view) is_root_[g.arg(r, 0)] = 1;
    }
}

SINTER_INLINE void store_planner::require_stored(node_id n, store_reason why) {
    if (g_.nodes[n].kind != node_kind::input) d_.stored[n] = 1;
    if (why_stored_[n] == store_reason::asked) why_stored_[n] = why;
}

// Needs memory, but a view of memory will do.
SINTER_INLINE void store_planner::require_place(node_id n, store_reason why) {
    if (g_.nodes[n].kind != node_kind::view) return require_stored(n, why);
    const node_id base = g_.arg(n, 0);
    if (is_memory(base)) return;
    // What is only reshaped is stored as it is, or it might have to be stored to be copied.
    const bool reshapes = !g_.is_scalar_like(base) && is_contiguous(g_.layout_of(n)) &&
                          g_.nodes[n].shape.product() == g_.nodes[base].shape.product();
    require_stored(reshapes ? base : n, why);
}

SINTER_INLINE void store_planner::choose_stored() {
    for (node_id r : g_.roots)
        if (g_.nodes[r].kind != node_kind::view) require_stored(r, store_reason::asked);
    for (node_id n = 0; n < g_.nodes.size(); ++n) part_from_exact(n);
    for (node_id n = 0; n < g_.nodes.size(); ++n) switch (g_.nodes[n].kind) {
            case node_kind::reduce: store_across(n); [[fallthrough]];
            case node_kind::scan:
            case node_kind::select: require_stored(n, store_reason::result); break;
            case node_kind::gather: require_place(g_.arg(n, 0), store_reason::indexed); break;
            case node_kind::invoke:
                set_apart(n);
                for (std::uint32_t i = 0; i < g_.nodes[n].arg_count; ++i)
                    if (g_.invocation_of(n).is_whole(i))
                        require_stored(g_.unshaped(g_.arg(n, static_cast<int>(i))), store_reason::indexed);
                break;
            case node_kind::update:
                require_stored(n, store_reason::result);
                if (g_.nodes[g_.arg(n, 0)].kind != node_kind::empty)
                    require_stored(g_.arg(n, 0), store_reason::operand);
                break;
            case node_kind::call:
                require_stored(n, store_reason::result);
                if (changes_base(n) && info(g_.call_of(n).what).base != base_use::either)
                    require_stored(g_.arg(n, 0), store_reason::operand);
                for (int i = 0; i < static_cast<int>(g_.nodes[n].arg_count); ++i) {
                    if (is_number(n, i)) continue;
                    if (is_taken_as_it_is(n, i)) require_place(g_.arg(n, i), store_reason::operand);
                    else require_stored(g_.arg(n, i), store_reason::operand);
                }
                break;
            default: break;
        }
    weigh_recomputation();
}

// Whether what a reduction combines, element by element, reads memory across the reduction's order, and what tiles can
// turn: along a reduced axis, or beside something that lies straight.
SINTER_INLINE bool store_planner::reads_across(node_id from, std::uint8_t axes) const {
    constexpr std::size_t most = 64;
    struct reading {
        node_id node;
        layout at;
    };
    bool across = false, reduced = false, straight = false;
    sequence<reading> seen{{from, contiguous(g_.nodes[from].shape)}};
    for (std::size_t i = 0; i < seen.size() && seen.size() <= most; ++i) {
        const auto [n, at] = seen[i];
        const bool is_view = g_.nodes[n].kind == node_kind::view;
        if (!d_.stored[n] && (is_view || g_.is_elementwise(n))) {
            const std::optional<layout> through = is_view ? composed(g_.layout_of(n), at) : at;
            for (node_id a : g_.args(n)) {
                const auto is_same = [&](const reading& x) { return x.node == a && x.at == *through; };
                if (through && !g_.is_scalar_like(a) && codegen::none_of(seen.begin(), seen.end(), is_same))
                    seen.push_back({a, *through});
            }
            continue;
        }
        // What is repeated comes from a cache, and is less than what would be stored.
        if (!is_memory(n) || !has_own_places(at)) continue;
        straight = straight || at.strides.back() == 1;
        if (!lies_across(at, limits_.family.least_transposed)) continue;
        across = true;
        for (int d = 0; d + 1 < at.shape.size(); ++d)
            reduced = reduced || (at.shape[d] > 1 && std::abs(at.strides[d]) == 1 && (axes >> d & 1));
    }
    return across && (reduced || straight);
}

// What a large reduction along rows reads across them goes through memory, by a map that transposes it in tiles: of
// operations of one operand, what they begin with.
SINTER_INLINE void store_planner::store_across(node_id reduce) {
    const std::uint8_t axes = g_.reduce_infos[g_.nodes[reduce].payload].axes;
    node_id from = g_.arg(reduce, 0);
    const dims& shape = g_.nodes[from].shape;
    if (shape.size() < 2 || shape.product() < limits_.family.least_turned) return;
    if (tree_of(shape, axes) != reduce_tree::rows || !reads_across(from, axes)) return;
    while (g_.nodes[from].kind == node_kind::apply && g_.nodes[from].arg_count == 1) {
        const node& operand = g_.nodes[g_.arg(from, 0)];
        if (operand.shape != shape || size_of(operand.type) > size_of(g_.nodes[from].type)) break;
        from = g_.arg(from, 0);
    }
    require_stored(from, store_reason::across);
    transposed_[from] = 1;
}

// What is compiled with options of its own shares no kernel with other arithmetic, whose bits they might change; and
// text around a loop is for the elements of one call.
SINTER_INLINE void store_planner::set_apart(node_id n) {
    const invocation& called = g_.invocation_of(n);
    std::string options = lines_of(options_of(*called.function));
    if (called.function->is_loop) {
        options += joined({"loop ", called.number});
        for (node_id a : g_.args(n)) options += joined({" ", a});
    }
    if (options.empty()) return;
    set_apart(n, options + (g_.nodes[n].fast ? fast_math_words : ""));
    require_stored(n, store_reason::options);
    for (node_id a : g_.args(n))
        if (!g_.is_scalar_like(a) && g_.nodes[a].kind != node_kind::index) require_place(a, store_reason::options);
}

SINTER_INLINE void store_planner::set_apart(node_id n, const std::string& options) {
    std::size_t number = 0;
    while (number < options_.size() && options_[number] != options) ++number;
    if (number == options_.size()) options_.push_back(options);
    apart_[n] = static_cast<std::uint32_t>(number + 1);
}

// What may be computed by fast functions shares kernels with nothing else, whose bits they would change: memory is
// between both.
SINTER_INLINE void store_planner::part_from_exact(node_id n) {
    const node& v = g_.nodes[n];
    if (v.fast) set_apart(n, fast_math_words);
    if (v.kind == node_kind::view && !is_root_[n]) return;
    for (node_id a : g_.args(n)) {
        node_id from = a;
        while (g_.nodes[from].kind == node_kind::view) from = g_.arg(from, 0);
        if (g_.nodes[from].fast == v.fast) continue;
        if (g_.nodes[from].fast) require_stored(from, store_reason::fast_math);
        else if (g_.is_inlined(from)) require_place(a, store_reason::fast_math);
    }
}

SINTER_INLINE bool store_planner::is_listed(node_id product) const {
    const int first = first_matrix(g_.call_of(product).what);
    const dims &a = g_.nodes[g_.arg(product, first)].shape, &b = g_.nodes[g_.arg(product, first + 1)].shape;
    return !has_one_stride(g_.nodes[product].shape, a, b);
}

// Whether a call reads an operand that is a view where it lies.
SINTER_INLINE bool store_planner::is_taken_as_it_is(node_id call, int operand) const {
    const node_id view = g_.arg(call, operand);
    if (g_.nodes[view].kind != node_kind::view) return false;
    const call_info c = g_.call_of(call);
    const layout& l = g_.layout_of(view);
    const int matrix = operand - first_matrix(c.what);
    if (is_product(c.what) && (matrix == 0 || matrix == 1))
        return is_listed(call) ? is_listed_layout(l, alignment_in_list(g_.nodes[view].type, c.in()))
                               : is_matrix_layout(l);
    if (c.what == routine::contract) return is_strided_layout(l);
    return is_fourier(c.what) ? find_transform(c, g_.nodes[view].type, l).has_value() : is_row_major(l);
}

SINTER_INLINE void store_planner::weigh_recomputation() {
    sequence<double> cost(g_.nodes.size(), 0);
    for (node_id n = 0; n < g_.nodes.size(); ++n) {
        const node& v = g_.nodes[n];
        if (is_memory(n)) continue;
        for (node_id a : g_.args(n)) cost[n] += cost[a];
        if (v.kind == node_kind::apply) cost[n] += cost_of(v.operation, g_.nodes[g_.args(n)[0]].type);
        if (v.kind == node_kind::invoke) cost[n] += g_.invocation_of(n).function->cost;
        if (v.kind == node_kind::gather || (v.kind == node_kind::invoke && !g_.is_elementwise(n))) cost[n] += 8;
        if (v.kind == node_kind::index) cost[n] += 1;
        if (v.kind == node_kind::apply || v.kind == node_kind::view)
            for (node_id a : g_.args(n))
                if (g_.nodes[a].shape.product() == v.shape.product())
                    follows_[n] |= follows_[a] || g_.nodes[a].kind == node_kind::reduce;
        if (g_.is_inlined(n)) weigh(n, cost);
    }
}

// Whether all that is made of a value, element by element, comes to one value, whose kernel then computes it once.
SINTER_INLINE bool store_planner::meets_again(node_id n) const {
    constexpr int most = 64;
    sequence<node_id> open{n}, seen;
    auto is_of_its_elements = [&](node_id x) {
        const bool gathers = g_.nodes[x].kind == node_kind::gather;
        if (gathers && codegen::find(seen.begin(), seen.end(), g_.arg(x, 0)) != seen.end()) return false;
        return (gathers || g_.is_elementwise(x)) && g_.nodes[x].shape == g_.nodes[n].shape;
    };
    for (int step = 0; step < most && !open.empty(); ++step) {
        const auto least = std::min_element(open.begin(), open.end());
        const node_id x = *least;
        *least = open.back();
        open.pop_back();
        if (x != n && !is_of_its_elements(x)) return false;
        if (x != n && open.empty()) return true;
        if (x != n && (is_root_[x] || d_.stored[x])) return false;
        seen.push_back(x);
        for (node_id u : users_[x])
            if (codegen::find(open.begin(), open.end(), u) == open.end()) open.push_back(u);
    }
    return false;
}

// Whether computing a value reads two arrays of its size: to store it, and read it once more, moves no more.
SINTER_INLINE bool store_planner::reads_several(node_id n) const {
    constexpr std::size_t most = 64;
    sequence<node_id> open{n}, arrays;
    for (std::size_t at = 0; at < open.size() && at < most; ++at)
        for (node_id a : g_.args(open[at])) {
            sequence<node_id>& list = is_memory(a) ? arrays : open;
            if (is_memory(a) && g_.nodes[a].shape.product() < g_.nodes[n].shape.product()) continue;
            if (codegen::find(list.begin(), list.end(), a) == list.end()) list.push_back(a);
        }
    auto is_computed = [&](node_id a) { return g_.nodes[a].kind != node_kind::input; };
    return arrays.size() > 1 && codegen::any_of(arrays.begin(), arrays.end(), is_computed);
}

// Whether a value is used once more behind what needs it and rarely shares a kernel with it: a library's call, or a
// reduction over more elements.
SINTER_INLINE bool store_planner::is_used_by_another_kernel(node_id n) const {
    enum : char { apart, follows, behind };
    const std::int64_t size = g_.nodes[n].shape.product();
    constexpr node_id most = 64;
    char reached[most + 1] = {follows};
    for (node_id x = n + 1; x <= users_[n].back() && x - n <= most; ++x) {
        char& r = reached[x - n];
        bool uses = false;
        for (node_id a : g_.args(x)) {
            uses = uses || a == n;
            if (a >= n) r = std::max(r, reached[a - n]);
        }
        if (uses && r == behind) return true;
        const node& v = g_.nodes[x];
        const bool parts =
            v.kind == node_kind::call || (v.kind == node_kind::reduce && g_.nodes[g_.arg(x, 0)].shape.product() > size);
        if (parts && r == follows) r = behind;
    }
    return false;
}

SINTER_INLINE void store_planner::weigh(node_id n, sequence<double>& cost) {
    double size = static_cast<double>(g_.nodes[n].shape.product());
    if (size == 0) return;
    double evaluations = 0;
    bool direct = false, store = false;
    for (node_id u : users_[n]) {
        if (g_.nodes[u].kind != node_kind::view) {
            direct = true;
            continue;
        }
        double ratio = static_cast<double>(g_.nodes[u].shape.product()) / size;
        evaluations += ratio <= 1 ? ratio : 1;
        // What follows a reduction needs no launch and no memory of its own: it takes the reduction's.
        double cheap = follows_[n] ? 3
                       : size == 1 ? 16
                                   : 8;  // Eight is what a range of numbers with an exact end costs.
        if (ratio > 2 && cost[n] > cheap && cost[n] * ratio > limits_.recompute) store = true;
    }
    if ((evaluations + direct - 1) * cost[n] > limits_.recompute) store = true;
    if (cost[n] >= expensive_function && users_[n].size() > 1 && !meets_again(n)) store = true;
    // Or each turn of a loop would compute what all before it have.
    if (size > 1 && users_[n].size() > 1 && reads_several(n) && is_used_by_another_kernel(n)) store = true;
    if (store) {
        require_stored(n, store_reason::recomputed);
        cost[n] = 0;
    }
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_IEEE_END

SINTER_COLD_END
