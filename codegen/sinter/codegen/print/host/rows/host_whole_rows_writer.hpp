// The C++ text of whole rows: stage after stage over rows that stay in the cache, one by one or side by side; must not
// know rows in parts.
#pragma once

#include <sinter/codegen/print/host/rows/host_vector_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Elements of short rows that a row kernel computes together.
inline constexpr int host_batch = 4096;

/// Whole rows.
class host_whole_rows_writer final : public host_vector_writer {
public:
    using host_vector_writer::host_vector_writer;
    /// Functions and the entry points.
    void write_kernel();

private:
    bool reduces_in(int stage) const;
    void write_persistent_arrays();
    void write_stride();
    void write_row_kernel();
    void write_element_stage(int stage);
    void write_row_elements(const tile_axes& t);
    void write_short_rows(const tile_axes& t);
    void write_row_values(const std::string& at);
    void write_kept_pointers(const tile_axes& t, const std::string& at);
    void write_element_stores(const tile_axes& t);
    void write_row_tiles(const tile_axes& t, bool is_rest);
    void write_row_results(int stage, bool at_once);
    void write_row_stage(int stage);
    void write_vectorised_rows();
    void write_vectorised_stage(int stage);
};

kernel_source print_host_whole_rows(const kernel& k);
kernel_source print_host_vector_rows(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/host/rows/host_whole_rows_writer.ipp>
#endif
