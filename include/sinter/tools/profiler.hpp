// profiler: how long functions take, and what happens when.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/array/evaluate.hpp>

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::inline SINTER_ABI::profiler {

/// How benchmark() repeats; the defaults are those of cupyx.profiler.benchmark.
struct benchmark_options {
    int n_repeat = 10'000;
    int n_warmup = 10;                              ///< calls before those that are measured
    double max_duration = codegen::ieee::infinity;  ///< seconds after which no further call starts
    std::string_view name = "";                     ///< printed before the times
};

/// The times of each call, in seconds; prints mean, standard deviation, minimum and maximum in microseconds.
struct benchmark_result {
    std::string name;
    std::vector<double> cpu_times;  ///< until the function and the evaluation of its result have returned
    std::vector<double> gpu_times;  ///< between two events around that on the current device's stream; empty on the CPU
    int gpu = -1;                   ///< number of that device
    std::string text() const;
};

std::ostream& operator<<(std::ostream& out, const benchmark_result& r);

namespace detail {
benchmark_result run_benchmark(void (*call)(void*), void* context, const benchmark_options& options);

template <class F>
void call_and_evaluate(void* context) {
    F& f = *static_cast<F*>(context);
    if constexpr (std::is_void_v<decltype(f())>) {
        f();
    } else {
        const auto& result = f();
        using type = std::remove_cvref_t<decltype(result)>;
        if constexpr (expression<type> || sinter::detail::holds_several<type>) eval(result);
    }
}
}  // namespace detail

/// Calls f() again and again, evaluates what it returns (expressions, tuples and structures of them, or nothing), waits
/// for the device, and measures each call: `std::cout << profiler::benchmark([&] { return exp(x); });`. An array that f
/// only names is computed once. Throws what f throws; value_error for no repetitions. cupyx.profiler.benchmark.
template <class F>
[[nodiscard]] benchmark_result benchmark(F&& f, const benchmark_options& options = {}) {
    return detail::run_benchmark(detail::call_and_evaluate<std::remove_reference_t<F>>,
                                 const_cast<void*>(static_cast<const void*>(&f)), options);
}

/// A named part of a program, as long as it lives: `profiler::scope s("solve");`. While the outermost scope that names
/// a file, or finds one in SINTER_TRACE, lives, scopes, launches, library calls, compilations and copies are recorded
/// as complete events of chrome's trace format, and written to the file when it ends; ui.perfetto.dev and
/// chrome://tracing show it. What a program writes to one file is one trace, which replaces what the file held before.
/// Each thread has a track of what it enqueues when; each stream of a GPU has one, named after both, of the launches,
/// graphs of launches, library calls and copies that it ran and when, between two events of the driver: the outermost
/// scope waits for them at its end, and kernels do not start before the previous one is over, as some do without a
/// trace. With NVTX (its header when the library is built, a tool of NVIDIA's when it runs) the scope is a range of the
/// calling thread as well. Throws io_error where the file cannot be made.
class scope {
public:
    explicit scope(std::string_view name, std::string_view file = {});
    ~scope();
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;

private:
    std::string name_;
    long long begin_ = -1;  ///< nanoseconds; -1: nothing is recorded
};

/// What this thread's statements are called that are recorded while it lives, the innermost one's name where several
/// do: explain, timelines, ranges of NVTX and SINTER_SHOW=launch put it before the names of the kernels and library
/// calls that compute them. A kernel that computes statements of several labels has all of them.
/// Told where statements are recorded: a step that a `graph` or a loop replays shows none after its first time, and
/// explain of a stored result names the result's own. Labels are no part of kernels: equal ones are compiled once,
/// whatever they are called.
class label {
public:
    /// With a file the name is followed by its last part and the line.
    explicit label(std::string_view name, std::string_view file = {}, int line = 0);
    ~label();
    label(const label&) = delete;
    label& operator=(const label&) = delete;
    /// Labels end in the order in which blocks do.
    static void* operator new(std::size_t) = delete;
    static void* operator new[](std::size_t) = delete;

private:
    const std::string* outer_;
};

}  // namespace sinter::inline SINTER_ABI::profiler

/// A profiler::label until the block ends: `SINTER_LABEL("advect");`. Where NDEBUG is not defined, as in debug builds,
/// the name is followed by the file and the line: `advect (flow.cpp:42)`.
#define SINTER_LABEL(name) \
    const ::sinter::profiler::label SINTER_LABEL_NAME(sinter_label_, __LINE__)(name SINTER_LABEL_PLACE)
#define SINTER_LABEL_NAME(a, b) SINTER_LABEL_NAME_OF(a, b)
#define SINTER_LABEL_NAME_OF(a, b) a##b
#ifdef NDEBUG
#define SINTER_LABEL_PLACE
#else
#define SINTER_LABEL_PLACE , __FILE__, __LINE__
#endif

#if SINTER_HEADER_ONLY
#include <sinter/tools/profiler.ipp>
#endif
