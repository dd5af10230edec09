// The host text of sorting: a radix sort whose passes can be shared by threads, or a sort by keys.
#pragma once

#include <cstdint>
#include <sinter/codegen/print/emit.hpp>

namespace sinter::inline SINTER_ABI::codegen {

struct sort_task;

/// Host text: `sort_rows` and, by keys, `sort_step`, else `sort_count` and `sort_move`, which move items of
/// sort_item_bytes.
kernel_source sort_host(const sort_task& t);
std::int64_t sort_item_bytes(const sort_task& t);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/sort/sort_host.ipp>
#endif
