// Bodies of summary.hpp.
#pragma once

#include <sinter/runtime/memory/absent_buffer.hpp>
#include <sinter/runtime/memory/copy.hpp>
#include <sinter/codegen/report/costs.hpp>
#include <sinter/codegen/report/dot.hpp>
#include <sinter/codegen/report/hints.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/rewrite/simplify.hpp>
#include <sinter/runtime/compile/backend.hpp>
#include <sinter/runtime/compile/kernel_cache.hpp>
#include <sinter/runtime/compile/refine.hpp>
#include <sinter/runtime/lazy/evaluate.hpp>
#include <sinter/runtime/lazy/label.hpp>
#include <sinter/runtime/execute/execute.hpp>
#include <sinter/runtime/execute/kernel_backend.hpp>
#include <sinter/runtime/execute/make_plan.hpp>
#include <sinter/runtime/lazy/plan_table.hpp>
#include <sinter/runtime/lazy/lower.hpp>
#include <sinter/runtime/lazy/program.hpp>
#include <sinter/runtime/device/stopwatch.hpp>
#include <sinter/runtime/report/summary.hpp>

#include <algorithm>
#include <mutex>

SINTER_COLD_BEGIN

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

inline constexpr const char* quick_so_far = "compiled quickly so far";

SINTER_INLINE step_summary summary_of(const codegen::plan& p, const codegen::kernel& k, device where) {
    step_summary s{.name = codegen::name_of(k), .space = to_string(k.space), .schedule = to_text(k.how), .after = {}};
    for (std::size_t o = 0; o < k.operands.size(); ++o)
        (k.operands[o].written ? s.bytes_written : s.bytes_read) += codegen::bytes_moved(p, k, o);
    const codegen::arithmetic a = codegen::arithmetic_of(k);
    s.operations = a.all;
    s.operations_float64 = a.float64;
    const compiled_kernel* compiled = kernel_in_memory(k, where);
    if (compiled && compiled->quick) s.schedule += std::string("; ") + quick_so_far;
    if (!compiled || where.is_cpu()) return s;
    const kernel_resources r = resources_of(where, compiled->cuda_run);
    s.registers = r.registers;
    s.local_bytes = r.local_bytes;
    return s;
}

// A product's arithmetic where the units that machine_limits are of do it; a GPU's tensor cores do float64 and what is
// rounded.
SINTER_INLINE double operations_of(const codegen::plan& p, const codegen::library_call& c, device where) {
    if (!codegen::is_product(c.call.what) || c.call.in() != precision::highest) return 0;
    const dtype type = p.slots[c.results[0]].type;
    if (where.is_cuda() && codegen::is_float64(type)) return 0;
    const codegen::place& left = c.args[codegen::info(c.call.what).changes_base()];
    return (codegen::is_complex(type) ? 8.0 : 2.0) * static_cast<double>(c.shape.product()) *
           static_cast<double>(left.at.shape.back());
}

SINTER_INLINE step_summary summary_of(const codegen::plan& p, const codegen::library_call& c, device where) {
    step_summary s{.name = to_string(c.call), .space = to_string(c.shape), .after = {}, .is_kernel = false};
    for (const codegen::place& a : c.args)
        s.bytes_read += a.at.shape.product() * codegen::size_of(p.slots[a.slot].type);
    for (std::uint32_t r : c.results) s.bytes_written += p.slots[r].size * codegen::size_of(p.slots[r].type);
    for (const codegen::kernel_source& source : texts_of_call(c, p, where)) {
        const written_text* const text = text_in_memory(source, where);
        if (text && text->quick) s.schedule = quick_so_far;
    }
    s.operations = operations_of(p, c, where);
    if (codegen::is_float64(p.slots[c.results[0]].type)) s.operations_float64 = s.operations;
    return s;
}

SINTER_INLINE step_summary summary_of(const codegen::plan& p, const codegen::step& step, device where) {
    if (step.kind == codegen::step_kind::kernel) return summary_of(p, p.kernels[step.index], where);
    if (step.kind == codegen::step_kind::call) return summary_of(p, p.calls[step.index], where);
    const codegen::slot_copy& c = p.copies[step.index];
    const std::int64_t bytes =
        std::min(p.slots[c.from].size, p.slots[c.to].size) * codegen::size_of(p.slots[c.to].type);
    return {.name = "copy before an update",
            .space = to_string(dims(p.slots[c.to].size)),
            .after = {},
            .is_kernel = false,
            .bytes_read = bytes,
            .bytes_written = bytes};
}

