// Bodies of the copies, and where they are counted.
#pragma once

#include <cstring>
#include <sinter/codegen/base/error.hpp>
#include <sinter/runtime/memory/copy.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/device/cuda_module.hpp>
#include <sinter/runtime/device/gpu_timeline.hpp>
#include <sinter/runtime/memory/pinned.hpp>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE void copy_from_device([[maybe_unused]] void* destination, [[maybe_unused]] device from,
                                    [[maybe_unused]] const void* source, [[maybe_unused]] std::size_t bytes,
                                    [[maybe_unused]] bool waits) {
#if SINTER_HAS_CUDA
    auto* stream = static_cast<CUstream>(cuda_stream(from));
    const auto count = static_cast<std::int64_t>(bytes);
    timed_work event("copy", from);
    check(driver().cuMemcpyDtoHAsync(destination, reinterpret_cast<CUdeviceptr>(source), bytes, stream),
          "cuMemcpyDtoHAsync");
    if (waits) {
        event.enqueued();
        check(driver().cuStreamSynchronize(stream), "cuStreamSynchronize");
    }
    count_to_host(count);
    if (event) event.end("copy to host", count);
#else
    throw device_error("[cuda] built without CUDA headers");
#endif
}

SINTER_INLINE void copy_to_host(void* destination, device from, const void* source, std::size_t bytes) {
    if (bytes == 0) return;
    if (from.is_cpu()) return void(std::memcpy(destination, source, bytes));
    copy_from_device(destination, from, source, bytes, true);
}

SINTER_INLINE void copy_to_pinned(void* destination, device from, const void* source, std::size_t bytes) {
    if (bytes == 0 || from.is_cpu() || !note_pinned_use(destination, bytes, from))
        return copy_to_host(destination, from, source, bytes);
    copy_from_device(destination, from, source, bytes, false);
}

SINTER_INLINE void copy_to_device(device to, void* destination, const void* source, std::size_t bytes) {
    if (bytes == 0) return;
    if (to.is_cpu()) return void(std::memcpy(destination, source, bytes));
#if SINTER_HAS_CUDA
    auto* stream = static_cast<CUstream>(cuda_stream(to));
    const auto count = static_cast<std::int64_t>(bytes);
    timed_work event("copy", to);
    const bool pinned = note_pinned_use(source, bytes, to);
    check(driver().cuMemcpyHtoDAsync(reinterpret_cast<CUdeviceptr>(destination), source, bytes, stream),
          "cuMemcpyHtoDAsync");
    event.enqueued();
    // The driver may read the source later (always when it is pinned), but its owner may change it after this.
    if (!pinned) check(driver().cuStreamSynchronize(stream), "cuStreamSynchronize");
    count_to_device(count);
    if (event) event.end("copy to device", count);
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
    const auto count = static_cast<std::int64_t>(bytes);
    auto* there = static_cast<CUstream>(cuda_stream(from));
    if (to == from) {
        timed_work event("copy", to);
        check(driver().cuMemcpyDtoDAsync(target, origin, bytes, there), "cuMemcpyDtoDAsync");
        if (event) event.end("copy on device", count);
        return;
    }
    // Two devices have two streams: the source must be ready before the copy, and not reused before its end.
    check(driver().cuStreamSynchronize(there), "cuStreamSynchronize");
    CUcontext source_context = use_device(from.index()).context, context = use_device(to.index()).context;
    auto* here = static_cast<CUstream>(cuda_stream(to));
    timed_work event("copy", to);
    check(driver().cuMemcpyPeerAsync(target, context, origin, source_context, bytes, here), "cuMemcpyPeerAsync");
    event.enqueued();
    check(driver().cuStreamSynchronize(here), "cuStreamSynchronize");
    if (event) event.end("copy between devices", count);
#else
    throw device_error("[cuda] built without CUDA headers");
#endif
}

SINTER_INLINE void fill_zero(device where, void* destination, std::size_t bytes) {
    if (bytes == 0) return;
    if (where.is_cpu()) return void(std::memset(destination, 0, bytes));
#if SINTER_HAS_CUDA
    auto* stream = static_cast<CUstream>(cuda_stream(where));
    check(driver().cuMemsetD8Async(reinterpret_cast<CUdeviceptr>(destination), 0, bytes, stream), "cuMemsetD8Async");
#else
    throw device_error("[cuda] built without CUDA headers");
#endif
}

}  // namespace sinter::inline SINTER_ABI::runtime
