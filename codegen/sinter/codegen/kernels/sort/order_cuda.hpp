// The CUDA text of sorting rows, long ones by a radix sort that reads and writes every element once per digit.
#pragma once

#include <sinter/codegen/print/emit.hpp>

namespace sinter::inline SINTER_ABI::codegen {

struct order_task;

/// CUDA text: `order_rows` for whole rows, else `order_count` and `order_sweep`.
kernel_source order_cuda(const order_task& t);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/sort/order_cuda.ipp>
#endif
