// Numbered pieces of work in several processes, of which each that dies is replaced; must not know what the pieces are.
#pragma once

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <new>
#include <thread>
#include <vector>

namespace process_pool {

inline constexpr int most_faults = 8, most_jobs = 256;

/// What the processes share.
struct board {
    std::atomic<std::int64_t> next_block, done, faults, faulty[most_faults];
    std::atomic<std::int64_t> running[most_jobs];  ///< by job: the piece in progress, or -1

    void note_fault(std::int64_t number) {
        const std::int64_t at = faults++;
        if (at < most_faults) faulty[at] = number;
    }
};

/// An object in memory that processes share; never released.
template <class T>
T& shared_object() {
    void* memory = ::mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    return *new (memory) T{};
}

/// The pieces first, first + step, … of which there are `count`, in blocks that one process takes as a whole.
struct pieces {
    std::int64_t first = 0, count = 0, step = 1, block = 1;
    int jobs = 1;
    bool until_first_fault = false;
    std::function<void()> at_end = [] {};  ///< what each process does before it ends
    /// What a process does for each piece of a block before the first one, and then once for all of them.
    std::function<void(std::int64_t)> prepare = nullptr;
    std::function<void()> prepare_together = [] {};
};

/// Whether a piece was right; prints what was not.
using work = std::function<bool(std::int64_t)>;

inline void run_blocks(board& b, const pieces& p, int job, const work& is_right) {
    for (;;) {
        const std::int64_t from = p.block * b.next_block++, end = std::min(from + p.block, p.count);
        if (from >= p.count || b.faults > (p.until_first_fault ? 0 : most_faults)) return;
        for (std::int64_t i = from; p.prepare && i < end; ++i) p.prepare(b.running[job] = p.first + i * p.step);
        if (p.prepare) p.prepare_together();
        for (std::int64_t i = from; i < end; ++i) {
            const std::int64_t n = p.first + i * p.step;
            b.running[job] = n;
            if (!is_right(n)) b.note_fault(n);
            std::fflush(stdout);
            ++b.done;
        }
        b.running[job] = -1;
    }
}

inline pid_t start_process(board& b, const pieces& p, int job, const work& is_right) {
    std::fflush(nullptr);
    b.running[job] = -1;
    const pid_t child = ::fork();
    if (child != 0) return child;
    run_blocks(b, p, job, is_right);
    p.at_end();
    std::fflush(nullptr);
    ::_exit(0);
}

/// Runs all; `progress` is called every ten seconds with the seconds so far.
inline void run_all(board& b, const pieces& p, const work& is_right, const std::function<void(double)>& progress) {
    std::vector<pid_t> processes;
    for (int j = 0; j < p.jobs; ++j) processes.push_back(start_process(b, p, j, is_right));
    const auto start = std::chrono::steady_clock::now();
    double shown = 0;
    for (int left = p.jobs; left > 0;) {
        int status = 0;
        const pid_t ended = ::waitpid(-1, &status, WNOHANG);
        if (ended == 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            if (s >= shown + 10) progress(shown = s);
            continue;
        }
        const auto at = std::find(processes.begin(), processes.end(), ended);
        if (at == processes.end()) continue;
        const int job = static_cast<int>(at - processes.begin());
        const std::int64_t n = b.running[job];
        const bool died = WIFSIGNALED(status) || WEXITSTATUS(status) != 0;
        if (died) {
            std::printf("piece %lld: the process died of status %d\n", static_cast<long long>(n), status);
            b.note_fault(n);
        }
        if (died && n >= 0) {
            *at = start_process(b, p, job, is_right);
        } else {
            --left;
            *at = 0;
        }
    }
}

}  // namespace process_pool
