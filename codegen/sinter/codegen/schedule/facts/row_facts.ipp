// Bodies of row_facts.hpp.
#pragma once

#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/schedule/facts/resident_facts.hpp>
#include <sinter/codegen/schedule/facts/row_facts.hpp>
#include <sinter/codegen/schedule/geometry.hpp>
#include <sinter/codegen/schedule/workspaces.hpp>

#include <algorithm>
#include <bit>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// How a stage that reduces to nothing else finds the greatest or least of float32, which takes one instruction for each
// element: of rows in shared memory when the elements of a thread's lanes are there (one H200, softmax of rows of 50256
// floats 612 us where they combine as they come, 586 so; log softmax of rows of 30001 597, and 569 to 589); of short
// rows in any order first.
SINTER_INLINE void find_extremes(const kernel& k, stage_facts& s) {
    const bool only = codegen::all_of(s.combined.begin(), s.combined.end(), [&](std::size_t r) {
        const reduction how = k.reductions[r].how;
        return k.reductions[r].type == dtype::float32 && (how == reduction::max || how == reduction::min);
    });
    if (s.combined.empty() || !only) return;
    s.at_end = is_cooperative(k.how.map) && k.how.row_capacity > 0;
    s.in_any_order = k.how.short_rows && k.is_row_kernel() && k.how.close_capacity && k.how.rows_per_thread <= 1 &&
                     k.body.size() <= unrolled_body && s.stores.empty() && k.how.lanes > 1 && k.how.groups > 1;
}

// Whether a thread's groups combine as they come: accumulators of all of them would take too many registers. Many
// groups that need few are better combined later, as compilers then load all of them before they use the first; what
// passes through shared memory is there.
SINTER_INLINE bool combines_groups(const kernel& k, const stage_facts& s) {
    constexpr const reduction_schedule& tuned = reduction_schedules;
    if (k.how.groups <= 1) return false;
    if (k.how.items == arrangement::exchanged) return true;
    int words = 0;
    for (std::size_t r : s.combined) {
        const reduction_step& x = k.reductions[r];
        words += size_of(x.accumulator()) / 4 + (is_indexed(x.how) ? 1 : 0);
    }
    return k.how.short_rows && (words >= tuned.combined_words || k.how.groups <= tuned.combined_groups);
}

// What is kept, and where: in registers, in shared memory, over scans.
SINTER_INLINE sequence<char> persistent_of(const kernel& k, const cooperative_row& row) {
    switch (k.how.map) {
        case mapping::rows_per_warp:
        case mapping::block_per_row: return persistent_values(k, persistent_in_threads(k));
        case mapping::thread_per_column:
        case mapping::threads_per_column: return persistent_of_column(k);
        case mapping::resident_row:
        case mapping::cooperative_row: return row.resident.persistent;
        default: return k.scans || k.selects ? persistent_over_scans(k) : sequence<char>(k.body.size(), 0);
    }
}

// What a stage computes, and which of it is loaded before.
SINTER_INLINE void find_values(const kernel& k, const row_facts& f, stage_facts& s, int stage) {
    s.here = computed_in(k, stage, f.persistent);
    s.used = used_in(k, stage, s.here);
    s.deferred.resize(k.body.size(), 0);
    const bool arrays = k.how.items == arrangement::striped || k.is(mapping::rows_per_warp);
    for (std::uint32_t i = 0; i < k.body.size(); ++i) {
        const instruction& v = k.body[i];
        const bool loads = s.here[i] && v.kind == instruction_kind::load, pack = loads && f.packed[v.payload],
                   moves = loads || (s.here[i] && v.kind == instruction_kind::gather);
        s.loaded.push_back(pack || (loads && arrays && f.persistent[i]));
        s.input.push_back(s.loaded[i] || (f.persistent[i] && !s.here[i] && s.used[i]));
        s.copied.push_back(f.row.whole && f.persistent[i] && s.loaded[i] && (pack || is_copied_type(v.type)));
        s.loads_single = s.loads_single || (moves && !s.loaded[i]);
        if (v.stage == stage && s.divisor == no_load && division_of_row(k, i) == row_division::by_inverse)
            s.divisor = v.args[1];
    }
}

