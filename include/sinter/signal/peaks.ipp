// Bodies of peaks.hpp.
#pragma once

#include <sinter/array/evaluate.hpp>
#include <sinter/array/host.hpp>
#include <sinter/array/printing/digits.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/picking.hpp>
#include <sinter/functions/scans.hpp>
#include <sinter/signal/peaks.hpp>
#include <sinter/user/map_index.hpp>

#include <algorithm>
#include <numeric>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::signal::detail {

// How far a peak rises above the higher one of the lowest places on both sides before the signal is higher, and where
// these lie; in a window of `window` elements, if that is not negative.
SINTER_FUNCTION(
    prominence_of,
    (long which, array_view<long, 1> peaks, array_view<double, 1> x, long window)->std::tuple<double, long, long> {
        const long peak = peaks(which), n = x.shape(0);
        const double top = x(peak);
        long first = 0, last = n - 1;
        if (window >= 2) {
            first = peak - window / 2 > 0 ? peak - window / 2 : 0;
            last = peak + window / 2 < n - 1 ? peak + window / 2 : n - 1;
        }
        long left = peak, right = peak;
        double lowest_left = top, lowest_right = top;
        for (long i = peak; i >= first && less_equal(x(i), top); --i)
            if (less(x(i), lowest_left)) {
                lowest_left = x(i);
                left = i;
            }
        for (long i = peak; i <= last && less_equal(x(i), top); ++i)
            if (less(x(i), lowest_right)) {
                lowest_right = x(i);
                right = i;
            }
        const double base = less(lowest_right, lowest_left) ? lowest_left : lowest_right;
        return {top - base, left, right};
    })

// Where a peak's sides cross a height, between its bases.
SINTER_FUNCTION(
    crossings_of, (long which, array_view<long, 1> peaks, array_view<double, 1> x, double height, long first, long last)
                      ->std::tuple<double, double> {
                          long i = peaks(which);
                          while (first < i && less(height, x(i))) --i;
                          double left = static_cast<double>(i);
                          if (less(x(i), height)) left += (height - x(i)) / (x(i + 1) - x(i));
                          i = peaks(which);
                          while (i < last && less(height, x(i))) ++i;
                          double right = static_cast<double>(i);
                          if (less(x(i), height)) right -= (height - x(i)) / (x(i - 1) - x(i));
                          return {left, right};
                      })

// The first and the last elements of runs of equal ones that are higher than their neighbours.
struct plateaus {
    array<std::int64_t> first, last;
    array<std::int64_t> middle() const { return floor_divide(first + last, 2); }
    std::int64_t count() const { return first.size(); }
    void keep(const array<bool>& mask) {
        const array<std::int64_t> kept = flatnonzero(mask);
        first = take(first, kept);
        last = take(last, kept);
    }
};

SINTER_INLINE plateaus local_maxima(const array<double>& x) {
    const std::int64_t n = x.size();
    if (n < 3) return {zeros<std::int64_t>({0}), zeros<std::int64_t>({0})};
    const array<std::int64_t> place = arange<std::int64_t>(1, n - 1);
    const array<double> here = x(slice(1, n - 1)), before = x(slice(0, n - 2)), behind = x(slice(2, n));
    const array<std::int64_t> start = cummax(where(here != before, place, 0));
    // A run that begins with the signal starts at 0 and has nothing before it.
    const array<bool> rises = take(x, maximum(start - 1, 0)) < here;
    const array<std::int64_t> last = flatnonzero(behind < here && rises && start > 0);
    return {take(start, last), last + 1};
}

SINTER_INLINE array<bool> is_between(const array<double>& v, const between& b) { return v >= b.low && v <= b.high; }

// Of peaks less than a distance apart the higher ones, as SciPy chooses them.
SINTER_INLINE void keep_distant(plateaus& p, const array<double>& x, double distance) {
    if (!(distance >= 1))
        throw value_error("[find_peaks] the distance is below 1: " + sinter::detail::number_text(distance));
    const array<std::int64_t> middle = p.middle();
    const std::vector<std::int64_t> places = to_vector(middle);
    const std::vector<double> heights = to_vector(take(x, middle));
    const auto apart = static_cast<std::int64_t>(ieee::ceil(distance));
    std::vector<std::size_t> order(places.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) SINTER_COMPARES { return heights[a] < heights[b]; });
    std::vector<char> keeps(places.size(), 1);
    for (std::size_t at = order.size(); at-- > 0;) {
        const std::size_t j = order[at];
        if (!keeps[j]) continue;
        for (std::size_t k = j; k-- > 0 && places[j] - places[k] < apart;) keeps[k] = 0;
        for (std::size_t k = j + 1; k < places.size() && places[k] - places[j] < apart; ++k) keeps[k] = 0;
    }
    p.keep(array<bool>(store(dtype::bool_, dims(keeps.size()), keeps.data())));
}

