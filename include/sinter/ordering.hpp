// Sorting, and what is found by it: sort, argsort, partitions, the largest elements, search, unique values and quantiles.
#pragma once

#include <sinter/picking.hpp>
#include <sinter/reductions.hpp>

namespace sinter::inline SINTER_ABI {

/// The elements along an axis in ascending order (numpy.sort), NaN last, complex numbers by real, then imaginary part; elements
/// that compare equal, such as 0.0 and -0.0, keep their order (kind="stable"). Throws index_error for an axis that is not there.
template <expression E>
auto sort(const E& e, std::int64_t axis = -1) {
    int a = codegen::normalize_axis("sort", axis, e.ndim());
    return array<value_type_t<E>>(detail::record_sort(codegen::routine::sort, detail::as_handle(e), a));
}

/// The positions, int64, at which the elements that sort would give stand (numpy.argsort with kind="stable").
template <expression E>
auto argsort(const E& e, std::int64_t axis = -1) {
    int a = codegen::normalize_axis("argsort", axis, e.ndim());
    return array<std::int64_t>(detail::record_sort(codegen::routine::argsort, detail::as_handle(e), a));
}

}  // namespace sinter::inline SINTER_ABI
