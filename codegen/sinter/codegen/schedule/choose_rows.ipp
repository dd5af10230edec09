// Bodies of choose_rows.hpp.
#pragma once

#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/schedule/choose_rows.hpp>
#include <sinter/codegen/schedule/draws.hpp>
#include <sinter/codegen/schedule/stages.hpp>

#include <algorithm>
#include <bit>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE bool may_unroll(const kernel& k, int elements) {
    constexpr int most_work = 2048;
    return k.body.size() <= unrolled_body && elements * work_of(k) <= most_work;
}

// How many rows of an outer product a thread has to itself, along the outer axes: threads that shared a row would take
// what they read not from each other but from the cache, and each divide its number. 0: rows are no such product's.
SINTER_INLINE int rows_of_product(const kernel& k, const schedule& s, const family_schedule& on) {
    constexpr int least_beside = 128;
    constexpr const reduction_schedule& tuned = reduction_schedules;
    if (!is_large(k) || k.is_row_kernel() || draws(k) || s.row_capacity > tuned.thread_row || k.kept < 2 ||
        k.space[k.kept - 1] < least_beside || k.kept_size() < on.thread_columns)
        return 0;
    bool repeats = false;
    int words = 0;
    for (const instruction& v : k.body) {
        if (v.kind == instruction_kind::gather || v.kind == instruction_kind::whole) return 0;
        if (v.stage != 0 || !k.loads_memory(v)) continue;
        const bool same = repeats_along_outer(k, v.payload);
        // Others lie side by side for neighbouring rows, or are the same.
        const std::int64_t beside = k.accesses[v.payload].at.strides[k.kept - 1];
        if (!same && beside != 0 && beside != 1) return 0;
        repeats = repeats || same;
        if (!same) words += words_of(v.type);
    }
    const std::int64_t outer = k.kept_size() / k.space[k.kept - 1];
    int rows = tuned.rows_of_thread;
    while (rows > 1 && (rows > outer || !may_unroll(k, rows * s.row_capacity) ||
                        rows * s.row_capacity * words > tuned.thread_row_words))
        rows /= 2;
    return repeats && rows > 1 ? rows : 0;
}

SINTER_INLINE int lanes_per_row(const kernel& k, const schedule& s) {
    constexpr const reduction_schedule& tuned = reduction_schedules;
    constexpr int sector = 2;  // so many packs of four lie in one, which memory moves at once
    const bool packed = s.vector_width > 1;
    // Three quarters of a power of two have as many lanes as all of it, and fewer groups for each.
    const int groups = static_cast<int>(std::bit_ceil(static_cast<unsigned>(s.row_capacity))) / 4,
              kept = groups / (packed ? tuned.persistent_row_groups : tuned.single_row_groups);
    const int wanted = k.is_row_kernel() ? std::min(tuned.persistent_row_lanes, kept)
                       : packed          ? tuned.warp_row_lanes
                                         : tuned.single_row_lanes;
    return std::min(groups, std::clamp(groups / tuned.warp_row_groups, std::max(wanted, packed ? sector : 1), 32));
}

// So many that enough bytes are on their way, which those of a single row are not.
SINTER_INLINE int rows_of_thread(const kernel& k, const schedule& s, const family_schedule& on) {
    constexpr const reduction_schedule& tuned = reduction_schedules;
    if (!is_large(k) || k.kept_size() * k.reduced_size() < on.least_for_items || k.body.size() > unrolled_body)
        return 1;
    // Distances from a row's first value keep a thread's registers and its units for float64 busy by themselves.
    for (int stage = 0; stage < k.stages; stage += 2)
        if (!origins(k, stage).empty()) return 1;
    const sequence<char> kept = persistent_values(k, persistent_in_threads(k));
    int bytes = 0, words = 0, rows = 1;
    for (std::uint32_t i = 0; i < k.body.size(); ++i) {
        const instruction& v = k.body[i];
        if (is_bundle(k, i)) return 1;
        if (kept[i]) words += words_of(v.type);
        if (k.loads_memory(v) && v.stage == 0 && k.accesses[v.payload].step != stride_class::broadcast)
            bytes += size_of(v.type);
    }
    const int elements = s.row_capacity / s.lanes;
    auto fits = [&](int n) {
        return n * elements * bytes <= tuned.warp_row_bytes && n * elements * words <= tuned.warp_row_words;
    };
    while (bytes > 0 && rows < tuned.rows_per_thread && fits(2 * rows)) rows *= 2;
    return rows;
}

// What of an element a reduction's accumulator is made from: rather than a float64 the float that it was.
SINTER_INLINE std::uint32_t exchanged_value(const kernel& k, const reduction_step& r, const sequence<char>& here) {
    const instruction& v = k.body[r.argument];
    const bool widens = here[r.argument] && v.kind == instruction_kind::apply && v.operation == op::cast &&
                        v.common == dtype::float32 && v.type == dtype::float64;
    return widens && !is_row_stage(k.body[v.args[0]].stage) ? v.args[0] : r.argument;
}

