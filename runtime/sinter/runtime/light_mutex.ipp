// Bodies of light_mutex.hpp.
#pragma once

#include <sinter/runtime/light_mutex.hpp>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE void light_mutex::wait() noexcept {
    while (state_.exchange(2, std::memory_order_acquire) != 0) state_.wait(2, std::memory_order_relaxed);
}

SINTER_INLINE void light_mutex::wake() noexcept { state_.notify_one(); }

SINTER_INLINE const void* mark_of_thread() {
    static thread_local char mark;
    return &mark;
}

SINTER_INLINE bool light_recursive_mutex::is_mine() const noexcept {
    return owner_.load(std::memory_order_relaxed) == mark_of_thread();
}

SINTER_INLINE void light_recursive_mutex::lock() noexcept {
    const void* self = mark_of_thread();
    if (owner_.load(std::memory_order_relaxed) == self) {
        ++depth_;
        return;
    }
    mutex_.lock();
    owner_.store(self, std::memory_order_relaxed);
}

SINTER_INLINE void light_recursive_mutex::unlock() noexcept {
    if (depth_ > 0) {
        --depth_;
        return;
    }
    owner_.store(nullptr, std::memory_order_relaxed);
    mutex_.unlock();
}

}  // namespace sinter::inline SINTER_ABI::runtime
