// Bodies of execute.hpp.
#pragma once

#include <sinter/codegen/ops/apply.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>
#include <sinter/codegen/rewrite/epilogue.hpp>
#include <sinter/codegen/base/number_map.hpp>
#include <sinter/codegen/rewrite/simplify.hpp>
#include <sinter/runtime/memory/copy.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/execute/arguments.hpp>
#include <sinter/runtime/execute/assign_memory.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/execute/execute.hpp>
#include <sinter/runtime/device/gpu_timeline.hpp>
#include <sinter/runtime/execute/replay.hpp>
#include <sinter/runtime/memory/stream_words.hpp>
#include <sinter/runtime/base/thread_team.hpp>

#include <cstdio>
#include <cstring>
#include <limits>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE const codegen::fusion_limits& limits_of(device where) {
    // Arithmetic that costs as much as 8 bytes of traffic: 16 operations a byte on data-centre GPUs, 8 on CPUs.
    // Thread blocks of a GPU share rows of any length. On an H200 a softmax of 1, 132 and 256 rows of 100000 floats
    // takes 8.4, 57 and 892 us as one kernel, 14.9, 66 and 1205 as three; of 16 rows of 2^24 1156 and 1010, as nothing
    // stays on the chip.
    constexpr std::int64_t any = std::numeric_limits<std::int64_t>::max();
    auto gpu = [](const codegen::map_schedule& maps) {
        return codegen::fusion_limits{.recompute = 128, .row_length = any, .maps = maps};
    };
    static const codegen::fusion_limits data_center = gpu(codegen::data_center_maps),
                                        earlier = gpu(codegen::earlier_data_center_maps),
                                        other = gpu(codegen::other_maps),
                                        cpu{.recompute = 64, .maps = codegen::host_maps};
    if (where.is_cpu()) return cpu;
    const cuda_properties& p = properties(where.index());
    const codegen::map_schedule& maps = codegen::map_schedule_of(p.major, p.minor);
    return &maps == &codegen::data_center_maps           ? data_center
           : &maps == &codegen::earlier_data_center_maps ? earlier
                                                         : other;
}

// OpenBLAS has no epilogues, and adds parts of a long product in turn to what it is to be added to, which changes bits:
// on the CPU one kernel follows.
SINTER_INLINE codegen::graph simplified(const codegen::graph& program, device where) {
    codegen::graph g = codegen::simplify(program);
    return where.is_cuda() ? codegen::fold_epilogues(g) : g;
}

SINTER_INLINE codegen::cuda_machine machine_of(device where, int most_cluster) {
    const cuda_properties& p = properties(where.index());
    return {p.multiprocessors, p.shared_per_multiprocessor, most_cluster};
}

// Where the arguments of a launch lie: operands, partial results, scalars, sizes, counters and error words in the
// kernel's order.
SINTER_INLINE void prepare_parameters(prepared_kernel& k, device where) {
    k.launches = codegen::cuda_launches(*k.kernel, machine_of(where, k.compiled->most_cluster));
    if (!k.kernel->how.wide) k.narrow = codegen::sequence<std::int32_t>(k.integers.begin(), k.integers.end());
    const std::size_t operands = k.kernel->operands.size();
    const bool in_memory = k.kernel->scalars_in_memory;
    std::size_t inverse = k.kernel->scalars.size();
    for (const codegen::cuda_parameter& p : codegen::cuda_parameters(*k.kernel)) switch (p.kind) {
            case codegen::cuda_parameter::operand: k.parameters.push_back(&k.memory[p.index]); break;
            case codegen::cuda_parameter::partial: k.parameters.push_back(&k.memory[operands + p.index]); break;
            case codegen::cuda_parameter::scalar:
                k.parameters.push_back(in_memory ? static_cast<void*>(&k.scalars_at[p.index])
                                                 : k.values[p.index].bytes);
                break;
            case codegen::cuda_parameter::inverse:
                k.parameters.push_back(in_memory ? static_cast<void*>(&k.scalars_at[inverse])
                                                 : k.values[inverse].bytes);
                ++inverse;
                break;
            case codegen::cuda_parameter::integer:
                k.parameters.push_back(k.kernel->how.wide ? static_cast<void*>(&k.integers[p.index])
                                                          : static_cast<void*>(&k.narrow[p.index]));
                break;
            case codegen::cuda_parameter::counters: k.parameters.push_back(&k.memory[k.memory.size() - 2]); break;
            case codegen::cuda_parameter::error: k.parameters.push_back(&k.memory.back()); break;
        }
}

