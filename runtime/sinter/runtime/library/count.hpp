// Runs counts on a device from the text that codegen's count.hpp writes; must not know arrays.
#pragma once

#include <sinter/codegen/kernels/sort/count.hpp>
#include <sinter/runtime/compile/kernel_cache.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// So many elements, at least one, whose counts are `size` words.
struct count_task {
    codegen::call_info call;
    dtype type;
    std::int64_t count, size;

    std::int64_t bins() const { return size - codegen::words_behind_counts(call); }
};

/// A count compiled for a device.
struct prepared_count {
    using host_entry = void(const void* values, const double* edges, long long* to, long long bins, long long begin,
                            long long end);

    count_task task{};
    cuda_kernel in_shared, in_memory;
    host_function<host_entry> host;
    std::int64_t workspace = 0;  ///< bytes of memory that it needs besides its operands
};

/// What is compiled for a count.
codegen::kernel_source text_of_count(const count_task& task, device where);
/// Throws what compiling throws.
prepared_count prepare_count(const count_task& task, device where);

/// Adds to the counts at `to`. On a GPU it returns when the launch is enqueued.
void run_count(const prepared_count& r, const void* values, const void* edges, void* to, char* workspace, device where);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/count.ipp>
#endif
