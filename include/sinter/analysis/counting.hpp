// How often numbers occur, and how many elements lie in bins.
#pragma once

#include <sinter/codegen/base/span.hpp>
#include <sinter/functions/any_operand.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace sinter::inline SINTER_ABI {

/// Options of bincount: the least number of counts, and what each number counts instead of one.
struct bincount_options {
    std::int64_t minlength = 0;
    detail::any_array weights = {};
};

namespace detail {

/// The weights of elements, which are not left out.
template <int LeastKind, int MostKind>
struct given_weights {
    template <expression E>
        requires(codegen::kind_rank(dtype_of<value_type_t<E>>) >= LeastKind &&
                 codegen::kind_rank(dtype_of<value_type_t<E>>) <= MostKind)
    given_weights(const E& e) : value(e) {}
    any_array value;
};

// What stands in braces tells the type of the result: which of these it makes is known when the program is compiled.
struct counts_in_braces {
    std::int64_t minlength = 0;
};
struct sums_in_braces {
    std::int64_t minlength = 0;
    given_weights<0, 3> weights;
};

}  // namespace detail

/// Bins: a number of equal ones, their edges in ascending order, or a rule by which the data tells their number:
/// "auto", "doane", "fd", "rice", "scott", "sqrt" or "sturges". Edges that do not ascend throw value_error on the CPU;
/// on a GPU they are not looked at, since nothing is copied to the host, and bins of them hold what searchsorted finds.
class histogram_bins {
public:
    template <std::integral I>
    histogram_bins(I count) : count_(static_cast<std::int64_t>(count)) {}
    /// Edges in braces.
    template <detail::real_scalar... R>
        requires(sizeof...(R) > 1)
    histogram_bins(R... edges) : histogram_bins(array<double>{static_cast<double>(edges)...}) {}
    histogram_bins(std::string_view rule) : rule_(rule) {}
    histogram_bins(const char* rule) : rule_(rule) {}
    template <expression E>
    histogram_bins(const E& edges) : edges_(detail::as_handle(edges)) {
        static_assert(!codegen::is_complex(dtype_of<value_type_t<E>>), "sinter: edges of bins are real numbers");
    }
    std::int64_t count() const { return count_; }
    const detail::handle& edges() const { return edges_; }
    const std::string& rule() const { return rule_; }

private:
    std::int64_t count_ = 0;
    detail::handle edges_;
    std::string rule_;
};

/// Options of histogram: bins, the range that a number of equal ones covers, by default that of the data, whether the
/// result is a density, and what each element counts.
struct histogram_options {
    histogram_bins bins = 10;
    std::vector<double> range = {};
    bool density = false;
    detail::any_array weights = {};
};

namespace detail {

/// Whether the result is a density, which is not left out.
struct given_density {
    given_density(bool density) : value(density) {}
    bool value;
};

struct histogram_in_braces {
    histogram_bins bins = 10;
    std::vector<double> range = {};
};
template <int LeastKind, int MostKind>
struct weights_in_braces {
    histogram_bins bins = 10;
    std::vector<double> range = {};
    given_weights<LeastKind, MostKind> weights;
};
struct density_in_braces {
    histogram_bins bins = 10;
    std::vector<double> range = {};
    given_density density;
    any_array weights = {};
};

}  // namespace detail

/// Counts by bin, or sums of weights or a density, and the bins' edges.
template <class T = std::int64_t>
struct histogram_result {
    array<T> hist;
    array<double> bin_edges;
};

/// Options of histogram_bin_edges.
struct bin_edges_options {
    histogram_bins bins = 10;
    std::vector<double> range = {};
};

namespace detail {

handle record_bincount(const handle& x, const bincount_options& o, dtype type);
/// Widens an empty range by one; throws value_error for one that is not finite, or that goes backwards.
void require_range_of_bins(std::string_view name, double& low, double& high);
/// Given edges as float64: throws shape_error for fewer than two, value_error where those on the host descend.
handle given_edges(std::string_view name, const handle& edges);
/// The bin of each number, of edges in ascending order, and whether it has one.
std::pair<handle, handle> bins_between(const handle& x, const handle& edges);
/// Numbers, or weights of a type, summed by the places that exist.
handle record_sums_at(std::int64_t size, const handle& places, const handle& exists, const handle& weights, dtype type);
handle record_bin_edges(const handle& x, const histogram_bins& bins, codegen::span<const double> range);
std::pair<handle, handle> record_histogram(const handle& x, const histogram_options& o, dtype type);

template <class T>
constexpr void require_counts() {
    static_assert(!std::same_as<T, bool>, "sinter: counts are numbers");
}

}  // namespace detail