SINTER_INLINE std::size_t bytes_of(const codegen::sequence<std::size_t>& parts) {
    std::size_t bytes = 0;
    for (std::size_t part : parts) bytes += part;
    return bytes;
}

SINTER_INLINE prepared_kernel prepare_kernel(prepared_plan& r, const codegen::kernel& k, std::size_t inputs) {
    prepared_kernel p{};
    p.kernel = &k;
    p.compiled = &find_kernel(k, r.where);
    p.integers = codegen::integers(k);
    for (const codegen::operand& o : k.operands) {
        p.blocks.push_back(r.memory_of[o.slot]);
        p.shifts.push_back(static_cast<std::size_t>(o.offset * codegen::size_of(o.type)));
    }
    for (std::int64_t bytes : k.reduces() ? codegen::partial_bytes(k) : codegen::sequence<std::int64_t>())
        p.partials.push_back(static_cast<std::size_t>(bytes));
    const std::size_t status = bytes_of(p.partials);
    p.has_status_of_stream = r.where.is_cuda() && k.scans && status > 0 && status <= codegen::scan_status;
    for (std::size_t bytes : p.partials) {
        const bool fresh = bytes && !p.has_status_of_stream;
        p.blocks.push_back(fresh ? static_cast<std::uint32_t>(inputs + r.fresh_bytes.size()) : no_block);
        if (fresh) r.fresh_bytes.push_back(bytes);
    }
    if (k.scalars_in_memory) p.places = places_of(r, k);
    else
        for (std::uint32_t s : k.scalars) p.scalars.push_back(prepared(r, s));
    p.shifts.resize(p.blocks.size());
    p.memory.resize(p.blocks.size() + 2);
    if (r.where.is_cuda() && codegen::takes_counters(k)) p.memory[p.blocks.size()] = cuda_counters(r.where);
    if (r.where.is_cuda() && !k.scalars_in_memory) p.inverses = codegen::inverse_scalars(k);
    p.values.resize(p.scalars.size() + p.inverses.size());
    p.scalars_at.resize(p.places.size());
    if (r.where.is_cuda()) prepare_parameters(p, r.where);
    else p.phases = codegen::host_phases(k);
    return p;
}

SINTER_INLINE bool is_replayable(const prepared_plan& r) {
    if (!r.where.is_cuda() || !r.plan.calls.empty()) return false;
    std::size_t launches = 0;
    for (const codegen::kernel& k : r.plan.kernels)
        launches += codegen::cuda_launches(k, machine_of(r.where, 1)).size();
    return launches > 1;
}

SINTER_INLINE plan_ref make_plan(const codegen::graph& program, const codegen::sequence<bool>& consumable, bool of_step,
                                 device where) {
    auto* r = new prepared_plan;
    plan_ref made(r);
    r->where = where;
    r->program = simplified(program, where);
    if (env().check) codegen::verify(r->program);
    r->plan = codegen::fuse(r->program, consumable, limits_of(where));
    assign_memory(*r, consumable);
    r->replayable = is_replayable(*r);
    if (r->replayable && of_step) place_scalars(*r);
    for (const codegen::kernel& k : r->plan.kernels) r->kernels.push_back(prepare_kernel(*r, k, consumable.size()));
    for (const codegen::library_call& c : r->plan.calls) {
        r->calls.push_back(prepare_call(c, r->plan, where));
        const std::int64_t workspace = r->calls.back().workspace;
        r->workspaces.push_back(workspace ? static_cast<std::uint32_t>(consumable.size() + r->fresh_bytes.size())
                                          : no_block);
        if (workspace) r->fresh_bytes.push_back(static_cast<std::size_t>(workspace));
    }
    for (const codegen::place& root : r->plan.roots) r->roots.push_back({r->memory_of[root.slot], true});
    for (std::size_t i = 0; i < r->roots.size(); ++i)
        for (std::size_t e = 0; e < i; ++e)
            if (r->roots[e].block == r->roots[i].block) r->roots[e].last = false;
    return made;
}