// What lanes reduce of elements that lie apart passes through shared memory first.
SINTER_INLINE void find_exchanged(const kernel& k, const row_facts& f, stage_facts& s, int stage) {
    s.exchanged = exchanged_values(k, stage);
    for (std::size_t r : s.combined) s.deferred[k.reductions[r].argument] = !f.persistent[k.reductions[r].argument];
    for (std::size_t r : s.combined) {
        const std::uint32_t i = k.reductions[r].argument;
        if (exchanged_value(k, k.reductions[r], s.here) == i) s.deferred[i] = 0;
    }
    for (std::size_t to : s.stores) s.deferred[k.stores[to].value] = 0;
    for (std::uint32_t i = 0; i < k.body.size(); ++i)
        for (std::uint32_t a : k.body[i].args)
            if (s.here[i]) s.deferred[a] = 0;
}

// The reductions and stores of a stage, and how they go.
SINTER_INLINE void find_ends(const kernel& k, const row_facts& f, stage_facts& s, int stage) {
    for (std::size_t r = 0; r < k.reductions.size(); ++r)
        if (combines(k.reductions[r]) && k.reductions[r].stage == stage) s.combined.push_back(r);
    for (std::size_t to = 0; to < k.stores.size(); ++to) {
        if (k.stores[to].stage != stage) continue;
        s.stores.push_back(to);
        const bool pack = f.packed[k.stores[to].access];
        if (pack) s.pack_stores.push_back(to);
        else if (k.how.items == arrangement::exchanged && s.divisor != no_load) s.left_stores.push_back(to);
        s.stores_single = s.stores_single || (!pack && f.staged[to] == no_buffer);
    }
    if (k.how.items == arrangement::exchanged) find_exchanged(k, f, s, stage);
    else s.accumulated = s.combined;
    s.combines_groups = combines_groups(k, s);
    s.combines_lanes = k.how.lanes > 1 || (k.how.groups > 1 && !s.combines_groups);
    find_extremes(k, s);
    s.at_once = f.row.whole && buffers_of_tile(k) > 0 && !s.combined.empty();
    s.barrier = f.barriers;
}

// As many stores of short rows as have room in shared memory, with the gaps that they need there.
SINTER_INLINE void find_staging(const kernel& k, row_facts& f) {
    f.staged.resize(k.stores.size(), no_buffer);
    int left = reduction_schedules.staging_bytes;
    for (std::size_t s = 0; s < k.stores.size() && k.how.items != arrangement::exchanged; ++s) {
        if (!is_staged(k, k.stores[s])) continue;
        const std::uint32_t a = k.stores[s].access;
        const int size = size_of(k.operand_of(a).type), all = f.rows_of_block * k.how.row_capacity,
                  elements = size < 4 ? all : all + all / (128 / size);
        if (size * elements > left) continue;
        left -= size * elements;
        f.staged[s] = static_cast<int>(f.staging.size());
        f.staging.push_back({a, elements, size * elements});
    }
}

// Of a thread's groups of four, how many every row fills.
SINTER_INLINE int full_groups(const kernel& k) {
    if (!k.how.close_capacity) return 0;
    if (!k.how.short_rows) return k.how.groups - 1;  // of all the row's blocks together
    const bool one_length = k.how.vector_width > 1 && k.how.row_capacity <= 8;
    return one_length ? k.how.groups : (least_of_warp_row(k) - 1) / (4 * k.how.lanes);
}

SINTER_INLINE row_share share_of(const kernel& k) {
    const bool per_warp = k.is(mapping::rows_per_warp);
    return {.groups = k.how.groups,
            .of_tile = k.how.row_blocks > 1 ? row_block / row_lanes : k.how.groups,
            .tree = static_cast<int>(std::bit_ceil(static_cast<unsigned>(k.how.groups))),
            .full = full_groups(k),
            .stride = per_warp ? 4 * k.how.lanes : row_lanes,
            .step = k.how.items == arrangement::exchanged ? k.how.lanes
                    : k.how.items == arrangement::striped ? row_lanes / 4
                                                          : 1,
            .own_lanes = per_warp,
            .packs = k.how.vector_width > 1,
            .begins = per_warp && k.how.close_capacity && k.how.row_capacity == 4};
}

// The first reduction whose functions do for another one: of many they stand once.
SINTER_INLINE std::size_t first_alike(const kernel& k, std::size_t r) {
    for (std::size_t first = 0; first < r && k.is(mapping::multi_output); ++first)
        if (k.reductions[first].how == k.reductions[r].how && k.reductions[first].type == k.reductions[r].type)
            return first;
    return r;
}

