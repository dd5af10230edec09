// Bodies of show_config.hpp.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/runtime/compile/backend.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/compile/disk_cache.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/base/file.hpp>
#include <sinter/runtime/compile/host_toolchain.hpp>
#include <sinter/runtime/library/libraries.hpp>
#include <sinter/runtime/memory/memory_pool.hpp>
#include <sinter/runtime/device/nvtx.hpp>
#include <sinter/runtime/base/thread_team.hpp>
#include <sinter/tools/show_config.hpp>

#include <unistd.h>

#include <cstdio>
#include <ostream>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI {

namespace detail {

// A name and what is said of it, whose further lines are indented.
SINTER_INLINE void add_line(std::string& to, std::string_view name, std::string_view value) {
    constexpr std::size_t width = 22;
    to.append(name).append(name.size() < width ? width - name.size() : 1, ' ');
    for (char c : value) {
        if (c == '\n') to.append(1, '\n').append(width, ' ');
        else to.append(1, c);
    }
    to += '\n';
}

SINTER_INLINE std::string cuda_version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

SINTER_INLINE std::string gib_text(std::int64_t bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f GiB", static_cast<double>(bytes) / (1 << 30));
    return text;
}

SINTER_INLINE void add_versions(std::string& to) {
#if defined(__clang__)
    const std::string compiler = "clang " __clang_version__;
#else
    const std::string compiler = "g++ " __VERSION__;
#endif
    add_line(to, "sinter", SINTER_VERSION ", built by " + compiler);
#if SINTER_HAS_CUDA
    add_line(to, "CUDA headers",
             cuda_version_text(CUDA_VERSION) + (runtime::has_nvtx() ? ", with NVTX" : ", without NVTX"));
#else
    add_line(to, "CUDA headers", "none when it was built: for the CPU only");
#endif
    std::string why;
    const int gpus = runtime::cuda_device_count(&why), version = runtime::cuda_driver_version();
    std::string driver = version ? "for CUDA " + cuda_version_text(version) : "";
    if (!gpus) driver.append(version ? ": " : "").append(why);
    add_line(to, "CUDA driver", driver);
    for (const runtime::library_report& l : runtime::library_reports()) {
        std::string text = l.version.empty() && !l.path.empty() ? "version not told" : l.version;
        if (!l.path.empty()) text += ", " + l.path;
        if (!l.why.empty()) text.append(text.empty() ? "" : ": ").append(l.why);
        add_line(to, l.name, text);
    }
    const runtime::host_toolchain* tools = runtime::find_host_toolchain(&why);
    add_line(to, "compiler of kernels", tools ? tools->version + ", " + tools->compiler : why);
}

SINTER_INLINE void add_gpus(std::string& to) {
    const int count = runtime::cuda_device_count();
    if (count == 0) add_line(to, "GPU", "none");
    for (int i = 0; i < count; ++i) {
        const runtime::cuda_properties& p = runtime::properties(i);
        add_line(to, "GPU " + std::to_string(i),
                 p.name + ", compute capability " + std::to_string(p.major) + "." + std::to_string(p.minor) + ", " +
                     std::to_string(p.multiprocessors) + " multiprocessors, " + gib_text(p.memory));
    }
}

SINTER_INLINE std::string processor_name() {
    std::string text;
    runtime::read_file("/proc/cpuinfo", text, 8192);
    for (const char* field : {"model name", "CPU part"}) {
        const std::size_t at = text.find(field), colon = text.find(": ", at);
        if (at != text.npos && colon != text.npos) return text.substr(colon + 2, text.find('\n', colon) - colon - 2);
    }
    return "not told by /proc/cpuinfo";
}

SINTER_INLINE std::string default_device_text() {
    try {
        const device d = runtime::current_device();
        return to_string(d) + ", backend " + std::string(to_string(runtime::backend_of(d)));
    } catch (const error& e) {
        return e.what();
    }
}

SINTER_INLINE void add_machine(std::string& to) {
    add_gpus(to);
    add_line(to, "CPU", processor_name());
    add_line(to, "threads",
             std::to_string(runtime::thread_count()) + " used of " + std::to_string(sysconf(_SC_NPROCESSORS_ONLN)));
    add_line(to, "memory", gib_text(runtime::pool_capacity(device::cpu())));
    add_line(to, "arrays live on", default_device_text());
    const std::string& folder = runtime::kernel_cache().directory();
    add_line(to, "cache of kernels", folder.empty() ? "in memory only: no folder can be used" : folder);
}

}  // namespace detail

SINTER_INLINE configuration show_config() {
    std::string text;
    detail::add_versions(text);
    detail::add_machine(text);
    text += "environment\n";
    for (const runtime::environment_variable& v : runtime::environment_variables())
        detail::add_line(text, "  " + std::string(v.name),
                         v.value ? "\"" + *v.value + "\"" : "not set: " + std::string(v.meaning));
    return configuration(text);
}

SINTER_INLINE std::ostream& operator<<(std::ostream& out, const configuration& c) { return out << c.text(); }

}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END
