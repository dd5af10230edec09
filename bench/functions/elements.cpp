// Rows of functions of elements: types, integers, complex numbers, polynomials and special functions.
#include "functions.hpp"

#include <sinter/special.hpp>

using namespace sinter;

namespace bench {

namespace {

using complex = std::complex<float>;

function_rows of_types() {
    return {
        {"copy",
         [](const sizes& s) { return computing([](const auto& x) { return x + 1.0f; }, hashed({s.line(1e8)})); }},
        {"map_float64",
         [](const sizes& s) {
             return computing([](const auto& x) { return sin(x) * exp(-x); }, hashed<double>({s.line(5e7)}));
         }},
        {"map_float16",
         [](const sizes& s) {
             return computing([](const auto& x) { return x * x + 1.0f; }, hashed<half>({s.line(2e8)}));
         }},
        {"map_bfloat16",
         [](const sizes& s) {
             return computing([](const auto& x) { return tanh(x); }, hashed<bfloat16>({s.line(2e8)}));
         }},
        {"map_int32",
         [](const sizes& s) {
             return computing([](const auto& x) { return (x ^ (x >> 7)) * 3 + 1; },
                              hashed_whole<std::int32_t>({s.line(1e8)}, 1e6));
         }},
        {"divide_int32",
         [](const sizes& s) {
             return computing([](const auto& x, const auto& y) { return floor_divide(x, y); },
                              hashed_whole<std::int32_t>({s.line(1e8)}, 1e6),
                              array<std::int32_t>(hashed_whole<std::int32_t>({s.line(1e8)}, 100, 2) + 1).eval());
         }},
        {"remainder_int64",
         [](const sizes& s) {
             return computing([](const auto& x) { return x % 97; }, hashed_whole({s.line(5e7)}, 1e9));
         }},
        {"remainder_float32",
         [](const sizes& s) {
             return computing([](const auto& x) { return sinter::remainder(x, 0.125f); },
                              hashed_around_zero({s.line(1e8)}));
         }},
        {"complex_abs",
         [](const sizes& s) { return computing([](const auto& z) { return abs(z); }, hashed_complex({s.line(5e7)})); }},
        {"complex_exp",
         [](const sizes& s) { return computing([](const auto& z) { return exp(z); }, hashed_complex({s.line(5e7)})); }},
        {"complex_multiply",
         [](const sizes& s) {
             return computing([](const auto& z) { return z * z + complex(0.5f, 1); }, hashed_complex({s.line(5e7)}));
         }},
        {"image_to_gray",
         [](const sizes& s) {
             return computing(
                 [](const auto& x) {
                     array<float> f = astype<float>(x);
                     return astype<std::uint8_t>(0.25f * f(all, all, 0) + 0.5f * f(all, all, 1) +
                                                 0.25f * f(all, all, 2));
                 },
                 hashed_whole<std::uint8_t>({s.side(8192), s.side(8192), 3}, 256));
         }},
    };
}

function_rows of_numbers() {
    return {
        {"where_broadcast",
         [](const sizes& s) {
             return computing(
                 [](const auto& x, const auto& r, const auto& c) { return where(x > 0.5f, r, c(all, newaxis)); },
                 hashed({s.side(8192), s.side(8192)}), hashed({s.side(8192)}, 2), hashed({s.side(8192)}, 3));
         }},
        {"clip_round",
         [](const sizes& s) {
             return computing([](const auto& x) { return round(clip(x * 10.0f, 1.0f, 8.0f), 1); },
                              hashed({s.line(1e8)}));
         }},
        {"horner_10",
         [](const sizes& s) {
             return computing(
                 [](const auto& x) {
                     array<float> y = x * 0.1f + 1.0f;
                     for (int i = 0; i < 9; ++i) y = y * x + 0.1f * static_cast<float>(i);
                     return y;
                 },
                 hashed({s.line(1e8)}));
         }},
        {"arctan2_hypot",
         [](const sizes& s) {
             return computing([](const auto& x, const auto& y) { return arctan2(y, x) + hypot(x, y); },
                              hashed_around_zero({s.line(5e7)}), hashed_around_zero({s.line(5e7)}, 2));
         }},
        {"power",
         [](const sizes& s) {
             return computing([](const auto& x, const auto& y) { return power(x, y); }, hashed({s.line(5e7)}),
                              hashed({s.line(5e7)}, 2));
         }},
        {"isclose",
         [](const sizes& s) {
             return computing([](const auto& x, const auto& y) { return isclose(x, y, {.rtol = 0.1}); },
                              hashed({s.line(5e7)}), hashed({s.line(5e7)}, 2));
         }},
    };
}

function_rows special_functions() {
    return {
        {"erf",
         [](const sizes& s) {
             return computing([](const auto& x) { return erf(x); }, hashed_around_zero({s.line(1e8)}));
         }},
        {"gammaln",
         [](const sizes& s) {
             return computing([](const auto& x) { return lgamma(x + 0.5f); }, hashed({s.line(5e7)}));
         }},
        {"digamma",
         [](const sizes& s) {
             return computing([](const auto& x) { return digamma(x + 0.5); }, hashed<double>({s.line(2e7)}));
         }},
        {"i0",
         [](const sizes& s) { return computing([](const auto& x) { return i0(x * 5.0f); }, hashed({s.line(5e7)})); }},
        {"j1",
         [](const sizes& s) {
             return computing([](const auto& x) { return special::j1(x * 20.0); }, hashed<double>({s.line(1e7)}));
         }},
        {"ndtri",
         [](const sizes& s) {
             return computing([](const auto& x) { return ndtri(x * 0.9 + 0.05); }, hashed<double>({s.line(2e7)}));
         }},
        {"gammainc",
         [](const sizes& s) {
             return computing([](const auto& a, const auto& x) { return special::gammainc(a * 10.0 + 0.5, x * 10.0); },
                              hashed<double>({s.line(5e6)}), hashed<double>({s.line(5e6)}, 2));
         }},
        {"betainc",
         [](const sizes& s) {
             return computing([](const auto& x) { return special::betainc(2.5, 3.5, x); },
                              hashed<double>({s.line(5e6)}));
         }},
        {"norm_pdf",
         [](const sizes& s) {
             return computing([](const auto& x) { return exp(x * x * -0.5) / std::sqrt(2 * pi); },
                              hashed_around_zero<double>({s.line(5e7)}));
         }},
        {"norm_logpdf",
         [](const sizes& s) {
             return computing([](const auto& x) { return stats::norm::logpdf(x); },
                              hashed_around_zero<double>({s.line(5e7)}));
         }},
    };
}

}  // namespace

function_rows functions_of_elements() {
    function_rows rows;
    for (auto part : {of_types, of_numbers, special_functions})
        for (const function_row& row : part()) rows.push_back(row);
    return rows;
}

}  // namespace bench
