// The CUDA text of reductions of rows by a grid: thread blocks of a row take its blocks of 4096 elements in turn, and
// the last of them combines what they have left; must not know rows whose elements stay.
#pragma once

#include <sinter/codegen/print/cuda/rows/row_block_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// A grid per row.
class grid_rows_writer final : public row_block_writer {
public:
    using row_block_writer::row_block_writer;
    /// Functions and the entry point.
    void write_kernel();

private:
    void write_row_block();
    void write_blocks_in_turn();
    void write_lane_ends();
    void write_lanes_at_once();
    void write_blocks_at_once(const std::string& size);
    void write_block_result(std::size_t r);
    void write_fetch();
    void write_rows_end();
};

kernel_source print_grid_per_row(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/rows/grid_rows_writer.ipp>
#endif
