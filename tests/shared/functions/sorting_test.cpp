// Sorting against std::stable_sort and NumPy: every type, awkward lengths, stacks and axes, ties, NaN and both zeros.
#include <algorithm>
#include <bit>
#include <numeric>

#include "support/backends.hpp"
#include "support/language_golden.hpp"

using namespace sinter;
using namespace test_backends;
using golden::check;
using golden::data;

namespace {

// numpy's order: NaN last, complex numbers with a NaN behind those without.
template <class T>
bool stands_before(const T& a, const T& b) {
    if constexpr (requires { a.real(); }) {
        int p = 2 * std::isnan(a.real()) + std::isnan(a.imag()), q = 2 * std::isnan(b.real()) + std::isnan(b.imag());
        if (p != q) return p < q;
        if (stands_before(a.real(), b.real())) return true;
        return !stands_before(b.real(), a.real()) && stands_before(a.imag(), b.imag());
    } else {
        return a < b || (a == a && b != b);
    }
}

enum class kind { random, few, equal, sorted, reversed };

// Elements with ties, both zeros, infinities, NaN of both signs and the extremes of integers among them.
template <class T>
std::vector<T> elements(std::size_t n, kind k) {
    std::vector<T> v(n);
    std::uint64_t state = 12345;
    auto next = [&] { return (state = state * 6364136223846793005ull + 1442695040888963407ull) >> 20; };
    auto number = [&](std::uint64_t r) -> T {
        if constexpr (std::is_same_v<T, bool>) return r % 2;
        else if constexpr (std::is_integral_v<T>)
            return r % 11 == 0   ? std::numeric_limits<T>::min()
                   : r % 13 == 0 ? std::numeric_limits<T>::max()
                                 : static_cast<T>(r * r);
        else if constexpr (std::is_floating_point_v<T>) {
            const T special[] = {T(0),
                                 T(-0.0),
                                 std::numeric_limits<T>::infinity(),
                                 -std::numeric_limits<T>::infinity(),
                                 std::numeric_limits<T>::quiet_NaN(),
                                 -std::numeric_limits<T>::quiet_NaN(),
                                 std::numeric_limits<T>::denorm_min(),
                                 -std::numeric_limits<T>::denorm_min()};
            return r % 5 == 0 ? special[r / 5 % 8]
                              : T(static_cast<std::int64_t>(r % 20001) - 10000) * T(0.37) * T(r % 3 == 0 ? 1e-3 : 1e3);
        } else {
            using R = typename T::value_type;
            const R part[] = {R(1),
                              R(-2),
                              R(0),
                              R(-0.0),
                              std::numeric_limits<R>::quiet_NaN(),
                              R(7),
                              R(0.5),
                              std::numeric_limits<R>::infinity()};
            return T(r % 3 ? part[r / 3 % 8] : R(r % 100), part[r / 24 % 8]);
        }
    };
    for (std::size_t i = 0; i < n; ++i) v[i] = number(k == kind::random ? next() : k == kind::few ? next() % 7 : 9);
    if (k == kind::sorted || k == kind::reversed) {
        for (std::size_t i = 0; i < n; ++i) v[i] = number(next());
        std::stable_sort(v.begin(), v.end(), stands_before<T>);
        if (k == kind::reversed) std::reverse(v.begin(), v.end());
    }
    return v;
}

template <class T>
array<T> stored(const std::vector<T>& v, const dims& shape) {
    std::vector<std::conditional_t<std::is_same_v<T, bool>, char, T>> plain(v.begin(), v.end());
    return array<T>(sinter::detail::store(dtype_of<T>, shape, plain.data()));
}

template <class T>
bool same_bits(const T& a, const T& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

// A row of a result against what std::stable_sort makes of it.
template <class T>
void check_row(const std::vector<T>& row, const T* sorted, const std::int64_t* positions) {
    std::vector<std::int64_t> order(row.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
        return stands_before<T>(row[static_cast<std::size_t>(a)], row[static_cast<std::size_t>(b)]);
    });
    int wrong = 0, misplaced = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
        T want = row[static_cast<std::size_t>(order[i])];
        wrong += sorted && !same_bits(sorted[i], want);
        misplaced += positions && positions[i] != order[i];
    }
    CHECK(wrong == 0);
    CHECK(misplaced == 0);
}

