// The CUDA text of selections: elements where a mask holds, one after the other; must not know scans of values.
#pragma once

#include <sinter/codegen/print/cuda/scans/scan_chunk_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Selections.
class selection_writer final : public scan_chunk_writer {
public:
    using scan_chunk_writer::scan_chunk_writer;
    /// Functions and the entry point.
    void write_kernel();

private:
    void write_select_masks(bool whole);
    void write_select_positions();
    void write_select_before();
    void write_select_store(std::size_t s);
};

kernel_source print_select(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/scans/selection_writer.ipp>
#endif
