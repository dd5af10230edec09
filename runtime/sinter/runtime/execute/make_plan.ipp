// Bodies of make_plan.hpp, and those of plan_ref.hpp, which frees what is made.
#pragma once

#include <sinter/codegen/rewrite/epilogue.hpp>
#include <sinter/codegen/rewrite/simplify.hpp>
#include <sinter/codegen/rewrite/unroll.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/compile/kernel_cache.hpp>
#include <sinter/runtime/execute/arguments.hpp>
#include <sinter/runtime/execute/assign_memory.hpp>
#include <sinter/runtime/execute/kernel_backend.hpp>
#include <sinter/runtime/execute/make_plan.hpp>
#include <sinter/runtime/execute/replay.hpp>

#include <optional>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

// OpenBLAS has no epilogues, and adds parts of a long product in turn to what it is to be added to, which changes bits:
// on the CPU one kernel follows.
SINTER_INLINE codegen::graph simplified(const codegen::graph& program, device where) {
    const kernel_backend& b = kernel_backend_of(where);
    codegen::graph g = codegen::unroll_sums(codegen::simplify(program), b.limits(where).family.unrolled_terms);
    return b.has_epilogues ? codegen::fold_epilogues(g) : g;
}

SINTER_INLINE prepared_kernel prepare_kernel(prepared_plan& r, const codegen::kernel& k,
                                             const compiled_kernel& compiled, std::size_t inputs) {
    prepared_kernel p{};
    p.kernel = &k;
    p.compiled = &compiled;
    p.integers = codegen::integers(k);
    for (const codegen::operand& o : k.operands) {
        p.blocks.push_back(r.memory_of[o.slot]);
        p.shifts.push_back(static_cast<std::size_t>(o.offset * codegen::size_of(o.type)));
    }
    if (k.scalars_in_memory) p.places = places_of(r, k);
    else
        for (std::uint32_t s : k.scalars) p.scalars.push_back(prepared(r, s));
    p.scalars_at.resize(p.places.size());
    r.backend->geometry(p, r.where);
    for (std::size_t bytes : p.partials) {
        const bool fresh = bytes && !p.has_status_of_stream;
        p.blocks.push_back(fresh ? static_cast<std::uint32_t>(inputs + r.fresh_bytes.size()) : no_block);
        if (fresh) r.fresh_bytes.push_back(bytes);
    }
    p.shifts.resize(p.blocks.size());
    return p;
}

SINTER_INLINE void prepare_calls(prepared_plan& r, std::size_t inputs) {
    for (const codegen::library_call& c : r.plan.calls) {
        std::optional<text_scope> counted;
        if (may_be_quick(c, r.where)) counted.emplace(r.texts);
        r.calls.push_back(prepare_call(c, r.plan, r.where));
        const std::int64_t workspace = r.calls.back().workspace;
        r.workspaces.push_back(workspace ? static_cast<std::uint32_t>(inputs + r.fresh_bytes.size()) : no_block);
        if (workspace) r.fresh_bytes.push_back(static_cast<std::size_t>(workspace));
    }
}

SINTER_INLINE void find_roots(prepared_plan& r) {
    for (const codegen::place& root : r.plan.roots) r.roots.push_back({r.memory_of[root.slot], true});
    for (std::size_t i = 0; i < r.roots.size(); ++i)
        for (std::size_t e = 0; e < i; ++e)
            if (r.roots[e].block == r.roots[i].block) r.roots[e].last = false;
}

SINTER_INLINE plan_ref make_plan(const codegen::graph& program, const codegen::sequence<bool>& consumable, bool of_step,
                                 device where) {
    auto* r = new prepared_plan;
    plan_ref made(r);
    r->where = where;
    r->backend = &kernel_backend_of(where);
    r->program = simplified(program, where);
    if (env().check) codegen::verify(r->program);
    r->plan = codegen::fuse(r->program, consumable, r->backend->limits(where));
    assign_memory(*r, consumable);
    r->replayable = r->backend->is_replayable(r->plan, where);
    if (r->replayable && of_step) place_scalars(*r);
    const codegen::sequence<codegen::kernel>& kernels = r->plan.kernels;
    const codegen::sequence<sought_text> texts = texts_of_calls(r->plan, where);
    const codegen::sequence<const compiled_kernel*> compiled =
        find_kernels({kernels.data(), kernels.size()}, where, {texts.data(), texts.size()});
    for (std::size_t i = 0; i < kernels.size(); ++i)
        r->kernels.push_back(prepare_kernel(*r, kernels[i], *compiled[i], consumable.size()));
    prepare_calls(*r, consumable.size());
    r->has_quick = !r->texts.empty();
    for (const compiled_kernel* c : compiled) r->has_quick = r->has_quick || c->quick;
    find_roots(*r);
    return made;
}

SINTER_COLD_END

SINTER_INLINE void hold(const prepared_plan& p) noexcept { ++p.references; }

SINTER_INLINE void let_go(const prepared_plan& p) noexcept {
    if (--p.references == 0) delete &p;
}

}  // namespace sinter::inline SINTER_ABI::runtime
