// Filters of images (scipy.ndimage): weighted sums, Gaussians, means, medians, extrema and derivatives over windows.
#pragma once

#include <sinter/ndimage/neighbourhood.hpp>

#include <optional>

namespace sinter::inline SINTER_ABI::ndimage {

// Images have any number of axes. Results have the image's shape and type: floating images are filtered in their own
// precision, half as float, all others as float64 and truncated to their type, as SciPy does; but of bool what is not
// 0 is true, where SciPy truncates, so that its result hangs on rounding. Beyond the borders an
// image goes on by `mode`: reflect (d c b a | a b c d), constant by cval, nearest, mirror (d c b | a b c d), wrap. A
// separable filter is two kernels for each axis, one that extends and one that sums. value_error for another mode, for
// an origin outside of the window, for options of as many axes as the image has not.

/// Options of filters over windows: the borders, and how far the window is shifted along each axis.
struct filter_options {
    std::string_view mode = "reflect";
    double cval = 0;
    per_axis<std::int64_t> origin = 0;
};

/// Options of filters along one axis.
struct filter1d_options {
    int axis = -1;
    std::string_view mode = "reflect";
    double cval = 0;
    std::int64_t origin = 0;
};

/// Options of gaussian_filter: the order of the derivative along each axis, where the window ends in standard
/// deviations, or its radius, and along which axes.
struct gaussian_options {
    per_axis<int> order = 0;
    std::string_view mode = "reflect";
    double cval = 0;
    double truncate = 4;
    std::optional<std::int64_t> radius = {};
    axis_list axes = {};
};

/// Options of gaussian_filter1d: as of gaussian_filter, along one axis.
struct gaussian1d_options {
    int axis = -1;
    int order = 0;
    std::string_view mode = "reflect";
    double cval = 0;
    double truncate = 4;
    std::optional<std::int64_t> radius = {};
};

/// Options of filters by differences.
struct derivative_options {
    std::string_view mode = "reflect";
    double cval = 0;
};

/// Options of filters whose windows are a footprint, an array of the image's rank whose elements that are not zero
/// count.
struct footprint_options {
    /// There is none by default.
    struct given_footprint : sinter::detail::any_array {
        template <expression E>
        given_footprint(const E& e) : any_array(e) {}
    };
    given_footprint footprint;
    std::string_view mode = "reflect";
    double cval = 0;
    per_axis<std::int64_t> origin = 0;
};
/// Weights along an axis: a vector of the host or numbers in braces, or an array, which is read.
struct line_weights : std::vector<double> {
    line_weights(std::initializer_list<double> numbers) : vector(numbers) {}
    line_weights(std::vector<double> numbers) : vector(std::move(numbers)) {}
    template <expression E>
    line_weights(const E& e) : vector(to_vector(array<double>(astype<double>(e)))) {}
};

namespace detail {

enum class extreme : std::uint8_t { minimum, maximum };

std::vector<double> gaussian_weights(double sigma, int order, std::int64_t radius);
handle record_gaussian(std::string_view operation, const handle& x, const per_axis<double>& sigma,
                       const gaussian_options& o);
handle record_gaussian1d(const handle& x, double sigma, const gaussian1d_options& o);
handle record_uniform(const handle& x, const per_axis<std::int64_t>& size, const filter_options& o);
handle record_uniform1d(const handle& x, std::int64_t size, const filter1d_options& o);
handle record_extreme(extreme which, const handle& x, const per_axis<std::int64_t>& size, const filter_options& o);
/// The element of this rank among each window's, or its middle one; negative ranks count from the largest.
handle record_rank(std::string_view operation, const handle& x, std::optional<std::int64_t> rank,
                   const per_axis<std::int64_t>& size, const filter_options& o);
handle record_percentile(const handle& x, double percentile, const per_axis<std::int64_t>& size,
                         const filter_options& o);
/// The element of a rank, or of a share in percent, among those of each window that count, or the middle one. The
/// extremes are those of rank 0 and -1.
handle record_rank_of_footprint(std::string_view operation, const handle& x, std::optional<std::int64_t> rank,
                                const footprint_options& o);
handle record_extreme_of_footprint(extreme which, const handle& x, const footprint_options& o);
handle record_percentile_of_footprint(const handle& x, double percentile, const footprint_options& o);
/// The sum of second derivatives of Gaussians, and the root of the sum of squared first ones.
handle record_gaussian_laplace(const handle& x, const per_axis<double>& sigma, const derivative_options& o);
handle record_gaussian_gradient(const handle& x, const per_axis<double>& sigma, const derivative_options& o);
/// A difference along one axis, smoothed along the others by these weights.
handle record_smoothed_difference(std::string_view operation, const handle& x, std::int64_t axis,
                                  codegen::span<const double> smooth, const derivative_options& o);
handle record_laplace(const handle& x, const derivative_options& o);
handle record_correlate1d_of(std::string_view operation, const handle& x, const std::vector<double>& weights,
                             const filter1d_options& o, bool flip);

template <expression E, expression W>
constexpr bool require_weights() {
    static_assert(!codegen::is_complex(dtype_of<value_type_t<W>>) || codegen::is_complex(dtype_of<value_type_t<E>>),
                  "sinter: complex weights need a complex image: convert it with astype");
    return true;
}
template <expression E>
constexpr bool require_order() {
    static_assert(!codegen::is_complex(dtype_of<value_type_t<E>>), "sinter: complex elements have no order");
    return true;
}

}  // namespace detail

/// The sums of each window times weights, an array of the image's rank (scipy.ndimage.correlate); up to 128 of them are
/// summed in their order, more as sum does. Throws shape_error for another rank.
template <expression E, expression W>
auto correlate(const E& e, const W& weights, const filter_options& o = {}) {
    detail::require_weights<E, W>();
    return detail::as_array_of(
        e, detail::record_correlate_window("ndimage::correlate", detail::as_handle(e), detail::as_handle(weights),
                                           o.origin, {o.mode, o.cval}, false));
}
/// The same with flipped weights (scipy.ndimage.convolve).
template <expression E, expression W>
auto convolve(const E& e, const W& weights, const filter_options& o = {}) {
    detail::require_weights<E, W>();
    return detail::as_array_of(
        e, detail::record_correlate_window("ndimage::convolve", detail::as_handle(e), detail::as_handle(weights),
                                           o.origin, {o.mode, o.cval}, true));
}
/// Along one axis, by weights that are known on the host (scipy.ndimage.correlate1d): an array of them is read.
template <expression E>
auto correlate1d(const E& e, const line_weights& weights, const filter1d_options& o = {}) {
    return detail::as_array_of(e,
                               detail::record_correlate1d_of("correlate1d", detail::as_handle(e), weights, o, false));
}
/// Along one axis, by reversed weights that are known on the host (scipy.ndimage.convolve1d).
template <expression E>
auto convolve1d(const E& e, const line_weights& weights, const filter1d_options& o = {}) {
    return detail::as_array_of(e, detail::record_correlate1d_of("convolve1d", detail::as_handle(e), weights, o, true));
}

/// Gaussians along the axes (scipy.ndimage.gaussian_filter): `gaussian_filter(x, 2)`, `gaussian_filter(x, {2, 1},
/// {.order = {0, 1}})`; axes with sigma 0 stay as they are.
template <expression E>
auto gaussian_filter(const E& e, const per_axis<double>& sigma, const gaussian_options& o = {}) {
    return detail::as_array_of(e, detail::record_gaussian("gaussian_filter", detail::as_handle(e), sigma, o));
}
/// Means of windows (scipy.ndimage.uniform_filter): `uniform_filter(x, 3)`, `uniform_filter(x, {3, 5})`.
template <expression E>
auto uniform_filter(const E& e, const per_axis<std::int64_t>& size = 3, const filter_options& o = {}) {
    return detail::as_array_of(e, detail::record_uniform(detail::as_handle(e), size, o));
}
/// Gaussians along one axis (scipy.ndimage.gaussian_filter1d); throws value_error for a sigma that is not 0 or more.
template <expression E>
auto gaussian_filter1d(const E& e, double sigma, const gaussian1d_options& o = {}) {
    return detail::as_array_of(e, detail::record_gaussian1d(detail::as_handle(e), sigma, o));
}
/// Means along one axis (scipy.ndimage.uniform_filter1d).
template <expression E>
auto uniform_filter1d(const E& e, std::int64_t size, const filter1d_options& o = {}) {
    return detail::as_array_of(e, detail::record_uniform1d(detail::as_handle(e), size, o));
}
/// The smallest of windows (scipy.ndimage.minimum_filter); NaN is handed on.
template <expression E>
auto minimum_filter(const E& e, const per_axis<std::int64_t>& size, const filter_options& o = {}) {
    detail::require_order<E>();
    return detail::as_array_of(e, detail::record_extreme(detail::extreme::minimum, detail::as_handle(e), size, o));
}
/// The largest of windows (scipy.ndimage.maximum_filter); NaN is handed on.
template <expression E>
auto maximum_filter(const E& e, const per_axis<std::int64_t>& size, const filter_options& o = {}) {
    detail::require_order<E>();
    return detail::as_array_of(e, detail::record_extreme(detail::extreme::maximum, detail::as_handle(e), size, o));
}
/// The middle elements of windows, of an even number the upper one (scipy.ndimage.median_filter): up to 16 elements by
/// a network of minima and maxima in one kernel, which NaN spreads through, more by sorting windows, which are stored,
/// NaN behind all numbers.
template <expression E>
auto median_filter(const E& e, const per_axis<std::int64_t>& size, const filter_options& o = {}) {
    detail::require_order<E>();
    return detail::as_array_of(e, detail::record_rank("median_filter", detail::as_handle(e), {}, size, o));
}
/// The elements of a rank in windows, a negative one from the largest (scipy.ndimage.rank_filter), found as medians.
/// Throws value_error for a rank that no window has.
template <expression E>
auto rank_filter(const E& e, std::int64_t rank, const per_axis<std::int64_t>& size, const filter_options& o = {}) {
    detail::require_order<E>();
    return detail::as_array_of(e, detail::record_rank("rank_filter", detail::as_handle(e), rank, size, o));
}

/// The elements at a share of windows, in percent, a negative one from the largest (scipy.ndimage.percentile_filter),
/// found as medians: `percentile_filter(x, 20, 5)`. Throws value_error for more than a hundred.
template <expression E>
auto percentile_filter(const E& e, double percentile, const per_axis<std::int64_t>& size,
                       const filter_options& o = {}) {
    detail::require_order<E>();
    return detail::as_array_of(e, detail::record_percentile(detail::as_handle(e), percentile, size, o));
}

/// The smallest of the elements that count in windows: `minimum_filter(x, {.footprint = f})`, one kernel; only the
/// footprint is read. Throws shape_error for another rank, value_error where nothing counts.
template <expression E>
auto minimum_filter(const E& e, const footprint_options& o) {
    detail::require_order<E>();
    return detail::as_array_of(e,
                               detail::record_extreme_of_footprint(detail::extreme::minimum, detail::as_handle(e), o));
}
/// The largest of the elements that count in windows.
template <expression E>
auto maximum_filter(const E& e, const footprint_options& o) {
    detail::require_order<E>();
    return detail::as_array_of(e,
                               detail::record_extreme_of_footprint(detail::extreme::maximum, detail::as_handle(e), o));
}
/// The middle of the elements that count in windows: `median_filter(x, {.footprint = f})`.
template <expression E>
auto median_filter(const E& e, const footprint_options& o) {
    detail::require_order<E>();
    return detail::as_array_of(e, detail::record_rank_of_footprint("median_filter", detail::as_handle(e), {}, o));
}
/// Those of a rank among the elements that count in windows.
template <expression E>
auto rank_filter(const E& e, std::int64_t rank, const footprint_options& o) {
    detail::require_order<E>();
    return detail::as_array_of(e, detail::record_rank_of_footprint("rank_filter", detail::as_handle(e), rank, o));
}
/// Those at a share, in percent, of the elements that count in windows.
template <expression E>
auto percentile_filter(const E& e, double percentile, const footprint_options& o) {
    detail::require_order<E>();
    return detail::as_array_of(e, detail::record_percentile_of_footprint(detail::as_handle(e), percentile, o));
}

/// The sum of second derivatives of Gaussians along all axes (scipy.ndimage.gaussian_laplace). Integers are converted
/// once, behind all axes, where SciPy does it behind each.
template <expression E>
auto gaussian_laplace(const E& e, const per_axis<double>& sigma, const derivative_options& o = {}) {
    return detail::as_array_of(e, detail::record_gaussian_laplace(detail::as_handle(e), sigma, o));
}
/// The length of the gradient by first derivatives of Gaussians (scipy.ndimage.gaussian_gradient_magnitude); integers
/// as in gaussian_laplace.
template <expression E>
auto gaussian_gradient_magnitude(const E& e, const per_axis<double>& sigma, const derivative_options& o = {}) {
    return detail::as_array_of(e, detail::record_gaussian_gradient(detail::as_handle(e), sigma, o));
}

/// Differences along one axis, smoothed by 1, 2, 1 along the others (scipy.ndimage.sobel). Integers are converted once,
/// behind all axes, where SciPy does it behind each.
template <expression E>
auto sobel(const E& e, std::int64_t axis = -1, const derivative_options& o = {}) {
    const double smooth[] = {1, 2, 1};
    return detail::as_array_of(e, detail::record_smoothed_difference("sobel", detail::as_handle(e), axis, smooth, o));
}
/// Differences along one axis, smoothed by 1, 1, 1 along the others (scipy.ndimage.prewitt).
template <expression E>
auto prewitt(const E& e, std::int64_t axis = -1, const derivative_options& o = {}) {
    const double smooth[] = {1, 1, 1};
    return detail::as_array_of(e, detail::record_smoothed_difference("prewitt", detail::as_handle(e), axis, smooth, o));
}
/// The sum of second differences along all axes (scipy.ndimage.laplace).
template <expression E>
auto laplace(const E& e, const derivative_options& o = {}) {
    return detail::as_array_of(e, detail::record_laplace(detail::as_handle(e), o));
}

}  // namespace sinter::inline SINTER_ABI::ndimage

#if SINTER_HEADER_ONLY
#include <sinter/ndimage/filters.ipp>
#endif
