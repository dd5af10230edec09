// Random vectors: dirichlet, multinomial and multivariate_hypergeometric; and the elements of slices in random order.
#pragma once

#include <sinter/random/draws.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// Shape size + (k,) for a vector of k parameters, float64.
handle record_dirichlet(const handle& alpha, const draw_shape& size, random_source from);
/// Counts of n trials, int64; along the last axis of pvals.
handle record_multinomial(const draw_parameter& n, const handle& pvals, const draw_shape& size, random_source from);
handle record_multivariate_hypergeometric(const handle& colors, std::int64_t nsample, const draw_shape& size,
                                          random_source from);
/// As many streams as these take.
std::uint64_t streams_of_vector(std::string_view name, const dims& parameters);
/// The elements along an axis in an order of their own for each slice.
handle record_permuted(const handle& x, int axis, random_source from);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/random/vector_draws.ipp>
#endif
