// What the entry points of kernels take, and when they may start; must not know what kernels compute.
#pragma once

#include <sinter/codegen/print/emit.hpp>

namespace sinter::inline SINTER_ABI::codegen {

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
        divisor,   ///< divisor_of() the size of an axis
        error      ///< pointer to two long long per indexed axis: whether an index was out of range, and which
    };

    kind_type kind;
    std::uint32_t index;
    std::uint32_t bytes;
};

/// Axes by whose sizes a kernel's threads divide the numbers of rows and of their elements; none of a wide one's.
sequence<int> divided_axes(const kernel& k);

/// What makes a division by a size a product: n / size is n * multiplier >> shift for n < 2^31 (Granlund and
/// Montgomery 1994).
struct index_divisor {
    std::uint32_t multiplier, shift;
};
index_divisor divisor_of(std::int64_t size);

/// The parameters in order.
sequence<cuda_parameter> cuda_parameters(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/cuda_parameters.ipp>
#endif
