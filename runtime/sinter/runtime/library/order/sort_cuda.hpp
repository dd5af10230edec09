// Sorts of rows on GPUs, and of values by their positions, which scatters begin with; must not know CPUs.
#pragma once

#include <cstdint>
#include <sinter/runtime/device/device.hpp>

namespace sinter::inline SINTER_ABI::runtime {

struct prepared_sort;
struct sort_backend;

const sort_backend& cuda_sorts();

/// Values sorted by their positions, both in a sort's workspace, where these are out of order; and what they were.
struct sorted_values {
    void *given_positions, *positions, *values;
    void* counts;        ///< of the first digit
    void* out_of_order;  ///< an unsigned that is 0 where nothing had to be sorted, and nothing was
};

/// Sorts values by int64 positions in an array of `size` elements on a GPU, or parts them; of a position out of range
/// it tells `error`. Without values their numbers are sorted.
sorted_values run_sort_of_values(const prepared_sort& order, device where, const void* positions, const void* values,
                                 std::int64_t size, void* error, void* scratch);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/order/sort_cuda.ipp>
#endif
