// Counting as text: kernels that count numbers, or elements in bins; pure, must not know who runs them.
#pragma once

#include <sinter/codegen/print/emit.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// How many words stand behind the counts: by how much the least number is negative, and the largest, if asked for.
constexpr int words_behind_counts(const call_info& c) {
    return c.what == routine::bincount && c.has(call_info::ends) ? 2 : 0;
}

/// Host text: `count`, of a part of the elements. CUDA text: `count_in_shared`, where the counts of a thread block are
/// in its shared memory, behind the edges if there are some, and `count_in_memory`.
kernel_source count_host(const call_info& c, dtype t);
kernel_source count_cuda(const call_info& c, dtype t);

/// Bytes of shared memory in which `count_in_shared` counts.
std::int64_t shared_bytes_of_counts(routine how, std::int64_t bins);

/// The meaning: adds to the counts at `to`, of `size` words. `edges`: of a histogram, one more than there are bins.
void count_reference(const call_info& c, dtype t, const void* from, std::int64_t count, const double* edges,
                     std::int64_t size, std::int64_t* to);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/sort/count.ipp>
#endif
