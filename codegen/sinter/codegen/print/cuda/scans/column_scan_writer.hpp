// The CUDA text of scans in the order of columns; must not know rows.
#pragma once

#include <sinter/codegen/base/callback.hpp>
#include <sinter/codegen/print/cuda/scans/scan_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Scans of columns, side by side.
class column_scan_writer final : public scan_writer {
public:
    using scan_writer::scan_writer;
    /// Functions and the entry point.
    void write_kernel();

private:
    void write_by_size(const std::string& name, callback<void()> write);
    void write_column_tile_ids();
    /// Whether what goes over a chunk is written for one of its elements: no registers hold the others.
    bool takes_elements() const { return scan_.is_resident() && !scan_.one_tile && values_.unrolls; }
    std::string if_there() const { return takes_elements() ? "" : "if (c < size) "; }
    void open_elements();
    void close_elements();
    void write_column_scan();
    void write_column_sum();
    void write_column_copies();
    void write_column_element();
    std::string column_status(std::size_t r, const std::string& place) const;
    void write_scan_columns_before();
    void write_column_carry_blocks();
};

kernel_source print_scan_columns(const kernel& k);
kernel_source print_scan_column_tiles(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/scans/column_scan_writer.ipp>
#endif
