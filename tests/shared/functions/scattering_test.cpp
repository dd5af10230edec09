// Writing through index arrays against NumPy: places, duplicates, types, aliases and errors.
#include "support/backends.hpp"
#include "support/language_golden.hpp"
#include "support/type_lists.hpp"

using namespace sinter;
using namespace test_backends;
using namespace test_types;
using golden::check;
using golden::data;
using index_array = array<std::int64_t>;

namespace {

template <class T>
inline constexpr bool golden_complex = requires(T x) { x.real(); };

// Positions with many duplicates, some counted from the end.
std::vector<std::int64_t> places(std::size_t count, std::int64_t size) {
    std::vector<std::int64_t> v(count);
    std::uint64_t state = 7;
    for (auto& x : v) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        x = static_cast<std::int64_t>((state >> 33) % static_cast<std::uint64_t>(2 * size)) - size;
    }
    return v;
}

template <class T>
T wrapped_sum(T a, T b) {
    if constexpr (std::is_same_v<T, bool>) return a || b;
    else if constexpr (std::is_integral_v<T>)
        return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    else return a + b;
}

// Assignment and sums in order, as loops.
template <class T>
void check_type(std::size_t count, std::int64_t size) {
    CAPTURE(std::string(to_string(dtype_of<T>)));
    CAPTURE(count);
    std::vector<std::int64_t> at = places(count, size);
    array<T> base = data<T>({size}, 3), v = data<T>({static_cast<std::int64_t>(count)}, 4);
    auto values = to_host(v), assigned = to_host(base), added = to_host(base), largest = to_host(base);
    for (std::size_t i = 0; i < count; ++i) {
        T x = values[static_cast<std::int64_t>(i)];
        assigned[at[i]] = x;
        added[at[i]] = wrapped_sum(added[at[i]], x);
        if constexpr (!golden_complex<T>)
            if (x > largest[at[i]]) largest[at[i]] = x;
    }
    index_array index = asarray(at);
    array<T> a = base, b = base, c = base;
    a(index) = v;
    scatter_add(b, index, v);
    auto a_got = to_host(a), b_got = to_host(b);
    CHECK(std::memcmp(a_got.data(), assigned.data(), sizeof(T) * a_got.size()) == 0);
    CHECK(std::memcmp(b_got.data(), added.data(), sizeof(T) * b_got.size()) == 0);
    if constexpr (!golden_complex<T>) {
        scatter_max(c, index, v);
        auto c_got = to_host(c);
        CHECK(std::memcmp(c_got.data(), largest.data(), sizeof(T) * c_got.size()) == 0);
    }
    auto unchanged = to_host(base);
    CHECK(std::memcmp(unchanged.data(), to_host(data<T>({size}, 3)).data(), sizeof(T) * unchanged.size()) == 0);
}

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

