// Views of what is larger than the device's memory, and is read when it is used: the bytes that a view looks at are
// read alone where these fit; must not know files.
#pragma once

#include <sinter/codegen/base/span.hpp>
#include <sinter/runtime/lazy/evaluate.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// Gives views of absent buffers that are too large, which values are computed from, memory of their own.
void read_views(codegen::span<runtime::value* const> roots);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/parts/absent_views.ipp>
#endif