// Whether the few elements that a thread loads of a row, one by one, are loaded without branches. One H200, softmax,
// log softmax and layer norm of rows of 150 727, 728 and 827 us with branches, 656, 569 and 699 without; of 301 645,
// 725 and 819, and 818, 584 and 639; of 33 624, 570 and 653, and 647, 571 and 696; of 1001 563, 609 and 555, and 917,
// 780 and 717.
SINTER_INLINE bool loads_or_zero(const kernel& k, const row_facts& f) {
    constexpr int few_groups = 4, few_lanes = 4, warp = 32;
    if (!k.is(mapping::rows_per_warp) || k.how.vector_width > 1 || k.how.groups > few_groups) return false;
    return k.how.lanes > few_lanes &&
           (k.how.lanes < warp || codegen::count(f.persistent.begin(), f.persistent.end(), 1) == 1);
}

// In how many blocks and parts rows are computed.
SINTER_INLINE void find_parts(const kernel& k, row_facts& f) {
    f.blocks = k.how.row_blocks;
    f.side_by_side = k.how.rows_per_thread > 1;
    if (k.is(mapping::rows_per_warp)) {
        f.lanes = k.how.lanes;
        f.row_stride = cuda_threads / f.lanes;
        f.rows_of_block = f.row_stride * k.how.rows_per_thread;
    }
    if (k.how.items == arrangement::exchanged) {
        f.exchange_groups = exchanged_groups(k, k.how);
        f.exchange_elements = exchanged_elements(k, k.how);
        f.exchange_bytes = exchanged_bytes(k) * f.exchange_elements * cuda_threads / k.how.lanes;
    }
    if (k.how.column_threads > 0) {
        f.column_elements = k.how.row_capacity / k.how.column_threads;
        f.sure_elements = least_of_column(k) / k.how.column_threads;
    }
}

// How results come together, and what the text has to know for that.
SINTER_INLINE void find_ways(const kernel& k, row_facts& f) {
    constexpr int at_once = 4;
    const bool rows = k.tree == reduce_tree::rows, scans = k.scans || k.selects;
    f.needs_kept = k.how.wide || k.how.short_rows || scans_one_tile(k.how.map) || k.is_row_kernel() || !rows;
    f.counts_tiles = !k.how.short_rows && k.how.column_threads == 0 && !scans;
    f.is_repeated = k.is(mapping::rows_per_warp) || k.is(mapping::threads_per_column);
    f.from_first = k.is_row_kernel() && (k.is(mapping::rows_per_warp) || is_cooperative(k.how.map));
    f.by_levels = workspace_of(k.how.map) == workspace_kind::partial_results ||
                  (is_cooperative(k.how.map) && k.how.row_capacity == 0);
    f.few_results = (is_cooperative(k.how.map) && !f.by_levels) || k.how.row_blocks > 1;
    f.prefetches = k.is(mapping::grid_per_row) && k.how.ahead > 0;
    f.rows_ahead = k.is(mapping::grid_per_column) ? k.how.ahead : 0;
    const int combined = combined_reductions(k);
    f.one_wait = f.by_levels && !is_cooperative(k.how.map) && combined <= at_once &&
                 (combined > 1 || !is_indexed(k.reductions[0].how));
    f.combines_exactly = f.prefetches && f.one_wait;
    f.groups = groups_of_block(k);
    for (const reduction_step& r : k.reductions)
        f.combines_exactly = f.combines_exactly && (!combines(r) || is_exact(r.how, r.type));
    f.counts_blocks = workspace_of(k.how.map) == workspace_kind::partial_results;
    f.takes_loaded = k.how.vector_width > 1 || f.rows_ahead > 0;
    f.decodes_element = k.how.vector_width == 1 || k.space.size() == k.kept + 1 || k.has(instruction_kind::gather) ||
                        codegen::any_of(k.body.begin(), k.body.end(), [&](const instruction& v) {
                            return v.kind == instruction_kind::load && !k.loads_memory(v);
                        });
    // The capacity that is close to a row's length is one of few: it tells the row's threads, and that none is empty.
    f.may_be_empty = !k.how.close_capacity;
    f.known_lanes = f.fills_half = k.how.close_capacity;
    f.in_turn = k.is(mapping::grid_per_row) && !f.one_wait;
    f.by_chunks = !rows && !k.is(mapping::thread_per_column);
}

