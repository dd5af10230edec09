// Plans of several launches as CUDA graphs: recorded for a set of buffers, changed where arguments differ, run at once.
#pragma once

#include <sinter/runtime/execute.hpp>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE bool& is_replaying() {
    static thread_local bool replaying = false;
    return replaying;
}

SINTER_INLINE replay_scope::replay_scope() { is_replaying() = true; }
SINTER_INLINE replay_scope::~replay_scope() { is_replaying() = false; }

SINTER_INLINE recorded_launch launch_of(const prepared_kernel& k, const codegen::cuda_launch& l) {
    const cuda_kernel& f = k.compiled->cuda_run;
    return {cuda_kernel(f.function(), f.starts_early() && l.starts_early), {l.grid[0], l.grid[1], l.grid[2]},
            {l.block[0], l.block[1], l.block[2]}, 0, k.parameters.data()};
}

// The arguments that a kernel's launches have now, at their places among those of the recording; false when they had others.
SINTER_INLINE bool note_arguments(recorded_plan& to, std::size_t memory, std::size_t values, const prepared_kernel& k) {
    bool same = true;
    for (std::size_t i = 0; i < k.memory.size(); ++i) {
        same = same && to.memory[memory + i] == k.memory[i];
        to.memory[memory + i] = k.memory[i];
    }
    for (std::size_t i = 0; i < k.values.size(); ++i) {
        same = same && to.values[values + i] == k.values[i];
        to.values[values + i] = k.values[i];
    }
    return same;
}

SINTER_INLINE bool has_same_memory(const recorded_plan& recorded, const prepared_plan& r) {
    std::size_t i = 0;
    for (const codegen::step& s : r.plan.steps)
        for (const void* p : r.kernels[s.index].memory)
            if (recorded.memory[i++] != p) return false;
    return true;
}

SINTER_INLINE recorded_plan record_plan(const prepared_plan& r) {
    recorded_plan fresh;
    codegen::sequence<recorded_launch> launches;
    for (const codegen::step& s : r.plan.steps) {
        const prepared_kernel& k = r.kernels[s.index];
        fresh.memory.append(k.memory.begin(), k.memory.end());
        fresh.values.append(k.values.begin(), k.values.end());
        for (const codegen::cuda_launch& l : k.launches) launches.push_back(launch_of(k, l));
    }
    fresh.graph = std::make_unique<cuda_graph>(r.where, launches);
    return fresh;
}

// Gives a recording the arguments of this run, launch by launch where they differ.
SINTER_INLINE void update_recording(recorded_plan& p, const prepared_plan& r) {
    std::size_t memory = 0, values = 0, launch = 0;
    for (const codegen::step& s : r.plan.steps) {
        const prepared_kernel& k = r.kernels[s.index];
        bool same = note_arguments(p, memory, values, k);
        for (const codegen::cuda_launch& l : k.launches) {
            if (!same) p.graph->replace(launch, launch_of(k, l));
            ++launch;
        }
        memory += k.memory.size();
        values += k.values.size();
    }
}

// The recording that was made with the same buffers, else one whose turn it is to be changed: a loop that exchanges two
// buffers finds both again and changes nothing but scalars.
SINTER_INLINE void replay(const prepared_plan& r) {
    constexpr std::size_t most = 4;
    recorded_plan* chosen = nullptr;
    for (recorded_plan& p : r.recorded)
        if (!chosen && has_same_memory(p, r)) chosen = &p;
    if (!chosen && r.recorded.size() < most) {
        r.recorded.push_back(record_plan(r));
        return r.recorded.back().graph->run();
    }
    if (!chosen) chosen = &r.recorded[r.next_recorded++ % most];
    try {
        update_recording(*chosen, r);
    } catch (const error&) {
        r.recorded.clear();
        throw;
    }
    chosen->graph->run();
}

}  // namespace sinter::inline SINTER_ABI::runtime
