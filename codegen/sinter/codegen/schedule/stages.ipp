// Bodies of stages.hpp.
#pragma once

#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/schedule/stages.hpp>

#include <algorithm>
#include <bit>

SINTER_COLD_BEGIN

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
SINTER_INLINE int cost_again(const kernel& k, std::uint32_t value, const sequence<char>& persistent) {
    sequence<char> needed(value + 1, 0);
    needed[value] = 1;
    int cost = 0;
    for (std::uint32_t i = value + 1; i-- > 0;) {
        const instruction& v = k.body[i];
        if (!needed[i] || is_uniform(k, i) || (persistent[i] && i != value)) continue;
        if (v.kind == instruction_kind::apply) cost += info(v.operation).cost;
        if (v.kind == instruction_kind::invoke) cost += static_cast<int>(k.invocations[v.payload]->function->cost);
        if (v.kind == instruction_kind::gather) cost += 8;
        for (std::uint32_t a : v.args) needed[a] = 1;
    }
    return cost;
}

SINTER_INLINE sequence<char> persistent_values(const kernel& k, const persistence& what) {
    constexpr int cheap = 8;
    sequence<char> persistent(k.body.size(), 0);
    int count = 0;
    for (int stage = 2; stage < k.stages; stage += 2) {
        sequence<char> needed = ends_of(k, stage);
        for (std::uint32_t i = static_cast<std::uint32_t>(k.body.size()); i-- > 0;) {
            const instruction& v = k.body[i];
            if (!needed[i] || is_uniform(k, i) || persistent[i]) continue;
            const bool widens =
                v.kind == instruction_kind::apply && v.operation == op::cast && size_of(v.common) < size_of(v.type);
            bool worth = v.kind == instruction_kind::load
                             ? what.loads && k.loads_memory(v) && k.accesses[v.payload].step != stride_class::broadcast
                             : what.computed && !widens && !is_bundle(k, i) && cost_again(k, i, persistent) > cheap;
            if (v.stage < stage && worth && count < what.values) {
                persistent[i] = 1;
                ++count;
                continue;
            }
            for (std::uint32_t a : v.args) needed[a] = 1;
        }
    }
    return persistent;
}

SINTER_INLINE sequence<char> persistent_on_host(const kernel& k, const schedule& s) {
    return persistent_values(k, {false, s.row_capacity > 0 ? kept_by_host : 0});
}

SINTER_INLINE int combined_reductions(const kernel& k, int stage) {
    return static_cast<int>(codegen::count_if(k.reductions.begin(), k.reductions.end(), [&](const reduction_step& r) {
        return combines(r) && (stage == any_stage || r.stage == stage);
    }));
}

SINTER_INLINE int most_combined_reductions(const kernel& k) {
    int most = 0;
    for (int stage = 0; stage < k.stages; ++stage) most = std::max(most, combined_reductions(k, stage));
    return most;
}

SINTER_INLINE persistence persistent_in_threads(const kernel& k) {
    return k.body.size() <= unrolled_body ? persistent_in_registers : persistence{false, 0};
}

SINTER_INLINE int buffer_words(const kernel& k) {
    int bytes = 8;
    for (const reduction_step& r : k.reductions) {
        int size = is_indexed(r.how) || is_complex(r.type) ? 16 : 8;
        bytes = size > bytes ? size : bytes;
    }
    return 256 * bytes / 8;
}

SINTER_INLINE sequence<char> persistent_over_scans(const kernel& k) {
    sequence<char> persistent(k.body.size(), 0);
    auto use = [&](std::uint32_t value, int stage) {
        persistent[value] |= !is_uniform(k, value) && k.body[value].stage != stage;
    };
    for (const instruction& i : k.body)
        for (std::uint32_t a : i.args) use(a, i.stage);
    for (const store& s : k.stores) use(s.value, s.stage);
    return persistent;
}

