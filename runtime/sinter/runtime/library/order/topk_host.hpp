// How CPUs select the first elements of a part of a row; must not know threads.
#pragma once

#include <cstdint>
#include <sinter/codegen/kernels/sort/selection.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// Where the first `t.count` of the elements [begin, end) of a row stand, in order; or of those at `places`, if given.
void select_first_on_host(const codegen::selection_task& t, const char* row, const std::int64_t* places,
                          std::int64_t begin, std::int64_t end, std::int64_t* to);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/order/topk_host.ipp>
#endif
