// The first elements of rows and elements of given ranks, selected and not sorted, against a stable sort of the host's.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <sinter/sinter.hpp>

#include "support/backends.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

std::uint64_t mixed(std::uint64_t x) {
    x = (x + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 31) * 0x94d049bb133111ebu;
    return x ^ x >> 29;
}

// What is in rows: all bits of a type, few different values, one value, or ever larger ones; of floating types with
// NaN of either sign, infinities and zeros of either sign.
enum class content : std::uint8_t { spread, few, equal, ascending };

template <class T>
T element_of(content what, std::int64_t i) {
    const std::uint64_t bits = mixed(static_cast<std::uint64_t>(i));
    if (what == content::equal) return T(1);
    if (what == content::ascending) return static_cast<T>(static_cast<double>(i % 100'000) / 3);
    if constexpr (std::is_floating_point_v<T>) {
        const T special[] = {T(0), -T(0), T(NAN), -T(NAN), T(INFINITY), -T(INFINITY), T(5e-324), T(-1)};
        if (what == content::few || bits % 31 == 0) return special[bits >> 32 & 7];
        return static_cast<T>(std::ldexp(static_cast<double>(bits >> 40) - 8e6, static_cast<int>(bits % 20) - 30));
    } else {
        return static_cast<T>(what == content::few ? bits >> 60 : bits);
    }
}

template <class T>
std::vector<T> elements(content what, std::int64_t n) {
    std::vector<T> v(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) v[static_cast<std::size_t>(i)] = element_of<T>(what, i);
    return v;
}

template <class T>
bool stands_before(T a, T b) {
    return a < b || (a == a && b != b);
}

// The positions of a row's elements in order; the largest first, equal ones in the order in which they stand.
template <class T>
std::vector<std::int64_t> order_of(const T* row, std::int64_t n, std::int64_t step, bool largest) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
        return largest ? stands_before(row[b * step], row[a * step]) : stands_before(row[a * step], row[b * step]);
    });
    return order;
}

template <class T>
bool same_bits(const T& a, const T& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

// Whether topk along an axis of a (before, n, behind) array finds what sorting finds, bit for bit.
template <class T>
bool finds_first(content what, const dims& shape, std::int64_t axis, std::int64_t k, bool largest) {
    const auto host = elements<typename std::conditional_t<std::is_same_v<T, bool>, std::type_identity<std::uint8_t>,
                                                           std::type_identity<T>>::type>(what, shape.product());
    array<T> x = reshape(astype<T>(asarray(host)), shape);
    const auto [values, indices] = topk(x, k, axis, {.largest = largest});
    const auto found = to_vector(indices);
    const host_array<T> all_of = to_host(x), got = to_host(values);
    const T* const from = all_of.data();
    std::int64_t step = 1;
    for (int i = shape.size() - 1; i > axis; --i) step *= shape[i];
    const std::int64_t n = shape[static_cast<int>(axis)], rows = shape.product() / n;
    for (std::int64_t r = 0; r < rows; ++r) {
        const std::int64_t first = r / step * n * step + r % step, to = r / step * k * step + r % step;
        const auto order = order_of(from + first, n, step, largest);
        for (std::int64_t i = 0; i < k; ++i) {
            const std::int64_t at = order[static_cast<std::size_t>(i)];
            if (found[static_cast<std::size_t>(to + i * step)] != at) return false;
            if (!same_bits(got.data()[to + i * step], from[first + at * step])) return false;
        }
    }
    return true;
}

template <class T>
bool finds_first_of_all(std::int64_t rows, std::int64_t n, std::int64_t k) {
    for (content what : {content::spread, content::few, content::equal, content::ascending})
        for (bool largest : {true, false})
            if (!finds_first<T>(what, {rows, n}, 1, k, largest)) return false;
    return true;
}

// Whether quantiles of rows are those of sorted ones, bit for bit where no arithmetic is.
template <class T>
bool finds_ranks(content what, std::int64_t rows, std::int64_t n) {
    const auto host = elements<T>(what, rows * n);
    const array<T> x = reshape(asarray(host), {rows, n});
    std::vector<double> shares;
    const std::int64_t ranks[] = {0, n / 3, n - 1};
    for (std::int64_t r : ranks) {
        const double share = static_cast<double>(r) / static_cast<double>(n - 1);
        // Only ranks that a share meets: between two, numbers are rounded.
        shares.push_back(share * static_cast<double>(n - 1) == static_cast<double>(r) ? share : 0);
    }
    const auto middle = to_vector(median(x, 1));
    for (std::int64_t row = 0; row < rows; ++row) {
        const T* from = host.data() + row * n;
        const auto order = order_of(from, n, 1, false);
        auto at = [&](std::int64_t r) { return from[order[static_cast<std::size_t>(r)]]; };
        using result = typename decltype(middle)::value_type;
        const result last = static_cast<result>(at(n - 1));
        result want = static_cast<result>(at((n - 1) / 2));
        if (n % 2 == 0) want = (want + static_cast<result>(at(n / 2))) / 2;
        if (last != last) want = last;
        const result got = middle[static_cast<std::size_t>(row)];
        if (want != want ? got == got : !same_bits(got, want)) return false;
        if (last != last) continue;
        for (double share : shares) {
            const auto rank = static_cast<std::int64_t>(share * static_cast<double>(n - 1));
            const result one = quantile(x(row, all), share).item();
            if (!same_bits(one, static_cast<result>(at(rank)))) return false;
        }
    }
    return true;
}

template <class T>
bool finds_ranks_of_all(std::int64_t rows, std::int64_t n) {
    for (content what : {content::spread, content::few, content::equal, content::ascending})
        if (!finds_ranks<T>(what, rows, n)) return false;
    return true;
}

}  // namespace

