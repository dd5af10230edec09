// Runs sorts of rows on a device from the text that codegen/sort.hpp writes; must not know arrays.
#pragma once

#include <sinter/codegen/kernels/sort/sort.hpp>
#include <sinter/runtime/compile/kernel_cache.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// A sort compiled for a device.
struct prepared_sort {
    using count_entry = void(const void* from, long long begin, long long end, int raw, int first, int last,
                             long long* counts);
    using move_entry = void(const void* from, void* to, int raw, int last, long long begin, long long end, int pass,
                            long long* starts);
    using rows_entry = void(const void* from, void* to, long long begin, long long end, long long length,
                            int passes_or_parts, int buckets, void* scratch);
    using step_entry = void(const void* from, void* to, void* scratch, long long length, int parts, int buckets,
                            int step, long long first, long long last);

    codegen::sort_task task;
    cuda_kernel rows, count, sweep;
    cuda_kernel lower_halves;  ///< goes behind a sort by upper halves
    host_function<rows_entry> host_rows;
    host_function<count_entry> host_count;
    host_function<move_entry> host_move;
    host_function<step_entry> host_step;
};

/// What the devices do differently.
struct sort_backend {
    codegen::sort_task (*task)(const codegen::sort_task& task);
    codegen::kernel_source (*text)(const codegen::sort_task& task);
    /// Finds the functions of a text.
    void (*find)(prepared_sort& order, const written_text& text);
    std::int64_t (*workspace)(const codegen::sort_task& task);
    void (*run)(const prepared_sort& order, device where, const char* from, char* to, char* scratch);
};

/// A sort as a device does it.
codegen::sort_task sort_task_on(const codegen::sort_task& task, device where);
/// What is compiled for a sort; none of half precision.
codegen::sequence<codegen::kernel_source> texts_of_sort(const codegen::sort_task& task, device where);
/// Throws what compiling throws, and type_error for half precision.
prepared_sort prepare_sort(const codegen::sort_task& task, device where);

/// Bytes that a run needs besides its operands.
std::int64_t sort_workspace(const codegen::sort_task& task, device where);

/// Sorts rows of `from` into `to`, which do not overlap. On a GPU it returns when the launches are enqueued.
void run_sort(const prepared_sort& order, device where, const void* from, void* to, void* scratch);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/order/sort.ipp>
#endif
