// Bodies of hot_plan.hpp.
#pragma once

#include <sinter/runtime/execute/execute.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/lazy/hot_plan.hpp>
#include <sinter/runtime/lazy/program.hpp>
#include <sinter/runtime/lazy/run_plan.hpp>
#include <sinter/runtime/memory/stream_work.hpp>
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

SINTER_INLINE void remember_hot(const expression_form& form, hot_plan&& h) {
    constexpr std::size_t most = 4;
    if (form.recent.size() < most) form.recent.push_back(std::move(h));
    else form.recent[form.next_recent++ % most] = std::move(h);
}

SINTER_INLINE hot_plan hot_plan_of(const value& v) {
    hot_plan h{v.type, v.where, v.shape, {}, 0, {}};
    for (const value* input : v.pending->inputs)
        h.leaves.push_back({input->type, input->memory->number, input->memory->bytes, input->shape, input->at});
    return h;
}

SINTER_INLINE bool run_hot(value& v) {
    const statement& s = *v.pending;
    for (hot_plan& h : s.form->recent) {
        if (!matches(h, v)) continue;
        program_lease p;
        p->data.resize(h.inputs);
        for (std::size_t i = 0; i < s.inputs.size(); ++i) p->data[h.leaves[i].slot] = s.inputs[i]->memory->data;
        const plan_ref plan = h.plan;
        codegen::sequence<launched_check> none;
        stream_work work(v.where);
        for (const value* input : s.inputs) work.reads(*input->memory);
        execute(*plan, p->data, s.scalars, p->fresh, none);
        for (const buffer_ref& b : p->fresh) work.writes(*b);
        work.finish();
        count_cache_hit(static_cast<std::int64_t>(plan->kernels.size()));
        place_root(v, plan, 0, p->fresh, h.inputs);
        materialise(v);
        return true;
    }
    return false;
}

}  // namespace sinter::inline SINTER_ABI::runtime
