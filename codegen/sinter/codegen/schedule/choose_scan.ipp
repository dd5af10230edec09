// Bodies of choose_scan.hpp.
#pragma once

#include <sinter/codegen/schedule/choose_scan.hpp>
#include <sinter/codegen/schedule/stages.hpp>

#include <algorithm>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// Words of an element that a scan or selection keeps in registers.
SINTER_INLINE int persistent_words_of_scan(const kernel& k) {
    const sequence<char> kept = persistent_over_scans(k);
    int count = 0;
    for (const reduction_step& r : k.reductions) count += k.selects ? 0 : words_of(r.type);
    for (std::uint32_t i = 0; i < k.body.size(); ++i)
        if (kept[i]) count += words_of(k.body[i].type);
    return count;
}

SINTER_INLINE bool may_be_resident(const kernel& k, const schedule& s, const instruction& v) {
    if (v.stage != 0 || v.kind != instruction_kind::load) return false;
    if (k.tree == reduce_tree::rows) return loads_pack(k, s, v);
    return k.accesses[v.payload].operand != access::own_number && is_copied_type(v.type);
}

// Bytes that a tile of a scan loads so that they may stay, of each element.
SINTER_INLINE int bytes_loaded(const kernel& k, const schedule& s) {
    int bytes = 0;
    for (const instruction& v : k.body)
        if (may_be_resident(k, s, v)) bytes += size_of(k.operand_of(v.payload).type);
    return bytes;
}

SINTER_INLINE bool loads_are_resident(const kernel& k, const schedule& s, int resident_element_bytes) {
    constexpr int cheap = 8;
    if (!k.scans || scans_one_tile(s.map) || k.body.size() > unrolled_body) return false;
    int cost = 0;
    for (const instruction& v : k.body) {
        if (v.stage != 0) continue;
        if (v.kind == instruction_kind::invoke || v.kind == instruction_kind::gather) return false;
        if (v.kind == instruction_kind::apply) cost += info(v.operation).cost;
    }
    const int bytes = bytes_loaded(k, s);
    return cost <= cheap && bytes > 0 && bytes <= resident_element_bytes && bytes <= 4 * persistent_words_of_scan(k);
}

SINTER_INLINE scan_schedule schedule_of_scan(const kernel& k, const schedule& s) {
    int bytes = 1;
    for (const store& to : k.stores) {
        int size = size_of(k.operand_of(to.access).type);
        bytes = size > bytes ? size : bytes;
    }
    if (scans_one_tile(s.map) || k.body.size() > unrolled_body) return {};
    if (s.stays) {
        int words = 0;
        for (const reduction_step& r : k.reductions) words += words_of(r.accumulator());
        return resident_schedule_of(words, bytes_loaded(k, s));
    }
    return k.selects ? select_schedule_of(persistent_words_of_scan(k), bytes)
                     : scan_schedule_of(persistent_words_of_scan(k));
}

// Shared memory for each column of a tile: what stays there, and results of chunks, and of tiles where all are asked
// for.
SINTER_INLINE int column_bytes_of_scan(const kernel& k, const schedule& s, int results) {
    int bytes = s.stays ? column_scan_tile * bytes_loaded(k, s) : 0;
    for (const reduction_step& r : k.reductions) bytes += results * (is_complex(r.type) ? 16 : 8);
    return bytes;
}

// The most of these columns whose results have room in shared memory; 0 where too few have.
SINTER_INLINE int columns_with_workspace(const kernel& k, const schedule& s, int columns, int results) {
    constexpr int least = reduction_schedules.least_scan_columns, most = 46 << 10;
    while (columns >= least && columns * column_bytes_of_scan(k, s, results) > most) columns /= 2;
    return columns >= least ? columns : 0;
}

SINTER_INLINE int columns_that_ask(const kernel& k, const schedule& s, int columns) {
    constexpr int results = column_scan_tile / column_scan_chunk + column_scan_fan;
    return scans_one_tile(s.map) ? 0 : columns_with_workspace(k, s, columns, results);
}

// Lines of memory of two warps, where what they load has room beside what they combine; few columns stand side by side
// with nobody idle.
SINTER_INLINE int columns_of_scan(const kernel& k, const schedule& s, int columns) {
    constexpr int narrow = 32, wide = 64, least = 8, results = column_scan_tile / column_scan_chunk + 1;
    if (scans_one_tile(s.map) && columns > 0) return columns;
    if (const int few = columns_that_ask(k, s, columns); few > 0) return few;
    return std::max(least, columns_with_workspace(k, s, s.stays ? wide : narrow, results));
}

SINTER_INLINE int chunks_of_scan(const schedule& s, int columns) {
    constexpr int all = column_scan_tile / column_scan_chunk;
    return scans_one_tile(s.map) && columns > 0 ? 256 / columns : all;
}

// Few columns wait for their memory and for each other: they need many thread blocks at work, whose registers are
// bounded where a single scan's results take few.
SINTER_INLINE int blocks_of_column_scan(const kernel& k, const schedule& s) {
    const bool few = k.reductions.size() == 1 && size_of(k.reductions[0].accumulator()) <= 8;
    return s.asks_all_tiles && few && k.body.size() <= unrolled_body ? reduction_schedules.column_scan_blocks : 0;
}

SINTER_INLINE void choose_scan_details(schedule& s, const kernel& k, int columns, int resident_element_bytes) {
    s.stays = loads_are_resident(k, s, resident_element_bytes);
    const scan_schedule tile = schedule_of_scan(k, s);
    s.threads = tile.threads;
    s.chunks = tile.chunks;
    s.blocks = tile.blocks;
    if (k.selects || k.tree == reduce_tree::rows) return;
    s.asks_all_tiles = columns_that_ask(k, s, columns) > 0;
    s.columns = columns_of_scan(k, s, columns);
    s.chunks = chunks_of_scan(s, columns);
    s.threads = s.columns * s.chunks;
    s.blocks = blocks_of_column_scan(k, s);
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
