// Scattering as text: kernels that write values to positions of an array, duplicates in order; pure, must not know who
// runs them.
#pragma once

#include <sinter/codegen/emit.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// A position in the flat base that stands for an index out of range instead: negative, with axis and index in it.
struct bad_index {
    static constexpr std::int64_t first = INT64_MIN, mask = (std::int64_t{1} << 59) - 1;

    int axis;
    std::int64_t index;
    explicit bad_index(std::int64_t position);
    /// index & mask, times 8, plus this is the position.
    static constexpr std::int64_t base(int axis) { return first + axis; }
};

/// How duplicates are met on a GPU: integers by atomic operations, in any order; others by sorting the positions first,
/// so that values are combined in the order in which they stand.
bool scatters_atomically(routine how, dtype t);

/// Host text: `scatter`, which goes through the values in order. CUDA text: `scatter` over values, or over sorted
/// positions.
kernel_source scatter_host(routine how, dtype t);
kernel_source scatter_cuda(routine how, dtype t);

/// The meaning: `to` holds the base; throws index_error for the first bad position.
void scatter_reference(routine how, dtype t, const dims& shape, const void* values, const std::int64_t* positions,
                       std::int64_t count, void* to);

/// Throws the index_error of a bad position of an array of this shape.
[[noreturn]] void throw_bad_index(routine how, std::int64_t position, const dims& shape);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/scatter.ipp>
#endif
