// Bodies of light_mutex.hpp.
#pragma once

#include <sinter/runtime/base/light_mutex.hpp>

#include <time.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE void light_mutex::wait() noexcept {
    while (state_.exchange(2, std::memory_order_acquire) != 0) state_.wait(2, std::memory_order_relaxed);
}

SINTER_INLINE void light_mutex::wake() noexcept { state_.notify_one(); }

SINTER_INLINE const void* mark_of_thread() {
    static thread_local char mark;
    return &mark;
}

// Sleeps so long, and is no place at which a thread may be cancelled.
SINTER_INLINE void pause_thread(long nanoseconds) noexcept {
    const timespec pause{0, nanoseconds};
#if defined(SYS_nanosleep)
    syscall(SYS_nanosleep, &pause, nullptr);
#else
    nanosleep(&pause, nullptr);
#endif
}

#if defined(SYS_membarrier)
// As <linux/membarrier.h> of later kernels has them.
inline constexpr int membarrier_global = 1, membarrier_private_expedited = 8,
                     membarrier_register_private_expedited = 16;

// Whether interrupt_threads() will work: asked once, because kernels and containers may refuse.
SINTER_INLINE bool may_interrupt_threads() noexcept {
    static const bool may = syscall(SYS_membarrier, membarrier_register_private_expedited, 0, 0) == 0;
    return may;
}

// Every running thread of the process passes a memory barrier.
SINTER_INLINE void interrupt_threads() noexcept {
    if (syscall(SYS_membarrier, membarrier_private_expedited, 0, 0) == 0) return;
    if (syscall(SYS_membarrier, membarrier_global, 0, 0) == 0) return;
    // What is allowed no more has to wait until every processor has written what it holds back.
    pause_thread(10'000'000);
}
#else
SINTER_INLINE bool may_interrupt_threads() noexcept { return false; }
SINTER_INLINE void interrupt_threads() noexcept {}
#endif

SINTER_INLINE bool light_recursive_mutex::is_mine() const noexcept {
    return owner_.load(std::memory_order_relaxed) == mark_of_thread();
}

SINTER_INLINE bool light_recursive_mutex::lock_alone(const void* self) noexcept {
    if (only_.load(std::memory_order_relaxed) != self) return false;
    // A thread may have the mark of one that has ended, and comes after it.
    static_cast<void>(inside_.load(std::memory_order_acquire));
    inside_.store(true, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);  // the rest of the barrier is interrupt_threads()
    if (only_.load(std::memory_order_relaxed) == self) return true;
    inside_.store(false, std::memory_order_release);
    return false;
}

SINTER_INLINE void light_recursive_mutex::lock_among_others(const void* self) noexcept {
    mutex_.lock();
    const void* const only = only_.load(std::memory_order_relaxed);
    if (!only) {
        only_.store(may_interrupt_threads() ? self : this, std::memory_order_relaxed);
    } else if (only != self && only != this) {
        only_.store(this, std::memory_order_relaxed);
        interrupt_threads();
    }
    // The last time that the only thread is inside may be a long one.
    while (inside_.load(std::memory_order_acquire)) pause_thread(20'000);
}

SINTER_INLINE void light_recursive_mutex::lock() noexcept {
    const void* self = mark_of_thread();
    if (owner_.load(std::memory_order_relaxed) == self) {
        ++depth_;
        return;
    }
    const bool alone = lock_alone(self);
    if (!alone) lock_among_others(self);
    alone_ = alone;
    owner_.store(self, std::memory_order_relaxed);
}

SINTER_INLINE void light_recursive_mutex::unlock() noexcept {
    if (depth_ > 0) {
        --depth_;
        return;
    }
    owner_.store(nullptr, std::memory_order_relaxed);
    const bool alone = alone_;  // the next one's as soon as this one is out
    // With the mutex, too: a thread may have the mark of this one when it has ended.
    inside_.store(false, std::memory_order_release);
    if (!alone) mutex_.unlock();
}

}  // namespace sinter::inline SINTER_ABI::runtime
