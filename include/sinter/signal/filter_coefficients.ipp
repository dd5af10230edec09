// Bodies of filter_coefficients.hpp.
#pragma once

#include <sinter/array/printing/digits.hpp>
#include <sinter/array/reading.hpp>
#include <sinter/signal/filter_coefficients.hpp>
#include <sinter/signal/polynomial_factors.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::signal::detail {

SINTER_INLINE std::vector<double> numbers_of(std::string_view operation, const handle& x) {
    if (x->shape.size() != 1 || x->shape[0] == 0)
        throw shape_error("[" + std::string(operation) + "] coefficients are no vector: " + to_string(x->shape));
    std::vector<double> v(static_cast<std::size_t>(x->shape[0]));
    read(x, v.data());
    return v;
}

SINTER_INLINE filter_sections section_of(std::string_view operation, const handle& b, const handle& a) {
    const std::vector<double> above = numbers_of(operation, b), below = numbers_of(operation, a);
    filter_section s{{above.begin(), above.end()}, {below.begin(), below.end()}};
    const long double first = s.a[0];
    if (first == 0) throw value_error("[" + std::string(operation) + "] a[0] is zero");
    const std::size_t n = std::max(s.a.size(), s.b.size());
    for (auto* list : {&s.b, &s.a}) {
        list->resize(n, 0);
        for (long double& x : *list) x /= first;
    }
    return {s};
}

SINTER_INLINE filter_sections sections_of(std::string_view operation, const handle& sos) {
    if (sos->shape.size() != 2 || sos->shape[1] != 6 || sos->shape[0] == 0)
        throw shape_error("[" + std::string(operation) +
                          "] sections are not of shape (n, 6): " + to_string(sos->shape));
    std::vector<double> v(static_cast<std::size_t>(sos->shape.product()));
    read(sos, v.data());
    filter_sections all;
    for (std::size_t at = 0; at < v.size(); at += 6) {
        if (v[at + 3] != 1)
            throw value_error("[" + std::string(operation) + "] a section's denominator begins with " +
                              sinter::detail::number_text(v[at + 3]) + " instead of 1");
        const double* section = &v[at];
        all.push_back({{section, section + 3}, {section + 3, section + 6}});
    }
    return all;
}

// What a constant 1 is divided by.
SINTER_INLINE long double sum_of_denominator(std::string_view operation, const filter_section& s) {
    const long double sum = exact_sum(s.a);
    if (sum == 0)
        throw linalg_error("[" + std::string(operation) +
                           "] no state is steady: the coefficients of a denominator sum to 0");
    return sum;
}

SINTER_INLINE std::vector<double> steady_state(std::string_view operation, const filter_section& s) {
    if (s.a.size() == 1) return {};
    wide_numbers moved(s.b);
    for (std::size_t k = 0; k < s.a.size(); ++k) moved[k] = k > 0 ? s.b[k] - s.a[k] * s.b[0] : 0;
    const long double first = exact_sum(moved) / sum_of_denominator(operation, s);
    std::vector<double> z{static_cast<double>(first)};
    long double so_far = 1, less = 0;
    for (std::size_t k = 1; k + 1 < s.a.size(); ++k) {
        so_far += s.a[k];
        less += moved[k];
        z.push_back(static_cast<double>(so_far * first - less));
    }
    return z;
}

SINTER_INLINE double steady_response(std::string_view operation, const filter_sections& f) {
    long double r = 1;
    for (const filter_section& s : f) r *= exact_sum(s.b) / sum_of_denominator(operation, s);
    return static_cast<double>(r);
}

}  // namespace sinter::inline SINTER_ABI::signal::detail

SINTER_IEEE_END
