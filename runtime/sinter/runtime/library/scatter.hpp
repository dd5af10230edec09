// Runs scatters on a device from the text that codegen's scatter.hpp writes; must not know arrays.
#pragma once

#include <sinter/codegen/kernels/sort/scatter.hpp>
#include <sinter/runtime/library/order/sort.hpp>
#include <sinter/runtime/memory/index_errors.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// So many values, at least one, or rows of them, to positions of an array.
struct scatter_task {
    codegen::call_info how;
    dtype type;
    std::int64_t count;
    dims shape;                  ///< of the array
    std::int64_t width = 1;      ///< elements of a row, which the array is made of
    dtype given = dtype::int64;  ///< of the positions, or of indices
    std::int64_t places() const { return shape.product() / width; }
};

/// A scatter compiled for a device.
struct prepared_scatter {
    using host_entry = void(const void* values, const void* positions, void* to, long long count, long long size,
                            long long width, long long* error);
    using host_group = void(const void* values, const void* positions, void* partial, long long group, long long count,
                            long long size, long long length, long long* error);
    using host_join = void(const void* partial, void* to, long long size, long long groups);

    scatter_task task{};
    prepared_sort order;  ///< of the positions, or of the values by these
    cuda_kernel scatter;
    cuda_kernel combine_parts;  ///< where values are parted; `scatter` has those that stand in order
    cuda_kernel find_last;      ///< goes before a scatter whose places are marked
    cuda_kernel join_groups;    ///< behind a scatter by chunks
    host_function<host_entry> host;
    host_function<host_group> group;  ///< of chunks, in place of `host`
    host_function<host_join> join;
    codegen::chunk_shape chunks{};
    int chunks_at_once = 0;        ///< of a thread block
    std::size_t shared_bytes = 0;  ///< of combine_parts, or of a scatter by chunks
    std::int64_t workspace = 0;    ///< bytes of memory that it needs besides its operands
};

/// What the devices do differently.
struct scatter_backend {
    /// What is compiled for it.
    codegen::sequence<codegen::kernel_source> (*texts)(const scatter_task& task, device where);
    /// Throws what compiling throws.
    prepared_scatter (*prepare)(const scatter_task& task, device where);
    /// `to` holds the base. Throws index_error on the host; on a GPU it returns when the launches are enqueued, and
    /// says what has to hold of the positions in `checks`.
    void (*run)(const prepared_scatter& r, void* values, void* positions, void* to, char* workspace, device where,
                codegen::sequence<index_check>& checks);
};

/// The backend of a device.
const scatter_backend& scatter_backend_of(device where);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/scatter.ipp>
#endif
