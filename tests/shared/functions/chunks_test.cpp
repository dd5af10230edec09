// Very many values that meet in few places: combined by chunks and groups of these, in one order on every backend.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <sinter/codegen/kernels/sort/scatter.hpp>
#include <sinter/sinter.hpp>

#include "support/backends.hpp"
#include "support/language_golden.hpp"
#include "support/scatter_places.hpp"

using namespace sinter;
using namespace test_backends;
using golden::data;
using namespace scatter_places;
using index_array = array<std::int64_t>;

namespace {

// A sum of no values, which changes nothing that it is added to.
template <class T>
T nothing() {
    if constexpr (std::is_integral_v<T>) return T(0);
    else if constexpr (std::is_floating_point_v<T>) return T(-0.0);
    else return T(-0.0, -0.0);
}

// Groups of 32 chunks, of at least 1,024 values and four times as many as there are places.
template <class T>
std::vector<T> summed(std::vector<T> base, const std::vector<std::int64_t>& at, const std::vector<T>& values) {
    const auto count = static_cast<std::int64_t>(at.size()), size = static_cast<std::int64_t>(base.size());
    const std::int64_t groups = std::min<std::int64_t>(128, count / (32 * std::max<std::int64_t>(1024, 4 * size)));
    const std::int64_t length = (count + 32 * groups - 1) / (32 * groups);
    std::vector<T> group(base.size(), nothing<T>()), chunk = group;
    for (std::int64_t i = 0; i < count; ++i) {
        T& x = chunk[static_cast<std::size_t>(at[static_cast<std::size_t>(i)])];
        x = wrapped_sum(x, values[static_cast<std::size_t>(i)]);
        const bool ends_chunk = (i + 1) % length == 0 || i + 1 == count;
        const bool ends_group = (i + 1) % (32 * length) == 0 || i + 1 == count;
        for (std::size_t k = 0; k < base.size() && ends_chunk; ++k)
            group[k] = wrapped_sum(group[k], chunk[k]), chunk[k] = nothing<T>();
        for (std::size_t k = 0; k < base.size() && ends_group; ++k)
            base[k] = wrapped_sum(base[k], group[k]), group[k] = nothing<T>();
    }
    return base;
}

template <class T>
std::vector<T> elements(const array<T>& x) {
    const auto h = to_host(x);
    return std::vector<T>(h.data(), h.data() + h.size());
}

template <class T>
void check_sums(std::int64_t count, std::int64_t size) {
    CAPTURE(std::string(to_string(dtype_of<T>)));
    CAPTURE(count);
    CAPTURE(size);
    const std::vector<std::int64_t> at = spread(static_cast<std::size_t>(count), size);
    const array<T> base = data<T>({size}, 3), values = data<T>({count}, 4);
    const std::vector<T> want = summed(elements(base), at, elements(values));
    array<T> x = base;
    scatter_add(x, index_array(asarray(at)), values);
    const std::vector<T> got = elements(x);
    CHECK(std::memcmp(got.data(), want.data(), sizeof(T) * want.size()) == 0);
}

}  // namespace

