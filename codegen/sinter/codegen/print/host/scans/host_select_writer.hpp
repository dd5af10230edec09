// The C++ text of selections: elements where a mask holds, one after the other; must not know scans.
#pragma once

#include <sinter/codegen/print/host/host_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Selections.
class host_select_writer final : public host_writer {
public:
    using host_writer::host_writer;
    /// Functions and the entry points.
    void write_kernel();

private:
    void write_select_part();
    void write_parts(bool ends);
};

kernel_source print_host_select(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/host/scans/host_select_writer.ipp>
#endif
