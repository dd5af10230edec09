// What kernels of reductions, scans and selections leave between their launches: how many parts there are, and their
// bytes.
#pragma once

#include <sinter/codegen/print/emit.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Parts that a reduction of this kernel, a scan or a selection on the host is computed in.
std::int64_t reduction_parts(const kernel& k);
std::int64_t scan_parts(const kernel& k);
std::int64_t select_parts(const kernel& k);

/// Tiles of a line of a scan, or of a selection, on a GPU.
std::int64_t scan_tiles(const kernel& k);

/// Bytes of partial results per reduction; zeros when one phase is enough. Indexed ones take two arrays: values,
/// indices. On a GPU those of scans are marks that have to be zero before the launch.
sequence<std::int64_t> partial_bytes(const kernel& k, language to = language::host);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/partial_results.ipp>
#endif
