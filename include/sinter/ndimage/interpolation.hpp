// Images between their elements, by splines (scipy.ndimage): map_coordinates, affine_transform, shift, zoom, rotate.
#pragma once

#include <sinter/ndimage/neighbourhood.hpp>

#include <optional>

namespace sinter::inline SINTER_ABI::ndimage {

// Splines of order 0 to 5, by default 3. Their coefficients are those of SciPy's recursive filters, but by sums of as
// many elements as the last bit asks for, 61 of order 3, one kernel for each axis; then one kernel makes the results,
// for shift and zoom one for each axis. Coordinates are float64; elements are computed in the image's own floating
// precision, half as float, others as float64 and rounded to their type. Beyond the borders an image goes on by `mode`
// of SciPy's meaning: constant, which is cval wherever a coordinate lies outside, grid-constant, nearest, mirror,
// reflect, wrap, grid-wrap; of mode reflect SciPy's recursion begins z^(2 n - 1) from the right for n elements, where z
// is 0.27 of order 3 and 0.43 of order 5. value_error for another mode or order.

/// Options of splines: the order, the borders, and whether the image is filtered before, which images of coefficients
/// need not be.
struct spline_options {
    int order = 3;
    std::string_view mode = "constant";
    double cval = 0;
    bool prefilter = true;
};
/// Options of affine_transform: what is added to coordinates, and the result's shape, by default the image's.
struct affine_options {
    per_axis<double> offset = 0;
    std::optional<dims> output_shape = {};
    int order = 3;
    std::string_view mode = "constant";
    double cval = 0;
    bool prefilter = true;
};
/// Options of zoom: whether the borders of elements, and not their middles, keep their places.
struct zoom_options {
    int order = 3;
    std::string_view mode = "constant";
    double cval = 0;
    bool prefilter = true;
    bool grid_mode = false;
};
/// Options of rotate: the axes of the plane, and whether the result has room for all of it.
struct rotate_options {
    dims axes = {1, 0};
    bool reshape = true;
    int order = 3;
    std::string_view mode = "constant";
    double cval = 0;
    bool prefilter = true;
};
/// Options of spline_filter.
struct spline_filter_options {
    int order = 3;
    std::string_view mode = "mirror";
};

namespace detail {

/// Along so many leading axes.
handle record_spline_filter(std::string_view operation, const handle& x, int axes, int order, std::string_view mode);
handle record_map_coordinates(const handle& x, const handle& coordinates, const spline_options& o);
handle record_affine(const handle& x, const handle& matrix, const affine_options& o);
handle record_shift(const handle& x, const per_axis<double>& shift, const spline_options& o);
handle record_zoom(const handle& x, const per_axis<double>& zoom, const zoom_options& o);
handle record_rotate(const handle& x, double angle, const rotate_options& o);

}  // namespace detail

/// The coefficients of a spline through an image's elements (scipy.ndimage.spline_filter), float64 or complex, of float
/// images their own type.
template <expression E>
auto spline_filter(const E& e, const spline_filter_options& o = {}) {
    constexpr dtype type = detail::working_type(dtype_of<value_type_t<E>>);
    return array<typename codegen::cpp_type<type>::type>(
        detail::record_spline_filter("spline_filter", detail::as_handle(e), e.ndim(), o.order, o.mode));
}
/// The image at coordinates of shape (rank, …), which may be fractions (scipy.ndimage.map_coordinates); the result has
/// their shape without the first axis. Throws shape_error when there is not one coordinate for each axis, and where
/// the image's and the coordinates' axes are more than eight.
template <expression E, expression C>
auto map_coordinates(const E& e, const C& coordinates, const spline_options& o = {}) {
    return detail::as_array_of(e,
                               detail::record_map_coordinates(detail::as_handle(e), detail::as_handle(coordinates), o));
}
/// The image at matrix · place + offset of each place (scipy.ndimage.affine_transform); the matrix is square, a
/// vector, its diagonal, or has a last column that is the offset. Throws shape_error for another.
template <expression E, expression M>
auto affine_transform(const E& e, const M& matrix, const affine_options& o = {}) {
    return detail::as_array_of(e, detail::record_affine(detail::as_handle(e), detail::as_handle(matrix), o));
}
/// Moved by so much along each axis (scipy.ndimage.shift): `shift(x, {0.5, -2})`.
template <expression E>
auto shift(const E& e, const per_axis<double>& by, const spline_options& o = {}) {
    return detail::as_array_of(e, detail::record_shift(detail::as_handle(e), by, o));
}
/// With so many times as many elements along each axis (scipy.ndimage.zoom): `zoom(x, 2)`, `zoom(x, {2, 0.5})`.
template <expression E>
auto zoom(const E& e, const per_axis<double>& times, const zoom_options& o = {}) {
    return detail::as_array_of(e, detail::record_zoom(detail::as_handle(e), times, o));
}
/// Turned by an angle in degrees in the plane of two axes (scipy.ndimage.rotate).
template <expression E>
auto rotate(const E& e, double angle, const rotate_options& o = {}) {
    return detail::as_array_of(e, detail::record_rotate(detail::as_handle(e), angle, o));
}

}  // namespace sinter::inline SINTER_ABI::ndimage

#if SINTER_HEADER_ONLY
#include <sinter/ndimage/interpolation.ipp>
#endif
