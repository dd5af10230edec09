// Bodies of thread.hpp.
#pragma once

#include <csignal>
#include <sinter/runtime/base/thread.hpp>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE bool start_thread(pthread_t& thread, void* (*enter)(void*), void* self) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(&thread, nullptr, enter, self) == 0;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return started;
}

}  // namespace sinter::inline SINTER_ABI::runtime
