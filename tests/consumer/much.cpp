// A user's program that instantiates much of sinter, compiled by tests/checks/warnings.py with more warnings than
// sinter's own build has.
#include <sinter/image.hpp>
#include <sinter/progress.hpp>
#include <sinter/sinter.hpp>

#include <iostream>
#include <string>
#include <vector>

SINTER_CONSTANT(float, half_pi, 1.5707964f)
SINTER_STRUCT(point, { float x, y; })
SINTER_FUNCTION(
    turned, (float x, float y, int n)->point {
        for (int i = 0; i < n; ++i) {
            const float t = x;
            x = -y;
            y = t;
        }
        return point{x + half_pi, y};
    })
SINTER_FUNCTION(larger, (double a, double b)->double { return a > b ? a : b; })

namespace {

using namespace sinter;

template <class T>
void compute(const array<T>& x) {
    array<T> m = reshape(x, {2, -1});
    m(1, all) = m(0, slice(none, none, -1)) * 2 + 1;
    m(all, 0) += 1;
    m[m > 2] = 0;
    m *= 2;
    std::cout << m << repr(m.T()) << m.reshape(1, -1) << sum(m) << sum(m, 1, keepdims) << max(m, {0, 1}) << mean(m, 0)
              << stddev(m, 1, {.ddof = 1}) << argmin(m) << any(m > 1) << all(m > 1, 0) << cumsum(m, 1) << sort(m)
              << unique(m) << median(m, 1) << percentile(m, {25, 75}) << where(m > 1, m, 0) << clip(m, 0, 3)
              << astype<double>(m) << concatenate({m(slice(0, 1), all), m * 2}) << stack({m, -m}) << matmul(m, m.T())
              << einsum("ij,kj->ik", m, m) << pad(m, 1) << roll(m, 1) << flip(m, 1) << tile(m, {2, 1}) << diff(m)
              << histogram(m, {.bins = 4}).hist;
    for (auto row : m) std::cout << row / 2;
    const double total = double(sum(m)), first = static_cast<double>(m.item(0, 0));
    std::cout << total << first << (bool(all(m == m)) ? "same" : "other");
}

void compute_in_floats(const array<double>& x) {
    auto [u, s, vh] = linalg::svd(reshape(x, {2, 3}));
    std::cout << s << matmul(u, u.T()) << vh << fft::rfft(x) << linalg::norm(x) << exp(-square(x)) << arctan2(x, x)
              << hypot(x, 1.0) << isclose(x, x) << random::normal(0.0, 1.0, {3}) << convolve(x, x) << interp(x, x, x)
              << gradient(x) << softmax(x) << nan_to_num(x) << round(x, 1) << std::get<0>(meshgrid(x, x))
              << polyval(x, x) << std::string(linspace(0, 1, 3).size() > 2, '.');
    array<float> a = astype<float>(x);
    auto [p, q] = vectorize(turned)(a, a, 3);
    std::cout << p << q << reduce(larger, x) << accumulate(larger, x);
    graph step([](auto v, auto dt) { return v + dt * (mean(v) - v); });
    for (auto i : progress(2, "steps")) a = step(a, 0.1f * static_cast<float>(i));
    auto [z, n] = while_loop([](auto v, auto k) { return v < 4 && k < 9; },
                             [](auto v, auto k) { return std::tuple(v * 2, k + 1); }, x, 0);
    std::cout << z << n << explain(z) << for_loop(3, [](auto v) { return v / 2; }, x);
#if defined(__cpp_multidimensional_subscript)
    array<double> m = reshape(x, {2, 3});
    m[1, 2] = 5;
    m[all, slice(0, 2)] += 1;
    std::cout << m[0, 1] << std::as_const(m)[ellipsis, newaxis] << (m + 1)[1, all];
#endif
}

}  // namespace

int main() {
    compute(arange<double>(6));
    compute(arange<float>(6));
    compute(arange<std::int64_t>(6));
    compute(asarray(std::vector<std::vector<std::uint8_t>>{{1, 2, 3}, {4, 5, 6}}));
    compute_in_floats(arange<double>(6));
    save("x.npy", zeros({2, 2}));
    imsave("x.png", zeros({2, 2}));
}
