// The CUDA text of sorting several rows per warp: a network of exchanges in its registers.
#pragma once

#include <string>

namespace sinter::inline SINTER_ABI::codegen {

struct sort_shape;
struct sort_task;

/// CUDA text that sorts short rows, a warp several of them.
std::string sort_warp_rows(const sort_task& t, const sort_shape& s);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/sort/sort_rows_cuda.ipp>
#endif
