// Elements of matrices between any two placements, by lists of which rank has which; must not know element types.
#pragma once

#include <sinter/distributed/value.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// This rank's part of a matrix in another placement, of which one of the two is block_cyclic, whose parts lie by
/// columns in memory, as the libraries want it.
handle redistribute(const distributed_ref& v, const placement& p, std::string_view operation,
                    std::vector<std::string>& moves);

/// A rank's part whose elements lie by columns.
handle store_by_columns(dtype type, std::int64_t rows, std::int64_t columns, const void* elements);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/distributed/redistribution.ipp>
#endif
