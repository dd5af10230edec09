// Chooses the schedule of a fused kernel: from what it computes, classes of its sizes and the family of devices; must
// not know the text.
#pragma once

#include <sinter/codegen/schedule/kernel.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// The schedule of a kernel that has been collapsed and classified.
schedule choose(const kernel& k, const family_schedule& on = data_center_family);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/schedule/choose.ipp>
#endif
