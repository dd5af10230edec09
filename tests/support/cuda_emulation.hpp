// Runs CUDA text on the CPU, for tests: the threads of a thread block are fibers that meet at barriers and shuffles.
#pragma once

#include <math.h>
#include <ucontext.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#define __global__ static
#define __device__
#define __noinline__
#define __shared__ static
#define __launch_bounds__(...)

struct cuda_coordinates {
    unsigned x, y, z;
};
static cuda_coordinates threadIdx, blockIdx, blockDim, gridDim;

namespace cuda_emulation {

constexpr int most_threads = 1024;
constexpr std::size_t stack_size = 256 * 1024;

enum class fiber_state : char { ready, at_block, at_warp, done };

struct fiber {
    ucontext_t context;
    fiber_state state;
    cuda_coordinates thread;
    char* stack;
};

static ucontext_t scheduler;
static fiber fibers[most_threads];
static int current, count;
static char lanes[2][most_threads][16];  // what shuffles exchange, two in turn
static char turn[most_threads];
static void (*body)(void*);
static void* body_argument;

static void wait(fiber_state s) {
    fibers[current].state = s;
    swapcontext(&fibers[current].context, &scheduler);
}

static void run_fiber() {
    body(body_argument);
    fibers[current].state = fiber_state::done;
    swapcontext(&fibers[current].context, &scheduler);
}

static void fail(const char* what) {
    std::fprintf(stderr, "cuda emulation: %s\n", what);
    std::abort();
}

// Lets those go on who wait for each other; false when all are done.
static bool release() {
    int live = 0, waiting = 0, released = 0;
    for (int w = 0; w < count; w += 32) {
        int here = 0, last = w + 32 < count ? w + 32 : count;
        for (int i = w; i < last; ++i) {
            live += fibers[i].state != fiber_state::done;
            waiting += fibers[i].state == fiber_state::at_block;
            here += fibers[i].state == fiber_state::at_warp;
        }
        if (here != last - w) continue;
        for (int i = w; i < last; ++i) fibers[i].state = fiber_state::ready;
        released += here;
    }
    if (live == 0) return false;
    if (waiting == count) {
        for (int i = 0; i < count; ++i) fibers[i].state = fiber_state::ready;
        released += count;
    }
    if (released == 0) fail("threads wait at different barriers");
    return true;
}

static void run_block() {
    for (int i = 0; i < count; ++i) {
        fiber& f = fibers[i];
        if (!f.stack) f.stack = static_cast<char*>(std::malloc(stack_size));
        getcontext(&f.context);
        f.context.uc_stack.ss_sp = f.stack;
        f.context.uc_stack.ss_size = stack_size;
        f.context.uc_link = nullptr;
        makecontext(&f.context, run_fiber, 0);
        f.state = fiber_state::ready;
        f.thread = {i % blockDim.x, i / blockDim.x % blockDim.y, i / blockDim.x / blockDim.y};
        turn[i] = 0;
    }
    do {
        for (current = 0; current < count; ++current) {
            if (fibers[current].state != fiber_state::ready) continue;
            threadIdx = fibers[current].thread;
            swapcontext(&scheduler, &fibers[current].context);
        }
    } while (release());
}

static void run_grid(const unsigned* grid, const unsigned* block, bool meets) {
    gridDim = {grid[0], grid[1], grid[2]};
    blockDim = {block[0], block[1], block[2]};
    count = static_cast<int>(block[0] * block[1] * block[2]);
    if (count > most_threads) fail("too many threads");
    for (blockIdx.z = 0; blockIdx.z < grid[2]; ++blockIdx.z)
        for (blockIdx.y = 0; blockIdx.y < grid[1]; ++blockIdx.y)
            for (blockIdx.x = 0; blockIdx.x < grid[0]; ++blockIdx.x) {
                if (meets) {
                    run_block();
                    continue;
                }
                for (threadIdx.z = 0; threadIdx.z < block[2]; ++threadIdx.z)
                    for (threadIdx.y = 0; threadIdx.y < block[1]; ++threadIdx.y)
                        for (threadIdx.x = 0; threadIdx.x < block[0]; ++threadIdx.x) body(body_argument);
            }
}

template <class... P>
struct call {
    void (*f)(P...);
    void** arguments;

