// Bodies of planner.hpp.
#pragma once

#include <sinter/codegen/base/sorted_order.hpp>
#include <sinter/codegen/fuse/planner.hpp>
#include <sinter/codegen/ops/apply.hpp>

#include <algorithm>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

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
    return in_order(std::move(groups), sorted_order(groups.size(), [&](std::size_t i, std::size_t j) {
                        const group &a = groups[i], &b = groups[j];
                        return a.level != b.level ? a.level < b.level : place_in_level(a) < place_in_level(b);
                    }));
}

SINTER_INLINE std::uint32_t planner::new_slot(plan& p, node_id n) {
    p.slots.push_back({slot::fresh, g_.nodes[n].type, g_.nodes[n].shape.product()});
    return d_.slot_of[n] = static_cast<std::uint32_t>(p.slots.size() - 1);
}

SINTER_INLINE place planner::place_of(node_id n) const {
    if (d_.slot_of[n] != decisions::no_slot) return {d_.slot_of[n], contiguous(g_.nodes[n].shape)};
    if (g_.nodes[n].kind != node_kind::view) throw internal_error("[fuse] no memory for " + to_text(g_, n));
    return {d_.slot_of[g_.arg(n, 0)], g_.layout_of(n)};
}

SINTER_INLINE plan planner::build() {
    for (node_id r : g_.roots)
        if (g_.nodes[r].kind == node_kind::view) require_place(r, store_reason::asked);
    assign_levels();
    plan p;
    d_.slot_of.assign(g_.nodes.size(), decisions::no_slot);
    for (node_id n = 0; n < g_.nodes.size(); ++n)
        if (g_.nodes[n].kind == node_kind::input) {
            d_.slot_of[n] = new_slot(p, n);
            p.slots.back().input = static_cast<std::int32_t>(g_.nodes[n].payload);
        } else if (g_.nodes[n].kind == node_kind::empty && d_.stored[n]) {
            new_slot(p, n);
        }
    for (const group& u : make_groups()) switch (u.kind) {
            case node_kind::update:
                g_.nodes[u.members[0]].kind == node_kind::call ? build_call(p, u.members[0]) : build_update(p, u);
                break;
            case node_kind::call: build_call(p, u.members[0]); break;
            default: build_group(p, u);
        }
    for (node_id r : g_.roots) p.roots.push_back(place_of(r));
    for (node_id n : targets_) p.stored.push_back({n, why_stored_[n]});
    return p;
}

SINTER_INLINE void push_step(plan& p, step_kind kind, std::size_t count) {
    p.steps.push_back({kind, static_cast<std::uint32_t>(count - 1)});
}

SINTER_INLINE void push_kernel(plan& p, const dims& result_shape, kernel_builder& b) {
    if (result_shape.product() == 0) return;
    p.kernels.push_back(b.finish());
    push_step(p, step_kind::kernel, p.kernels.size());
}

SINTER_INLINE void planner::give_slot(plan& p, node_id member) {
    node_id base = is_joined(member) ? g_.arg(member, 0) : member;
    if (base == member || g_.nodes[base].kind == node_kind::empty) new_slot(p, member);
    else d_.slot_of[member] = d_.slot_of[base];
}

SINTER_INLINE void planner::store_member(kernel_builder& b, const group& u, node_id member) {
    std::uint32_t slot = d_.slot_of[member];
    b.note_computed(member);
    if (is_joined(member)) b.store_rows_at(g_.arg(member, 1), slot, g_.layout_of(member));
    else if (u.kind == node_kind::reduce && per_row_[member]) b.store_rows(member, slot);
    else b.store_elements(member, slot);
}

SINTER_INLINE void planner::build_members(kernel_builder& b, const group& u) {
    building_group_ = u.members;
    for (node_id n : u.members) {
        building_ = n;
        building_alone_ = n == u.members[0];
        store_member(b, u, n);
    }
}

SINTER_INLINE void planner::build_group(plan& p, const group& u) {
    if (u.kind == node_kind::select) return build_select(p, u);
    for (node_id n : u.members) give_slot(p, n);
    const dims& result = g_.nodes[u.members[0]].shape;
    if (result.product() == 0) return;
    if (u.kind != node_kind::reduce && u.kind != node_kind::scan) return build_map(p, u);
    kernel_builder b(g_, d_, limits_);
    if (u.kind == node_kind::reduce) b.begin_rows(u.shape, u.axes, u.members);
    else b.begin_scan(u.shape, u.axes, u.members);
    build_members(b, u);
    push_kernel(p, result, b);
}

