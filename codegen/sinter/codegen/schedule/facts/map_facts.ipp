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

SINTER_INLINE void find_moves(const kernel& k, map_facts& f) {
    f.rows_axis = axis_of_rows(k);
    f.gathers = !k.indexed.empty();
    const bool has_neighbours = k.is(mapping::elements) && k.how.vector_width > 1;
    if (f.gathers && (k.is(mapping::host_map) || has_neighbours)) f.walks = walks_of(k);
    for (std::uint32_t i = 0; i < k.body.size(); ++i) {
        const bool walks = codegen::any_of(k.body[i].args.begin(), k.body[i].args.end(), [&](std::uint32_t from) {
            return !f.walks.empty() && f.walks[from] != walk_class::constant;
        });
        // What a GPU's neighbours share they do not look for by their ends.
        f.gathers_walks.push_back(gathers_by_walk(k, f.walks, i) && (walks || !has_neighbours));
    }
    f.repeated.resize(k.accesses.size(), 0);
    const bool joins = k.is(mapping::joined_rows);
    for (std::uint32_t a = 0; (joins || k.is(mapping::elements)) && a < k.accesses.size(); ++a)
        f.moves.push_back(move_of(k, a));
    if (!k.is(mapping::elements)) return;
    for (std::uint32_t a = 0; a < k.accesses.size(); ++a) {
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
