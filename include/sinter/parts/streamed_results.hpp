// Results of what is larger than the device's memory, computed part by part into memory of their own: those of each
// element alone, and scans; must not know files.
#pragma once

#include <sinter/codegen/base/span.hpp>
#include <sinter/runtime/lazy/evaluate.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// Computes and stores the scans behind values, and the values themselves, that are computed from absent buffers that
/// are too large, along their outermost axis. What has no parts is left as it is. Throws out_of_memory where there is
/// no memory for a result.
void stream_results(codegen::span<runtime::value* const> roots);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/parts/streamed_results.ipp>
#endif
