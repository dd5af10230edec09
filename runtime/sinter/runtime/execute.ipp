// Bodies of execute.hpp.
#pragma once

#include <sinter/codegen/apply.hpp>
#include <sinter/codegen/emit_cuda.hpp>
#include <sinter/codegen/number_map.hpp>
#include <sinter/codegen/simplify.hpp>
#include <sinter/runtime/copy.hpp>
#include <sinter/runtime/counters.hpp>
#include <sinter/runtime/cuda_driver.hpp>
#include <sinter/runtime/environment.hpp>
#include <sinter/runtime/execute.hpp>
#include <sinter/runtime/thread_team.hpp>

#include <cstdio>
#include <cstring>
#include <mutex>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE const codegen::fusion_limits& limits_of(device where) {
    // Arithmetic that costs as much as 8 bytes of traffic: 16 operations a byte on data-centre GPUs, 8 on CPUs.
    static const codegen::fusion_limits data_center{.recompute = 128}, other{.recompute = 128, .maps = codegen::other_maps},
        cpu{.recompute = 64};
    if (where.is_cpu()) return cpu;
    const cuda_properties& p = properties(where.index());
    return &codegen::map_schedule_of(p.major, p.minor) == &codegen::data_center_maps ? data_center : other;
}

/// The slots that a step of a plan touches.
SINTER_INLINE codegen::sequence<std::uint32_t> slots_of(const codegen::plan& p, const codegen::step& s) {
    codegen::sequence<std::uint32_t> used;
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

// Gives every slot a block: temporaries whose last reader has run give theirs to later ones of the same size.
SINTER_INLINE void assign_memory(prepared_plan& r, std::size_t inputs) {
    const codegen::plan& p = r.plan;
    constexpr std::uint32_t none = ~std::uint32_t{0};
    r.memory_of.assign(p.slots.size(), none);
    codegen::sequence<std::size_t> last_use(p.slots.size(), 0);
    for (std::size_t i = 0; i < p.steps.size(); ++i)
        for (std::uint32_t s : slots_of(p, p.steps[i])) last_use[s] = i;
    for (std::size_t s = 0; s < p.slots.size(); ++s)
        if (p.slots[s].input != codegen::slot::fresh) r.memory_of[s] = static_cast<std::uint32_t>(p.slots[s].input);
    for (const codegen::place& root : p.roots) last_use[root.slot] = p.steps.size();
    codegen::sequence<std::uint32_t> idle;
    auto take = [&](std::uint32_t s) {
        std::size_t bytes = static_cast<std::size_t>(p.slots[s].size) * static_cast<std::size_t>(codegen::size_of(p.slots[s].type));
        for (std::uint32_t& b : idle)
            if (b != none && r.fresh_bytes[b - inputs] == bytes) {
                r.memory_of[s] = b;
                b = none;
                return;
            }
        r.memory_of[s] = static_cast<std::uint32_t>(inputs + r.fresh_bytes.size());
        r.fresh_bytes.push_back(bytes);
    };
    for (std::size_t i = 0; i < p.steps.size(); ++i) {
        codegen::sequence<std::uint32_t> used = slots_of(p, p.steps[i]);
        for (std::uint32_t s : used)
            if (r.memory_of[s] == none) take(s);
        for (std::size_t k = 0; k < used.size(); ++k) {
            bool again = false;
            for (std::size_t e = 0; e < k; ++e) again = again || used[e] == used[k];
            if (!again && last_use[used[k]] == i && p.slots[used[k]].input == codegen::slot::fresh)
                idle.push_back(r.memory_of[used[k]]);
        }
    }
    for (const codegen::place& root : p.roots)
        if (r.memory_of[root.slot] == none) take(root.slot);
}

SINTER_INLINE std::shared_ptr<const prepared_plan> make_plan(const codegen::graph& program,
                                                             const codegen::sequence<bool>& consumable, device where) {
    auto r = std::make_shared<prepared_plan>();
    r->where = where;
    r->program = codegen::simplify(program);
    if (env().check) codegen::verify(r->program);
    r->plan = codegen::fuse(r->program, consumable, limits_of(where));
    for (const codegen::kernel& k : r->plan.kernels)
        r->kernels.push_back({&find_kernel(k, where), codegen::integers(k),
                              k.reduces() ? codegen::partial_bytes(k, language_of(where)) : codegen::sequence<std::int64_t>()});
    for (const codegen::library_call& c : r->plan.calls) r->calls.push_back(prepare_call(c, r->plan, where));
    assign_memory(*r, consumable.size());
    return r;
}

struct plan_table {
    std::mutex guard;
    codegen::sequence<std::shared_ptr<const prepared_plan>> plans;
    codegen::text_map numbers;  ///< from a key, into the plans
    std::size_t bytes = 0;      ///< of all, roughly
};

SINTER_INLINE std::size_t bytes_of(const prepared_plan& p) {
    std::size_t n = 256 * p.program.nodes.size();
    for (const codegen::kernel& k : p.plan.kernels)
        n += 1024 + 64 * k.body.size() + 192 * (k.accesses.size() + k.operands.size());
    return n;
}

SINTER_INLINE std::shared_ptr<const prepared_plan> prepare(const codegen::graph& program, const codegen::sequence<bool>& consumable,
                                                           device where) {
    constexpr std::size_t most_bytes = std::size_t{64} << 20;
    static plan_table& t = *new plan_table;
    std::string key = codegen::structure_key(program);
    for (bool c : consumable) key += c ? 'c' : 'k';
    codegen::append_key(key, &where, sizeof where);
    std::lock_guard lock(t.guard);
    if (std::uint32_t found = t.numbers.find(key); found != codegen::number_map::none) {
        for (std::size_t i = 0; i < t.plans[found]->kernels.size(); ++i) count_cache_hit();
        return t.plans[found];
    }
    std::shared_ptr<const prepared_plan> p = make_plan(program, consumable, where);
    if (t.bytes > most_bytes) {
        t.plans.clear();
        t.numbers = {};
        t.bytes = 0;
    }
    t.bytes += key.size() + bytes_of(*p);
    t.plans.push_back(p);
    t.numbers.add(key, static_cast<std::uint32_t>(t.plans.size() - 1));
    return p;
}

/// Arguments of one launch.
struct bound_kernel {
    const codegen::kernel* kernel;
    const prepared_kernel* prepared;
    codegen::sequence<void*> memory;
    codegen::sequence<codegen::scalar_value> scalars;
    codegen::sequence<buffer_ref> partials;
};

// The value of a scalar in this run: the program's own, converted as simplification decided.
SINTER_INLINE codegen::scalar_value scalar_of(const codegen::graph& g, std::uint32_t slot,
                                              const codegen::sequence<codegen::scalar_value>& scalars) {
    codegen::scalar_value v = scalars[g.scalar_origins[slot].slot];
    for (char type : g.scalar_origins[slot].types) {
        codegen::scalar_value to;
        to.type = static_cast<dtype>(type);
        codegen::convert(v.type, to.type, v.bytes, to.bytes, 1);
        v = to;
    }
    return v;
}

SINTER_INLINE bound_kernel bind(const prepared_plan& p, std::size_t number, const codegen::sequence<buffer_ref>& memory,
                                const codegen::sequence<codegen::scalar_value>& scalars) {
    const codegen::kernel& k = p.plan.kernels[number];
    bound_kernel b{&k, &p.kernels[number], {}, {}, {}};
    b.memory.reserve(k.operands.size() + p.kernels[number].partials.size());
    for (const codegen::operand& o : k.operands) b.memory.push_back(memory[o.slot]->data);
    for (std::int64_t bytes : p.kernels[number].partials) {
        b.partials.push_back(allocate_buffer(p.where, static_cast<std::size_t>(bytes)));
        b.memory.push_back(b.partials.back()->data);
    }
    b.scalars.reserve(k.scalars.size());
    for (std::uint32_t s : k.scalars) b.scalars.push_back(scalar_of(p.program, s, scalars));
    return b;
}

struct host_loop {
    const bound_kernel* bound;
    host_entry* entry;
    const unsigned char* scalars;
    long long* error;
};

SINTER_INLINE void launch_host(const bound_kernel& b, std::int64_t (&error)[8]) {
    static_assert(sizeof(long long) == sizeof(std::int64_t));
    count_launch();
    codegen::sequence<unsigned char> scalars(16 * b.scalars.size());
    for (std::size_t i = 0; i < b.scalars.size(); ++i) std::memcpy(&scalars[16 * i], b.scalars[i].bytes, 16);
    for (const codegen::host_phase& phase : codegen::host_phases(*b.kernel)) {
        host_loop loop{&b, phase.finish ? b.prepared->compiled->host_finish : b.prepared->compiled->host_run,
                       scalars.data(), reinterpret_cast<long long*>(error)};
        parallel_for(
            phase.items, phase.grain,
            [](void* context, std::int64_t begin, std::int64_t end) {
                const host_loop& l = *static_cast<const host_loop*>(context);
                l.entry(l.bound->memory.data(), reinterpret_cast<const long long*>(l.bound->prepared->integers.data()),
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

SINTER_INLINE void launch_device(const bound_kernel& b, device where, codegen::sequence<launched_check>& checks) {
    void* error = add_checks(*b.kernel, where, checks);
    const codegen::sequence<std::int64_t>& integers = b.prepared->integers;
    codegen::sequence<std::int32_t> narrow(integers.begin(), integers.end());
    codegen::sequence<void*> parameters;
    for (const codegen::cuda_parameter& p : codegen::cuda_parameters(*b.kernel)) switch (p.kind) {
            case codegen::cuda_parameter::operand: parameters.push_back(const_cast<void**>(&b.memory[p.index])); break;
            case codegen::cuda_parameter::partial:
                parameters.push_back(const_cast<void**>(&b.memory[b.kernel->operands.size() + p.index]));
                break;
            case codegen::cuda_parameter::scalar:
                parameters.push_back(const_cast<unsigned char*>(b.scalars[p.index].bytes));
                break;
            case codegen::cuda_parameter::integer:
                parameters.push_back(b.kernel->wide ? static_cast<void*>(const_cast<std::int64_t*>(&integers[p.index]))
                                                    : static_cast<void*>(&narrow[p.index]));
                break;
            case codegen::cuda_parameter::error: parameters.push_back(&error); break;
        }
    for (const buffer_ref& marks : b.partials)
        if (b.kernel->scans) fill_zero(where, marks->data, marks->bytes);
    for (const codegen::cuda_launch& l : codegen::cuda_launches(*b.kernel))
        launch_cuda(where, l.finish ? b.prepared->compiled->cuda_finish : b.prepared->compiled->cuda_run, {l.grid[0], l.grid[1], l.grid[2]},
                    {l.block[0], l.block[1], l.block[2]}, 0, parameters.data());
}

SINTER_INLINE void throw_index_error(const codegen::kernel& k, const std::int64_t (&error)[8]) {
    const codegen::indexed_axis& x = k.indexed[static_cast<std::size_t>(error[0] - 1)];
    throw index_error(index_error_text("take", error[1], x.axis, x.extent));
}

SINTER_INLINE void launch(const bound_kernel& b, device where, codegen::sequence<launched_check>& checks) {
    if (env().shows("launch"))
        std::fprintf(stderr, "[launch] %s on %s: %lld elements\n", b.prepared->compiled->source.name.c_str(), to_string(where).c_str(),
                     static_cast<long long>(b.kernel->kept_size() * b.kernel->reduced_size()));
    if (where.is_cuda()) return launch_device(b, where, checks);
    std::int64_t error[8] = {};
    launch_host(b, error);
    if (error[0]) throw_index_error(*b.kernel, error);
}

SINTER_INLINE codegen::sequence<buffer_ref> execute(const prepared_plan& r,
                                                    const codegen::sequence<codegen::scalar_value>& scalars,
                                                    const codegen::sequence<buffer_ref>& inputs,
                                                    codegen::sequence<launched_check>& checks) {
    const codegen::plan& p = r.plan;
    codegen::sequence<buffer_ref> blocks = inputs, memory;
    for (std::size_t bytes : r.fresh_bytes) blocks.push_back(allocate_buffer(r.where, bytes));
    memory.reserve(p.slots.size());
    for (std::uint32_t b : r.memory_of) memory.push_back(b < blocks.size() ? blocks[b] : buffer_ref());
    codegen::sequence<bound_kernel> bound;
    bound.reserve(p.kernels.size());
    for (std::size_t k = 0; k < p.kernels.size(); ++k) bound.push_back(bind(r, k, memory, scalars));
    codegen::sequence<buffer_ref> rooms;
    for (const prepared_call& c : r.calls)
        rooms.push_back(c.room ? allocate_buffer(r.where, static_cast<std::size_t>(c.room)) : buffer_ref());
    for (const codegen::step& s : p.steps) switch (s.kind) {
            case codegen::step_kind::kernel: launch(bound[s.index], r.where, checks); break;
            case codegen::step_kind::call: {
                codegen::sequence<index_check> own;
                run_call(r.calls[s.index], p.calls[s.index], p, memory, rooms[s.index], r.where, own);
                for (index_check& c : own) checks.push_back({std::move(c), p.calls[s.index].node});
                break;
            }
            case codegen::step_kind::copy: {
                const buffer_ref &from = memory[p.copies[s.index].from], &to = memory[p.copies[s.index].to];
                copy_between(r.where, to->data, r.where, from->data, std::min(from->bytes, to->bytes));
            }
        }
    return memory;
}

}  // namespace sinter::inline SINTER_ABI::runtime
