// Runs selections of rows by order on a device; must not know arrays.
#pragma once

#include <sinter/codegen/kernels/sort/selection.hpp>
#include <sinter/runtime/compile/kernel_cache.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// A selection compiled for a device; for the first elements CPUs do with what is compiled already.
struct prepared_selection {
    codegen::selection_task task{};
    cuda_kernel topk, count, take;
    using ranks_entry = void(const void* from, void* to, long long begin, long long end, long long length,
                             const long long* ranks, int count, void* scratch);
    host_function<ranks_entry> host_ranks;
    std::int64_t room = 0;       ///< of the memory below, what one thread of a CPU needs
    std::int64_t workspace = 0;  ///< bytes of memory that it needs besides its operands
};

/// What is compiled for `topk`, which is nothing for CPUs, or for order statistics.
codegen::sequence<codegen::kernel_source> texts_of_selection(codegen::routine how, const codegen::selection_task& task,
                                                             device where);
/// Throw what compiling throws.
prepared_selection prepare_topk(const codegen::selection_task& task, device where);
prepared_selection prepare_order_statistics(const codegen::selection_task& task, device where);

/// Where the first elements of each row stand. On a GPU both return when the launches are enqueued.
void run_topk(const prepared_selection& r, device where, const void* from, void* to, char* workspace);
/// The elements of `ranks`, int64.
void run_order_statistics(const prepared_selection& r, device where, const void* from, const void* ranks, void* to,
                          char* workspace);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/order/selection.ipp>
#endif