SINTER_INLINE sequence<char> computed_in(const kernel& k, int stage, const sequence<char>& persistent) {
    sequence<char> needed = ends_of(k, stage), here(k.body.size(), 0);
    // A kept value is computed in its own stage, whoever needs it there.
    for (std::uint32_t i = 0; i < k.body.size(); ++i)
        if (k.body[i].stage == stage && (persistent[i] || is_row_stage(stage))) needed[i] = 1;
    for (std::uint32_t i = static_cast<std::uint32_t>(k.body.size()); i-- > 0;) {
        const instruction& v = k.body[i];
        if (!needed[i] || (v.stage != stage && (persistent[i] || is_uniform(k, i)))) continue;
        here[i] = 1;
        for (std::uint32_t a : v.args) needed[a] = 1;
    }
    return here;
}

SINTER_INLINE sequence<char> turned_accesses(const kernel& k) {
    constexpr int widest = 8;
    sequence<char> turned(k.accesses.size(), 0);
    if (k.kept != 1 || k.space.size() != 2 || k.tree != reduce_tree::rows) return turned;
    for (std::size_t a = 0; a < k.accesses.size(); ++a) {
        const access& x = k.accesses[a];
        const bool is_straight = x.step == stride_class::contiguous || x.step == stride_class::aligned;
        turned[a] = x.operand != access::own_number && is_straight && size_of(k.operand_of(a).type) <= widest;
    }
    for (const instruction& v : k.body) {
        const bool reads = v.kind == instruction_kind::load || v.kind == instruction_kind::gather;
        if (reads && (v.kind == instruction_kind::gather || is_row_stage(v.stage))) turned[v.payload] = 0;
    }
    for (const store& s : k.stores)
        if (is_row_stage(s.stage)) turned[s.access] = 0;
    return turned;
}

SINTER_INLINE sequence<std::uint32_t> origins(const kernel& k, int stage) {
    sequence<std::uint32_t> found;
    for (const reduction_step& r : k.reductions)
        if (r.stage == stage && wants_first(r.how) &&
            codegen::find(found.begin(), found.end(), r.argument) == found.end())
            found.push_back(r.argument);
    return found;
}

SINTER_INLINE sequence<char> used_in(const kernel& k, int stage, const sequence<char>& here) {
    sequence<char> used = ends_of(k, stage);
    for (std::size_t i = 0; i < k.body.size(); ++i)
        for (std::uint32_t a : k.body[i].args) used[a] |= here[i];
    return used;
}

SINTER_INLINE bool is_copied_type(dtype type) { return size_of(type) == 4 || size_of(type) == 8; }

SINTER_INLINE bool loads_pack(const kernel& k, const schedule& s, const instruction& v) {
    return s.vector_width > 1 && k.loads_memory(v) && k.accesses[v.payload].step == stride_class::contiguous;
}

SINTER_INLINE bool draws(const kernel& k) {
    auto is_draw = [](const instruction& v) {
        return v.kind == instruction_kind::apply && (v.operation == op::philox_32 || v.operation == op::philox_64);
    };
    return codegen::any_of(k.body.begin(), k.body.end(), is_draw);
}

// What the elements of a column are loaded by, each its own.
SINTER_INLINE sequence<std::uint32_t> loads_of_columns(const kernel& k) {
    sequence<std::uint32_t> loads;
    for (std::uint32_t i = 0; i < k.body.size(); ++i)
        if (k.loads_memory(k.body[i]) && k.body[i].stage == 0) loads.push_back(i);
    return loads;
}

SINTER_INLINE int least_of_warp_row(const kernel& k) {
    const int quarters = static_cast<int>(std::bit_ceil(static_cast<unsigned>(k.how.row_capacity)) / 4);
    const bool has_three = 3 * quarters > least_of_three;
    return (k.how.row_capacity < 4 * quarters || !has_three ? 2 * quarters : 3 * quarters) + 1;
}

SINTER_INLINE int groups_of_block(const kernel& k) {
    return k.is(mapping::grid_per_row) && k.how.ahead > 4 ? k.how.ahead : 4;
}

SINTER_INLINE int least_of_column(const kernel& k) {
    int before = 0;
    for (int capacity : column_capacities)
        if (capacity < k.how.row_capacity) before = capacity;
    return before + 1;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