template <class T>
void check_vector(std::size_t n, kind k) {
    CAPTURE(std::string(to_string(dtype_of<T>)));
    CAPTURE(n);
    CAPTURE(static_cast<int>(k));
    std::vector<T> v = elements<T>(n, k);
    array<T> x = stored(v, dims(n));
    auto values = to_host(sort(x));
    auto places = to_host(argsort(x));
    check_row(v, values.data(), places.data());
}

// Lengths on both sides of where a GPU's kernels change; the first type is tried with all, the others with some.
template <class... T>
void check_types() {
    for (std::size_t n : {0, 1, 2, 31, 33, 64, 65, 256, 257, 1023, 1024, 1025, 4097})
        check_vector<float>(n, kind::random);
    for (kind k : {kind::few, kind::equal, kind::sorted, kind::reversed}) check_vector<float>(1023, k);
    (
        [] {
            check_vector<T>(0, kind::random);
            for (kind k : {kind::random, kind::few, kind::equal, kind::sorted, kind::reversed}) check_vector<T>(131, k);
            check_vector<T>(9001, kind::random);
        }(),
        ...);
}

}  // namespace

TEST_CASE("words are sorted by what is left of them where their upper halves are equal") {
    on_compiling_backends([](const tested_backend&) {
        const std::int64_t n = 9001;
        std::vector<std::uint64_t> words(static_cast<std::size_t>(n));
        std::vector<std::int64_t> order(words.size());
        for (std::size_t i = 0; i < words.size(); ++i) {
            // Upper halves of one word, of two and of hundreds; some words twice.
            const std::uint64_t upper = i % 5 == 0 ? i * 2654435761u : i % 5 == 1 ? i / 10 : i % 41;
            words[i] = upper << 32 | (i * i * 40503) % 1009;
            order[i] = static_cast<std::int64_t>(i);
        }
        std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
            return words[static_cast<std::size_t>(a)] < words[static_cast<std::size_t>(b)];
        });
        const array<std::uint64_t> x = asarray(words);
        const codegen::call_info how(codegen::routine::argsort, codegen::call_info::spread);
        CHECK(to_vector(array<std::int64_t>(detail::record_sort(how, x.get_handle(), 0))) == order);
    });
}

TEST_CASE("sort and argsort of every type are std::stable_sort's") {
    on_every_backend([](const tested_backend&) {
        check_types<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                    std::uint32_t, std::uint64_t, double, std::complex<float>, std::complex<double>>();
    });
}

// A stack of short rows, of which the last do not fill a warp or a thread block.
template <class T>
void check_rows(std::int64_t rows, std::int64_t length, kind k) {
    CAPTURE(std::string(to_string(dtype_of<T>)));
    CAPTURE(rows);
    CAPTURE(length);
    CAPTURE(static_cast<int>(k));
    const std::vector<T> v = elements<T>(static_cast<std::size_t>(rows * length), k);
    const array<T> x = stored(v, dims{rows, length});
    const auto values = to_host(sort(x));
    const auto places = to_host(argsort(x));
    for (std::int64_t begin = 0; begin < rows * length; begin += length)
        check_row(std::vector<T>(v.begin() + begin, v.begin() + begin + length), values.data() + begin,
                  places.data() + begin);
}

TEST_CASE("short rows of every length are sorted, whatever number of them there is") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t length :
             {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257})
            for (std::int64_t rows : {1, 2, 37}) check_rows<float>(rows, length, kind::random);
        for (std::int64_t length : {3, 8, 20, 511, 512, 513, 1023, 1025}) check_rows<float>(21, length, kind::few);
        for (std::int64_t length : {600, 1000, 1024}) check_rows<float>(5, length, kind::random);
        check_rows<float>(1031, 1, kind::random);
        check_rows<float>(777, 5, kind::reversed);
        check_rows<float>(131, 30, kind::few);
    });
}

