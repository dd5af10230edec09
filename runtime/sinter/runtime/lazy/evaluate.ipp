// Bodies of evaluate.hpp.
#pragma once

#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/interpret/interpret.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/compile/backend.hpp>
#include <sinter/runtime/compile/host_compiler.hpp>
#include <sinter/runtime/compile/kernel_pack.hpp>
#include <sinter/runtime/compile/row_printers.hpp>
#include <sinter/runtime/execute/calls.hpp>
#include <sinter/runtime/execute/execute.hpp>
#include <sinter/runtime/execute/make_plan.hpp>
#include <sinter/runtime/lazy/compile_ahead.hpp>
#include <sinter/runtime/lazy/evaluate.hpp>
#include <sinter/runtime/lazy/flush.hpp>
#include <sinter/runtime/lazy/label.hpp>
#include <sinter/runtime/lazy/lower.hpp>
#include <sinter/runtime/lazy/place.hpp>
#include <sinter/runtime/lazy/plan_table.hpp>
#include <sinter/runtime/lazy/program.hpp>
#include <sinter/runtime/lazy/selection.hpp>
#include <sinter/runtime/lazy/steps/step_scope.hpp>
#include <sinter/runtime/lazy/steps/turn_repetition.hpp>
#include <sinter/runtime/lazy/value.hpp>
#include <sinter/runtime/memory/absent_buffer.hpp>
#include <sinter/runtime/memory/index_errors.hpp>
#include <sinter/runtime/memory/stream_work.hpp>

#include <cstdio>
#include <exception>
#include <mutex>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE void interpret_roots(program& p, const codegen::graph& g) {
    codegen::sequence<const void*> inputs;
    for (const buffer* b : p.inputs) inputs.push_back(b->data);
    codegen::sequence<void*> outputs;
    for (const value* v : p.roots) {
        p.fresh.push_back(allocate_buffer(device::cpu(), static_cast<std::size_t>(v->bytes())));
        outputs.push_back(p.fresh.back()->data);
    }
    codegen::interpret(g, inputs, outputs, call_on_host, rows_on_host());
    for (std::size_t i = 0; i < p.roots.size(); ++i) {
        p.roots[i]->memory = std::move(p.fresh[i]);
        p.roots[i]->at = codegen::contiguous(p.roots[i]->shape);
    }
    for (value* v : p.roots) materialise(*v);
}

SINTER_INLINE void warn_of_interpreter() {
    static const bool warned = [] {
        std::string why;
        host_compiler_available(&why);
        std::fprintf(stderr, "sinter: no C++ compiler was found (%s): computing with the interpreter, which is slow\n",
                     why.c_str());
        return true;
    }();
    static_cast<void>(warned);
}

// Whether the interpreter computes what no plan could be made for: without a compiler, unless a backend or a pack is
// named, what the disk cache has no kernel for.
SINTER_INLINE bool interpreter_stands_in(device where) {
    if (where.is_cuda() || is_backend_named() || has_packs() || host_compiler_available()) return false;
    warn_of_interpreter();
    return true;
}

// The program as a graph, shown and verified where that is wanted.
SINTER_INLINE codegen::graph lower_watched(program& p) {
    static const bool shows = env().shows("ir"), checks = env().check;
    codegen::graph g = lower(p);
    if (shows) std::fprintf(stderr, "%s\n", codegen::to_text(g).c_str());
    if (checks) codegen::verify(g);
    return g;
}

// Marks what a collected program computes from memory that it may have overwritten.
SINTER_INLINE void mark_overwritten(program& p) {
    for (value* v : p.order) {
        bool& is_overwritten = p.of(v).is_overwritten;
        if (v->pending)
            for (const value* input : v->pending->inputs) is_overwritten |= p.of(input).is_overwritten;
        else is_overwritten = p.consumable[v->memory->number];
    }
}

// What has been overwritten cannot be read again: after a failure the values that are computed from it have failed for
// good; of a program that was not collected now, or has placed some, all that are left.
SINTER_INLINE void fail_consumers(program& p, bool is_replayed) {
    if (codegen::none_of(p.consumable.begin(), p.consumable.end(), [](bool c) { return c; })) return;
    const bool all =
        is_replayed || !codegen::all_of(p.roots.begin(), p.roots.end(), [](value* v) { return v->pending != nullptr; });
    if (!all) mark_overwritten(p);
    for (value* v : p.roots)
        if (v->pending && (all || p.of(v).is_overwritten)) fail(*v, std::current_exception());
}

// Stored roots may be views of what is absent.
SINTER_INLINE void bring_in_roots(codegen::span<value* const> roots) {
    for (value* v : roots)
        if (v->memory) bring_in(*v->memory);
}

SINTER_INLINE void evaluate(codegen::span<value* const> roots, policy how, turn_repetition* loop) {
    if (step_scope* const step = how == policy::unasked ? nullptr : this_step()) {
        if (how == policy::request) return step->defer(roots);
        require_no_step("an array is read");
    }
    std::lock_guard lock(runtime_lock());
    const bool any_absent = absent_buffers.load(std::memory_order_relaxed) > 0;
    if (any_absent && how != policy::replay && how != policy::turn)
        if (auto* compute = compute_in_parts.load(std::memory_order_relaxed)) compute(roots);
    for (selection work(roots, how); work.next();) try {
            program_lease p(work.replayed_program());
            plan_ref plan = work.find_plan(*p);
            if (!plan) {
                const codegen::graph g = lower_watched(*p);
                const device where = work.group()[0]->where;
                if (!work.interprets()) try {
                        const std::string key = plan_key(*p, g, where);
                        plan = find_plan(*p, key);
                        if (!plan) plan = remember_plan(*p, key, make_plan(g, p->consumable, p->of_step, where));
                    } catch (const device_error&) {
                        if (!interpreter_stands_in(where)) throw;
                    }
                if (!plan) {
                    if (interpreted_ahead) interpreted_ahead->add(*p, g, where);
                    interpret_roots(*p, g);
                    work.finish(*p, plan);
                    continue;
                }
            }
            codegen::sequence<launched_check> checks;
            codegen::sequence<std::string> labels;
            if (labels_exist.load(std::memory_order_relaxed) && uses_labels())
                labels = labels_of_steps(plan->plan, labelled_roots(*p, plan->plan));
            stream_work order(plan->where);
            use_inputs(*p, order);
            allocate(*plan, p->data, p->fresh);
            try {
                execute(*plan, plan->plan.steps, p->data, p->scalars, p->fresh, checks, labels);
                if (loop && work.replayed_program()) loop->repeat(*p, *plan, order);
                for (const buffer_ref& b : p->fresh) order.writes(*b);
                order.finish();
                place_roots(*p, plan, checks);
                work.finish(*p, plan);
            } catch (...) {
                tell_places(work.group());
                fail_consumers(*p, work.replayed_program() != nullptr);
                throw;
            }
        } catch (const error& why) {
            tell_places(work.group());
            work.fail(why);
        }
    if (any_absent) bring_in_roots(roots);
}

SINTER_INLINE void require_valid(value& v) {
    std::lock_guard lock(runtime_lock());
    if (!v.failure && v.memory) v.failure = index_error_of(*v.memory);
    if (v.failure) std::rethrow_exception(v.failure);
}

SINTER_INLINE void run_recorded(const char* what) {
    require_no_step(what);
    std::lock_guard lock(runtime_lock());
    flush(this_queue());
    note_read(this_queue());
}

SINTER_INLINE void synchronize_all() {
    run_recorded("the device is waited for");
    current_device().synchronize();
}

}  // namespace sinter::inline SINTER_ABI::runtime
