// What a schedule comes to for the sizes of a kernel and a device, at run time: grids, phases, parts and the memory
// between them; must not know the text.
#pragma once

#include <sinter/codegen/schedule/workspaces.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Threads of every thread block.
inline constexpr int cuda_threads = 256;

struct cuda_launch {
    unsigned grid[3];
    unsigned block[3];
    bool starts_early = true;   ///< from early_start_capability on
    bool cooperative = false;   ///< thread blocks wait for each other: all are at work at once
    unsigned cluster = 1;       ///< so many along y wait for each other only: they are a cluster
    unsigned shared_bytes = 0;  ///< of dynamic shared memory
};

/// What launches depend on: multiprocessors, the bytes of shared memory that the thread blocks on each of them share,
/// and how many thread blocks of the kernel may be a cluster.
struct cuda_machine {
    int multiprocessors = 132;
    int shared_bytes = 228 << 10;
    int most_cluster = 1;
};

/// Most thread blocks of a cluster that every device with clusters has.
inline constexpr int portable_cluster = 8;

/// The launches that compute a kernel, in order; none when it has no results.
sequence<cuda_launch> cuda_launches(const kernel& k, const cuda_machine& machine);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/schedule/geometry.ipp>
#endif
