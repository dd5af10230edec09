// The rank of arrays that become other libraries' types, which fix it; must not know these.
#pragma once

#include <sinter/codegen/base/dims.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// Throws shape_error in the name of an operation when a shape does not have so many axes.
void require_rank(const char* operation, const dims& shape, int rank);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/tools/rank.ipp>
#endif
