// Assignment through slices and masks against NumPy, overlapping ones included.
#include "support/backends.hpp"
#include "support/language_golden.hpp"

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

/// By NumPy's rules, which element of a value stands at each element of an array that it fills; none where it does not
/// fit.
std::optional<std::vector<std::size_t>> filled_from(const dims& target, const dims& value) {
    const int missing = target.size() - value.size();
    if (missing < 0) return std::nullopt;
    for (int i = 0; i < value.size(); ++i)
        if (value[i] != 1 && value[i] != target[missing + i]) return std::nullopt;
    std::vector<std::size_t> from(static_cast<std::size_t>(target.product()));
    for (std::size_t k = 0; k < from.size(); ++k) {
        auto rest = static_cast<std::int64_t>(k);
        std::int64_t at = 0, step = 1;
        for (int i = target.size() - 1; i >= missing; --i) {
            at += value[i - missing] == 1 ? 0 : rest % target[i] * step;
            rest /= target[i];
            step *= value[i - missing];
        }
        from[k] = static_cast<std::size_t>(at);
    }
    return from;
}

/// Checks what is added to an array in some way: the sums in its own shape, or shape_error and the array as it was.
template <class Add>
void check_addition(const vector& start, const vector& added, Add add) {
    vector x = start;
    std::vector<std::int32_t> wanted = to_vector(start), terms = to_vector(added);
    const auto from = filled_from(start.shape(), added.shape());
    INFO("to ", to_string(start.shape()), " of ", to_string(added.shape()));
    if (!from) CHECK_THROWS_AS(add(x, added), shape_error);
    else add(x, added);
    for (std::size_t k = 0; from && k < wanted.size(); ++k) wanted[k] += terms[(*from)[k]];
    CHECK(x.shape() == start.shape());
    CHECK(to_vector(x) == wanted);
}

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

