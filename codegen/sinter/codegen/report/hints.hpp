// Where a plan could cost less; must not know machines or times.
#pragma once

#include <sinter/codegen/schedule/plan.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Advice about a plan, a sentence each: accidental float64, reads that could be spared, cuts that could be avoided.
sequence<std::string> hints_of(const graph& g, const plan& p);

/// What a kernel takes from kernels and calls before it: "sum of kernel 1, matmul"; empty when nothing.
std::string predecessors_of(const graph& g, const plan& p, std::size_t kernel);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/report/hints.ipp>
#endif
