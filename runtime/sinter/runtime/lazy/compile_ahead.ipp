// Bodies of compile_ahead.hpp.
#pragma once

#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/graph/graph.hpp>
#include <sinter/runtime/compile/backend.hpp>
#include <sinter/runtime/compile/kernel_cache.hpp>
#include <sinter/runtime/execute/calls.hpp>
#include <sinter/runtime/execute/kernel_backend.hpp>
#include <sinter/runtime/execute/make_plan.hpp>
#include <sinter/runtime/lazy/compile_ahead.hpp>
#include <sinter/runtime/lazy/lower.hpp>
#include <sinter/runtime/lazy/program.hpp>
#include <sinter/runtime/lazy/selection.hpp>
#include <sinter/runtime/lazy/value.hpp>

#include <utility>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE void kernels_ahead::add(value& root) {
    if (!root.pending || backend_of(root.where) == backend::interpreter) return;
    try {
        const codegen::sequence<value*> roots = read_together(root);
        add(codegen::span<value* const>{roots.data(), roots.size()});
    } catch (const error&) {  // thrown where it is read
    }
}

SINTER_INLINE void kernels_ahead::add(codegen::span<value* const> roots) {
    if (roots.empty() || backend_of(roots[0]->where) == backend::interpreter) return;
    for (const value* root : roots)
        if (!root->pending) return;
    try {
        program_lease p;
        collect(*p, roots, overwriting::of_what_cannot_fail);
        add(*p, lower(*p), roots[0]->where);
    } catch (const error&) {  // thrown where it is read
    }
}

SINTER_INLINE void kernels_ahead::add(const program& p, const codegen::graph& g, device where) {
    try {
        plan(p, g, where);
    } catch (const error&) {  // thrown where it is planned
    }
}

SINTER_INLINE void kernels_ahead::plan(const program& p, const codegen::graph& g, device where) {
    codegen::plan made = codegen::fuse(simplified(g, where), p.consumable, kernel_backend_of(where).limits(where));
    const codegen::sequence<sought_text> texts = texts_of_calls(made, where);
    of_device* same = nullptr;
    for (of_device& d : wanted_)
        if (d.where == where) same = &d;
    if (!same) {
        wanted_.push_back({where, {}, {}});
        same = &wanted_.back();
    }
    for (codegen::kernel& k : made.kernels)
        if (!kernel_in_memory(k, where)) same->kernels.push_back(std::move(k));
    same->texts.append(texts.begin(), texts.end());
}

SINTER_INLINE void kernels_ahead::compile() {
    for (of_device& d : wanted_)
        make_kernels({d.kernels.data(), d.kernels.size()}, d.where, {d.texts.data(), d.texts.size()});
    wanted_.clear();
}

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_COLD_END
