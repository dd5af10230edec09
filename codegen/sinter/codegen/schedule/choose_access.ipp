// Bodies of choose_access.hpp.
#pragma once

#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/schedule/facts/access_moves.hpp>
#include <sinter/codegen/schedule/facts/walks.hpp>
#include <sinter/codegen/schedule/choose_access.hpp>
#include <sinter/codegen/schedule/stages.hpp>

#include <algorithm>

SINTER_COLD_BEGIN

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE int operand_bytes(const kernel& k, std::uint32_t a) { return size_of(k.operand_of(a).type); }

SINTER_INLINE bool calls_expensive_function(const kernel& k) {
    for (const invocation* f : k.invocations)
        if (f->function->cost >= expensive_function) return true;
    return false;
}

// Whether every point of a map has an element of its own; others are repeated and come from a cache.
SINTER_INLINE bool is_spread(const kernel& k, std::uint32_t a) {
    for (int i = 0; i < k.space.size(); ++i)
        if (k.space[i] > 1 && k.accesses[a].at.strides[i] == 0) return false;
    return true;
}

// Whether a map reads something, and all of it lies along some of its axes only, as an outer product's operands do:
// what it reads is little beside what it stores.
SINTER_INLINE bool is_outer(const kernel& k) {
    bool reads = false;
    for (const instruction& i : k.body) {
        if (i.kind != instruction_kind::load) continue;
        if (is_spread(k, i.payload)) return false;
        reads = true;
    }
    return reads && k.space.size() > 1 && !k.has(instruction_kind::gather) && !k.has(instruction_kind::whole);
}

// Whether the threads of a map have several rows each: where there are elements enough for all, and work little.
SINTER_INLINE bool may_take_rows(const kernel& k, const family_schedule& on) {
    return k.kept_size() >= on.least_for_items && !k.has(instruction_kind::whole) && !calls_expensive_function(k);
}

// Whether an access is loaded or stored once per point of the space rather than once per result or by a gather.
SINTER_INLINE bool is_moved(const kernel& k, std::uint32_t a) {
    return codegen::any_of(
               k.body.begin(), k.body.end(),
               [&](const instruction& v) { return k.loads_memory(v) && v.payload == a && !is_row_stage(v.stage); }) ||
           codegen::any_of(k.stores.begin(), k.stores.end(),
                           [&](const store& s) { return s.access == a && !is_row_stage(s.stage); });
}

SINTER_INLINE bool can_move(const kernel& k, bool flat, bool shares_rows, int width) {
    int inner = k.space.size() - 1;
    if (!flat && !k.reduces() && k.space[inner] % width != 0) return false;
    for (std::uint32_t a = 0; a < k.accesses.size(); ++a) {
        if (!is_moved(k, a) || k.accesses[a].step == stride_class::broadcast || moves_by_packs(k, a, width)) continue;
        const bool loaded_once = shares_rows && repeats_along_rows(k, a);
        if (!loaded_once || k.operand_of(a).written) return false;
    }
    return true;
}

// Instructions that each neighbour needs, but for indices that walk, which only the first and the last one compute.
SINTER_INLINE std::size_t work_of_neighbour(const kernel& k) {
    if (!k.has(instruction_kind::gather)) return k.body.size();
    const sequence<walk_class> walks = walks_of(k);
    sequence<char> by_walk;
    for (std::uint32_t i = 0; i < k.body.size(); ++i) by_walk.push_back(gathers_by_walk(k, walks, i));
    const sequence<char> needed = needed_beside_walks(k, by_walk);
    return static_cast<std::size_t>(codegen::count(needed.begin(), needed.end(), 1));
}