SINTER_INLINE plan_ref::plan_ref(const prepared_plan* p) noexcept : plan_(p) {
    if (p) ++p->references;
}

SINTER_INLINE void plan_ref::release() noexcept {
    if (--plan_->references == 0) delete plan_;
}

// The block of one launch: this run's pointers, and its scalars converted as simplification decided.
SINTER_INLINE void bind(const prepared_kernel& k, device where, const codegen::sequence<void*>& data,
                        const codegen::sequence<codegen::scalar_value>& scalars) {
    for (std::size_t i = 0; i < k.blocks.size(); ++i)
        k.memory[i] = k.blocks[i] == no_block ? nullptr : static_cast<char*>(data[k.blocks[i]]) + k.shifts[i];
    if (k.has_status_of_stream) {
        auto* status = static_cast<char*>(tile_status_words(where));
        for (std::size_t i = 0; i < k.partials.size(); status += k.partials[i++])
            k.memory[k.kernel->operands.size() + i] = status;
    }
    for (std::size_t i = 0; i < k.scalars.size(); ++i) k.values[i] = value_of(k.scalars[i], scalars);
    for (std::size_t i = 0; i < k.inverses.size(); ++i)
        k.values[k.scalars.size() + i] = inverse_of(k.values[k.inverses[i]]);
}

struct host_loop {
    host_entry* entry;
    const prepared_kernel* kernel;
    const unsigned char* scalars;
    long long* error;
};

SINTER_INLINE void launch_host(const prepared_kernel& k, std::int64_t (&error)[8]) {
    static_assert(sizeof(long long) == sizeof(std::int64_t));
    count_launch();
    unsigned char few[16 * 8];
    codegen::sequence<unsigned char> many(k.values.size() > 8 ? 16 * k.values.size() : 0);
    unsigned char* scalars = k.values.size() > 8 ? many.data() : few;
    for (std::size_t i = 0; i < k.values.size(); ++i) std::memcpy(scalars + 16 * i, k.values[i].bytes, 16);
    for (const codegen::host_phase& phase : k.phases) {
        host_loop loop{phase.finish ? k.compiled->host_finish : k.compiled->host_run, &k, scalars,
                       reinterpret_cast<long long*>(error)};
        parallel_for(
            phase.items, phase.grain,
            [](void* context, std::int64_t begin, std::int64_t end) {
                const host_loop& l = *static_cast<const host_loop*>(context);
                l.entry(l.kernel->memory.data(), reinterpret_cast<const long long*>(l.kernel->integers.data()),
                        l.scalars, begin, end, l.error);
            },
            &loop);
    }
}

// The words that a launch may write index errors into, and the checks of them for the run.
SINTER_INLINE void* add_checks(const codegen::kernel& k, device where, codegen::sequence<launched_check>& checks) {
    if (k.indexed.empty()) return nullptr;
    auto words = std::make_shared<const error_words>(where, k.indexed.size());
    for (std::uint32_t x = 0; x < k.indexed.size(); ++x)
        checks.push_back({{words, x, "take", k.indexed[x].axis, k.indexed[x].extent, {}}, k.indexed[x].node});
    return words->address();
}

SINTER_INLINE void launch_device(const prepared_kernel& k, device where, codegen::sequence<launched_check>& checks) {
    k.memory.back() = add_checks(*k.kernel, where, checks);
    for (std::size_t i = 0; i < k.partials.size(); ++i)
        if (begins_with_zeros(k, i)) fill_zero(where, k.memory[k.kernel->operands.size() + i], k.partials[i]);
    void* stream = cuda_stream(where);
    for (const codegen::cuda_launch& l : k.launches) {
        const recorded_launch r = launch_of(k, l);
        launch_cuda(stream, r.kernel, r.grid, r.block, r.shared_bytes, r.parameters,
                    {.cluster_y = r.cluster_y, .cooperative = r.cooperative});
    }
}

