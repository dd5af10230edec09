// Cuts a graph into kernels and library calls: what is stored, what is computed where it is used, and in which order.
#pragma once

#include <sinter/codegen/schedule/plan.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Plans a verified graph. `consumable[s]`: input s is read by nothing else and may be overwritten by an update.
plan fuse(const graph& g, const sequence<bool>& consumable, const fusion_limits& limits = {});

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/fuse/fuse.ipp>
#endif
