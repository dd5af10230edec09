// Many values, and whole rows, through index arrays, against loops: which of those that meet stays, what they come to,
// and what a GPU launches for them.
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
array<T> numbers(std::int64_t count, int seed) {
    if constexpr (std::is_same_v<T, half>) return astype<half>(data<float>({count}, seed));
    else if constexpr (std::is_same_v<T, complex_half>)
        return astype<complex_half>(data<std::complex<float>>({count}, seed));
    else return data<T>({count}, seed);
}

// Assigned to positions in order, as a loop.
template <class T>
void check_assigned(const std::vector<std::int64_t>& at, std::int64_t size) {
    CAPTURE(std::string(to_string(dtype_of<T>)));
    CAPTURE(at.size());
    CAPTURE(size);
    const auto count = static_cast<std::int64_t>(at.size());
    const array<T> base = numbers<T>(size, 3), v = numbers<T>(count, 4);
    const auto values = to_host(v);
    auto want = to_host(base);
    for (std::int64_t i = 0; i < count; ++i) want[at[static_cast<std::size_t>(i)]] = values[i];
    array<T> x = base;
    x(index_array(asarray(at))) = v;
    const auto got = to_host(x);
    CHECK(std::memcmp(got.data(), want.data(), sizeof(T) * want.size()) == 0);
}

// Fewer are sorted by one launch of a GPU, beyond whatever the size of the array is.
constexpr std::int64_t many = 5003;

std::vector<std::int64_t> permuted(std::int64_t count) {
    std::vector<std::int64_t> v;
    for (std::int64_t i = 0; i < count; ++i) v.push_back(i * 7919 % count);
    return v;
}

// Whole rows, as loops over their elements.
template <class T>
void check_rows(std::int64_t count, std::int64_t size, std::int64_t width) {
    CAPTURE(std::string(to_string(dtype_of<T>)));
    CAPTURE(dims(count, size, width));
    const std::vector<std::int64_t> at = places(static_cast<std::size_t>(count), size);
    const array<T> base = data<T>({size, width}, 5), v = data<T>({count, width}, 6);
    auto values = to_host(v), assigned = to_host(base), added = to_host(base);
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t row = (at[static_cast<std::size_t>(i)] + size) % size;
        for (std::int64_t c = 0; c < width; ++c) {
            assigned.data()[row * width + c] = values.data()[i * width + c];
            added.data()[row * width + c] = wrapped_sum(added.data()[row * width + c], values.data()[i * width + c]);
        }
    }
    const index_array index = asarray(at);
    array<T> a = base, b = base;
    a(index) = v;
    scatter_add(b, index, v);
    const auto a_got = to_host(a), b_got = to_host(b);
    CHECK(std::memcmp(a_got.data(), assigned.data(), sizeof(T) * a_got.size()) == 0);
    CHECK(std::memcmp(b_got.data(), added.data(), sizeof(T) * b_got.size()) == 0);
}

}  // namespace

TEST_CASE("rows meet at positions in order, whatever their type, length and number") {
    on_every_backend([](const tested_backend&) {
        check_rows<float>(7, 3, 5);
        check_rows<std::int16_t>(31, 5, 3);
        check_rows<float>(6007, 501, 33);
        check_rows<double>(5003, 7001, 2);
        check_rows<std::int64_t>(5003, 61, 17);
        check_rows<std::complex<float>>(611, 9001, 7);
        check_rows<float>(300, 2, 1000);
        check_rows<float>(20'011, 101, 2);
        check_rows<std::complex<double>>(7001, 70'001, 3);
        check_rows<std::int8_t>(9001, 13, 40);
    });
}

TEST_CASE("many rows at positions in order are added in order") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t width : {3, 35}) {
            std::vector<std::int64_t> at;
            for (std::int64_t i = 0; i < 7001; ++i) at.push_back(i * i / 500'000);
            const auto size = at.back() + 2;
            const array<float> v = data<float>({7001, width}, 6);
            const auto values = to_host(v);
            array<float> x = data<float>({size, width}, 5);
            auto want = to_host(x);
            for (std::int64_t i = 0; i < 7001; ++i)
                for (std::int64_t c = 0; c < width; ++c)
                    want.data()[at[static_cast<std::size_t>(i)] * width + c] += values.data()[i * width + c];
            scatter_add(x, index_array(asarray(at)), v);
            const auto got = to_host(x);
            CHECK(std::memcmp(got.data(), want.data(), sizeof(float) * want.size()) == 0);
        }
    });
}

