// Bodies of evaluate.hpp.
#pragma once

#include <sinter/codegen/interpret/interpret.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/lazy/evaluate.hpp>
#include <sinter/runtime/lazy/value.hpp>
#include <sinter/runtime/execute/execute.hpp>
#include <sinter/runtime/lazy/plan_table.hpp>
#include <sinter/runtime/lazy/hot_plan.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/compile/backend.hpp>
#include <sinter/runtime/compile/host_compiler.hpp>
#include <sinter/runtime/compile/kernel_pack.hpp>
#include <sinter/runtime/execute/calls.hpp>
#include <sinter/runtime/execute/replay.hpp>
#include <sinter/runtime/lazy/flush.hpp>
#include <sinter/runtime/memory/index_errors.hpp>
#include <sinter/runtime/lazy/lower.hpp>
#include <sinter/runtime/lazy/program.hpp>
#include <sinter/runtime/lazy/run_plan.hpp>
#include <sinter/runtime/lazy/step_record.hpp>

#include <cstdio>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE void interpret_roots(program& p, const codegen::graph& g) {
    codegen::sequence<const void*> inputs;
    for (const buffer* b : p.inputs) inputs.push_back(b->data);
    codegen::sequence<void*> outputs;
    for (const value* v : p.roots) {
        p.fresh.push_back(allocate_buffer(device::cpu(), static_cast<std::size_t>(v->bytes())));
        outputs.push_back(p.fresh.back()->data);
    }
    codegen::interpret(g, inputs, outputs, call_on_host);
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

// The plan, or none where the interpreter has to compute: without a compiler, unless a backend or a pack is named, what
// the disk cache has no kernel for.
SINTER_INLINE plan_ref new_plan(const program& p, const codegen::graph& g, device where) {
    if (where.is_cuda() || is_backend_named() || has_packs()) return prepare(p, g, where);
    try {
        return prepare(p, g, where);
    } catch (const device_error&) {
        if (host_compiler_available()) throw;
        warn_of_interpreter();
        return {};
    }
}

// The plan of a program, found or made; none when the program has been interpreted instead.
SINTER_INLINE plan_ref plan_or_interpret(program& p, device where) {
    static const bool shows = env().shows("ir"), checks = env().check;
    bool interpreted = backend_of(where) == backend::interpreter;
    if (!interpreted && !shows && !checks)
        if (plan_ref found = find_plan(p)) {
            count_cache_hit(static_cast<std::int64_t>(found->kernels.size()));
            return found;
        }
    codegen::graph g = lower(p);
    if (shows) std::fprintf(stderr, "%s\n", codegen::to_text(g).c_str());
    if (checks) codegen::verify(g);
    plan_ref plan = interpreted ? plan_ref() : new_plan(p, g, where);
    if (!plan) interpret_roots(p, g);
    return plan;
}

SINTER_INLINE plan_ref run_program(program& p, device where) {
    plan_ref plan = plan_or_interpret(p, where);
    if (!plan) return plan;
    run_plan(p, plan);
    // Settling may free what is only inlined, and inputs.
    for (value* v : p.inlined) v->computed_before = true;
    for (value* v : p.roots) materialise(*v);
    return plan;
}

// A view of what is stored is stored where that is.
SINTER_INLINE bool materialise_view(value& v) {
    if (v.pending->kind != statement_kind::view) return false;
    value& base = *v.pending->inputs[0];
    if (!base.is_stored()) return false;
    std::optional<codegen::layout> at = codegen::composed(base.at, v.pending->where);
    if (!at) return false;
    materialise(v, base.memory, *at);
    return true;
}

// Errors of data, such as an index out of range or a singular matrix, belong to the values that depend on them: each
// root is tried alone.
SINTER_INLINE void run_each(std::span<value* const> roots) {
    std::exception_ptr first;
    for (value* r : roots) {
        if (!r->pending) continue;
        try {
            program_lease p;
            collect(*p, {&r, 1}, false);
            run_program(*p, r->where);
        } catch (const data_error&) {
            if (r->pending) fail(*r, std::current_exception());
            if (!first) first = std::current_exception();
        }
    }
    if (first) std::rethrow_exception(first);
}

SINTER_INLINE void run_pending(std::span<value* const> roots) {
    static const bool watched = env().shows("ir") || env().check;
    value& first = *roots[0];
    step_record* const record = watched ? nullptr : this_record();
    const bool hot = roots.size() == 1 && !watched && !(record && record->asks_for_program()) &&
                     backend_of(first.where) != backend::interpreter && may_be_hot(first);
    if (hot && run_hot(first)) return;
    try {
        program_lease p;
        collect(*p, roots, true);
        if (record) record->note_program(*p);
        if (!hot) {
            plan_ref plan = run_program(*p, first.where);
            if (record) record->note_plan(plan);
            return;
        }
        hot_plan h = hot_plan_of(first);
        h.inputs = p->inputs.size();
        const expression_form& form = *first.pending->form;
        h.plan = run_program(*p, first.where);
        if (h.plan && h.plan->roots[0].block >= h.inputs) remember_hot(form, std::move(h));
    } catch (const data_error&) {
        run_each(roots);
    }
}

SINTER_INLINE void run_values(std::span<value* const> roots) {
    codegen::sequence<value*> rest;
    for (value* r : roots) {
        bool listed = false;
        for (value* o : rest) listed = listed || o == r;
        if (r->pending && !listed && !materialise_view(*r)) rest.push_back(r);
    }
    while (!rest.empty()) {
        codegen::sequence<value*> together, others;
        for (value* r : rest)
            if (r->pending) (r->where == rest[0]->where ? together : others).push_back(r);
        if (!together.empty()) run_pending(together);
        rest = std::move(others);
    }
}

