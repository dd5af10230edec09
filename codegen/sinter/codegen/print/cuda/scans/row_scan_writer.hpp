// The CUDA text of scans of rows: a tile of a row per thread block, or several rows that are no longer than one; must
// not know columns.
#pragma once

#include <sinter/codegen/print/cuda/scans/scan_chunk_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Scans of rows, whose tiles look back or wait for carry blocks.
class row_scan_writer final : public scan_chunk_writer {
public:
    using scan_chunk_writer::scan_chunk_writer;
    /// Functions and the entry point.
    void write_kernel();

private:
    void write_row_scan_functions();
    void write_scanned_position();
    void write_scan_buffers();
    std::string chunk_prefix(std::size_t r, bool whole) const;
    void write_chunk_total(std::size_t r);
    void write_carry_blocks();
    void write_copies();
    void write_chunk_copies(bool whole);
    void write_resident_chunk(bool whole);
    void write_scan_segments(bool whole);
    void write_scan_of_totals();
    void write_scan_results(bool whole);
    void write_renewal();
    void write_per_scan(const char* text);
};

kernel_source print_scan_rows(const kernel& k);
kernel_source print_scan_row_tiles(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/scans/row_scan_writer.ipp>
#endif
