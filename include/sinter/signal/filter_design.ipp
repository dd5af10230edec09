// Bodies of filter_design.hpp.
#pragma once

#include <sinter/array/constants.hpp>
#include <sinter/array/printing/digits.hpp>
#include <sinter/array/reading.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/signal/filter_design.hpp>

#include <algorithm>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::signal::detail {

SINTER_INLINE handle stored_sections(const std::vector<double>& sections) {
    return store(dtype::float64, dims(sections.size() / 6, 6), sections.data());
}

// The frequencies as shares of half the sampling frequency.
SINTER_INLINE std::vector<double> normalized(std::string_view operation, const std::vector<double>& given, double fs) {
    std::vector<double> shares;
    for (double f : given) {
        const double share = 2 * f / fs;
        if (!(share > 0) || !(share < 1) || (!shares.empty() && !(share > shares.back())))
            throw value_error("[" + std::string(operation) + "] frequencies do not ascend between 0 and half of " +
                              sinter::detail::number_text(fs) + ": " + sinter::detail::number_text(f));
        shares.push_back(share);
    }
    return shares;
}

// ---- finite responses

SINTER_INLINE double sinc(double x) { return x == 0 ? 1 : ieee::sin(pi * x) / (pi * x); }

SINTER_INLINE bool passes_zero(const firwin_options& o, std::size_t cutoffs) {
    const std::string_view name = o.pass_zero.name;
    if (name == "true" || name == "false") return name == "true";
    const bool is_low = name == "lowpass", is_stop = name == "bandstop";
    if (!is_low && !is_stop && name != "highpass" && name != "bandpass")
        throw value_error("[firwin] pass_zero is not lowpass, highpass, bandpass or bandstop: " + std::string(name));
    if ((is_low || name == "highpass") != (cutoffs == 1))
        throw value_error("[firwin] " + std::to_string(cutoffs) + " frequencies of a " + std::string(name) + " filter");
    return is_low || is_stop;
}

// Kaiser's window whose transition is so wide: its attenuation, and from that beta.
SINTER_INLINE window kaiser_of_width(std::int64_t taps, double width) {
    const double attenuation = 2.285 * static_cast<double>(taps - 1) * pi * width + 7.95;
    double beta = 0;
    if (attenuation > 50) beta = 0.1102 * (attenuation - 8.7);
    else if (attenuation > 21) beta = 0.5842 * ieee::pow(attenuation - 21, 0.4) + 0.07886 * (attenuation - 21);
    return window("kaiser", beta);
}

SINTER_INLINE std::vector<double> design_firwin(std::int64_t taps, const std::vector<double>& given,
                                                const firwin_options& o) {
    if (given.empty()) throw value_error("[firwin] at least one frequency is needed");
    std::vector<double> edges = normalized("firwin", given, o.fs);
    if (taps < 1) throw value_error("[firwin] a filter of " + std::to_string(taps) + " taps");
    const bool from_zero = passes_zero(o, edges.size()), to_end = (edges.size() % 2 == 1) != from_zero;
    if (to_end && taps % 2 == 0)
        throw value_error("[firwin] an even number of taps has no gain at half the sampling frequency: " +
                          std::to_string(taps));
    if (from_zero) edges.insert(edges.begin(), 0.0);
    if (to_end) edges.push_back(1.0);
    const window shape = o.width ? kaiser_of_width(taps, 2 * *o.width / o.fs) : o.window;
    const std::vector<double> weights = window_weights("firwin", shape, taps, false);
    const double middle = 0.5 * static_cast<double>(taps - 1);
    std::vector<double> h(static_cast<std::size_t>(taps), 0.0);
    for (std::size_t i = 0; i < h.size(); ++i) {
        const double m = static_cast<double>(i) - middle;
        for (std::size_t band = 0; band + 1 < edges.size(); band += 2)
            h[i] += edges[band + 1] * sinc(edges[band + 1] * m) - edges[band] * sinc(edges[band] * m);
        h[i] *= weights[i];
    }
    if (!o.scale) return h;
    const double left = edges[0], right = edges[1];
    const double at = left == 0 ? 0 : right == 1 ? 1 : 0.5 * (left + right);
    double gain = 0;
    for (std::size_t i = 0; i < h.size(); ++i) gain += h[i] * ieee::cos(pi * (static_cast<double>(i) - middle) * at);
    for (double& x : h) x /= gain;
    return h;
}

