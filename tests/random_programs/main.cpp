// Runs many random programs in several processes: --count N --seed S --backend host|cuda|interpreter --jobs J --first N --step N --only N --brief.
#include "../full.hpp"
#include "generate.hpp"
#include "trial.hpp"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>

using namespace random_programs;

namespace {

struct options {
    std::uint64_t seed = 20240229;
    std::int64_t first = 0, count = 5000, step = 1;
    target where = target::host;
    int jobs = static_cast<int>(std::thread::hardware_concurrency());
    bool only = false;
    bool brief = false;  ///< ends at the first fault and does not shrink it
};

constexpr int most_faults = 8;

/// What processes share.
struct board {
    operation_counts counts;
    std::atomic<std::int64_t> next_block, done, kernels, disk_hits, faults, faulty[most_faults], missing_device;
    std::atomic<std::int64_t> running[256];  ///< by job: the program in progress, or -1
};

void note_fault(board& b, std::int64_t number) {
    std::int64_t at = b.faults++;
    if (at < most_faults) b.faulty[at] = number;
}

bool run_program(board& b, const options& o, std::int64_t number) {
    program p = [&] {
        device_scope on(device::cpu());
        runtime::backend_scope use(runtime::backend::interpreter);
        return generate(o.seed, static_cast<std::uint64_t>(number));
    }();
    b.counts.inexact_programs += p.same_backend;
    std::string fault = find_fault(p, o.where, &b.counts);
    if (!fault.empty()) {
        std::printf("program %lld: %s\n", static_cast<long long>(number), fault.c_str());
        std::fflush(stdout);
    }
    return fault.empty();
}

// One process: takes block after block.
void work(board& b, const options& o, int job) {
    if (o.where == target::cuda && device_count() == 0) {
        b.missing_device = 1;
        return;
    }
    std::int64_t seen_kernels = 0, seen_hits = 0;
    for (;;) {
        std::int64_t block = std::max<std::int64_t>(1, family_size / o.step), from = block * b.next_block++;
        if (from >= o.count || b.faults > (o.brief ? 0 : most_faults)) return;
        for (std::int64_t i = from; i < from + block && i < o.count; ++i) {
            std::int64_t n = o.first + i * o.step;
            b.running[job] = n;
            try {
                if (!run_program(b, o, n)) note_fault(b, n);
            } catch (const std::exception& e) {
                std::printf("program %lld: generating threw: %s\n", static_cast<long long>(n), e.what());
                note_fault(b, n);
            }
            counters_t c = counters();
            b.kernels += c.kernels_compiled - seen_kernels;
            b.disk_hits += c.disk_hits - seen_hits;
            seen_kernels = c.kernels_compiled;
            seen_hits = c.disk_hits;
            ++b.done;
        }
        b.running[job] = -1;
        std::fflush(stdout);
    }
}

pid_t start_worker(board& b, const options& o, int job) {
    std::fflush(nullptr);
    pid_t child = ::fork();
    if (child == 0) {
        work(b, o, job);
        std::fflush(nullptr);
        ::_exit(0);
    }
    return child;
}

// A line every ten seconds.
void show_progress(const board& b, std::chrono::steady_clock::time_point start, double& shown) {
    double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (s < shown + 10) return;
    shown = s;
    std::printf("%lld programs, %lld kernels compiled, %lld from disk, %.0f s\n", static_cast<long long>(b.done),
                static_cast<long long>(b.kernels), static_cast<long long>(b.disk_hits), s);
    std::fflush(stdout);
}

// Starts the processes, and another one in place of each that dies.
void run_all(board& b, const options& o) {
    std::vector<pid_t> workers;
    for (int j = 0; j < o.jobs; ++j) {
        b.running[j] = -1;
        workers.push_back(start_worker(b, o, j));
    }
    auto start = std::chrono::steady_clock::now();
    double shown = 0;
    for (int left = o.jobs; left > 0;) {
        int status = 0;
        pid_t ended = ::waitpid(-1, &status, WNOHANG);
        if (ended == 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            show_progress(b, start, shown);
            continue;
        }
        for (int j = 0; j < o.jobs; ++j) {
            if (workers[static_cast<std::size_t>(j)] != ended) continue;
            std::int64_t n = b.running[j];
            bool died = WIFSIGNALED(status) || WEXITSTATUS(status) != 0;
            if (!died || n < 0) {
                --left;
                workers[static_cast<std::size_t>(j)] = 0;
                if (died) note_fault(b, -1);
                continue;
            }
            std::printf("program %lld: the process died of status %d\n", static_cast<long long>(n), status);
            note_fault(b, n);
            b.running[j] = -1;
            workers[static_cast<std::size_t>(j)] = start_worker(b, o, j);
        }
    }
}

// Shrinks a failing program and prints it.
void report(const options& o, std::int64_t number) {
    candidate c{.seed = o.seed, .number = static_cast<std::uint64_t>(number)};
    std::string fault = shrink(c, o.where);
    std::printf("\n--- program %lld of seed %llu fails: %s\n", static_cast<long long>(number),
                static_cast<unsigned long long>(o.seed), fault.empty() ? "not when it runs alone" : fault.c_str());
    print_apart(c);
}

options parse(int argc, char** argv) {
    options o;
    if (is_full()) o.count = 50000;
    if (const char* n = std::getenv("SINTER_RANDOM_PROGRAMS")) o.count = std::atoll(n);
    for (int i = 1; i < argc; ++i) {
        std::string name = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
        ++i;
        if (name == "--count") o.count = std::atoll(value.c_str());
        else if (name == "--seed") o.seed = std::strtoull(value.c_str(), nullptr, 10);
        else if (name == "--first") o.first = std::atoll(value.c_str());
        else if (name == "--step") o.step = std::max(1ll, std::atoll(value.c_str()));
        else if (name == "--jobs") o.jobs = std::atoi(value.c_str());
        else if (name == "--brief") o.brief = true, --i;
        else if (name == "--only") o.only = true, o.first = std::atoll(value.c_str()), o.count = 1;
        else if (name == "--backend" && value == "cuda") o.where = target::cuda;
        else if (name == "--backend" && value == "interpreter") o.where = target::interpreter;
        else if (name != "--backend" || value != "host") {
            std::printf("unknown argument %s %s\n", name.c_str(), value.c_str());
            std::exit(2);
        }
    }
    o.jobs = o.jobs < 1 ? 1 : o.jobs > 256 ? 256 : o.jobs;
    return o;
}

}  // namespace

