// The emulated machine: devices, contexts, streams whose work runs as late as it may, modules and kernels.
#pragma once

#include <cuda.h>
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <sinter/codegen/ops/ieee.hpp>

#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <string>

#include "access_order.hpp"
#include "device_memory.hpp"
#include "fibers.hpp"
#include "kernel_images.hpp"

namespace cuda_emulation {

struct emulated_device;

struct emulated_stream {
    emulated_device* device;
    std::deque<std::function<CUresult()>> work;
    ordered_stream order;
};

struct emulated_event {
    emulated_device* device;
    emulated_stream* stream = nullptr;  ///< it was recorded in
    bool recorded = false, done = true;
    std::chrono::steady_clock::time_point time;
    int reached = 0, wanted = 0;  ///< the last recording counts
    work_clock before;            ///< what comes before that
};

struct emulated_device {
    emulated_device(int number, device_memory m) : index(number), memory(std::move(m)) {}

    int index;
    device_memory memory;
    access_table accesses;
    int retained = 0;
    emulated_stream null_stream{this, {}, {}};
    std::vector<emulated_stream*> streams{&null_stream};
    CUresult failed = CUDA_SUCCESS;  ///< an error that a context does not survive
};

struct emulated_kernel;

struct emulated_module {
    emulated_device* device;
    std::string text;
    void* image = nullptr;
    coordinates* places[4] = {};
    char *shared_begin = nullptr, *shared_end = nullptr;
    bool meets = false;  ///< its threads wait for each other
    std::vector<std::unique_ptr<emulated_kernel>> kernels;
};

struct emulated_kernel {
    emulated_module* module;
    std::string name;
    const entry* code = nullptr;  ///< null: does nothing
    unsigned bound = 1024;
    std::size_t dynamic_limit = 0;  // that was asked for; else 48 KiB with what is fixed
    std::vector<bool> only_reads;   ///< by parameter: a pointer to constants
};

struct machine {
    std::recursive_mutex guard;
    std::vector<std::unique_ptr<emulated_device>> devices;
    std::vector<emulated_module*> modules;
    std::map<std::uintptr_t, std::size_t> pinned;
    std::minstd_rand random;
    bool initialized = false, forked = false;
    work_clock awaited;  ///< by any host thread: threads may have told each other
    std::vector<char> shared;
};

inline machine& the_machine() {
    static machine& m = *new machine;
    return m;
}

inline emulated_device*& current_context() {
    static thread_local emulated_device* d = nullptr;
    return d;
}

// The device an address belongs to, or null.
inline emulated_device* owner_of(std::uintptr_t address) {
    for (auto& d : the_machine().devices)
        if (d->memory.owns(address)) return d.get();
    return nullptr;
}

inline bool is_pinned(std::uintptr_t address) {
    auto& pinned = the_machine().pinned;
    auto next = pinned.upper_bound(address);
    return next != pinned.begin() && (--next, address < next->first + next->second);
}

inline void complain(const std::string& what) { std::fprintf(stderr, "emulated CUDA driver: %s\n", what.c_str()); }

// One piece of a stream's work; errors of kernels stay with the context.
inline void run_first(emulated_stream& s) {
    std::function<CUresult()> work = std::move(s.work.front());
    s.work.pop_front();
    if (s.device->failed != CUDA_SUCCESS) return;
    const CUresult result = work();
    if (result != CUDA_SUCCESS) s.device->failed = result;
}

inline CUresult drain(emulated_stream& s) {
    while (!s.work.empty()) run_first(s);
    the_machine().awaited.join(s.order.before);
    return s.device->failed;
}

/// What is enqueued from here on comes after all that host threads have waited for.
inline void begin_work(emulated_stream& s) {
    s.order.before.join(the_machine().awaited);
    s.order.advance();
}

/// A use of device memory by the work that a stream gets next: only what is ordered by waits may meet.
inline CUresult use_memory(emulated_stream& s, std::uintptr_t address, bool writes, const std::string& who) {
    emulated_device* owner = owner_of(address);
    const std::uintptr_t allocation = owner ? owner->memory.start_of(address) : 0;
    if (!allocation) return CUDA_SUCCESS;
    ordered_stream next = s.order;
    next.before.join(the_machine().awaited);
    next.advance();
    const std::string wrong = owner->accesses.use(allocation, next, writes);
    if (wrong.empty()) return CUDA_SUCCESS;
    complain(who + " " + wrong);
    return CUDA_ERROR_ILLEGAL_ADDRESS;
}

/// Work waits until somebody waits for it, except that at random moments a part of it runs.
inline CUresult enqueue(emulated_stream& s, std::function<CUresult()> work) {
    machine& m = the_machine();
    if (s.device->failed != CUDA_SUCCESS) return s.device->failed;
    begin_work(s);
    s.work.push_back(std::move(work));
    if (m.random() % 8 == 0)
        for (std::size_t n = m.random() % (s.work.size() + 1); n > 0 && !s.work.empty(); --n) run_first(s);
    while (s.work.size() > 1000) run_first(s);
    return CUDA_SUCCESS;
}

struct fault_state {
    sigjmp_buf out;
    volatile bool running = false;
    volatile int signal = 0;
    void* volatile address = nullptr;
};

inline fault_state& fault_of_thread() {
    static thread_local fault_state f;
    return f;
}

inline void on_fault(int signal, siginfo_t* info, void*) {
    fault_state& f = fault_of_thread();
    if (!f.running) {
        ::signal(signal, SIG_DFL);  // the host's own fault: it happens again and ends the process
        return;
    }
    f.running = false;
    f.signal = signal;
    f.address = info->si_addr;
    siglongjmp(f.out, 1);
}

inline void set_handlers(struct sigaction (&old)[4]) {
    struct sigaction action = {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    const int signals[4] = {SIGSEGV, SIGILL, SIGFPE, SIGBUS};
    for (int i = 0; i < 4; ++i) sigaction(signals[i], &action, &old[i]);
}

inline void restore_handlers(const struct sigaction (&old)[4]) {
    const int signals[4] = {SIGSEGV, SIGILL, SIGFPE, SIGBUS};
    for (int i = 0; i < 4; ++i) sigaction(signals[i], &old[i], nullptr);
}

struct launch_arguments {
    coordinates grid, block;
    std::size_t dynamic_shared;
    coordinates cluster{1, 1, 1};
    std::vector<char> bytes;
    std::vector<void*> pointers;
};

// Puts away the shared memory of a block that gives way to others, or gets it back.
inline void exchange_shared(const emulated_module& m, std::size_t dynamic, fiber_engine& e) {
    const std::size_t size = static_cast<std::size_t>(m.shared_end - m.shared_begin);
    e.shared.resize(size + dynamic);
    std::swap_ranges(m.shared_begin, m.shared_end, e.shared.data());
    std::swap_ranges(e.shared.data() + size, e.shared.data() + size + dynamic, the_machine().shared.data());
}

// Of the blocks in the order in which they begin, a cluster's one after the other.
inline coordinates block_number(const launch_arguments& a, unsigned long long cluster, unsigned rank) {
    const coordinates &g = a.grid, &c = a.cluster;
    const unsigned long long x = g.x / c.x, y = g.y / c.y;
    return {static_cast<unsigned>(cluster % x) * c.x + rank % c.x,
            static_cast<unsigned>(cluster / x % y) * c.y + rank / c.x % c.y,
            static_cast<unsigned>(cluster / x / y) * c.z + rank / c.x / c.y};
}

inline void run_grid(const emulated_kernel& k, launch_arguments& a) {
    emulated_module& m = *k.module;
    *m.places[2] = a.block;
    *m.places[3] = a.grid;
    if (!m.meets) return k.code->run_grid(a.pointers.data());
    fiber_state_of_grid& g = fibers_of_process();
    g.kernel = k.code;
    g.arguments = a.pointers.data();
    g.thread = m.places[0];
    g.fault = nullptr;
    g.shared = m.shared_begin, g.shared_end = m.shared_end, g.dynamic = the_machine().shared.data();
    g.cluster = a.cluster.x * a.cluster.y * a.cluster.z;
    // Blocks begin in any order, here from any one of them upwards or downwards. One whose threads have met so often
    // that it may be waiting for another gives way; few are at work at once, so that whoever waits for one that cannot
    // begin is found.
    const unsigned long long count = 1ull * a.grid.x * a.grid.y * a.grid.z, clusters = count / g.cluster;
    const unsigned long long step = next_chance() % 2 ? 1 : clusters - 1;
    unsigned long long number = next_chance() % clusters, begun = 0;
    std::map<unsigned long long, unsigned long long> arrived;
    for (int at_work = 0; (begun < count || at_work > 0) && !g.fault; g.current = (g.current + 1) % most_blocks) {
        fiber_engine& e = current_block();
        if (e.at_work) {
            exchange_shared(m, a.dynamic_shared, e);
        } else if (begun < count) {
            e.arrived = &arrived[number], e.rank = static_cast<unsigned>(begun % g.cluster);
            e.number = block_number(a, number, e.rank);
            ++begun, ++at_work;
            if (begun % g.cluster == 0) number = (number + step) % clusters;
            std::memset(m.shared_begin, 0xA5, static_cast<std::size_t>(m.shared_end - m.shared_begin));
            std::memset(the_machine().shared.data(), 0xA5, a.dynamic_shared);
            begin_block(a.block);
        } else {
            continue;
        }
        *m.places[1] = e.number;
        run_block(16384);
        e.at_work ? exchange_shared(m, a.dynamic_shared, e) : void(--at_work);
    }
}

// The device pointers among the arguments of a launch, by the numbers of their parameters.
template <class F>
void for_each_pointer(const emulated_kernel& k, const std::vector<char>& bytes, F f) {
    std::size_t at = 0;
    for (int i = 0; k.code && i < k.code->count; ++i) {
        const std::size_t size = k.code->sizes[i], begin = (at + size - 1) / size * size;
        at = begin + size;
        std::uintptr_t address = 0;
        if (k.code->pointers[i]) std::memcpy(&address, &bytes[begin], sizeof address);
        if (address) f(i, address);
    }
}

inline CUresult use_arguments(emulated_stream& s, const emulated_kernel& k, const launch_arguments& a) {
    CUresult result = CUDA_SUCCESS;
    // Reads first: what a kernel reads and writes by two pointers is its own affair.
    for (bool writes : {false, true})
        for_each_pointer(k, a.bytes, [&](int i, std::uintptr_t address) {
            const bool constant =
                static_cast<std::size_t>(i) < k.only_reads.size() && k.only_reads[static_cast<std::size_t>(i)];
            if (constant == writes) return;
            if (const CUresult wrong = use_memory(s, address, writes, "kernel " + k.name); wrong != CUDA_SUCCESS)
                result = wrong;
        });
    return result;
}

// Kernels see where the bytes of device pointers are.
inline void translate(const emulated_kernel& k, launch_arguments& a) {
    std::size_t at = 0;
    for (int i = 0; i < k.code->count; ++i) {
        std::size_t size = k.code->sizes[i];
        char* argument = &a.bytes[at = (at + size - 1) / size * size];
        at += size;
        a.pointers.push_back(argument);
        std::uintptr_t address = 0;
        if (!k.code->pointers[i]) continue;
        std::memcpy(&address, argument, sizeof address);
        emulated_device* d = owner_of(address);
        if (!d || d != k.module->device) continue;  // null, pinned, or a fault when it is used
        char* bytes = d->memory.bytes(address);
        std::memcpy(argument, &bytes, sizeof bytes);
    }
}

inline CUresult fault_result(const emulated_kernel& k) {
    const fault_state& f = fault_of_thread();
    char text[64];
    std::snprintf(text, sizeof text, "signal %d at %p", f.signal, f.address);
    complain("kernel " + k.name + ": " +
             (f.signal == SIGSEGV || f.signal == SIGBUS ? "touches what is not its memory: "
                                                        : "misaligned access, overflow or division by zero: ") +
             text);
    return f.signal == SIGILL ? CUDA_ERROR_MISALIGNED_ADDRESS : CUDA_ERROR_ILLEGAL_ADDRESS;
}

inline CUresult run_guarded(const emulated_kernel& k, launch_arguments& a) {
    if (!k.code) return CUDA_SUCCESS;
    translate(k, a);
    struct sigaction old[4];
    set_handlers(old);
    fault_state& f = fault_of_thread();
    const bool failed = sigsetjmp(f.out, 1) != 0;
    if (!failed) {
        f.running = true;
        run_grid(k, a);
        f.running = false;
    } else {
        forget_fibers();
    }
    restore_handlers(old);
    if (failed) return fault_result(k);
    if (const char* why = k.module->meets ? fibers_of_process().fault : nullptr) {
        forget_fibers();
        complain("kernel " + k.name + ": " + why);
        return CUDA_ERROR_LAUNCH_FAILED;
    }
    return CUDA_SUCCESS;
}

// A GPU computes with the smallest numbers whatever the thread does that asks it.
inline CUresult run_kernel(const emulated_kernel& k, launch_arguments& a) {
    const sinter::codegen::subnormal_scope as_a_gpu;
    return run_guarded(k, a);
}

}  // namespace cuda_emulation