SINTER_INLINE void throw_index_error(const codegen::kernel& k, const std::int64_t (&error)[8]) {
    const codegen::indexed_axis& x = k.indexed[static_cast<std::size_t>(error[0] - 1)];
    throw index_error(index_error_text("take", error[1], x.axis, x.extent));
}

SINTER_INLINE void launch_anywhere(const prepared_kernel& k, device where, codegen::sequence<launched_check>& checks) {
    if (where.is_cuda()) return launch_device(k, where, checks);
    std::int64_t error[8] = {};
    launch_host(k, error);
    if (error[0]) throw_index_error(*k.kernel, error);
}

SINTER_INLINE void launch(const prepared_kernel& k, device where, codegen::sequence<launched_check>& checks) {
    static const bool shows = env().shows("launch");
    if (shows)
        std::fprintf(stderr, "[launch] %s on %s: %lld elements\n", k.compiled->source.name.c_str(),
                     to_string(where).c_str(),
                     static_cast<long long>(k.kernel->kept_size() * k.kernel->reduced_size()));
    timed_work event("launch", where);
    launch_anywhere(k, where, checks);
    if (event) event.end(codegen::name_of(*k.kernel));
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
                                codegen::sequence<launched_check>& checks) {
    codegen::sequence<void*> by_slot;
    for (std::uint32_t block : r.memory_of) by_slot.push_back(block == no_block ? nullptr : data[block]);
    void* workspace = r.workspaces[number] == no_block ? nullptr : data[r.workspaces[number]];
    codegen::sequence<index_check> own;
    timed_work event("library call", r.where);
    const codegen::library_call& c = r.plan.calls[number];
    run_call(r.calls[number], c, r.plan, by_slot, workspace, r.where, own, factor_of(c, r, scalars));
    if (event) event.end(to_string(c.call));
    for (const index_check& check : own)
        for (codegen::node_id n : c.nodes) checks.push_back({check, n});
}

SINTER_INLINE void copy_slot(const codegen::slot_copy& c, const prepared_plan& r,
                             const codegen::sequence<void*>& data) {
    copy_between(r.where, data[r.memory_of[c.to]], r.where, data[r.memory_of[c.from]], bytes_copied(c, r));
}

SINTER_INLINE void run_step(const prepared_plan& r, const codegen::step& s, const codegen::sequence<void*>& data,
                            const codegen::sequence<codegen::scalar_value>& scalars,
                            codegen::sequence<launched_check>& checks) {
    const codegen::subnormal_scope exact;
    switch (s.kind) {
        case codegen::step_kind::kernel:
            bind(r.kernels[s.index], r.where, data, scalars);
            return launch(r.kernels[s.index], r.where, checks);
        case codegen::step_kind::call: return call_routine(r, s.index, data, scalars, checks);
        case codegen::step_kind::copy: return copy_slot(r.plan.copies[s.index], r, data);
    }
}

SINTER_INLINE void execute(const prepared_plan& r, codegen::sequence<void*>& data,
                           const codegen::sequence<codegen::scalar_value>& scalars,
                           codegen::sequence<buffer_ref>& fresh, codegen::sequence<launched_check>& checks) {
    for (std::size_t bytes : r.fresh_bytes) {
        fresh.push_back(allocate_buffer(r.where, bytes));
        data.push_back(fresh.back()->data);
    }
    if (r.where.is_cuda() && has_several_streams())
        for (const prepared_kernel& k : r.kernels)
            if (codegen::takes_counters(*k.kernel)) k.memory[k.blocks.size()] = cuda_counters(r.where);
    if (r.replayable && (is_replaying() || !r.step_scalars.empty())) {
        bind_step_scalars(r, scalars);
        for (const prepared_kernel& k : r.kernels) {
            bind(k, r.where, data, scalars);
            k.memory.back() = add_checks(*k.kernel, r.where, checks);
        }
        timed_work event("launch", r.where);
        replay(r, data, fresh);
        if (event) event.end("graph of " + std::to_string(r.kernels.size()) + " kernels");
        return;
    }
    for (const codegen::step& s : r.plan.steps) run_step(r, s, data, scalars, checks);
}

}  // namespace sinter::inline SINTER_ABI::runtime
