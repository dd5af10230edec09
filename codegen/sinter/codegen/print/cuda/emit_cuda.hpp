// Prints a kernel as header-free CUDA C++ and says how to launch it; must not know devices or drivers.
#pragma once

#include <sinter/codegen/print/emit.hpp>
#include <sinter/codegen/schedule/schedules.hpp>
#include <sinter/codegen/schedule/stages.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Threads of every thread block.
inline constexpr int cuda_threads = 256;

/// Source with the entry point `name`.
kernel_source emit_cuda(const kernel& k);

/// Whether a kernel leaves partial results in memory.
bool takes_partials(const kernel& k);

/// Whether the threads of a block of 4096 elements meet once for all of its reductions, which a warp each then joins.
bool joins_at_once(const kernel& k);

/// Whether thread blocks count how many of a row or column have finished; the last one joins the results of all.
bool counts_blocks(const kernel& k);

/// Whether a kernel has the parameter `counters`.
bool takes_counters(const kernel& k);

/// Whether thread blocks share the rows of a row kernel, which are longer than what the threads of one keep in
/// registers, or each holds one in shared memory.
bool shares_rows(const kernel& k);

/// Blocks of 4096 elements of a row that a thread block holds, and how.
struct row_share {
    held_row held;
    int blocks;
    bool whole;  ///< all of a row is held
};
row_share share_of_row(const kernel& k);

/// Whether a held instruction loads elements of a shared row that lie side by side in memory, but begin anywhere: they
/// are copied with what lies before them up to a multiple of 16 bytes, as they lie there.
bool is_shifted(const kernel& k, std::uint32_t instruction);

/// Elements for which shared memory has room where a block of 4096 is held.
std::int64_t held_block(const kernel& k);

/// Most bytes of shared memory that a thread block's share of a row takes.
std::int64_t most_held_bytes(const kernel& k);

/// Major compute capability from which on a kernel may be started before the one before it has ended. Every thread
/// first lets the next kernel start, then waits until the one before has ended and its writes are seen. Why this keeps
/// the order of a stream or graph:
/// - A kernel ends only after each of its threads has waited, so the end of one means the end of all before it: what
///   waits for the last kernel (the next one, a copy, a fill, a free, the host) waits for all of them.
/// - So what a kernel reads is whole, and what it overwrites has been read: arrays changed in place, memory that
///   returned to the pool, partial results and counters of blocks.
/// - Blocks of the next kernel are placed once all of this one's have begun, so blocks that wait for others of their
///   kernel (scans) are never kept out.
/// - Kernels that do not wait (sorts, updates at positions, those of libraries) are launched as ever, after the end of
///   the one before, and early ones behind them wait for their end.
/// - Memory is read as what others may write (no `__ldg`, no `__restrict__`): it does change while a kernel is there.
inline constexpr int early_start_capability = 9;

/// One parameter of the entry points.
struct cuda_parameter {
    enum kind_type : std::uint8_t {
        operand,   ///< pointer to where an operand begins
        partial,   ///< pointer to partial results, numbered as partial_bytes() lists them
        counters,  ///< pointer to reduce_counters zeroed 32-bit words of the device, zero again after the kernel
        scalar,    ///< a scalar, by value, or a pointer to it
        inverse,   ///< exact_inverse() of a scalar of float32, likewise
        integer,   ///< one of integers()
        error      ///< pointer to two long long per indexed axis: whether an index was out of range, and which
    };

    kind_type kind;
    std::uint32_t index;
    std::uint32_t bytes;
};

/// The parameters in order.
sequence<cuda_parameter> cuda_parameters(const kernel& k);

/// Most scalars that the kernels of a recorded step find in memory, 16 bytes each.
inline constexpr std::size_t most_step_scalars = 32;

/// A kernel `write_scalars` of one thread block of 2 * most_step_scalars threads, which writes them: its parameters are
/// where to and, by value, as many numbers of 64 bits as it has threads. Kernels with scalars_in_memory follow it.
kernel_source scalar_writer_cuda();

/// A kernel `scale` of blocks of 256 threads, scaled_by_block elements each: its parameters are an array, a number of
/// the same type that the elements are multiplied by, and a long long of how many there are.
inline constexpr std::int64_t scaled_by_block = 1024;
kernel_source scaling_cuda(dtype type);

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

/// The launch of a scan.
cuda_launch scan_launch(const kernel& k);

/// The launches that compute a kernel, in order; none when it has no results.
sequence<cuda_launch> cuda_launches(const kernel& k, const cuda_machine& machine);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/emit_cuda.ipp>
#endif
