// Bodies of process_end.hpp.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <sinter/runtime/base/process/process_end.hpp>

namespace sinter::inline SINTER_ABI::runtime {

inline constexpr int most_closers = 4;
inline constinit std::atomic<void (*)()> closers[most_closers]{};

SINTER_INLINE void close_all() {
    for (const auto& close : closers)
        if (void (*const f)() = close.load()) f();
}

// Thread-locals of the thread that ends a process are destroyed before any handler runs; handlers of libraries run
// before those registered earlier. Threads that end by themselves leave others' work alone.
struct end_of_main_thread {
    ~end_of_main_thread() {
        if (syscall(SYS_gettid) == getpid()) close_all();
    }
    void note() const {}
};

SINTER_INLINE bool note_end_of_thread() {
    static thread_local const end_of_main_thread ending;
    ending.note();
    return true;
}

// By the thread that the program begins with, as background work may be begun by others alone.
inline const bool main_thread_is_noted = note_end_of_thread();

SINTER_INLINE void close_at_end(void (*close)()) {
    for (auto& place : closers) {
        void (*none)() = nullptr;
        if (place.compare_exchange_strong(none, close) || none == close) break;
    }
    static_cast<void>(main_thread_is_noted);
    static_cast<void>(std::atexit(close_all));
}

SINTER_INLINE void close_before_libraries() {
    if (closers[0].load()) static_cast<void>(std::atexit(close_all));
}

}  // namespace sinter::inline SINTER_ABI::runtime