SINTER_INLINE found_prominences prominences_at(const array<double>& x, const array<std::int64_t>& peaks,
                                               std::int64_t wlen) {
    found_prominences r;
    std::tie(r.prominences, r.left_bases, r.right_bases) = map_index(peaks.shape(), prominence_of, peaks, x, wlen);
    return r;
}

SINTER_INLINE found_widths widths_at(const array<double>& x, const array<std::int64_t>& peaks,
                                     const found_prominences& rise, double rel_height) {
    found_widths r;
    r.width_heights = take(x, peaks) - rise.prominences * rel_height;
    std::tie(r.left_ips, r.right_ips) =
        map_index(peaks.shape(), crossings_of, peaks, x, r.width_heights, rise.left_bases, rise.right_bases);
    r.widths = r.right_ips - r.left_ips;
    return r;
}

SINTER_INLINE void add_properties(found_peaks& r, const plateaus& p, const array<double>& x,
                                  const find_peaks_options& o) {
    r.peaks = p.middle();
    r.peak_heights = take(x, r.peaks);
    r.left_edges = p.first;
    r.right_edges = p.last;
    r.plateau_sizes = p.last - p.first + 1;
    const found_prominences rise = prominences_at(x, r.peaks, o.wlen);
    const found_widths width = widths_at(x, r.peaks, rise, o.rel_height);
    r.prominences = rise.prominences;
    r.left_bases = rise.left_bases;
    r.right_bases = rise.right_bases;
    r.widths = width.widths;
    r.width_heights = width.width_heights;
    r.left_ips = width.left_ips;
    r.right_ips = width.right_ips;
}

SINTER_INLINE array<double> signal_of(std::string_view operation, const handle& given) {
    if (given->shape.size() != 1)
        throw shape_error("[" + std::string(operation) + "] a signal is a vector: " + to_string(given->shape));
    return array<double>(record_cast(given, dtype::float64));
}

SINTER_INLINE void require_places(std::string_view operation, const array<std::int64_t>& peaks, std::int64_t n) {
    if (peaks.ndim() != 1)
        throw shape_error("[" + std::string(operation) + "] peaks are a vector: " + to_string(peaks.shape()));
    if (any(peaks < std::int64_t{0} || peaks >= n).item())
        throw index_error("[" + std::string(operation) + "] a peak is none of " + std::to_string(n) + " elements");
}

SINTER_INLINE found_prominences prominences_of(const handle& given, const array<std::int64_t>& peaks,
                                               const prominence_options& o) {
    device_scope on(given->where);
    const array<double> x = signal_of("peak_prominences", given);
    require_places("peak_prominences", peaks, x.size());
    return prominences_at(x, peaks, o.wlen);
}

SINTER_INLINE found_widths widths_of(const handle& given, const array<std::int64_t>& peaks, const width_options& o) {
    if (!(o.rel_height >= 0))
        throw value_error("[peak_widths] no part of the height: " + sinter::detail::number_text(o.rel_height));
    device_scope on(given->where);
    const array<double> x = signal_of("peak_widths", given);
    require_places("peak_widths", peaks, x.size());
    return widths_at(x, peaks, o.prominence_data ? *o.prominence_data : prominences_at(x, peaks, o.wlen), o.rel_height);
}

SINTER_INLINE found_peaks peaks_of(const handle& given, const find_peaks_options& o) {
    device_scope on(given->where);
    const array<double> x = signal_of("find_peaks", given);
    plateaus p = local_maxima(x);
    auto keep_if = [&](const between& wanted, auto property) {
        if (wanted.is_given && p.count() > 0) p.keep(is_between(property(), wanted));
    };
    keep_if(o.plateau_size, [&] { return astype<double>(p.last - p.first + 1); });
    keep_if(o.height, [&] { return take(x, p.middle()); });
    if (o.threshold.is_given && p.count() > 0) {
        const array<std::int64_t> middle = p.middle();
        const array<double> top = take(x, middle), left = top - take(x, middle - 1), right = top - take(x, middle + 1);
        p.keep(minimum(left, right) >= o.threshold.low && maximum(left, right) <= o.threshold.high);
    }
    if (o.distance) keep_distant(p, x, *o.distance);
    found_peaks r;
    keep_if(o.prominence, [&] {
        add_properties(r, p, x, o);
        return r.prominences;
    });
    keep_if(o.width, [&] {
        add_properties(r, p, x, o);
        return r.widths;
    });
    add_properties(r, p, x, o);
    return r;
}

}  // namespace sinter::inline SINTER_ABI::signal::detail

SINTER_IEEE_END