/// How often each of 0, 1, 2, … occurs in a vector of integers (numpy.bincount), int64, or sums of weights, float64:
/// `bincount(i, {.weights = w})`, `bincount(i, w)`; `bincount<float>(i, w)` in another type. Computes the vector;
/// throws value_error for a negative number, type_error for weights that the type does not hold.
template <class T = std::int64_t, expression E>
array<T> bincount(const E& e, const std::same_as<bincount_options> auto& o) {
    static_assert(codegen::kind_rank(dtype_of<value_type_t<E>>) < 2, "sinter: bincount counts integers");
    detail::require_counts<T>();
    return array<T>(detail::record_bincount(detail::as_handle(e), o, dtype_of<T>));
}
/// How often each of 0, 1, 2, … occurs in a vector of integers (numpy.bincount), int64.
template <class T = std::int64_t, expression E>
array<T> bincount(const E& e, const detail::counts_in_braces& o = {}) {
    return bincount<T>(e, bincount_options{.minlength = o.minlength});
}
/// Sums of weights by integers (numpy.bincount with weights), float64.
template <class T = double, expression E>
array<T> bincount(const E& e, const detail::sums_in_braces& o) {
    return bincount<T>(e, bincount_options{.minlength = o.minlength, .weights = o.weights.value});
}
/// How often each of 0, 1, 2, … occurs in a vector of integers (numpy.bincount), int64, of so many at least.
template <class T = std::int64_t, expression E, std::integral I>
array<T> bincount(const E& e, I minlength) {
    return bincount<T>(e, bincount_options{.minlength = static_cast<std::int64_t>(minlength)});
}
/// Sums of weights by integers (numpy.bincount with weights), float64, of so many at least.
template <class T = double, expression E, expression W>
array<T> bincount(const E& e, const W& weights, std::int64_t minlength = 0) {
    return bincount<T>(e, bincount_options{.minlength = minlength, .weights = weights});
}

/// How many elements lie in each of the bins (numpy.histogram); the last bin has its right edge too. Without a range
/// the data's own is computed. `auto [n, edges] = histogram(x, {.bins = 256})`. Counts and sums of weights that are
/// integers are int64, other sums and densities, `histogram(x, {.density = true})`, float64, unless a type is named:
/// `histogram<float>(x, {.weights = w})`. Throws value_error for bins and ranges that are none and for edges on the
/// host that descend; type_error for weights that the type does not hold, for weights beside a rule and for a density
/// of integers.
template <class T = std::int64_t, expression E>
histogram_result<T> histogram(const E& e, const std::same_as<histogram_options> auto& o) {
    static_assert(!codegen::is_complex(dtype_of<value_type_t<E>>), "sinter: histogram takes real numbers");
    detail::require_counts<T>();
    auto [counts, edges] = detail::record_histogram(detail::as_handle(e), o, dtype_of<T>);
    return {array<T>(counts), array<double>(edges)};
}
/// How many elements lie in each of the bins (numpy.histogram).
template <class T = std::int64_t, expression E>
histogram_result<T> histogram(const E& e, const detail::histogram_in_braces& o = {}) {
    return histogram<T>(e, histogram_options{.bins = o.bins, .range = o.range});
}
/// Sums of weights by bin (numpy.histogram), int64 of integers.
template <class T = std::int64_t, expression E>
histogram_result<T> histogram(const E& e, const detail::weights_in_braces<0, 1>& o) {
    return histogram<T>(e, histogram_options{.bins = o.bins, .range = o.range, .weights = o.weights.value});
}
/// Sums of weights by bin (numpy.histogram), else float64.
template <class T = double, expression E>
histogram_result<T> histogram(const E& e, const detail::weights_in_braces<2, 3>& o) {
    return histogram<T>(e, histogram_options{.bins = o.bins, .range = o.range, .weights = o.weights.value});
}
/// The density of elements, or of weights, in each of the bins (numpy.histogram), float64.
template <class T = double, expression E>
histogram_result<T> histogram(const E& e, const detail::density_in_braces& o) {
    return histogram<T>(
        e, histogram_options{.bins = o.bins, .range = o.range, .density = o.density.value, .weights = o.weights});
}
/// The same with so many bins, or with edges in a vector, and with a range: `histogram(x, 256)`, `histogram(x, 64, {0,
/// 1})`.
template <class T = std::int64_t, expression E, std::convertible_to<histogram_bins> B>
histogram_result<T> histogram(const E& e, const B& bins, const std::vector<double>& range = {}) {
    return histogram<T>(e, histogram_options{.bins = bins, .range = range});
}

/// The edges of the bins that histogram would use, float64 (numpy.histogram_bin_edges): `histogram_bin_edges(x,
/// "auto")`, `histogram_bin_edges(x, {.bins = 8, .range = {0, 1}})`. Reads what it needs of the data; throws what
/// histogram throws.
template <expression E>
array<double> histogram_bin_edges(const E& e, const bin_edges_options& o = {}) {
    static_assert(!codegen::is_complex(dtype_of<value_type_t<E>>), "sinter: histogram_bin_edges takes real numbers");
    return array<double>(detail::record_bin_edges(detail::as_handle(e), o.bins, o.range));
}
/// The edges of the bins that histogram would use, float64 (numpy.histogram_bin_edges).
template <expression E, std::convertible_to<histogram_bins> B>
array<double> histogram_bin_edges(const E& e, const B& bins) {
    return histogram_bin_edges(e, {.bins = bins});
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/analysis/counting.ipp>
#endif
