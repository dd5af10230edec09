// The CUDA text of rows of several blocks of 4096 elements, 16 per thread of each: how thread blocks leave what one
// comes to, and warps combine it; must not know where elements stay.
#pragma once

#include <sinter/codegen/base/callback.hpp>
#include <sinter/codegen/print/cuda/cuda_words.hpp>
#include <sinter/codegen/print/cuda/rows/row_element_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// What kernels share of thread blocks that have rows to themselves or together.
class row_tile_writer : public row_element_writer {
public:
    using row_element_writer::row_element_writer;

protected:
    void write_row_tile();
    void leave_tile(int stage, callback<std::string(int)> buffer);
    void write_tile_warp_reduces(int stage, int tiles, const std::string& tile,
                                 callback<void(std::size_t r, int n)> combine);
    void write_tile_buffer_reduce(std::size_t r, const std::string& buffer);
    void write_first_of_warp(callback<void()> then);
    void write_row_stage(int stage);

    const team_text& team_ = facts_.shares_rows ? team_of_row : alone_in_row;
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/rows/row_tile_writer.ipp>
#endif
