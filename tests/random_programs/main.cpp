// Runs many random programs in several processes: --count N --seed S --backend host|cuda|interpreter --jobs J --first N
// --step N --only N --brief --tiers.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

#include "../support/device_check.hpp"
#include "../support/full.hpp"
#include "../support/process_pool.hpp"
#include "generate.hpp"
#include "trial.hpp"

#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/compile/record_pack.hpp>

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

/// What processes share.
struct board : process_pool::board {
    operation_counts counts;
    std::atomic<std::int64_t> kernels, quick, disk_hits;
};

program generate_apart(const options& o, std::int64_t number) {
    device_scope on(device::cpu());
    runtime::backend_scope use(runtime::backend::interpreter);
    return generate(o.seed, static_cast<std::uint64_t>(number));
}

/// Programs that run on the CPU next, which the interpreter has run: it finds faults too, and the kernels that they
/// need are compiled for many of them together.
struct interpreted_programs {
    struct interpreted {
        program made;
        std::string fault;
    };
    std::map<std::int64_t, interpreted> programs;
    runtime::kernels_ahead kernels;

    void interpret(const options& o, std::int64_t number) {
        try {
            program p = generate_apart(o, number);
            std::string fault = find_fault(p, target::interpreter, nullptr, &kernels);
            if (!fault.empty()) fault = "on the interpreter, " + fault;
            programs.emplace(number, interpreted{std::move(p), std::move(fault)});
        } catch (const std::exception&) {  // thrown again where it runs
        }
    }
    void compile() {
        std::lock_guard lock(runtime::runtime_lock());
        kernels.compile();
    }
    interpreted take(const options& o, std::int64_t number) {
        auto found = programs.extract(number);
        return found ? std::move(found.mapped()) : interpreted{generate_apart(o, number), {}};
    }
};

bool run_program(board& b, const options& o, std::int64_t number, interpreted_programs& before) {
    auto [p, fault] = before.take(o, number);
    b.counts.inexact_programs += p.same_backend;
    if (fault.empty()) fault = find_fault(p, o.where, &b.counts);
    if (!fault.empty()) {
        std::printf("program %lld: %s\n", static_cast<long long>(number), fault.c_str());
        std::fflush(stdout);
    }
    return fault.empty();
}

// A program in one of the processes, each of which adds up what it compiles.
bool run_counted(board& b, const options& o, std::int64_t number, interpreted_programs& before) {
    static counters_t seen{};
    bool right = false;
    try {
        right = run_program(b, o, number, before);
    } catch (const std::exception& e) {
        std::printf("program %lld: generating threw: %s\n", static_cast<long long>(number), e.what());
    }
    const counters_t now = counters();
    b.kernels += now.kernels_compiled - seen.kernels_compiled;
    b.quick += now.kernels_quick - seen.kernels_quick;
    b.disk_hits += now.disk_hits - seen.disk_hits;
    seen = now;
    return right;
}

void show_progress(const board& b, double seconds) {
    std::printf("%lld programs, %lld kernels compiled, %lld from disk, %.0f s\n", static_cast<long long>(b.done),
                static_cast<long long>(b.kernels), static_cast<long long>(b.disk_hits), seconds);
    std::fflush(stdout);
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
        else if (name == "--tiers") compares_tiers = true, --i;
        else if (name == "--only") o.only = true, o.first = std::atoll(value.c_str()), o.count = 1;
        else if (name == "--backend" && value == "cuda") o.where = target::cuda;
        else if (name == "--backend" && value == "interpreter") o.where = target::interpreter;
        else if (name != "--backend" || value != "host") {
            std::printf("unknown argument %s %s\n", name.c_str(), value.c_str());
            std::exit(2);
        }
    }
    o.jobs = std::clamp(o.jobs, 1, process_pool::most_jobs);
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
    if (o.where == target::cuda && !has_device_apart()) {
        std::printf("no CUDA device\n");
        return 3;
    }
    board& b = process_pool::shared_object<board>();
    std::printf("%lld random programs, seed %llu, %d processes\n", static_cast<long long>(o.count),
                static_cast<unsigned long long>(o.seed), o.jobs);
    process_pool::pieces all{o.first,
                             o.count,
                             o.step,
                             std::max<std::int64_t>(1, family_size / o.step),
                             o.jobs,
                             o.brief,
                             runtime::write_recorded_kernels};
    interpreted_programs interpreted;
    // Full code takes a compiler so long that running it less often is no gain.
    if (o.where == target::host && runtime::env().tiers == runtime::code_tiers::quick) {
        all.prepare = [&](std::int64_t n) { interpreted.interpret(o, n); };
        all.prepare_together = [&] { interpreted.compile(); };
    }
    process_pool::run_all(
        b, all, [&](std::int64_t n) { return run_counted(b, o, n, interpreted); },
        [&](double s) { show_progress(b, s); });
    for (std::int64_t i = 0; !o.brief && i < b.faults && i < 3; ++i)
        if (b.faulty[i] >= 0) report(o, b.faulty[i]);
    std::vector<std::string> missing = print(b.counts);
    for (const std::string& m : missing) std::printf("never occurred: %s\n", m.c_str());
    std::int64_t failed = b.faults;
    // Few programs cannot hold every operation.
    if (!missing.empty() && o.count >= 5000) ++failed;
    std::printf("%lld kernels compiled, %lld of them quickly, %lld from disk\n%lld passed, %lld failed\n",
                static_cast<long long>(b.kernels), static_cast<long long>(b.quick), static_cast<long long>(b.disk_hits),
                static_cast<long long>(b.done - b.faults), static_cast<long long>(failed));
    return failed != 0;
}
