// Peaks of signals (scipy.signal.find_peaks).
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/creation.hpp>

#include <optional>

namespace sinter::inline SINTER_ABI::signal {

/// What a property of a peak may be: at least a number, `3`, or between two, `{3, 5}`.
struct between {
    between(double at_least) : low(at_least) {}
    between(double at_least, double at_most) : low(at_least), high(at_most) {}
    double low, high = codegen::ieee::infinity;
};

/// Options of find_peaks, each of which peaks must fulfil: height, the differences to both neighbours, how many
/// elements apart they are at least, the higher ones being kept, prominence, width, and the number of equal elements.
/// Prominences are looked for in windows of wlen elements; widths are measured at this part of the prominence below the
/// peak.
struct find_peaks_options {
    std::optional<between> height = {};
    std::optional<between> threshold = {};
    std::optional<double> distance = {};
    std::optional<between> prominence = {};
    std::optional<between> width = {};
    std::int64_t wlen = -1;
    double rel_height = 0.5;
    std::optional<between> plateau_size = {};
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

namespace detail {

using namespace sinter::detail;

found_peaks peaks_of(const handle& x, const find_peaks_options& o);

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

}  // namespace sinter::inline SINTER_ABI::signal

#if SINTER_HEADER_ONLY
#include <sinter/signal/peaks.ipp>
#endif
