// Reductions and running sums over axes that may be split; must not know element types at compile time.
#pragma once

#include <sinter/distributed/value.hpp>
#include <sinter/functions/axes.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// A reduction of a value, converted to the type that it reduces. Over an axis that is split the result waits for the
/// other ranks until it is read, together with all others of the session that wait.
distributed_ref record_distributed_reduce(codegen::reduction how, const distributed_ref& v, std::uint8_t axes,
                                          bool keepdims);

/// Whether each rank has whole rows of a reduction, so that nothing waits.
bool reduces_locally(const distributed_ref& v, std::uint8_t axes);

/// The axes of a reduction that is that of an ordinary array, since one rank alone has the value; else -1. And what it
/// becomes: the value's part, reduced.
int axes_of_one_rank(const distributed_ref& v, const axes& a);
distributed_ref make_reduced(const distributed_ref& v, int axes, bool keepdims, handle reduced);

/// Combines all reductions of a session that wait: one message for all small ones, and of large ones a share on each
/// rank.
void combine_waiting(const session_ref& s);

/// The first element of each row, on every rank.
distributed_ref record_distributed_first(const distributed_ref& v, std::uint8_t axes, bool keepdims);

/// Running sums and the like along an axis; along one that is split the totals of the ranks before are combined in
/// order.
distributed_ref record_distributed_scan(codegen::reduction how, const distributed_ref& v, int axis);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/distributed/reduction.ipp>
#endif
