// Parts, blocks, bits, positions and functions of slices, beside NumPy's values; tensors' equations and raw files.
#include "support/backends.hpp"
#include "support/expected.hpp"
#include "support/scratch_folder.hpp"

#include <algorithm>
#include <complex>
#include <cstdint>
#include <limits>
#include <sinter/sinter.hpp>
#include <tuple>
#include <vector>

using namespace sinter;
using namespace test_backends;
using expected::check;
using expected::check_stays;
using whole = array<std::int64_t>;
using bytes = array<std::uint8_t>;

TEST_CASE("slices, conditions and positions that were computed are deleted as NumPy deletes them") {
    on_every_backend([](const tested_backend&) {
        const whole m = reshape(arange(12), {3, 4});
        check(delete_(m, slice(1, 3), 1), whole{{0, 3}, {4, 7}, {8, 11}});
        check(delete_(m, {1}, 1), whole{{0, 2, 3}, {4, 6, 7}, {8, 10, 11}});
        check(delete_(m, {0, 2}, 1), whole{{1, 3}, {5, 7}, {9, 11}});
        check(delete_(m, {1, 2, 0}, 1), whole{{3}, {7}, {11}});
        CHECK(delete_(m, {1, 2, 0, 3}, 1).shape() == dims(3, 0));
        check(delete_(m, slice(none, none, -2), 1), whole{{0, 2}, {4, 6}, {8, 10}});
        check(delete_(m, slice(2, 0, -1), 0), whole{{0, 1, 2, 3}});
        check(delete_(m, slice(2, 9, 3)), whole{0, 1, 3, 4, 6, 7, 9, 10, 11});
        check(delete_(arange(40), slice(1, none, 2)), arange(0, 40, 2));
        check(delete_(m, slice(3, 3), 0), m);
        CHECK(delete_(m, slice(none), 1).shape() == dims(3, 0));
        check(delete_(m, m(all, 0) < 1, 0), whole{{4, 5, 6, 7}, {8, 9, 10, 11}});
        check(delete_(m, array<bool>{true, false, false, true}, -1), whole{{1, 2}, {5, 6}, {9, 10}});
        check(delete_(arange(5), arange(5) % 2 == 0), whole{1, 3});
        check(delete_(m, array<int>{{1}, {-1}}, 1), whole{{0, 2}, {4, 6}, {8, 10}});
        check(delete_(m, array<std::int8_t>{1, 1}), delete_(m, 1));
        check_stays([&] { return delete_(m * 2, slice(1, 3), 1); });
        CHECK_THROWS_WITH_AS(delete_(m, array<bool>{true, false}, 1),
                             "[delete_] conditions of shape (2,) for axis 1 with size 4", value_error);
        CHECK_THROWS_AS(delete_(m, array<int>{4}, 1), index_error);
        CHECK_THROWS_AS(delete_(m, slice(0, 2, 0), 1), value_error);
    });
}

