// Bodies of level_planner.hpp.
#pragma once

#include <sinter/codegen/fuse/level_planner.hpp>

#include <algorithm>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE level_planner::level_planner(const graph& g, const sequence<bool>& consumable,
                                           const fusion_limits& limits)
    : store_planner(g, consumable, limits) {
    lowest_level_.assign(g.nodes.size(), 0);
}

SINTER_INLINE sequence<level_planner::dependency> level_planner::dependencies_of(node_id target) const {
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

SINTER_INLINE void level_planner::raise_levels() {
    level_.assign(g_.nodes.size(), -1);
    for (node_id n : targets_) {
        level_[n] = lowest_level_[n];
        for (const dependency& x : dependencies_[n])
            level_[n] = std::max(level_[n], level_[x.node] + (can_merge(n, x) ? 0 : 1));
    }
}

SINTER_INLINE void level_planner::assign_levels() {
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

// Whether a layout over a space reads one element all along a row: the one that a value per row has there.
SINTER_INLINE bool level_planner::is_row_layout(const layout& l, const row_space& s) const {
    if (!s.returns || l.offset != 0 || l.shape != s.shape) return false;
    std::int64_t step = 1;
    for (int i = l.shape.size() - 1; i >= 0; --i) {
        bool reduced = s.axes >> i & 1;
        if (l.shape[i] > 1 && l.strides[i] != (reduced ? 0 : step)) return false;
        if (!reduced) step *= l.shape[i];
    }
    return true;
}

SINTER_INLINE std::uint32_t level_planner::space_number(node_id reduce) {
    const dims& shape = g_.nodes[g_.arg(reduce, 0)].shape;
    std::uint8_t axes = g_.reduce_infos[g_.nodes[reduce].payload].axes;
    bool scans = g_.nodes[reduce].kind == node_kind::scan;
    for (std::size_t i = 0; i < spaces_.size(); ++i)
        if (spaces_[i].shape == shape && spaces_[i].axes == axes && spaces_[i].scans == scans)
            return static_cast<std::uint32_t>(i);
    std::int64_t rows = g_.nodes[reduce].shape.product(), size = shape.product();
    bool by_rows = size == rows || tree_of(shape, axes) == reduce_tree::rows;
    bool stays = size > 0 && (by_rows ? size / rows <= limits_.row_length || rows >= limits_.many_rows
                                      : size / rows <= limits_.family.column_length);
    bool returns = axes != 0 && stays;
    spaces_.push_back({shape, axes, scans || returns, scans});
    return static_cast<std::uint32_t>(spaces_.size() - 1);
}

// Reductions have their own space; what follows one joins it.
SINTER_INLINE void level_planner::assign_spaces() {
    spaces_.clear();
    space_of_.assign(g_.nodes.size(), unset);
    per_row_.assign(g_.nodes.size(), 0);
    for (node_id n : targets_) {
        if (is_reduction(n)) {
            space_of_[n] = space_number(n);
            per_row_[n] = g_.nodes[n].kind == node_kind::reduce;
        } else if (g_.is_elementwise(n) && !apart_[n] && !transposed_[n]) {
            find_space(n);
        } else if (g_.nodes[n].kind == node_kind::update) {
            find_space(n);
            if (space_of_[n] != unset && !may_join_rows(n)) space_of_[n] = unset;
        }
    }
}

// Whether an update by what a kernel of reductions has for each row can be made there. One row's updates follow each
// other in one thread; several rows' happen at once.
SINTER_INLINE bool level_planner::may_join_rows(node_id update) const {
    const row_space& space = spaces_[space_of_[update]];
    const layout& where = g_.layout_of(update);
    dims kept = kept_shape(space.shape, space.axes);
    std::int64_t rows = kept.product();
    if (!per_row_[update] || space.scans || rows == 0 || where.shape.product() != rows) return false;
    return composed(where, contiguous(kept)) && (rows == 1 || !is_joined(g_.arg(update, 0)));
}

// Joins the space of the latest value of one that the target reads at its own points: of the same kind, or, through a
// broadcast view, from an element what its row has.
SINTER_INLINE void level_planner::find_space(node_id target) {
    enum where : std::uint8_t { at_point, other_name, behind_view };
    struct visit {
        node_id node;
        where how;
        node_id view;
    };
    sequence<visit> stack;
    sequence<node_id> touched;
    node_id latest = unset;
    bool per_row = false;
    bool updates = g_.nodes[target].kind == node_kind::update;
    const dims& shape = updates ? g_.layout_of(target).shape : g_.nodes[target].shape;
    auto consider = [&](const visit& s) {
        if (space_of_[s.node] == unset || is_joined(s.node) || (latest != unset && s.node < latest)) return;
        const row_space& space = spaces_[space_of_[s.node]];
        bool joins = s.how == behind_view ? per_row_[s.node] && is_row_layout(g_.layout_of(s.view), space)
                                          : per_row_[s.node] || (s.how == at_point && space.returns);
        if (!joins) return;
        latest = s.node;
        // In rows of one element both are the same.
        bool is_point = space.returns && shape == space.shape;
        per_row = per_row_[s.node] && s.how != behind_view && !is_point;
    };
    if (updates) stack.push_back({g_.arg(target, 1), at_point, 0});
    else
        for (node_id a : g_.args(target)) stack.push_back({a, at_point, 0});
    while (!stack.empty()) {
        visit s = stack.back();
        stack.pop_back();
        char bit = static_cast<char>(1 << s.how);
        if (seen_[s.node] & bit) continue;
        if (!seen_[s.node]) touched.push_back(s.node);
        seen_[s.node] |= bit;
        if (is_memory(s.node)) {
            consider(s);
            continue;
        }
        const node& v = g_.nodes[s.node];
        if (v.kind == node_kind::view) {
            const layout& l = g_.layout_of(s.node);
            bool whole = is_contiguous(l) && l.shape.product() == g_.nodes[g_.arg(s.node, 0)].shape.product();
            if (whole && s.how == at_point) s.how = other_name;
            else if (!whole && s.how == at_point) s = {s.node, behind_view, s.node};
            else if (!whole) continue;
        } else if (!g_.is_elementwise(s.node)) {
            continue;
        }
        for (node_id a : g_.args(s.node)) stack.push_back({a, s.how, s.view});
    }
    for (node_id n : touched) seen_[n] = 0;
    if (latest == unset) return;
    space_of_[target] = space_of_[latest];
    per_row_[target] = per_row;
}

// A stored map that a kernel of reductions reads at its own points is computed and stored there.
SINTER_INLINE void level_planner::adopt_space(node_id target) {
    std::uint32_t space = space_of_[target];
    if (space == unset || !spaces_[space].returns) return;
    for (const dependency& d : dependencies_[target])
        if (d.how == relation::point && d_.stored[d.node] && space_of_[d.node] == unset && !apart_[d.node] &&
            !transposed_[d.node] && g_.is_elementwise(d.node) && g_.nodes[d.node].shape == spaces_[space].shape)
            space_of_[d.node] = space;
}

// Whether a target may be computed by the same kernel as what it is computed from.
SINTER_INLINE bool level_planner::can_merge(node_id target, const dependency& d) const {
    if (!d_.stored[d.node] || space_of_[d.node] != space_of_[target] || apart_[target] || apart_[d.node]) return false;
    if (g_.nodes[target].kind == node_kind::scan) return false;
    if (is_joined(d.node)) return d.how == relation::change;
    if (space_of_[target] == unset) return d.how == relation::point && g_.is_elementwise(d.node);
    return d.how == (per_row_[d.node] ? relation::row : relation::point);
}

SINTER_INLINE bool level_planner::needs_no_memory(node_id n) const {
    return space_of_[n] != unset && !is_root_[n] && !forced_[n] && !is_joined(n);
}

// What only one kernel reads, at the points where it computes it, stays inside that kernel.
SINTER_INLINE void level_planner::hide_unread() {
    struct reading {
        int level = -1;
        bool inside = true;
    };
    sequence<reading> read(g_.nodes.size(), {});
    hidden_.assign(g_.nodes.size(), 0);
    for (std::size_t i = targets_.size(); i-- > 0;) {
        node_id n = targets_[i];
        if (needs_no_memory(n) && read[n].inside && read[n].level >= level_[n]) {
            level_[n] = read[n].level;
            hidden_[n] = 1;
        }
        for (const dependency& d : dependencies_[n]) {
            reading& r = read[d.node];
            r.inside = r.inside && can_merge(n, d) && (r.level < 0 || r.level == level_[n]);
            r.level = level_[n];
        }
    }
}

// Values whose kernel has no reduction after all are maps; whether there were any.
SINTER_INLINE bool level_planner::leave_empty_spaces() {
    bool any = false;
    for (node_id n : targets_) {
        if (space_of_[n] == unset || is_reduction(n)) continue;
        bool reduces = false;
        for (node_id r : targets_)
            reduces = reduces || (is_reduction(r) && space_of_[r] == space_of_[n] && level_[r] == level_[n]);
        if (reduces) continue;
        leave_space(n);
        any = true;
    }
    return any;
}

SINTER_INLINE void level_planner::leave_space(node_id target) {
    bool joined = is_joined(target);
    space_of_[target] = unset;
    per_row_[target] = 0;
    if (joined) dependencies_[target] = dependencies_of(target);
}

// Updates whose base something reads besides, at that time or later, have a kernel of their own; whether there were
// any.
SINTER_INLINE bool level_planner::leave_unsafe_updates() {
    bool any = false;
    for (node_id n : targets_) {
        if (!is_joined(n) || g_.nodes[g_.arg(n, 0)].kind == node_kind::empty) continue;
        const node_id base = g_.arg(n, 0);
        const node& b = g_.nodes[base];
        bool unsafe = is_root_[base] || (b.kind == node_kind::input && !consumable_[b.payload]);
        for (node_id t : targets_)
            for (const dependency& x : dependencies_[t])
                unsafe = unsafe || (x.node == base && level_[t] >= level_[n] && !(t == n && x.how == relation::change));
        if (!unsafe) continue;
        leave_space(n);
        any = true;
    }
    return any;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
