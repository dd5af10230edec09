// Sums and extrema of elements by the numbers of their segments.
#pragma once

#include <sinter/functions/ordering.hpp>

#include <limits>

namespace sinter::inline SINTER_ABI {

/// Options of the functions of segments: how many there are, by default one more than the largest number, which is
/// read.
struct segment_options {
    std::int64_t num_segments = -1;
};

namespace detail {

handle record_segments(std::string_view name, codegen::routine how, const handle& data, const handle& numbers,
                       std::int64_t count, const codegen::scalar_value& identity);

template <class T>
constexpr T largest_number() {
    if constexpr (std::numeric_limits<T>::has_infinity) return std::numeric_limits<T>::infinity();
    else return std::numeric_limits<T>::max();
}
template <class T>
constexpr T lowest_number() {
    if constexpr (std::numeric_limits<T>::has_infinity) return -std::numeric_limits<T>::infinity();
    else return std::numeric_limits<T>::lowest();
}

template <class I>
constexpr void require_segment_numbers() {
    static_assert(codegen::is_integer(dtype_of<I>), "sinter: numbers of segments are integers");
}

template <expression E, expression I>
auto segment_extreme(std::string_view name, codegen::routine how, const E& data, const I& segment_ids,
                     const segment_options& o, value_type_t<E> of_nothing) {
    using T = value_type_t<E>;
    require_segment_numbers<value_type_t<I>>();
    static_assert(!codegen::is_complex(dtype_of<T>), "sinter: complex elements have no order");
    return array<T>(
        record_segments(name, how, as_handle(data), as_handle(segment_ids), o.num_segments, number(of_nothing)));
}

}  // namespace detail

/// Sums of the rows of data that have the same segment number (jax.ops.segment_sum): data is (n, …), the numbers a
/// vector of n integers in any order, and the result (num_segments, …) of data's type. Rows are added in the order of
/// scatter_add; those with other numbers are left out, and a segment without rows is zero. Throws shape_error when
/// lengths differ.
template <expression E, expression I>
auto segment_sum(const E& data, const I& segment_ids, segment_options o = {}) {
    using T = value_type_t<E>;
    detail::require_segment_numbers<value_type_t<I>>();
    return array<T>(detail::record_segments("segment_sum", codegen::routine::scatter_add, detail::as_handle(data),
                                            detail::as_handle(segment_ids), o.num_segments, detail::number(T(0))));
}
/// The same with the number of segments behind their numbers, as JAX has it: `segment_sum(x, i, 4)`.
template <expression E, expression I, std::integral N>
auto segment_sum(const E& data, const I& segment_ids, N num_segments) {
    return segment_sum(data, segment_ids, segment_options{static_cast<std::int64_t>(num_segments)});
}
/// The smallest by segments (jax.ops.segment_min); without rows infinity, or the largest integer.
template <expression E, expression I>
auto segment_min(const E& data, const I& segment_ids, segment_options o = {}) {
    return detail::segment_extreme("segment_min", codegen::routine::scatter_min, data, segment_ids, o,
                                   detail::largest_number<value_type_t<E>>());
}
/// The same with the number of segments behind their numbers, as JAX has it: `segment_min(x, i, 4)`.
template <expression E, expression I, std::integral N>
auto segment_min(const E& data, const I& segment_ids, N num_segments) {
    return segment_min(data, segment_ids, segment_options{static_cast<std::int64_t>(num_segments)});
}
/// The largest by segments (jax.ops.segment_max); without rows minus infinity, or the lowest integer.
template <expression E, expression I>
auto segment_max(const E& data, const I& segment_ids, segment_options o = {}) {
    return detail::segment_extreme("segment_max", codegen::routine::scatter_max, data, segment_ids, o,
                                   detail::lowest_number<value_type_t<E>>());
}
/// The same with the number of segments behind their numbers, as JAX has it: `segment_max(x, i, 4)`.
template <expression E, expression I, std::integral N>
auto segment_max(const E& data, const I& segment_ids, N num_segments) {
    return segment_max(data, segment_ids, segment_options{static_cast<std::int64_t>(num_segments)});
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/analysis/segments.ipp>
#endif
