// The CUDA text of persistent reductions in registers: a thread block per row, whose elements stay where they fit; must
// not know rows in shared memory.
#pragma once

#include <sinter/codegen/print/cuda/rows/row_tile_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// A thread block per row. A thread works on groups of four neighbours. Rows of up to 1024 elements: up to a warp for
/// each, of up to 4096, also where they are only reduced, and of up to 16384: 256 threads. What later stages need stays
/// in registers.
class block_rows_writer final : public row_tile_writer {
public:
    using row_tile_writer::row_tile_writer;
    /// Functions and the entry point.
    void write_kernel();

private:
    void write_row_position();
    void write_row_arrays();
    void write_block_stage(int stage);
    void write_one_block_results(int stage);
    void write_tile_buffers();
    std::string buffer_of_row_tile(int n) const;
    void open_tiles_of_row();
    void write_tiles_stage(int stage);
    void write_tiles_results(int stage);
};

kernel_source print_block_per_row(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/rows/block_rows_writer.ipp>
#endif
