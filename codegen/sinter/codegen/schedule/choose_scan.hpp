// Chooses how the threads of a GPU take the tiles of a scan or a selection; must not know the text.
#pragma once

#include <sinter/codegen/schedule/kernel.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Completes a schedule of a scan or a selection whose mapping and vector width are chosen; `columns`: of few or short
/// ones that a thread block takes, at most, or 0.
void choose_scan_details(schedule& s, const kernel& k, int columns, int resident_element_bytes);

/// Whether an instruction loads what may stay in shared memory while a tile of a scan waits: packs of rows, elements of
/// columns.
bool may_be_resident(const kernel& k, const schedule& s, const instruction& v);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/schedule/choose_scan.ipp>
#endif
