// Starts threads beside the program's own; must not know what they do.
#pragma once

#include <pthread.h>

#include <atomic>
#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// Starts a thread that gets none of the program's signals, whose handlers expect the program's own threads; false
/// where there can be no more threads.
bool start_thread(pthread_t& thread, void* (*enter)(void*), void* self);

/// A thread that somebody waits for to the end of its own destructors: those of libraries it has been in run then, and
/// these libraries must not be destroyed meanwhile. Its owner guards it.
class background_thread {
public:
    /// Waits for the one before, which has done its work; false where there can be no more threads.
    bool start(void* (*enter)(void*), void* self);
    void join();
    /// A forked child has none of its parent's threads.
    void forget() { is_started_ = false; }

private:
    pthread_t thread_{};
    bool is_started_ = false;
};

/// While it lives this thread is not cancelled.
class uncancelled_scope {
public:
    uncancelled_scope() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
    ~uncancelled_scope() { pthread_setcancelstate(before_, nullptr); }
    uncancelled_scope(const uncancelled_scope&) = delete;
    uncancelled_scope& operator=(const uncancelled_scope&) = delete;

private:
    int before_ = 0;
};

/// While it lives, what this thread has another compiler do ends with an error soon after the flag is set, and is not
/// counted.
class stoppable_scope {
public:
    explicit stoppable_scope(const std::atomic<bool>& stops);
    ~stoppable_scope();
    stoppable_scope(const stoppable_scope&) = delete;
    stoppable_scope& operator=(const stoppable_scope&) = delete;
};

/// The flag of the stoppable_scope that this thread is in, or null.
const std::atomic<bool>* stop_of_thread();

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/base/thread.ipp>
#endif
