// Bodies of place.hpp.
#pragma once

#include <sinter/runtime/execute/prepared_plan.hpp>
#include <sinter/runtime/lazy/program.hpp>
#include <sinter/runtime/lazy/label.hpp>
#include <sinter/runtime/lazy/place.hpp>
#include <sinter/runtime/memory/absent_buffer.hpp>
#include <sinter/runtime/memory/index_errors.hpp>
#include <sinter/runtime/memory/stream_work.hpp>
#include <sinter/runtime/lazy/value.hpp>

namespace sinter::inline SINTER_ABI::runtime {

// Which nodes a root is computed from.
SINTER_INLINE codegen::sequence<char> nodes_behind(const codegen::graph& g, codegen::node_id root) {
    codegen::sequence<char> behind(g.nodes.size(), 0);
    behind[root] = 1;
    for (codegen::node_id n = root + 1; n-- > 0;)
        if (behind[n])
            for (codegen::node_id a : g.args(n)) behind[a] = 1;
    return behind;
}

// Lets the memory of each root depend on the indices that it was computed with, in this run and before.
SINTER_INLINE void hang_checks(const prepared_plan& r, const program& p,
                               const codegen::sequence<launched_check>& checks) {
    codegen::sequence<index_checks> of_root(p.roots.size());
    for (std::size_t i = 0; i < p.roots.size(); ++i) {
        codegen::sequence<char> behind = nodes_behind(r.program, r.program.roots[i]);
        for (const launched_check& c : checks) {
            if (!behind[c.node]) continue;
            index_check check = c.check;
            check.places = places_of({&p.roots[i], 1}, check.function());
            of_root[i].add({{std::move(check)}});
        }
        for (codegen::node_id n = 0; n < behind.size(); ++n) {
            const codegen::node& v = r.program.nodes[n];
            if (behind[n] && v.kind == codegen::node_kind::input && p.inputs[v.payload]->unchecked)
                of_root[i].add(*p.inputs[v.payload]->unchecked);
        }
    }
    for (std::size_t i = 0; i < p.roots.size(); ++i) depend_on(*p.roots[i]->memory, r.where, std::move(of_root[i]));
}

SINTER_INLINE void use_inputs(program& p, stream_work& order) {
    for (std::size_t i = 0; i < p.inputs.size(); ++i) {
        if (p.inputs[i]->origin) bring_in(*p.inputs[i]);
        p.data.push_back(p.inputs[i]->data);
        if (p.consumable[i]) order.writes(*p.inputs[i]);
        else order.reads(*p.inputs[i]);
    }
}

SINTER_INLINE void place_roots(program& p, const plan_ref& plan, const codegen::sequence<launched_check>& checks) {
    for (std::size_t i = 0; i < p.roots.size(); ++i) {
        value& v = *p.roots[i];
        const prepared_root& root = plan->roots[i];
        if (root.block < p.inputs.size()) v.memory = buffer_ref(p.inputs[root.block]);
        else if (buffer_ref& block = p.fresh[root.block - p.inputs.size()]; root.last) v.memory = std::move(block);
        else v.memory = block;
        v.at = plan->plan.roots[i].at;
        v.plan = plan;
        v.root = static_cast<std::uint32_t>(i);
    }
    bool any_check = !checks.empty();
    for (const buffer* b : p.inputs) any_check = any_check || b->unchecked;
    if (any_check) hang_checks(*plan, p, checks);
}

}  // namespace sinter::inline SINTER_ABI::runtime