TEST_CASE("axes of one in front of a value are dropped where what it is assigned to has none, as NumPy drops them") {
    on_every_backend([](const tested_backend&) {
        const vector row{{7, 8}};
        auto assigned = [](auto change) {
            vector x = zeros<std::int32_t>({4});
            change(x);
            return to_vector(x);
        };
        using list = std::vector<std::int32_t>;
        CHECK(assigned([&](vector& x) { x(slice(0, 2)) = row; }) == list{7, 8, 0, 0});
        CHECK(assigned([&](vector& x) { x(slice(2, 4)) = reshape(row, {1, 1, 1, 2}); }) == list{0, 0, 7, 8});
        CHECK(assigned([&](vector& x) { x[array<int>{3, 0}] = row; }) == list{8, 0, 0, 7});
        CHECK(assigned([&](vector& x) { x(1) = vector{{9}}; }) == list{0, 9, 0, 0});
        CHECK(assigned([&](vector& x) { x[full({}, true)] = ones<std::int32_t>({1, 1, 4}); }) == list{1, 1, 1, 1});
        vector x = zeros<std::int32_t>({4});
        CHECK_THROWS_AS((x(slice(0, 2)) = vector{{7, 8}, {7, 8}}), shape_error);
        CHECK_THROWS_AS((x(slice(0, 2)) += row), shape_error);
        CHECK_THROWS_AS((x[x == 0] = ones<std::int32_t>({1, 4})), shape_error);
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

TEST_CASE("compound assignment keeps an array's shape, or throws and changes nothing") {
    const dims shapes[] = {{}, dims(0), dims(1), dims(5), {1, 5}, {7, 5}, {7, 1}, {0, 5}, {1, 1}, {3, 7, 5}};
    on_every_backend([&](const tested_backend&) {
        for (const dims& to : shapes)
            for (const dims& of : shapes) {
                const vector start = data<std::int32_t>(to, 2), added = data<std::int32_t>(of, 1);
                check_addition(start, added, [](vector& x, const vector& y) { x += y; });
                check_addition(start, added, [](vector& x, const vector& y) { x += y * 1; });
                check_addition(start, added, [](vector& x, vector y) { x += y(ellipsis); });
                check_addition(start, added, [](vector& x, const vector& y) { x(ellipsis) += y; });
            }
    });
}

TEST_CASE("every compound operator names itself and both shapes where the right side is larger") {
    on_every_backend([](const tested_backend&) {
        vector v{1, 2, 3, 4}, number = full({}, 7), one{5};
        const vector m = ones<std::int32_t>({3, 4});
        array<double> d{1, 2, 3, 4}, half = full({}, 0.5);
#define CHECK_LARGER(symbol)                                                                                        \
    CHECK_THROWS_WITH_AS((v symbol m), "[" #symbol "] cannot broadcast (3, 4) to (4,)", shape_error);               \
    CHECK_THROWS_WITH_AS((v symbol m + 1), "[" #symbol "] cannot broadcast (3, 4) to (4,)", shape_error);           \
    CHECK_THROWS_WITH_AS((v(all) symbol m), "[" #symbol "] cannot broadcast (3, 4) to (4,)", shape_error);          \
    CHECK_THROWS_WITH_AS((v[v > 2] symbol v), "[" #symbol "] shapes do not broadcast: (4,) and (2,)", shape_error); \
    CHECK_THROWS_WITH_AS((number symbol m(0)), "[" #symbol "] cannot broadcast (4,) to ()", shape_error);           \
    CHECK_THROWS_WITH_AS((number symbol one), "[" #symbol "] cannot broadcast (1,) to ()", shape_error);            \
    CHECK_THROWS_WITH_AS((one symbol v), "[" #symbol "] cannot broadcast (4,) to (1,)", shape_error);               \
    CHECK_THROWS_WITH_AS((v symbol one(newaxis)), "[" #symbol "] cannot broadcast (1, 1) to (4,)", shape_error);    \
    CHECK_THROWS_WITH_AS((v symbol v(slice(3))), "[" #symbol "] shapes do not broadcast: (3,) and (4,)", shape_error)
        CHECK_LARGER(+=);
        CHECK_LARGER(-=);
        CHECK_LARGER(*=);
        CHECK_LARGER(%=);
        CHECK_LARGER(&=);
        CHECK_LARGER(|=);
        CHECK_LARGER(^=);
        CHECK_LARGER(<<=);
        CHECK_LARGER(>>=);
#undef CHECK_LARGER
        CHECK_THROWS_WITH_AS((d /= m), "[/=] cannot broadcast (3, 4) to (4,)", shape_error);
        CHECK_THROWS_WITH_AS((d(all) /= m), "[/=] cannot broadcast (3, 4) to (4,)", shape_error);
        CHECK_THROWS_WITH_AS((half /= d), "[/=] cannot broadcast (4,) to ()", shape_error);
        CHECK(str(v) + str(number) + str(one) + str(d) + str(half) == "[1 2 3 4]7[5][1. 2. 3. 4.]0.5");
        v += number, v -= one, v *= v, v(1) <<= number, d /= one, d /= 0.5, d += m(1);
        CHECK(str(v) + str(d) == "[   9 2048   25   36][1.4 1.8 2.2 2.6]");
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

TEST_CASE("data in braces is assigned to a part as an array is") {
    on_every_backend([](const tested_backend&) {
        array<double> m = zeros({3, 3});
        m(-1) = {1, 2, 3};
        m(slice(0, 2), slice()) = {{4, 5, 6}, {7, 8, 9}};
        m(0, all) = {0.5};
        CHECK(str(m) == "[[0.5 0.5 0.5]\n [7.  8.  9. ]\n [1.  2.  3. ]]");
        m(m > 2) = {-1, -2, -3, -4};
        CHECK(str(m(1)) == "[-1. -2. -3.]");
        vector v{1, 2, 3};
        v(array<std::int64_t>{2, 0}) = {7, 8};
        CHECK(str(v) == "[8 2 7]");
        CHECK_THROWS_AS((m(0) = {1, 2}), shape_error);
        CHECK_THROWS_WITH_AS((v(all) = {1, 2, 3'000'000'000}), doctest::Contains("3000000000"), value_error);
        CHECK(str(v) == "[8 2 7]");
    });
}
