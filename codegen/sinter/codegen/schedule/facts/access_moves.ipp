// Bodies of access_moves.hpp.
#pragma once

#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/schedule/facts/access_moves.hpp>

#include <algorithm>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE bool is_multiple_of_packs(const kernel& k, std::uint32_t a, int width) {
    const layout& at = k.accesses[a].at;
    const std::int64_t lowest = k.accesses[a].step == stride_class::reversed ? at.offset - (width - 1) : at.offset;
    if (lowest % width != 0) return false;
    for (int i = 0; i + 1 < k.space.size(); ++i)
        if (at.strides[i] % width != 0) return false;
    return true;
}

SINTER_INLINE bool moves_by_packs(const kernel& k, std::uint32_t a, int width) {
    const stride_class step = k.accesses[a].step;
    const bool is_stored =
        codegen::any_of(k.stores.begin(), k.stores.end(), [&](const store& s) { return s.access == a; });
    if (step == stride_class::reversed && is_stored) return false;
    return (step == stride_class::contiguous || step == stride_class::reversed) && is_multiple_of_packs(k, a, width);
}

SINTER_INLINE bool lies_as_numbered(const kernel& k, std::uint32_t a, int width) {
    const layout& at = k.accesses[a].at;
    if (k.accesses[a].operand == access::own_number || at.offset % width != 0) return false;
    std::int64_t step = 1;
    for (int i = k.space.size(); i-- > 0; step *= k.space[i])
        if (k.space[i] > 1 && at.strides[i] != step) return false;
    return true;
}

SINTER_INLINE access_move move_of(const kernel& k, std::uint32_t a) {
    if (k.how.vector_width == 1) return access_move::single;
    if (k.is(mapping::joined_rows))
        return lies_as_numbered(k, a, k.how.vector_width) ? access_move::pack : access_move::single;
    if (k.accesses[a].step == stride_class::broadcast) return access_move::broadcast;
    if (k.accesses[a].operand == access::own_number) return access_move::single;
    if (!moves_by_packs(k, a, k.how.vector_width)) return access_move::elements;
    return k.accesses[a].step == stride_class::reversed ? access_move::reversed : access_move::pack;
}

SINTER_INLINE int axis_of_rows(const kernel& k) { return std::max(k.space.size() - 2, 0); }

SINTER_INLINE bool repeats_along_rows(const kernel& k, std::uint32_t a) {
    return k.space.size() > 1 && k.accesses[a].at.strides[axis_of_rows(k)] == 0;
}

SINTER_INLINE std::uint32_t walks_like(const kernel& k, std::uint32_t a) {
    if (k.accesses[a].operand == access::own_number) return a;
    for (std::uint32_t b = 0; b < a; ++b)
        if (k.accesses[b].operand != access::own_number && k.operand_of(a).slot == k.operand_of(b).slot &&
            k.accesses[a].at.strides == k.accesses[b].at.strides)
            return b;
    return a;
}

SINTER_INLINE sequence<char> shared_by_neighbours(const kernel& k) {
    sequence<char> shared(k.body.size(), 0);
    for (std::size_t i = 0; i < k.body.size(); ++i) {
        const instruction& v = k.body[i];
        const bool reads = v.kind == instruction_kind::load || v.kind == instruction_kind::gather;
        if (!reads && !is_given(v) && v.kind != instruction_kind::apply) continue;
        shared[i] = !reads || k.accesses[v.payload].step == stride_class::broadcast;
        for (std::uint32_t a : v.args) shared[i] = shared[i] && shared[a];
    }
    return shared;
}

SINTER_INLINE bool is_gathered_by_packs(const kernel& k, std::uint32_t instruction, int width) {
    const auto& v = k.body[instruction];
    if (v.kind != instruction_kind::gather || k.reduces() || width == 1) return false;
    if (k.accesses[v.payload].step != stride_class::contiguous || !is_multiple_of_packs(k, v.payload, width))
        return false;
    for (const indexed_axis& x : k.indexed)
        if (x.instruction == instruction && x.stride % width != 0) return false;
    const sequence<char> shared = shared_by_neighbours(k);
    return codegen::all_of(v.args.begin(), v.args.end(), [&](std::uint32_t a) { return shared[a] != 0; });
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
