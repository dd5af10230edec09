// Bodies of row_facts.hpp.
#pragma once

#include <sinter/codegen/schedule/row_facts.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// Whether a stage reduces to the greatest or least of float32 alone.
SINTER_INLINE bool is_of_extremes(const kernel& k, int stage) {
    bool any = false;
    for (const reduction_step& r : k.reductions) {
        if (r.stage != stage) continue;
        if (r.type != dtype::float32 || (r.how != reduction::max && r.how != reduction::min)) return false;
        any = true;
    }
    return any;
}

// Whether the elements of a thread's lanes join when all are there: of float32 the greatest or least, which takes one
// instruction each then. One H200, softmax of rows of 50256 floats 612 us where they join as they come, 586 so; log
// softmax of rows of 30001 597, and 569 to 589.
SINTER_INLINE bool reduces_at_end(const kernel& k, int stage) {
    return is_cooperative(k) && k.how.row_capacity > 0 && is_of_extremes(k, stage);
}

// Whether a stage of short rows looks for the greatest or least in any order first.
SINTER_INLINE bool finds_extremes(const kernel& k, int stage) {
    if (!k.how.short_rows || !k.is_row_kernel() || !k.how.close_capacity || k.how.rows_per_thread > 1 ||
        k.body.size() > unrolled_body)
        return false;
    for (const store& s : k.stores)
        if (s.stage == stage) return false;
    return k.how.lanes > 1 && k.how.groups > 1 && is_of_extremes(k, stage);
}

// Whether a value is loaded, for all groups, before the stage computes; and whether the function of an element takes it
// as a parameter: loaded so, or left by an earlier stage.
SINTER_INLINE bool loads_array(const kernel& k, const resident_facts& f, const stage_facts& s, std::uint32_t i) {
    const bool loads = s.here[i] && k.body[i].kind == instruction_kind::load;
    return loads &&
           (loads_pack(k, k.how, k.body[i]) || (k.how.items == arrangement::striped && f.row.resident.persistent[i]));
}
SINTER_INLINE bool is_input(const kernel& k, const resident_facts& f, const stage_facts& s, std::uint32_t i) {
    return loads_array(k, f, s, i) || (f.row.resident.persistent[i] && !s.here[i] && s.used[i]);
}

// Whether what is held of a whole row comes there by copies that threads need not see to.
SINTER_INLINE bool is_copied(const kernel& k, const resident_facts& f, const stage_facts& s, std::uint32_t i) {
    return f.row.whole && f.row.resident.persistent[i] && loads_array(k, f, s, i) &&
           (loads_pack(k, k.how, k.body[i]) || is_copied_type(k.body[i].type));
}

SINTER_INLINE bool reduces_tiles_at_once(const kernel& k, const cooperative_row& row, int stage) {
    return row.whole && buffers_of_tile(k) > 0 && combined_reductions(k, stage) > 0;
}

// Whether the hardware copies all that a stage wants from memory: of each row what lies side by side. One H200, log
// softmax, softmax and layer norms of rows of 50256 floats 556, 587 and 595 us by copies of 16 bytes, so 546, 571 and
// 582; of rows of 20001 the latter 577 and 552.
SINTER_INLINE bool copies_in_bulk(const kernel& k, const resident_facts& f) {
    constexpr int whole = 16;  // bytes
    int stage = any_stage;
    for (std::uint32_t i = 0; i < k.body.size(); ++i) {
        const instruction& v = k.body[i];
        if (!f.row.whole || !f.row.resident.persistent[i] || v.kind != instruction_kind::load) continue;
        const bool packed = loads_pack(k, k.how, v);
        if (!packed && !is_copied_type(v.type)) continue;
        const bool in_line = packed && 4 * size_of(v.type) % whole == 0 && k.space.size() == k.kept + 1;
        if (!in_line && !is_shifted(k, i)) return false;
        if (stage != any_stage && stage != v.stage) return false;
        stage = v.stage;
    }
    return stage != any_stage && combined_reductions(k, stage) > 0;
}

