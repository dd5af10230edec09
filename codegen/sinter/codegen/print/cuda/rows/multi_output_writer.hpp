// The CUDA text of multi-output reductions, of many values at once: each warp reduces some of them; must not know
// kernels of few reductions.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/cuda/rows/row_block_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// A grid per row, reductions shared out among warps.
class multi_output_writer final : public row_block_writer {
public:
    using row_block_writer::row_block_writer;
    /// Functions and the entry point.
    void write_kernel();

private:
    std::string number_of_kind(std::size_t r) const;
    std::string count_of_kind(std::size_t kind) const;
    std::string buffer_of(std::size_t r) const {
        return joined({"buffers", combined_as(r), "[", number_of_kind(r), "]"});
    }
    void write_per_warp(const std::string& combine, const std::string& then);
    void write_multi_output_buffers();
    void write_multi_output_end();
};

kernel_source print_multi_output(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/rows/multi_output_writer.ipp>
#endif
