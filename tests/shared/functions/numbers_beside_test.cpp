// Numbers where NumPy takes numbers beside arrays, positions by their axes, and lists of arrays and expressions.
#include "support/backends.hpp"
#include "support/expected.hpp"

#include <cmath>
#include <complex>
#include <cstdint>
#include <sinter/sinter.hpp>
#include <tuple>
#include <vector>

using namespace sinter;
using namespace test_backends;
using expected::check;
using whole = array<std::int64_t>;
using bytes = array<std::uint8_t>;

TEST_CASE("a number beside an array in a product is an array without axes, of a type that is weak within its kind") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{1.5, 2, -3}, m{{1, 2}, {3, 4}};
        check(outer(x, 2), array<double>{{3}, {4}, {-6}});
        check(outer(2, m), array<double>{{2, 4, 6, 8}});
        check(outer(array<float>{1, 2}, 2.5), array<float>{{2.5}, {5}});
        check(dot(x, 2), array(2 * x));
        check(dot(0.5, whole{2, 0, 1}), array<double>{1, 0, 0.5});
        check(inner(2, x), array(2 * x));
        CHECK(vdot(std::complex(0.0, 1.0), sum(x)).item() == std::complex(0.0, -0.5));
        CHECK_THROWS_AS(vdot(x, 2), shape_error);
        check(kron(2, m), array(2 * m));
        check(kron(x, 2), array(2 * x));
        check(tensordot(x, 2, 0), array(2 * x));
        check(einsum("i,,->i", x, 2, 0.5), x);
        check(convolve(2, x), array(2 * x));
        check(convolve(sum(m), x), array(10 * x));
        CHECK_THROWS_AS(convolve(m, 2), shape_error);
        CHECK_THROWS_AS(correlate(x, sum(x)), shape_error);
        CHECK_THROWS_WITH_AS(static_cast<void>(outer(bytes{1, 2}, 256)), "[array] 256 does not fit in uint8",
                             value_error);
    });
}

TEST_CASE("a number is a polynomial, a set and a coordinate") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{1.5, 2, -3};
        check(polymul(x, 2), array(2 * x));
        check(polyadd(2, x), array<double>{1.5, 2, -1});
        check(polysub(2, x), array<double>{-1.5, -2, 5});
        check(polydiv(x, 2).q, array(x / 2));
        check(polydiv(x, 2).r, array<double>{0});
        check(polydiv(2, x).q, array<double>{0});
        check(polydiv(2, x).r, array<double>{2});
        check(intersect1d(x, 2), array<double>{2});
        check(union1d(2, x), array<double>{-3, 1.5, 2});
        check(setdiff1d(x, 2), array<double>{-3, 1.5});
        check(setdiff1d(7, bytes{7, 8}), array<int>{});
        check(setxor1d(7, x), array<double>{-3, 1.5, 2, 7});
        CHECK(isin(2, x).item());
        CHECK(!isin(258, bytes{2}).item());
        check(std::get<1>(meshgrid(x, 2)), array<int>{{2, 2, 2}});
        check(std::get<0>(meshgrid(7, x, {.indexing = "ij"})), array<int>{{7, 7, 7}});
        check(std::get<1>(broadcast_arrays(x, 4)), array<int>{4, 4, 4});
    });
}

TEST_CASE("numbers are compared by their value, whatever the type of the array beside them") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{1.5, 2, -3};
        CHECK(array_equal(sum(whole{1, 2}), 3));
        CHECK(!array_equal(3.5, sum(whole{1, 2})));
        CHECK(!array_equal(ones({1}), 1));
        CHECK(!array_equal(sum(bytes{1}), 257));
        CHECK(array_equal(NAN, sum(x * NAN), {.equal_nan = true}));
        CHECK(array_equiv(ones({2, 3}), 1));
        CHECK(!array_equiv(257, bytes{1}));
        test::assert_array_equal(zeros({2}), 0);
        CHECK_THROWS_AS(test::assert_allclose(x, 2), value_error);
    });
}

TEST_CASE("numbers of C++ types that are no element types stand beside arrays as well") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{1, 2, 4};
        const array<int> i{1, 2, 4};
        CHECK(interp(3LL, x, x).item() == 3);
        CHECK(digitize('\2', i).item() == 2);
        CHECK(isin(i, 2LL).item(1));
        CHECK(isin(2ULL, i).item());
        check(setdiff1d(7LL, i), whole{7});
        check(outer(i, 2LL), array<int>{{2}, {4}, {8}});
        check(dot('\2', i), array<int>{2, 4, 8});
        check(std::get<1>(meshgrid(i, 1LL << 40)), whole{{1LL << 40, 1LL << 40, 1LL << 40}});
        CHECK(array_equal(sum(i), 7LL));
    });
}