// Whether a stage reduces full blocks of held rows so: it needs nothing of an element but what was copied and what
// earlier stages have left. One H200, log softmax, softmax and layer norms of rows of 50257 floats 656, 696 and 653 us
// by packs whose lanes pass on to the next what is not theirs, so 584, 637 and 621; a copy takes 505.
SINTER_INLINE bool may_swizzle(const kernel& k, const resident_facts& f, int stage) {
    const stage_facts& s = f.stages[static_cast<std::size_t>(stage)];
    if (!reduces_tiles_at_once(k, f.row, stage) || k.how.items != arrangement::striped ||
        resident_tile_elements(k) == row_block || k.body.size() > unrolled_body)
        return false;
    bool reads = false;
    for (std::uint32_t i = 0; i < k.body.size(); ++i) {
        const instruction& v = k.body[i];
        if (s.here[i] && !loads_array(k, f, s, i) && v.kind != instruction_kind::apply &&
            v.kind != instruction_kind::literal && v.kind != instruction_kind::scalar)
            return false;
        if (loads_array(k, f, s, i) && !is_copied(k, f, s, i)) return false;
        reads = reads || is_input(k, f, s, i);
    }
    for (const store& to : k.stores)
        if (to.stage == stage) return false;
    for (const reduction_step& r : k.reductions)
        if (r.stage == stage && (!combines(r) || is_indexed(r.how))) return false;
    return reads;
}

SINTER_INLINE void find_whole_values(const kernel& k, resident_facts& f, const stage_facts& s) {
    int shifted = 0;
    for (std::uint32_t l = 0; l < k.body.size(); ++l) shifted += f.row.resident.persistent[l] && is_shifted(k, l);
    bool whole = shifted == 1;
    for (std::uint32_t i = 0; i < k.body.size(); ++i) {
        const std::uint32_t load = f.row.resident.load[i];
        if (is_input(k, f, s, i)) whole = whole && load != no_load && is_shifted(k, load) && (f.whole[i] || load == i);
    }
    for (std::uint32_t i = 0; i < k.body.size(); ++i) {
        const std::uint32_t load = f.row.resident.load[i];
        if (f.row.resident.persistent[i] && s.here[i] && !loads_array(k, f, s, i))
            f.whole[i] = whole && load != no_load && is_shifted(k, load);
    }
}

// Whether a stage of held rows stores by packs where its rows begin as those in shared memory do: it needs nothing else
// of an element than 4 bytes that lie there, as memory has them, loaded or left by a stage before. One H200, log
// softmax and layer norms of rows of 20001 floats 750 and 731 us, so 805 and 798; of 50257 712 and 696, 765 and 709; of
// 100001 718 and 698, 794 and 687. Slower: log softmax of rows of 20001 doubles 895 and 810.
SINTER_INLINE bool may_store_aligned(const kernel& k, const resident_facts& f, int stage) {
    const stage_facts& s = f.stages[static_cast<std::size_t>(stage)];
    if (!f.row.whole || k.how.items != arrangement::striped || resident_tile_elements(k) == row_block ||
        combined_reductions(k, stage) > 0 || k.body.size() > unrolled_body)
        return false;
    bool reads = false, stores = false;
    for (std::uint32_t i = 0; i < k.body.size(); ++i) {
        const instruction& v = k.body[i];
        const bool loads = v.kind == instruction_kind::load || v.kind == instruction_kind::gather;
        if (s.here[i] && (f.row.resident.persistent[i] || loads)) return false;
        if (!is_input(k, f, s, i)) continue;
        const std::uint32_t load = f.row.resident.load[i];
        if (load == no_load || !is_shifted(k, load) || size_of(v.type) != 4 || (load != i && !f.whole[i])) return false;
        reads = true;
    }
    for (const store& to : k.stores) {
        const int operand = k.accesses[to.access].operand;
        if (to.stage != stage) continue;
        if (k.accesses[to.access].step != stride_class::contiguous ||
            size_of(k.operands[static_cast<std::size_t>(operand)].type) != 4)
            return false;
        stores = true;
    }
    return reads && stores;
}

SINTER_INLINE resident_facts resident_facts_of(const kernel& k) {
    resident_facts f{cooperative_row_of(k), false, sequence<char>(k.body.size(), 0), {}};
    f.bulk = copies_in_bulk(k, f);
    for (int stage = 0; stage < k.stages; ++stage) {
        f.stages.push_back({computed_in(k, stage, f.row.resident.persistent), {}});
        stage_facts& s = f.stages.back();
        s.used = used_in(k, stage, s.here);
        if (is_row_stage(stage)) continue;
        s.swizzled = may_swizzle(k, f, stage);
        if (s.swizzled) find_whole_values(k, f, s);
    }
    for (int stage = 0; stage < k.stages; stage += 2)
        f.stages[static_cast<std::size_t>(stage)].aligned = may_store_aligned(k, f, stage);
    return f;
}

}  // namespace sinter::inline SINTER_ABI::codegen
