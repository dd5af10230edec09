// Bodies of replay.hpp.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/owner.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/base/span.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/compile/kernel_cache.hpp>
#include <sinter/runtime/compile/refine.hpp>
#include <sinter/runtime/device/cuda_graph.hpp>
#include <sinter/runtime/device/gpu_timeline.hpp>
#include <sinter/runtime/execute/arguments.hpp>
#include <sinter/runtime/execute/prepared_plan.hpp>
#include <sinter/runtime/execute/replay.hpp>
#include <utility>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE bool& is_replaying() {
    static thread_local bool replaying = false;
    return replaying;
}

SINTER_INLINE bool& is_step() {
    static thread_local bool step = false;
    return step;
}

SINTER_INLINE replay_scope::replay_scope(bool of_step) {
    is_replaying() = true;
    is_step() = of_step;
}
SINTER_INLINE replay_scope::~replay_scope() { is_replaying() = is_step() = false; }

SINTER_INLINE codegen::sequence<std::uint32_t> places_of(prepared_plan& r, const codegen::kernel& k) {
    codegen::sequence<std::uint32_t> places;
    auto place = [&](std::uint32_t scalar, bool is_inverse) {
        const step_scalar s{prepared(r, k.scalars[scalar]), is_inverse};
        auto found = codegen::find(r.step_scalars.begin(), r.step_scalars.end(), s);
        places.push_back(static_cast<std::uint32_t>(found - r.step_scalars.begin()));
        if (found == r.step_scalars.end()) r.step_scalars.push_back(s);
    };
    for (std::uint32_t c = 0; c < k.scalars.size(); ++c) place(c, false);
    for (std::uint32_t c : codegen::inverse_scalars(k)) place(c, true);
    return places;
}

// Lets kernels of a step find their scalars in memory: changing the arguments of a launch of a graph takes the host 0.3
// to 0.7 us, one more launch the GPU 0.7 us. A kernel of many scalars would need registers for them.
SINTER_INLINE void place_scalars(prepared_plan& r) {
    constexpr std::size_t least_kernels = 4, most_of_kernel = 8;
    auto is_suitable = [](const codegen::kernel& k) {
        return !k.scalars.empty() && k.scalars.size() <= most_of_kernel;
    };
    if (codegen::count_if(r.plan.kernels.begin(), r.plan.kernels.end(), is_suitable) < std::ptrdiff_t{least_kernels})
        return;
    for (codegen::kernel& k : r.plan.kernels) {
        if (!is_suitable(k)) continue;
        const std::size_t before = r.step_scalars.size();
        places_of(r, k);
        k.scalars_in_memory = r.step_scalars.size() <= codegen::most_step_scalars;
        if (!k.scalars_in_memory) r.step_scalars.resize(before);
    }
    if (r.step_scalars.empty()) return;
    r.words.resize(2 * codegen::most_step_scalars);
    r.write_scalars =
        find_text(codegen::scalar_writer_cuda(), r.where)
            .kernel("write_scalars", properties(r.where.index()).major >= codegen::early_start_capability);
}

SINTER_INLINE void bind_step_scalars(const prepared_plan& r, const codegen::sequence<codegen::scalar_value>& scalars) {
    for (std::size_t i = 0; i < r.step_scalars.size(); ++i) {
        const codegen::scalar_value v = value_of(r.step_scalars[i].from, scalars);
        std::memcpy(&r.words[2 * i], (r.step_scalars[i].is_inverse ? inverse_of(v) : v).bytes, 16);
    }
}

// Lets a kernel find its scalars where a recording has them.
SINTER_INLINE void point_at_scalars(const prepared_kernel& k, const recorded_plan& p) {
    for (std::size_t i = 0; i < k.places.size(); ++i)
        k.scalars_at[i] = static_cast<char*>(p.scalars->data) + 16 * k.places[i];
}

/// The arguments of a launch that writes a step's scalars.
struct scalar_writing {
    void* to;
    void* parameters[2];
    recorded_launch launch;

    scalar_writing(const prepared_plan& r, const recorded_plan& p)
        : to(p.scalars->data),
          parameters{&to, r.words.data()},
          launch{r.write_scalars, {1}, {2 * codegen::most_step_scalars}, 0, parameters} {}
    scalar_writing(const scalar_writing&) = delete;
    scalar_writing& operator=(const scalar_writing&) = delete;
};

SINTER_INLINE codegen::span<void* const> memory_of_step(const prepared_plan& r, const codegen::step& s,
                                                        const codegen::sequence<void*>& data, void* (&copied)[2]) {
    if (s.kind == codegen::step_kind::kernel)
        return {r.kernels[s.index].memory.data(), r.kernels[s.index].memory.size()};
    const codegen::slot_copy& c = r.plan.copies[s.index];
    copied[0] = data[r.memory_of[c.to]];
    copied[1] = data[r.memory_of[c.from]];
    return copied;
}

