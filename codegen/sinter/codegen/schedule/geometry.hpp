// What a schedule comes to for the sizes of a kernel and a device, at run time: grids, phases, parts and the memory
// between them; must not know the text.
#pragma once

#include <sinter/codegen/schedule/kernel.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Threads of every thread block.
inline constexpr int cuda_threads = 256;

/// Parts that a reduction of this kernel, a scan or a selection on the host is computed in.
std::int64_t reduction_parts(const kernel& k);
std::int64_t scan_parts(const kernel& k);
std::int64_t select_parts(const kernel& k);

/// Tiles of a line of a scan, or of a selection, on a GPU.
std::int64_t scan_tiles(const kernel& k);

/// Bytes of partial results per reduction; zeros when one phase is enough. Indexed ones take two arrays: values,
/// indices. On a GPU those of scans are marks that have to be zero before the launch.
sequence<std::int64_t> partial_bytes(const kernel& k);

/// Whether a kernel leaves partial results in memory.
bool takes_partials(const kernel& k);

/// Whether thread blocks count how many of a row or column have finished; the last one joins the results of all.
bool counts_blocks(const kernel& k);

/// Whether a kernel has the parameter `counters`.
bool takes_counters(const kernel& k);

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

/// How often to call an entry point of a CPU: over `items` items, in parts of at least `grain`.
struct host_phase {
    bool finish = false;
    std::int64_t items = 0;
    std::int64_t grain = 1;
};

/// The phases of a kernel in order; and whether its source has a second entry point.
sequence<host_phase> host_phases(const kernel& k);
bool has_finish(const kernel& k);

/// How many tiles a map of a CPU has whose operands are transposed in the cache: the items of its loop.
std::int64_t transposed_tiles_of(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/schedule/geometry.ipp>
#include <sinter/codegen/schedule/host_geometry.ipp>
#endif
