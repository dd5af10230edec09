// Peaks of signals (scipy.signal.find_peaks, peak_prominences, peak_widths).
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/creation.hpp>

#include <optional>

namespace sinter::inline SINTER_ABI::signal {

/// What a property of a peak may be: at least a number, `3`, between two, `{3, 5}`, at most one, `{none, 5}`, or
/// anything.
struct between {
    between() = default;
    between(double at_least) : is_given(true), low(at_least) {}
    between(double at_least, double at_most) : is_given(true), low(at_least), high(at_most) {}
    between(none_t, double at_most) : is_given(true), high(at_most) {}
    between(double at_least, none_t) : between(at_least) {}
    struct both {
        double low, high;
    };
    between(const both& limits) : between(limits.low, limits.high) {}
    bool is_given = false;
    double low = -codegen::ieee::infinity, high = codegen::ieee::infinity;
};

/// Options of find_peaks, each of which peaks must fulfil: height, the differences to both neighbours, how many
/// elements apart they are at least, the higher ones being kept, prominence, width, and the number of equal elements.
/// Prominences are looked for in windows of wlen elements; widths are measured at this part of the prominence below the
/// peak.
struct find_peaks_options {
    between height = {};
    between threshold = {};
    std::optional<double> distance = {};
    between prominence = {};
    between width = {};
    std::int64_t wlen = -1;
    double rel_height = 0.5;
    between plateau_size = {};
};

/// Peaks in order, and SciPy's properties of each; what is not read is not computed.
struct found_peaks {
    array<std::int64_t> peaks;
    array<double> peak_heights;
    array<std::int64_t> plateau_sizes, left_edges, right_edges;
    array<double> prominences;
    array<std::int64_t> left_bases, right_bases;
    array<double> widths, width_heights, left_ips, right_ips;
};

/// How far peaks rise above the higher one of the lowest places beside them, and where these are.
struct found_prominences {
    array<double> prominences;
    array<std::int64_t> left_bases, right_bases;
};
/// The widths of peaks, the heights at which they are measured, and where their sides are at these.
struct found_widths {
    array<double> widths, width_heights, left_ips, right_ips;
};
/// Options of peak_prominences: how many elements around a peak are looked at, by default all.
struct prominence_options {
    std::int64_t wlen = -1;
};
/// Options of peak_widths: the part of the prominence below the peak at which it is measured, what peak_prominences
/// gives where it is known, and its window.
struct width_options {
    double rel_height = 0.5;
    std::optional<found_prominences> prominence_data = {};
    std::int64_t wlen = -1;
};

namespace detail {

using namespace sinter::detail;

found_peaks peaks_of(const handle& x, const find_peaks_options& o);
found_prominences prominences_of(const handle& x, const array<std::int64_t>& peaks, const prominence_options& o);
found_widths widths_of(const handle& x, const array<std::int64_t>& peaks, const width_options& o);

}  // namespace detail

/// The local maxima of a vector, of a plateau the middle element (scipy.signal.find_peaks), computed in float64:
/// `find_peaks(x, {.height = 0.5, .distance = 20}).peaks`. Shapes depend on the data: the number of peaks is read after
/// each condition that is given, and with a distance their places and heights, which are chosen on the host. Throws
/// shape_error for what is no vector, value_error for a distance below 1.
template <expression X>
found_peaks find_peaks(const X& x, const find_peaks_options& o = {}) {
    static_assert(!codegen::is_complex(dtype_of<value_type_t<X>>), "sinter: complex elements have no order");
    return detail::peaks_of(detail::as_handle(x), o);
}

/// The prominences of peaks of a vector and their bases (scipy.signal.peak_prominences), float64: `peak_prominences(x,
/// find_peaks(x).peaks).prominences`; zero of what is no peak. Reads whether there are such elements; throws
/// shape_error for what is no vector, index_error for a peak that is no element.
template <expression X>
found_prominences peak_prominences(const X& x, const array<std::int64_t>& peaks, const prominence_options& o = {}) {
    static_assert(!codegen::is_complex(dtype_of<value_type_t<X>>), "sinter: complex elements have no order");
    return detail::prominences_of(detail::as_handle(x), peaks, o);
}
/// The widths of peaks of a vector (scipy.signal.peak_widths), float64: `peak_widths(x, peaks, {.rel_height = 1})`.
/// Throws as peak_prominences does, and value_error for a negative part of the height.
template <expression X>
found_widths peak_widths(const X& x, const array<std::int64_t>& peaks, const width_options& o = {}) {
    static_assert(!codegen::is_complex(dtype_of<value_type_t<X>>), "sinter: complex elements have no order");
    return detail::widths_of(detail::as_handle(x), peaks, o);
}
/// The same at a part of the prominence.
template <expression X>
found_widths peak_widths(const X& x, const array<std::int64_t>& peaks, double rel_height) {
    return peak_widths(x, peaks, {.rel_height = rel_height});
}

}  // namespace sinter::inline SINTER_ABI::signal

#if SINTER_HEADER_ONLY
#include <sinter/signal/peaks.ipp>
#endif