// What a step of the plan does, in order: always the same number of launches.
template <class F>
void for_each_launch(const prepared_plan& r, const codegen::step& s, codegen::span<void* const> memory, F f) {
    if (s.kind == codegen::step_kind::copy) {
        const std::size_t bytes = bytes_copied(r.plan.copies[s.index], r);
        if (bytes > 0) f(recorded_launch{{}, {}, {}, 0, nullptr, memory[0], memory[1], bytes});
        return;
    }
    const prepared_kernel& k = r.kernels[s.index];
    for (std::size_t i = 0; i < k.partials.size(); ++i)
        if (begins_with_zeros(k, i))
            f(recorded_launch{{}, {}, {}, 0, nullptr, memory[k.kernel->operands.size() + i], nullptr, k.partials[i]});
    for (const codegen::cuda_launch& l : k.launches) f(launch_of(k, l));
}

// Writes what is there now over what was; false when it was something else.
template <class T>
bool note(codegen::sequence<T>& to, std::size_t at, codegen::span<const T> now) {
    bool same = true;
    for (const T& v : now) {
        same = same && to[at] == v;
        to[at++] = v;
    }
    return same;
}

// Steps of the plan that a recording made with other memory, but for the words for index errors, which are others in
// each run.
SINTER_INLINE std::size_t steps_with_other_memory(const recorded_plan& recorded, const prepared_plan& r,
                                                  const codegen::sequence<void*>& data) {
    std::size_t at = 0, others = 0;
    void* copied[2];
    for (const codegen::step& s : r.plan.steps) {
        const codegen::span<void* const> memory = memory_of_step(r, s, data, copied);
        const std::size_t compared = memory.size() - (s.kind == codegen::step_kind::kernel);
        others += !std::equal(memory.data(), memory.data() + compared, recorded.memory.data() + at);
        at += memory.size();
    }
    return others;
}

// The launches of a run and their arguments; of a step's scalars the first one.
SINTER_INLINE codegen::sequence<recorded_launch> launches_of(const prepared_plan& r,
                                                             const codegen::sequence<void*>& data, recorded_plan& of,
                                                             std::optional<scalar_writing>& writing) {
    codegen::sequence<recorded_launch> launches;
    if (!r.step_scalars.empty()) {
        of.scalars = allocate_buffer(r.where, 8 * r.words.size());
        of.words = r.words;
        launches.push_back(writing.emplace(r, of).launch);
    }
    void* copied[2];
    for (const codegen::step& s : r.plan.steps) {
        const codegen::span<void* const> memory = memory_of_step(r, s, data, copied);
        of.memory.append(memory.begin(), memory.end());
        if (s.kind == codegen::step_kind::kernel) point_at_scalars(r.kernels[s.index], of);
        if (s.kind == codegen::step_kind::kernel)
            of.values.append(r.kernels[s.index].values.begin(), r.kernels[s.index].values.end());
        for_each_launch(r, s, memory, [&](const recorded_launch& l) { launches.push_back(l); });
    }
    return launches;
}

SINTER_INLINE recorded_plan record_plan(const prepared_plan& r, const codegen::sequence<void*>& data) {
    recorded_plan fresh;
    std::optional<scalar_writing> writing;
    const codegen::sequence<recorded_launch> launches = launches_of(r, data, fresh, writing);
    fresh.graph = codegen::owner(new cuda_graph(r.where, launches));
    return fresh;
}

// Gives a recording the arguments of this run, launch by launch where they differ.
SINTER_INLINE void update_recording(recorded_plan& p, const prepared_plan& r, const codegen::sequence<void*>& data) {
    std::size_t at = 0, value = 0, launch = 0;
    if (!r.step_scalars.empty() && !note<std::uint64_t>(p.words, 0, {r.words.data(), r.words.size()}))
        p.graph->replace(launch, scalar_writing(r, p).launch);
    launch += !r.step_scalars.empty();
    void* copied[2];
    for (const codegen::step& s : r.plan.steps) {
        const codegen::span<void* const> memory = memory_of_step(r, s, data, copied);
        bool same = note<void*>(p.memory, at, memory);
        at += memory.size();
        if (s.kind == codegen::step_kind::kernel) {
            const codegen::sequence<codegen::scalar_value>& values = r.kernels[s.index].values;
            same = note<codegen::scalar_value>(p.values, value, {values.data(), values.size()}) && same;
            value += values.size();
            if (!same) point_at_scalars(r.kernels[s.index], p);
        }
        for_each_launch(r, s, memory, [&](const recorded_launch& l) {
            if (!same) p.graph->replace(launch, l);
            ++launch;
        });
    }
}

