// Bodies of emit_cuda.hpp that spread scans and selections over the threads of a GPU.
#pragma once

#include <algorithm>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// Words of an element that a scan or selection keeps in registers.
SINTER_INLINE int words_kept(const kernel& k) {
    const sequence<char> kept = kept_over_scans(k);
    int count = 0;
    for (const reduction_step& r : k.reductions) count += k.selects ? 0 : words_of(r.type);
    for (std::uint32_t i = 0; i < k.body.size(); ++i)
        if (kept[i]) count += words_of(k.body[i].type);
    return count;
}

SINTER_INLINE bool may_stay(const kernel& k, const instruction& v) {
    if (v.stage != 0 || v.kind != instruction_kind::load) return false;
    if (k.tree == reduce_tree::rows) return loads_pack(k, v);
    return k.accesses[v.payload].operand != access::own_number && is_copied_type(v.type);
}

// Bytes that a tile of a scan loads so that they may stay, of each element.
SINTER_INLINE int bytes_loaded(const kernel& k) {
    int bytes = 0;
    for (const instruction& v : k.body)
        if (may_stay(k, v)) bytes += size_of(k.operands[static_cast<std::size_t>(k.accesses[v.payload].operand)].type);
    return bytes;
}

SINTER_INLINE bool loads_stay(const kernel& k) {
    constexpr int cheap = 8;
    if (!k.scans || scans_one_tile(k) || k.body.size() > unrolled_body) return false;
    int cost = 0;
    for (const instruction& v : k.body) {
        if (v.stage != 0) continue;
        if (v.kind == instruction_kind::invoke || v.kind == instruction_kind::gather) return false;
        if (v.kind == instruction_kind::apply) cost += info(v.operation).cost;
    }
    const int bytes = bytes_loaded(k);
    return cost <= cheap && bytes > 0 && bytes <= k.how.staying_bytes && bytes <= 4 * words_kept(k);
}

SINTER_INLINE scan_schedule schedule_of_scan(const kernel& k) {
    int bytes = 1;
    for (const store& s : k.stores) {
        int size = size_of(k.operands[static_cast<std::size_t>(k.accesses[s.access].operand)].type);
        bytes = size > bytes ? size : bytes;
    }
    if (scans_one_tile(k) || k.body.size() > unrolled_body) return {};
    if (loads_stay(k)) {
        int words = 0;
        for (const reduction_step& r : k.reductions) words += words_of(accumulator_type(r.how, r.type));
        return staying_schedule_of(words, bytes_loaded(k));
    }
    return k.selects ? select_schedule_of(words_kept(k), bytes) : scan_schedule_of(words_kept(k));
}

// Shared memory for each column of a tile: what stays there, and results of chunks, and of tiles where all are asked
// for.
SINTER_INLINE int column_bytes_of_scan(const kernel& k, int results) {
    int bytes = loads_stay(k) ? column_scan_tile * bytes_loaded(k) : 0;
    for (const reduction_step& r : k.reductions) bytes += results * (is_complex(r.type) ? 16 : 8);
    return bytes;
}

// The most of these columns whose results have room in shared memory; 0 where too few have.
SINTER_INLINE int columns_with_room(const kernel& k, int columns, int results) {
    constexpr int least = reduction_schedules.least_scan_columns, most = 46 << 10;
    while (columns >= least && columns * column_bytes_of_scan(k, results) > most) columns /= 2;
    return columns >= least ? columns : 0;
}

SINTER_INLINE int columns_that_ask(const kernel& k) {
    constexpr int results = column_scan_tile / column_scan_chunk + column_scan_fan;
    return scans_one_tile(k) ? 0 : columns_with_room(k, k.how.scan_columns, results);
}

SINTER_INLINE bool asks_all_tiles(const kernel& k) { return columns_that_ask(k) > 0; }

// Lines of memory of two warps, where what they load has room beside what they join; few columns stand side by side
// with nobody idle.
SINTER_INLINE int columns_of_scan(const kernel& k) {
    constexpr int narrow = 32, wide = 64, least = 8, results = column_scan_tile / column_scan_chunk + 1;
    if (scans_one_tile(k) && k.how.scan_columns > 0) return k.how.scan_columns;
    if (const int few = columns_that_ask(k); few > 0) return few;
    return std::max(least, columns_with_room(k, loads_stay(k) ? wide : narrow, results));
}

SINTER_INLINE int chunks_of_scan(const kernel& k) {
    constexpr int all = column_scan_tile / column_scan_chunk;
    return scans_one_tile(k) && k.how.scan_columns > 0 ? cuda_threads / k.how.scan_columns : all;
}

// Rows: a sub-warp, up to eight warps, or thread blocks that each take a tile. Columns: a thread for each chunk of each
// of a tile.
SINTER_INLINE cuda_launch scan_launch(const kernel& k) {
    std::int64_t kept = k.kept_size(), n = k.reduced_size();
    if (k.tree == reduce_tree::columns) {
        const int columns = columns_of_scan(k);
        const std::int64_t strips = ceil_divide(kept, columns), tiles = ceil_divide(n, column_scan_tile);
        const std::int64_t runners = strips * static_cast<std::int64_t>(k.reductions.size());
        const bool runs = asks_all_tiles(k) &&
                          ceil_divide(tiles, column_scan_fan) > reduction_schedules.groups_without_runner &&
                          runners <= reduction_schedules.most_runners;
        cuda_launch l = blocks_in_a_row(strips * tiles + (runs ? runners : 0));
        l.block[0] = static_cast<unsigned>(columns);
        l.block[1] = static_cast<unsigned>(chunks_of_scan(k));
        return l;
    }
    if (!scans_one_tile(k)) {
        std::int64_t tiles = ceil_divide(n, scan_tile),
                     runners = tiles > scan_fan ? static_cast<std::int64_t>(k.reductions.size()) : 0;
        cuda_launch l = blocks_in_a_row(kept * (tiles + runners));
        l.block[0] = static_cast<unsigned>(schedule_of_scan(k).threads);
        return l;
    }
    unsigned x = k.how.short_rows ? threads_for(ceil_divide(n, scan_chunk), 32)
                                  : 32 * threads_for(ceil_divide(n, scan_segment), 8);
    cuda_launch l = blocks_in_a_row(ceil_divide(kept, cuda_threads / x));
    l.block[0] = x;
    l.block[1] = cuda_threads / x;
    return l;
}

}  // namespace sinter::inline SINTER_ABI::codegen
