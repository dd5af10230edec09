// Bodies of resident_facts.hpp.
#pragma once

#include <sinter/codegen/schedule/facts/resident_facts.hpp>
#include <sinter/codegen/schedule/facts/row_facts.hpp>
#include <sinter/codegen/schedule/geometry.hpp>

#include <algorithm>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// Whether the hardware copies all that a stage wants from memory: of each row what lies side by side. One H200, log
// softmax, softmax and layer norms of rows of 50256 floats 556, 587 and 595 us by copies of 16 bytes, so 546, 571 and
// 582; of rows of 20001 the latter 577 and 552.
SINTER_INLINE bool copies_in_bulk(const kernel& k, const row_facts& f) {
    constexpr int whole = 16;  // bytes
    int stage = any_stage;
    for (std::uint32_t i = 0; i < k.body.size(); ++i) {
        const instruction& v = k.body[i];
        if (!f.row.whole || !f.persistent[i] || v.kind != instruction_kind::load) continue;
        const bool packed = f.packed[v.payload];
        if (!packed && !is_copied_type(v.type)) continue;
        const bool in_line = packed && 4 * size_of(v.type) % whole == 0 && k.space.size() == k.kept + 1;
        if (!in_line && !f.shifted[i]) return false;
        if (stage != any_stage && stage != v.stage) return false;
        stage = v.stage;
    }
    return stage != any_stage && combined_reductions(k, stage) > 0;
}

// Whether a stage reduces full blocks of resident rows so: it needs nothing of an element but what was copied and what
// earlier stages have left. One H200, log softmax, softmax and layer norms of rows of 50257 floats 656, 696 and 653 us
// by packs whose lanes pass on to the next what is not theirs, so 584, 637 and 621; a copy takes 505.
SINTER_INLINE bool may_swizzle(const kernel& k, const row_facts& f, int stage) {
    const stage_facts& s = f.stages[static_cast<std::size_t>(stage)];
    if (!s.at_once || k.how.items != arrangement::striped || !f.has_gaps || k.body.size() > unrolled_body) return false;
    bool reads = false;
    for (std::uint32_t i = 0; i < k.body.size(); ++i) {
        const instruction& v = k.body[i];
        if (s.here[i] && !s.loaded[i] && v.kind != instruction_kind::apply && v.kind != instruction_kind::literal &&
            v.kind != instruction_kind::scalar)
            return false;
        if (s.loaded[i] && !s.copied[i]) return false;
        reads = reads || s.input[i];
    }
    if (!s.stores.empty()) return false;
    for (const reduction_step& r : k.reductions)
        if (r.stage == stage && (!combines(r) || is_indexed(r.how))) return false;
    return reads;
}

SINTER_INLINE void find_whole_values(const kernel& k, row_facts& f, const stage_facts& s) {
    int shifted = 0;
    for (std::uint32_t l = 0; l < k.body.size(); ++l) shifted += f.persistent[l] && f.shifted[l];
    bool whole = shifted == 1;
    for (std::uint32_t i = 0; i < k.body.size(); ++i) {
        const std::uint32_t load = f.row.resident.load[i];
        if (s.input[i]) whole = whole && load != no_load && f.shifted[load] && (f.whole[i] || load == i);
    }
    for (std::uint32_t i = 0; i < k.body.size(); ++i) {
        const std::uint32_t load = f.row.resident.load[i];
        if (f.persistent[i] && s.here[i] && !s.loaded[i]) f.whole[i] = whole && load != no_load && f.shifted[load];
    }
}

// Whether a stage of resident rows stores by packs where its rows begin as those in shared memory do: it needs nothing
// else of an element than 4 bytes that lie there, as memory has them, loaded or left by a stage before. One H200, log
// softmax and layer norms of rows of 20001 floats 750 and 731 us, so 805 and 798; of 50257 712 and 696, 765 and 709; of
// 100001 718 and 698, 794 and 687. Slower: log softmax of rows of 20001 doubles 895 and 810.
SINTER_INLINE bool may_store_aligned(const kernel& k, const row_facts& f, int stage) {
    const stage_facts& s = f.stages[static_cast<std::size_t>(stage)];
    if (!f.row.whole || k.how.items != arrangement::striped || !f.has_gaps || !s.combined.empty() ||
        k.body.size() > unrolled_body)
        return false;
    bool reads = false, stores = false;
    for (std::uint32_t i = 0; i < k.body.size(); ++i) {
        const instruction& v = k.body[i];
        const bool loads = v.kind == instruction_kind::load || v.kind == instruction_kind::gather;
        if (s.here[i] && (f.persistent[i] || loads)) return false;
        if (!s.input[i]) continue;
        const std::uint32_t load = f.row.resident.load[i];
        if (load == no_load || !f.shifted[load] || size_of(v.type) != 4 || (load != i && !f.whole[i])) return false;
        reads = true;
    }
    for (const store& to : k.stores) {
        if (to.stage != stage) continue;
        if (k.accesses[to.access].step != stride_class::contiguous || size_of(k.operand_of(to.access).type) != 4)
            return false;
        stores = true;
    }
    return reads && stores;
}

// Of rows in shared memory, where their values lie.
SINTER_INLINE void find_residents(const kernel& k, row_facts& f) {
    f.tile_elements = resident_tile_elements(k);
    f.has_gaps = f.tile_elements > row_block;
    f.shares_rows = k.is(mapping::cooperative_row);
    for (std::uint32_t i = 0; i < k.body.size(); ++i) f.shifted.push_back(f.has_gaps && lies_shifted(k, k.body[i]));
    f.whole.resize(k.body.size(), 0);
    f.bulk = is_cooperative(k.how.map) && copies_in_bulk(k, f);
    f.double_buffers = !f.row.whole;
    if (f.row.whole) f.most_results = f.shares_rows ? results_in_shared_memory : f.row.blocks;
}

// What becomes known of a stage with all of those before it.
SINTER_INLINE void find_arrangements(const kernel& k, row_facts& f) {
    for (int stage = 0; stage < k.stages; stage += 2) {
        stage_facts& s = f.stages[static_cast<std::size_t>(stage)];
        s.swizzled = may_swizzle(k, f, stage);
        if (s.swizzled) find_whole_values(k, f, s);
    }
    for (int stage = 0; stage < k.stages; stage += 2) {
        stage_facts& s = f.stages[static_cast<std::size_t>(stage)];
        s.aligned = may_store_aligned(k, f, stage);
        if (s.swizzled) f.swizzle_threads = std::max(1, 32 / std::max(4, f.row.resident.widest));
    }
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
