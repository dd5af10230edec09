// The CUDA text of a thread's chunks of four elements of a scanned row, 128 elements apart for each warp; must not know
// what is done with them.
#pragma once

#include <sinter/codegen/base/callback.hpp>
#include <sinter/codegen/print/cuda/scans/scan_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// What scans of rows and selections share.
class scan_chunk_writer : public scan_writer {
public:
    using scan_writer::scan_writer;

protected:
    void whole_and_part(callback<void(bool whole)> write, int elements = scan_tile);
    void open_scan_chunks(bool whole);
    /// Whether the chunks of a tile that is not full are taken one by one: what they need is in shared memory.
    bool rolls_parts() const { return scan_.is_resident() && scan_.has_whole; }
    void write_scan_chunks(bool whole);
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/scans/scan_chunk_writer.ipp>
#endif
