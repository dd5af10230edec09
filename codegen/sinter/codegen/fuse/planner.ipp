// Bodies of planner.hpp that decide; those that build are in planner_build.ipp,
// those about kernels of reductions in planner_rows.ipp.
#pragma once

#include <sinter/codegen/ops/fourier.hpp>
#include <sinter/codegen/fuse/fuse.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/ops/matrix_stack.hpp>
#include <sinter/codegen/fuse/planner.hpp>

#include <algorithm>

SINTER_COLD_BEGIN

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* fast_math_words = "fast math";

SINTER_INLINE planner::planner(const graph& g, const sequence<bool>& consumable, const fusion_limits& limits)
    : g_(g), consumable_(consumable), limits_(limits) {
    std::size_t n = g.nodes.size();
    d_.stored.assign(n, 0);
    d_.slot_of.assign(n, decisions::no_slot);
    users_.resize(n);
    is_root_.assign(n, 0);
    why_stored_.assign(n, store_reason::asked);
    forced_.assign(n, 0);
    apart_.assign(n, 0);
    follows_.assign(n, 0);
    lowest_level_.assign(n, 0);
    for (node_id i = 0; i < n; ++i)
        for (node_id a : g.args(i))
            if (users_[a].empty() || users_[a].back() != i) users_[a].push_back(i);
    for (node_id r : g.roots) {
        is_root_[r] = 1;
        if (g.nodes[r].kind == node_kind::view) is_root_[g.arg(r, 0)] = 1;
    }
}

SINTER_INLINE void planner::require_stored(node_id n, store_reason why) {
    if (g_.nodes[n].kind != node_kind::input) d_.stored[n] = 1;
    if (why_stored_[n] == store_reason::asked) why_stored_[n] = why;
}

// Needs memory, but a view of memory will do.
SINTER_INLINE void planner::require_place(node_id n, store_reason why) {
    if (g_.nodes[n].kind != node_kind::view) return require_stored(n, why);
    const node_id base = g_.arg(n, 0);
    if (is_memory(base)) return;
    // What is only reshaped is stored as it is, or it might have to be stored to be copied.
    const bool reshapes = !g_.is_scalar_like(base) && is_contiguous(g_.layout_of(n)) &&
                          g_.nodes[n].shape.product() == g_.nodes[base].shape.product();
    require_stored(reshapes ? base : n, why);
}