TEST_CASE("a number has the same weak type in every function, and is found in a set whose type it does not fit") {
    on_every_backend([](const tested_backend&) {
        const array<int> i{2, 0};
        check(outer(i, 1.5f), array<float>{{3}, {0}});
        check(dot(i, 1.5f), array<float>{3, 0});
        check(union1d(i, 1.5f), array<float>{0, 1.5, 2});
        check(setxor1d(i, 1.5f), array<float>{0, 1.5, 2});
        check(intersect1d(258, bytes{2}), bytes{});
        check(intersect1d(bytes{2}, 258), bytes{});
        check(intersect1d(2, bytes{3, 2}, {.assume_unique = true}), bytes{2});
    });
}

TEST_CASE("numbers stand where the array beside them does, whatever the current device") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = array<double>{1.5, 2, -3}.to(device::cpu());
        CHECK(outer(2, x).device() == device::cpu());
        CHECK(polyadd(x, 2).device() == device::cpu());
        CHECK(polymul(array<double>(zeros({0}).to(device::cpu())), x).device() == device::cpu());
        CHECK(searchsorted(sort(x), 2).device() == device::cpu());
        CHECK(choose(1, {x, array<double>(x + 1)}).device() == device::cpu());
        CHECK(choose(1, std::tuple(x, x + 1)).device() == device::cpu());
        CHECK(choose(1, stack({x, x + 1})).device() == device::cpu());
        CHECK(isin(x, 2).device() == device::cpu());
        CHECK(interp(1.0, x, x).device() == device::cpu());
        CHECK(std::get<1>(meshgrid(x, 2)).device() == device::cpu());
        CHECK(einsum("i,->i", x, 2).device() == device::cpu());
    });
}

TEST_CASE("positions along a known number of axes have names, and index as they are") {
    on_every_backend([](const tested_backend&) {
        array<double> m{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
        const auto [i, j] = triu_indices(3, 1);
        check(i, whole{0, 0, 1});
        check(j, whole{1, 2, 2});
        const auto [k, l] = nonzero<2>(m > 7);
        check(k, whole{2, 2});
        check(l, whole{1, 2});
        const auto [a, b] = unravel_index<2>(argmin(m), m.shape());
        CHECK(a.item() + b.item() == 0);
        const auto [row, column] = mask_indices(3, [](const auto& x, auto d) { return tril(x, d); }, -2);
        CHECK(row.item(0) == 2);
        CHECK(column.item(0) == 0);
        const auto [p, q] = diag_indices(3);
        check(m(p, q), array<double>{1, 5, 9});
        CHECK_THROWS_WITH_AS(nonzero<2>(arange(3)), "[nonzero] positions along 2 axes of an array of 1", value_error);
        check(m(triu_indices(3, 1)), array<double>{2, 3, 6});
        check(m[nonzero(m > 7)], array<double>{8, 9});
        m(tril_indices(3, -1)) = 0;
        m(triu_indices(3, 2)) += 1;
        scatter_add(m, diag_indices(3), 1);
        check(m, array<double>{{2, 2, 4}, {0, 6, 6}, {0, 0, 10}});
        check(ravel_multi_index(triu_indices(3, 1), {3, 3}), whole{1, 2, 5});
        const std::vector<whole> each = tril_indices(3);
        CHECK(each.size() == 2);
    });
}

TEST_CASE("lists in braces take arrays beside expressions") {
    on_every_backend([](const tested_backend&) {
        const array<double> m{{1, 2}, {3, 4}};
        const array<double> v{1, 2};
        check(block({{m, m + 1}}), array<double>{{1, 2, 2, 3}, {3, 4, 4, 5}});
        check(block({{m + 1}, {m}}), array<double>{{2, 3}, {4, 5}, {1, 2}, {3, 4}});
        check(block({v, v(slice(1, 2))}), array<double>{1, 2, 2});
        CHECK_THROWS_AS(block({{m, m + 1}, m}), value_error);
        check(concat({v, v * 2}), array<double>{1, 2, 2, 4});
        check(choose(array<int>{1, 0}, {v, -v}), array<double>{-1, 2});
        check(choose(1, {v, -v}), array(-v));
        const array<double> x{-2, 0.5, 3};
        check(select({x > 1, x < 0}, {x, -x}), array<double>{2, 0, 3});
        check(select({x > 1, x < 0}, {x, -x}, 7), array<double>{2, 7, 3});
        check(select({x > 1, x < 0}, {x, -x}, 0.5), array<double>{2, 0.5, 3});
        check(select<double>({x > 1}, {x}, 4), array<double>{4, 4, 3});
        check(select(std::vector<array<bool>>{x > 1}, std::vector<array<double>>{x}, 4), array<double>{4, 4, 3});
        check(select({x > 1}, {whole{1, 2, 3}}, 4), whole{4, 4, 3});
        CHECK_THROWS_AS(select({x > 1, x < 0}, {x * 2}), value_error);
        check(choose(-1, m, {.mode = "clip"}), v);
        check(choose(1, std::tuple(v, 7)), array<double>{7, 7});
    });
}
