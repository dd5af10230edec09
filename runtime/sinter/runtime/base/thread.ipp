// Bodies of thread.hpp.
#pragma once

#include <csignal>
#include <utility>
#include <sinter/runtime/base/thread.hpp>

namespace sinter::inline SINTER_ABI::runtime {

inline constinit thread_local const std::atomic<bool>* current_stop = nullptr;

SINTER_INLINE stoppable_scope::stoppable_scope(const std::atomic<bool>& stops) { current_stop = &stops; }
SINTER_INLINE stoppable_scope::~stoppable_scope() { current_stop = nullptr; }
SINTER_INLINE const std::atomic<bool>* stop_of_thread() { return current_stop; }

SINTER_INLINE bool start_thread(pthread_t& thread, void* (*enter)(void*), void* self) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(&thread, nullptr, enter, self) == 0;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return started;
}

SINTER_INLINE bool background_thread::start(void* (*enter)(void*), void* self) {
    join();
    return is_started_ = start_thread(thread_, enter, self);
}

SINTER_INLINE void background_thread::join() {
    const uncancelled_scope whole;
    if (std::exchange(is_started_, false)) pthread_join(thread_, nullptr);
}

}  // namespace sinter::inline SINTER_ABI::runtime
