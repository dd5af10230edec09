// Runs the threads of thread blocks as fibers that meet at barriers and shuffles; must not know streams or memory.
#pragma once

#include <sys/mman.h>
#include <ucontext.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "kernel_interface.hpp"

namespace cuda_emulation {

enum class fiber_state : char { ready, at_block, at_cluster, at_warp, done };

/// Where a thread of execution goes on, as __builtin_setjmp has it: registers are saved by whoever leaves.
using place = void* [5];

struct fiber {
    place here;
    bool started;
    fiber_state state;
    coordinates thread;
    unsigned long long awaited;  ///< how often its cluster's threads have to arrive before it goes on
    void* stack;
};

inline constexpr int most_threads = 1024, most_blocks = 12, most_cluster = 4;
inline constexpr std::size_t stack_size = 512 * 1024;
/// How often warps meet, and never the whole block, before it seems to ask in vain for what another block has yet to
/// do: oftener than in work that others wait for without meeting, such as the ranks of a sort's tile.
inline constexpr int most_polls = 1024;

/// A thread block at work; one goes on at a time, under the driver's lock.
struct fiber_engine {
    fiber fibers[most_threads];
    place scheduler;
    int current = 0, count = 0;
    char lanes[2][most_threads][16];  // what shuffles exchange, two in turn
    char turn[most_threads];
    coordinates number;        ///< of the block in its grid
    unsigned rank = 0;         ///< in its cluster
    std::vector<char> shared;  ///< what its shared memory holds while others are at work
    bool at_work = false, gives_way = false;
    int polls = 0;                          ///< how often only warps have met since the whole block did
    unsigned slow = 0;                      ///< bits of warps that others get ahead of, a quarter of them
    unsigned long long* arrived = nullptr;  ///< how often threads of its cluster have come to their barrier
};

/// What all blocks at work have in common.
struct fiber_state_of_grid {
    fiber_engine blocks[most_blocks];
    int current = 0;  ///< the block that goes on
    coordinates* thread = nullptr;
    const entry* kernel = nullptr;
    void** arguments = nullptr;
    unsigned cluster = 1;  ///< blocks of a cluster
    char *shared = nullptr, *shared_end = nullptr,
         *dynamic = nullptr;      ///< where the block that goes on has its shared memory
    const char* fault = nullptr;  ///< why a block cannot go on
    unsigned chance = 1;          ///< decides which of the threads that may run goes first
};

inline fiber_state_of_grid& fibers_of_process() {
    static fiber_state_of_grid& g = *new fiber_state_of_grid();
    return g;
}

inline fiber_engine& current_block() {
    fiber_state_of_grid& g = fibers_of_process();
    return g.blocks[g.current];
}

inline unsigned next_chance() {
    unsigned& chance = fibers_of_process().chance;
    return (chance = chance * 1664525u + 1013904223u) >> 16;
}

// In a function of its own, since none may jump to a place in itself.
[[noreturn, gnu::noinline]] inline void go_on(place& where) { __builtin_longjmp(where, 1); }

[[gnu::noinline]] inline void leave_fiber(fiber_state s) {
    fiber_engine& e = current_block();
    fiber& f = e.fibers[e.current];
    f.state = s;
    if (__builtin_setjmp(f.here) == 0) go_on(e.scheduler);
}

inline void fiber_main() {
    for (;;) {
        fiber_state_of_grid& g = fibers_of_process();
        g.kernel->run_thread(g.arguments);
        leave_fiber(fiber_state::done);
    }
}

[[noreturn, gnu::noinline]] inline void start_fiber(fiber& f) {
    f.started = true;
    ucontext_t first;
    getcontext(&first);
    first.uc_stack.ss_sp = f.stack;
    first.uc_stack.ss_size = stack_size;
    first.uc_link = nullptr;
    makecontext(&first, fiber_main, 0);
    setcontext(&first);
    std::abort();
}

[[gnu::noinline]] inline void resume_fiber(int which) {
    fiber_engine& e = current_block();
    fiber& f = e.fibers[which];
    e.current = which;
    *fibers_of_process().thread = f.thread;
    if (__builtin_setjmp(e.scheduler) != 0) return;
    if (f.started) go_on(f.here);
    start_fiber(f);
}

/// After a fault the fibers stand anywhere: they start anew.
inline void forget_fibers() {
    for (fiber_engine& b : fibers_of_process().blocks) {
        for (fiber& f : b.fibers) f.started = false;
        b.at_work = false;
    }
}

inline void prepare_fiber(fiber& f) {
    if (!f.stack)
        f.stack = mmap(nullptr, stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

// Lets those go on who wait for each other; false when all are done or none can go on.
inline bool release_fibers() {
    fiber_engine& e = current_block();
    int live = 0, waiting = 0, ready = 0, released = 0, held = 0;
    for (int w = 0; w < e.count; w += 32) {
        int here = 0, last = w + 32 < e.count ? w + 32 : e.count;
        for (int i = w; i < last; ++i) {
            fiber& f = e.fibers[i];
            live += f.state != fiber_state::done;
            ready += f.state == fiber_state::ready;
            if (f.state == fiber_state::at_cluster) {
                const bool is_met = *e.arrived >= f.awaited;
                if (is_met) f.state = fiber_state::ready;
                ++(is_met ? released : held);
            }
            waiting += e.fibers[i].state == fiber_state::at_block;
            here += e.fibers[i].state == fiber_state::at_warp;
        }
        if (here != last - w) continue;
        for (int i = w; i < last; ++i) e.fibers[i].state = fiber_state::ready;
        released += here;
    }
    if (live == 0) return false;
    e.polls = waiting == live ? 0 : e.polls + 1;
    // Since Volta threads that have returned are not waited for.
    if (waiting == live) {
        for (int i = 0; i < e.count; ++i)
            if (e.fibers[i].state == fiber_state::at_block) e.fibers[i].state = fiber_state::ready;
        released += live;
    }
    const bool goes_on = released + ready > 0;
    // Other blocks of the cluster have yet to come to its barrier.
    e.gives_way = goes_on ? e.polls >= most_polls : held > 0;
    if (!goes_on && held == 0)
        fibers_of_process().fault = "threads of a block wait at different barriers, or not all lanes shuffle";
    return goes_on || held > 0;
}

/// Begins a thread block.
inline void begin_block(const coordinates& block) {
    fiber_engine& e = current_block();
    e.at_work = true;
    e.count = static_cast<int>(block.x * block.y * block.z);
    e.slow = next_chance() & next_chance();
    for (int i = 0; i < e.count; ++i) {
        fiber& f = e.fibers[i];
        prepare_fiber(f);
        unsigned n = static_cast<unsigned>(i);
        f.state = fiber_state::ready;
        f.thread = {n % block.x, n / block.x % block.y, n / block.x / block.y};
        e.turn[i] = 0;
    }
}

/// Goes on with the current block until it ends, or its threads have met so many times; `fault` is set when they do not
/// meet.
inline void run_block(int meetings) {
    fiber_engine& e = current_block();
    // Between two barriers any thread may come first, and a warp get ahead of others: what one of them forgets to wait
    // for shows in one order at least.
    e.gives_way = false, e.polls = 0;
    for (; e.at_work && meetings > 0 && !e.gives_way; --meetings) {
        const int first = static_cast<int>(next_chance()) % e.count, step = next_chance() % 2 ? 1 : e.count - 1;
        const unsigned resting = next_chance() % 8 == 0 ? 0 : e.slow;
        for (int n = 0, i = first; n < e.count; ++n, i = (i + step) % e.count)
            if (e.fibers[i].state == fiber_state::ready && !(resting >> i / 32 % 16 & 1)) resume_fiber(i);
        e.at_work = release_fibers();
    }
}

inline void meet_block() { leave_fiber(fiber_state::at_block); }

/// Lets all others go on before a thread that has found nothing where another block writes.
inline void wait_for_others() { leave_fiber(fiber_state::ready); }

inline unsigned cluster_size() { return fibers_of_process().cluster; }

inline void arrive_at_cluster() {
    fiber_engine& e = current_block();
    const unsigned long long threads = 1ull * cluster_size() * static_cast<unsigned>(e.count);
    e.fibers[e.current].awaited = (*e.arrived / threads + 1) * threads;
    ++*e.arrived;
}

/// Where what the current block has in its shared memory lies in that of another one of its cluster.
inline void* shared_of_block(const void* own, unsigned rank) {
    fiber_state_of_grid& g = fibers_of_process();
    const fiber_engine& e = current_block();
    char* const at = static_cast<char*>(const_cast<void*>(own));
    if (rank == e.rank) return at;
    const bool fixed = at >= g.shared && at < g.shared_end;
    for (fiber_engine& other : g.blocks)
        if (other.at_work && other.arrived == e.arrived && other.rank == rank)
            return other.shared.data() + (fixed ? at - g.shared : g.shared_end - g.shared + (at - g.dynamic));
    g.fault = "a block reaches for the shared memory of one that is not at work";
    return at;
}

inline void wait_for_cluster() {
    const fiber_engine& e = current_block();
    if (*e.arrived < e.fibers[e.current].awaited) leave_fiber(fiber_state::at_cluster);
}

/// Each lane offers a value and gets those of all 32, which stay until the lane has met its warp twice more.
inline const char (*meet_warp(unsigned mask, const void* value, unsigned bytes))[16] {
    fiber_engine& e = current_block();
    if (mask != 0xffffffffu) fibers_of_process().fault = "only whole warps are emulated in shuffles and votes";
    int self = e.current, which = e.turn[self] ^= 1;
    std::memcpy(e.lanes[which][self], value, bytes);
    leave_fiber(fiber_state::at_warp);
    return &e.lanes[which][self / 32 * 32];
}

}  // namespace cuda_emulation
