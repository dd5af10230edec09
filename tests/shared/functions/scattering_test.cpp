// Writing through index arrays against NumPy: places, duplicates, types, aliases and errors.
#include "support/backends.hpp"
#include "support/language_golden.hpp"
#include "support/scatter_places.hpp"
#include "support/type_lists.hpp"

using namespace sinter;
using namespace test_backends;
using namespace test_types;
using golden::check;
using golden::data;
using namespace scatter_places;
using index_array = array<std::int64_t>;

namespace {

template <class T>
inline constexpr bool golden_complex = requires(T x) { x.real(); };

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

template <class I>
array<double> scattered(array<double> base, const array<I>& index, const array<double>& v) {
    scatter_add(base, index, v);
    return base;
}

}  // namespace

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
        CHECK_THROWS_WITH_AS(to_vector(y), "[assignment] index 6 is out of bounds for axis 1 with size 6", index_error);
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

TEST_CASE("a CPU reads indices along the first axis as they are given, in one launch") {
    on_every_backend([](const tested_backend& b) {
        if (!b.is_host()) return;
        const array<double> v = data<double>({200}, 2) * 1, rows = data<double>({200, 3}, 3) * 1;
        const array<std::int16_t> at = astype<std::int16_t>(asarray(places(200, 20)));
        array<double> x = data<double>({20}, 4) * 1, y = data<double>({20, 3}, 5) * 1;
        eval(v, rows, at, x, y);
        const counters_t before = counters();
        scatter_add(x, at, v);
        x.eval();
        y(at) = rows;
        y.eval();
        CHECK(counters().launches - before.launches == 2);
    });
}

TEST_CASE("a row or a number that is assigned to rows again and again takes no memory for each time") {
    on_every_backend([](const tested_backend&) {
        const std::int64_t n = 61, times = 3001, width = 47;
        const array<std::int64_t> i = arange(times) * 7 % 59 - 2, few = arange(3);
        const array<double> x = reshape(arange<double>(n * width), {n, width}), row = sin(arange<double>(width));
        array<bool> assigned = zeros<bool>({n});
        assigned(i) = true;
        const array<bool> rows = assigned(all, newaxis);
        eval(x, row, i, rows);
        reset_counters();
        const std::int64_t used = counters().pool_used;
        array<double> a = x, b = x, c = x, d = x, f = x;
        a(i) = 2.5;
        b(i) = row;
        c(i) = c(3) + 1.0;
        d(reshape(i, {1, times})) = 7;
        f(i) = reshape(row, {1, width});
        eval(a, b, c, d, f);
        CHECK(counters().pool_peak - used < times * width * 4);
        CHECK(array_equal(a, where(rows, 2.5, x)));
        CHECK(array_equal(b, where(rows, row, x)));
        CHECK(array_equal(f, b));
        CHECK(array_equal(c, where(rows, x(3) + 1.0, x)));
        CHECK(array_equal(d, where(rows, 7, x)));
        array<int> cube = zeros<int>({2, 3, 5});
        cube(array<int>{1, -1, 1}) = array<int>{{1}, {2}, {3}};
        CHECK(array_equal(cube(1), array<int>(broadcast_to(array<int>{{1}, {2}, {3}}, {3, 5}))));
        CHECK(double(sum(cube(0))) == 0);
        array<double> on_cpu = x.to(device::cpu());
        on_cpu(i.to(device::cpu())) = row.to(device::cpu());
        CHECK(array_equal(on_cpu, b.to(device::cpu())));
        array<double> bad = x;
        bad(where(arange(times) == 2000, 61, i)) = 1.0;
        CHECK_THROWS_WITH_AS(to_vector(bad), "[assignment] index 61 is out of bounds for axis 0 with size 61",
                             index_error);
        CHECK_THROWS_AS((cube(array<int>{1, 0}) = array<int>{1, 2, 3}), shape_error);
    });
}
