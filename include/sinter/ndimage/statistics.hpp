// Statistics of objects in images by their numbers (scipy.ndimage): sums, means, extrema, variances, and where they
// are.
#pragma once

#include <sinter/analysis/segments.hpp>
#include <sinter/ndimage/neighbourhood.hpp>

namespace sinter::inline SINTER_ABI::ndimage {

/// Options of statistics of objects: the objects' numbers, which broadcast to the image, and which of them.
struct object_options {
    sinter::detail::any_array labels = {};
    object_numbers index = {};
};

namespace detail {

enum class object_statistic : std::uint8_t { sum, mean, minimum, maximum, variance, standard_deviation };

/// The identity is what a minimum or maximum begins with, of the image's type.
handle record_object_statistic(std::string_view operation, const handle& x, const object_options& o,
                               object_statistic which, const codegen::scalar_value& identity);
std::vector<std::vector<slice>> find_bounds(const handle& labels, std::int64_t max_label);

template <expression E>
array<double> statistic_of(std::string_view operation, const E& e, const object_options& o, object_statistic which) {
    static_assert(!codegen::is_complex(dtype_of<value_type_t<E>>), "sinter: statistics of objects are of real images");
    return array<double>(record_object_statistic(operation, as_handle(e), o, which, number(0.0)));
}
template <expression E>
auto extreme_of(std::string_view operation, const E& e, const object_options& o, bool is_minimum) {
    using T = value_type_t<E>;
    static_assert(!codegen::is_complex(dtype_of<T>), "sinter: complex elements have no order");
    const auto which = is_minimum ? object_statistic::minimum : object_statistic::maximum;
    const T identity = is_minimum ? largest_number<T>() : lowest_number<T>();
    return array<T>(record_object_statistic(operation, as_handle(e), o, which, number(identity)));
}

handle record_object_median(const handle& x, const object_options& o);
handle record_object_position(std::string_view operation, const handle& x, const object_options& o, bool is_minimum,
                              const codegen::scalar_value& identity);

template <expression E>
array<std::int64_t> position_of(std::string_view operation, const E& e, const object_options& o, bool is_minimum) {
    using T = value_type_t<E>;
    static_assert(!codegen::is_complex(dtype_of<T>), "sinter: complex elements have no order");
    const T identity = is_minimum ? largest_number<T>() : lowest_number<T>();
    return array<std::int64_t>(record_object_position(operation, as_handle(e), o, is_minimum, number(identity)));
}

}  // namespace detail

// Of shape (objects,) of those with the numbers of an index, `ndimage::mean(x, {.labels = labels, .index = {1, 2}})`;
// without an index all that have a number above zero are one object, without labels the image is. Options are always
// there, which tells these functions from sinter's own of the same names. Throws value_error for an index without
// labels or with negative numbers, shape_error for labels that do not broadcast.

/// The sums of objects' elements, float64 (scipy.ndimage.sum_labels); 0 of objects that are not there.
template <expression E>
array<double> sum_labels(const E& e, const object_options& o) {
    return detail::statistic_of("sum_labels", e, o, detail::object_statistic::sum);
}
/// The means of objects' elements, float64 (scipy.ndimage.mean); NaN of objects that are not there.
template <expression E>
array<double> mean(const E& e, const object_options& o) {
    return detail::statistic_of("mean", e, o, detail::object_statistic::mean);
}
/// The variances of objects' elements, float64 (scipy.ndimage.variance); NaN of objects that are not there.
template <expression E>
array<double> variance(const E& e, const object_options& o) {
    return detail::statistic_of("variance", e, o, detail::object_statistic::variance);
}
/// The square roots of the variances, float64 (scipy.ndimage.standard_deviation).
template <expression E>
array<double> standard_deviation(const E& e, const object_options& o) {
    return detail::statistic_of("standard_deviation", e, o, detail::object_statistic::standard_deviation);
}
/// The smallest of objects' elements, of the image's type (scipy.ndimage.minimum); 0 of objects that are not there.
template <expression E>
auto minimum(const E& e, const object_options& o) {
    return detail::extreme_of("minimum", e, o, true);
}
/// The largest of objects' elements, of the image's type (scipy.ndimage.maximum); 0 of objects that are not there.
template <expression E>
auto maximum(const E& e, const object_options& o) {
    return detail::extreme_of("maximum", e, o, false);
}

/// The medians of objects' elements, float64 (scipy.ndimage.median); NaN of objects that are not there.
template <expression E>
array<double> median(const E& e, const object_options& o) {
    static_assert(!codegen::is_complex(dtype_of<value_type_t<E>>), "sinter: complex elements have no order");
    return array<double>(detail::record_object_median(detail::as_handle(e), o));
}
/// Where the first of the smallest of objects' elements is, int64 (scipy.ndimage.minimum_position): of shape (rank,),
/// or (objects, rank) of the numbers of an index; -1 of objects that are not there.
template <expression E>
array<std::int64_t> minimum_position(const E& e, const object_options& o = {}) {
    return detail::position_of("minimum_position", e, o, true);
}
/// Where the first of the largest of objects' elements is, int64 (scipy.ndimage.maximum_position), as minimum_position;
/// of several equal ones of an index SciPy gives the last.
template <expression E>
array<std::int64_t> maximum_position(const E& e, const object_options& o = {}) {
    return detail::position_of("maximum_position", e, o, false);
}
/// The smallest and largest of objects' elements, and where they are.
template <class T>
struct object_extrema {
    array<T> minimum, maximum;
    array<std::int64_t> minimum_position, maximum_position;
};
/// Both extrema of objects' elements and their positions (scipy.ndimage.extrema).
template <expression E>
auto extrema(const E& e, const object_options& o = {}) {
    const array<value_type_t<E>> x = e;
    return object_extrema<value_type_t<E>>{ndimage::minimum(x, o), ndimage::maximum(x, o),
                                           ndimage::minimum_position(x, o), ndimage::maximum_position(x, o)};
}

/// The least box around each object, a slice for each axis, of the objects 1, 2, … up to the largest number or
/// max_label (scipy.ndimage.find_objects): `auto boxes = find_objects(labels)`, then `x(boxes[0][0], boxes[0][1])`. A
/// box without slices is of an object that is not there. The boxes are read.
template <expression E>
std::vector<std::vector<slice>> find_objects(const E& labels, std::int64_t max_label = 0) {
    static_assert(codegen::is_integer(dtype_of<value_type_t<E>>), "sinter: numbers of objects are integers");
    return detail::find_bounds(detail::as_handle(labels), max_label);
}

}  // namespace sinter::inline SINTER_ABI::ndimage

#if SINTER_HEADER_ONLY
#include <sinter/ndimage/statistics.ipp>
#endif