TEST_CASE("arrays come apart along named axes and go together as blocks") {
    on_every_backend([](const tested_backend&) {
        const whole m = reshape(arange(12), {3, 4});
        check(hsplit(m, 2)[1], whole{{2, 3}, {6, 7}, {10, 11}});
        check(hsplit(arange(5), std::vector<std::int64_t>{2})[1], whole{2, 3, 4});
        check(vsplit(m, std::vector<std::int64_t>{1})[1], whole{{4, 5, 6, 7}, {8, 9, 10, 11}});
        CHECK(dsplit(zeros({2, 3, 4}), 2)[0].shape() == dims(2, 3, 2));
        CHECK_THROWS_AS(dsplit(m, 2), value_error);
        CHECK_THROWS_WITH_AS(vsplit(arange(4), 2), "[vsplit] an array has too few axes: 1", value_error);
        check(hsplit(arange(5), {2, 3})[2], whole{3, 4});
        check(vsplit(m, {1})[0], whole{{0, 1, 2, 3}});
        CHECK(dsplit(zeros({2, 3, 7}), {2, 5})[1].shape() == dims(2, 3, 3));
        CHECK_THROWS_AS(hsplit(m, 3), value_error);
        const auto columns = unstack(m, -1);
        REQUIRE(columns.size() == 4);
        check(columns[2], whole{2, 6, 10});
        check(block({{whole{1, 2}, whole{3}}, {whole{{4}, {5}}, whole{{6, 7}, {8, 9}}}}),
              whole{{1, 2, 3}, {4, 6, 7}, {5, 8, 9}});
        check(block({whole{1, 2}, whole{3}}), whole{1, 2, 3});
        CHECK_THROWS_AS(block({{m, m}, {m}}), shape_error);
        check(concat({whole{1}, whole{2}}), whole{1, 2});
        check(matrix_transpose(m), transpose(m));
        check(cumulative_sum(m, 1), cumsum(m, 1));
        check(cumulative_prod(m + 1, 0), cumprod(m + 1, 0));
        check(resize(m, {2, 7}), whole{{0, 1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 0, 1}});
        check(resize(zeros<std::int64_t>({0}), {2}), whole{0, 0});
        check_stays([&] { return resize(m * 2, {5, 5}); });
        check(setxor1d(m, whole{1, 50}), whole{0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 50});
        check(unique_values(m % 3), whole{0, 1, 2});
        const array<double> v{0, 0, 3, 0, 4, 0};
        check(trim_zeros(v), array<double>{3, 0, 4});
        check(trim_zeros(v, "f"), array<double>{3, 0, 4, 0});
        check(trim_zeros(v, "b"), array<double>{0, 0, 3, 0, 4});
        check(trim_zeros(v, "bf"), array<double>{3, 0, 4});
        CHECK(trim_zeros(zeros({3})).size() == 0);
        check(trim_zeros(whole{{0, 0, 0}, {0, 5, 0}, {0, 0, 7}, {0, 0, 0}}), whole{{5, 0}, {0, 7}});
    });
}

TEST_CASE("bits are packed to bytes and back, in either order, along any axis") {
    on_every_backend([](const tested_backend&) {
        const whole m = reshape(arange(12), {3, 4});
        check(packbits(array<double>{0, 0, 3, 0, 4, 0}), bytes{40});
        check(packbits(m % 3, 0, {.bitorder = "little"}), bytes{{6, 3, 5, 6}});
        check(unpackbits(bytes{200, 3}), bytes{1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1});
        check(unpackbits(bytes{{200}, {3}}, 1, {.bitorder = "little", .count = 5}),
              bytes{{0, 0, 0, 1, 0}, {1, 1, 0, 0, 0}});
        check(unpackbits(bytes{200}, {.count = -3}), bytes{1, 1, 0, 0, 1});
        check(unpackbits(bytes{200}, {.count = 10}), bytes{1, 1, 0, 0, 1, 0, 0, 0, 0, 0});
        const array<bool> some = arange(1003) % 7 < 3;
        CHECK(array_equal(unpackbits(packbits(some), {.count = 1003}), some));
        CHECK(packbits(zeros({0})).size() == 0);
        CHECK_THROWS_AS(packbits(m, {.bitorder = "middle"}), value_error);
        CHECK_THROWS_AS(unpackbits(bytes{1}, {.count = -9}), value_error);
        CHECK_THROWS_WITH_AS(unpackbits(bytes{1}, {.count = std::numeric_limits<std::int64_t>::min()}),
                             "[unpackbits] 9223372036854775808 bits fewer than 8", value_error);
    });
}

TEST_CASE("keys sort by the last one first, and functions take the vectors of an axis") {
    on_every_backend([](const tested_backend&) {
        const whole m = reshape(arange(12), {3, 4});
        check(lexsort({whole{1, 2, 1, 2}, whole{3, 1, 1, 1}}), whole{2, 1, 3, 0});
        check(lexsort(std::tuple(array<double>{{2, 1}, {0, 0}}, array<int>{{1, 1}, {5, 4}})), whole{{1, 0}, {1, 0}});
        CHECK_THROWS_AS(lexsort({whole{1}, whole{1, 2}}), shape_error);
        check(apply_along_axis([](const auto& x) { return sum(x); }, 0, m), whole{12, 15, 18, 21});
        check(apply_along_axis([](const auto& x) { return x(slice(none, none, -1)); }, 1, m), flip(m, {1}));
        check(apply_along_axis([](const auto& x) { return int(x.size()); }, -1, m), array<int>{4, 4, 4});
        CHECK(apply_along_axis([](const auto& x) { return outer(x, x); }, 0, m).shape() == dims(3, 3, 4));
        check(apply_over_axes([](const auto& x, std::int64_t axis) { return sum(x, axis); }, m, {0, 1}), whole{{66}});
        const array<double> x{{0.6, 0.7}, {0.8, 0.2}};
        check(apply_over_axes([](const auto& y, std::int64_t axis) { return sum(y > 0.5, axis); }, x, {0}),
              whole{{2, 1}});
        CHECK_THROWS_AS(apply_over_axes([](const auto& y, std::int64_t) { return sum(y); }, x, {0}), value_error);
        CHECK_THROWS_AS(apply_along_axis([](const auto& x) { return sum(x); }, 0, zeros({3, 0})), value_error);
        CHECK(broadcast_shapes({3, 1}, {4}, {2, 1, 1}) == dims(2, 3, 4));
        CHECK_THROWS_AS(broadcast_shapes({3}, {4}), shape_error);
        CHECK(array_equiv(whole{{1, 2}, {1, 2}}, whole{1, 2}));
        CHECK_FALSE(array_equiv(m, ones({5})));
        using complex = std::complex<double>;
        check(isreal(array<complex>{1, complex(2, 1)}), array<bool>{true, false});
        check(iscomplex(array<complex>{1, complex(2, 1)}), array<bool>{false, true});
        check(float_power(array<int>{2, 4}, -1), array<double>{0.5, 0.25});
    });
}

