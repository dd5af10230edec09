// The CUDA text of kernels of several rows per warp, of up to 1024 elements each, or several per thread; their lanes
// exchange elements and stage stores in shared memory. Must not know rows of thread blocks.
#pragma once

#include <sinter/codegen/print/cuda/rows/row_element_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Rows per warp. Neighbouring lanes move neighbouring elements, although the order of reductions has four neighbours
/// to a lane: what they reduce passes through shared memory, a group of four elements of each lane at a time.
class warp_rows_writer final : public row_element_writer {
public:
    using row_element_writer::row_element_writer;
    /// Functions and the entry point.
    void write_kernel();

private:
    void write_warp_element_stage(int stage);
    void write_warp_row_position();
    void write_warp_row_arrays();
    void write_warp_row_stage(int stage);
    void write_warp_row_results(int stage);
    void write_identities(const std::string& condition, const std::string& lane);
    void write_extremes(int stage);
    void write_transpose_buffer();
    void write_transposed_places(int stage);
    void write_striped_groups(int stage);
    void write_transposed_reduces(int stage, const std::string& place);
    void write_staging_buffers();
    void write_staged_stores(int stage);
};

kernel_source print_rows_per_warp(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/rows/warp_rows_writer.ipp>
#endif