TEST_CASE("the first elements of rows of every type stand where a stable sort has them") {
    on_every_backend([](const tested_backend&) {
        CHECK(finds_first_of_all<float>(2, 5003, 50));
        CHECK(finds_first_of_all<double>(2, 4099, 7));
        CHECK(finds_first_of_all<bool>(2, 4097, 1024));
        CHECK(finds_first_of_all<std::int8_t>(2, 2050, 500));
        CHECK(finds_first_of_all<std::int16_t>(2, 3001, 33));
        CHECK(finds_first_of_all<std::int32_t>(2, 1024, 256));
        CHECK(finds_first_of_all<std::int64_t>(2, 4100, 1000));
        CHECK(finds_first_of_all<std::uint8_t>(2, 2049, 1));
        CHECK(finds_first_of_all<std::uint16_t>(2, 3001, 64));
        CHECK(finds_first_of_all<std::uint32_t>(2, 2500, 65));
        CHECK(finds_first_of_all<std::uint64_t>(2, 3073, 31));
    });
}

TEST_CASE("the first elements of half precision are those of float32, their own bits") {
    on_every_backend([](const tested_backend&) {
        const array<float> x = reshape(asarray(elements<float>(content::spread, 2 * 3001)), {2, 3001});
        const auto want = topk(astype<float>(astype<half>(x)), 40);
        const auto [values, indices] = topk(astype<half>(x), 40);
        CHECK(bool(all(indices == want.indices)));
        CHECK(bool(all(astype<float>(values) == want.values || isnan(want.values))));
        CHECK(bool(all(topk(astype<bfloat16>(x), 40).indices == topk(astype<float>(astype<bfloat16>(x)), 40).indices)));
    });
}

TEST_CASE("half of the elements of masks decide their medians, and complex numbers have first elements too") {
    on_every_backend([](const tested_backend&) {
        const array<int> x = reshape(asarray(elements<std::int32_t>(content::spread, 3 * 5001)), {3, 5001});
        const array<bool> mask = x % 3 == 0, other = x % 5 != 0;
        CHECK(to_vector(median(mask, 1)) == std::vector<double>{0, 0, 0});
        CHECK(to_vector(median(other, 1)) == std::vector<double>{1, 1, 1});
        const array<std::complex<float>> z = astype<std::complex<float>>(x);
        CHECK(bool(all(topk(z, 9).indices == topk(astype<float>(x), 9).indices)));
        const array<half> narrow = astype<half>(x % 2000);
        CHECK(bool(all(median(narrow, 1) == astype<half>(median(astype<float>(narrow), 1)))));
        CHECK(bool(all(quantile(narrow, 0.25, 1) == astype<half>(quantile(astype<float>(narrow), 0.25, 1)))));
    });
}