TEST_CASE("a number may stand beside arrays where arrays are joined, chosen from, put and raised to powers") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{1.5, 2, -3};
        const array<int> i{2, 0, 1};
        const array<std::uint8_t> u{1, 2};
        check(append(x, 5), array<double>{1.5, 2, -3, 5});
        check(append(0, cumsum(x)), array<double>{0, 1.5, 3.5, 0.5});
        check(append(i, 0.5), array<double>{2, 0, 1, 0.5});
        check(append(array<float>{1}, 0.5), array<float>{1, 0.5f});
        check(append(reshape(i, {3, 1}), 7), array<int>{2, 0, 1, 7});
        check(append(u, 255), array<std::uint8_t>{1, 2, 255});
        CHECK_THROWS_WITH_AS(append(u, 256), "[array] 256 does not fit in uint8", value_error);
        check(hstack(std::tuple(x, 5)), array<double>{1.5, 2, -3, 5});
        check(stack(std::tuple(i(0), 4)), array<int>{2, 4});
        CHECK_THROWS_AS(concatenate(std::tuple(x, 5)), shape_error);
        check(choose(i, std::tuple(x, 0, -x)), array<double>{-1.5, 2, 0});
        check(float_power(2, -i), array<double>{0.25, 1, 0.5});
        check(float_power(std::complex(0.0, 1.0), i), array<std::complex<double>>{-1, 1, std::complex<double>(0, 1)});
        array<double> y = x;
        put(y, -1, 8);
        put(y, 4, 7, {.mode = "wrap"});
        check(y, array<double>{1.5, 7, 8});
        place(y, y > 2, -1);
        check(y, array<double>{1.5, -1, -1});
        CHECK_THROWS_WITH_AS(place(y, array<bool>{true}, 1), "[place] a mask of 1 elements for (3,)", value_error);
    });
}

TEST_CASE("numbers are put where an array is, whatever the current device") {
    on_every_backend([](const tested_backend&) {
        array<double> y = array<double>{1.5, 2, -3}.to(device::cpu());
        put(y, 1, 8);
        place(y, y < 0, 7);
        CHECK(y.device() == device::cpu());
        CHECK(to_vector(y) == std::vector<double>{1.5, 8, 7});
    });
}

