// Memory of every device through size-binned caches, and the reference-counted buffers that hold it; must not know
// arrays.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <sinter/codegen/base/error.hpp>
#include <sinter/runtime/device/device.hpp>
#include <sinter/runtime/device/stream_order.hpp>
#include <string>
#include <utility>

namespace sinter::inline SINTER_ABI::runtime {

/// At least `bytes` bytes, 64-byte aligned (256 on CUDA devices), in stream order; null for 0; throws out_of_memory.
void* pool_allocate(device where, std::size_t bytes);

/// Gives back what pool_allocate returned for the same device and size; work already enqueued may still use it.
void pool_release(device where, void* data, std::size_t bytes) noexcept;

/// Returns all cached memory of a device to the system.
void memory_pool_trim(device where);

/// Bytes in buffers, bytes taken from the system (used and cached), bytes that may be taken at most, and the largest
/// `used`.
struct pool_statistics_result {
    std::int64_t used = 0;
    std::int64_t held = 0;
    std::int64_t limit = 0;
    std::int64_t peak = 0;
};
pool_statistics_result pool_statistics(device where);
/// Takes no more than so many bytes from the system from now on; the device's memory is the most.
void set_pool_limit(device where, std::int64_t bytes);
/// The largest `used` is looked for anew.
void reset_pool_peak(device where);

/// Memory of a CUDA device, or of the host within its cgroup's limit.
std::int64_t pool_capacity(device where);

/// The sizes of cached blocks: four bins to a power of two; a request takes the smallest that holds it.
inline constexpr int pool_bins = 73;
std::size_t pool_block_size(std::size_t bytes);
int pool_bin(std::size_t block);

/// The memory limit of a cgroup from /proc/self/cgroup's text and the mounted hierarchy at `root`; huge when there is
/// none.
std::int64_t cgroup_memory_limit(const std::string& memberships, const std::string& root);

struct index_checks;
class buffer_origin;

/// A block of memory, shared by counting references.
struct buffer {
    device where;
    void* data = nullptr;
    std::size_t bytes = 0;
    bool imported = false;                            ///< belongs to someone else: never reused in place
    bool exported = false;                            ///< its address is known outside: never reused in place
    void (*release_owner)(void*) noexcept = nullptr;  ///< called with `owner` instead of the pool, once
    void* owner = nullptr;
    std::shared_ptr<const buffer_origin> origin;    ///< of contents that have no memory yet
    memory_uses uses;                               ///< by streams, while there are several
    std::shared_ptr<const index_checks> unchecked;  ///< what has to hold for the contents to mean anything
    std::atomic<std::int64_t> references{0};
    std::uint64_t seen_by = 0;  ///< the program that has given it its number
    std::uint32_t number = 0;
    std::int32_t unnamed = 0;  ///< stored values in it that only pending statements hold
    bool kept_alive = false;   ///< by these alone
    buffer* next = nullptr;    ///< while it is idle
};

/// Frees a buffer whose last reference went away.
void destroy_buffer(buffer* b) noexcept;

/// A counted reference to a buffer; copying shares.
class buffer_ref {
public:
    buffer_ref() = default;
    explicit buffer_ref(buffer* b) noexcept : buffer_(b) { acquire(); }
    buffer_ref(const buffer_ref& other) noexcept : buffer_(other.buffer_) { acquire(); }
    buffer_ref(buffer_ref&& other) noexcept : buffer_(std::exchange(other.buffer_, nullptr)) {}
    buffer_ref& operator=(buffer_ref other) noexcept {
        std::swap(buffer_, other.buffer_);
        return *this;
    }
    ~buffer_ref() {
        // Who holds the only reference needs no atomic subtraction: nobody else can be copying it.
        if (buffer_ && (unique() || buffer_->references.fetch_sub(1, std::memory_order_acq_rel) == 1))
            destroy_buffer(buffer_);
    }

    buffer* get() const noexcept { return buffer_; }
    buffer* operator->() const noexcept { return buffer_; }
    buffer& operator*() const noexcept { return *buffer_; }
    explicit operator bool() const noexcept { return buffer_ != nullptr; }
    /// Whether this is the only reference.
    bool unique() const noexcept { return buffer_ && buffer_->references.load(std::memory_order_acquire) == 1; }
    void reset() noexcept { *this = buffer_ref(); }
    friend bool operator==(const buffer_ref&, const buffer_ref&) = default;

private:
    void acquire() const noexcept {
        if (buffer_) buffer_->references.fetch_add(1, std::memory_order_relaxed);
    }
    buffer* buffer_ = nullptr;
};

/// A new buffer from the pool; 0 bytes is legal and has null data; throws out_of_memory.
buffer_ref allocate_buffer(device where, std::size_t bytes);

/// A buffer over memory that is not the pool's but may be written; `release_owner(owner)` as below.
buffer_ref adopt_buffer(device where, void* data, std::size_t bytes, void (*release_owner)(void*) noexcept,
                        void* owner);

/// A buffer over memory of someone else; `release_owner(owner)` is called when the last reference goes away.
buffer_ref import_buffer(device where, void* data, std::size_t bytes, void (*release_owner)(void*) noexcept = nullptr,
                         void* owner = nullptr);

/// Whether this process has imported any.
std::atomic<bool>& imports_exist();

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/memory/memory_pool.ipp>
#endif