// ---- Butterworth's filters

// A complex number: the operators of std::complex follow the user's options.
struct root {
    double re = 0, im = 0;
    SINTER_COMPARES bool is_real() const { return im == 0; }
    double size() const { return ieee::hypot(re, im); }
    root conj() const { return {re, -im}; }
};
SINTER_INLINE root operator+(root a, root b) { return {a.re + b.re, a.im + b.im}; }
SINTER_INLINE root operator-(root a, root b) { return {a.re - b.re, a.im - b.im}; }
SINTER_INLINE root operator*(root a, root b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
SINTER_INLINE root operator/(root a, root b) {
    const double d = b.re * b.re + b.im * b.im;
    return {(a.re * b.re + a.im * b.im) / d, (a.im * b.re - a.re * b.im) / d};
}
SINTER_INLINE root square_root(root a) {
    const double size = a.size(), re = ieee::sqrt((size + ieee::fabs(a.re)) / 2);
    if (re == 0) return {};
    const double other = ieee::fabs(a.im) / (2 * re);
    return a.re >= 0 ? root{re, a.im < 0 ? -other : other} : root{other, a.im < 0 ? -re : re};
}

struct zeros_and_poles {
    std::vector<root> z, p;
    double k = 1;
};

SINTER_INLINE root product_of(const std::vector<root>& roots, root from) {
    root product{1, 0};
    for (root r : roots) product = product * (from - r);
    return product;
}

// s -> s / w
SINTER_INLINE void scale_band(zeros_and_poles& f, double w) {
    for (root& z : f.z) {
        z = z * root{w, 0};
        f.k *= 1 / w;
    }
    for (root& p : f.p) {
        p = p * root{w, 0};
        f.k *= w;
    }
}

// s -> w / s
SINTER_INLINE void invert_band(zeros_and_poles& f, double w) {
    f.k *= (product_of(f.z, {}) / product_of(f.p, {})).re;
    for (auto* list : {&f.z, &f.p})
        for (root& r : *list) r = root{w, 0} / r;
    f.z.resize(f.p.size(), root{});
}

// Two roots for each around a centre.
SINTER_INLINE std::vector<root> split_around(const std::vector<root>& roots, double centre) {
    std::vector<root> split = roots;
    for (std::size_t i = 0; i < roots.size(); ++i) {
        const root distance = square_root(roots[i] * roots[i] - root{centre * centre, 0});
        split[i] = roots[i] + distance;
        split.push_back(roots[i] - distance);
    }
    return split;
}

// The low-pass filter, or the high-pass one, moved to a band.
SINTER_INLINE void split_band(zeros_and_poles& f, double centre, double width, bool stop) {
    const std::size_t degree = f.p.size() - f.z.size();
    if (stop) {
        invert_band(f, width / 2);
        f.z.resize(f.z.size() - degree);
    } else {
        scale_band(f, width / 2);
        for (std::size_t i = 0; i < degree; ++i) f.k *= 2;
    }
    f.p = split_around(f.p, centre);
    f.z = split_around(f.z, centre);
    f.z.resize(f.z.size() + degree, stop ? root{0, centre} : root{});
    if (stop) f.z.resize(f.z.size() + degree, root{0, -centre});
}

SINTER_INLINE void to_digital(zeros_and_poles& f) {
    const root four{4, 0};
    f.k *= (product_of(f.z, four) / product_of(f.p, four)).re;
    for (auto* list : {&f.z, &f.p})
        for (root& r : *list) r = (four + r) / (four - r);
    f.z.resize(f.p.size(), root{-1, 0});
}

// The analog low-pass filter up to 1.
SINTER_INLINE zeros_and_poles prototype_of(const iir_request& r) {
    const int n = r.order;
    zeros_and_poles f;
    for (int m = 1 - n; m < n; m += 2) {
        const double angle = pi * m / (2.0 * n);
        f.p.push_back({-ieee::cos(angle), m == 0 ? 0 : -ieee::sin(angle)});
        if (r.family == iir_family::cheby2 && m != 0) f.z.push_back({0, 1 / ieee::sin(angle)});
    }
    if (r.family == iir_family::butter) return f;
    const bool is_second = r.family == iir_family::cheby2;
    const double ratio = ieee::sqrt(ieee::expm1(r.ripple / 10 * 2.3025850929940456840));
    const double mu = ieee::asinh(is_second ? ratio : 1 / ratio) / n;
    for (root& p : f.p) {
        p = {ieee::sinh(mu) * p.re, ieee::cosh(mu) * p.im};
        if (is_second) p = root{1, 0} / p;
    }
    f.k = (product_of(f.p, {}) / product_of(f.z, {})).re;
    if (!is_second && n % 2 == 0) f.k /= ieee::sqrt(1 + ratio * ratio);
    return f;
}

SINTER_INLINE zeros_and_poles designed(const iir_request& r, const std::vector<double>& given,
                                       const butter_options& o) {
    const auto is_any_of = [&](std::initializer_list<std::string_view> names) {
        return std::find(names.begin(), names.end(), o.btype) != names.end();
    };
    const bool is_low = is_any_of({"lowpass", "low", "lp", "l"}), is_high = is_any_of({"highpass", "high", "hp", "h"});
    const bool is_stop = is_any_of({"bandstop", "stop", "bands", "bs"});
    const std::string name = "[" + std::string(r.operation) + "] ";
    if (!is_low && !is_high && !is_stop && !is_any_of({"bandpass", "band", "pass", "bp"}))
        throw value_error(name + "btype is not lowpass, highpass, bandpass or bandstop: " + std::string(o.btype));
    if (r.order < 1) throw value_error(name + "the order is not positive: " + std::to_string(r.order));
    if (r.family != iir_family::butter && !(r.ripple > 0))
        throw value_error(name + "decibels are not positive: " + sinter::detail::number_text(r.ripple));
    std::vector<double> w = normalized(r.operation, given, o.fs);
    if (w.size() != (is_low || is_high ? 1u : 2u))
        throw value_error(name + std::to_string(w.size()) + " frequencies of a " + std::string(o.btype) + " filter");
    for (double& f : w) f = 4 * ieee::tan(pi * f / 2);
    zeros_and_poles f = prototype_of(r);
    if (is_low) scale_band(f, w[0]);
    else if (is_high) invert_band(f, w[0]);
    else split_band(f, ieee::sqrt(w[0] * w[1]), w[1] - w[0], is_stop);
    to_digital(f);
    return f;
}

SINTER_INLINE std::vector<double> polynomial(const std::vector<root>& roots) {
    std::vector<root> c{{1, 0}};
    for (root r : roots) {
        c.push_back({});
        for (std::size_t i = c.size() - 1; i > 0; --i) c[i] = c[i] - r * c[i - 1];
    }
    std::vector<double> real;
    for (root x : c) real.push_back(x.re);
    return real;
}

SINTER_INLINE std::array<std::vector<double>, 2> design_iir(const iir_request& r, const std::vector<double>& wn,
                                                            const butter_options& o) {
    const zeros_and_poles f = designed(r, wn, o);
    std::vector<double> b = polynomial(f.z);
    for (double& x : b) x *= f.k;
    return {b, polynomial(f.p)};
}

// ---- second-order sections

SINTER_INLINE bool is_before(root a, root b) { return a.re != b.re ? a.re < b.re : a.im < b.im; }

// One of each conjugate pair, by their real parts, and then the real ones.
SINTER_INLINE std::vector<root> without_conjugates(const std::vector<root>& roots) {
    std::vector<root> pairs, real;
    for (root r : roots) {
        if (ieee::fabs(r.im) <= 100 * 0x1p-52 * r.size()) real.push_back({r.re, 0});
        else if (r.im > 0) pairs.push_back(r);
    }
    std::sort(pairs.begin(), pairs.end(), is_before);
    std::sort(real.begin(), real.end(), is_before);
    pairs.insert(pairs.end(), real.begin(), real.end());
    return pairs;
}

enum class sought : std::uint8_t { any, real, complex };

// Takes the root with the smallest distance, by a measure, out of a list.
template <class Distance>
SINTER_COMPARES root take_nearest(std::vector<root>& from, sought kind, Distance distance) {
    std::size_t best = from.size();
    double least = ieee::infinity;
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (kind != sought::any && from[i].is_real() != (kind == sought::real)) continue;
        if (const double d = distance(from[i]); best == from.size() || d < least) {
            best = i;
            least = d;
        }
    }
    const root found = from.at(best);
    from.erase(from.begin() + static_cast<std::ptrdiff_t>(best));
    return found;
}

