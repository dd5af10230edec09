// Bodies of execute.hpp.
#pragma once

#include <sinter/codegen/ops/apply.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/compile/refine.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/device/gpu_timeline.hpp>
#include <sinter/runtime/device/nvtx.hpp>
#include <sinter/runtime/execute/arguments.hpp>
#include <sinter/runtime/execute/cuda_kernels.hpp>
#include <sinter/runtime/execute/execute.hpp>
#include <sinter/runtime/execute/kernel_backend.hpp>
#include <sinter/runtime/execute/replay.hpp>
#include <sinter/runtime/memory/copy.hpp>
#include <sinter/runtime/memory/stream_words.hpp>

#include <cstdio>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE void allocate(const prepared_plan& r, codegen::sequence<void*>& data,
                            codegen::sequence<buffer_ref>& fresh) {
    for (std::size_t bytes : r.fresh_bytes) {
        fresh.push_back(allocate_buffer(r.where, bytes));
        data.push_back(fresh.back()->data);
    }
}

// The block of one launch: this run's pointers, and its scalars converted as simplification decided.
SINTER_INLINE void bind(const prepared_kernel& k, device where, const codegen::sequence<void*>& data,
                        const codegen::sequence<codegen::scalar_value>& scalars) {
    for (std::size_t i = 0; i < k.blocks.size(); ++i)
        k.memory[i] = k.blocks[i] == no_block ? nullptr : static_cast<char*>(data[k.blocks[i]]) + k.shifts[i];
    // The stream may be another than in the last run.
    if (void*& counters = k.memory[k.blocks.size()]; counters && has_several_streams()) counters = cuda_counters(where);
    if (k.has_status_of_stream) {
        auto* status = static_cast<char*>(tile_status_words(where));
        for (std::size_t i = 0; i < k.partials.size(); status += k.partials[i++])
            k.memory[k.kernel->operands.size() + i] = status;
    }
    for (std::size_t i = 0; i < k.scalars.size(); ++i) k.values[i] = value_of(k.scalars[i], scalars);
    for (std::size_t i = 0; i < k.inverses.size(); ++i)
        k.values[k.scalars.size() + i] = inverse_of(k.values[k.inverses[i]]);
}

SINTER_INLINE bool shows_launches() {
    static const bool shows = env().shows("launch");
    return shows;
}

SINTER_INLINE bool uses_labels() { return has_nvtx() || is_timed() || shows_launches(); }

// A step's name, behind what the user calls what it computes.
SINTER_INLINE std::string labelled(const std::string& label, const std::string& name) {
    return label.empty() ? name : label + ": " + name;
}

/// What tools show the launches of a step below.
class label_range {
public:
    explicit label_range(const std::string& label) : is_open_(!label.empty()) {
        if (is_open_) push_nvtx(label.c_str());
    }
    ~label_range() {
        if (is_open_) pop_nvtx();
    }
    label_range(const label_range&) = delete;
    label_range& operator=(const label_range&) = delete;

private:
    bool is_open_;
};

SINTER_INLINE void show_launch(const prepared_kernel& k, device where, const std::string& label) {
    if (shows_launches())
        std::fprintf(stderr, "[launch] %s on %s: %lld elements\n", labelled(label, k.compiled->source.name).c_str(),
                     to_string(where).c_str(),
                     static_cast<long long>(k.kernel->kept_size() * k.kernel->reduced_size()));
}

// What this run's call multiplies its product by.
SINTER_INLINE double factor_of(const codegen::library_call& c, const prepared_plan& r,
                               const codegen::sequence<codegen::scalar_value>& scalars) {
    double factor = c.factor;
    if (c.factor_scalar == codegen::library_call::no_scalar) return factor;
    const codegen::scalar_value v = value_of(prepared(r, c.factor_scalar), scalars);
    codegen::convert(v.type, dtype::float64, v.bytes, &factor, 1);
    return factor;
}