// 16 bytes of the largest type in a map, the four lanes of a thread in a row; long bodies gain nothing from it.
SINTER_INLINE int choose_vector_width(const kernel& k, const schedule& s, const family_schedule& on) {
    if (k.body.size() > on.long_body || calls_expensive_function(k)) return 1;
    if (k.reduces()) {
        // Kernels that keep rows in registers move whole groups of four only.
        const bool whole = !k.is_row_kernel() && s.row_capacity == 0;
        const bool one_axis = k.space.size() == k.kept + 1, scans = k.scans || k.selects;
        const bool fours = one_axis ? whole || k.reduced_size() % 4 == 0
                                    : (whole || (k.is_row_kernel() && !s.short_rows)) && !scans && !draws(k) &&
                                          k.space.back() % 4 == 0;
        return k.tree == reduce_tree::rows && fours && can_move(k, s.flat, false, 4) ? 4 : 1;
    }
    int largest = 1;
    for (std::uint32_t a = 0; a < k.accesses.size(); ++a)
        if (is_moved(k, a) && (s.flat || k.accesses[a].step != stride_class::broadcast))
            largest = std::max(largest, operand_bytes(k, a));
    int width = on.vector_bytes / largest;
    const bool shares_rows = is_outer(k) && may_take_rows(k, on) && !draws(k);
    const std::size_t work = work_of_neighbour(k);
    auto is_long = [&] { return work * static_cast<std::size_t>(width) > on.packed_body; };
    while (width > 1 && (is_long() || !can_move(k, s.flat, shares_rows, width))) width /= 2;
    return width;
}

// How many neighbours a thread of a map has that goes on in the next row, where rows are so short, or elements so
// narrow, that single ones leave too few bytes on their way; or 0. What is not in the order of the results is repeated:
// of other things, and of elements narrower than the results, single ones of several rows are more on their way.
SINTER_INLINE int choose_joined_width(const kernel& k, const schedule& s, const family_schedule& on) {
    constexpr int short_row = 32, narrow = 2;
    const bool has_rows = !k.reduces() && k.space.size() > 1 && s.tile == 0 && s.vector_width == 1 && !s.wide;
    if (!has_rows || !on.rows_by_length || !may_take_rows(k, on) || draws(k) || call_around(k) ||
        k.body.size() > on.long_body || k.has(instruction_kind::gather))
        return 0;
    int largest = 1, least_read = on.vector_bytes;
    for (std::uint32_t a = 0; a < k.accesses.size(); ++a) {
        if (!is_moved(k, a)) continue;
        const bool reads = k.loads_by(a), numbered = lies_as_numbered(k, a, 1);
        if (!numbered && (!reads || is_spread(k, a))) return 0;
        if (numbered) largest = std::max(largest, operand_bytes(k, a));
        if (numbered && reads) least_read = std::min(least_read, operand_bytes(k, a));
    }
    if (least_read < largest || (k.space.back() >= short_row && largest > narrow)) return 0;
    int width = on.vector_bytes / largest;
    auto is_long = [&] { return k.body.size() * static_cast<std::size_t>(width) > on.packed_body; };
    auto fits = [&](std::uint32_t a) { return !lies_as_numbered(k, a, 1) || lies_as_numbered(k, a, width); };
    for (std::uint32_t a = 0; a < k.accesses.size(); ++a)
        while (width > 1 && (is_long() || !fits(a))) width /= 2;
    return width > 1 ? width : 0;
}

// Bytes of an element of all operands that a map reads, each once, or of all arrays, whatever views of them: of those
// that every point has an element of its own of, or else of those that are repeated.
SINTER_INLINE int bytes_read(const kernel& k, bool of_arrays) {
    sequence<char> spread(k.operands.size(), 0), repeated(k.operands.size(), 0);
    for (const instruction& i : k.body) {
        const bool gathers = i.kind == instruction_kind::gather;
        if (!gathers && !k.loads_memory(i)) continue;
        const bool own = gathers || is_spread(k, i.payload);
        (own ? spread : repeated)[static_cast<std::size_t>(k.accesses[i.payload].operand)] = 1;
    }
    auto bytes_of = [&](const sequence<char>& which) {
        int bytes = 0;
        for (std::size_t o = 0; o < k.operands.size(); ++o) {
            bool is_first = which[o];
            for (std::size_t before = 0; of_arrays && before < o; ++before)
                is_first = is_first && !(which[before] && k.operands[before].slot == k.operands[o].slot);
            if (is_first) bytes += size_of(k.operands[o].type);
        }
        return bytes;
    };
    const int own = bytes_of(spread);
    return own > 0 ? own : bytes_of(repeated);
}

