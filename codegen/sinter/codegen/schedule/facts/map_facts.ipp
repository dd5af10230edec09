// Bodies of map_facts.hpp.
#pragma once

#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/schedule/approximations.hpp>
#include <sinter/codegen/schedule/facts/map_facts.hpp>
#include <sinter/codegen/schedule/geometry.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// The loads along rows that each thread makes before the barrier, while the tiles are under way: few, since they stay
// in registers.
SINTER_INLINE void find_fetched(const kernel& k, map_facts& f) {
    constexpr int most = 2;
    int count = 0;
    f.fetched.resize(k.accesses.size(), 0);
    for (std::uint32_t a = 0; a < k.accesses.size() && k.body.size() <= unrolled_body; ++a) {
        if (k.loads_by(a) && k.accesses[a].step == stride_class::contiguous && count++ < most) f.fetched[a] = 1;
    }
}

SINTER_INLINE walk_class walk_of_access(const access& a) {
    if (a.step == stride_class::broadcast) return walk_class::constant;
    const bool follows = a.step == stride_class::contiguous || a.step == stride_class::aligned;
    return a.operand == access::own_number && follows ? walk_class::straight : walk_class::any;
}

// How sums, differences, lesser and greater numbers, sizes and choices of such numbers walk.
SINTER_INLINE walk_class walk_of_operation(op o, const sequence<walk_class>& args) {
    const auto is_slow = [](walk_class w) { return w <= walk_class::slow; };
    const auto all_are = [&](auto holds) { return codegen::all_of(args.begin(), args.end(), holds); };
    if (all_are([](walk_class w) { return w == walk_class::constant; })) return walk_class::constant;
    switch (o) {
        case op::cast:
        case op::positive: return args[0];
        case op::add:
            if (args[0] == walk_class::constant) return args[1];
            return args[1] == walk_class::constant ? args[0] : walk_class::any;
        case op::subtract:
            if (args[1] == walk_class::constant) return args[0];
            return args[0] == walk_class::constant && is_slow(args[1]) ? walk_class::slow : walk_class::any;
        case op::negative:
        case op::absolute: return is_slow(args[0]) ? walk_class::slow : walk_class::any;
        case op::minimum:
        case op::maximum: return all_are(is_slow) ? walk_class::slow : walk_class::any;
        case op::less:
        case op::less_equal:
        case op::greater:
        case op::greater_equal: {
            const bool once = (args[0] == walk_class::constant && args[1] == walk_class::straight) ||
                              (args[1] == walk_class::constant && args[0] == walk_class::straight);
            return once ? walk_class::switched : walk_class::any;
        }
        case op::where: {
            const bool both = args[1] == walk_class::straight && args[2] == walk_class::straight;
            return args[0] == walk_class::switched && both ? walk_class::switched : walk_class::any;
        }
        default: return walk_class::any;
    }
}

// Whether numbers of a type may walk; a tile whose ends are near its limits is not taken for one.
SINTER_INLINE bool may_walk(dtype t) { return t == dtype::int64 || t == dtype::int32; }

// Along a row of a map of a CPU. What is no such whole number may be constant, or a condition.
SINTER_INLINE void find_walks(const kernel& k, map_facts& f) {
    for (const instruction& v : k.body) {
        walk_class found = walk_class::any;
        sequence<walk_class> args;
        for (std::uint32_t a : v.args) args.push_back(f.walks[a]);
        switch (v.kind) {
            case instruction_kind::scalar:
            case instruction_kind::literal: found = walk_class::constant; break;
            case instruction_kind::load: found = walk_of_access(k.accesses[v.payload]); break;
            case instruction_kind::apply: found = walk_of_operation(v.operation, args); break;
            default: break;
        }
        const bool walks = may_walk(v.type) || (v.type == dtype::bool_ && found == walk_class::switched);
        const bool keeps =
            v.operation != op::cast || v.kind != instruction_kind::apply || may_walk(k.body[v.args[0]].type);
        f.walks.push_back(found == walk_class::constant || (walks && keeps) ? found : walk_class::any);
    }
}

SINTER_INLINE void find_moves(const kernel& k, map_facts& f) {
    f.rows_axis = axis_of_rows(k);
    f.gathers = !k.indexed.empty();
    if (f.gathers && k.is(mapping::host_map)) find_walks(k, f);
    f.repeated.resize(k.accesses.size(), 0);
    if (!k.is(mapping::elements)) return;
    for (std::uint32_t a = 0; a < k.accesses.size(); ++a) {
        f.moves.push_back(move_of(k, a));
        f.walk.push_back(walks_like(k, a));
        f.repeated[a] = k.how.packs > 1 && repeats_along_rows(k, a);
    }
    f.shared = shared_by_neighbours(k);
    for (std::uint32_t i = 0; i < k.body.size(); ++i)
        f.gathers_packs.push_back(is_gathered_by_packs(k, i, k.how.vector_width));
}

SINTER_INLINE map_facts map_facts_of(const kernel& k) {
    map_facts f;
    find_moves(k, f);
    for (std::uint32_t a = 0; a < k.accesses.size(); ++a) {
        const int step = transposed_step(k, a);
        f.transposed.push_back(step != 0);
        f.reversed.push_back(step < 0);
    }
    for (std::uint32_t i = 0; i < k.body.size(); ++i) f.divides = f.divides || divides_by_inverse(k, k.how, i);
    f.side = k.how.tile;
    f.whole_rows = k.how.long_rows || f.side > 0;
    f.axis = k.how.tile_axis;
    f.joins = k.how.joins_axes;
    if (f.side == 0) return f;
    f.items = f.side * f.side / cuda_threads;
    f.item_stride = cuda_threads / f.side;
    find_fetched(k, f);
    const bool on_host = runs_on_host(k.how.map);
    for (std::uint32_t a = 0; a < k.accesses.size(); ++a)
        for (std::uint32_t b = 0; b < k.accesses.size(); ++b)
            f.mirrored = f.mirrored || (is_mirrored(k, a, b) && (on_host || f.fetched[b]));
    return f;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