    template <std::size_t... I>
    void run(std::index_sequence<I...>) {
        f(*static_cast<P*>(arguments[I])...);
    }
    static void enter(void* self) { static_cast<call*>(self)->run(std::index_sequence_for<P...>()); }
};

/// Launches a kernel; `meets` says whether its threads wait for each other.
template <class... P>
void launch(void (*f)(P...), const unsigned* grid, const unsigned* block, void** arguments, bool meets) {
    call<P...> c{f, arguments};
    body = call<P...>::enter;
    body_argument = &c;
    run_grid(grid, block, meets);
}

}  // namespace cuda_emulation

inline void __syncthreads() { cuda_emulation::wait(cuda_emulation::fiber_state::at_block); }

inline unsigned __clusterSizeInBlocks() { return 1; }
inline void __cluster_barrier_arrive() {}
inline void __cluster_barrier_wait() {}
inline void* __cluster_map_shared_rank(const void* own, unsigned) { return const_cast<void*>(own); }
inline void __threadfence() {}
inline void __syncwarp() { cuda_emulation::wait(cuda_emulation::fiber_state::at_warp); }

namespace cuda_emulation {

// The value of another lane of the warp, or the own one where there is no such lane.
template <class T>
T value_of_lane(T x, int lane) {
    int self = current, which = turn[self] ^= 1, from = lane >= 0 && lane < 32 ? self / 32 * 32 + lane : self;
    std::memcpy(lanes[which][self], &x, sizeof x);
    wait(fiber_state::at_warp);
    std::memcpy(&x, lanes[which][from], sizeof x);
    return x;
}

}  // namespace cuda_emulation

template <class T>
T __shfl_down_sync(unsigned, T x, int h) {
    return cuda_emulation::value_of_lane(x, cuda_emulation::current % 32 + h);
}
template <class T>
T __shfl_up_sync(unsigned, T x, int h) {
    return cuda_emulation::value_of_lane(x, cuda_emulation::current % 32 - h);
}
template <class T>
T __shfl_xor_sync(unsigned, T x, int bits) {
    return cuda_emulation::value_of_lane(x, cuda_emulation::current % 32 ^ bits);
}
template <class T>
T __shfl_sync(unsigned, T x, int lane) {
    return cuda_emulation::value_of_lane(x, lane);
}
inline unsigned __ballot_sync(unsigned, int set) {
    using namespace cuda_emulation;
    int self = current, which = turn[self] ^= 1;
    lanes[which][self][0] = set != 0;
    wait(fiber_state::at_warp);
    unsigned votes = 0;
    for (int i = 0; i < 32; ++i) votes |= static_cast<unsigned>(lanes[which][self / 32 * 32 + i][0]) << i;
    return votes;
}
inline int __ffs(unsigned x) { return __builtin_ffs(static_cast<int>(x)); }
inline int __popc(unsigned x) { return __builtin_popcount(x); }

inline int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
inline float __int_as_float(int bits) { return __builtin_bit_cast(float, bits); }

#include "cuda_emulation/instructions.hpp"

inline unsigned atomicAdd(unsigned* at, unsigned value) {
    unsigned old = *at;
    *at += value;
    return old;
}

template <class T>
T __shfl_sync(unsigned mask, T x, int lane, int width) {
    int self = cuda_emulation::current % 32;
    return __shfl_down_sync(mask, x, self / width * width + lane - self);
}

inline unsigned long long atomicCAS(unsigned long long* at, unsigned long long expected, unsigned long long value) {
    unsigned long long old = *at;
    if (old == expected) *at = value;
    return old;
}

// With the bits of sin and cos, whatever the C library does.
#define sincos emulated_sincos
#define sincosf emulated_sincosf
inline void emulated_sincos(double x, double* s, double* c) { *s = sin(x), *c = cos(x); }
inline void emulated_sincosf(float x, float* s, float* c) { *s = sinf(x), *c = cosf(x); }