// Whether all steps of a sum stay within 32 bits: of up to 32767 numbers of 16 bits.
SINTER_INLINE bool fits_int(const kernel& k, const reduction_step& r) {
    constexpr int most = 32767;
    const bool holds_rows = k.is(mapping::rows_per_warp) || k.is(mapping::block_per_row);
    const instruction& v = k.body[r.argument];
    const bool converts = v.kind == instruction_kind::apply && v.operation == op::cast && is_exact(r.how, r.type);
    const dtype type = converts && is_exact(r.how, v.common) ? v.common : r.type;
    return holds_rows && k.how.row_capacity > 0 && k.how.row_capacity <= most && adds_narrow(r.how, type);
}

// How each reduction combines, and in which functions. Threads that take lanes 256 apart combine those of four
// neighbours to one of each thread; where they keep many elements and combine several float64, compilers would leave
// loads behind that. One H200, layer norms of rows of 16001 floats 579 us, so 687; but of rows of 4097 607 and 547.
SINTER_INLINE void find_reductions(const kernel& k, row_facts& f) {
    for (std::size_t r = 0; r < k.reductions.size(); ++r) {
        const reduction_step& x = k.reductions[r];
        const bool striped = f.share.step == row_lanes / 4 && combines(x);
        f.across.push_back(k.how.row_blocks <= 2 || combined_reductions(k, x.stage) == 1 ||
                           size_of(x.accumulator()) <= 4);
        f.by_quads = f.by_quads || (striped && !f.across[r]);
        f.any_across = f.any_across || (striped && f.across[r]);
    }
    // A lane of a chunk of columns has up to 65536 elements.
    for (const reduction_step& r : k.reductions) {
        const bool fits = f.combines_exactly || (f.rows_ahead > 0 && !k.how.wide && size_of(r.type) == 1);
        f.narrow.push_back(fits && adds_narrow(r.how, r.type));
        f.fits_int.push_back(!f.narrow.back() && fits_int(k, r));
    }
    for (std::size_t r = 0; r < k.reductions.size(); ++r) f.alike.push_back(first_alike(k, r));
}

SINTER_INLINE row_facts row_facts_of(const kernel& k) {
    row_facts f;
    if (is_cooperative(k.how.map)) f.row = cooperative_row_of(k);
    f.persistent = persistent_of(k, f.row);
    f.share = share_of(k);
    for (const access& a : k.accesses)
        f.packed.push_back(k.how.vector_width > 1 && a.operand != access::own_number &&
                           a.step == stride_class::contiguous);
    find_parts(k, f);
    find_ways(k, f);
    find_reductions(k, f);
    find_staging(k, f);
    find_residents(k, f);
    for (int stage = 0; stage < k.stages; ++stage) {
        stage_facts s;
        find_values(k, f, s, stage);
        find_ends(k, f, s, stage);
        f.barriers += !s.combined.empty();
        f.double_buffers = f.double_buffers || (!s.combined.empty() && !s.at_once);
        f.stages.push_back(std::move(s));
    }
    f.barriers = f.shares_rows ? std::max(1, f.barriers) : 0;
    find_arrangements(k, f);
    f.from_other =
        codegen::any_of(f.stages.begin(), f.stages.end(), [](const stage_facts& s) { return s.in_any_order; }) ||
        f.share.step == row_lanes / 4;
    f.loads_or_zero = loads_or_zero(k, f);
    for (std::uint32_t i = 0; i < k.body.size(); ++i) {
        bool later = false, inverse = false;
        for (int stage = 0; stage < k.stages; ++stage) {
            const stage_facts& s = f.stages[static_cast<std::size_t>(stage)];
            later = later || (stage > k.body[i].stage && s.used[i]);
            inverse = inverse || s.divisor == i;
        }
        f.outlives.push_back(later && k.how.rows_per_thread > 1 && !is_given(k.body[i]) &&
                             is_row_stage(k.body[i].stage));
        f.inverse_divisor.push_back(inverse);
    }
    f.fixed_divisor.resize(k.body.size(), 0);
    for (std::uint32_t i = 0; i < k.body.size(); ++i)
        if (division_of_row(k, i) == row_division::fixed) f.fixed_divisor[k.body[i].args[1]] = 1;
    return f;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
