// Rows of random numbers.
#include "functions.hpp"

using namespace sinter;

namespace bench {

function_rows random_functions() {
    return {
        {"normal",
         [](const sizes& s) { return drawing([n = s.line(1e8)] { return random::normal<float>(0, 1, {n}); }); }},
        {"integers",
         [](const sizes& s) { return drawing([n = s.line(1e8)] { return random::integers(0, 1000, {n}); }); }},
        {"exponential",
         [](const sizes& s) { return drawing([n = s.line(5e7)] { return random::exponential(1.0, {n}); }); }},
        {"gamma", [](const sizes& s) { return drawing([n = s.line(1e7)] { return random::gamma(2.5, 1.0, {n}); }); }},
        {"poisson", [](const sizes& s) { return drawing([n = s.line(1e7)] { return random::poisson(4.5, {n}); }); }},
        {"binomial",
         [](const sizes& s) { return drawing([n = s.line(1e7)] { return random::binomial(20, 0.3, {n}); }); }},
        {"permutation", [](const sizes& s) { return drawing([n = s.line(1e7)] { return random::permutation(n); }); }},
        {"choice",
         [](const sizes& s) {
             return drawing([n = s.line(1e7)](const auto& x) { return random::choice(x, {n}); }, hashed({s.line(1e6)}));
         }},
        {"choice_weighted",
         [](const sizes& s) {
             array<double> w = hashed<double>({1000}, 3);
             array<double> p = array<double>(w / sum(w)).eval();
             return drawing(
                 [n = s.line(1e7)](const auto& x, const auto& p) { return random::choice(x, {n}, {.p = p}); },
                 hashed({1000}), p);
         }},
    };
}

}  // namespace bench
