// Programs of which the k-th call of the allocator, or of the system, fails, for every k up to those that they make:
// each ends with the right numbers, std::bad_alloc or one of sinter's errors, and runs rightly when it is run again at
// once, on another thread and without a failure, which leaves no memory in use.
//
// usage: sinter_failing_calls [PROGRAM [WAY [KIND [FIRST]]]]; SINTER_TEST_FULL=1 leaves out no call.
#include "calls.hpp"
#include "programs.hpp"
#include "support/full.hpp"
#include "support/scratch_folder.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <new>
#include <sinter/runtime/lazy/plan_table.hpp>
#include <sinter/sinter.hpp>
#include <string>
#include <thread>

namespace {

using namespace failing_calls;

/// How a program meets the library: with its plans in memory, with none of them, in a process that has computed
/// nothing with kernels on disk, or with none at all.
enum class way { warm, forgotten, cold, compiling };
constexpr const char* way_names[] = {"warm", "forgotten", "cold", "compiling"};
constexpr const char* kind_names[] = {"memory", "system"};

struct task {
    const program& what;
    way how;
    kind which;
    long length;  ///< how many calls fail, one after the other
    std::string folder;
};

/// What a process tells the one that started it.
struct board {
    long k = 0;          ///< that is being tried
    long runs = 0;       ///< that went well
    bool ended = false;  ///< fewer calls than k were made
    char fault[500] = {};
};

board& shared_board() {
    static board& b = *[] {
        void* memory = ::mmap(nullptr, sizeof(board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) std::abort();
        return new (memory) board;
    }();
    return b;
}

[[noreturn]] void report(const std::string& fault) {
    std::strncpy(shared_board().fault, fault.c_str(), sizeof(board::fault) - 1);
    std::_Exit(1);
}

std::string to_text(const numbers& v) {
    std::string text = "[";
    for (double e : v) text += (text.size() > 1 ? ", " : "") + std::to_string(e);
    return text + "]";
}

void require_right(const numbers& got, const numbers& wanted, const char* when) {
    if (got != wanted) report(std::string(when) + " it gives " + to_text(got) + ", not " + to_text(wanted));
}

// With its k-th call failing; whether there were so many.
bool run_failing(const task& t, long k, const numbers& wanted) {
    numbers got;
    bool threw = true;
    begin(t.which, k, t.length);
    try {
        got = t.what.run(t.folder);
        threw = false;
    } catch (const std::bad_alloc&) {
    } catch (const sinter::error&) {
    } catch (const std::exception& e) {
        end();
        report(std::string("it throws what is none of sinter's errors: ") + e.what());
    }
    const long made = end();
    if (!threw) require_right(got, wanted, "with the failure");
    if (made < k && threw) report("it throws without a failure");
    return made >= k;
}

void run_rightly(const task& t, const numbers& wanted) {
    std::thread([&] {
        try {
            require_right(t.what.run(t.folder), wanted, "run again");
        } catch (const std::exception& e) {
            report(std::string("run again it throws: ") + e.what());
        }
    }).join();
}

// Tries k and, where one process does, those after it. What hangs is ended by a signal.
void try_calls(const task& t, long k, long stride) {
    constexpr unsigned longest = 30;
    board& b = shared_board();
    const numbers wanted = t.what.wanted();
    const bool goes_on = t.how == way::warm || t.how == way::forgotten;
    if (t.how == way::forgotten) sinter::runtime::most_loaded_kernels = 0;
    alarm(longest);
    if (goes_on) run_rightly(t, wanted);
    const auto used = sinter::counters().pool_used;
    do {
        b.k = k;
        alarm(longest);
        b.ended = !run_failing(t, k, wanted);
        run_rightly(t, wanted);
        if (goes_on && sinter::counters().pool_used != used)
            report(std::to_string(sinter::counters().pool_used - used) + " bytes more are in use");
        ++b.runs;
        k += stride;
    } while (goes_on && !b.ended);
    std::_Exit(0);
}

std::string text_of(const std::string& path) {
    std::ifstream f(path);
    return {std::istreambuf_iterator<char>(f), {}};
}

// A process that has not used sinter so far, in which calls fail; what it had to say about a fault, or nothing.
std::string run_process(const task& t, long k, long stride) {
    board& b = shared_board();
    b.k = k;
    b.fault[0] = 0;
    const std::string log = t.folder + "/log";
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        const int to = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (!std::getenv("SINTER_SHOW")) dup2(to, 2);
        try_calls(t, k, stride);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return "no process can be started";
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return "";
    std::string what = b.fault[0]            ? b.fault
                       : WIFSIGNALED(status) ? std::string(strsignal(WTERMSIG(status)))
                                             : "it exits";
    std::string said = text_of(log);
    if (!b.fault[0] && !said.empty()) what += ": " + said.substr(said.size() > 300 ? said.size() - 300 : 0);
    return what;
}

std::string name_of(const task& t) {
    return std::string(t.what.name) + ", " + way_names[static_cast<int>(t.how)] + ", " +
           (t.length == 1 ? "one call" : "all calls from one on") + " of " + kind_names[static_cast<int>(t.which)];
}

// Every call, or some of them where each takes a process; faults are printed.
bool run_task(const task& t, long first, long stride) {
    constexpr int most_faults = 12;
    board& b = shared_board();
    b.runs = 0;
    b.ended = false;
    int faults = 0;
    for (long k = first; !b.ended && faults < most_faults; k = b.k + stride) {
        if (t.how == way::compiling) std::filesystem::remove_all(t.folder + "/cache");
        const std::string fault = run_process(t, k, stride);
        if (fault.empty()) continue;
        ++faults;
        std::printf("%s, call %ld: %s\n", name_of(t).c_str(), b.k, fault.c_str());
    }
    std::printf("%s: %ld runs, %ld calls apart, of up to %ld calls%s\n", name_of(t).c_str(), b.runs, stride, b.k,
                faults ? ": FAILED" : "");
    return faults == 0;
}

// How far apart the calls are that fail: a run takes less than a millisecond, five or, where it compiles, a hundred.
long stride_of(way how, kind which) {
    if (is_full() || how == way::warm) return 1;
    switch (how) {
        case way::forgotten: return which == kind::memory ? 193 : 3;
        case way::cold: return which == kind::memory ? 307 : 7;
        default: return which == kind::memory ? 1009 : 29;
    }
}

bool is_wanted(const char* name, int argc, char** argv, int at) {
    return argc <= at || std::strcmp(argv[at], name) == 0;
}

}  // namespace

int main(int argc, char** argv) {
    const scratch_folder scratch;
    setenv("SINTER_BACKEND", "host", 1);
    setenv("SINTER_TIERS", "quick", 1);  // no call fails in the background
    setenv("SINTER_CACHE_DIR", (scratch.path + "/cache").c_str(), 1);
    const long first = argc > 4 ? std::atol(argv[4]) : 1;
    int passed = 0, failed = 0;
    for (const program& p : programs)
        for (way how : {way::warm, way::forgotten, way::cold, way::compiling})
            for (kind which : {kind::memory, kind::system})
                for (long length : {1L, 1'000'000L}) {
                    if (how == way::compiling && !p.is_compiled) continue;
                    if (!is_wanted(p.name, argc, argv, 1) ||
                        !is_wanted(way_names[static_cast<int>(how)], argc, argv, 2) ||
                        !is_wanted(kind_names[static_cast<int>(which)], argc, argv, 3))
                        continue;
                    const task t{p, how, which, length, scratch.path};
                    (run_task(t, first, stride_of(how, which)) ? passed : failed) += 1;
                }
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed || !passed;
}
