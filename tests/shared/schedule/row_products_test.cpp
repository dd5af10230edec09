// Sums of rows of several operands: their bits in the order of rows, whatever rows' lengths.
#include "support/backends.hpp"

#include <sinter/sinter.hpp>

#include <cstdint>
#include <vector>

using namespace sinter;
using namespace test_backends;

namespace {

// Whole numbers over a power of two, whose products are exact, beside large ones, with which sums are not.
template <class T>
std::vector<T> numbers(std::int64_t count, std::uint64_t seed) {
    std::vector<T> v(static_cast<std::size_t>(count));
    for (T& x : v) {
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        const int number = static_cast<int>(seed >> 53) - 1024;
        x = static_cast<T>(std::is_integral_v<T> ? number : (seed >> 50) % 8 ? number / 1024. : number * 1048576.);
    }
    return v;
}

// Of up to 4096 numbers: lanes of 1024, fours of them, halves.
template <class A>
A sum_in_order(std::vector<A> x) {
    const std::size_t size = x.size(), lanes = size < 1024 ? size : 1024, groups = (lanes + 3) / 4;
    for (std::size_t i = 1024; i < size; ++i) x[i % 1024] += x[i];
    for (std::size_t g = 0; g < groups; ++g) {
        const std::size_t l = 4 * g, left = lanes - l;
        A pair = x[l];
        if (left > 1) pair += x[l + 1];
        if (left > 2) pair += left > 3 ? x[l + 2] + x[l + 3] : x[l + 2];
        x[g] = pair;
    }
    for (std::size_t h = 128; h > 0; h /= 2)
        for (std::size_t g = 0; g < h && g + h < groups; ++g) x[g] += x[g + h];
    return x[0];
}

template <class T, class A>
void check_products() {
    for (const std::int64_t n : {1,   2,   3,    5,    33,   34,   63,   64,   67,   127,  255,  257,
                                 511, 769, 1021, 1022, 1023, 1024, 1025, 1027, 2048, 3001, 4095, 4096}) {
        constexpr std::int64_t m = 7;
        const std::vector<T> a = numbers<T>(m * n, 1), b = numbers<T>(n, 2);
        const array<T> x = reshape(asarray(a), {m, n}), y = asarray(b);
        const auto sums = to_vector(sum(x * y, 1));
        for (std::int64_t i = 0; i < m; ++i) {
            std::vector<A> products;
            for (std::int64_t j = 0; j < n; ++j)
                products.push_back(static_cast<A>(
                    static_cast<T>(a[static_cast<std::size_t>(i * n + j)] * b[static_cast<std::size_t>(j)])));
            using S = typename decltype(sums)::value_type;
            INFO(to_string(dtype_of<T>), ": row ", i, " of ", n);
            CHECK(sums[static_cast<std::size_t>(i)] == static_cast<S>(sum_in_order(products)));
        }
    }
}

}  // namespace

TEST_CASE("rows: sums of products of rows are added in the one order, of any length up to a block") {
    on_every_backend([](const tested_backend&) {
        check_products<float, double>();
        check_products<double, double>();
        check_products<std::int32_t, std::int64_t>();
    });
}
