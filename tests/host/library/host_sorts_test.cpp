// Sorts on the CPU against std::stable_sort where their ways part: networks, divisions, shared rows, keys cut short.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <sinter/sinter.hpp>
#include <vector>

using namespace sinter;

namespace {

enum class kind { bits, few, equal, ascending, descending, zeros_and_nan, low_bits, mostly_equal, partly_near };
constexpr kind kinds[] = {kind::bits,          kind::few,      kind::equal,        kind::ascending,  kind::descending,
                          kind::zeros_and_nan, kind::low_bits, kind::mostly_equal, kind::partly_near};

template <class T>
T special(std::uint64_t r) {
    if constexpr (std::is_floating_point_v<T>) {
        const T all[] = {T(-0.0),
                         T(0),
                         std::numeric_limits<T>::quiet_NaN(),
                         -std::numeric_limits<T>::quiet_NaN(),
                         T(r % 9) - T(4),
                         std::numeric_limits<T>::infinity(),
                         std::numeric_limits<T>::denorm_min()};
        return all[r % 7];
    } else {
        return r % 3 ? static_cast<T>(r) : r % 2 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
    }
}

template <class T>
std::vector<T> elements(std::int64_t n, kind k) {
    std::vector<T> v(static_cast<std::size_t>(n));
    std::uint64_t state = static_cast<std::uint64_t>(n) + 1, at = 0;
    for (T& x : v) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        const std::uint64_t r = (state ^ state >> 29) * 0x9e3779b97f4a7c15ull;
        const std::uint64_t low = (r >> 62) << 62 | (r >> 20) % 1000;  // keys that differ far up and far down
        ++at;
        if (k == kind::bits) std::memcpy(&x, &r, sizeof x);
        else if (k == kind::low_bits && sizeof x == 8) std::memcpy(&x, &low, sizeof x);
        else if (k == kind::few || k == kind::low_bits) x = static_cast<T>((r >> 32) % 7);
        else if (k == kind::zeros_and_nan) x = special<T>(r >> 32);
        else if (k == kind::equal) x = 5;
        else if (k == kind::mostly_equal) x = (r >> 32) % 1000 ? 6 : static_cast<T>((r >> 48) % 100);
        else if (k == kind::partly_near) x = static_cast<T>((r >> 40) % 5 < 3 ? (r >> 44) % 512 : r >> 1);
        else x = static_cast<T>(k == kind::ascending ? at : v.size() - at);
    }
    return v;
}

// How many elements and positions of the sorted rows are not those of std::stable_sort.
template <class T>
int differences(const std::vector<T>& v, std::int64_t rows, std::int64_t length) {
    const array<T> x(sinter::detail::store(dtype_of<T>, dims{rows, length}, v.data()));
    const auto values = to_host(sort(x)), again = to_host(x);
    const auto places = to_host(argsort(x));
    int wrong = std::memcmp(again.data(), v.data(), v.size() * sizeof(T)) != 0;
    std::vector<std::int64_t> order(static_cast<std::size_t>(length));
    for (std::int64_t row = 0; row < rows; ++row) {
        const T* from = v.data() + row * length;
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
            return from[a] < from[b] || (from[a] == from[a] && from[b] != from[b]);
        });
        for (std::int64_t i = 0; i < length; ++i) {
            const std::int64_t at = order[static_cast<std::size_t>(i)];
            wrong += std::memcmp(values.data() + row * length + i, from + at, sizeof(T)) != 0;
            wrong += places.data()[row * length + i] != at;
        }
    }
    return wrong;
}

template <class T>
void check(std::initializer_list<std::int64_t> lengths, std::int64_t rows, std::initializer_list<kind> some) {
    const device_scope on(device::cpu());
    for (std::int64_t length : lengths)
        for (kind k : some) {
            CAPTURE(std::string(to_string(dtype_of<T>)));
            CAPTURE(rows);
            CAPTURE(length);
            CAPTURE(static_cast<int>(k));
            CHECK(differences(elements<T>(rows * length, k), rows, length) == 0);
        }
}

template <class... T>
void check_types(std::initializer_list<std::int64_t> lengths, std::int64_t rows, std::initializer_list<kind> some) {
    (check<T>(lengths, rows, some), ...);
}

}  // namespace

TEST_CASE("rows as long as a network, one longer and one shorter are sorted, whatever the type") {
    for (kind k : kinds)
        check_types<float, double, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                    std::int64_t, std::uint64_t>(
            {0, 1, 2, 7, 8, 9, 16, 17, 31, 33, 48, 63, 64, 65, 95, 97, 127, 129, 191, 193, 255, 256}, 3, {k});
}

TEST_CASE("rows that are divided before networks sort them are sorted, whatever the type") {
    for (kind k : kinds)
        check_types<float, double, std::int8_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t,
                    std::uint64_t>({257, 300, 1023, 4097}, 3, {k});
    for (kind k : kinds) check_types<float, std::int64_t>({65536}, 1, {k});
}

TEST_CASE(
    "long rows are sorted whose keys lie evenly in their range, and those of which most lie in a few parts of it") {
    for (kind k : kinds) check_types<float, double, std::int32_t, std::uint64_t>({2048, 30011}, 2, {k});
}

TEST_CASE("a row that threads share comes out as one that a thread sorts alone") {
    for (kind k : kinds) check_types<float, double, std::int32_t, std::uint64_t>({65537, 140003}, 1, {k});
    check_types<double, std::int64_t>({1 << 20}, 1, {kind::low_bits, kind::zeros_and_nan});
    // As many rows as threads, or more, are not shared.
    check_types<float, std::int64_t>({70001}, 5, {kind::bits, kind::low_bits, kind::zeros_and_nan, kind::few});
}
