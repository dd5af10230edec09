// Bodies of stages.hpp.
#pragma once

#include <sinter/codegen/schedule/stages.hpp>

#include <algorithm>
#include <bit>

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE bool is_uniform(const kernel& k, std::uint32_t i) {
    const instruction& v = k.body[i];
    return is_given(v) || is_row_stage(v.stage);
}

// Marks what the ends of a stage, which are reductions and stores, need directly.
SINTER_INLINE sequence<char> ends_of(const kernel& k, int stage) {
    sequence<char> needed(k.body.size(), 0);
    for (const reduction_step& r : k.reductions)
        if (r.stage == stage) needed[r.argument] = 1;
    for (const store& s : k.stores)
        if (s.stage == stage) needed[s.value] = 1;
    return needed;
}

// What it costs to compute a value of an element from what is kept.
SINTER_INLINE int cost_again(const kernel& k, std::uint32_t value, const sequence<char>& kept) {
    sequence<char> needed(value + 1, 0);
    needed[value] = 1;
    int cost = 0;
    for (std::uint32_t i = value + 1; i-- > 0;) {
        const instruction& v = k.body[i];
        if (!needed[i] || is_uniform(k, i) || (kept[i] && i != value)) continue;
        if (v.kind == instruction_kind::apply) cost += info(v.operation).cost;
        if (v.kind == instruction_kind::invoke) cost += static_cast<int>(k.invocations[v.payload]->function->cost);
        if (v.kind == instruction_kind::gather) cost += 8;
        for (std::uint32_t a : v.args) needed[a] = 1;
    }
    return cost;
}

SINTER_INLINE sequence<char> kept_values(const kernel& k, const keeping& what) {
    constexpr int cheap = 8;
    sequence<char> kept(k.body.size(), 0);
    int count = 0;
    for (int stage = 2; stage < k.stages; stage += 2) {
        sequence<char> needed = ends_of(k, stage);
        for (std::uint32_t i = static_cast<std::uint32_t>(k.body.size()); i-- > 0;) {
            const instruction& v = k.body[i];
            if (!needed[i] || is_uniform(k, i) || kept[i]) continue;
            bool is_load = v.kind == instruction_kind::load;
            const bool widens =
                v.kind == instruction_kind::apply && v.operation == op::cast && size_of(v.common) < size_of(v.type);
            bool worth = is_load ? what.loads && k.accesses[v.payload].operand != access::own_number &&
                                       k.advances[v.payload] != advance::none
                                 : what.computed && !widens && !is_bundle(k, i) && cost_again(k, i, kept) > cheap;
            if (v.stage < stage && worth && count < what.values) {
                kept[i] = 1;
                ++count;
                continue;
            }
            for (std::uint32_t a : v.args) needed[a] = 1;
        }
    }
    return kept;
}

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

SINTER_INLINE int joined_reductions(const kernel& k, int stage) {
    return static_cast<int>(std::count_if(k.reductions.begin(), k.reductions.end(), [&](const reduction_step& r) {
        return joins(r) && (stage == any_stage || r.stage == stage);
    }));
}

SINTER_INLINE int most_joined_reductions(const kernel& k) {
    int most = 0;
    for (int stage = 0; stage < k.stages; ++stage) most = std::max(most, joined_reductions(k, stage));
    return most;
}

SINTER_INLINE keeping kept_by_threads(const kernel& k) {
    return k.body.size() <= unrolled_body ? kept_in_registers : keeping{false, 0};
}