TEST_CASE("positions of triangles, diagonals and grids are NumPy's, and what is written there") {
    on_every_backend([](const tested_backend&) {
        const whole m = reshape(arange(12), {3, 4});
        check(tril_indices(3)[0], whole{0, 1, 1, 2, 2, 2});
        check(tril_indices_from(m, -1)[1], whole{0, 0, 1});
        check(triu_indices(3, 1, 4)[0], whole{0, 0, 0, 1, 1, 2});
        check(triu_indices_from(m, 2)[1], whole{2, 3, 3});
        check(mask_indices(3, [](const auto& x, auto k) { return triu(x, k); }, 1)[1], whole{1, 2, 2});
        CHECK(diag_indices(3, 4).size() == 4);
        check(diag_indices_from(zeros({2, 2}))[1], whole{0, 1});
        CHECK_THROWS_AS(diag_indices_from(m), value_error);
        check(diagflat(whole{{1}, {2}}, -1), whole{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}});
        const auto [i, j] = ix_(whole{0, 2}, array<bool>{true, false, true, false});
        check(m(i, j), whole{{0, 2}, {8, 10}});
        array<int> f = zeros<int>({5, 3});
        fill_diagonal(f, 7, true);
        check(f, array<int>{{7, 0, 0}, {0, 7, 0}, {0, 0, 7}, {0, 0, 0}, {7, 0, 0}});
        f = zeros<int>({2, 3});
        fill_diagonal(f, array<int>{4, 5, 6});
        check(f, array<int>{{4, 0, 0}, {0, 5, 0}});
        f = zeros<int>({2, 2, 2});
        fill_diagonal(f, 1);
        check(f, array<int>{{{1, 0}, {0, 0}}, {{0, 0}, {0, 1}}});
        CHECK_THROWS_AS(fill_diagonal(f = zeros<int>({3}), 1), value_error);
        whole u = m;
        putmask(u, u > 5, whole{-1, -2, -3});
        check(u, whole{{0, 1, 2, 3}, {4, 5, -1, -2}, {-3, -1, -2, -3}});
        putmask(u, u < 0, 0);
        check(u, whole{{0, 1, 2, 3}, {4, 5, 0, 0}, {0, 0, 0, 0}});
        place(u = m, m % 3 == 0, whole{-1, -2});
        check(u, whole{{-1, 1, 2, -2}, {4, 5, -1, 7}, {8, -2, 10, 11}});
        check(extract(m % 5 == 0, m), whole{0, 5, 10});
        place(u = whole{1, 2, 3}, whole{2, 0, 1}, whole{-1, -2, -3});
        check(u, whole{-1, 2, -2});
        putmask(u, whole{2, 0, 1}, whole{7, 8, 9});
        check(u, whole{7, 2, 9});
        u = m;
        copyto(u, whole{1, 2, 3, 4});
        check(u, broadcast_to(whole{1, 2, 3, 4}, {3, 4}));
        copyto(u, m, m > 6);
        check(u, whole{{1, 2, 3, 4}, {1, 2, 3, 7}, {8, 9, 10, 11}});
    });
}

TEST_CASE("products of vectors and matrices along last axes, and tensors' equations") {
    on_every_backend([](const tested_backend&) {
        using complex = std::complex<double>;
        const array<double> m = astype<double>(reshape(arange(12), {3, 4}));
        check(vecdot(m, m), array<double>{14, 126, 366});
        check(vecdot(array<complex>{complex(0, 1)}, array<complex>{complex(2, 0)}),
              array<complex>(full({}, complex(0, -2))));
        check(vecdot(m, array<double>{1, 2, 3}, 0), array<double>{32, 38, 44, 50});
        CHECK_THROWS_AS(vecdot(ones({3}), ones({1})), shape_error);
        CHECK_THROWS_WITH_AS(vecdot(m, ones({4}), 1), "[vecdot] axis 1 is out of bounds for an array of 1 dimensions",
                             index_error);
        check(matvec(m, array<double>{1, 0, 2, 1}), array<double>{7, 23, 39});
        check(vecmat(array<double>{1, 2, 3}, m), array<double>{32, 38, 44, 50});
        CHECK(matvec(ones({5, 3, 4}), ones({5, 4})).shape() == dims(5, 3));
        CHECK_THROWS_AS(matvec(m, ones({3})), shape_error);
        const array<double> a =
            reshape(eye(24) * 2 + 0.25 * outer(arange<double>(24), ones({24})) / 24.0, {6, 4, 2, 3, 4});
        const array<double> b = reshape(linspace(-1, 1, 24), {6, 4}), x = linalg::tensorsolve(a, b);
        CHECK(x.shape() == dims(2, 3, 4));
        CHECK(allclose(tensordot(a, x, 3), b));
        const array<double> c = reshape(cos(square(arange<double>(16)) * 1.7), {2, 2, 2, 2}), d{{1, 2}, {3, 4}};
        for (const dims& axes : {dims(0, 2), dims(2, 0), dims(1)}) {
            dims order;
            for (int i = 0; i < 4; ++i)
                if (std::find(axes.begin(), axes.end(), i) == axes.end()) order.push_back(i);
            for (std::int64_t axis : axes) order.push_back(axis);
            CHECK(allclose(tensordot(transpose(c, order), linalg::tensorsolve(c, d, axes), 2), d));
        }
        const array<double> first = linalg::tensorsolve(c, d, {0, 2})(0);
        CHECK(allclose(first, array<double>{-0.40, -4.67}, {.rtol = 0, .atol = 0.006}));
        const array<double> inverse = linalg::tensorinv(a, 2);
        CHECK(inverse.shape() == dims(2, 3, 4, 6, 4));
        CHECK(allclose(tensordot(inverse, b, 2), x));
        CHECK_THROWS_AS(linalg::tensorinv(a, 1), shape_error);
        CHECK_THROWS_AS(linalg::tensorinv(a, 0), value_error);
    });
}

