// Runs programs in all modes and shrinks those that fail.
#include "trial.hpp"

#include "generate.hpp"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <optional>
#include <sinter/runtime/compile/refine.hpp>

namespace random_programs {

program candidate::make() const {
    program p = generate(seed, number);
    if (once) p.loop_times = 1;
    std::vector<statement> kept;
    int before_begin = 0, before_end = 0;
    for (int i = 0; i < static_cast<int>(p.statements.size()); ++i) {
        auto k = static_cast<std::size_t>(i);
        if (k < dropped.size() && dropped[k]) {
            before_begin += i < p.loop_begin;
            before_end += i < p.loop_end;
            continue;
        }
        statement s = p.statements[k];
        if (s.what == kind::data || s.what == kind::full || s.what == kind::index || s.what == kind::random)
            for (std::int64_t& n : s.shape) n = std::min(n, largest_size);
        kept.push_back(std::move(s));
    }
    p.loop_begin -= before_begin;
    p.loop_end -= before_end;
    p.statements = std::move(kept);
    return p;
}

// Runs on the tested backend.
static outcome run_on(target where, const program& p, mode how, const outcome* reference, std::uint64_t disturbance,
                      operation_counts* counts, runtime::kernels_ahead* ahead) {
    if (where == target::cuda) {
        device_scope on(device::cuda(0));
        return run(p, how, reference, disturbance, counts);
    }
    device_scope on(device::cpu());
    runtime::backend_scope use(where == target::host ? runtime::backend::host : runtime::backend::interpreter);
    std::optional<runtime::interpret_ahead_scope> planned;
    if (ahead) planned.emplace(*ahead);
    return run(p, how, reference, disturbance, counts);
}

// Puts full code in the place of quick code; whether there was any.
static bool refine_all_kernels() {
    std::lock_guard lock(runtime::runtime_lock());
    const std::uint64_t before = runtime::refined_kernels();
    runtime::refine_all();
    return runtime::refined_kernels() != before;
}

std::string find_fault(const program& p, target where, operation_counts* counts, runtime::kernels_ahead* ahead) {
    std::string stage = "eager: ";
    try {
        outcome expected = run_on(p.same_backend ? where : target::interpreter, p, mode::eager, nullptr, 0, nullptr,
                                  p.same_backend ? ahead : nullptr);
        stage = "lazy: ";
        outcome lazy = run_on(where, p, mode::lazy, &expected, 0, counts, ahead);
        if (std::string d = difference(expected, lazy, p.same_backend); !d.empty()) return stage + d;
        if (compares_tiers && refine_all_kernels()) {
            stage = "with full code: ";
            const outcome full = run_on(where, p, mode::lazy, &expected, 0, nullptr, ahead);
            if (std::string d = difference(lazy, full, true); !d.empty()) return stage + d;
        }
        stage = "with evaluations at random points: ";
        const std::uint64_t points = mix(p.seed, p.number / family_size);
        outcome disturbed = run_on(where, p, mode::disturbed, &expected, points, nullptr, ahead);
        if (std::string d = difference(lazy, disturbed, true); !d.empty()) return stage + d;
    } catch (const not_applicable&) {
        return stage + "a statement that applied before does not apply";
    } catch (const std::exception& e) {
        return stage + "threw: " + e.what();
    }
    return {};
}

std::string find_fault_apart(const candidate& c, target where) {
    constexpr std::size_t room = 4096;
    auto* text = static_cast<char*>(::mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    std::fflush(nullptr);
    pid_t child = ::fork();
    if (child == 0) {
        ::alarm(60);
        std::string fault;
        try {
            program p = [&] {
                device_scope on(device::cpu());
                runtime::backend_scope use(runtime::backend::interpreter);
                return c.make();
            }();
            fault = find_fault(p, where, nullptr);
        } catch (const std::exception& e) {
            fault = std::string("generating threw: ") + e.what();
        }
        std::strncpy(text, fault.c_str(), room - 1);
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    std::string fault = text;
    ::munmap(text, room);
    if (WIFSIGNALED(status)) fault = "died of signal " + std::to_string(WTERMSIG(status));
    else if (WEXITSTATUS(status)) fault = "ended with status " + std::to_string(WEXITSTATUS(status));
    return fault;
}

std::string shrink(candidate& c, target where) {
    auto start = std::chrono::steady_clock::now();
    auto is_late = [&] { return std::chrono::steady_clock::now() - start > std::chrono::seconds(60); };
    std::string fault = find_fault_apart(c, where);
    if (fault.empty()) return fault;
    auto still_fails = [&](const candidate& smaller) {
        if (is_late()) return false;
        std::string f = find_fault_apart(smaller, where);
        // One kind of fault must not turn into another.
        if (f.empty() || f.substr(0, 4) != fault.substr(0, 4)) return false;
        fault = f;
        c = smaller;
        return true;
    };
    if (c.dropped.empty()) c.dropped.assign(64, 0);
    candidate once = c;
    once.once = true;
    still_fails(once);
    bool progress = true;
    for (std::size_t chunk = 16; chunk > 0 && !is_late();) {
        progress = false;
        for (std::size_t end = c.dropped.size(); end > 0; end -= std::min(end, chunk)) {
            candidate smaller = c;
            bool any = false;
            for (std::size_t i = end - std::min(end, chunk); i < end; ++i) {
                any = any || !smaller.dropped[i];
                smaller.dropped[i] = 1;
            }
            progress = (any && still_fails(smaller)) || progress;
        }
        if (chunk > 1 || !progress) chunk /= 2;
    }
    for (std::int64_t n : {1, 2, 3, 4, 5, 8, 16, 33}) {
        candidate smaller = c;
        smaller.largest_size = n;
        if (still_fails(smaller)) break;
    }
    return fault;
}

void print_apart(const candidate& c) {
    std::fflush(nullptr);
    pid_t child = ::fork();
    if (child == 0) {
        device_scope on(device::cpu());
        runtime::backend_scope use(runtime::backend::interpreter);
        std::fputs(to_cpp(c.make()).c_str(), stdout);
        std::fflush(stdout);
        ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
}

}  // namespace random_programs