TEST_CASE("very many values in few places are added by chunks, whose sums are added in order") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t size : {1, 2, 31, 33, 256}) check_sums<float>(65'537, size);
        check_sums<double>(131'072, 257);
        check_sums<double>(100'003, 17);
        check_sums<std::complex<float>>(100'003, 17);
        check_sums<std::complex<double>>(300'007, 1024);
        check_sums<std::int8_t>(100'003, 300);
        check_sums<std::uint16_t>(100'003, 5);
        check_sums<float>(1'048'577, 4096);
        check_sums<double>(600'011, 2048);
    });
}

TEST_CASE("values that all meet at one place, and at places in order, are added by chunks") {
    on_every_backend([](const tested_backend&) {
        const std::int64_t count = 70'001;
        std::vector<std::int64_t> at(static_cast<std::size_t>(count), 2);
        const array<float> values = data<float>({count}, 4), base = data<float>({5}, 3);
        for (const bool ascends : {false, true}) {
            for (std::int64_t i = 0; i < count && ascends; ++i) at[static_cast<std::size_t>(i)] = i * 5 / count;
            const std::vector<float> want = summed(elements(base), at, elements(values));
            array<float> x = base;
            scatter_add(x, index_array(asarray(at)), values);
            CHECK(elements(x) == want);
        }
    });
}

TEST_CASE("the order of sums in few places is one of sizes alone, and begins where values are many") {
    using codegen::chunk_shape_of;
    auto groups = [](codegen::routine how, dtype t, std::int64_t count, std::int64_t size, std::int64_t width = 1) {
        return chunk_shape_of(how, t, count, size, width).groups;
    };
    constexpr auto add = codegen::routine::scatter_add;
    CHECK(groups(add, dtype::float32, 65'535, 10) == 0);
    CHECK(groups(add, dtype::float32, 65'536, 10) == 2);
    CHECK(groups(add, dtype::float32, 65'536, 257) == 0);
    CHECK(groups(add, dtype::float32, 65'792, 257) == 2);
    CHECK(groups(add, dtype::float32, 1 << 30, 4096) == 128);
    CHECK(groups(add, dtype::float32, 1 << 30, 4097) == 0);
    CHECK(groups(add, dtype::float64, 1 << 30, 2049) == 0);
    CHECK(groups(add, dtype::float32, 1 << 30, 10, 2) == 0);
    CHECK(groups(add, dtype::bool_, 1 << 30, 10) == 0);
    CHECK(groups(codegen::routine::scatter, dtype::float32, 1 << 30, 10) == 0);
    CHECK(chunk_shape_of(add, dtype::float32, 65'537, 10, 1).length == 1025);
}

TEST_CASE("what no value is added to stays, -0 too, and NaN and infinities arrive") {
    on_every_backend([](const tested_backend&) {
        const std::int64_t count = 70'001;
        std::vector<std::int64_t> at = spread(static_cast<std::size_t>(count), 3);
        array<double> values = data<double>({count}, 4), x = zeros<double>({6});
        values(123) = std::numeric_limits<double>::quiet_NaN();
        values(69'999) = std::numeric_limits<double>::infinity();
        at[123] = 4, at[69'999] = 5;
        x(3) = -0.0;
        scatter_add(x, index_array(asarray(at)), values);
        const std::vector<double> got = elements(x);
        CHECK(std::signbit(got[3]));
        CHECK(got[3] == 0);
        CHECK(std::isnan(got[4]));
        CHECK(got[5] == std::numeric_limits<double>::infinity());
        CHECK(std::isfinite(got[0]));
    });
}

TEST_CASE("extremes of very many values in few places are those of a loop") {
    on_every_backend([](const tested_backend&) {
        const std::int64_t count = 66'003;
        const std::vector<std::int64_t> at = spread(static_cast<std::size_t>(count), 7);
        const index_array index = asarray(at);
        auto check = [&]<class T>(T) {
            const array<T> base = data<T>({9}, 3), values = data<T>({count}, 4);
            std::vector<T> largest = elements(base), smallest = largest;
            const std::vector<T> v = elements(values);
            for (std::int64_t i = 0; i < count; ++i) {
                const auto k = static_cast<std::size_t>(i);
                T &a = largest[static_cast<std::size_t>(at[k])], &b = smallest[static_cast<std::size_t>(at[k])];
                a = std::max(a, v[k]), b = std::min(b, v[k]);
            }
            array<T> x = base, y = base;
            scatter_max(x, index, values), scatter_min(y, index, values);
            CHECK(elements(x) == largest);
            CHECK(elements(y) == smallest);
        };
        check(float()), check(double()), check(std::int8_t()), check(std::uint8_t()), check(std::int16_t());
        array<float> values = zeros<float>({count}), x = full<float>({9}, -1.0f);
        values(40'000) = std::numeric_limits<float>::quiet_NaN();
        scatter_max(x, index, values);
        CHECK(std::isnan(float(x(at[40'000]))));
        CHECK(float(x(8)) == -1);
    });
}

TEST_CASE("one bad position among very many in few places throws where the array is read") {
    on_every_backend([](const tested_backend& b) {
        for (const std::int64_t bad : {7, -8}) {
            std::vector<std::int64_t> at = spread(70'001, 7);
            at[50'000] = bad;
            array<float> x = zeros<float>({7});
            scatter_add(x, index_array(asarray(at)), ones<float>({70'001}));
            CAPTURE(b.name);
            std::string text;
            try {
                text = std::to_string(float(x(0)));
            } catch (const index_error& e) {
                text = e.what();
            }
            CHECK(text == "[scatter_add] index " + std::to_string(bad) + " is out of bounds for axis 0 with size 7");
        }
    });
}

TEST_CASE("weights of bincount and sums of segments take the order of chunks") {
    on_every_backend([](const tested_backend&) {
        const std::int64_t count = 80'021;
        const std::vector<std::int64_t> at = spread(static_cast<std::size_t>(count), 11);
        const array<double> w = data<double>({count}, 4);
        const std::vector<double> want = summed(std::vector<double>(11), at, elements(w));
        const array<double> weighted = bincount<double>(index_array(asarray(at)), {.minlength = 11, .weights = w});
        CHECK(elements(weighted) == want);
        const array<double> segments = segment_sum(w, index_array(asarray(at)), {.num_segments = 11});
        CHECK(elements(segments) == want);
    });
}
