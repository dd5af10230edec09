// Many values that meet at positions, which a GPU sorts by these: in order, few or many at a place, of every size.
#include <cmath>
#include <cstring>
#include <limits>

#include "support/backends.hpp"
#include "support/language_golden.hpp"
#include "support/scatter_places.hpp"

using namespace sinter;
using namespace test_backends;
using golden::data;
using namespace scatter_places;
using index_array = array<std::int64_t>;

namespace {

template <class T>
void check_sums(const std::vector<std::int64_t>& at, std::int64_t size) {
    CAPTURE(std::string(to_string(dtype_of<T>)));
    CAPTURE(size);
    const auto count = static_cast<std::int64_t>(at.size());
    const array<T> base = data<T>({size}, 3), v = data<T>({count}, 4);
    const auto values = to_host(v);
    auto added = to_host(base);
    for (std::int64_t i = 0; i < count; ++i) {
        T& x = added[at[static_cast<std::size_t>(i)]];
        x = wrapped_sum(x, values[i]);
    }
    array<T> b = base;
    scatter_add(b, index_array(asarray(at)), v);
    const auto got = to_host(b);
    CHECK(std::memcmp(got.data(), added.data(), sizeof(T) * added.size()) == 0);
}

}  // namespace

TEST_CASE("many values of every size that meet are added in order") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t size : {1, 40, 257, 5003, 70'001}) {
            const std::vector<std::int64_t> at = spread(20'011, size);
            check_sums<std::int8_t>(at, size);
            check_sums<std::int16_t>(at, size);
            check_sums<float>(at, size);
            check_sums<double>(at, size);
            check_sums<std::complex<float>>(at, size);
            check_sums<std::complex<double>>(at, size);
        }
        for (std::size_t count : {4608, 4609, 6143, 6144, 6145, 12'289}) check_sums<float>(spread(count, 997), 997);
        check_sums<float>(spread(20'011, 3'000'000), 3'000'000);
    });
}

TEST_CASE("many values that meet at few of the places are added in order") {
    on_every_backend([](const tested_backend&) {
        std::vector<std::int64_t> at = spread(20'011, 9001);
        for (std::size_t i = 0; i < at.size(); ++i)
            if (i % 3) at[i] = i % 3 * 511;
        check_sums<float>(at, 9001);
        for (std::int64_t run : {31, 32, 33, 35, 127, 128, 129, 160, 161, 1000}) {
            CAPTURE(run);
            for (std::size_t i = 0; i < at.size(); ++i) at[i] = static_cast<std::int64_t>(i) / run;
            check_sums<double>(at, 9001);
        }
    });
}

TEST_CASE("many values at positions in order, or a power of two apart, are added in order") {
    on_every_backend([](const tested_backend&) {
        const auto count = std::int64_t{20'011};
        for (std::int64_t size : {1, 255, 256, 257, 16'383, 16'384, 65'280, 65'281, 150'001}) {
            std::vector<std::int64_t> in_order(static_cast<std::size_t>(count)), apart = in_order;
            for (std::int64_t i = 0; i < count; ++i) {
                in_order[static_cast<std::size_t>(i)] = i * size / count;
                apart[static_cast<std::size_t>(i)] = i * 7919 * 256 % size;
            }
            check_sums<float>(in_order, size);
            check_sums<double>(apart, size);
            in_order.back() = 0;
            check_sums<float>(in_order, size);
        }
    });
}

TEST_CASE("the largest of many values at a place is NaN where one of them is") {
    on_every_backend([](const tested_backend&) {
        const std::vector<std::int64_t> at = spread(20'011, 301);
        array<float> v = data<float>({20'011}, 4), x = zeros<float>({301});
        v(17'000) = std::numeric_limits<float>::quiet_NaN();
        scatter_max(x, index_array(asarray(at)), v);
        for (std::int64_t i = 0; i < 301; ++i) CHECK(std::isnan(float(x(i))) == (i == at[17'000]));
    });
}

TEST_CASE("one bad position among many that are added throws where the array is read") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t bad : {9001, -9002}) {
            std::vector<std::int64_t> at = spread(20'011, 9001);
            at[17'000] = bad;
            array<float> x = data<float>({9001}, 1);
            scatter_add(x, index_array(asarray(at)), data<float>({20'011}, 2));
            const std::string text =
                "[scatter_add] index " + std::to_string(bad) + " is out of bounds for axis 0 with size 9001";
            CHECK_THROWS_WITH_AS(to_vector(x), text.c_str(), index_error);
        }
    });
}

TEST_CASE("sums in any order are the sums where they are exact") {
    on_every_backend([](const tested_backend&) {
        const std::vector<std::int64_t> at = spread(20'011, 301);
        const index_array i = asarray(at);
        auto check_type = [&](auto zero) {
            using T = decltype(zero);
            const array<T> v = astype<T>(data<std::int32_t>({20'011}, 5) % 7);
            array<T> x = zeros<T>({301}), y = zeros<T>({301});
            scatter_add(x, i, v);
            scatter_add(y, i, v, {.deterministic = false});
            CHECK(bool(all(x == y)));
        };
        check_type(0.0f);
        check_type(0.0);
        check_type(std::complex<float>{});
        check_type(std::complex<double>{});
        check_type(std::int32_t{});
        check_type(std::int8_t{});
    });
}