template <class... T>
void check_short_rows() {
    (
        [] {
            for (std::int64_t length : {1, 5, 16, 33, 64}) check_rows<T>(length == 5 ? 300 : 19, length, kind::random);
            for (kind k : {kind::few, kind::equal, kind::sorted, kind::reversed}) check_rows<T>(43, 29, k);
            for (std::int64_t length : {129, 200, 256, 257, 500, 999}) check_rows<T>(5, length, kind::random);
        }(),
        ...);
}

TEST_CASE("short rows of every type are sorted, equal elements in the order in which they stand") {
    on_every_backend([](const tested_backend&) {
        check_short_rows<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                         std::uint32_t, std::uint64_t, double, std::complex<float>, std::complex<double>>();
    });
}

TEST_CASE("both zeros and NaN of several kinds keep their order and their bits in short rows") {
    on_every_backend([](const tested_backend&) {
        const std::uint32_t some[] = {0x80000000u, 0u,          0x7fc00001u, 0xffc00000u, 0x3f800000u,
                                      0x80000000u, 0xbf800000u, 0x7fffffffu, 0xffffffffu, 0u,
                                      0x7f800000u, 0xff800000u, 0x00000001u};
        for (std::int64_t length : {2, 6, 13, 16, 40, 64, 100, 300, 700}) {
            CAPTURE(length);
            std::vector<float> v;
            for (std::int64_t i = 0; i < 9 * length; ++i)
                v.push_back(std::bit_cast<float>(some[(i * i + i / length) % (i / length % 3 ? 13 : 2)]));
            const auto values = to_host(sort(stored(v, dims{9, length})));
            const auto places = to_host(argsort(stored(v, dims{9, length})));
            for (std::int64_t begin = 0; begin < 9 * length; begin += length)
                check_row(std::vector<float>(v.begin() + begin, v.begin() + begin + length), values.data() + begin,
                          places.data() + begin);
        }
    });
}

TEST_CASE("long vectors are sorted in tiles") {
    on_every_backend([](const tested_backend&) {
        for (kind k : {kind::random, kind::few, kind::equal, kind::sorted, kind::reversed})
            check_vector<float>(20011, k);
        check_vector<float>(100003, kind::random);
        check_vector<double>(40009, kind::random);
        check_vector<std::int32_t>(7680, kind::random);
        check_vector<std::int32_t>(7681, kind::random);
        check_vector<std::uint8_t>(100003, kind::random);
        check_vector<std::complex<double>>(10007, kind::few);
    });
}

// Rows of several tiles, each of the digits of a mask: elements differ in them alone.
template <class T>
void check_digits(const std::vector<std::uint64_t>& masks) {
    CAPTURE(std::string(to_string(dtype_of<T>)));
    constexpr std::size_t length = 9001;
    std::vector<T> v;
    for (std::uint64_t mask : masks)
        for (std::uint64_t i = 0; i < length; ++i)
            v.push_back(static_cast<T>((i * 0x9e3779b97f4a7c15ull & mask) | (0x0123456789abcdefull & ~mask)));
    const array<T> x = stored(v, dims{static_cast<std::int64_t>(masks.size()), static_cast<std::int64_t>(length)});
    const auto values = to_host(sort(x));
    const auto places = to_host(argsort(x));
    for (std::size_t row = 0; row < masks.size(); ++row) {
        CAPTURE(masks[row]);
        const std::size_t begin = row * length, end = begin + length;
        check_row(std::vector<T>(v.data() + begin, v.data() + end), values.data() + begin, places.data() + begin);
    }
}

TEST_CASE("long rows whose elements agree in some digits are sorted by the others, each row by its own") {
    on_every_backend([](const tested_backend&) {
        check_digits<std::int64_t>({0xffff, 0, 0xff00ff00ff, 0xff00, 0xffull << 56, ~0ull});
        check_digits<std::uint32_t>({0x00ffff00});
        check_digits<std::uint16_t>({0, 0xff00, 0x00ff});
        check_digits<std::int8_t>({0, 0x70});
    });
}

