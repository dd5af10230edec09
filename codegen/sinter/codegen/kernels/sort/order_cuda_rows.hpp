// The CUDA text of sorting short rows: a network of exchanges in the registers of a warp.
#pragma once

#include <string>

namespace sinter::inline SINTER_ABI::codegen {

struct order_shape;
struct order_task;

/// CUDA text that sorts short rows, a warp several of them.
std::string order_short_rows(const order_task& t, const order_shape& s);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/sort/order_cuda_rows.ipp>
#endif
