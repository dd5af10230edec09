// Bodies of backend.hpp.
#pragma once

#include <sinter/runtime/compile/backend.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/compile/host_compiler.hpp>
#include <sinter/runtime/compile/kernel_pack.hpp>
#include <sinter/runtime/compile/nvrtc.hpp>

#include <cstdio>

namespace sinter::inline SINTER_ABI {

namespace runtime {

inline constexpr int no_choice = -2;

SINTER_INLINE int& scoped_device() {
    static thread_local int id = no_choice;
    return id;
}

SINTER_INLINE int& scoped_backend() {
    static thread_local int b = no_choice;
    return b;
}

SINTER_INLINE std::string_view to_string(backend b) {
    return b == backend::cuda ? "cuda" : b == backend::host ? "host" : "interpreter";
}

SINTER_INLINE bool cuda_available(std::string* why) {
    if (cuda_device_count(why) == 0) return false;
    static const bool compiles = packs_have_cuda() || nvrtc_available() || !nvrtc_identity().empty();
    if (!compiles) nvrtc_available(why);
    return compiles;
}

SINTER_INLINE device current_device() {
    if (scoped_device() != no_choice) return device::from_id(scoped_device());
    const std::string& named = env().backend;
    if (named == "cuda") return device::cuda(0);
    if (!named.empty()) return device::cpu();
    static const bool has_cuda = [] {
        std::string why;
        const bool usable = cuda_available(&why);
        if (!usable && cuda_device_count() > 0)
            std::fprintf(stderr, "sinter: there is a GPU, which cannot be used: %s\nsinter: computing on the CPU\n",
                         why.c_str());
        return usable;
    }();
    return has_cuda ? device::from_id(0) : device::cpu();
}

SINTER_INLINE bool is_backend_named() {
    return scoped_backend() == static_cast<int>(backend::host) || env().backend == "host";
}

SINTER_INLINE backend backend_of(device d) {
    if (d.is_cuda()) return backend::cuda;
    if (scoped_backend() != no_choice) return static_cast<backend>(scoped_backend());
    static const backend chosen = env().backend == "interpreter" ? backend::interpreter : backend::host;
    return chosen;
}

SINTER_INLINE backend_scope::backend_scope(backend b) : previous_(scoped_backend()) {
    scoped_backend() = static_cast<int>(b);
}

SINTER_INLINE backend_scope::~backend_scope() { scoped_backend() = previous_; }

}  // namespace runtime

SINTER_INLINE int device_count() { return runtime::cuda_available() ? runtime::cuda_device_count() : 0; }

SINTER_INLINE device_scope::device_scope(device d) : previous_(runtime::scoped_device()) {
    runtime::scoped_device() = d.id();
}

SINTER_INLINE device_scope::~device_scope() { runtime::scoped_device() = previous_; }

}  // namespace sinter::inline SINTER_ABI
