// Bodies of execute.hpp.
#pragma once

#include <sinter/codegen/emit_cuda.hpp>
#include <sinter/runtime/blas.hpp>
#include <sinter/runtime/copy.hpp>
#include <sinter/runtime/counters.hpp>
#include <sinter/runtime/environment.hpp>
#include <sinter/runtime/execute.hpp>
#include <sinter/runtime/thread_team.hpp>

#include <cstdio>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE const codegen::fusion_limits& limits_of(device where) {
    // Arithmetic that costs as much as 8 bytes of traffic: 16 operations a byte on data-centre GPUs, 8 on CPUs.
    static const codegen::fusion_limits gpu{.recompute = 128}, cpu{.recompute = 64};
    return where.is_cuda() ? gpu : cpu;
}

/// The slots that a step of a plan touches.
SINTER_INLINE std::vector<std::uint32_t> slots_of(const codegen::plan& p, const codegen::step& s) {
    std::vector<std::uint32_t> used;
    switch (s.kind) {
        case codegen::step_kind::kernel:
            for (const codegen::operand& o : p.kernels[s.index].operands) used.push_back(o.slot);
            break;
        case codegen::step_kind::call:
            used.push_back(p.calls[s.index].result);
            for (const codegen::place& a : p.calls[s.index].args) used.push_back(a.slot);
            break;
        case codegen::step_kind::copy: used = {p.copies[s.index].from, p.copies[s.index].to};
    }
    return used;
}

// Memory for every slot; temporaries whose last reader has run give theirs to later ones of the same size.
SINTER_INLINE std::vector<buffer_ref> allocate_slots(const codegen::plan& p, const std::vector<buffer_ref>& inputs,
                                                     device where) {
    std::vector<buffer_ref> memory(p.slots.size());
    std::vector<std::size_t> last_use(p.slots.size(), 0);
    for (std::size_t i = 0; i < p.steps.size(); ++i)
        for (std::uint32_t s : slots_of(p, p.steps[i])) last_use[s] = i;
    for (std::size_t s = 0; s < p.slots.size(); ++s)
        if (p.slots[s].input != codegen::slot::fresh) memory[s] = inputs[static_cast<std::size_t>(p.slots[s].input)];
    for (const codegen::place& r : p.roots) last_use[r.slot] = p.steps.size();
    std::vector<buffer_ref> idle;
    auto take = [&](std::uint32_t s) {
        std::size_t bytes = static_cast<std::size_t>(p.slots[s].size) * static_cast<std::size_t>(codegen::size_of(p.slots[s].type));
        for (buffer_ref& b : idle)
            if (b->bytes == bytes) {
                memory[s] = std::move(b);
                b = std::move(idle.back());
                idle.pop_back();
                return;
            }
        memory[s] = allocate_buffer(where, bytes);
    };
    for (std::size_t i = 0; i < p.steps.size(); ++i) {
        for (std::uint32_t s : slots_of(p, p.steps[i]))
            if (!memory[s]) take(s);
        for (std::uint32_t s : slots_of(p, p.steps[i]))
            if (last_use[s] == i && p.slots[s].input == codegen::slot::fresh) {
                bool listed = false;
                for (const buffer_ref& b : idle) listed = listed || b == memory[s];
                if (!listed) idle.push_back(memory[s]);
            }
    }
    for (const codegen::place& r : p.roots)
        if (!memory[r.slot]) take(r.slot);
    return memory;
}

/// Arguments of one launch.
struct bound_kernel {
    const codegen::kernel* kernel;
    const compiled_kernel* compiled;
    std::vector<void*> memory;
    std::vector<std::int64_t> integers;
    std::vector<unsigned char> scalars;  ///< 16 bytes each
    std::vector<buffer_ref> partials;
};

SINTER_INLINE bound_kernel bind(const codegen::kernel& k, const codegen::graph& g, const std::vector<buffer_ref>& memory,
                                device where) {
    bound_kernel b{&k, &find_kernel(k, where), {}, codegen::integers(k), {}, {}};
    for (const codegen::operand& o : k.operands) b.memory.push_back(memory[o.slot]->data);
    if (k.reduces)
        for (std::int64_t bytes : codegen::partial_bytes(k)) {
            b.partials.push_back(allocate_buffer(where, static_cast<std::size_t>(bytes)));
            b.memory.push_back(b.partials.back()->data);
        }
    for (std::uint32_t s : k.scalars) b.scalars.insert(b.scalars.end(), g.scalars[s].bytes, g.scalars[s].bytes + 16);
    return b;
}

struct host_loop {
    const bound_kernel* bound;
    host_entry* entry;
    long long* error;
};

SINTER_INLINE void launch_host(const bound_kernel& b, std::int64_t (&error)[8]) {
    static_assert(sizeof(long long) == sizeof(std::int64_t));
    count_launch();
    for (const codegen::host_phase& phase : codegen::host_phases(*b.kernel)) {
        host_loop loop{&b, phase.finish ? b.compiled->host_finish : b.compiled->host_run,
                       reinterpret_cast<long long*>(error)};
        parallel_for(
            phase.items, phase.grain,
            [](void* context, std::int64_t begin, std::int64_t end) {
                const host_loop& l = *static_cast<const host_loop*>(context);
                l.entry(l.bound->memory.data(), reinterpret_cast<const long long*>(l.bound->integers.data()),
                        l.bound->scalars.data(), begin, end, l.error);
            },
            &loop);
    }
}