SINTER_INLINE std::int64_t count_real(const std::vector<root>& roots) {
    return codegen::count_if(roots.begin(), roots.end(), [](root r) { return r.is_real(); });
}

// The next section's roots: the pole that is nearest to the unit circle, and the zeros that are nearest to that.
SINTER_INLINE std::array<std::vector<root>, 2> next_section(std::vector<root>& z, std::vector<root>& p) {
    auto from_circle = [](root r) { return ieee::fabs(1 - r.size()); };
    const root p1 = take_nearest(p, sought::any, from_circle);
    auto from_pole = [&](root r) { return (r - p1).size(); };
    if (p1.is_real() && count_real(p) == 0) return {{{take_nearest(z, sought::real, from_pole), {}}, {p1, {}}}};
    if (p.size() + 1 == z.size() && !p1.is_real() && count_real(p) == 1 && count_real(z) == 1) {
        const root z1 = take_nearest(z, sought::complex, from_pole);
        return {{{z1, z1.conj()}, {p1, p1.conj()}}};
    }
    const root p2 = p1.is_real() ? take_nearest(p, sought::real, from_circle) : p1.conj();
    const root z1 = take_nearest(z, sought::any, from_pole);
    const root z2 = z1.is_real() ? take_nearest(z, sought::real, from_pole) : z1.conj();
    return {{{z1, z2}, {p1, p2}}};
}

