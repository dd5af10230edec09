// The host text of sorting by keys: rows of one thread, and the steps in which threads share a row.
#pragma once

#include <cstdint>
#include <sinter/codegen/print/emit.hpp>

namespace sinter::inline SINTER_ABI::codegen {

struct sort_task;

/// Whether the host text sorts elements as numbers rather than by their digits.
bool sort_by_keys(const sort_task& t);

/// How a row that is sorted by keys is divided, into nothing when it is short.
struct sort_division {
    std::int64_t parts = 0;    ///< whose keys are divided among all buckets
    std::int64_t buckets = 0;  ///< ranges of keys, a power of two
};
sort_division sort_division_of(const sort_task& t, std::int64_t threads);
/// Bytes that sorting a row by keys needs.
std::int64_t sort_key_workspace(const sort_task& t, const sort_division& d);

/// Host text: `sort_rows` and `sort_step`.
kernel_source sort_host_by_keys(const sort_task& t);

/// Host text: `select_ranks`, the elements of ascending ranks in rows of one thread. And the bytes that it needs.
kernel_source order_statistics_host(dtype type);
std::int64_t order_statistics_workspace(dtype type, std::int64_t length, std::int64_t count);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/sort/sort_host_rows.ipp>
#endif