SINTER_INLINE void launch_device(const bound_kernel& b, device where) {
    void* error = b.kernel->indexed.empty() ? nullptr : cuda_error_word(where);
    std::vector<std::int32_t> narrow(b.integers.begin(), b.integers.end());
    std::vector<void*> parameters;
    for (const codegen::cuda_parameter& p : codegen::cuda_parameters(*b.kernel)) switch (p.kind) {
            case codegen::cuda_parameter::operand: parameters.push_back(const_cast<void**>(&b.memory[p.index])); break;
            case codegen::cuda_parameter::partial:
                parameters.push_back(const_cast<void**>(&b.memory[b.kernel->operands.size() + p.index]));
                break;
            case codegen::cuda_parameter::scalar:
                parameters.push_back(const_cast<unsigned char*>(&b.scalars[16 * p.index]));
                break;
            case codegen::cuda_parameter::integer:
                parameters.push_back(b.kernel->wide ? static_cast<void*>(const_cast<std::int64_t*>(&b.integers[p.index]))
                                                    : static_cast<void*>(&narrow[p.index]));
                break;
            case codegen::cuda_parameter::error: parameters.push_back(&error); break;
        }
    for (const codegen::cuda_launch& l : codegen::cuda_launches(*b.kernel))
        launch_cuda(where, l.finish ? b.compiled->cuda_finish : b.compiled->cuda_run, {l.grid[0], l.grid[1], l.grid[2]},
                    {l.block[0], l.block[1], l.block[2]}, 0, parameters.data());
}

SINTER_INLINE void throw_index_error(const codegen::kernel& k, const std::int64_t (&error)[8]) {
    const codegen::indexed_axis& x = k.indexed[static_cast<std::size_t>(error[0] - 1)];
    throw index_error("[take] index " + std::to_string(error[1]) + " is out of bounds for axis " +
                      std::to_string(x.axis) + " with size " + std::to_string(x.extent));
}

SINTER_INLINE void launch(const bound_kernel& b, device where) {
    if (env().shows("launch"))
        std::fprintf(stderr, "[launch] %s on %s: %lld elements\n", b.compiled->source.name.c_str(), to_string(where).c_str(),
                     static_cast<long long>(b.kernel->kept_size() * b.kernel->reduced_size()));
    std::int64_t error[8] = {};
    if (where.is_cpu()) {
        launch_host(b, error);
        if (error[0]) throw_index_error(*b.kernel, error);
        return;
    }
    launch_device(b, where);
    if (b.kernel->indexed.empty()) return;
    host_synchronize(where);
    if (take_cuda_error(where, error)) throw_index_error(*b.kernel, error);
}

// A stack of matrices as the library reads it: rows or columns apart by `leading`.
SINTER_INLINE matrix_operand matrix_of(const codegen::place& p, const std::vector<buffer_ref>& memory, dtype type) {
    const codegen::layout& l = p.at;
    int r = l.shape.size();
    std::int64_t rows = l.shape[r - 2], columns = l.shape[r - 1];
    matrix_operand m;
    m.data = static_cast<const char*>(memory[p.slot]->data) + l.offset * codegen::size_of(type);
    m.transposed = !(l.strides[r - 1] == 1 || columns == 1) || (rows > 1 && l.strides[r - 2] < columns);
    m.leading = m.transposed ? (columns > 1 ? l.strides[r - 1] : rows) : (rows > 1 ? l.strides[r - 2] : columns);
    m.leading = std::max<std::int64_t>(m.leading, 1);
    m.stride = 0;
    for (int i = r - 3; i >= 0 && m.stride == 0; --i)
        if (l.shape[i] > 1) m.stride = l.strides[i];
    return m;
}

SINTER_INLINE void call_library(const codegen::library_call& c, const codegen::plan& p,
                                const std::vector<buffer_ref>& memory, device where) {
    dtype type = p.slots[c.result].type;
    int r = c.shape.size();
    std::int64_t m = c.shape[r - 2], n = c.shape[r - 1], k = c.args[0].at.shape[r - 1], batch = 1;
    for (int i = 0; i < r - 2; ++i) batch *= c.shape[i];
    if (env().shows("launch")) std::fprintf(stderr, "[launch] matmul %s\n", to_string(c.shape).c_str());
    if (m == 0 || n == 0 || batch == 0) return;
    gemm_strided_batched(where, type, m, n, k, matrix_of(c.args[0], memory, type), matrix_of(c.args[1], memory, type),
                         memory[c.result]->data, n, m * n, batch);
}

SINTER_INLINE std::vector<buffer_ref> execute(const codegen::plan& p, const codegen::graph& g,
                                              const std::vector<buffer_ref>& inputs, device where) {
    std::vector<buffer_ref> memory = allocate_slots(p, inputs, where);
    std::vector<bound_kernel> bound;
    bound.reserve(p.kernels.size());
    for (const codegen::kernel& k : p.kernels) bound.push_back(bind(k, g, memory, where));
    for (const codegen::step& s : p.steps) switch (s.kind) {
            case codegen::step_kind::kernel: launch(bound[s.index], where); break;
            case codegen::step_kind::call: call_library(p.calls[s.index], p, memory, where); break;
            case codegen::step_kind::copy: {
                const buffer_ref &from = memory[p.copies[s.index].from], &to = memory[p.copies[s.index].to];
                copy_between(where, to->data, where, from->data, std::min(from->bytes, to->bytes));
            }
        }
    return memory;
}

}  // namespace sinter::inline SINTER_ABI::runtime
