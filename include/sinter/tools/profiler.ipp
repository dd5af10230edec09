// Bodies of profiler.hpp.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/tools/profiler.hpp>
#include <sinter/runtime/compile/backend.hpp>
#include <sinter/runtime/compile/refine.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/lazy/label.hpp>
#include <sinter/runtime/lazy/value.hpp>
#include <sinter/runtime/device/nvtx.hpp>
#include <sinter/runtime/device/stopwatch.hpp>
#include <sinter/runtime/device/timeline.hpp>

#include <cstdio>
#include <mutex>
#include <ostream>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::profiler {

// As cupyx.profiler prints one device's times.
SINTER_INLINE std::string times_text(const std::string& device, const std::vector<double>& seconds) {
    if (seconds.empty()) return {};
    const auto count = static_cast<double>(seconds.size());
    double mean = 0, squares = 0;
    for (double s : seconds) mean += s / count;
    for (double s : seconds) squares += (s - mean) * (s - mean) / count;
    const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
    char text[160];
    std::snprintf(text, sizeof text, "    %s: %9.3f us", device.c_str(), 1e6 * mean);
    if (seconds.size() == 1) return text;
    char more[96];
    std::snprintf(more, sizeof more, "   +/- %6.3f (min: %9.3f / max: %9.3f) us", 1e6 * codegen::ieee::sqrt(squares),
                  1e6 * *least, 1e6 * *most);
    return std::string(text) + more;
}

SINTER_INLINE std::string benchmark_result::text() const {
    std::string s = name;
    if (s.size() < 20) s.append(20 - s.size(), ' ');
    s += ":" + times_text("CPU", cpu_times);
    if (!gpu_times.empty()) s += " " + times_text("GPU-" + std::to_string(gpu), gpu_times);
    return s;
}

SINTER_INLINE std::ostream& operator<<(std::ostream& out, const benchmark_result& r) { return out << r.text(); }

namespace detail {

// Waits for the full code of what was compiled quickly.
SINTER_INLINE void refine_all_kernels() {
    std::lock_guard lock(runtime::runtime_lock());
    runtime::refine_all();
}

SINTER_INLINE benchmark_result run_benchmark(void (*call)(void*), void* context, const benchmark_options& options) {
    if (options.n_repeat < 1)
        throw value_error("[benchmark] n_repeat must be positive: " + std::to_string(options.n_repeat));
    if (options.n_warmup < 0)
        throw value_error("[benchmark] n_warmup must not be negative: " + std::to_string(options.n_warmup));
    const device where = runtime::current_device();
    benchmark_result r;
    r.name = options.name;
    for (int i = 0; i < options.n_warmup; ++i) {
        // The last of several calls is one of the full code already.
        if (i > 0 && i + 1 == options.n_warmup) refine_all_kernels();
        call(context);
    }
    refine_all_kernels();
    synchronize();
    if (where.is_cuda()) r.gpu = where.index();
    runtime::stopwatch of_device(where);
    const double begin = runtime::seconds_now();
    for (int i = 0; i < options.n_repeat && (i == 0 || runtime::seconds_now() - begin < options.max_duration); ++i) {
        of_device.start();
        const double before = runtime::seconds_now();
        call(context);
        const double after = runtime::seconds_now();
        of_device.stop();
        const double seconds = of_device.seconds();
        r.cpu_times.push_back(after - before);
        if (where.is_cuda()) r.gpu_times.push_back(seconds);
    }
    return r;
}

}  // namespace detail

SINTER_INLINE scope::scope(std::string_view name, std::string_view file) : name_(name) {
    const std::string to = file.empty() ? runtime::env().trace : std::string(file);
    if ((!to.empty() || runtime::is_timed()) && runtime::begin_timeline(to)) begin_ = runtime::timeline_clock();
    runtime::push_nvtx(name_.c_str());
}

SINTER_INLINE scope::~scope() {
    runtime::pop_nvtx();
    if (begin_ < 0) return;
    try {
        runtime::add_event("scope", name_, begin_);
    } catch (...) {
    }
    runtime::end_timeline();
}

SINTER_INLINE label::label(std::string_view name, std::string_view file, int line) : outer_(runtime::this_label) {
    std::string text(name);
    if (!file.empty()) text += " (" + std::string(file.substr(file.rfind('/') + 1)) + ":" + std::to_string(line) + ")";
    runtime::this_label = runtime::label_of(text);
}

SINTER_INLINE label::~label() { runtime::this_label = outer_; }

}  // namespace sinter::inline SINTER_ABI::profiler

SINTER_IEEE_END
