// Mutexes that cost two atomic operations and a dozen instructions as long as nobody else wants them, and less for a
// thread that is the only one.
#pragma once

#include <sinter/codegen/base/config.hpp>

#include <atomic>

namespace sinter::inline SINTER_ABI::runtime {

/// std::mutex's meaning.
class light_mutex {
public:
    void lock() noexcept {
        int free = 0;
        if (!state_.compare_exchange_strong(free, 1, std::memory_order_acquire)) wait();
    }
    void unlock() noexcept {
        if (state_.exchange(0, std::memory_order_release) == 2) wake();
    }

private:
    void wait() noexcept;
    void wake() noexcept;
    std::atomic<int> state_{0};  ///< 0: free · 1: taken · 2: taken, and somebody may be waiting
};

/// std::recursive_mutex's meaning. No atomic operation as long as one thread only has ever taken it: the first other
/// one makes the kernel interrupt whatever runs (membarrier), so that either sees what the other has stored, and ends
/// that for good.
class light_recursive_mutex {
public:
    void lock() noexcept;
    void unlock() noexcept;
    /// Whether this thread has it.
    bool is_mine() const noexcept;
    /// Whether whoever has it, this thread, gives it away by its next unlock().
    bool is_last() const noexcept { return depth_ == 0; }

private:
    bool lock_alone(const void* self) noexcept;
    void lock_among_others(const void* self) noexcept;

    light_mutex mutex_;
    std::atomic<const void*> owner_{nullptr};  ///< an address that only the owning thread has
    /// The only thread so far; this: there are others. Changed by who has mutex_.
    std::atomic<const void*> only_{nullptr};
    std::atomic<bool> inside_{false};  ///< that one has it without mutex_, or is about to look whether it may
    bool alone_ = false;               ///< who has it has not got mutex_
    int depth_ = 0;                    ///< beyond the first
};

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/base/light_mutex.ipp>
#endif
