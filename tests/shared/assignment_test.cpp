// Assignment through slices and masks against NumPy, overlapping ones included.
#include "../backends.hpp"
#include "../language_golden.hpp"

using namespace sinter;
using namespace test_backends;
using golden::check;
using golden::data;

namespace {

/// Checks a change of an array in memory and of one that is pending, and that a copy of the handle keeps the old value.
template <class T, class Change>
void check_change(const std::string& name, const array<T>& start, Change change) {
    std::string before = str(start);
    array<T> x = start, copy = start.copy(), pending = start + T(0);
    change(x);
    check(name, x);
    change(copy);
    check(name, copy);
    change(pending);
    check(name, pending);
    CHECK(str(start) == before);
}

using vector = array<std::int32_t>;

}  // namespace

TEST_CASE("slices are assigned as NumPy assigns them") {
    on_every_backend([](const tested_backend&) {
        const vector v = data<std::int32_t>({10}, 2), a = data<std::int32_t>({9, 6}, 1);
        check_change("v[2:8:3] = 7", v, [](vector& x) { x(slice(2, 8, 3)) = 7; });
        check_change("a[1] = v", a, [&](vector& x) { x(1) = v(slice(6)); });
        check_change("a[:, 2] = 5", a, [](vector& x) { x(all, 2) = 5; });
        check_change("a[:, 2] = 5", a, [](vector& x) { x(all, 2).fill(5); });
        check_change("a[1:4, ::2] = row", a, [](vector& x) { x(slice(1, 4), slice(none, none, 2)) = vector{7, 8, 9}; });
        check_change("a[...] = 3", a, [](vector& x) { x(ellipsis) = 3; });
        check_change("a[...] = 3", a, [](vector& x) { x.fill(3); });
        check_change("a[2:2] = 1", a, [](vector& x) { x(slice(2, 2)) = 1; });
        check_change("a[-1, -1] = 99", a, [](vector& x) { x(-1, -1) = 99; });
        check_change("v[2:8:3] = 7", v, [](vector& x) { x(slice(2, 8, 3)) = array<std::int8_t>{7, 7}; });
    });
}

TEST_CASE("overlapping slices are read before they are written") {
    on_every_backend([](const tested_backend&) {
        const vector v = data<std::int32_t>({10}, 2), a = data<std::int32_t>({9, 6}, 1);
        check_change("v[::-1] = v", v, [](vector& x) { x(slice(none, none, -1)) = x; });
        check_change("v[2:7] = v[3:8]", v, [](vector& x) { x(slice(2, 7)) = x(slice(3, 8)); });
        check_change("v[3:8] = v[2:7]", v, [](vector& x) { x(slice(3, 8)) = x(slice(2, 7)); });
        check_change("v[1:9:2] += v[:4]", v, [](vector& x) { x(slice(1, 9, 2)) += x(slice(4)); });
        check_change("a[0:6] = a.T", a, [](vector& x) { x(slice(0, 6), slice(0, 6)) = x(slice(0, 6)).T(); });
    });
}

TEST_CASE("masks are assigned as NumPy assigns them") {
    on_every_backend([](const tested_backend&) {
        const vector v = data<std::int32_t>({10}, 2), a = data<std::int32_t>({9, 6}, 1);
        const array<bool> m = data<bool>({10}, 5);
        std::int64_t count = count_nonzero(m).item();
        check_change("v[m] = 0", v, [&](vector& x) { x[m] = 0; });
        check_change("v[m] += 1", v, [&](vector& x) { x[m] += 1; });
        check_change("v[m] = values", v,
                     [&](vector& x) { x[m] = arange<std::int32_t>(static_cast<std::int32_t>(count)) * 10; });
        check_change("a[a > 0] = -a", a, [](vector& x) { x[x > 0] = -x[x > 0]; });
        check_change("a[rows] = row", a, [](vector& x) { x[data<bool>({9}, 1)] = vector{0, 1, 2, 3, 4, 5}; });
        check_change("a[none] = 5", a, [](vector& x) { x[zeros<bool>({9, 6})] = 5; });
    });
}

TEST_CASE("assignment converts within a kind and upward") {
    on_every_backend([](const tested_backend&) {
        const array<std::int32_t> v = data<std::int32_t>({10}, 2);
        const array<float> x = data<float>({10}, 2);
        check_change("x[1:4] = v", x, [&](array<float>& y) { y(slice(1, 4)) = v(slice(1, 4)); });
        check_change("x[1:4] = 2.5", x, [](array<float>& y) { y(slice(1, 4)) = 2.5; });
        check_change("x -= 0.1", x, [](array<float>& y) { y -= 0.1; });
        array<double> d = v;
        CHECK(d.dtype() == dtype::float64);
        array<std::complex<float>> z = x;
        CHECK(z.item(3) == std::complex<float>(x.item(3), 0));
        array<std::int8_t> narrow = v * 2;
        CHECK(narrow.item(0) == static_cast<std::int8_t>(v.item(0) * 2));
    });
}

TEST_CASE("a loop of assignments that each read the ones before") {
    on_every_backend([](const tested_backend&) {
        array<std::int64_t> f = ones<std::int64_t>({12});
        for (int i = 2; i < 12; ++i) f(i) = f(i - 1) + f(i - 2);
        check("fibonacci", f);
    });
}

TEST_CASE("what does not fit a slice or a mask throws and changes nothing") {
    on_every_backend([](const tested_backend&) {
        vector a{1, 2, 3, 4};
        CHECK_THROWS_AS((a(slice(0, 3)) = vector{1, 2}), shape_error);
        CHECK_THROWS_AS((a[a > 1] = vector{1, 2}), shape_error);
        CHECK_THROWS_AS((a(slice(0, 1)) = vector{1, 2}), shape_error);
        CHECK_THROWS_AS((a(7) = 1), index_error);
        CHECK(str(a) == "[1 2 3 4]");
    });
}

TEST_CASE("the right side may be the array itself, a part of it, or a part of another") {
    on_every_backend([](const tested_backend&) {
        vector a{1, 2, 3, 4, 5, 6}, b = a;
        a(slice(0, 3)) = b(slice(3, 6));
        a(slice(3, 6)) = a(slice(0, 3));
        CHECK(str(a) == "[4 5 6 4 5 6]");
        a = a(slice(none, none, -1)) - a;
        CHECK(str(a) == "[ 2  0 -2  2  0 -2]");
        a(slice(1, 3)) = 9;
        CHECK(str(a) == "[ 2  9  9  2  0 -2]");
        CHECK(str(b) == "[1 2 3 4 5 6]");
    });
}