int main(int argc, char** argv) {
    options o = parse(argc, argv);
    if (o.only) {
        candidate c{.seed = o.seed, .number = static_cast<std::uint64_t>(o.first)};
        print_apart(c);
        std::string fault = find_fault_apart(c, o.where);
        std::printf("%s\n", fault.empty() ? "no difference" : fault.c_str());
        if (!fault.empty()) report(o, o.first);
        return !fault.empty();
    }
    void* shared = ::mmap(nullptr, sizeof(board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return 2;
    board& b = *new (shared) board{};
    std::printf("%lld random programs, seed %llu, %d processes\n", static_cast<long long>(o.count),
                static_cast<unsigned long long>(o.seed), o.jobs);
    run_all(b, o);
    if (b.missing_device) {
        std::printf("no CUDA device\n");
        return 3;
    }
    for (std::int64_t i = 0; !o.brief && i < b.faults && i < 3; ++i)
        if (b.faulty[i] >= 0) report(o, b.faulty[i]);
    std::vector<std::string> missing = print(b.counts);
    for (const std::string& m : missing) std::printf("never occurred: %s\n", m.c_str());
    std::int64_t failed = b.faults;
    // Few programs cannot hold every operation.
    if (!missing.empty() && o.count >= 2000) ++failed;
    std::printf("%lld kernels compiled, %lld from disk\n%lld passed, %lld failed\n", static_cast<long long>(b.kernels),
                static_cast<long long>(b.disk_hits), static_cast<long long>(b.done - b.faults), static_cast<long long>(failed));
    return failed != 0;
}