// With its axes split where what it reads repeats or was reshaped; but not where that keeps something else from being
// transposed in tiles.
SINTER_INLINE void planner::build_map(plan& p, const group& u) {
    dims space = u.shape;
    std::optional<node_id> reached;
    for (;;) try {
            kernel_builder b(g_, d_, limits_);
            b.begin_map(space, u.members, limits_.family.splits_axes);
            build_members(b, u);
            if (reached && b.reads_across(u.shape)) throw must_store{*reached};
            return push_kernel(p, g_.nodes[u.members[0]].shape, b);
        } catch (const must_split& s) {
            reached = s.node;
            space = s.space;
        }
}

SINTER_INLINE void planner::build_select(plan& p, const group& u) {
    kernel_builder b(g_, d_, limits_);
    for (node_id n : u.members) new_slot(p, n);
    if (u.shape.product() == 0) return;
    building_group_ = u.members;
    building_ = u.members[0];
    building_alone_ = true;
    b.begin_select(u.shape, u.mask);
    for (node_id n : u.members) {
        building_ = n;
        building_alone_ = n == u.members[0];
        b.store_selected(n, d_.slot_of[n]);
        b.note_computed(n);
    }
    push_kernel(p, u.shape, b);
}

// Whether nothing reads the base's memory once the update has been written.
SINTER_INLINE bool planner::can_overwrite(node_id base, node_id update) const {
    const node& v = g_.nodes[base];
    if (v.kind == node_kind::input && !consumable_[v.payload]) return false;
    if (is_root_[base]) return false;
    for (node_id t : targets_) {
        if (t == update || is_same_call(t, update)) continue;
        bool later = level_[t] > level_[update] || (level_[t] == level_[update] && changes_base(t));
        if (!later) continue;
        for (const dependency& x : dependencies_[t])
            if (x.node == base) return false;
    }
    return true;
}

SINTER_INLINE void planner::build_update(plan& p, const group& u) {
    node_id n = u.members[0], base = g_.arg(n, 0), value = g_.arg(n, 1);
    const layout& where = g_.layout_of(n);
    building_ = n;
    building_alone_ = true;
    bool in_place = g_.nodes[base].kind != node_kind::empty && can_overwrite(base, n);
    std::uint32_t base_slot = d_.slot_of[base];
    if (in_place) {
        kernel_builder b(g_, d_, limits_);
        b.begin_map(where.shape, {});
        b.store_at(value, base_slot, where);
        b.note_computed(n);
        if (!b.reads_elsewhere(base_slot, where)) {
            d_.slot_of[n] = base_slot;
            return push_kernel(p, where.shape, b);
        }
        // What the update reads must be read before it is overwritten: through a temporary of the slice.
        if (!is_memory(value)) throw must_store{value};
    }
    std::uint32_t to = new_slot(p, n);
    if (g_.nodes[base].kind != node_kind::empty && p.slots[to].size > 0) {
        p.copies.push_back({base_slot, to});
        push_step(p, step_kind::copy, p.copies.size());
    }
    kernel_builder b(g_, d_, limits_);
    b.begin_map(where.shape, {});
    building_group_ = u.members;
    for (node_id m : u.members) {
        building_ = m;
        building_alone_ = m == n;
        d_.slot_of[m] = to;
        b.store_at(g_.arg(m, 1), to, g_.layout_of(m));
        b.note_computed(m);
    }
    push_kernel(p, where.shape, b);
}

// Whether two updates of arrays of one shape write blocks of it that have nothing in common.
SINTER_INLINE bool planner::are_apart(node_id update, node_id other) const {
    const layout whole = contiguous(g_.nodes[update].shape), &x = g_.layout_of(update), &y = g_.layout_of(other);
    if (x.strides != whole.strides || y.strides != whole.strides) return false;
    std::int64_t of_x = x.offset, of_y = y.offset;
    for (int i = 0; i < whole.shape.size() && whole.strides[i] > 0; ++i) {
        const std::int64_t step = whole.strides[i], at_x = of_x / step, at_y = of_y / step;
        if (at_x + x.shape[i] <= at_y || at_y + y.shape[i] <= at_x) return true;
        of_x %= step;
        of_y %= step;
    }
    return false;
}

// Whether an update and others like it take turns within the cache lines of their array.
SINTER_INLINE bool planner::takes_turns(node_id update) const {
    constexpr std::int64_t cache_line = 128;
    const dims &whole = g_.nodes[update].shape, &part = g_.layout_of(update).shape;
    std::int64_t run = size_of(g_.nodes[update].type);
    for (int i = whole.size(); i-- > 0;) {
        run *= part[i];
        if (part[i] != whole[i]) return run < cache_line;
    }
    return false;
}

