// A few different numbers of many: what a shuffle of all of them begins with, from memory for the few alone.
#pragma once

#include <sinter/array/array.hpp>
#include <sinter/random/draw_parameters.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// Whether so few of n numbers are chosen that a shuffle of all of them would be far more work.
constexpr bool is_sparse_choice(std::int64_t n, std::int64_t count) { return n > 10'000 && count <= n / 50; }

/// The first `count` of the numbers below n in a random order.
handle record_sparse_choice(std::int64_t n, std::int64_t count, random_source from);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/random/sparse_choice.ipp>
#endif