TEST_CASE("rows of several axes, and of a part of the array, are written where they stand") {
    on_every_backend([](const tested_backend&) {
        const index_array i{3, 0, 3, -1};
        array<float> a = zeros<float>({5, 2, 3}), b = zeros<float>({5, 2, 3}), c = zeros<float>({4, 5, 3});
        a(i) = reshape(arange<float>(24), {4, 2, 3});
        CHECK(bool(all(a(0) == reshape(arange<float>(6), {2, 3}) + 6.0f)));
        CHECK(bool(all(a(3) == reshape(arange<float>(6), {2, 3}) + 12.0f)));
        CHECK(bool(all(a(4) == reshape(arange<float>(6), {2, 3}) + 18.0f)));
        CHECK(float(sum(a(slice(1, 3)))) == 0);
        // A part of each row is no row.
        b(i, slice(0, 1)) = 2.0f;
        CHECK(float(sum(b)) == 3 * 3 * 2);
        c(slice(1, 3), i) = 1.0f;
        CHECK(float(sum(c)) == 2 * 3 * 3);
        CHECK(float(sum(c(0))) == 0);
        array<float> d = zeros<float>({3, 4, 2});
        d(index_array{2, 0}, index_array{1, 3}) = array<float>{{1, 2}, {3, 4}};
        CHECK(float(d(2, 1, 1)) == 2);
        CHECK(float(d(0, 3, 0)) == 3);
        CHECK(float(sum(d)) == 10);
        array<float> none = zeros<float>({5, 0});
        none(i) = zeros<float>({4, 0});
        CHECK(none.shape() == dims(5, 0));
        array<float> wrong = zeros<float>({5, 3});
        wrong(index_array{1, 5}) = 1.0f;
        CHECK_THROWS_AS(to_host(wrong), index_error);
    });
}

TEST_CASE("the last of many values stays, whatever their type and however large the array is") {
    on_every_backend([](const tested_backend&) {
        auto check_type = [](auto zero) {
            using T = decltype(zero);
            check_assigned<T>(places(many, 4099), 4099);
            check_assigned<T>(places(many, 3 * many + 2), 3 * many + 2);
        };
        check_type(false);
        check_type(std::int8_t{});
        check_type(std::uint16_t{});
        check_type(half{});
        check_type(std::int32_t{});
        check_type(std::uint64_t{});
        check_type(0.0f);
        check_type(0.0);
        check_type(complex_half{});
        check_type(std::complex<float>{});
        check_type(std::complex<double>{});
        for (std::int64_t size : {1, 7, 311, 312, 313, 5002, 5003, 5004, 5005, 5006, 40024, 40031, 40032, 100003})
            check_assigned<float>(places(many, size), size);
        for (std::size_t count : {0, 1, 33, 1023, 4607, 4608, 4609, 9001}) {
            check_assigned<float>(places(count, 5003), 5003);
            check_assigned<double>(places(count, 100003), 100003);
        }
        check_assigned<float>(permuted(many), many);
        check_assigned<float>(permuted(many), many + 1);
        check_assigned<double>(permuted(9001), 30011);
    });
}

TEST_CASE("the last of many values stays where many meet at one place") {
    on_every_backend([](const tested_backend&) {
        std::vector<std::int64_t> all_at_one(many, 6), half_at_one = places(many, many), runs = places(many, many);
        for (std::size_t i = 0; i < half_at_one.size(); ++i) {
            if (half_at_one[i] & 1) half_at_one[i] = -1;
            runs[i] = static_cast<std::int64_t>(i / 5 * 3 % many);
        }
        for (std::int64_t size : {many, 2 * many + 1}) {
            check_assigned<float>(all_at_one, size);
            check_assigned<float>(half_at_one, size);
            check_assigned<float>(runs, size);
        }
        // The last one that meets is neither the last of its warp nor the last of all.
        half_at_one.back() = half_at_one[many - 2] = 5;
        check_assigned<float>(half_at_one, many);
    });
}

