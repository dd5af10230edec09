// Bodies of resident_rows.hpp.
#pragma once

#include <sinter/codegen/schedule/resident_rows.hpp>

#include <algorithm>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE resident_layout plan_residents(const kernel& k, const persistence& what) {
    struct buffer {
        int at, size, until;
        std::uint32_t load;
    };
    resident_layout h{persistent_values(k, what), sequence<int>(k.body.size(), 0), 0,
                      sequence<std::uint32_t>(k.body.size(), no_load)};
    sequence<buffer> buffers;
    for (std::uint32_t i = 0; i < k.body.size(); ++i) {
        if (!h.persistent[i]) continue;
        const int size = size_of(k.body[i].type), first = k.body[i].stage;
        h.widest = std::max(h.widest, size);
        int last = first;
        for (int stage = first + 2; stage < k.stages; stage += 2)
            if (used_in(k, stage, computed_in(k, stage, h.persistent))[i]) last = stage;
        // Loads are there before the stage reads what it keeps from earlier ones.
        const bool loads = k.body[i].kind == instruction_kind::load;
        const int free_until = loads ? first - 1 : first;
        std::size_t r = 0;
        while (r < buffers.size() && (buffers[r].size != size || buffers[r].until > free_until)) ++r;
        if (r == buffers.size()) {
            buffers.push_back({h.bytes, size, last, no_load});
            h.bytes += size;
        }
        buffers[r].until = last;
        if (loads) buffers[r].load = i;
        h.load[i] = buffers[r].load;
        h.offset[i] = buffers[r].at;
    }
    return h;
}

SINTER_INLINE int tile_buffer_words(const kernel& k) {
    constexpr int values = 256, word = 8;
    int size = 0;
    for (const reduction_step& r : k.reductions) {
        if (is_indexed(r.how)) return buffer_words(k);
        size = std::max(size, size_of(r.accumulator()));
    }
    return values * size / word;
}

SINTER_INLINE int buffers_of_tile(const kernel& k) {
    constexpr int few = 3;
    const int most = most_combined_reductions(k);
    return most <= few ? most : 0;
}

SINTER_INLINE int fixed_buffers(const kernel& k) {
    constexpr int at_once = 4;
    return std::max(at_once, 2 * std::min(combined_reductions(k), at_once));
}

SINTER_INLINE int fixed_bytes_of_block(const kernel& k, bool in_shared) {
    constexpr int of_driver = 1024, of_index = 8, slack = 32;
    int bytes = in_shared && buffers_of_tile(k) > 0 ? 0 : 8 * buffer_words(k) * fixed_buffers(k);
    for (const reduction_step& r : k.reductions)
        bytes += results_in_shared_memory * (size_of(r.accumulator()) + (is_indexed(r.how) ? of_index : 0)) + slack;
    return bytes + of_index * (k.stages + most_resident_tiles) + of_driver;
}

SINTER_INLINE int gap_of_residents(const kernel& k, const resident_layout& resident) {
    constexpr int most_lanes = 4, pack = 16;
    int gap = most_lanes;
    for (std::uint32_t i = 0; i < k.body.size(); ++i)
        if (resident.persistent[i]) gap = std::max(gap, pack / size_of(k.body[i].type));
    return gap;
}

SINTER_INLINE int resident_tile_bytes(const kernel& k, const resident_layout& resident) {
    return (row_block + gap_of_residents(k, resident)) * resident.bytes + 8 * tile_buffer_words(k) * buffers_of_tile(k);
}

SINTER_INLINE int resident_tiles(const kernel& k, const resident_layout& resident, int resident_bytes, bool in_shared) {
    const int buffer = std::max(0, resident_bytes - fixed_bytes_of_block(k, in_shared));
    return resident.bytes > 0 ? std::min(most_resident_tiles, buffer / resident_tile_bytes(k, resident)) : 0;
}

// What goes to shared memory and back goes through registers, too.
SINTER_INLINE persistence resident_values(const kernel& k, bool whole) {
    const bool keeps = k.body.size() <= unrolled_body;
    return {keeps, keeps ? 8 : 0, whole};
}

// Without anything to hold, as many blocks as keep all of a thread block's threads busy for a while.
SINTER_INLINE cooperative_row cooperative_row_of(const kernel& k) {
    constexpr int busy = 4;
    const bool whole = k.how.row_capacity > 0;
    cooperative_row s{plan_residents(k, resident_values(k, whole)), busy, whole};
    if (s.resident.bytes > 0) s.blocks = resident_tiles(k, s.resident, k.how.resident_bytes, k.how.row_capacity > 0);
    if (s.blocks > 0) return s;
    return {{sequence<char>(k.body.size(), 0), sequence<int>(k.body.size(), 0), 0, {}}, busy, false};
}

SINTER_INLINE bool lies_shifted(const kernel& k, const instruction& v) {
    return k.loads_memory(v) && k.accesses[v.payload].step == stride_class::contiguous && is_copied_type(v.type);
}

SINTER_INLINE std::int64_t resident_tile_elements(const kernel& k) {
    const bool one_axis = k.space.size() == k.kept + 1;
    if (k.how.items != arrangement::striped || !is_cooperative(k.how.map) || k.how.row_capacity == 0 || !one_axis)
        return row_block;
    const resident_layout resident = cooperative_row_of(k).resident;
    bool shifts = false;
    for (std::uint32_t i = 0; i < k.body.size(); ++i)
        shifts = shifts || (resident.persistent[i] && lies_shifted(k, k.body[i]));
    return shifts ? row_block + gap_of_residents(k, resident) : row_block;
}

SINTER_INLINE std::int64_t most_resident_bytes(const kernel& k) {
    const cooperative_row s = cooperative_row_of(k);
    return std::int64_t{resident_tile_bytes(k, s.resident)} * s.blocks;
}

// As many as leave registers for the rest of a thread's work, and whose results of a stage have buffers in shared
// memory.
SINTER_INLINE int blocks_in_registers(const kernel& k) {
    constexpr const reduction_schedule& s = reduction_schedules;
    constexpr int shared_bytes = 46 << 10;
    const int persistent = plan_residents(k, persistent_in_threads(k)).bytes;
    const int at_once = most_combined_reductions(k);
    auto fits = [&](int blocks) {
        return blocks * persistent <= s.persistent_bytes && blocks * at_once * 8 * buffer_words(k) <= shared_bytes;
    };
    int blocks = s.persistent_tiles;
    while (blocks > 1 && !fits(blocks)) blocks /= 2;
    return blocks;
}

// As many values as leave registers for the rest of a thread's work.
SINTER_INLINE sequence<char> persistent_of_column(const kernel& k) {
    persistence what = persistent_in_threads(k);
    if (k.how.row_capacity == 0) what = {};
    const int elements = k.how.row_capacity / k.how.column_threads;
    while (what.values > 0 && plan_residents(k, what).bytes * elements > reduction_schedules.persistent_column_bytes)
        --what.values;
    return persistent_values(k, what);
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
