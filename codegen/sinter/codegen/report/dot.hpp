// Plans as drawings.
#pragma once

#include <sinter/codegen/schedule/plan.hpp>
#include <string>

namespace sinter::inline SINTER_ABI::codegen {

/// The graph as a Graphviz drawing, each kernel a box of what it computes: what two kernels compute is in both.
std::string to_dot(const graph& g, const plan& p);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/report/dot.ipp>
#endif