TEST_CASE("many values are put along axes, at pairs of indices and through views") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = data<double>({71, 97}, 1), v = data<double>({71, 97}, 2);
        for (int axis : {0, 1}) {
            array<double> y = x;
            put_along_axis(y, argsort(x, axis), v, axis);
            CHECK(to_vector(take_along_axis(y, argsort(x, axis), axis)) == to_vector(v));
        }
        const std::vector<std::int64_t> i = places(6000, 71), j = places(6000, 97);
        array<double> y = x, z = x;
        y(index_array(asarray(i)), index_array(asarray(j))) = data<double>({6000}, 5);
        auto want = to_vector(x), last = to_vector(data<double>({6000}, 5));
        for (std::size_t k = 0; k < i.size(); ++k)
            want[static_cast<std::size_t>((i[k] + 71) % 71 * 97 + (j[k] + 97) % 97)] = last[k];
        CHECK(to_vector(y) == want);
        put(z, index_array(asarray(places(6000, 71 * 97))), data<double>({7}, 5));
        array<double> once = x;
        const std::vector<std::int64_t> at = places(6000, 71 * 97);
        auto put_in_turn = to_vector(x), seven = to_vector(data<double>({7}, 5));
        for (std::size_t k = 0; k < at.size(); ++k)
            put_in_turn[static_cast<std::size_t>((at[k] + 71 * 97) % (71 * 97))] = seven[k % 7];
        CHECK(to_vector(z) == put_in_turn);
        array<double> every_other = x;
        every_other(slice(0, 71, 2), flip(index_array(arange(97)))) = 3 * v(slice(0, 71, 2));
        CHECK(to_vector(every_other(slice(0, 71, 2))) == to_vector(3 * flip(v, 1)(slice(0, 71, 2))));
        CHECK(to_vector(every_other(slice(1, 71, 2))) == to_vector(x(slice(1, 71, 2))));
    });
}

TEST_CASE("many values may be made of what they overwrite, and repeat in a step") {
    on_every_backend([](const tested_backend&) {
        const std::vector<std::int64_t> order = permuted(many);
        array<std::int64_t> x = asarray(order);
        const array<std::int64_t> before = x;
        x(x) = x * 10;
        std::vector<std::int64_t> tens;
        for (std::int64_t i = 0; i < many; ++i) tens.push_back(10 * i);
        CHECK(to_vector(x) == tens);
        CHECK(to_vector(before) == order);
        const index_array at = asarray(places(many, many + 3));
        auto body = [&](array<float> v) {
            array<float> y = v;
            y(at) = v(slice(0, many)) + 1;
            return array<float>(y * 2);
        };
        graph step(body);
        array<float> u = data<float>({many + 3}, 2), w = u;
        for (int i = 0; i < 4; ++i) {
            u = step(u);
            w = body(w);
            CHECK(to_vector(u) == to_vector(w));
        }
    });
}

TEST_CASE("one bad position among many throws where the array is read") {
    on_every_backend([](const tested_backend&) {
        const array<float> x = data<float>({many}, 1);
        for (std::int64_t bad : {many, -many - 1}) {
            std::vector<std::int64_t> at = places(many, many);
            at[4711] = bad;
            array<float> y = x, good = x + 1;
            y(index_array(asarray(at))) = 1;
            const std::string text =
                "[assignment] index " + std::to_string(bad) + " is out of bounds for axis 0 with size 5003";
            CHECK_THROWS_WITH_AS(to_vector(y), text.c_str(), index_error);
            CHECK_THROWS_AS(to_vector(y + 1), index_error);
            CHECK(to_vector(good).size() == many);
        }
    });
}

TEST_CASE("many values take two launches of a GPU, and give back what they needed") {
    on_every_backend([](const tested_backend& b) {
        if (!b.is_cuda()) return;
        for (std::int64_t count : {1000, 4608, 4609, 20011}) {
            const index_array at = index_array(asarray(places(static_cast<std::size_t>(count), 20011))) * 1;
            array<float> x = data<float>({20011}, 1) * 1, v = data<float>({count}, 2) * 1;
            eval(x, at, v);
            x(at) = v;
            x.eval();  // compiled, and its index made
            const counters_t before = counters();
            x(at) = v;
            x.eval();
            // Few values go by positions, which one more launch makes of indices; many read the indices as given.
            CHECK(counters().launches - before.launches == (count > 4608 ? 2 : 3));
            CHECK(counters().pool_used == before.pool_used);
        }
    });
}
