// Ranks that are threads of one process, for machines with one device and for tests.
#pragma once

#include <memory>
#include <sinter/runtime/distributed/communicator.hpp>
#include <vector>

namespace sinter::inline SINTER_ABI::distributed {

/// The communicators of so many threads, one for each; throws value_error for less than one.
std::vector<std::shared_ptr<communicator>> make_thread_communicators(int ranks);

}  // namespace sinter::inline SINTER_ABI::distributed

#if SINTER_HEADER_ONLY
#include <sinter/runtime/distributed/thread_communicator.ipp>
#endif