// How many single elements a thread of a map computes that cannot load neighbours at once: so many that it has as many
// bytes on their way as if it could, of a row twice as many, or all that lie side by side in memory where few do.
SINTER_INLINE int choose_items(const kernel& k, const schedule& s, const family_schedule& on) {
    if (s.tile > 0 || !may_take_rows(k, on)) return 1;
    // Shifted views of a row are the same lines of memory.
    const bool one_row = k.space.size() == 1 && !k.has(instruction_kind::gather);
    const int bytes = bytes_read(k, one_row), wanted = one_row ? 2 * on.vector_bytes : on.vector_bytes;
    bool along = false;
    for (std::uint32_t a = 0; k.space.size() == 2 && a < k.accesses.size(); ++a)
        along = along || step_across(k, a, 0, false) != 0;
    int items = k.space.size() > 2 ? on.rows_of_tile : bytes > 0 ? 2 : 1;
    while (bytes > 0 && items < on.most_items && (items * bytes < wanted || (along && items < k.space[0]))) items *= 2;
    auto is_long = [&] { return k.body.size() * static_cast<std::size_t>(items) > on.packed_body; };
    const bool has_rows = k.space.size() > 1;
    while (items > 1 && (is_long() || (has_rows && items >= 2 * k.space[axis_of_rows(k)]))) items /= 2;
    return items;
}

// Whether rows of a map that gathers share what they load, as indices of columns.
SINTER_INLINE bool gathers_at_columns(const kernel& k) {
    if (!k.has(instruction_kind::gather)) return false;
    return codegen::any_of(k.body.begin(), k.body.end(), [&](const instruction& v) {
        return k.loads_memory(v) && k.accesses[v.payload].step == stride_class::contiguous &&
               repeats_along_rows(k, v.payload);
    });
}

// How many rows of neighbours a thread of a map has that is not flat: several where they share operands or positions,
// wait for positions before they can load, or share the divisions that find their place.
SINTER_INLINE int choose_rows(const kernel& k, const schedule& s, const family_schedule& on) {
    if (k.space.size() < 2 || !may_take_rows(k, on) || draws(k)) return 1;
    bool gathers = gathers_at_columns(k);
    for (std::uint32_t i = 0; i < k.body.size(); ++i) gathers = gathers || is_gathered_by_packs(k, i, s.vector_width);
    int rows = is_outer(k) ? on.most_items : gathers ? on.rows_of_gather : k.space.size() > 2 ? 2 : 1;
    const std::size_t neighbours = k.body.size() * static_cast<std::size_t>(s.vector_width);
    while (rows > 1 && neighbours * static_cast<std::size_t>(rows) > on.packed_body) rows /= 2;
    return rows;
}

// How often a thread of a flat map draws its neighbours: those that only make random numbers wait for nothing but their
// own arithmetic, whose constant part several packs share.
SINTER_INLINE int choose_packs(const kernel& k, const schedule& s, const family_schedule& on) {
    if (s.vector_width == 1) return choose_items(k, s, on);
    if (s.map == mapping::joined_rows) return 1;
    if (!s.flat) return s.tile > 0 ? 1 : choose_rows(k, s, on);
    if (k.has(instruction_kind::gather)) return 1;
    for (const instruction& i : k.body)
        if (i.kind == instruction_kind::load && k.accesses[i.payload].step != stride_class::aligned) return 1;
    std::size_t elements = static_cast<std::size_t>(s.vector_width * on.random_packs);
    return draws(k) && k.body.size() * elements <= on.packed_body ? on.random_packs : 1;
}

