// In how many parts a kernel is computed, and the memory that these leave between them; must not know the text.
#pragma once

#include <sinter/codegen/schedule/kernel.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Parts that a reduction of this kernel, a scan or a selection on the host is computed in.
std::int64_t reduction_parts(const kernel& k);
std::int64_t scan_parts(const kernel& k);
std::int64_t select_parts(const kernel& k);

/// Tiles of a line of a scan, or of a selection, on a GPU.
std::int64_t scan_tiles(const kernel& k);

/// Bytes of partial results per reduction; zeros when one phase is enough. Indexed ones take two arrays: values,
/// indices. On a GPU those of scans are tile status, which has to be zero before the launch.
sequence<std::int64_t> partial_bytes(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/schedule/workspaces.ipp>
#endif
