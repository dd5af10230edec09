// Bodies of the copies, and where they are counted.
#pragma once

#include <cstring>
#include <sinter/codegen/error.hpp>
#include <sinter/runtime/copy.hpp>
#include <sinter/runtime/counters.hpp>
#include <sinter/runtime/cuda_driver.hpp>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE void copy_to_host(void* destination, device from, const void* source, std::size_t bytes) {
    if (bytes == 0) return;
    if (from.is_cpu()) return void(std::memcpy(destination, source, bytes));
#if SINTER_HAS_CUDA
    const cuda_state& s = use_device(from.index());
    check(driver().cuMemcpyDtoHAsync(destination, reinterpret_cast<CUdeviceptr>(source), bytes, s.stream),
          "cuMemcpyDtoHAsync");
    check(driver().cuStreamSynchronize(s.stream), "cuStreamSynchronize");
    count_to_host(static_cast<std::int64_t>(bytes));
#else
    throw device_error("[cuda] built without CUDA headers");
#endif
}

SINTER_INLINE void copy_to_device(device to, void* destination, const void* source, std::size_t bytes) {
    if (bytes == 0) return;
    if (to.is_cpu()) return void(std::memcpy(destination, source, bytes));
#if SINTER_HAS_CUDA
    const cuda_state& s = use_device(to.index());
    check(driver().cuMemcpyHtoDAsync(reinterpret_cast<CUdeviceptr>(destination), source, bytes, s.stream),
          "cuMemcpyHtoDAsync");
    // The driver may read the source later (always when it is pinned), but its owner may change it after this.
    check(driver().cuStreamSynchronize(s.stream), "cuStreamSynchronize");
    count_to_device(static_cast<std::int64_t>(bytes));
#else
    throw device_error("[cuda] built without CUDA headers");
#endif
}

SINTER_INLINE void copy_between(device to, void* destination, device from, const void* source, std::size_t bytes) {
    if (from.is_cpu()) return copy_to_device(to, destination, source, bytes);
    if (to.is_cpu()) return copy_to_host(destination, from, source, bytes);
    if (bytes == 0) return;
#if SINTER_HAS_CUDA
    const auto target = reinterpret_cast<CUdeviceptr>(destination);
    const auto origin = reinterpret_cast<CUdeviceptr>(source);
    const cuda_state& f = use_device(from.index());
    if (to == from) return check(driver().cuMemcpyDtoDAsync(target, origin, bytes, f.stream), "cuMemcpyDtoDAsync");
    // Two devices have two streams: the source must be ready before the copy, and not reused before its end.
    check(driver().cuStreamSynchronize(f.stream), "cuStreamSynchronize");
    const cuda_state& t = use_device(to.index());
    check(driver().cuMemcpyPeerAsync(target, t.context, origin, f.context, bytes, t.stream), "cuMemcpyPeerAsync");
    check(driver().cuStreamSynchronize(t.stream), "cuStreamSynchronize");
#else
    throw device_error("[cuda] built without CUDA headers");
#endif
}

SINTER_INLINE void fill_zero(device where, void* destination, std::size_t bytes) {
    if (bytes == 0) return;
    if (where.is_cpu()) return void(std::memset(destination, 0, bytes));
#if SINTER_HAS_CUDA
    const cuda_state& s = use_device(where.index());
    check(driver().cuMemsetD8Async(reinterpret_cast<CUdeviceptr>(destination), 0, bytes, s.stream), "cuMemsetD8Async");
#else
    throw device_error("[cuda] built without CUDA headers");
#endif
}

}  // namespace sinter::inline SINTER_ABI::runtime