// `labelled`: the values that the plan stores and that may have labels.
SINTER_INLINE plan_summary describe(const codegen::plan& p, const codegen::graph& g, device where,
                                    codegen::span<const labelled_root> labelled) {
    const codegen::sequence<std::string> labels = labels_of_steps(p, labelled);
    plan_summary s;
    s.where = where;
    s.graph = codegen::to_text(g);
    s.drawing = codegen::to_dot(g, p);
    s.hints = codegen::hints_of(g, p);
    s.kernels = static_cast<std::int64_t>(p.kernels.size());
    s.library_calls = static_cast<std::int64_t>(p.calls.size());
    for (const codegen::step& step : p.steps) {
        s.steps.push_back(summary_of(p, step, where));
        s.steps.back().label = labels[s.steps.size() - 1];
        if (step.kind != codegen::step_kind::kernel) continue;
        s.steps.back().after = codegen::predecessors_of(g, p, step.index);
        s.bytes_read += s.steps.back().bytes_read;
        s.bytes_written += s.steps.back().bytes_written;
    }
    for (const codegen::kernel& k : p.kernels) {
        s.cached = s.cached && kernel_in_memory(k, where);
        s.packed += is_kernel_packed(k, where);
        s.sources.push_back(code_backend_of(where).emit(k).text);
    }
    return s;
}

// A plan without the steps that none of these roots comes from.
SINTER_INLINE codegen::plan part_of(const codegen::plan& whole, const codegen::sequence<std::uint32_t>& roots) {
    codegen::sequence<char> is_needed(whole.slots.size(), 0), is_taken(whole.steps.size(), 0);
    for (std::uint32_t r : roots) is_needed[whole.roots[r].slot] = 1;
    for (std::size_t i = whole.steps.size(); i-- > 0;) {
        codegen::for_slots_of(whole, whole.steps[i], [&](std::uint32_t slot, bool written) {
            if (written && is_needed[slot]) is_taken[i] = 1;
        });
        if (is_taken[i])
            codegen::for_slots_of(whole, whole.steps[i], [&](std::uint32_t slot, bool) { is_needed[slot] = 1; });
    }
    codegen::plan part = whole;
    part.kernels = {};
    part.calls = {};
    part.steps = {};
    for (std::size_t i = 0; i < whole.steps.size(); ++i) {
        if (!is_taken[i]) continue;
        codegen::step s = whole.steps[i];
        auto take = [&](auto& to, const auto& from) {
            to.push_back(from[s.index]);
            s.index = static_cast<std::uint32_t>(to.size() - 1);
        };
        if (s.kind == codegen::step_kind::kernel) take(part.kernels, whole.kernels);
        if (s.kind == codegen::step_kind::call) take(part.calls, whole.calls);
        part.steps.push_back(s);
    }
    return part;
}

// What made values that are computed: those of the plan that made the first.
SINTER_INLINE plan_summary describe_stored(codegen::span<value* const> roots) {
    const value* first = nullptr;
    codegen::sequence<std::uint32_t> of_plan;
    codegen::sequence<labelled_root> labelled;
    for (const value* r : roots) {
        if (!r->plan) continue;
        if (!first) first = r;
        if (&*r->plan != &*first->plan) continue;
        of_plan.push_back(r->root);
        labelled.push_back({r, first->plan->plan.roots[r->root].slot});
    }
    if (!first) return {};
    return describe(part_of(first->plan->plan, of_plan), first->plan->program, first->where, labelled);
}

/// Runs a plan on copies of what it would overwrite, and times its steps.
struct plan_timer {
    static constexpr int fewest_runs = 3, most_runs = 30;
    static constexpr double enough_seconds = 0.1;

    const prepared_plan& r;
    const program& p;
    codegen::sequence<codegen::sequence<double>> seconds = {};  ///< by step, of each run
    codegen::sequence<void*> data = {};
    codegen::sequence<buffer_ref> copies = {};  ///< by input: of those that the plan may overwrite
    codegen::sequence<buffer_ref> fresh = {};

