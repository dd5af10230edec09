// The C++ text of reductions of rows in parts; must not know rows whose elements stay.
#pragma once

#include <sinter/codegen/print/host/rows/host_fours_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Rows in parts.
class host_rows_writer final : public host_fours_writer {
public:
    using host_fours_writer::host_fours_writer;
    /// Functions and the entry points.
    void write_kernel();

private:
    void write_rows();
    void write_short_rows(const tile_axes& t);
    void write_epilogue_call(const std::string& end);
    void write_rows_results(bool at_once);
    void write_rows_finish();
};

kernel_source print_host_rows(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/host/rows/host_rows_writer.ipp>
#endif