TEST_CASE("lanes of a warp may have one digit, two, or one for half of them") {
    on_every_backend([](const tested_backend&) {
        for (int period : {1, 2, 33, 64}) {
            CAPTURE(period);
            std::vector<std::uint64_t> v;
            for (int i = 0; i < 9001; ++i)
                v.push_back(static_cast<std::uint64_t>(i / 7 % period % 2 ? i * 40503 % 65536 : 77));
            const auto values = to_host(sort(stored(v, dims{9001})));
            const auto places = to_host(argsort(stored(v, dims{9001})));
            check_row(v, values.data(), places.data());
        }
    });
}

TEST_CASE("stacks are sorted row by row along any axis") {
    on_every_backend([](const tested_backend&) {
        for (dims shape : {dims{3, 5}, dims{70, 33}, dims{4, 1023}, dims{1, 300}, dims{0, 4}, dims{4, 0},
                           dims{2, 3, 200}, dims{3, 8001}})
            for (int axis = -1; axis < shape.size(); ++axis) {
                CAPTURE(to_string(shape));
                CAPTURE(axis);
                std::vector<float> v = elements<float>(static_cast<std::size_t>(shape.product()), kind::random);
                array<float> x = stored(v, shape);
                int a = axis < 0 ? shape.size() - 1 : axis;
                auto rows = to_host(moveaxis(x, a, -1)), sorted = to_host(moveaxis(sort(x, axis), a, -1));
                auto places = to_host(moveaxis(argsort(x, axis), a, -1));
                std::int64_t n = shape[a], count = n ? shape.product() / n : 0;
                CHECK(to_string(sort(x, axis).shape()) == to_string(shape));
                for (std::int64_t r = 0; r < count; ++r)
                    check_row(std::vector<float>(rows.data() + r * n, rows.data() + (r + 1) * n), sorted.data() + r * n,
                              places.data() + r * n);
            }
    });
}

TEST_CASE("views and expressions are sorted as what they show") {
    on_every_backend([](const tested_backend&) {
        std::vector<float> v = elements<float>(2000, kind::random);
        array<float> x = stored(v, dims(2000));
        auto reversed = to_host(sort(x(slice(none, none, -1))));
        check_row(std::vector<float>(v.rbegin(), v.rend()), reversed.data(), nullptr);
        std::vector<float> part;
        for (std::size_t i = 3; i < 1900; i += 7) part.push_back(v[i] * 2 + 1);
        auto sorted = to_host(sort(x(slice(3, 1900, 7)) * 2 + 1) + 0);
        std::stable_sort(part.begin(), part.end(), stands_before<float>);
        for (std::size_t i = 0; i < part.size(); ++i)
            CHECK(bool(sorted[static_cast<std::int64_t>(i)] == part[i] || part[i] != part[i]));
        array<float> middle = x(slice(500, 1500));
        auto inner = to_host(sort(middle));
        check_row(std::vector<float>(v.begin() + 500, v.begin() + 1500), inner.data(), nullptr);
        auto again = to_vector(x);
        CHECK(std::memcmp(again.data(), v.data(), 4 * v.size()) == 0);
    });
}

TEST_CASE("sorts are NumPy's") {
    on_every_backend([](const tested_backend&) {
        array<double> a = data<double>({9, 6}, 1);
        array<std::complex<float>> z = data<std::complex<float>>({10}, 2);
        check("sort", sort(a));
        check("sort axis 0", sort(a, 0));
        check("argsort", argsort(a));
        check("argsort axis 0", argsort(a, 0));
        check("sort complex", sort(z));
    });
}

TEST_CASE("an axis that is not there is refused when the sort is written") {
    on_every_backend([](const tested_backend&) {
        CHECK_THROWS_AS(sort(zeros({3}), 1), index_error);
        CHECK_THROWS_AS(argsort(full({}, 2.0)), index_error);
    });
}

TEST_CASE("a sort is stored once for all that reads it") {
    on_compiling_backends([](const tested_backend&) {
        array<float> x = stored(elements<float>(1000, kind::random), dims(1000));
        array<float> s = sort(x * 2);
        CHECK(explain(s).kernels() == 1);
        CHECK(explain(s).library_calls() == 1);
        (s + 1).eval();
        CHECK(explain(s(0)).kernels() == 0);
    });
}
