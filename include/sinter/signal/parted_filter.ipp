// Bodies of parted_filter.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/signal/parted_filter.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::signal::detail {

/// A number of the complex plane, by its distance from zero and its direction.
struct plane_point {
    double radius, angle;
};

/// A factor's root in 1/x that is farthest from zero, of a pair the one above.
SINTER_COMPARES inline plane_point root_of_factor(const wide_numbers& f) {
    const double f1 = static_cast<double>(f[1]), f2 = f.size() > 2 ? static_cast<double>(f[2]) : 0;
    const double below = f1 * f1 / 4 - f2;
    if (below >= 0) return {std::abs(f1) / 2 + std::sqrt(below), f1 > 0 ? std::numbers::pi : 0};
    return {std::sqrt(f2), std::acos(std::clamp(-f1 / 2 / std::sqrt(f2), -1.0, 1.0))};
}

/// The size of a factor where 1/x is a point.
inline double height_at(const wide_numbers& f, plane_point p) {
    double re = 0, im = 0, radius = 1;
    for (std::size_t i = 0; i < f.size(); ++i, radius /= p.radius) {
        re += static_cast<double>(f[i]) * radius * std::cos(p.angle * double(i));
        im -= static_cast<double>(f[i]) * radius * std::sin(p.angle * double(i));
    }
    return std::hypot(re, im);
}

/// A power of two that a section, of which this is the size of what it passes best, is to be multiplied by.
SINTER_COMPARES inline long double gain_for(const wide_numbers& zeros, const wide_numbers& poles) {
    const plane_point pole = root_of_factor(poles);
    const double aside = std::abs(1 - pole.radius);
    double most = 0;
    for (double angle : {pole.angle, pole.angle - aside, pole.angle + aside, 0.0, std::numbers::pi}) {
        const double height = height_at(poles, {1, angle});
        // A pole on the unit circle, or beyond, has no height of its own.
        if (height > 1e-12) most = std::max(most, height_at(zeros, {1, angle}) / height);
    }
    return most > 1e-12 && most < 1e12 ? std::exp2(-std::round(std::log2(most))) : 1.0;
}

/// Takes the factor out of a list that has the least size beside its coefficients, where 1/x is a point: its zeros are
/// the nearest; of none, 1.
SINTER_COMPARES inline wide_numbers take_nearest(std::vector<wide_numbers>& from, plane_point p) {
    std::size_t nearest = from.size();
    double least = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        double all = 0;
        for (long double c : from[i]) all += std::abs(static_cast<double>(c));
        const double away = height_at(from[i], p) / all;
        if (nearest < from.size() && away >= least) continue;
        nearest = i;
        least = away;
    }
    if (nearest == from.size()) return {1};
    wide_numbers taken = std::move(from[nearest]);
    from.erase(from.begin() + static_cast<std::ptrdiff_t>(nearest));
    return taken;
}

SINTER_INLINE wide_numbers product(const wide_numbers& a, const wide_numbers& b) {
    wide_numbers c(a.size() + b.size() - 1, 0);
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b.size(); ++j) c[i + j] += a[i] * b[j];
    return c;
}

SINTER_INLINE wide_numbers times(wide_numbers v, long double factor) {
    for (long double& x : v) x *= factor;
    return v;
}

SINTER_INLINE std::optional<parted_filter> part(const filter_section& s) {
    polynomial_factors poles = factors_of(s.a), zeros;
    if (!poles.found) return {};
    const auto first = std::find_if(s.b.begin(), s.b.end(), [](long double v) { return v != 0; });
    parted_filter all{s.b};
    if (first != s.b.end()) zeros = factors_of(times({first, s.b.end()}, 1 / *first));
    // Elements that are not taken until later are what is left of the numerator, and zeros beyond the poles.
    if (zeros.found) all.taps = product(wide_numbers(s.b.begin(), first + 1), {1});
    std::stable_sort(poles.all.begin(), poles.all.end(),
                     [](const wide_numbers& x, const wide_numbers& y)
                         SINTER_COMPARES { return root_of_factor(x).radius > root_of_factor(y).radius; });
    for (wide_numbers& f : poles.all) {
        wide_numbers b = take_nearest(zeros.all, root_of_factor(f));
        f.resize(std::max(b.size(), f.size()), 0);
        b.resize(f.size(), 0);
        const long double gain = gain_for(b, f);
        wide_numbers one(f.size(), 0);
        one[0] = gain;
        all.scale *= gain;
        all.poles.push_back({std::move(one), f});
        all.sections.push_back({times(std::move(b), gain), std::move(f)});
    }
    for (const wide_numbers& f : zeros.all) all.taps = product(all.taps, f);
    std::reverse(all.sections.begin(), all.sections.end());
    std::reverse(all.poles.begin(), all.poles.end());
    return all;
}

}  // namespace sinter::inline SINTER_ABI::signal::detail

SINTER_IEEE_END
