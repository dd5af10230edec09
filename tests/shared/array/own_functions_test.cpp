// Functions of users that have names of sinter's functions and take data of the host, beside `using namespace sinter`.
#include <array>
#include <concepts>
#include <sinter/sinter.hpp>
#include <span>
#include <vector>

#include "support/backends.hpp"

namespace own_functions {

using namespace sinter;

template <class V>
double square(const V& v) {
    double sum = 0;
    for (double x : v) sum += x * x;
    return sum;
}
template <class V, class W>
double hypot(const V& v, const W& w) {
    return v[0] + w[0];
}
template <class V>
double power(const V& v, int n) {
    return v[0] * n;
}
template <class V>
double cumsum(const V& v, int n) {
    return v[0] * n;
}
template <class V>
    requires std::same_as<V, std::vector<double>>
double sum(const V& v, int n) {
    return v[1] * n;
}
double mean(std::span<const double> v) { return v[0] + 0.5; }
double sort(const std::vector<double>& v) { return v[1]; }

// Called here, where both sets of functions are found.
double all_of(const std::vector<double>& v) {
    return square(v) + 100 * hypot(v, v) + power(v, 'A') + 1e3 * cumsum(v, 4) + 1e4 * sum(v, 3) + mean(v) + sort(v);
}

template <class V>
constexpr bool are_functions_of = requires(const V& v) { exp(v); } || requires(const V& v) { maximum(v, 2.0); } ||
                                  requires(const V& v) { maximum(2.0, v); } || requires(const V& v) { prod(v); } ||
                                  requires(const V& v) { median(v, 0); } || requires(const V& v) { flip(v); };

}  // namespace own_functions

TEST_CASE("a user's function of the name of one of sinter's is called for data of the host") {
    const std::vector<double> v{1, 2, 3};
    CHECK(own_functions::all_of(v) == 14 + 200 + 65 + 4e3 + 6e4 + 1.5 + 2);
}

TEST_CASE("a program may ask whether a function takes data of the host, and hears no") {
    CHECK_FALSE(own_functions::are_functions_of<std::vector<double>>);
    CHECK_FALSE(own_functions::are_functions_of<std::array<int, 3>>);
    CHECK_FALSE(own_functions::are_functions_of<double[3]>);
    CHECK(own_functions::are_functions_of<sinter::array<double>>);
}
