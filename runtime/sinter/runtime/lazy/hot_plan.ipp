// Bodies of hot_plan.hpp.
#pragma once

#include <sinter/runtime/execute/prepared_plan.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/lazy/hot_plan.hpp>
#include <sinter/runtime/lazy/program.hpp>
#include <sinter/runtime/lazy/value.hpp>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE bool may_be_hot(const value& v) {
    constexpr std::size_t most_leaves = 8;
    const statement& s = *v.pending;
    if (!s.form || s.form->has_power || s.inputs.size() > most_leaves || s.scalars.size() >= many_scalars) return false;
    for (const value* input : s.inputs)
        if (!input->is_stored() || input->memory->unchecked ||
            (input->handles() == 0 && input->memory->bytes >= least_taken_over))
            return false;
    return true;
}

SINTER_INLINE bool matches(const hot_plan& h, const value& v) {
    const statement& s = *v.pending;
    if (h.type != v.type || !(h.where == v.where) || h.shape != v.shape) return false;
    for (std::size_t i = 0; i < s.inputs.size(); ++i) {
        const value& input = *s.inputs[i];
        const hot_plan::leaf& l = h.leaves[i];
        if (l.type != input.type || l.bytes != input.memory->bytes || l.shape != input.shape || !(l.at == input.at))
            return false;
        for (std::size_t e = 0; e < i; ++e)
            if ((h.leaves[e].slot == l.slot) != (s.inputs[e]->memory == input.memory)) return false;
    }
    return true;
}

SINTER_INLINE void remember_hot(const value& v, const plan_ref& plan, std::size_t inputs) {
    constexpr std::size_t most = 4;
    if (plan->roots[0].block < inputs) return;
    hot_plan h{v.type, v.where, v.shape, {}, inputs, plan};
    for (const value* input : v.pending->inputs)
        h.leaves.push_back({input->type, input->memory->number, input->memory->bytes, input->shape, input->at});
    const expression_form& form = *v.pending->form;
    if (form.recent.size() < most) form.recent.push_back(std::move(h));
    else form.recent[form.next_recent++ % most] = std::move(h);
}

// Makes a program that computes one value from so many buffers, which are still to be named.
SINTER_INLINE void start_alone(program& p, value& v, std::size_t inputs) {
    p.roots.resize(1);
    p.roots[0] = &v;
    p.inlined.clear();
    p.inputs.resize(inputs);
    p.consumable.clear();
    p.consumable.resize(inputs);
    p.scalars.clear();
    p.scalars.append(v.pending->scalars.begin(), v.pending->scalars.end());
}

SINTER_INLINE plan_ref find_hot(value& v, program& p) {
    const statement& s = *v.pending;
    for (const hot_plan& h : s.form->recent) {
        if (!matches(h, v)) continue;
        start_alone(p, v, h.inputs);
        for (std::size_t i = 0; i < s.inputs.size(); ++i) p.inputs[h.leaves[i].slot] = s.inputs[i]->memory.get();
        count_cache_hit(static_cast<std::int64_t>(h.plan->kernels.size()));
        return h.plan;
    }
    return {};
}

}  // namespace sinter::inline SINTER_ABI::runtime
