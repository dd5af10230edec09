// Covariances and correlations, bins of given edges, and histograms in two dimensions.
#pragma once

#include <sinter/codegen/base/sequence.hpp>
#include <sinter/analysis/counting.hpp>
#include <sinter/codegen/base/span.hpp>
#include <sinter/functions/ordering.hpp>

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace sinter::inline SINTER_ABI {

/// Options of cov: whether variables are rows, what is subtracted from the number of observations, by default 1 and
/// with `bias` 0, how often each observation counts, and its weight.
struct cov_options {
    bool rowvar = true;
    bool bias = false;
    std::optional<double> ddof = {};
    detail::any_array fweights = {};
    detail::any_array aweights = {};
};

/// Options of corrcoef: whether variables are rows.
struct corrcoef_options {
    bool rowvar = true;
};

/// Options of digitize: whether bins have their right edge and not their left one.
struct digitize_options {
    bool right = false;
};

/// Bins of both axes: a number or a vector of edges for both, or one for each.
class histogram2d_bins {
public:
    template <std::convertible_to<histogram_bins> B>
    histogram2d_bins(const B& both) : x(both), y(both) {}
    template <std::convertible_to<histogram_bins> X, std::convertible_to<histogram_bins> Y>
    histogram2d_bins(const X& of_x, const Y& of_y) : x(of_x), y(of_y) {}
    histogram_bins x, y;
};

/// Options of histogram2d: bins, the ranges of x and y that numbers of bins cover, by default those of the data,
/// whether the result is a density, and what each pair counts.
struct histogram2d_options {
    histogram2d_bins bins = 10;
    std::vector<std::vector<double>> range = {};
    bool density = false;
    detail::any_array weights = {};
};

/// Counts by bin, x along the first axis, and the edges along both.
struct histogram2d_result {
    array<double> hist;
    array<double> xedges;
    array<double> yedges;
};

/// Bins of each axis: a number, a vector of edges or one of these for each.
class histogramdd_bins {
public:
    template <std::convertible_to<histogram_bins> B>
    histogramdd_bins(const B& all_axes)
        : histogramdd_bins(std::initializer_list<histogram_bins>{histogram_bins(all_axes)}) {
        is_of_all_ = true;
    }
    histogramdd_bins(std::initializer_list<histogram_bins> each);
    histogramdd_bins(std::vector<histogram_bins> each);
    /// Those of so many axes; throws value_error.
    std::vector<histogram_bins> of(std::int64_t axes) const;

private:
    std::vector<histogram_bins> each_;
    bool is_of_all_ = false;
};

/// Options of histogramdd: bins, the range of each axis that numbers of bins cover, that of the data where it is empty,
/// whether the result is a density, and what each point counts.
struct histogramdd_options {
    histogramdd_bins bins = 10;
    std::vector<std::vector<double>> range = {};
    bool density = false;
    detail::any_array weights = {};
};

/// Counts by bin, an axis for each coordinate, and the edges along each.
struct histogramdd_result {
    array<double> hist;
    std::vector<array<double>> edges;
};

namespace detail {

handle record_cov(const handle& x, const handle& y, const cov_options& o);
handle record_corrcoef(const handle& x, const handle& y, bool rowvar);
handle record_digitize(const handle& x, const handle& bins, bool right);
/// Counts, or what is asked for besides, in a grid, and then the edges along each axis; of coordinates in float64.
struct grid_request {
    std::string_view name;
    std::vector<histogram_bins> bins;
    const std::vector<std::vector<double>>& range;
    bool density;
    const handle& weights;
};
codegen::sequence<handle> record_grid_counts(const grid_request& r, codegen::span<const handle> coordinates);
/// The columns of a matrix of points, or the one of a vector; throws shape_error.
codegen::sequence<handle> coordinates_of(const handle& points);

histogramdd_result histogram_of_coordinates(codegen::span<const handle> coordinates, const histogramdd_options& o);

template <expression E>
handle as_wide(const E& e) {
    return record_cast(as_handle(e), dtype_of<wide_type<value_type_t<E>>>);
}
template <class A, class B>
using wide_of_both = wide_type<result_type_t<value_type_t<A>, value_type_t<B>>>;

}  // namespace detail

/// Covariances of variables, whose observations lie along the rows of a matrix (numpy.cov), and those of a second array
/// beside them; float64 or complex128, a number where there is one variable. Throws shape_error, and type_error where
/// fweights are no integers.
template <expression E>
auto cov(const E& m, const cov_options& o = {}) {
    return array<detail::wide_type<value_type_t<E>>>(detail::record_cov(detail::as_wide(m), {}, o));
}
/// Covariances of variables, whose observations lie along the rows of a matrix (numpy.cov), and those of a second array
/// beside them.
template <expression A, expression B>
auto cov(const A& m, const B& y, const cov_options& o = {}) {
    using R = detail::wide_of_both<A, B>;
    return array<R>(detail::record_cov(detail::record_cast(detail::as_handle(m), dtype_of<R>),
                                       detail::record_cast(detail::as_handle(y), dtype_of<R>), o));
}
/// Coefficients of correlation: covariances over both deviations, within [-1, 1] (numpy.corrcoef).
template <expression E>
auto corrcoef(const E& m, corrcoef_options o = {}) {
    return detail::named_errors("corrcoef", [&] {
        return array<detail::wide_type<value_type_t<E>>>(detail::record_corrcoef(detail::as_wide(m), {}, o.rowvar));
    });
}
/// Coefficients of correlation.
template <expression A, expression B>
auto corrcoef(const A& m, const B& y, corrcoef_options o = {}) {
    using R = detail::wide_of_both<A, B>;
    return detail::named_errors("corrcoef", [&] {
        return array<R>(detail::record_corrcoef(detail::record_cast(detail::as_handle(m), dtype_of<R>),
                                                detail::record_cast(detail::as_handle(y), dtype_of<R>), o.rowvar));
    });
}

/// For each element, an array's or a number, the bin in which it lies (numpy.digitize), int64: i where bins[i - 1] <= x
/// < bins[i] of edges in ascending order, bins[i - 1] > x >= bins[i] of descending ones, which the first and the last
/// of them tell; others are not looked for. Throws shape_error when `bins` is no vector.
template <detail::operand X, expression B>
auto digitize(const X& x, const B& bins, digitize_options o = {}) {
    using T = result_type_t<typename detail::element_of_operand<X>::type, value_type_t<B>>;
    static_assert(!codegen::is_complex(dtype_of<T>), "sinter: digitize takes real numbers");
    return array<std::int64_t>(
        detail::record_digitize(detail::record_cast(detail::as_handle(detail::own_array_beside(x, bins)), dtype_of<T>),
                                detail::record_cast(detail::as_handle(bins), dtype_of<T>), o.right));
}

/// How many of the pairs of two vectors lie in each bin of a grid (numpy.histogram2d), float64: `auto [n, x_edges,
/// y_edges] = histogram2d(x, y, {.bins = {8, 16}})`; the last bins have their right edges too. Without edges and ranges
/// those of the data are read. Throws shape_error, and value_error for bins and ranges that are none and edges on
/// the host that descend.
template <expression X, expression Y>
histogram2d_result histogram2d(const X& x, const Y& y, const histogram2d_options& o = {}) {
    static_assert(!codegen::is_complex(dtype_of<value_type_t<X>>) && !codegen::is_complex(dtype_of<value_type_t<Y>>),
                  "sinter: histogram2d takes real numbers");
    const detail::handle xy[] = {detail::as_wide(x), detail::as_wide(y)};
    auto h = detail::record_grid_counts({"histogram2d", {o.bins.x, o.bins.y}, o.range, o.density, o.weights.value}, xy);
    return {array<double>(h[0]), array<double>(h[1]), array<double>(h[2])};
}

/// How many points lie in each bin of a grid of up to eight axes (numpy.histogramdd), float64: points are the rows of a
/// matrix of shape (N, D), or a std::tuple or range of their coordinates, each a vector: `auto [n, edges] =
/// histogramdd(points, {.bins = {4, 5, 6}})`. Throws as histogram2d does.
template <expression E>
histogramdd_result histogramdd(const E& points, const histogramdd_options& o = {}) {
    static_assert(!codegen::is_complex(dtype_of<value_type_t<E>>), "sinter: histogramdd takes real numbers");
    return detail::histogram_of_coordinates(detail::coordinates_of(detail::as_wide(points)), o);
}
/// How many points lie in each bin of a grid of up to eight axes (numpy.histogramdd), float64.
template <detail::array_sequence S>
    requires(!expression<S>)
histogramdd_result histogramdd(const S& coordinates, const histogramdd_options& o = {}) {
    static_assert(!codegen::is_complex(dtype_of<typename detail::sequence_traits<S>::type>),
                  "sinter: histogramdd takes real numbers");
    codegen::sequence<detail::handle> each;
    for (const detail::handle& h : detail::sequence_traits<S>::handles(coordinates))
        each.push_back(detail::record_cast(h, dtype::float64));
    return detail::histogram_of_coordinates(each, o);
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/analysis/statistics.ipp>
#endif
