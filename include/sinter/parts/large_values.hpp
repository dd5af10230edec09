// What is computed from arrays larger than the device's memory, as far as parts of these suffice; must not know files.
#pragma once

#include <sinter/codegen/base/span.hpp>
#include <sinter/runtime/lazy/evaluate.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// Computes behind values what needs no more than parts of absent buffers that are too large: reductions, then what is
/// seen of them, then scans and the values themselves. It is what runtime::compute_in_parts calls.
void compute_large_values(codegen::span<runtime::value* const> roots);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/parts/large_values.ipp>
#endif
