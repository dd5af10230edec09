// The CUDA text of reductions along columns by a grid: thread blocks take the chunks of their columns in turn; must not
// know rows or columns that stay.
#pragma once

#include <sinter/codegen/print/cuda/stage_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// A grid per column.
class grid_columns_writer final : public stage_writer {
public:
    using stage_writer::stage_writer;
    /// Functions and the entry point.
    void write_kernel();

private:
    bool has_several() const { return k_.how.packs > 1; }
    std::string each_column() const;
    void declare(const std::string& name);
    void declare_lanes();
    void keep_lanes();
    void write_own_column(const std::string& name);
    void open_column(const std::string& name);
    void close_column();
    void write_rows(int count, const std::string& check);
    void write_column_lane();
    void write_column_chunk();
    void write_chunks_reduce();
    void write_columns_end();
};

kernel_source print_grid_per_column(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/columns/grid_columns_writer.ipp>
#endif