SINTER_INLINE void call_routine(const prepared_plan& r, std::size_t number, const codegen::sequence<void*>& data,
                                const codegen::sequence<codegen::scalar_value>& scalars,
                                codegen::sequence<launched_check>& checks, const std::string& label) {
    codegen::sequence<void*> by_slot;
    for (std::uint32_t block : r.memory_of) by_slot.push_back(block == no_block ? nullptr : data[block]);
    void* workspace = r.workspaces[number] == no_block ? nullptr : data[r.workspaces[number]];
    codegen::sequence<index_check> own;
    timed_work event("library call", r.where);
    const codegen::library_call& c = r.plan.calls[number];
    show_call(c, label);
    run_call(r.calls[number], c, r.plan, by_slot, workspace, r.where, own, factor_of(c, r, scalars));
    if (event) event.end(labelled(label, to_string(c.call)));
    for (const index_check& check : own)
        for (codegen::node_id n : c.nodes) checks.push_back({check, n});
}

SINTER_INLINE void copy_slot(const codegen::slot_copy& c, const prepared_plan& r,
                             const codegen::sequence<void*>& data) {
    copy_between(r.where, data[r.memory_of[c.to]], r.where, data[r.memory_of[c.from]], bytes_copied(c, r));
}

SINTER_INLINE void replay_all(const prepared_plan& r, const codegen::sequence<void*>& data,
                              const codegen::sequence<codegen::scalar_value>& scalars,
                              codegen::sequence<buffer_ref>& fresh, codegen::sequence<launched_check>& checks,
                              codegen::span<const std::string> labels) {
    bind_step_scalars(r, scalars);
    for (const prepared_kernel& k : r.kernels) {
        bind(k, r.where, data, scalars);
        k.memory.back() = add_checks(k, r.where, checks);
    }
    std::string label;
    for (std::size_t i = 0; i < labels.size(); ++i)
        if (!labels[i].empty() && (i == 0 || labels[i] != labels[i - 1]))
            label += (label.empty() ? "" : ", ") + labels[i];
    const label_range range(label);
    timed_work event("launch", r.where);
    replay(r, data, fresh);
    if (event) event.end(labelled(label, "graph of " + std::to_string(r.kernels.size()) + " kernels"));
}

SINTER_INLINE void refine_used(const prepared_plan& r) {
    codegen::sequence<const refinable_code*> all = r.texts;
    for (const prepared_kernel& k : r.kernels) all.push_back(k.compiled);
    r.has_quick = refine_used(all);
}

SINTER_INLINE void execute(const prepared_plan& r, codegen::span<const codegen::step> steps,
                           const codegen::sequence<void*>& data,
                           const codegen::sequence<codegen::scalar_value>& scalars,
                           codegen::sequence<buffer_ref>& fresh, codegen::sequence<launched_check>& checks,
                           codegen::span<const std::string> labels) {
    static std::uint64_t runs = 0;
    r.last_run = ++runs;
    take_refined();
    if (r.has_quick) refine_used(r);
    if (r.replayable && steps.size() == r.plan.steps.size() && (is_replaying() || !r.step_scalars.empty()))
        return replay_all(r, data, scalars, fresh, checks, labels);
    const codegen::subnormal_scope exact;
    static const std::string none;
    for (const codegen::step& s : steps) {
        const std::string& label = labels.empty() ? none : labels[static_cast<std::size_t>(&s - steps.data())];
        const label_range range(label);
        switch (s.kind) {
            case codegen::step_kind::kernel: {
                const prepared_kernel& k = r.kernels[s.index];
                bind(k, r.where, data, scalars);
                show_launch(k, r.where, label);
                timed_work event("launch", r.where);
                r.backend->launch(k, r.where, checks);
                if (event) event.end(labelled(label, codegen::name_of(*k.kernel)));
                break;
            }
            case codegen::step_kind::call: call_routine(r, s.index, data, scalars, checks, label); break;
            case codegen::step_kind::copy: copy_slot(r.plan.copies[s.index], r, data); break;
        }
    }
}

}  // namespace sinter::inline SINTER_ABI::runtime
