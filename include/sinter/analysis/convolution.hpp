// Convolutions and correlations of vectors and of images.
#pragma once

#include <sinter/functions/joining.hpp>

namespace sinter::inline SINTER_ABI {

/// Options of convolve2d: what lies beyond the borders of the first operand, "fill", "wrap" or "symm", and the number
/// that fills.
struct convolve2d_options {
    std::string_view boundary = "fill";
    detail::any_number fillvalue = 0;
};

namespace detail {

handle record_convolve(const handle& a, const handle& v, std::string_view mode);
handle record_correlate(const handle& a, const handle& v, std::string_view mode);
handle record_convolve2d(const handle& a, const handle& v, std::string_view mode, const convolve2d_options& o);

template <class T, expression E>
handle as_type(const E& e) {
    return record_cast(as_handle(e), dtype_of<T>);
}

}  // namespace detail

// Sums of products over windows, in one kernel and one that adds borders, where the smaller operand has at most 64
// elements or elements are whole numbers; they accumulate as sums do and are as exact, but the zeros beyond the borders
// are multiplied too, so that there an infinity of the smaller operand gives NaN. Else by Fourier transforms in the
// elements' own precision, halves as float, whose errors are relative to the largest results, and where one element
// that is not finite makes all results NaN. Modes are "full", wherever operands meet, "same", as many elements in the
// middle of it as the longer operand has, and "valid", where they overlap as a whole. Results are of the common type.

/// The convolution of two vectors (numpy.convolve), of which one may be a number. Throws value_error for another mode
/// and for an empty operand, shape_error when an operand is no vector.
template <class A, class V>
    requires detail::operands<A, V>
auto convolve(const A& a, const V& v, std::string_view mode = "full") {
    using T = detail::common_of_list<A, V>;
    return array<T>(detail::record_convolve(detail::as_type<T>(detail::array_beside(a, v)),
                                            detail::as_type<T>(detail::array_beside(v, a)), mode));
}
/// The sums of a[n + k] * conj(v[n]) over n, for each k (numpy.correlate); throws the same.
template <expression A, expression V>
auto correlate(const A& a, const V& v, std::string_view mode = "valid") {
    using T = result_type_t<value_type_t<A>, value_type_t<V>>;
    return array<T>(detail::record_correlate(detail::as_type<T>(a), detail::as_type<T>(v), mode));
}
/// The convolution of two matrices (scipy.signal.convolve2d), "same" with the shape of the first; throws the same, and
/// for "valid" when neither is at least as large as the other along both axes.
template <expression A, expression V>
auto convolve2d(const A& a, const V& v, std::string_view mode = "full", const convolve2d_options& o = {}) {
    using T = result_type_t<value_type_t<A>, value_type_t<V>>;
    return array<T>(detail::record_convolve2d(detail::as_type<T>(a), detail::as_type<T>(v), mode, o));
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/analysis/convolution.ipp>
#endif
