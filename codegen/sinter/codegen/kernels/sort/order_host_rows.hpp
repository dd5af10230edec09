// The host text of sorting by keys: rows of one thread, and the steps in which threads share a row.
#pragma once

#include <cstdint>
#include <sinter/codegen/print/emit.hpp>

namespace sinter::inline SINTER_ABI::codegen {

struct order_task;

/// Whether the host text sorts elements as numbers rather than by their digits.
bool order_by_keys(const order_task& t);

/// How a row that is sorted by keys is divided, into nothing when it is short.
struct order_division {
    std::int64_t parts = 0;    ///< whose keys are divided among all buckets
    std::int64_t buckets = 0;  ///< ranges of keys, a power of two
};
order_division order_division_of(const order_task& t, std::int64_t threads);
/// Bytes that sorting a row by keys needs.
std::int64_t order_key_room(const order_task& t, const order_division& d);

/// Host text: `order_rows` and `order_step`.
kernel_source order_host_by_keys(const order_task& t);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/sort/order_host_rows.ipp>
#endif