// A read begins anew what loops are recognised by, so that a program that runs again is cut at the same places.
SINTER_INLINE void note_read(pending_queue& q) {
    q.last_read = q.next_sequence;
    q.flushed = false;
    q.rolling = 0;
    q.turn = {};
}

// What a loop that reads would otherwise carry along from read to read, in ever new constellations: named values that
// have been pending since before the last read, or, after a flush, all.
SINTER_INLINE void add_stale(codegen::sequence<value*>& roots) {
    pending_queue& q = this_queue();
    bool all = q.flushed, any = q.first && (all || q.first->sequence < q.last_read);
    for (value* v = q.first; any && v; v = v->next) {
        v->stale = all || v->sequence < q.last_read;
        for (const value* input : v->pending->inputs) v->stale = v->stale || (input->pending && input->stale);
        if (v->stale && v->handles() > 0) roots.push_back(v);
    }
    note_read(q);
}

SINTER_INLINE bool has_stale(const pending_queue& q) {
    return q.first && (q.flushed || q.first->sequence < q.last_read);
}

SINTER_INLINE step_scope*& this_step() {
    static thread_local step_scope* step = nullptr;
    return step;
}

SINTER_INLINE void require_no_step(const char* what) {
    if (this_step())
        throw value_error(
            std::string("[graph] ") + what +
            " while a step is recorded: what a step computes may not depend on the data, read its results instead");
}

// Whether two expressions are results of the same call.
SINTER_INLINE bool are_siblings(const statement& a, const statement& b) {
    if (!b.form || a.form->codes.size() != b.form->codes.size() || a.inputs != b.inputs || a.scalars != b.scalars)
        return false;
    for (std::size_t i = 0; i < a.form->codes.size(); ++i) {
        code x = a.form->codes[i], y = b.form->codes[i];
        if (x.kind == code::what::invoke) x.detail = y.detail;
        if (!(x == y)) return false;
    }
    return true;
}

// The other results of an expensive function that is called for one of them.
SINTER_INLINE void add_siblings(codegen::sequence<value*>& roots) {
    for (std::size_t i = 0, count = roots.size(); i < count; ++i) {
        if (!roots[i]->pending || !roots[i]->queue || !roots[i]->pending->is_expensive()) continue;
        for (value* v = roots[i]->queue->first; v; v = v->next)
            if (v != roots[i] && v->handles() > 0 && are_siblings(*roots[i]->pending, *v->pending)) roots.push_back(v);
    }
}

SINTER_INLINE void evaluate(std::span<value* const> roots) {
    require_no_step("an array is read");
    std::lock_guard lock(runtime_lock());
    bool any = false;
    for (value* r : roots) {
        if (r->failure) std::rethrow_exception(r->failure);
        any = any || r->pending;
    }
    if (!any) return;
    if (pending_queue& q = this_queue();
        roots.size() == 1 && !has_stale(q) && !(roots[0]->pending && roots[0]->pending->is_expensive())) {
        note_read(q);
        if (!materialise_view(*roots[0])) run_pending(roots);
        return;
    }
    codegen::sequence<value*> all(roots.begin(), roots.end());
    add_siblings(all);
    add_stale(all);
    try {
        run_values(all);
    } catch (const data_error&) {
        for (value* r : roots)
            if (r->failure) std::rethrow_exception(r->failure);
        if (roots[0]->pending) throw;
    } catch (const error&) {
        // What is not asked for must not keep what is from being computed.
        if (all.size() == roots.size()) throw;
        run_values(roots);
    }
}

SINTER_INLINE void evaluate_only(std::span<value* const> roots) {
    require_no_step("an array is read");
    std::lock_guard lock(runtime_lock());
    run_values(roots);
}

SINTER_INLINE void require_valid(value& v) {
    std::lock_guard lock(runtime_lock());
    if (!v.failure && v.memory) v.failure = index_error_of(*v.memory);
    if (v.failure) std::rethrow_exception(v.failure);
}

SINTER_INLINE void evaluate_or_defer(std::span<value* const> roots) {
    if (!this_step()) return evaluate(roots);
    for (value* r : roots) this_step()->waiting_.push_back(handle(r));
}

SINTER_INLINE step_memory::~step_memory() { delete record_; }

SINTER_INLINE step_scope::step_scope(step_memory& m) : outer_(std::exchange(this_step(), this)) {
    if (outer_) return;
    std::lock_guard lock(runtime_lock());
    if (!m.record_) m.record_ = new step_record;
    if (m.record_->begin()) this_record() = record_ = m.record_;
}

SINTER_INLINE step_scope::~step_scope() {
    if (is_open_) this_step() = outer_;
    if (!record_) return;
    std::lock_guard lock(runtime_lock());
    record_->end();
    this_record() = nullptr;
}

SINTER_INLINE void step_scope::finish(std::span<const handle> results) {
    this_step() = outer_;
    is_open_ = false;
    waiting_.append(results.begin(), results.end());
    codegen::sequence<value*> roots;
    for (const handle& h : waiting_) roots.push_back(h.get());
    if (outer_) return evaluate_or_defer(roots);
    replay_scope replayed(true);
    std::lock_guard lock(runtime_lock());
    if (!record_) return evaluate(roots);
    record_->close(roots);
    pending_queue& q = this_queue();
    if (record_->replay(roots, !has_stale(q))) note_read(q);
    else evaluate(roots);
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