SINTER_INLINE std::int64_t tile_bytes(const kernel& k, const family_schedule& on, int axis, int side) {
    std::int64_t bytes = 0;
    for (std::uint32_t a = 0; a < k.accesses.size(); ++a)
        if (step_across(k, a, axis, on.reverses) != 0) bytes += side * (side + 1) * operand_bytes(k, a);
    return bytes;
}

// The side of the tiles for the operands that are transposed; 0 when they do not fit. Narrow ones also where one is as
// long as an axis.
SINTER_INLINE int choose_side(const kernel& k, const family_schedule& on, int axis) {
    bool narrow = k.space[axis] <= on.narrow_tile || k.space.back() <= on.narrow_tile;
    for (std::uint32_t a = 0; a < k.accesses.size(); ++a)
        narrow = narrow || (step_across(k, a, axis, on.reverses) != 0 && operand_bytes(k, a) > 4);
    if (!narrow && tile_bytes(k, on, axis, on.wide_tile) <= on.shared_bytes) return on.wide_tile;
    return tile_bytes(k, on, axis, on.narrow_tile) <= on.shared_bytes ? on.narrow_tile : 0;
}

// Of square tiles that a CPU transposes in its cache (bench/tuning). Whole tiles of vectors, and no power of two, by
// which the lines of a tile would fall into few sets of a cache.
SINTER_INLINE int side_of_host_tiles(const kernel& k, int axis) {
    constexpr std::int64_t most_of_one = 36 << 10, most = 288 << 10;
    for (int side : {192, 96}) {
        std::int64_t largest = 0, all = 0;
        for (std::uint32_t a = 0; a < k.accesses.size(); ++a) {
            if (step_across(k, a, axis, false) == 0) continue;
            const std::int64_t bytes = side * side * operand_bytes(k, a);
            largest = bytes > largest ? bytes : largest;
            all += bytes;
        }
        if (largest <= most_of_one && all <= most) return side;
    }
    return 48;
}

// Whether what no tile transposes lies along all axes behind one as along a single axis.
SINTER_INLINE bool lies_joined(const kernel& k, int axis) {
    for (std::uint32_t a = 0; a < k.accesses.size(); ++a) {
        if (step_across(k, a, axis, false) != 0) continue;
        const layout& at = k.accesses[a].at;
        for (int i = axis + 2; i < k.space.size(); ++i)
            if (at.strides[i - 1] != at.strides[i] * k.space[i]) return false;
    }
    return true;
}

// Lines of tiles lie along the innermost axis, or along all behind the tiles' other axis where that is short.
SINTER_INLINE tile_choice choose_tile(const kernel& k, const family_schedule& on) {
    constexpr std::int64_t most_blocks = 65535;  // along y and z of a grid
    const int inner = k.space.size() - 1;
    if (k.reduces() || inner < 1 || k.body.size() > on.long_body) return {};
    for (const store& s : k.stores)
        if (k.accesses[s.access].step != stride_class::contiguous) return {};
    std::int64_t lines = k.space[inner];
    for (int axis = inner; axis-- > 0; lines *= k.space[axis]) {
        if (k.space[axis] < on.least_along || lines < on.least_transposed) continue;
        const bool joins = k.space[inner] < on.least_transposed;
        if (joins && (!on.joins_lines || !lies_joined(k, axis))) continue;
        if (!joins && k.kept_size() / k.space[axis] / k.space[inner] > most_blocks) continue;
        const int side = tile_bytes(k, on, axis, 1) > 0 ? choose_side(k, on, axis) : 0;
        if (side > 0 && k.space[axis] <= most_blocks * side) return {side, axis, joins};
    }
    return {};
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_IEEE_END

SINTER_COLD_END
