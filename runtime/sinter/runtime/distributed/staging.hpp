// Device memory in the order of a stream, filled from host memory and read back; must not know what it is for.
#pragma once

#include <cstdint>
#include <sinter/runtime/device/cuda_driver.hpp>

#if SINTER_HAS_CUDA

namespace sinter::inline SINTER_ABI::distributed {

class staging {
public:
    staging(CUstream stream, std::int64_t size) : stream_(stream) {
        if (size > 0)
            runtime::check(runtime::driver().cuMemAllocAsync(&address_, static_cast<std::size_t>(size), stream),
                           "cuMemAllocAsync");
    }
    staging(const staging&) = delete;
    staging& operator=(const staging&) = delete;
    ~staging() {
        if (address_) runtime::driver().cuMemFreeAsync(address_, stream_);
    }
    void* at(std::int64_t offset) const { return reinterpret_cast<void*>(address_ + static_cast<CUdeviceptr>(offset)); }
    void fill(std::int64_t offset, const void* from, std::int64_t size) const {
        if (size > 0)
            runtime::check(runtime::driver().cuMemcpyHtoDAsync(address_ + static_cast<CUdeviceptr>(offset), from,
                                                               static_cast<std::size_t>(size), stream_),
                           "cuMemcpyHtoDAsync");
    }
    /// Waits for what the stream has to do before: a copy into pageable memory blocks until it is there.
    void take(void* to, std::int64_t size) const {
        if (size == 0) return;
        runtime::check(runtime::driver().cuMemcpyDtoHAsync(to, address_, static_cast<std::size_t>(size), stream_),
                       "cuMemcpyDtoHAsync");
        runtime::check(runtime::driver().cuStreamSynchronize(stream_), "cuStreamSynchronize");
    }

    /// As many pieces of `size` bytes, the next one `apart` from where one begins; waits, too.
    void take_pieces(void* to, std::int64_t offset, std::int64_t size, std::int64_t apart, std::int64_t count) const {
        CUDA_MEMCPY2D pieces{};
        pieces.srcMemoryType = CU_MEMORYTYPE_DEVICE;
        pieces.srcDevice = address_ + static_cast<CUdeviceptr>(offset);
        pieces.srcPitch = static_cast<std::size_t>(apart);
        pieces.dstMemoryType = CU_MEMORYTYPE_HOST;
        pieces.dstHost = to;
        pieces.dstPitch = pieces.WidthInBytes = static_cast<std::size_t>(size);
        pieces.Height = static_cast<std::size_t>(count);
        runtime::check(runtime::driver().cuMemcpy2DAsync(&pieces, stream_), "cuMemcpy2DAsync");
        runtime::check(runtime::driver().cuStreamSynchronize(stream_), "cuStreamSynchronize");
    }

private:
    CUstream stream_;
    CUdeviceptr address_ = 0;
};

}  // namespace sinter::inline SINTER_ABI::distributed

#endif
