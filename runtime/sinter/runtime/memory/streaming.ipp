// Bodies of streaming.hpp.
#pragma once

#include <algorithm>
#include <mutex>
#include <sinter/codegen/base/error.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/device/cuda_module.hpp>
#include <sinter/runtime/device/gpu_timeline.hpp>
#include <sinter/runtime/memory/streaming.hpp>

namespace sinter::inline SINTER_ABI::runtime {

#if SINTER_HAS_CUDA

/// The two pinned pieces of the process, for one transfer at a time; taken at the first one and kept.
struct pinned_pieces {
    std::mutex guard;
    char* data[2] = {};

    static pinned_pieces& instance() {
        static pinned_pieces& p = *new pinned_pieces;
        return p;
    }
};

/// One transfer: the pieces, and for each the event after which it may be used again.
class pinned_transfer {
public:
    explicit pinned_transfer(device where)
        : pieces_(pinned_pieces::instance()), lock_(pieces_.guard), stream_(static_cast<CUstream>(cuda_stream(where))) {
        use_device(where.index());
        for (char*& data : pieces_.data) {
            if (data) continue;
            void* block = nullptr;
            check(driver().cuMemHostAlloc(&block, streamed_piece, CU_MEMHOSTALLOC_PORTABLE), "cuMemHostAlloc");
            data = static_cast<char*>(block);
        }
        for (CUevent& e : done_) check(driver().cuEventCreate(&e, CU_EVENT_DISABLE_TIMING), "cuEventCreate");
    }
    ~pinned_transfer() {
        driver_->cuStreamSynchronize(stream_);
        for (CUevent e : done_)
            if (e) driver_->cuEventDestroy(e);
    }
    pinned_transfer(const pinned_transfer&) = delete;
    pinned_transfer& operator=(const pinned_transfer&) = delete;

    char* piece(int i) const { return pieces_.data[i]; }
    CUstream stream() const { return stream_; }
    void mark(int i) { check(driver_->cuEventRecord(done_[i], stream_), "cuEventRecord"); }
    void wait(int i) { check(driver_->cuEventSynchronize(done_[i]), "cuEventSynchronize"); }

private:
    pinned_pieces& pieces_;
    std::lock_guard<std::mutex> lock_;
    CUstream stream_;
    const cuda_driver* driver_ = &driver();
    CUevent done_[2] = {};
};

SINTER_INLINE void read_to_cuda(device to, void* destination, std::size_t bytes, byte_source& from) {
    pinned_transfer t(to);
    int piece = 0;
    for (std::size_t at = 0, n = 0; at < bytes; at += n, piece ^= 1) {
        n = std::min(bytes - at, streamed_piece);
        if (at >= 2 * streamed_piece) t.wait(piece);
        from.read(t.piece(piece), n);
        use_device(to.index());  // a source may have used another one
        timed_work event("copy", to);
        check(
            driver().cuMemcpyHtoDAsync(reinterpret_cast<CUdeviceptr>(destination) + at, t.piece(piece), n, t.stream()),
            "cuMemcpyHtoDAsync");
        t.mark(piece);
        count_to_device(static_cast<std::int64_t>(n));
        if (event) event.end("copy to device", static_cast<std::int64_t>(n));
    }
    check(driver().cuStreamSynchronize(t.stream()), "cuStreamSynchronize");
}

SINTER_INLINE void write_from_cuda(device from, const void* source, std::size_t bytes, byte_sink& to) {
    pinned_transfer t(from);
    auto size_at = [&](std::size_t at) { return std::min(bytes - at, streamed_piece); };
    auto start = [&](std::size_t at, int piece) {
        const auto count = static_cast<std::int64_t>(size_at(at));
        timed_work event("copy", from);
        check(driver().cuMemcpyDtoHAsync(t.piece(piece), reinterpret_cast<CUdeviceptr>(source) + at, size_at(at),
                                         t.stream()),
              "cuMemcpyDtoHAsync");
        t.mark(piece);
        count_to_host(count);
        if (event) event.end("copy to host", count);
    };
    int piece = 0;
    if (bytes > 0) start(0, piece);
    for (std::size_t at = 0; at < bytes; at += streamed_piece, piece ^= 1) {
        if (bytes - at > streamed_piece) start(at + streamed_piece, piece ^ 1);
        t.wait(piece);
        to.write(t.piece(piece), size_at(at));
    }
}

#endif

SINTER_INLINE void read_to_device(device to, void* destination, std::size_t bytes, byte_source& from) {
#if SINTER_HAS_CUDA
    if (to.is_cuda()) return read_to_cuda(to, destination, bytes, from);
#endif
    if (to.is_cuda()) throw device_error("[cuda] built without CUDA headers");
    for (std::size_t at = 0; at < bytes; at += streamed_piece)
        from.read(static_cast<char*>(destination) + at, std::min(bytes - at, streamed_piece));
}

SINTER_INLINE void write_from_device(device from, const void* source, std::size_t bytes, byte_sink& to) {
#if SINTER_HAS_CUDA
    if (from.is_cuda()) return write_from_cuda(from, source, bytes, to);
#endif
    if (from.is_cuda()) throw device_error("[cuda] built without CUDA headers");
    for (std::size_t at = 0; at < bytes; at += streamed_piece)
        to.write(static_cast<const char*>(source) + at, std::min(bytes - at, streamed_piece));
}

}  // namespace sinter::inline SINTER_ABI::runtime
