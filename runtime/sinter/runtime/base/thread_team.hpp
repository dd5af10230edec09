// One constant team of threads that runs loops of host kernels; must not know what a loop computes.
#pragma once

#include <cstdint>
#include <sinter/codegen/base/config.hpp>
#include <string>

namespace sinter::inline SINTER_ABI::runtime {

/// A part [begin, end) of a loop; it must not throw.
using loop_body = void (*)(void* context, std::int64_t begin, std::int64_t end);

/// Threads that parallel_for uses, the caller included: the CPUs of the affinity mask, at most the cgroup's CPU quota.
int thread_count();

/// Runs body over [0, items) in contiguous chunks of a multiple of `grain` (the last may be shorter); returns when all
/// are done. Runs inline when items <= grain, inside another parallel_for, and in a forked child.
void parallel_for(std::int64_t items, std::int64_t grain, loop_body body, void* context);

/// The CPU quota in CPUs, rounded up, or 0 for none, from /proc/self/cgroup's text and the mounted hierarchy at `root`.
int cgroup_cpu_quota(const std::string& memberships, const std::string& root);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/base/thread_team.ipp>
#endif
