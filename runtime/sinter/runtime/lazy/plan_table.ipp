// Bodies of plan_table.hpp.
#pragma once

#include <algorithm>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/compile/kernel_cache.hpp>
#include <sinter/runtime/lazy/plan_table.hpp>
#include <sinter/runtime/lazy/program.hpp>
#include <sinter/runtime/lazy/value.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// A program that ran before.
struct known_program {
    codegen::sequence<std::uint64_t> key;
    std::uint64_t hash;
    plan_ref plan;
    std::uint32_t next = codegen::number_map::none;  ///< of the programs with the same hash
};

/// Plans by program, and by graph: programs that are written differently may have the same graph.
struct plan_table {
    codegen::sequence<known_program> programs;
    codegen::number_map first_program;  ///< of a hash
    codegen::sequence<plan_ref> plans;
    codegen::text_map numbers;     ///< from a graph's key, into the plans
    std::size_t bytes = 0;         ///< of all, roughly
    std::size_t held_kernels = 0;  ///< that were loaded when the oldest plans had been forgotten last
};

SINTER_INLINE plan_table& plans_in_memory() {
    static plan_table& t = *new plan_table;
    return t;
}

SINTER_INLINE std::size_t bytes_of(const prepared_plan& p) {
    std::size_t n = 256 * p.program.nodes.size();
    for (const codegen::kernel& k : p.plan.kernels)
        n += 2048 + 64 * k.body.size() + 224 * (k.accesses.size() + k.operands.size());
    return n;
}

SINTER_INLINE plan_ref find_plan(const program& p) {
    plan_table& t = plans_in_memory();
    for (std::uint32_t i = t.first_program.find(p.hash); i != codegen::number_map::none; i = t.programs[i].next)
        if (t.programs[i].key == p.key) return t.programs[i].plan;
    return {};
}

SINTER_INLINE void remember(plan_table& t, known_program&& p) {
    const auto fresh = static_cast<std::uint32_t>(t.programs.size());
    t.programs.make_room();
    const std::uint32_t head = t.first_program.add(p.hash, fresh);
    t.bytes += 8 * p.key.size() + sizeof(known_program);
    p.next = codegen::number_map::none;
    t.programs.push_back(std::move(p));
    if (head == fresh) return;
    t.programs[fresh].next = t.programs[head].next;
    t.programs[head].next = fresh;
}

SINTER_INLINE void remember(plan_table& t, const std::string& key, const plan_ref& plan) {
    t.plans.make_room();
    t.numbers.add(key, static_cast<std::uint32_t>(t.plans.size()));
    t.plans.push_back(plan);
    t.bytes += key.size() + bytes_of(*plan);
}

// Forgets the half of the plans that have not run for longest, with the kernels that no other plan holds. Where those
// who hold plans keep most kernels loaded the next time comes later.
SINTER_INLINE void forget_oldest(plan_table& t) {
    codegen::sequence<std::uint64_t> runs;
    for (const plan_ref& p : t.plans) runs.push_back(p->last_run);
    std::nth_element(runs.begin(), runs.begin() + runs.size() / 2, runs.end());
    const std::uint64_t last_run = runs[runs.size() / 2];
    plan_table kept;
    for (std::size_t i = 0; i < t.numbers.size(); ++i)
        if (const plan_ref& p = t.plans[t.numbers.number_at(i)]; p->last_run > last_run)
            remember(kept, t.numbers.key_at(i), p);
    // Copied: where memory runs out meanwhile everything stays as it is.
    for (const known_program& p : t.programs)
        if (p.plan->last_run > last_run) remember(kept, known_program(p));
    t = std::move(kept);
    forget_forms(last_run);
    unload_kernels();
    t.held_kernels = loaded_kernels();
}

SINTER_INLINE std::string plan_key(const program& p, const codegen::graph& g, device where) {
    std::string key = codegen::structure_key(g);
    for (bool c : p.consumable) key += c ? 'c' : 'k';
    key += p.of_step ? 's' : 'p';
    codegen::append_key(key, &where, sizeof where);
    return key;
}

SINTER_INLINE plan_ref find_plan(const program& p, const std::string& key) {
    constexpr std::size_t most_bytes = std::size_t{32} << 20;
    plan_table& t = plans_in_memory();
    const std::size_t most_kernels = std::max(most_loaded_kernels, t.held_kernels + most_loaded_kernels / 2);
    if (!t.plans.empty() && (t.bytes > most_bytes || loaded_kernels() > most_kernels)) forget_oldest(t);
    const std::uint32_t found = t.numbers.find(key);
    if (found == codegen::number_map::none) return {};
    count_cache_hit(static_cast<std::int64_t>(t.plans[found]->kernels.size()));
    remember(t, {p.key, p.hash, t.plans[found]});
    return t.plans[found];
}

SINTER_INLINE plan_ref remember_plan(const program& p, const std::string& key, plan_ref plan) {
    plan_table& t = plans_in_memory();
    remember(t, key, plan);
    remember(t, {p.key, p.hash, plan});
    return plan;
}

}  // namespace sinter::inline SINTER_ABI::runtime
