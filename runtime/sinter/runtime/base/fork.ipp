// Bodies of fork.hpp.
#pragma once

#include <pthread.h>

#include <atomic>
#include <sinter/runtime/base/fork.hpp>

namespace sinter::inline SINTER_ABI::runtime {

inline constinit std::atomic<const fork_handlers*> handlers_of_forks[fork_orders]{};
// Those that this fork has begun with: others may come while it waits. Only the thread that forks looks at them.
inline constinit thread_local const fork_handlers* handlers_of_this_fork[fork_orders]{};

SINTER_INLINE void prepare_fork() {
    for (int i = 0; i < fork_orders; ++i)
        if ((handlers_of_this_fork[i] = handlers_of_forks[i].load(std::memory_order_acquire)))
            handlers_of_this_fork[i]->prepare();
}

SINTER_INLINE bool handle_forks(fork_order place, const fork_handlers& h) {
    static const int registered = pthread_atfork(
        prepare_fork,
        [] {
            for (int i = fork_orders; i-- > 0;)
                if (handlers_of_this_fork[i]) handlers_of_this_fork[i]->parent();
        },
        [] {
            for (int i = fork_orders; i-- > 0;)
                if (handlers_of_this_fork[i]) handlers_of_this_fork[i]->child();
        });
    static_cast<void>(registered);
    handlers_of_forks[static_cast<int>(place)].store(new fork_handlers(h), std::memory_order_release);
    return true;
}

}  // namespace sinter::inline SINTER_ABI::runtime