// The same of a stage's reductions, each once.
SINTER_INLINE sequence<std::uint32_t> exchanged_values(const kernel& k, int stage) {
    const sequence<char> here = computed_in(k, stage, persistent_values(k, persistent_in_threads(k)));
    sequence<std::uint32_t> found;
    for (const reduction_step& r : k.reductions) {
        if (r.stage != stage || !combines(r)) continue;
        const std::uint32_t i = exchanged_value(k, r, here);
        if (codegen::find(found.begin(), found.end(), i) == found.end()) found.push_back(i);
    }
    return found;
}

// Bytes of what a stage turns of an element, at most.
SINTER_INLINE int exchanged_bytes(const kernel& k) {
    int most = 0;
    for (int stage = 0; stage < k.stages; ++stage) {
        int bytes = 0;
        for (std::uint32_t i : exchanged_values(k, stage)) bytes += size_of(k.body[i].type);
        most = std::max(most, bytes);
    }
    return most;
}

// Groups of each row's lanes that have room in shared memory at once: all, or a power of two.
SINTER_INLINE int exchanged_groups(const kernel& k, const schedule& s) {
    const int bytes = 4 * 256 * exchanged_bytes(k);
    auto fits = [&](int groups) { return groups * bytes <= reduction_schedules.transposed_bytes; };
    if (fits(s.groups)) return s.groups;
    int groups = static_cast<int>(std::bit_ceil(static_cast<unsigned>(s.groups))) / 2;
    while (groups > 0 && !fits(groups)) groups /= 2;
    return groups;
}

// Elements of a row's shared buffer: those of its groups, and a gap, so that the two rows of a warp meet all banks.
SINTER_INLINE int exchanged_elements(const kernel& k, const schedule& s) {
    const int lanes = s.lanes;
    return 4 * lanes * exchanged_groups(k, s) + (lanes < 32 ? lanes : 0);
}

// Whether neighbouring lanes move neighbours, rather than each four of its own that pass through shared memory when
// they are stored: of rows that are stored, and not with few lanes for each (bench/tuning).
SINTER_INLINE bool may_exchange(const kernel& k, const schedule& s) {
    constexpr int least_lanes = 16;
    if (!k.is_row_kernel() || !s.close_capacity || s.vector_width > 1 || s.rows_per_thread > 1 ||
        k.body.size() > unrolled_body)
        return false;
    return s.lanes >= least_lanes && exchanged_groups(k, s) > 0;
}

// Where little is computed, more thread blocks are worth more than registers beyond those for what a thread keeps.
SINTER_INLINE int blocks_of_short_rows(const kernel& k, const schedule& s, const sequence<char>& kept) {
    constexpr const reduction_schedule& tuned = reduction_schedules;
    if (!k.is_row_kernel() || s.vector_width > 1 || s.rows_per_thread > 1 || k.body.size() > tuned.warp_row_body)
        return 0;
    for (std::uint32_t i = 0; i < k.body.size(); ++i)
        if (kept[i] && size_of(k.body[i].type) > 4) return 0;
    const int elements = 4 * s.groups;
    return elements <= 16 ? tuned.warp_row_blocks : elements <= 32 ? tuned.longer_row_blocks : 0;
}

// Where threads keep many elements, two or three thread blocks that fit a multiprocessor are worth more than what else
// registers are for.
SINTER_INLINE int blocks_of_kept_rows(const kernel& k, const schedule& s, const sequence<char>& kept) {
    int words = 0;
    for (std::uint32_t i = 0; i < k.body.size(); ++i)
        if (kept[i]) words += words_of(k.body[i].type);
    return s.row_blocks <= 2 ? 0 : 4 * s.groups * words <= reduction_schedules.persistent_words ? 3 : 2;
}

// Bytes that a thread loads of a block of 4096 elements, or of several where it takes these at once.
SINTER_INLINE int bytes_of_block(const kernel& k, const schedule& s) {
    int bytes = 0;
    for (const instruction& v : k.body)
        if (v.stage == 0 && loads_pack(k, s, v)) bytes += 16 * size_of(v.type);
    return s.ahead > 4 ? bytes * s.ahead / 4 : bytes;
}

// How many groups of four elements a thread loads ahead: 4 are a block of 4096 of the order, and more are several,
// where their order does not matter and so few bytes are loaded that too few would be on their way.
SINTER_INLINE int groups_ahead(const kernel& k, const schedule& s) {
    int bytes = bytes_of_block(k, s), groups = 0;
    if (k.body.size() <= unrolled_body && bytes > 0 && bytes <= reduction_schedules.bytes_ahead) groups = 4;
    if (k.reductions.size() != 1 || !is_exact(k.reductions[0].how, k.reductions[0].type)) return groups;
    for (; groups > 0 && groups < 16 && 2 * bytes <= reduction_schedules.exact_bytes; groups *= 2) bytes *= 2;
    return groups;
}

