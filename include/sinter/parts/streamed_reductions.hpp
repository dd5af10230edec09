// Reductions of what is larger than the device's memory: computed part by part when they are needed, with the bits of
// all of it in one place; must not know files.
#pragma once

#include <sinter/codegen/base/span.hpp>
#include <sinter/runtime/lazy/evaluate.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// Computes and stores the reductions behind values whose operands read absent buffers that are too large, along the
/// operands' outermost axis, those that can be computed together in one pass. Others are left as they are.
void stream_reductions(codegen::span<runtime::value* const> roots);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/parts/streamed_reductions.ipp>
#endif
