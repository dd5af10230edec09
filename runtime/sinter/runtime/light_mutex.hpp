// Mutexes that cost two atomic operations and a dozen instructions as long as nobody else wants them.
#pragma once

#include <sinter/codegen/config.hpp>

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

/// std::recursive_mutex's meaning.
class light_recursive_mutex {
public:
    void lock() noexcept;
    void unlock() noexcept;
    /// Whether this thread has it.
    bool is_mine() const noexcept;
    /// Whether whoever has it, this thread, gives it away by its next unlock().
    bool is_last() const noexcept { return depth_ == 0; }

private:
    light_mutex mutex_;
    std::atomic<const void*> owner_{nullptr};  ///< an address that only the owning thread has
    int depth_ = 0;                            ///< beyond the first
};

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/light_mutex.ipp>
#endif