template <class I>
array<double> scattered(array<double> base, const array<I>& index, const array<double>& v) {
    scatter_add(base, index, v);
    return base;
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

TEST_CASE("values meet at positions in order, whatever their type") {
    on_every_backend([](const tested_backend&) {
        for_each_type(number_types, []<class T>() { check_type<T>(300, 40); });
        for (std::size_t n : {0, 1, 31, 33, 1023, 4097}) check_type<float>(n, 7);
        check_type<float>(9001, 5003);
        check_type<float>(4097, 1);
    });
}

// Sums in order at positions that stand in order, as many of each place as `count_of` says.
template <class T, class F>
void check_ordered(std::int64_t size, F count_of) {
    CAPTURE(std::string(to_string(dtype_of<T>)));
    std::vector<std::int64_t> at;
    for (std::int64_t place = 0; place < size; ++place)
        at.insert(at.end(), static_cast<std::size_t>(count_of(place)), place);
    const auto count = static_cast<std::int64_t>(at.size());
    const array<T> v = data<T>({count}, 4);
    array<T> x = data<T>({size}, 3);
    const auto values = to_host(v);
    auto want = to_host(x);
    for (std::int64_t i = 0; i < count; ++i) {
        T& sum = want.data()[at[static_cast<std::size_t>(i)]];
        sum = wrapped_sum(sum, values.data()[i]);
    }
    scatter_add(x, index_array(asarray(at)), v);
    const auto got = to_host(x);
    CHECK(std::memcmp(got.data(), want.data(), sizeof(T) * want.size()) == 0);
}

TEST_CASE("values in order of their positions meet in order, few or thousands at a place") {
    on_compiling_backends([](const tested_backend&) {
        check_ordered<float>(301, [](std::int64_t place) { return place * place % 173; });
        check_ordered<double>(41, [](std::int64_t place) { return place % 3 ? 127 + place % 5 : 1700 + place; });
        check_ordered<std::complex<double>>(7, [](std::int64_t place) { return 1023 + place; });
        check_ordered<std::int16_t>(3, [](std::int64_t place) { return 4096 * place; });
    });
}

TEST_CASE("index arrays assign what NumPy assigns, wherever they stand") {
    on_every_backend([](const tested_backend&) {
        array<std::int32_t> v = data<std::int32_t>({10}, 2), a = data<std::int32_t>({9, 6}, 1),
                            c = data<std::int32_t>({3, 4, 5}, 3);
        const index_array k{{3, -1}, {0, 2}};
        auto of = [](const auto& x, auto write) {
            auto y = x;
            write(y);
            return y;
        };
        check("v[k] = 7", of(v, [&](auto& x) { x[k] = 7; }));
        check("v[k] = values", of(v, [&](auto& x) { x(k) = data<std::int32_t>({2, 2}, 5); }));
        check("v[repeated] += 1", of(v, [&](auto& x) { x(index_array{1, 1, 4}) += 1; }));
        check("a[k] = row", of(a, [&](auto& x) { x(k) = data<std::int32_t>({6}, 5); }));
        check("a[:, i] = column", of(a, [&](auto& x) { x(all, index_array{5, 0}) = data<std::int32_t>({9, 1}, 5); }));
        check("a[i, j] = values",
              of(a, [&](auto& x) { x(index_array{1, -2, 1}, index_array{0, 5, 0}) = data<std::int32_t>({3}, 5); }));
        check("a[1:8:3, i] = 0", of(a, [&](auto& x) { x(slice(1, 8, 3), index_array{2, 4}) = 0; }));
        check("c[i, :, j] = plane",
              of(c, [&](auto& x) { x(index_array{0, 2}, all, index_array{1, 3}) = data<std::int32_t>({2, 4}, 5); }));
        check("c[:, i, j] = values",
              of(c, [&](auto& x) { x(all, index_array{0, 2}, index_array{1, 3}) = data<std::int32_t>({3, 2}, 5); }));
        check("c[2, :, i] -= 3", of(c, [&](auto& x) { x(2, all, array<std::uint8_t>{1, 4}) -= 3; }));
        check("a[:, columns] = 9", of(a, [&](auto& x) { x(all, data<bool>({6}, 1)) = 9; }));
        check("put", of(a, [&](auto& x) { put(x, index_array{7, -1, 7, 20}, data<std::int32_t>({4}, 6)); }));
        check("put few", of(a, [&](auto& x) { put(x, index_array{{7, -1}, {3, 20}}, data<std::int32_t>({3}, 6)); }));
        check("put number", of(a, [&](auto& x) { put(x, index_array{7, -1}, 5); }));
        check("put_along_axis", of(a, [&](auto& x) {
                  put_along_axis(x, argsort(x, 1)(all, slice(2)), data<std::int32_t>({9, 2}, 6), 1);
              }));
        check("put_along_axis number",
              of(a, [&](auto& x) { put_along_axis(x, index_array{{1, 2, 3, 4, 5, 6}}, 0, 0); }));
        check("add.at", of(a, [&](auto& x) { scatter_add(x, index_array{1, 1, 3}, data<std::int32_t>({3, 6}, 6)); }));
        check("add.at pairs",
              of(a, [&](auto& x) { scatter_add(x, std::tuple(index_array{1, 1, 3}, index_array{2, 2, 0}), 10); }));
        check("maximum.at", of(v, [&](auto& x) { scatter_max(x, k, data<std::int32_t>({2, 2}, 9)); }));
        check("minimum.at", of(v, [&](auto& x) { scatter_min(x, k, data<std::int32_t>({2, 2}, 9)); }));
    });
}

TEST_CASE("NaN stays in extrema that meet") {
    on_every_backend([](const tested_backend&) {
        const float nan = std::nanf("");
        array<float> x{1, nan, 3, 4};
        scatter_max(x, index_array{0, 0, 1, 2, 3}, array<float>{nan, 5, 9, -1, 8});
        auto h = to_host(x);
        CHECK(std::isnan(h[0]));
        CHECK(std::isnan(h[1]));
        CHECK(h[2] == 3);
        CHECK(h[3] == 8);
    });
}

TEST_CASE("what is written may be made of what is overwritten") {
    on_every_backend([](const tested_backend&) {
        array<std::int64_t> x = asarray(std::vector<std::int64_t>{3, 0, 1, 2});
        const array<std::int64_t> before = x;
        x(x) = x * 10;
        CHECK(to_vector(x) == std::vector<std::int64_t>{0, 10, 20, 30});
        CHECK(to_vector(before) == std::vector<std::int64_t>{3, 0, 1, 2});
        array<std::int64_t> y = arange(6) * 1;
        y.eval();
        y(index_array{0, 1, 2}) = y(slice(3, 6));
        y(index_array{3, 4, 5}) = y(slice(0, 3)) + 1;
        CHECK(to_vector(y) == std::vector<std::int64_t>{3, 4, 5, 4, 5, 6});
        for (int i = 0; i < 100; ++i) y(index_array{0, 0, 5}) += 1;
        CHECK(to_vector(y) == std::vector<std::int64_t>{103, 4, 5, 4, 5, 106});
    });
}

TEST_CASE("a position out of range throws where the array is read, and only there") {
    on_every_backend([](const tested_backend&) {
        array<float> x = data<float>({4, 6}, 1), y = x * 1, other = x + 1;
        y(all, index_array{0, 6}) = 1;
        CHECK_THROWS_WITH_AS(to_vector(y), "[scatter] index 6 is out of bounds for axis 1 with size 6", index_error);
        CHECK_THROWS_AS(to_vector(y + 1), index_error);
        CHECK(to_vector(other(0)).size() == 6);
        array<float> z = x * 1;
        scatter_add(z, index_array{0, -5}, 1);
        CHECK_THROWS_WITH_AS(to_vector(z), "[scatter_add] index -5 is out of bounds for axis 0 with size 4",
                             index_error);
        array<float> w = x * 1;
        CHECK_THROWS_WITH_AS(w(index_array{0, 1}) = data<float>({3}, 1),
                             "[assignment] shapes do not broadcast: (3,) and (2, 6)", shape_error);
        CHECK_THROWS_AS(put(w, index_array{1, 2}, array<float>()), value_error);
        array<std::complex<float>> c = data<std::complex<float>>({4}, 1);
        CHECK_THROWS_AS(scatter_max(c, index_array{0}, c(slice(1))), type_error);
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

TEST_CASE("an index that is out of range names the function that it was given to") {
    on_every_backend([](const tested_backend&) {
        const index_array bad{0, 9};
        array<float> x = data<float>({5}, 1), y = x;
        put(x, bad, 1.0f);
        CHECK_THROWS_WITH_AS(to_vector(x), "[put] index 9 is out of bounds for axis 0 with size 5", index_error);
        put_along_axis(y, bad, 1.0f, 0);
        CHECK_THROWS_WITH_AS(to_vector(y), "[put_along_axis] index 9 is out of bounds for axis 0 with size 5",
                             index_error);
        const array<float> z = data<float>({5}, 1);
        CHECK_THROWS_WITH_AS(to_vector(choose(bad, {z(slice(0, 2)), z(slice(2, 4))})),
                             "[choose] index 9 is out of bounds for axis 0 with size 2", index_error);
        CHECK_THROWS_WITH_AS(to_vector(choose(bad, reshape(z(slice(0, 4)), {2, 2}))),
                             "[choose] index 9 is out of bounds for axis 0 with size 2", index_error);
        CHECK_THROWS_WITH_AS(to_vector(take_along_axis(z, bad, 0)),
                             "[take_along_axis] index 9 is out of bounds for axis 0 with size 5", index_error);
        CHECK_THROWS_WITH_AS(to_vector(take(z, bad)), "[take] index 9 is out of bounds for axis 0 with size 5",
                             index_error);
    });
}

TEST_CASE("indices of any integers are taken as they are, from both ends") {
    on_every_backend([](const tested_backend&) {
        const std::int64_t count = 9001, size = 101;
        const array<double> v = data<double>({count}, 4), rows = data<double>({count, 3}, 5);
        const std::vector<std::int64_t> at = places(static_cast<std::size_t>(count), size);
        const array<double> sums = scattered(zeros<double>({size}), asarray(at), v),
                            of_rows = scattered(zeros<double>({size, 3}), asarray(at), rows);
        std::vector<double> loop(static_cast<std::size_t>(size));
        const std::vector<double> values = to_vector(v);
        for (std::size_t i = 0; i < at.size(); ++i) loop[static_cast<std::size_t>((at[i] + size) % size)] += values[i];
        CHECK(to_vector(sums) == loop);
        for_each_type(integer_types, [&]<class T>() {
            // Those without a sign count from the beginning.
            const auto index = std::is_signed_v<T> ? asarray(at) : (asarray(at) + size) % size;
            const array<T> typed = astype<T>(index).eval();
            CHECK(all(scattered(zeros<double>({size}), typed, v) == sums));
            CHECK(all(scattered(zeros<double>({size, 3}), typed, rows) == of_rows));
            array<double> last = zeros<double>({size}), same = last;
            last(typed) = v;
            same(asarray(at)) = v;
            CHECK(all(last == same));
        });
        array<std::int16_t> bad = astype<std::int16_t>(full({count}, 7));
        bad(4000) = -102;
        array<double> to = zeros<double>({size});
        scatter_add(to, bad, v);
        CHECK_THROWS_WITH_AS(to_vector(to), "[scatter_add] index -102 is out of bounds for axis 0 with size 101",
                             index_error);
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
                "[scatter] index " + std::to_string(bad) + " is out of bounds for axis 0 with size 5003";
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