SINTER_INLINE int room_words(const kernel& k) {
    int bytes = 8;
    for (const reduction_step& r : k.reductions) {
        int size = is_indexed(r.how) || is_complex(r.type) ? 16 : 8;
        bytes = size > bytes ? size : bytes;
    }
    return 256 * bytes / 8;
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

SINTER_INLINE int fixed_of_share(const kernel& k) {
    constexpr int of_driver = 1024, of_index = 8, slack = 32;
    int bytes = k.row_capacity > 0 && rooms_of_block(k) > 0 ? 0 : 8 * room_words(k) * fixed_rooms(k);
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

SINTER_INLINE int blocks_held(const kernel& k, const held_row& held) {
    const int room = std::max(0, k.held_bytes - fixed_of_share(k));
    return held.bytes > 0 ? std::min(most_held_parts, room / bytes_of_held_block(k, held)) : 0;
}

// As many as leave registers for the rest of a thread's work, and whose results of a stage have rooms in shared memory.
SINTER_INLINE int blocks_in_registers(const kernel& k) {
    constexpr const reduction_schedule& s = reduction_schedules;
    constexpr int shared_bytes = 46 << 10;
    const int kept = hold_row(k, kept_by_threads(k)).bytes;
    const int at_once = most_joined_reductions(k);
    auto fits = [&](int blocks) {
        return blocks * kept <= s.kept_bytes && blocks * at_once * 8 * room_words(k) <= shared_bytes;
    };
    int blocks = s.kept_parts;
    while (blocks > 1 && !fits(blocks)) blocks /= 2;
    return blocks;
}

// What goes to shared memory and back goes through registers, too.
SINTER_INLINE keeping held_values(const kernel& k, bool whole) {
    const bool keeps = k.body.size() <= unrolled_body;
    return {keeps, keeps ? 8 : 0, whole};
}

SINTER_INLINE sequence<char> kept_over_scans(const kernel& k) {
    sequence<char> kept(k.body.size(), 0);
    auto use = [&](std::uint32_t value, int stage) {
        kept[value] |= !is_uniform(k, value) && k.body[value].stage != stage;
    };
    for (const instruction& i : k.body)
        for (std::uint32_t a : i.args) use(a, i.stage);
    for (const store& s : k.stores) use(s.value, s.stage);
    return kept;
}

SINTER_INLINE sequence<char> computed_in(const kernel& k, int stage, const sequence<char>& kept) {
    sequence<char> needed = ends_of(k, stage), here(k.body.size(), 0);
    // A kept value is computed in its own stage, whoever needs it there.
    for (std::uint32_t i = 0; i < k.body.size(); ++i)
        if (k.body[i].stage == stage && (kept[i] || is_row_stage(stage))) needed[i] = 1;
    for (std::uint32_t i = static_cast<std::uint32_t>(k.body.size()); i-- > 0;) {
        const instruction& v = k.body[i];
        if (!needed[i] || (v.stage != stage && (kept[i] || is_uniform(k, i)))) continue;
        here[i] = 1;
        for (std::uint32_t a : v.args) needed[a] = 1;
    }
    return here;
}

SINTER_INLINE sequence<std::uint32_t> origins(const kernel& k, int stage) {
    sequence<std::uint32_t> found;
    for (const reduction_step& r : k.reductions)
        if (r.stage == stage && wants_first(r.how) && std::find(found.begin(), found.end(), r.argument) == found.end())
            found.push_back(r.argument);
    return found;
}

SINTER_INLINE sequence<char> used_in(const kernel& k, int stage, const sequence<char>& here) {
    sequence<char> used = ends_of(k, stage);
    for (std::size_t i = 0; i < k.body.size(); ++i)
        for (std::uint32_t a : k.body[i].args) used[a] |= here[i];
    return used;
}

SINTER_INLINE bool draws(const kernel& k) {
    auto is_draw = [](const instruction& v) {
        return v.kind == instruction_kind::apply && (v.operation == op::philox_32 || v.operation == op::philox_64);
    };
    return std::any_of(k.body.begin(), k.body.end(), is_draw);
}

// 256 threads with as many groups of four as rows have.
SINTER_INLINE void choose_group_capacity(kernel& k) {
    k.row_capacity = static_cast<int>((k.reduced_size() + row_lanes - 1) / row_lanes) * row_lanes;
    k.close_capacity = true;
}

// Whether 256 threads take a row that is only reduced: of few blocks of the reductions' order, and with nothing that is
// better loaded ahead.
SINTER_INLINE bool fits_one_block(const kernel& k) {
    constexpr int most = 4;
    if (k.tree != reduce_tree::rows || !k.reduces() || k.scans || k.selects || draws(k)) return false;
    const bool short_enough = k.reduced_size() <= reduction_schedules.reduced_parts * row_block;
    return short_enough && k.body.size() <= unrolled_body && joined_reductions(k) <= most;
}

// Rows too long for registers: a thread block holds one in shared memory, or a cluster does, of more thread blocks to a
// multiprocessor if there is room for them.
SINTER_INLINE void choose_holders(kernel& k, const map_schedule& maps) {
    constexpr int most = results_in_shared * row_block, cluster = 8, least = 2;
    const int many = holds_wide(k) ? reduction_schedules.held_blocks_of_wide : reduction_schedules.held_blocks;
    const held_row held = hold_row(k, held_values(k, true));
    auto hold = [&](int blocks, int members) {
        k.held_blocks = blocks;
        k.held_bytes = least * maps.held_bytes / blocks;
        return k.reduced_size() <= std::int64_t{members} * row_block * blocks_held(k, held);
    };
    k.row_capacity = k.reduced_size() <= most ? most : 0;
    k.one_holder = k.row_capacity > 0 && hold(least, 1);
    if (k.one_holder || (k.row_capacity > 0 && (hold(many, cluster) || hold(least, cluster)))) return;
    k.row_capacity = 0;
    hold(many, 1);
}

// Up to which length rows are kept between stages: by CPUs, by a GPU's thread block in registers, or by several in
// their shared memory, so few that every device has room for all of them at once.
SINTER_INLINE void choose_kept_capacity(kernel& k, const map_schedule& maps) {
    k.row_capacity = k.held_bytes = k.held_blocks = 0;
    k.one_holder = false;
    for (int capacity : {16384, row_block, 1024, 512, 256, 128, 64})
        if (k.reduced_size() <= capacity) k.row_capacity = capacity;
    if (!maps.rows_by_length || k.short_rows) return;
    const int own = blocks_in_registers(k) * row_block;
    k.reduced_size() <= own ? choose_group_capacity(k) : choose_holders(k, maps);
}

SINTER_INLINE int capacity_of_column(std::int64_t n) {
    for (int capacity : column_capacities)
        if (n <= capacity) return capacity;
    return 0;
}

// Whether as many copies of a kernel's body as a thread has elements make a text that compiles soon: softmax of 512
// elements by eight threads takes ptxas 0.1 s, that of a sine of sines, ten deep, would take 39.
SINTER_INLINE bool may_unroll(const kernel& k, int elements) {
    constexpr int most_work = 2048;
    return k.body.size() <= unrolled_body && elements * work_of(k) <= most_work;
}

// One where there are so many short columns that a thread for each keeps a GPU busy; eight, the lanes of the order,
// where later stages read the elements again.
SINTER_INLINE int threads_of_column(const kernel& k, const map_schedule& maps) {
    if (k.tree != reduce_tree::columns || !k.reduces() || k.scans || k.selects || k.reduced_size() == 0) return 0;
    const std::int64_t n = k.reduced_size(), most = k.is_row_kernel() ? own_column : column_chunk(1);
    const int capacity = capacity_of_column(n),
              copies = k.is_row_kernel() ? capacity : std::min(capacity, 2 * column_lanes);
    if (n <= most && k.kept_size() >= maps.own_columns && may_unroll(k, copies)) return 1;
    return k.is_row_kernel() ? column_lanes : 0;
}

// Texts for lengths between two numbers, so that few of their elements have to be tested for being there; one for all
// lengths where nothing is kept and there are more than are loaded at once.
SINTER_INLINE void choose_column_capacity(kernel& k) {
    const std::int64_t n = std::max<std::int64_t>(k.reduced_size(), k.column_threads);
    k.held_bytes = k.held_blocks = k.row_capacity = 0;
    k.one_holder = k.close_capacity = false;
    if (!k.is_row_kernel() && n > loaded_column) return;
    const int capacity = capacity_of_column(n);
    if (may_unroll(k, capacity / k.column_threads)) k.row_capacity = capacity;
}

// What the elements of a column are loaded by, each its own.
SINTER_INLINE sequence<std::uint32_t> loads_of_columns(const kernel& k) {
    sequence<std::uint32_t> loads;
    for (std::uint32_t i = 0; i < k.body.size(); ++i) {
        const instruction& v = k.body[i];
        if (v.kind == instruction_kind::load && v.stage == 0 && k.accesses[v.payload].operand != access::own_number)
            loads.push_back(i);
    }
    return loads;
}

// How many columns a thread takes where one is so short that too few bytes would be on their way.
SINTER_INLINE int choose_columns(const kernel& k, const map_schedule& maps) {
    if (k.row_capacity == 0 || k.space.size() != k.kept + 1 || k.kept_size() < maps.least_parted) return 1;
    int bytes = 0;
    for (std::uint32_t i : loads_of_columns(k)) bytes += size_of(k.body[i].type) * k.row_capacity;
    int columns = maps.most_columns;
    while (columns > 1 && (columns * bytes > maps.column_bytes || !may_unroll(k, columns * k.row_capacity)))
        columns /= 2;
    return bytes > 0 ? columns : 1;
}

SINTER_INLINE int least_of_short_row(const kernel& k) {
    const int quarters = std::bit_ceil(static_cast<unsigned>(k.row_capacity)) / 4;
    const bool has_three = 3 * quarters > least_of_three;
    return (k.row_capacity < 4 * quarters || !has_three ? 2 * quarters : 3 * quarters) + 1;
}

SINTER_INLINE int least_of_column(const kernel& k) {
    int before = 0;
    for (int capacity : column_capacities)
        if (capacity < k.row_capacity) before = capacity;
    return before + 1;
}

// As many values as leave registers for the rest of a thread's work.
SINTER_INLINE sequence<char> kept_of_column(const kernel& k) {
    keeping what = kept_by_threads(k);
    if (k.row_capacity == 0) what = {};
    const int elements = k.row_capacity / k.column_threads;
    while (what.values > 0 && hold_row(k, what).bytes * elements > reduction_schedules.column_bytes_kept) --what.values;
    return kept_values(k, what);
}

// Short rows of many elements are computed by texts for lengths between two powers of two, or of longer ones between
// these and three quarters of the greater, so that few threads idle and few of their elements have to be tested for
// being there.
SINTER_INLINE void choose_capacity(kernel& k, const map_schedule& maps, bool large) {
    k.column_threads = threads_of_column(k, maps);
    if (k.column_threads > 0) return choose_column_capacity(k);
    if (k.is_row_kernel()) choose_kept_capacity(k, maps);
    else if (maps.rows_by_length && large && fits_one_block(k)) choose_group_capacity(k);
    if (!maps.rows_by_length || !k.short_rows || k.scans) return;
    if (!k.is_row_kernel()) k.row_capacity = row_lanes;
    k.close_capacity = large;
    k.many_rows = large && k.kept_size() * k.reduced_size() >= maps.least_parted;
    while (large && k.row_capacity > 4 && k.reduced_size() <= k.row_capacity / 2) k.row_capacity /= 2;
    if (const int three = k.row_capacity / 4 * 3; large && three > least_of_three && k.reduced_size() <= three)
        k.row_capacity = three;
}

}  // namespace sinter::inline SINTER_ABI::codegen
