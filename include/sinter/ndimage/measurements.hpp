// What objects in images are (scipy.ndimage): connected elements numbered, and centres of mass.
#pragma once

#include <sinter/ndimage/neighbourhood.hpp>

namespace sinter::inline SINTER_ABI::ndimage {

/// Options of label: which neighbours are connected, of shape (3, 3, …) and symmetric, by default those that differ
/// along one axis.
struct label_options {
    sinter::detail::any_array structure = {};
};
/// The numbers of elements, int32, 0 where the image is zero, and how many objects there are.
struct labelled {
    array<std::int32_t> labels;
    std::int64_t num_features;
};
/// Options of center_of_mass: the objects' numbers, of the image's shape, and which of them.
struct center_options {
    sinter::detail::any_array labels = {};
    object_numbers index = {};
};

namespace detail {

std::pair<handle, std::int64_t> record_label(const handle& x, const label_options& o);
handle record_center(const handle& x, const center_options& o);

}  // namespace detail

/// Connected elements that are not zero, numbered in the order of their first elements (scipy.ndimage.label): `auto
/// [labels, n] = label(x > 0.5)`, in as many kernels for any object, by joining trees on GPUs and runs of rows on CPUs;
/// the number of objects is read. Throws shape_error and value_error for a structure that is not 3 along every axis
/// or not symmetric.
template <expression E>
labelled label(const E& e, const label_options& o = {}) {
    auto [labels, count] = detail::record_label(detail::as_handle(e), o);
    return {array<std::int32_t>(labels), count};
}

/// The mean place of the elements weighted by their values, float64 (scipy.ndimage.center_of_mass): of shape (rank,),
/// or (objects, rank) of the objects with the numbers of an index, `center_of_mass(x, {.labels = labels, .index = {1,
/// 2}})`. Without an index what has a label above zero is one object. Throws shape_error for labels of another
/// shape, value_error for an index without labels or with negative numbers.
template <expression E>
array<double> center_of_mass(const E& e, const center_options& o = {}) {
    static_assert(!codegen::is_complex(dtype_of<value_type_t<E>>), "sinter: a mass is real");
    return array<double>(detail::record_center(detail::as_handle(e), o));
}

}  // namespace sinter::inline SINTER_ABI::ndimage

#if SINTER_HEADER_ONLY
#include <sinter/ndimage/measurements.ipp>
#endif
