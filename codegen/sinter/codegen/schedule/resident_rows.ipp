// Bodies of resident_rows.hpp.
#pragma once

#include <sinter/codegen/schedule/resident_rows.hpp>

#include <algorithm>

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE held_row hold_row(const kernel& k, const keeping& what) {
    struct room {
        int at, size, until;
        std::uint32_t load;
    };
    held_row h{kept_values(k, what), sequence<int>(k.body.size(), 0), 0,
               sequence<std::uint32_t>(k.body.size(), no_load)};
    sequence<room> rooms;
    for (std::uint32_t i = 0; i < k.body.size(); ++i) {
        if (!h.kept[i]) continue;
        const int size = size_of(k.body[i].type), first = k.body[i].stage;
        int last = first;
        for (int stage = first + 2; stage < k.stages; stage += 2)
            if (used_in(k, stage, computed_in(k, stage, h.kept))[i]) last = stage;
        // Loads are there before the stage reads what it keeps from earlier ones.
        const bool loads = k.body[i].kind == instruction_kind::load;
        const int free_until = loads ? first - 1 : first;
        std::size_t r = 0;
        while (r < rooms.size() && (rooms[r].size != size || rooms[r].until > free_until)) ++r;
        if (r == rooms.size()) rooms.push_back({h.bytes, size, last, no_load}), h.bytes += size;
        rooms[r].until = last;
        if (loads) rooms[r].load = i;
        h.load[i] = rooms[r].load;
        h.offset[i] = rooms[r].at;
    }
    return h;
}

SINTER_INLINE bool holds_wide(const kernel& k) {
    const held_row held = hold_row(k, held_values(k, true));
    for (std::uint32_t i = 0; i < k.body.size(); ++i)
        if (held.kept[i] && size_of(k.body[i].type) >= 8) return true;
    return false;
}

SINTER_INLINE int share_room_words(const kernel& k) {
    constexpr int values = 256, word = 8;
    int size = 0;
    for (const reduction_step& r : k.reductions) {
        if (is_indexed(r.how)) return room_words(k);
        size = std::max(size, size_of(accumulator_type(r.how, r.type)));
    }
    return values * size / word;
}

SINTER_INLINE int rooms_of_block(const kernel& k) {
    constexpr int few = 3;
    const int most = most_joined_reductions(k);
    return most <= few ? most : 0;
}

SINTER_INLINE int fixed_rooms(const kernel& k) {
    constexpr int at_once = 4;
    return std::max(at_once, 2 * std::min(joined_reductions(k), at_once));
}

SINTER_INLINE int fixed_of_share(const kernel& k, bool in_shared) {
    constexpr int of_driver = 1024, of_index = 8, slack = 32;
    int bytes = in_shared && rooms_of_block(k) > 0 ? 0 : 8 * room_words(k) * fixed_rooms(k);
    for (const reduction_step& r : k.reductions)
        bytes +=
            results_in_shared * (size_of(accumulator_type(r.how, r.type)) + (is_indexed(r.how) ? of_index : 0)) + slack;
    return bytes + of_index * (k.stages + most_held_parts) + of_driver;
}

SINTER_INLINE int gap_of_held(const kernel& k, const held_row& held) {
    constexpr int most_lanes = 4, pack = 16;
    int gap = most_lanes;
    for (std::uint32_t i = 0; i < k.body.size(); ++i)
        if (held.kept[i]) gap = std::max(gap, pack / size_of(k.body[i].type));
    return gap;
}

SINTER_INLINE int bytes_of_held_block(const kernel& k, const held_row& held) {
    return (row_block + gap_of_held(k, held)) * held.bytes + 8 * share_room_words(k) * rooms_of_block(k);
}

SINTER_INLINE int blocks_held(const kernel& k, const held_row& held, int held_bytes, bool in_shared) {
    const int room = std::max(0, held_bytes - fixed_of_share(k, in_shared));
    return held.bytes > 0 ? std::min(most_held_parts, room / bytes_of_held_block(k, held)) : 0;
}

// What goes to shared memory and back goes through registers, too.
SINTER_INLINE keeping held_values(const kernel& k, bool whole) {
    const bool keeps = k.body.size() <= unrolled_body;
    return {keeps, keeps ? 8 : 0, whole};
}

SINTER_INLINE bool shares_rows(const kernel& k) {
    return k.is(mapping::resident_row) || k.is(mapping::cooperative_row);
}

// Without anything to hold, as many blocks as keep all of a thread block's threads busy for a while.
SINTER_INLINE row_share share_of_row(const kernel& k) {
    constexpr int busy = 4;
    const bool whole = k.how.row_capacity > 0;
    row_share s{hold_row(k, held_values(k, whole)), busy, whole};
    if (s.held.bytes > 0) s.blocks = blocks_held(k, s.held, k.how.held_bytes, k.how.row_capacity > 0);
    if (s.blocks > 0) return s;
    return {{sequence<char>(k.body.size(), 0), sequence<int>(k.body.size(), 0), 0, {}}, busy, false};
}

SINTER_INLINE bool lies_shifted(const kernel& k, const instruction& v) {
    if (v.kind != instruction_kind::load || k.accesses[v.payload].operand == access::own_number) return false;
    return k.accesses[v.payload].step == stride_class::contiguous && is_copied_type(v.type);
}

SINTER_INLINE bool is_shifted(const kernel& k, std::uint32_t i) {
    return lies_shifted(k, k.body[i]) && held_block(k) > row_block;
}

SINTER_INLINE std::int64_t held_block(const kernel& k) {
    const bool one_axis = k.space.size() == k.kept + 1;
    if (!(k.how.items == arrangement::striped) || !shares_rows(k) || k.how.row_capacity == 0 || !one_axis)
        return row_block;
    const held_row held = share_of_row(k).held;
    bool shifts = false;
    for (std::uint32_t i = 0; i < k.body.size(); ++i) shifts = shifts || (held.kept[i] && lies_shifted(k, k.body[i]));
    return shifts ? row_block + gap_of_held(k, held) : row_block;
}

SINTER_INLINE std::int64_t most_held_bytes(const kernel& k) {
    const row_share s = share_of_row(k);
    return std::int64_t{bytes_of_held_block(k, s.held)} * s.blocks;
}

}  // namespace sinter::inline SINTER_ABI::codegen
