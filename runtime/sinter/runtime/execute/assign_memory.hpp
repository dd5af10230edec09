// Which block of memory each slot of a plan lies in; must not know how blocks are allocated.
#pragma once

#include <sinter/codegen/base/sequence.hpp>

namespace sinter::inline SINTER_ABI::runtime {

struct prepared_plan;

/// Assigns blocks to a plan's slots; `consumable` are inputs whose memory may be reused, by number.
void assign_memory(prepared_plan& r, const codegen::sequence<bool>& consumable);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/execute/assign_memory.ipp>
#endif
