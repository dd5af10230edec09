// Bodies of thread_team.hpp.
#pragma once

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <mutex>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/runtime/base/file.hpp>
#include <sinter/runtime/base/thread.hpp>
#include <sinter/runtime/base/thread_team.hpp>
#include <string_view>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_COLD_BEGIN

SINTER_INLINE std::int64_t leading_number(std::string_view text) {
    std::int64_t n = -1;
    std::from_chars(text.data(), text.data() + text.size(), n);
    return n;
}

// Quota of one folder, rounded up, or 0: version 2 writes "quota period" into one file, version 1 uses two.
SINTER_INLINE int quota_of_folder(const std::string& folder, bool unified) {
    std::string text, period_text;
    std::int64_t quota = -1, period = -1;
    if (unified) {
        if (!read_file((folder + "/cpu.max").c_str(), text, 128)) return 0;
        quota = leading_number(text);
        const std::size_t space = text.find(' ');
        if (space != text.npos) period = leading_number(std::string_view(text).substr(space + 1));
    } else {
        if (!read_file((folder + "/cpu.cfs_quota_us").c_str(), text, 128)) return 0;
        if (!read_file((folder + "/cpu.cfs_period_us").c_str(), period_text, 128)) return 0;
        quota = leading_number(text);
        period = leading_number(period_text);
    }
    return quota > 0 && period > 0 ? int(std::min<std::int64_t>((quota - 1) / period + 1, 1 << 20)) : 0;
}

// The smallest quota from a group's folder up to the root of the hierarchy; every level limits the ones below.
SINTER_INLINE int quota_of_group(const std::string& mount, std::string group, bool unified) {
    int smallest = 0;
    for (;;) {
        if (const int q = quota_of_folder(mount + group, unified); q && (!smallest || q < smallest)) smallest = q;
        const std::size_t slash = group.rfind('/');
        if (group.empty() || slash == group.npos) return smallest;
        group.resize(slash);
    }
}

SINTER_INLINE int cgroup_cpu_quota(const std::string& memberships, const std::string& root) {
    int smallest = 0;
    for (std::string_view rest = memberships; !rest.empty();) {
        const std::size_t end = rest.find('\n');
        const std::string_view line = rest.substr(0, end);
        rest = end == rest.npos ? std::string_view() : rest.substr(end + 1);
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == line.npos || second == line.npos) continue;
        const std::string controllers(line.substr(first + 1, second - first - 1)), group(line.substr(second + 1));
        const bool unified = controllers.empty();
        if (!unified && ("," + controllers + ",").find(",cpu,") == std::string::npos) continue;
        for (const std::string& mount :
             {root + (unified ? "" : "/" + controllers), root + (unified ? "/unified" : "/cpu")})
            if (const int q = quota_of_group(mount, group, unified); q && (!smallest || q < smallest)) smallest = q;
    }
    return smallest;
}

SINTER_COLD_END

SINTER_INLINE int thread_count() {
    static const int count = [] {
        // The mask may be larger than cpu_set_t on machines of more than 1024 CPUs; then the system's count has to do.
        cpu_set_t mask;
        int cpus =
            sched_getaffinity(0, sizeof mask, &mask) == 0 ? CPU_COUNT(&mask) : int(sysconf(_SC_NPROCESSORS_ONLN));
        std::string memberships;
        if (read_file("/proc/self/cgroup", memberships, 65536))
            if (const int quota = cgroup_cpu_quota(memberships, "/sys/fs/cgroup")) cpus = std::min(cpus, quota);
        return std::max(cpus, 1);
    }();
    return count;
}

SINTER_INLINE void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

// A loop is published by `ticket` = loop number << 32 | next chunk. Taking a chunk is a compare-exchange of the ticket,
// which fails if the loop changed after its fields were read: so nobody has to wait for workers that woke too late.
// The fields are released and acquired one by one, so that who sees a new field also sees that the old ticket is void.
struct thread_team {
    static constexpr int spins = 2000;

    alignas(64) std::atomic<std::uint64_t> ticket{0};
    alignas(64) std::atomic<std::uint32_t> finished{0};
    alignas(64) std::atomic<std::uint32_t> wakeups{0};
    std::atomic<loop_body> body{nullptr};
    std::atomic<void*> context{nullptr};
    std::atomic<std::int64_t> items{0}, chunk_size{1};
    std::atomic<std::uint32_t> chunks{0};
    std::mutex callers;
    int workers = 0;

    bool run_one_chunk();
    void work();
    void run(std::int64_t n, std::int64_t chunk, std::uint32_t count, loop_body f, void* c);
};