    void allocate() {
        for (std::size_t i = 0; i < p.inputs.size(); ++i) {
            bring_in(*p.inputs[i]);
            copies.push_back(p.consumable[i] ? allocate_buffer(r.where, p.inputs[i]->bytes) : buffer_ref());
            data.push_back(p.consumable[i] ? copies[i]->data : p.inputs[i]->data);
        }
        runtime::allocate(r, data, fresh);
    }
    void run(bool counts) {
        for (std::size_t i = 0; i < copies.size(); ++i)
            if (copies[i]) copy_between(r.where, copies[i]->data, r.where, p.inputs[i]->data, p.inputs[i]->bytes);
        codegen::sequence<launched_check> checks;  // what is wrong with the indices is told when a value is computed
        codegen::sequence<stopwatch> watches;
        for (const codegen::step& s : r.plan.steps) {
            watches.push_back(stopwatch(r.where));
            watches.back().start();
            execute(r, {&s, 1}, data, p.scalars, fresh, checks);
            watches.back().stop();
        }
        host_synchronize(r.where);
        for (std::size_t i = 0; counts && i < watches.size(); ++i) seconds[i].push_back(watches[i].seconds());
    }
    /// The median time of each step.
    SINTER_COMPARES codegen::sequence<double> measure() {
        allocate();
        seconds.resize(r.plan.steps.size());
        run(false);
        const double begin = seconds_now();
        for (int i = 0; i < fewest_runs || (i < most_runs && seconds_now() - begin < enough_seconds); ++i) run(true);
        codegen::sequence<double> medians;
        for (codegen::sequence<double>& s : seconds) {
            std::sort(s.begin(), s.end());
            medians.push_back(s[s.size() / 2]);
        }
        return medians;
    }
};

SINTER_INLINE plan_summary summarize_measured(program& p, const codegen::graph& g, device where) {
    plan_ref plan = find_plan(p);
    const std::string key = plan ? std::string() : plan_key(p, g, where);
    if (!plan) plan = find_plan(p, key);
    if (!plan) plan = remember_plan(p, key, make_plan(g, p.consumable, p.of_step, where));
    refine_all();
    const codegen::sequence<double> medians = plan_timer{.r = *plan, .p = p}.measure();
    plan_summary s = describe(plan->plan, plan->program, where, labelled_roots(p, plan->plan));
    for (std::size_t i = 0; i < medians.size(); ++i) s.steps[i].seconds = medians[i];
    return s;
}

SINTER_INLINE plan_summary summarize(codegen::span<value* const> roots, bool measures) {
    std::lock_guard lock(runtime_lock());
    codegen::sequence<value*> rest;
    for (value* r : roots)
        if (r->pending) rest.push_back(r);
    plan_summary s;
    if (rest.empty()) {
        s = describe_stored(roots);
        if (measures) s.unmeasured = "it is computed already, and what it was computed from may be gone";
        return s;
    }
    const device where = rest[0]->where;
    const bool runs = backend_of(where) != backend::interpreter;
    program_lease p;
    collect(*p, rest, overwriting::of_what_cannot_fail);
    codegen::graph g = lower(*p);
    if (measures && runs) return summarize_measured(*p, g, where);
    g = simplified(g, where);
    const codegen::plan plan = codegen::fuse(g, p->consumable, kernel_backend_of(where).limits(where));
    s = describe(plan, g, where, labelled_roots(*p, plan));
    if (measures) s.unmeasured = "the interpreter has no kernels to time";
    return s;
}

SINTER_INLINE double least_time(const step_summary& s, const machine_limits& l) {
    if (l.bytes_per_second <= 0) return 0;
    const double moving = static_cast<double>(s.bytes_read + s.bytes_written) / l.bytes_per_second;
    if (l.operations_per_second <= 0 || l.float64_per_second <= 0) return moving;
    const double computing =
        (s.operations - s.operations_float64) / l.operations_per_second + s.operations_float64 / l.float64_per_second;
    return std::max(moving, computing);
}

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_IEEE_END

SINTER_COLD_END
