// The C++ text of scans in the orders of reduce_tree.hpp; must not know selections.
#pragma once

#include <sinter/codegen/print/host/rows/host_vector_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Scans.
class host_scan_writer final : public host_vector_writer {
public:
    using host_vector_writer::host_vector_writer;
    /// Functions and the entry points.
    void write_kernel();

private:
    void write_scan_results(const tile_axes& t);
    void write_scan_part();
    void write_scan_rows();
    void write_scan_columns();
    void write_scan_of_row();
    void write_ends_of_chunks();
    std::string scanned(std::size_t r) const;
    void write_scan_lanes();
    void write_vectorised_scans();
};

kernel_source print_host_scans(const kernel& k);
kernel_source print_host_vector_scans(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/host/scans/host_scan_writer.ipp>
#endif