TEST_CASE("as many ranks as are counted side by side, and more, are those of sorted rows") {
    on_every_backend([](const tested_backend&) {
        const array<float> x = reshape(asarray(elements<float>(content::ascending, 2 * 50'001)), {2, 50'001});
        const array<float> sorted = sort(x, 1);
        for (const std::vector<double>& shares :
             {std::vector{0.5}, {0.25, 0.75}, {0.1, 0.5}, {0.0, 0.25, 0.5, 0.75, 1.0}}) {
            const array<double> found = quantile(x, shares, 1);
            for (std::size_t i = 0; i < shares.size(); ++i) {
                const auto rank = static_cast<std::int64_t>(shares[i] * 50'000);
                CHECK(bool(all(found(i) == astype<double>(sorted(all, rank)))));
            }
        }
    });
}

TEST_CASE("the first elements of short, long, few and many rows along any axis, however many are wanted") {
    on_every_backend([](const tested_backend& b) {
        for (std::int64_t n : {1, 2, 31, 1023, 1024, 1025, 4096, 7001})
            for (std::int64_t k : {std::int64_t{1}, n / 4, n / 2, n - 1, n}) {
                CAPTURE(n);
                CAPTURE(k);
                CHECK(finds_first<float>(content::spread, {3, n}, 1, k, true));
                CHECK(finds_first<float>(content::few, {3, n}, 1, k, false));
            }
        CHECK(finds_first<float>(content::spread, {1025, 3}, 0, 9, true));
        CHECK(finds_first<std::int32_t>(content::few, {3, 2049, 2}, 1, 11, true));
        CHECK(finds_first<double>(content::spread, {70'001}, 0, 100, true));
        if (b.is_interpreter()) return;
        CHECK(finds_first<float>(content::spread, {1, 300'007}, 1, 1000, true));
        CHECK(finds_first<float>(content::few, {2, 70'003}, 1, 1000, false));
        CHECK(finds_first<float>(content::ascending, {2, 99'991}, 1, 100, true));
        CHECK(finds_first<std::int16_t>(content::spread, {300, 1031}, 1, 5, true));
    });
}

TEST_CASE("medians and quantiles of rows of every type are elements of the sorted rows, bit for bit") {
    on_every_backend([](const tested_backend&) {
        CHECK(finds_ranks_of_all<float>(3, 5003));
        CHECK(finds_ranks_of_all<float>(2, 4096));
        CHECK(finds_ranks_of_all<double>(2, 4099));
        CHECK(finds_ranks_of_all<double>(2, 1024));
        CHECK(finds_ranks_of_all<double>(5, 257));
        CHECK(finds_ranks_of_all<float>(5, 409));
        CHECK(finds_ranks_of_all<std::int64_t>(5, 521));
        CHECK(finds_ranks_of_all<std::int8_t>(2, 5000));
        CHECK(finds_ranks_of_all<std::int16_t>(2, 5001));
        CHECK(finds_ranks_of_all<std::int32_t>(2, 4997));
        CHECK(finds_ranks_of_all<std::int64_t>(2, 4999));
        CHECK(finds_ranks_of_all<std::uint8_t>(2, 5000));
        CHECK(finds_ranks_of_all<std::uint32_t>(2, 5002));
        CHECK(finds_ranks_of_all<std::uint64_t>(2, 5003));
    });
}

TEST_CASE("medians of rows that several thread blocks share, of columns and of many rows") {
    on_every_backend([](const tested_backend& b) {
        CHECK(finds_ranks_of_all<float>(1, 70'001));
        CHECK(finds_ranks_of_all<std::int32_t>(2, 70'000));
        if (!b.is_interpreter()) CHECK(finds_ranks_of_all<double>(1, 200'002));
        if (!b.is_interpreter()) CHECK(finds_ranks<float>(content::spread, 300, 5001));
        const array<float> x = reshape(asarray(elements<float>(content::ascending, 5003 * 3)), {5003, 3});
        CHECK(bool(all(median(x, 0) == median(transpose(x), 1))));
        CHECK(bool(all(percentile(x, {25, 75}, 0) == stack(std::tuple(percentile(x, 25, 0), percentile(x, 75, 0))))));
    });
}

TEST_CASE("a median of elements with both zeros has the sign of the one that stands there") {
    on_every_backend([](const tested_backend&) {
        std::vector<float> v(5001, 0.0f);
        for (std::size_t i = 0; i < v.size(); ++i) v[i] = i % 3 == 1 ? -0.0f : 0.0f;
        v[2500] = -0.0f;
        CHECK(std::signbit(median(asarray(v)).item()));
        v[2500] = 0.0f;
        CHECK_FALSE(std::signbit(median(asarray(v)).item()));
    });
}