SINTER_INLINE std::vector<double> design_iir_sections(const iir_request& r, const std::vector<double>& wn,
                                                      const butter_options& o) {
    zeros_and_poles f = designed(r, wn, o);
    if (f.p.size() % 2) {
        f.p.push_back({});
        f.z.push_back({});
    }
    const std::size_t count = f.p.size() / 2;
    std::vector<root> z = without_conjugates(f.z), p = without_conjugates(f.p);
    std::vector<double> sections(6 * count);
    for (std::size_t i = count; i-- > 0;) {
        const auto [zeros, poles] = next_section(z, p);
        const std::vector<double> b = polynomial(zeros), a = polynomial(poles);
        for (std::size_t k = 0; k < 3; ++k) {
            sections[6 * i + k] = i == 0 ? f.k * b[k] : b[k];
            sections[6 * i + 3 + k] = a[k];
        }
    }
    return sections;
}

// ---- single frequencies

SINTER_INLINE std::array<std::vector<double>, 2> design_notch(std::string_view operation, double w0, double q,
                                                              double fs, bool is_peak) {
    const double middle = pi * normalized(operation, {w0}, fs)[0];
    const double beta = ieee::tan(middle / q / 2), gain = 1 / (1 + beta);
    std::vector<double> b{gain, -2 * gain * ieee::cos(middle), gain};
    if (is_peak) b = {1 - gain, 0, gain - 1};
    return {b, std::vector<double>{1, -2 * gain * ieee::cos(middle), 2 * gain - 1}};
}

}  // namespace sinter::inline SINTER_ABI::signal::detail

SINTER_IEEE_END
