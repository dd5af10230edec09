// The C++ text of reductions of columns, side by side and in parts; must not know rows.
#pragma once

#include <sinter/codegen/print/host/rows/host_block_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Columns in parts.
class host_columns_writer final : public host_block_writer {
public:
    using host_block_writer::host_block_writer;
    /// Functions and the entry points.
    void write_kernel();

private:
    bool takes_lines(const tile_axes& t);
    void open_lines(const tile_axes& t);
    void open_columns();
    void write_pointers_of_tile(const tile_axes& t);
    void write_row_at_once(const tile_axes& t);
    void write_rows_ahead(int rows);
    void write_pointers_to_rows(const tile_axes& t, int turns);
    void write_rows_at_once(const tile_axes& t);
    void write_ones();
    void write_columns();
    void write_columns_results();
    void write_columns_finish();

    bool in_lines_ = false;  ///< a tile's columns that lie in one line of memory are taken at a time
};

kernel_source print_host_columns(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/host/rows/host_columns_writer.ipp>
#endif