TEST_CASE("files of elements alone are written and read, from an offset and for a count") {
    on_every_backend([](const tested_backend&) {
        const scratch_folder folder;
        const std::string path = folder.path + "/raw";
        tofile(path, reshape(arange(6), {2, 3}));
        check(fromfile<std::int64_t>(path), whole{0, 1, 2, 3, 4, 5});
        check(fromfile<std::int64_t>(path, {.count = 2, .offset = 16}), whole{2, 3});
        check(fromfile<std::int64_t>(path, {.offset = 44}), zeros<std::int64_t>({0}));
        check(fromfile<bool>(path, {.count = 9}),
              array<bool>{false, false, false, false, false, false, false, false, true});
        CHECK_THROWS_AS(fromfile(path, {.offset = 99}), value_error);
        CHECK_THROWS_AS(fromfile(path + "no"), io_error);
    });
}

TEST_CASE("imaginary parts that are nothing but rounding are dropped, and sorted numbers become complex") {
    on_every_backend([](const tested_backend&) {
        using complex = std::complex<double>;
        const array<complex> near{complex(1, 2e-14), complex(-2, 0)}, far{complex(1, 1e-13), complex(2, 0)};
        const auto parts = real_if_close(near);
        REQUIRE(parts.has_value());
        check(*parts, array<double>{1, -2});
        CHECK(!real_if_close(far));
        CHECK(real_if_close(far, 1000).has_value());
        CHECK(!real_if_close(near, 0.0));
        CHECK(real_if_close(far, 1e-3).has_value());
        CHECK(!real_if_close(array<complex>{complex(1, constants::nan)}));
        CHECK(real_if_close(array<std::complex<float>>{std::complex<float>(1, 1e-5f)}).has_value());
        CHECK(real_if_close(zeros<complex>({0})).has_value());
        check(*real_if_close(array<int>{3, 1}), array<int>{3, 1});
        check(sort_complex(array<complex>{complex(1, 2), 3, complex(1, -1)}),
              array<complex>{complex(1, -1), complex(1, 2), 3});
        check(sort_complex(array<int>{3, 1, 2}), array<complex>{1, 2, 3});
        check(sort_complex(array<std::int8_t>{3, -1}), array<std::complex<float>>{-1, 3});
        check(sort_complex(array<float>{{2, 1}, {0.5f, -1}}), array<complex>{{1, 2}, {-1, 0.5}});
    });
}

TEST_CASE("numbers of times to repeat may be an array of integers, of one element or as many as the axis has") {
    on_every_backend([](const tested_backend&) {
        const array<int> x{{1, 2, 3}, {4, 5, 6}};
        const array<std::uint8_t> counts{2, 0, 1};
        CHECK(array_equal(repeat(x, counts, 1), array<int>{{1, 1, 3}, {4, 4, 6}}));
        CHECK(array_equal(repeat(x(0, all), counts % 2 + 1), array<int>{1, 2, 3, 3}));
        CHECK(array_equal(repeat(x, array<bool>{true, false}, -2), array<int>{{1, 2, 3}}));
        CHECK(array_equal(repeat(x(all, 0), array<int>{2}), array<int>{1, 1, 4, 4}));
        CHECK(array_equal(repeat(x(all, 0), full({}, 2)), array<int>{1, 1, 4, 4}));
        CHECK(repeat(array<int>(), array<int>()).shape() == dims(0));
        CHECK_THROWS_AS(repeat(x, array<int>{1, 2}, 1), shape_error);
        CHECK_THROWS_AS(repeat(x, array<int>{{1, 2, 3}}, 1), shape_error);
        CHECK_THROWS_AS(repeat(x, array<int>{1, -2, 1}, 1), value_error);
    });
}