// Whether an update writes another part of a new array, of the same shape, and one kernel for both moves less: it reads
// memory once that the first part is made of, too, or writes cache lines once that both are in. Few parts are joined,
// so that few texts serve all numbers of them.
SINTER_INLINE bool planner::may_join_parts(const group& u, node_id update) const {
    constexpr std::size_t most = 4;
    if (g_.nodes[update].kind != node_kind::update || u.kind != node_kind::update || u.members.empty()) return false;
    const node_id base = g_.arg(update, 0), first = u.members[0];
    if (u.members.back() != base || g_.nodes[base].kind != node_kind::update || u.members.size() == most) return false;
    if (g_.nodes[g_.arg(first, 0)].kind != node_kind::empty || g_.arg(update, 1) == base) return false;
    if (is_root_[base] || users_[base].size() != 1 || lowest_level_[update] > u.level) return false;
    if (g_.layout_of(first).shape != g_.layout_of(update).shape) return false;
    for (node_id m : u.members)
        if (!are_apart(m, update)) return false;
    bool moves_less = takes_turns(update);
    for (const dependency& x : dependencies_[update]) {
        if (x.node == base) continue;
        if (level_[x.node] >= u.level) return false;
        for (const dependency& y : dependencies_[first]) moves_less = moves_less || y.node == x.node;
    }
    return moves_less;
}

SINTER_INLINE bool planner::is_same_call(node_id a, node_id b) const {
    const node &x = g_.nodes[a], &y = g_.nodes[b];
    if (x.kind != node_kind::call || y.kind != node_kind::call || !g_.call_of(a).is_sibling(g_.call_of(b)))
        return false;
    return std::equal(g_.args(a).begin(), g_.args(a).end(), g_.args(b).begin(), g_.args(b).end());
}

SINTER_INLINE std::uint32_t planner::give_base(plan& p, library_call& c) {
    const node_id base = g_.arg(c.nodes[0], 0);
    const std::uint32_t from = d_.slot_of[base];
    bool alone = can_overwrite(base, c.nodes[0]);
    for (std::size_t i = 1; i < c.args.size(); ++i) alone = alone && c.args[i].slot != from;
    if (alone) return from;
    p.slots.push_back({slot::fresh, g_.nodes[base].type, g_.nodes[base].shape.product()});
    const auto to = static_cast<std::uint32_t>(p.slots.size() - 1);
    c.args[0] = {to, contiguous(g_.nodes[base].shape)};
    if (p.slots[to].size > 0) {
        p.copies.push_back({from, to});
        push_step(p, step_kind::copy, p.copies.size());
    }
    return to;
}

SINTER_INLINE void planner::set_factor(library_call& c, node_id number) const {
    const node& v = g_.nodes[number];
    if (v.kind == node_kind::scalar) c.factor_scalar = v.payload;
    else convert(v.type, dtype::float64, g_.literals[v.payload].bytes, &c.factor, 1);
}

SINTER_INLINE void planner::build_call(plan& p, node_id n) {
    if (d_.slot_of[n] != decisions::no_slot) return;  // with another of its results
    const call_info what = g_.call_of(n);
    const node& base = g_.nodes[g_.arg(n, 0)];
    library_call c{what, {n}, {}, g_.nodes[n].shape, {}};
    if (is_linalg(what.what)) c.shape = result_shape(what.with_result(0), base.shape);
    for (int i = 0; i < static_cast<int>(g_.nodes[n].arg_count); ++i) {
        if (is_number(n, i)) set_factor(c, g_.arg(n, i));
        else c.args.push_back(place_of(g_.arg(n, i)));
    }
    const base_use use = info(what.what).base;
    if (use == base_use::spent) give_base(p, c);
    bool in_place =
        use == base_use::either && d_.slot_of[g_.arg(n, 0)] == c.args[0].slot && can_overwrite(g_.arg(n, 0), n);
    for (std::size_t i = 1; i < c.args.size(); ++i) in_place = in_place && c.args[i].slot != c.args[0].slot;
    for (int i = 0; i < info(what.what).results; ++i) {
        const call_info of = what.with_result(i);
        if (i == 0 && use == base_use::changed) c.results.push_back(give_base(p, c));
        else if (i == 0 && in_place) c.results.push_back(c.args[0].slot);
        else if (is_linalg(what.what)) {
            p.slots.push_back({slot::fresh, result_type(of, base.type), result_shape(of, base.shape).product()});
            c.results.push_back(static_cast<std::uint32_t>(p.slots.size() - 1));
        } else c.results.push_back(new_slot(p, n));
        for (node_id m : targets_) {
            if (!is_same_call(m, n) || g_.call_of(m).result != i) continue;
            d_.slot_of[m] = c.results.back();
            if (m != n) c.nodes.push_back(m);
        }
    }
    p.calls.push_back(c);
    push_step(p, step_kind::call, p.calls.size());
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