inline constinit std::atomic<bool> team_lost_in_fork{false};
inline constinit thread_local bool inside_team = false;

SINTER_INLINE bool thread_team::run_one_chunk() {
    std::uint64_t t = ticket.load(std::memory_order_acquire);
    for (;;) {
        const std::uint32_t index = std::uint32_t(t), count = chunks.load(std::memory_order_acquire);
        const loop_body f = body.load(std::memory_order_acquire);
        void* const c = context.load(std::memory_order_acquire);
        const std::int64_t n = items.load(std::memory_order_acquire), size = chunk_size.load(std::memory_order_acquire);
        if (index >= count) return false;
        if (!ticket.compare_exchange_weak(t, t + 1, std::memory_order_acq_rel, std::memory_order_acquire)) continue;
        const std::int64_t begin = index * size;
        f(c, begin, index + 1 == count ? n : begin + size);
        if (finished.fetch_add(1, std::memory_order_acq_rel) + 1 == count) finished.notify_one();
        return true;
    }
}

SINTER_INLINE void thread_team::work() {
    const codegen::subnormal_scope exact;
    inside_team = true;
    std::uint32_t seen = wakeups.load(std::memory_order_acquire);
    for (;;) {
        while (run_one_chunk()) {
        }
        // Loops often follow each other within microseconds, in which a sleeping thread would not even wake.
        for (int i = 0; i < spins && wakeups.load(std::memory_order_relaxed) == seen; ++i) pause_briefly();
        wakeups.wait(seen, std::memory_order_acquire);
        seen = wakeups.load(std::memory_order_acquire);
    }
}

SINTER_INLINE void thread_team::run(std::int64_t n, std::int64_t chunk, std::uint32_t count, loop_body f, void* c) {
    const std::lock_guard<std::mutex> lock(callers);
    const std::uint64_t loop = (ticket.load(std::memory_order_relaxed) >> 32) + 1;
    // From here to the second store of the ticket no chunk can be taken: its index is past every count.
    ticket.store(loop << 32 | 0xffffffffu, std::memory_order_relaxed);
    body.store(f, std::memory_order_release);
    context.store(c, std::memory_order_release);
    items.store(n, std::memory_order_release);
    chunk_size.store(chunk, std::memory_order_release);
    chunks.store(count, std::memory_order_release);
    finished.store(0, std::memory_order_relaxed);
    ticket.store((loop + 1) << 32, std::memory_order_release);
    wakeups.fetch_add(1, std::memory_order_release);
    const int helpers = int(std::min<std::int64_t>(count - 1, workers));
    if (helpers * 2 > workers) wakeups.notify_all();
    else
        for (int i = 0; i < helpers; ++i) wakeups.notify_one();

    inside_team = true;
    while (run_one_chunk()) {
    }
    inside_team = false;
    for (int i = 0; i < spins && finished.load(std::memory_order_acquire) != count; ++i) pause_briefly();
    for (std::uint32_t done; (done = finished.load(std::memory_order_acquire)) != count;) finished.wait(done);
}

// The team, or nullptr when there is one CPU or no thread can be started.
SINTER_INLINE thread_team* host_team() {
    static thread_team* const team = []() -> thread_team* {
        if (thread_count() < 2) return nullptr;
        thread_team* t = new thread_team;
        pthread_atfork(nullptr, nullptr, [] { team_lost_in_fork.store(true, std::memory_order_relaxed); });
        for (int i = 1; i < thread_count(); ++i) {
            pthread_t thread;
            const auto enter = [](void* self) -> void* {
                static_cast<thread_team*>(self)->work();
                return nullptr;
            };
            if (!start_thread(thread, enter, t)) break;
            pthread_detach(thread);
            ++t->workers;
        }
        return t;
    }();
    return team && team->workers ? team : nullptr;
}

SINTER_INLINE void parallel_for(std::int64_t items, std::int64_t grain, loop_body body, void* context) {
    if (items <= 0) return;
    grain = std::max<std::int64_t>(grain, 1);
    thread_team* team = nullptr;
    if (items > grain && !inside_team && !team_lost_in_fork.load(std::memory_order_relaxed)) team = host_team();
    if (!team) return body(context, 0, items);
    // Four chunks a thread even out CPUs that other programs slow down.
    const std::int64_t grains = (items - 1) / grain + 1, shares = std::int64_t(team->workers + 1) * 4;
    const std::int64_t chunk = ((grains - 1) / shares + 1) * grain;
    team->run(items, chunk, std::uint32_t((items - 1) / chunk + 1), body, context);
}

}  // namespace sinter::inline SINTER_ABI::runtime
