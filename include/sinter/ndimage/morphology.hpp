// Shapes in images (scipy.ndimage): erosion and dilation, of bool and grey, and distances to what is not in a shape.
#pragma once

#include <sinter/ndimage/filters.hpp>
#include <sinter/ndimage/neighbourhood.hpp>

namespace sinter::inline SINTER_ABI::ndimage {

/// Options of erosions and dilations: the neighbours that count, an array of bool of the image's rank, by default those
/// of generate_binary_structure(rank, 1); how often, fewer than once until nothing changes; where elements may change;
/// what lies beyond the borders.
struct morphology_options {
    sinter::detail::any_array structure = {};
    std::int64_t iterations = 1;
    sinter::detail::any_array mask = {};
    bool border_value = false;
    per_axis<std::int64_t> origin = 0;
};
/// Options of binary_propagation: as those of a dilation.
struct propagation_options {
    sinter::detail::any_array structure = {};
    sinter::detail::any_array mask = {};
    bool border_value = false;
    per_axis<std::int64_t> origin = 0;
};
/// Options of binary_fill_holes: as those of a dilation.
struct fill_options {
    sinter::detail::any_array structure = {};
    per_axis<std::int64_t> origin = 0;
};
/// Options of grey_erosion and grey_dilation without a size: which elements of a window count, what is taken from them
/// or added to them, one of both at least; the borders, and how far the window is shifted along each axis.
struct grey_options {
    sinter::detail::any_array footprint = {};
    sinter::detail::any_array structure = {};
    std::string_view mode = "reflect";
    double cval = 0;
    per_axis<std::int64_t> origin = 0;
};
/// Options of distance_transform_edt: how far elements lie apart along each axis.
struct distance_options {
    per_axis<double> sampling = 1;
};

namespace detail {

handle record_structure(int rank, int connectivity);
/// The structure that is given, or the default one; throws shape_error for another rank.
handle structure_for(std::string_view operation, const handle& given, int rank);
/// Whether each element of a structure counts, read from the device.
std::vector<bool> read_structure(const handle& structure);
/// Whether all that count are true, or with `dilates` any.
handle record_morphology(std::string_view operation, const handle& x, const morphology_options& o, bool dilates);
handle record_propagation(const handle& x, const propagation_options& o);
handle record_filled(const handle& x, const fill_options& o);
handle record_opening(std::string_view operation, const handle& x, const morphology_options& o, bool opens);
handle record_flat(const handle& x, const per_axis<std::int64_t>& size, const filter_options& o, bool dilates);
handle record_grey(std::string_view operation, const handle& x, const grey_options& o, bool dilates);
handle record_distance(const handle& x, const distance_options& o);
handle record_iterated(const handle& structure, std::int64_t iterations);

}  // namespace detail

/// Which neighbours touch a middle element, of shape (3, 3, …): those that differ from it along at most `connectivity`
/// axes (scipy.ndimage.generate_binary_structure).
inline array<bool> generate_binary_structure(int rank, int connectivity) {
    return array<bool>(detail::record_structure(rank, connectivity));
}

// An image of any type is true where it is not zero. An iteration is one kernel; only the structure is read on the
// host. Where iterations are fewer than one and the structure is one of label's, at most 3 wide around its middle, the
// result is known by the objects of the mask in which there are elements of the image, which label numbers, without
// iterations; for other structures it is read after each whether anything has changed. Throws shape_error for a
// structure of another rank.

/// Whether all neighbours are true (scipy.ndimage.binary_erosion).
template <expression E>
array<bool> binary_erosion(const E& e, const morphology_options& o = {}) {
    return array<bool>(detail::record_morphology("binary_erosion", detail::as_handle(e), o, false));
}
/// Whether any element is true of which this is a neighbour (scipy.ndimage.binary_dilation).
template <expression E>
array<bool> binary_dilation(const E& e, const morphology_options& o = {}) {
    return array<bool>(detail::record_morphology("binary_dilation", detail::as_handle(e), o, true));
}
/// Eroded and then dilated (scipy.ndimage.binary_opening).
template <expression E>
array<bool> binary_opening(const E& e, const morphology_options& o = {}) {
    return array<bool>(detail::record_opening("binary_opening", detail::as_handle(e), o, true));
}
/// Dilated and then eroded (scipy.ndimage.binary_closing).
template <expression E>
array<bool> binary_closing(const E& e, const morphology_options& o = {}) {
    return array<bool>(detail::record_opening("binary_closing", detail::as_handle(e), o, false));
}

/// Dilated within a mask until nothing changes: all that elements reach (scipy.ndimage.binary_propagation),
/// `binary_propagation(x, {.mask = m})`.
template <expression E>
array<bool> binary_propagation(const E& e, const propagation_options& o = {}) {
    return array<bool>(detail::record_propagation(detail::as_handle(e), o));
}
/// With what cannot be reached from beyond the borders, through elements that are zero, made true
/// (scipy.ndimage.binary_fill_holes).
template <expression E>
array<bool> binary_fill_holes(const E& e, const fill_options& o = {}) {
    return array<bool>(detail::record_filled(detail::as_handle(e), o));
}

/// The smallest elements of windows (scipy.ndimage.grey_erosion): `grey_erosion(x, 3)`, `grey_erosion(x, {3, 5})`.
template <expression E>
auto grey_erosion(const E& e, const per_axis<std::int64_t>& size, const filter_options& o = {}) {
    detail::require_order<E>();
    return detail::as_array_of(e, detail::record_flat(detail::as_handle(e), size, o, false));
}
/// The smallest of the elements that count, less a structure: `grey_erosion(x, {.structure = s})`, one kernel. Throws
/// shape_error for another rank, value_error where nothing counts.
template <expression E>
auto grey_erosion(const E& e, const grey_options& o) {
    detail::require_order<E>();
    return detail::as_array_of(e, detail::record_grey("grey_erosion", detail::as_handle(e), o, false));
}
/// The largest elements of windows (scipy.ndimage.grey_dilation), which of an even size lie the other way than those of
/// maximum_filter.
template <expression E>
auto grey_dilation(const E& e, const per_axis<std::int64_t>& size, const filter_options& o = {}) {
    detail::require_order<E>();
    return detail::as_array_of(e, detail::record_flat(detail::as_handle(e), size, o, true));
}
/// The largest of the elements that count, and a structure, both flipped: `grey_dilation(x, {.footprint = f})`. Throws
/// shape_error for another rank, value_error where nothing counts.
template <expression E>
auto grey_dilation(const E& e, const grey_options& o) {
    detail::require_order<E>();
    return detail::as_array_of(e, detail::record_grey("grey_dilation", detail::as_handle(e), o, true));
}

/// Eroded and then dilated by windows of a size (scipy.ndimage.grey_opening): `grey_opening(x, 3)`.
template <expression E>
auto grey_opening(const E& e, const per_axis<std::int64_t>& size, const filter_options& o = {}) {
    return grey_dilation(grey_erosion(e, size, o), size, o);
}
/// The same by a footprint or a structure: `grey_opening(x, {.structure = s})`.
template <expression E>
auto grey_opening(const E& e, const grey_options& o) {
    return grey_dilation(grey_erosion(e, o), o);
}
/// Dilated and then eroded by windows of a size (scipy.ndimage.grey_closing).
template <expression E>
auto grey_closing(const E& e, const per_axis<std::int64_t>& size, const filter_options& o = {}) {
    return grey_erosion(grey_dilation(e, size, o), size, o);
}
/// The same by a footprint or a structure.
template <expression E>
auto grey_closing(const E& e, const grey_options& o) {
    return grey_erosion(grey_dilation(e, o), o);
}

/// A structure that erodes or dilates as often as this one does in so many iterations
/// (scipy.ndimage.iterate_structure); itself for fewer than two.
template <expression E>
array<bool> iterate_structure(const E& structure, std::int64_t iterations) {
    return array<bool>(
        detail::record_iterated(detail::record_cast(detail::as_handle(structure), dtype::bool_), iterations));
}

/// The distance of each element to the nearest one that is zero, float64 (scipy.ndimage.distance_transform_edt): exact,
/// axis by axis, by as many steps as an axis' extent has binary digits, each of which looks between the nearest
/// elements of neighbours that are known. Infinite where no element is zero. Indices of the nearest elements are not
/// there.
template <expression E>
array<double> distance_transform_edt(const E& e, const distance_options& o = {}) {
    return array<double>(detail::record_distance(detail::as_handle(e), o));
}

}  // namespace sinter::inline SINTER_ABI::ndimage

#if SINTER_HEADER_ONLY
#include <sinter/ndimage/morphology.ipp>
#endif
