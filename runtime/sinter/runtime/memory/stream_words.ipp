// Bodies of stream_words.hpp.
#pragma once

#include <sinter/codegen/graph/reduce_tree.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/device/cuda_module.hpp>
#include <sinter/runtime/memory/memory_pool.hpp>
#include <sinter/runtime/device/stream_order.hpp>
#include <sinter/runtime/memory/stream_words.hpp>

namespace sinter::inline SINTER_ABI::runtime {

#if SINTER_HAS_CUDA

static_assert(cuda_state::counter_bytes == 4 * codegen::reduce_counters);
SINTER_INLINE void* cuda_counters(device where) {
    const cuda_state& s = use_device(where.index());
    if (!has_several_streams() || stream_number(where) == 0) return reinterpret_cast<void*>(s.counters);
    struct words_of_stream {
        CUdeviceptr words = 0;
    };
    CUdeviceptr& words = own_of_stream<words_of_stream>(where).words;
    if (!words) words = zeroed_counters(driver(), static_cast<CUstream>(native_stream(where)));
    return reinterpret_cast<void*>(words);
}

SINTER_INLINE void* tile_status_words(device where) {
    struct status_of_stream {
        CUdeviceptr words = 0;
        std::uint32_t launches = 0;
    };
    const cuda_driver& d = driver();
    use_device(where.index());
    auto& own = own_of_stream<status_of_stream>(where);
    auto* stream = static_cast<CUstream>(cuda_stream(where));
    CUdeviceptr words = own.words;
    // Before a number could come again; also what is fresh.
    constexpr std::uint32_t last_launch = 0x7fffffff;
    if (!words) {
        CUresult status = d.cuMemAllocAsync(&words, codegen::scan_status, stream);
        if (status == CUDA_ERROR_OUT_OF_MEMORY) {
            memory_pool_trim(where);
            status = d.cuMemAllocAsync(&words, codegen::scan_status, stream);
        }
        check(status, "cuMemAllocAsync");
        own = {words, last_launch};
    }
    if (own.launches == last_launch) {
        check(d.cuMemsetD8Async(words, 0, codegen::scan_status, stream), "cuMemsetD8Async");
        own.launches = 0;
    }
    ++own.launches;
    return reinterpret_cast<void*>(own.words);
}

#else

SINTER_INLINE void* cuda_counters(device) { throw device_error("[cuda] built without CUDA headers"); }
SINTER_INLINE void* tile_status_words(device) { throw device_error("[cuda] built without CUDA headers"); }

#endif

}  // namespace sinter::inline SINTER_ABI::runtime