SINTER_INLINE void planner::choose_stored() {
    for (node_id r : g_.roots)
        if (g_.nodes[r].kind != node_kind::view) require_stored(r, store_reason::asked);
    for (node_id n = 0; n < g_.nodes.size(); ++n) part_from_exact(n);
    for (node_id n = 0; n < g_.nodes.size(); ++n) switch (g_.nodes[n].kind) {
            case node_kind::reduce:
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

// What is compiled with options of its own shares no kernel with other arithmetic, whose bits they might change; and
// text around a loop is for the elements of one call.
SINTER_INLINE void planner::set_apart(node_id n) {
    const invocation& called = g_.invocation_of(n);
    std::string options = lines_of(options_of(*called.function));
    if (called.function->is_loop) {
        options += "loop " + std::to_string(called.number);
        for (node_id a : g_.args(n)) options += " " + std::to_string(a);
    }
    if (options.empty()) return;
    set_apart(n, options + (g_.nodes[n].fast ? fast_math_words : ""));
    require_stored(n, store_reason::options);
    for (node_id a : g_.args(n))
        if (!g_.is_scalar_like(a) && g_.nodes[a].kind != node_kind::index) require_place(a, store_reason::options);
}

SINTER_INLINE void planner::set_apart(node_id n, const std::string& options) {
    std::size_t number = 0;
    while (number < options_.size() && options_[number] != options) ++number;
    if (number == options_.size()) options_.push_back(options);
    apart_[n] = static_cast<std::uint32_t>(number + 1);
}

// What may be computed by fast functions shares kernels with nothing else, whose bits they would change: memory is
// between both.
SINTER_INLINE void planner::part_from_exact(node_id n) {
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

SINTER_INLINE bool planner::is_listed(node_id product) const {
    const int first = first_matrix(g_.call_of(product).what);
    const dims &a = g_.nodes[g_.arg(product, first)].shape, &b = g_.nodes[g_.arg(product, first + 1)].shape;
    return !has_one_stride(g_.nodes[product].shape, a, b);
}

// Whether a call reads an operand that is a view where it lies.
SINTER_INLINE bool planner::is_taken_as_it_is(node_id call, int operand) const {
    const node_id view = g_.arg(call, operand);
    if (g_.nodes[view].kind != node_kind::view) return false;
    const call_info c = g_.call_of(call);
    const layout& l = g_.layout_of(view);
    const int matrix = operand - first_matrix(c.what);
    if (is_product(c.what) && (matrix == 0 || matrix == 1))
        return is_listed(call) ? is_listed_layout(l, alignment_in_list(g_.nodes[view].type, c.in()))
                               : is_matrix_layout(l);
    return is_fourier(c.what) ? find_transform(c, g_.nodes[view].type, l).has_value() : is_row_major(l);
}

SINTER_INLINE void planner::weigh_recomputation() {
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

SINTER_INLINE void planner::weigh(node_id n, sequence<double>& cost) {
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
    if (cost[n] >= expensive_function && users_[n].size() > 1) store = true;
    if (store) {
        require_stored(n, store_reason::recomputed);
        cost[n] = 0;
    }
}

SINTER_INLINE void planner::add_stored(node_id n, bool too_large) {
    if (too_large && !building_alone_) {
        // What would come after it in that kernel goes along: most of it would not fit either, each found in a round of
        // its own.
        bool after = false;
        for (node_id m : building_group_)
            if (after = after || m == building_; after) lowest_level_[m] = level_[m] + 1;
        return;
    }
    if (forced_[n] || (d_.stored[n] && !hidden_[n]) || g_.nodes[n].kind == node_kind::input)
        throw internal_error("[fuse] a value cannot be stored twice: " + to_text(g_, n));
    d_.stored[n] = forced_[n] = 1;
    why_stored_[n] = too_large ? store_reason::size : store_reason::layout;
}

SINTER_INLINE sequence<planner::dependency> planner::dependencies_of(node_id target) const {
    sequence<dependency> found;
    sequence<dependency> stack;
    std::uint32_t space = space_of_[target];
    auto push_args = [&](node_id n, relation how) {
        const node& v = g_.nodes[n];
        relation of_args = g_.is_elementwise(n) ? how : relation::elsewhere;
        if (v.kind == node_kind::reduce && n == target) of_args = relation::point;
        if (v.kind == node_kind::view && space != unset) {
            const layout& l = g_.layout_of(n);
            bool whole = is_contiguous(l) && l.shape.product() == g_.nodes[g_.arg(n, 0)].shape.product();
            if (how == relation::row && whole) of_args = how;
            if (how == relation::point && is_row_layout(l, spaces_[space])) of_args = relation::row;
        }
        for (node_id a : g_.args(n)) stack.push_back({a, of_args});
    };
    if (is_joined(target)) {
        if (is_memory(g_.arg(target, 0))) found.push_back({g_.arg(target, 0), relation::change});
        stack.push_back({g_.arg(target, 1), relation::row});
    } else {
        push_args(target, space != unset && per_row_[target] ? relation::row : relation::point);
    }
    sequence<char>& seen = seen_;
    sequence<node_id> touched;
    while (!stack.empty()) {
        auto [n, how] = stack.back();
        stack.pop_back();
        char bit = static_cast<char>(1 << static_cast<int>(how));
        if (seen[n] & bit) continue;
        if (!seen[n]) touched.push_back(n);
        seen[n] |= bit;
        if (is_memory(n)) found.push_back({n, how});
        else push_args(n, how);
    }
    for (node_id n : touched) seen[n] = 0;
    return found;
}

SINTER_INLINE void planner::raise_levels() {
    level_.assign(g_.nodes.size(), -1);
    for (node_id n : targets_) {
        level_[n] = lowest_level_[n];
        for (const dependency& x : dependencies_[n])
            level_[n] = std::max(level_[n], level_[x.node] + (can_merge(n, x) ? 0 : 1));
    }
}

SINTER_INLINE void planner::assign_levels() {
    targets_.clear();
    for (node_id n = 0; n < g_.nodes.size(); ++n)
        if (d_.stored[n]) targets_.push_back(n);
    seen_.assign(g_.nodes.size(), 0);
    assign_spaces();
    dependencies_.clear();
    dependencies_.resize(g_.nodes.size());
    for (node_id n : targets_) dependencies_[n] = dependencies_of(n);
    for (std::size_t i = targets_.size(); i-- > 0;) adopt_space(targets_[i]);
    do {
        raise_levels();
        hide_unread();
    } while (leave_empty_spaces() || leave_unsafe_updates());
}

SINTER_INLINE sequence<planner::group> planner::make_groups() const {
    sequence<group> groups;
    for (node_id n : targets_) {
        const node& v = g_.nodes[n];
        group u{.level = level_[n], .kind = node_kind::apply, .shape = v.shape, .apart = apart_[n], .members = {n}};
        if (v.kind == node_kind::empty || hidden_[n]) continue;
        if ((v.kind == node_kind::update && !is_joined(n)) || v.kind == node_kind::call) {
            u.kind = changes_base(n) ? node_kind::update : v.kind;
            bool joined = false;
            for (group& o : groups) {
                if (joined || !may_join_parts(o, n)) continue;
                o.members.push_back(n);
                joined = true;
            }
            if (!joined) groups.push_back(u);
            continue;
        }
        if (space_of_[n] != unset) {
            u.kind = spaces_[space_of_[n]].scans ? node_kind::scan : node_kind::reduce;
            u.shape = spaces_[space_of_[n]].shape;
            u.axes = spaces_[space_of_[n]].axes;
        }
        if (v.kind == node_kind::select) {
            u.kind = v.kind;
            u.mask = g_.arg(n, 0);
            u.shape = g_.nodes[u.mask].shape;
        }
        bool joined = false;
        for (group& o : groups)
            if (!joined && o.level == u.level && o.kind == u.kind && o.shape == u.shape && o.axes == u.axes &&
                o.mask == u.mask && o.apart == u.apart) {
                o.members.push_back(n);
                joined = true;
            }
        if (!joined) groups.push_back(u);
    }
    // Within a level updates come last: whatever else reads the memory they overwrite has read it by then.
    auto place_in_level = [&](const group& u) {
        bool joined = false;
        for (node_id n : u.members) joined = joined || is_joined(n);
        return u.kind == node_kind::update ? 2 : joined ? 1 : 0;
    };
    std::stable_sort(groups.begin(), groups.end(), [&](const group& a, const group& b) {
        return a.level != b.level ? a.level < b.level : place_in_level(a) < place_in_level(b);
    });
    return groups;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_IEEE_END

#include <sinter/codegen/fuse/planner_build.ipp>
#include <sinter/codegen/fuse/planner_rows.ipp>

SINTER_COLD_END