// Results of more than two registers leave too few of them for what a thread loads ahead, or fewer thread blocks.
SINTER_INLINE bool has_wide_results(const kernel& k) {
    constexpr int most = 2;
    int words = 0;
    for (const reduction_step& r : k.reductions) words += words_of(r.accumulator()) + is_indexed(r.how);
    return words > most;
}

SINTER_INLINE bool takes_many_blocks(const kernel& k, const schedule& s) {
    return s.ahead > 0 ? bytes_of_block(k, s) <= reduction_schedules.few_bytes && !has_wide_results(k) : draws(k);
}

SINTER_INLINE int blocks_of_long_rows(const kernel& k, const schedule& s) {
    if (s.ahead > 0 && has_wide_results(k) && bytes_of_block(k, s) >= reduction_schedules.wide_bytes)
        return reduction_schedules.row_blocks_of_wide;
    return takes_many_blocks(k, s) ? reduction_schedules.many_blocks : reduction_schedules.row_blocks;
}

SINTER_INLINE int blocks_of_columns(const kernel& k) {
    return has_wide_results(k) ? reduction_schedules.column_blocks_of_wide : reduction_schedules.column_blocks;
}

// How many elements of its lane a thread loads before it uses the first of them; 0: every one when it is needed.
SINTER_INLINE int rows_ahead(const kernel& k) {
    if (k.space.size() != k.kept + 1 || k.body.size() > unrolled_body) return 0;
    int bytes = 0;
    for (std::uint32_t i : loads_of_columns(k)) bytes += size_of(k.body[i].type);
    int most = work_of(k) > heavy_work ? 4 : 16;
    while (most > 2 && most * bytes > reduction_schedules.column_bytes_ahead) most /= 2;
    return bytes > 0 && most > 2 ? most : 0;
}

// How many neighbouring columns of narrow types a thread takes, so that it moves as many bytes at once as of a wider
// one. Only where all that it reads are columns, and nothing is kept for each of them beside their results.
SINTER_INLINE int columns_of_thread(const kernel& k) {
    if (!is_large(k) || draws(k) || k.kept != 1 || work_of(k) > heavy_work || !origins(k, 0).empty()) return 1;
    int widest = 1;
    for (const instruction& v : k.body) {
        const bool is_own = v.kind == instruction_kind::load && !k.loads_memory(v);
        const bool is_plain = v.kind == instruction_kind::load || v.kind == instruction_kind::apply || is_given(v);
        if (v.stage == 0 && (is_own || !is_plain)) return 1;
    }
    for (std::uint32_t i : loads_of_columns(k))
        widest = std::max(widest, size_of(k.operand_of(k.body[i].payload).type));
    int columns = reduction_schedules.column_bytes / widest;
    auto are_packs = [&] {
        for (std::uint32_t i : loads_of_columns(k)) {
            const layout& at = k.accesses[k.body[i].payload].at;
            if (at.strides[0] != 1 || at.strides[1] % columns != 0 || at.offset % columns != 0) return false;
        }
        return k.space[0] % columns == 0;
    };
    while (columns > 1 && !are_packs()) columns /= 2;
    return std::max(columns, 1);
}

SINTER_INLINE void choose_row_details(schedule& s, const kernel& k, const family_schedule& on) {
    const sequence<char> kept = persistent_values(k, persistent_in_threads(k));
    const bool single = s.vector_width == 1;
    // Longer rows are rare, and what joins them takes NVRTC long.
    const bool one_level = k.reduced_size() <= std::int64_t{row_block} * row_block;
    switch (s.map) {
        case mapping::rows_per_warp:
            s.rows_per_thread = rows_of_product(k, s, on);
            s.outer_rows = s.rows_per_thread > 0;
            s.lanes = s.outer_rows ? 1 : lanes_per_row(k, s);
            s.groups = s.row_capacity / (4 * s.lanes);
            if (s.outer_rows) return;
            s.rows_per_thread = rows_of_thread(k, s, on);
            if (may_exchange(k, s)) s.items = arrangement::exchanged;
            s.blocks = blocks_of_short_rows(k, s, kept);
            return;
        case mapping::block_per_row:
            s.row_blocks = (s.row_capacity + row_block - 1) / row_block;
            s.groups = s.row_capacity / row_lanes;
            if (single) s.items = arrangement::striped;
            s.blocks = blocks_of_kept_rows(k, s, kept);
            return;
        case mapping::resident_row:
        case mapping::cooperative_row:
            s.groups = 4;
            s.one_level = s.row_capacity == 0 && one_level;
            if (single) s.items = arrangement::striped;
            return;
        case mapping::grid_per_row:
            s.ahead = groups_ahead(k, s);
            s.groups = std::max(4, s.ahead);
            s.one_level = one_level;
            if (s.ahead > 0 || !shared_draws(k, s.vector_width).empty()) s.blocks = blocks_of_long_rows(k, s);
            return;
        case mapping::grid_per_column:
            s.ahead = rows_ahead(k);
            if (s.ahead > 0) s.blocks = blocks_of_columns(k);
            if (s.ahead > 0) s.packs = columns_of_thread(k);
            return;
        default: return;
    }
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
