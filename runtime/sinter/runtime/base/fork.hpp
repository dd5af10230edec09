// What a fork waits for, so that the child finds nothing half done: in the order in which threads lock it.
#pragma once

#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// A thread that has locked one of them may lock those after it.
enum class fork_order { work, libraries, refining, kernels, memory };
inline constexpr int fork_orders = 5;

/// As pthread_atfork takes them.
struct fork_handlers {
    void (*prepare)();
    void (*parent)();
    void (*child)();
};

/// Has them called at each fork from now on, one set for each place in the order; true, for what is done once.
bool handle_forks(fork_order place, const fork_handlers& h);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/base/fork.ipp>
#endif