// The recording that was made with the same buffers, or a new one: a loop that exchanges two buffers finds both again
// and changes nothing but scalars. When there are enough, the one that was made with the most of them, since a loop
// that reads another array each time changes the launches that read it; where that would be most launches, one whose
// turn it is.
SINTER_INLINE recorded_plan& recording_for(const prepared_plan& r, const codegen::sequence<void*>& data) {
    constexpr std::size_t most = 4;
    recorded_plan* nearest = nullptr;
    std::size_t least = r.plan.steps.size() / 2 + 1;
    for (recorded_plan& p : r.recorded)
        if (const std::size_t others = steps_with_other_memory(p, r, data); others < least) {
            nearest = &p;
            least = others;
        }
    if ((!nearest || least > 0) && r.recorded.size() < most) {
        r.recorded.push_back(record_plan(r, data));
        return r.recorded.back();
    }
    if (!nearest) nearest = &r.recorded[r.next_recorded++ % most];
    try {
        update_recording(*nearest, r, data);
    } catch (const error&) {
        r.recorded.clear();
        throw;
    }
    return *nearest;
}

// What was recorded before one of the plan's kernels was replaced launches what that was.
SINTER_INLINE void forget_outdated(const prepared_plan& r) {
    if (std::exchange(r.refined, refined_kernels()) == refined_kernels()) return;
    std::size_t codes = 0;
    for (const prepared_kernel& k : r.kernels) codes += k.compiled->code.size();
    if (std::exchange(r.codes, codes) == codes) return;
    r.recorded.clear();
    r.next_recorded = 0;
    r.loops.clear();
    r.next_loop = 0;
}

// What the recording holds is in use until this run is over, as what the run allocates is.
SINTER_INLINE void replay(const prepared_plan& r, const codegen::sequence<void*>& data,
                          codegen::sequence<buffer_ref>& fresh) {
    forget_outdated(r);
    const recorded_plan& p = recording_for(r, data);
    if (p.scalars) fresh.push_back(p.scalars);
    p.graph->run();
}

SINTER_INLINE bool is_repeatable(const prepared_plan& r) {
    return r.where.is_cuda() && !r.refuses_loops && !r.kernels.empty() && r.plan.calls.empty() &&
           cuda_loop::is_supported(r.where);
}

// Whether a loop was recorded with the memory and the numbers of this run.
SINTER_INLINE bool is_same_run(const recorded_plan& p, const prepared_plan& r, const codegen::sequence<void*>& data) {
    codegen::sequence<codegen::scalar_value> values;
    for (const codegen::step& s : r.plan.steps)
        if (s.kind == codegen::step_kind::kernel)
            values.append(r.kernels[s.index].values.begin(), r.kernels[s.index].values.end());
    return steps_with_other_memory(p, r, data) == 0 && values == p.values &&
           (r.step_scalars.empty() || p.words == r.words);
}

SINTER_INLINE recorded_loop record_loop(const prepared_plan& r, const codegen::sequence<void*>& data,
                                        const repetition& how) {
    recorded_loop fresh;
    fresh.how = how;
    std::optional<scalar_writing> writing;
    const codegen::sequence<recorded_launch> turn = launches_of(r, data, fresh.turn, writing);
    codegen::sequence<recorded_launch> launches;
    for (std::uint32_t i = 0; i < how.at_once; ++i) {
        for (const repeated_copy& c : how.copies) launches.push_back({{}, {}, {}, 0, nullptr, c.to, c.from, c.bytes});
        launches.append(turn.begin(), turn.end());
    }
    fresh.loop = codegen::owner(new cuda_loop(r.where, launches, how.condition));
    return fresh;
}

// The loop that was recorded with the same arguments, or a new one; none where the driver refuses that.
SINTER_INLINE const recorded_loop* loop_for(const prepared_plan& r, const codegen::sequence<void*>& data,
                                            const repetition& how) {
    constexpr std::size_t most = 4;
    forget_outdated(r);
    for (const recorded_loop& l : r.loops)
        if (l.how == how && is_same_run(l.turn, r, data)) return &l;
    try {
        recorded_loop fresh = record_loop(r, data, how);
        if (r.loops.size() < most) {
            r.loops.push_back(std::move(fresh));
            return &r.loops.back();
        }
        recorded_loop& last = r.loops[r.next_loop++ % most];
        last.loop.reset();
        last = std::move(fresh);
        return &last;
    } catch (const device_error&) {
        r.refuses_loops = true;
        return nullptr;
    }
}

SINTER_INLINE bool repeat(const prepared_plan& r, const codegen::sequence<void*>& data, const repetition& how,
                          std::uint32_t most, codegen::sequence<buffer_ref>& fresh) {
    const recorded_loop* const l = loop_for(r, data, how);
    if (!l) return false;
    if (l->turn.scalars) fresh.push_back(l->turn.scalars);
    static const bool shows = env().shows("launch");
    const std::string name = codegen::joined({"loop of ", r.kernels.size(), " kernels"});
    if (shows)
        std::fprintf(stderr, "[launch] %s on %s: at most %llu turns\n", name.c_str(), to_string(r.where).c_str(),
                     static_cast<unsigned long long>(most) * how.at_once);
    timed_work event("launch", r.where);
    l->loop->run(most);
    if (event) event.end(name);
    return true;
}

}  // namespace sinter::inline SINTER_ABI::runtime
