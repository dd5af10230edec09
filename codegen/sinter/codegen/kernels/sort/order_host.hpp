// The host text of sorting: a radix sort whose passes can be shared by threads, or a sort by keys.
#pragma once

#include <cstdint>
#include <sinter/codegen/print/emit.hpp>

namespace sinter::inline SINTER_ABI::codegen {

struct order_task;

/// Host text: `order_rows` and, by keys, `order_step`, else `order_count` and `order_move`, which move items of
/// order_item_bytes.
kernel_source order_host(const order_task& t);
std::int64_t order_item_bytes(const order_task& t);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/sort/order_host.ipp>
#endif
