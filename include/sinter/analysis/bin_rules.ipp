// Bodies of bin_rules.hpp.
#pragma once

#include <algorithm>
#include <sinter/analysis/bin_rules.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/term.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

/// What rules know of a vector in float64.
struct sample {
    handle x;
    double size;
    double length = 0;  ///< from the smallest to the largest

    double mean_of(const term& t) const {
        return read_item(record_reduce(codegen::reduction::sum, t, 1, false), {}).as<double>() / size;
    }
};

SINTER_INLINE sample sample_of(const handle& x, codegen::span<const double> range) {
    sample s{record_cast(x, dtype::float64), 0};
    if (!range.empty()) {
        const term t = s.x;
        s.x = record_compress(t >= range[0] && t <= range[1], s.x, 0);
    }
    s.size = static_cast<double>(s.x->shape[0]);
    if (s.x->shape[0] == 0) return s;
    const handle ends[] = {record_reduce(codegen::reduction::min, s.x, 1, false),
                           record_reduce(codegen::reduction::max, s.x, 1, false)};
    evaluate(ends);
    s.length = read_item(ends[1], {}).as<double>() - read_item(ends[0], {}).as<double>();
    return s;
}

SINTER_INLINE double deviation_of(const sample& s, double& mean) {
    mean = s.mean_of(s.x);
    const term away = term(s.x) - mean;
    return codegen::ieee::sqrt(s.mean_of(away * away));
}

// Doane's, which adds bins for what is skewed.
SINTER_INLINE double width_by_doane(const sample& s) {
    double mean = 0;
    const double n = s.size, sigma = n > 2 ? deviation_of(s, mean) : 0;
    if (!(sigma > 0)) return 0;
    const term away = (term(s.x) - mean) / sigma;
    const double skewness = s.mean_of(away * away * away),
                 error = codegen::ieee::sqrt(6 * (n - 2) / ((n + 1) * (n + 3)));
    return s.length / (1 + codegen::ieee::log2(n) + codegen::ieee::log2(1 + codegen::ieee::fabs(skewness) / error));
}

// Freedman's and Diaconis', from the distance of the quartiles.
SINTER_INLINE double width_by_quartiles(const sample& s) {
    const double shares[] = {25, 75};
    const handle q = record_quantiles({.name = "percentile", .shares = shares, .whole = 100, .stacked = true}, s.x,
                                      axes(), false, dtype::float64);
    double ends[2];
    read(q, ends);
    return 2 * (ends[1] - ends[0]) * codegen::ieee::pow(s.size, -1.0 / 3);
}

SINTER_INLINE double width_by_rule(std::string_view rule, const sample& s) {
    double mean = 0;
    const double by_sturges = s.length / (codegen::ieee::log2(s.size) + 1),
                 by_root = s.length / codegen::ieee::sqrt(s.size);
    if (rule == "sturges") return by_sturges;
    if (rule == "sqrt") return by_root;
    if (rule == "rice") return s.length / (2 * codegen::ieee::pow(s.size, 1.0 / 3));
    if (rule == "scott")
        return codegen::ieee::cbrt(24 * codegen::ieee::sqrt(3.14159265358979323846) / s.size) * deviation_of(s, mean);
    if (rule == "doane") return width_by_doane(s);
    if (rule == "fd") return width_by_quartiles(s);
    return std::min(std::max(width_by_quartiles(s), by_root / 2), by_sturges);
}

SINTER_INLINE std::int64_t bins_by_rule(std::string_view rule, const handle& x, codegen::span<const double> range,
                                        double low, double high) {
    const std::string_view known[] = {"auto", "doane", "fd", "rice", "scott", "sqrt", "sturges"};
    if (codegen::find(std::begin(known), std::end(known), rule) == std::end(known))
        throw value_error("[histogram] bins are not chosen by " + std::string(rule) +
                          ", but by auto, doane, fd, rice, scott, sqrt or sturges");
    const sample s = sample_of(x, range);
    double width = s.x->shape[0] == 0 ? 0 : width_by_rule(rule, s);
    if (!(width > 0)) return 1;
    if (codegen::kind_rank(x->type) == 1 && width < 1) width = 1;
    const double count = codegen::ieee::ceil((high - low) / width);
    if (!(count < 0x1p40))
        throw value_error("[histogram] the rule " + std::string(rule) +
                          " makes too many bins: " + std::to_string(count));
    return static_cast<std::int64_t>(count);
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
