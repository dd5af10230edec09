// Reading through an index against NumPy: slices, new axes, ellipses, index arrays and masks.
#include "support/backends.hpp"
#include "support/language_golden.hpp"

using namespace sinter;
using namespace test_backends;
using golden::check;
using golden::data;
using index_array = array<std::int64_t>;
using ints = array<std::int32_t>;

TEST_CASE("slices with steps and negative bounds are NumPy's") {
    on_every_backend([](const tested_backend&) {
        const array<std::int32_t> v = data<std::int32_t>({10}, 2), a = data<std::int32_t>({9, 6}, 1);
        check("v[2:8:3]", v(slice(2, 8, 3)));
        check("v[::-1]", v(slice(none, none, -1)));
        check("v[-3:]", v(slice(-3, none)));
        check("v[8:2:-2]", v(slice(8, 2, -2)));
        check("v[5:2]", v(slice(5, 2)));
        check("v[-100:100]", v[slice(-100, 100)]);
        check("v[100::-4]", v(slice(100, none, -4)));
        check("a[2]", a(2));
        check("a[2]", a[2]);
        check("a[-1, -2]", a(-1, -2));
        check("a[:, 3]", a(all, 3));
        check("a[1:8:2, ::-2]", a(slice(1, 8, 2), slice(none, none, -2)));
        check("a.T[1:4, ::3]", a.T()(slice(1, 4), slice(none, none, 3)));
        check("a[::2][::-1][1:3]", a(slice(none, none, 2))(slice(none, none, -1))(slice(1, 3)));
    });
}

TEST_CASE("slices of pending values are those of computed ones") {
    on_every_backend([](const tested_backend&) {
        array<std::int32_t> v = data<std::int32_t>({10}, 2) * 1, a = data<std::int32_t>({9, 6}, 1) + 0;
        check("v[8:2:-2]", v(slice(8, 2, -2)));
        check("a[1:8:2, ::-2]", (a + 0)(slice(1, 8, 2), slice(none, none, -2)));
        check("a.T[1:4, ::3]", (a * 1).T()(slice(1, 4), slice(none, none, 3)) + 0);
        check("a[::2][::-1][1:3]", (a * 1)(slice(none, none, 2))(slice(none, none, -1))(slice(1, 3)));
    });
}

TEST_CASE("new axes and ellipses are NumPy's") {
    on_every_backend([](const tested_backend&) {
        const array<std::int32_t> c = data<std::int32_t>({3, 4, 5}, 3);
        check("c[..., 1]", c(ellipsis, 1));
        check("c[1, ..., None]", c(1, ellipsis, newaxis));
        check("c[:, None, 2, ::2]", c(all, newaxis, 2, slice(none, none, 2)));
        check("c[None, ..., 0, :]", c(newaxis, ellipsis, 0, all));
    });
}

TEST_CASE("index arrays pick what NumPy picks, wherever they stand") {
    on_every_backend([](const tested_backend&) {
        const array<std::int32_t> v = data<std::int32_t>({10}, 2), a = data<std::int32_t>({9, 6}, 1),
                                  c = data<std::int32_t>({3, 4, 5}, 3);
        const index_array k{{3, -1}, {0, 2}};
        check("v[k]", v(k));
        check("v[k]", v[k]);
        check("a[k]", a(k));
        check("a[:, k]", a(all, k));
        check("a[[1, -2, 3], [0, 5, 2]]", a(index_array{1, -2, 3}, index_array{0, 5, 2}));
        check("a[column, row]", a(index_array{{1}, {4}}, index_array{0, 2, 5}));
        check("c[i, :, j]", c(index_array{0, 2}, all, index_array{1, 3}));
        check("c[:, i, j]", c(all, index_array{0, 2}, index_array{1, 3}));
        check("c[1:, i]", c(slice(1, none), index_array{3, 0, 0}));
        check("c[2, :, i]", c(2)(all, index_array{1, 3}));
        check("c.T[i]", c.T()(index_array{4, 0}));
        check("v[k]", v(array<std::int8_t>{{3, -1}, {0, 2}}));
        check("v[empty]", v(index_array()));
        check("gather of expression", (a * 2 + 1)(index_array{8, 0}) - 1);
        check("gather of expression", (a * 2 + 1)(index_array{8, 1} * index_array{1, 0}) - 1);
    });
}

TEST_CASE("masks pick what NumPy picks") {
    on_every_backend([](const tested_backend&) {
        const array<std::int32_t> v = data<std::int32_t>({10}, 2), a = data<std::int32_t>({9, 6}, 1);
        check("v[m]", v(data<bool>({10}, 5)));
        check("a[a > 20]", a[a > 20]);
        check("a[rows]", a(data<bool>({9}, 1)));
        check("a[:, columns]", a(all, data<bool>({6}, 1)));
        check("v[none]", v(zeros<bool>({10})));
    });
}

TEST_CASE("an integer beside an index array counts as one: what stands between them brings the array's axes first") {
    on_every_backend([](const tested_backend& b) {
        const ints x = reshape(arange<std::int32_t>(24), {2, 3, 4}).eval(),
                   y = reshape(arange<std::int32_t>(120), {2, 3, 4, 5});
        const index_array i{0, 1}, k{0, 1, 1};
        CHECK(array_equal(x(0, all, i), ints{{0, 4, 8}, {1, 5, 9}}));
        CHECK(array_equal(x(i, all, -1), ints{{3, 7, 11}, {15, 19, 23}}));
        CHECK(array_equal(x(full<std::int64_t>({}, 0), all, i), ints{{0, 4, 8}, {1, 5, 9}}));
        CHECK(array_equal(x(all, 1, i), ints{{4, 5}, {16, 17}}));
        CHECK(array_equal(x(i, ellipsis, i, 2), ints{2, 18}));
        CHECK(x(all, k, ellipsis, k).shape() == dims(3, 2));
        CHECK(y(all, k, all, 0).shape() == dims(3, 2, 4));
        CHECK(y(0, all, all, array<bool>{true, false, true, false, true}).shape() == dims(3, 3, 4));
        CHECK(y(0, newaxis, i).shape() == dims(2, 1, 4, 5));
        CHECK(y(0, ellipsis, i, all, all).shape() == dims(2, 4, 5));
        CHECK(y(all, 0, i).shape() == dims(2, 2, 5));
        if (b.compiles()) CHECK(explain(x(0, all, i) * 2 + 1).kernels() == 1);
    });
}

TEST_CASE("what is assigned to an integer beside an index array has the shape that reading it gives") {
    on_every_backend([](const tested_backend&) {
        const index_array i{1, 0};
        ints x = zeros<std::int32_t>({2, 3, 4}), y = zeros<std::int32_t>({2, 2, 4});
        x(0, all, i) = ints{{1, 2, 3}, {4, 5, 6}};
        x(1, all, i) += ints{7, 8, 9};
        CHECK(array_equal(
            x, ints{{{4, 1, 0, 0}, {5, 2, 0, 0}, {6, 3, 0, 0}}, {{7, 7, 0, 0}, {8, 8, 0, 0}, {9, 9, 0, 0}}}));
        y(0, all, i) = ints{{1, 2}, {3, 4}};
        scatter_add(y, std::tuple(1, all, i), ints{{1, 2}, {3, 4}});
        CHECK(array_equal(y, ints{{{3, 1, 0, 0}, {4, 2, 0, 0}}, {{3, 1, 0, 0}, {4, 2, 0, 0}}}));
        CHECK_THROWS_AS((x(0, all, i) = zeros<std::int32_t>({3, 2})), shape_error);
    });
}

TEST_CASE("a mask belongs to the axes on which it stands, also behind an ellipsis") {
    on_every_backend([](const tested_backend&) {
        ints x = reshape(arange<std::int32_t>(24), {2, 3, 4});
        const array<bool> m{true, false, false, true},
            both{{false, false, true, false}, {false, false, false, false}, {true, false, false, true}};
        CHECK(array_equal(x(1, ellipsis, m), ints{{12, 16, 20}, {15, 19, 23}}));
        CHECK(array_equal(x(ellipsis, both), ints{{2, 8, 11}, {14, 20, 23}}));
        CHECK(x(ellipsis, m).shape() == dims(2, 3, 2));
        x(ellipsis, both) = ints{-1, -2, -3};
        x(ellipsis, 1, m) += 100;
        CHECK(array_equal(x(0), ints{{0, 1, -1, 3}, {104, 5, 6, 107}, {-2, 9, 10, -3}}));
        const ints before = x;
        const char* message =
            "[index] a mask of shape (2,) does not fit an array of shape (2, 3, 4): the size of axis 2 is 4, the "
            "mask's 2";
        CHECK_THROWS_WITH_AS(x(ellipsis, array<bool>{true, false}), message, index_error);
        CHECK_THROWS_WITH_AS((x(ellipsis, array<bool>{true, false}) = 1), message, index_error);
        CHECK_THROWS_WITH_AS(
            x(all, ones<bool>({3, 5})),
            "[index] a mask of shape (3, 5) does not fit an array of shape (2, 3, 4): the size of axis "
            "2 is 4, the mask's 5",
            index_error);
        CHECK(array_equal(x, before));
    });
}

TEST_CASE("a mask without axes adds one, of one element or of none") {
    on_every_backend([](const tested_backend&) {
        ints x{1, 2, 3}, number = full<std::int32_t>({}, 5);
        const array<bool> yes = full<bool>({}, true), no = full<bool>({}, false);
        CHECK(array_equal(x(yes), ints{{1, 2, 3}}));
        CHECK(x(no).shape() == dims(0, 3));
        CHECK(array_equal(x(0, yes), ints{1}));
        CHECK(array_equal(number[number > 4], ints{5}));
        number[number > 5] = 7;
        CHECK(number.item() == 5);
        number[number > 4] = 7;
        CHECK(number.item() == 7);
        x(no) = 9;
        CHECK(array_equal(x, ints{1, 2, 3}));
        x(yes) += 1;
        CHECK(array_equal(x, ints{2, 3, 4}));
    });
}

TEST_CASE("a mask's axis of size zero fits an axis of any size and picks nothing") {
    on_every_backend([](const tested_backend&) {
        ints x = reshape(arange<std::int32_t>(6), {2, 3});
        const ints before = x;
        CHECK(x(zeros<bool>({0})).shape() == dims(0, 3));
        CHECK(x(zeros<bool>({0, 3})).shape() == dims(0));
        CHECK(x(zeros<bool>({2, 0})).shape() == dims(0));
        CHECK(x(all, zeros<bool>({0})).shape() == dims(2, 0));
        CHECK(ints(zeros<std::int32_t>({0, 1}))(zeros<bool>({0, 0})).shape() == dims(0));
        x(zeros<bool>({2, 0})) = 9;
        x(slice(1, none), zeros<bool>({0})) = 9;
        CHECK(array_equal(x, before));
        CHECK_THROWS_WITH_AS(x(zeros<bool>({0, 2})),
                             "[index] a mask of shape (0, 2) does not fit an array of shape (2, 3): the size of axis 1 "
                             "is 3, the mask's 2",
                             index_error);
        CHECK_THROWS_AS(x(zeros<bool>({0, 2})) = 9, index_error);
    });
}

TEST_CASE("an index out of range throws where it is written, in an index array where it is read") {
    on_every_backend([](const tested_backend&) {
        const array<std::int32_t> a = data<std::int32_t>({9, 6}, 1);
        CHECK_THROWS_WITH_AS(a(9), "[index] index 9 is out of bounds for axis 0 with size 9", index_error);
        CHECK_THROWS_WITH_AS(a(0, -7), "[index] index -7 is out of bounds for axis 1 with size 6", index_error);
        CHECK_THROWS_WITH_AS(a(1, 2, 3), "[index] 3 indices for an array of 2 dimensions", index_error);
        CHECK_THROWS_WITH_AS(a(ellipsis, ellipsis), "[index] more than one ellipsis", index_error);
        CHECK_THROWS_WITH_AS(
            a(zeros<bool>({8})),
            "[index] a mask of shape (8,) does not fit an array of shape (9, 6): the size of axis 0 is "
            "9, the mask's 8",
            index_error);
        array<std::int32_t> late = a(all, index_array{0, 6});
        CHECK_THROWS_WITH_AS(to_vector(late), "[take] index 6 is out of bounds for axis 1 with size 6", index_error);
        array<std::int32_t> negative = a(index_array{-10});
        CHECK_THROWS_WITH_AS(to_vector(negative), "[take] index -10 is out of bounds for axis 0 with size 9",
                             index_error);
        CHECK_THROWS_AS(a(slice(0, 5, 0)), value_error);
        for (const bool is_compound : {false, true}) {
            array<std::int32_t> written = a + 0;
            auto write = [&](array<std::int32_t>& to) {
                if (is_compound) to(index_array{9}, 1) += 1;
                else to(index_array{9}, 1) = 1;
                to_vector(to);
            };
            CHECK_THROWS_WITH_AS(write(written), "[assignment] index 9 is out of bounds for axis 0 with size 9",
                                 index_error);
        }
        array<std::int32_t> nothing = zeros<std::int32_t>({0});
        CHECK_THROWS_WITH_AS(nothing(index_array{0}) *= 2,
                             "[assignment] indices of shape (1,) are out of bounds for axis 0 with size 0",
                             index_error);
    });
}

TEST_CASE("choose takes each element from the choice that its index numbers") {
    on_every_backend([](const tested_backend&) {
        const array<std::int32_t> x = data<std::int32_t>({4, 1}, 1);
        const array<double> y = data<double>({5}, 2);
        const array<std::int8_t> z = data<std::int8_t>({4, 5}, 3);
        const array<std::int64_t> far = data<std::int64_t>({4, 5}, 4), i = far % 3;
        const array<float> rows = data<float>({3, 5}, 6);
        std::tuple choices(x, y, z);
        check("choose", choose(i, choices));
        check("choose number", choose(full<std::int64_t>({}, 2), choices));
        check("choose wrap", choose(far, choices, {.mode = "wrap"}));
        check("choose clip", choose(far, choices, {.mode = "clip"}));
        check("choose of rows", choose(i, rows));
        check("choose wrap of rows", choose(far, rows, {.mode = "wrap"}));
        check("choose clip of rows", choose(far, rows, {.mode = "clip"}));
        check("choose broadcast", choose(i(all, slice(0, 1)), rows(all, newaxis, newaxis)));
        check("choose of one", choose(zeros<std::int64_t>({3, 1}), {y}));
        check("choose of none", choose(zeros<std::int64_t>({0, 5}), std::tuple(y, z(0))));
        check("choose", choose(i, std::vector<array<double>>{x + 0.0, y, z + 0.0}));
        CHECK(explain(choose(i, choices, {.mode = "clip"}) * 2 + 1).kernels() == 1);
        CHECK(explain(choose(i, rows * 2)).kernels() == 2);
    });
}

TEST_CASE("an index that numbers no choice throws where the result is read") {
    on_every_backend([](const tested_backend&) {
        const array<double> a = data<double>({4}, 1), b = data<double>({4}, 2);
        for (std::int64_t wrong : {-1, 2, 9}) {
            index_array index{0, 1, 1, wrong};
            array<double> chosen = choose(index, {a, b}), one = choose(index - 1, {a}),
                          row = choose(index, stack({a, b})), alike = choose(index % 5, {a, a}),
                          part = where(take(a, index) > 0, b, b);
            CHECK_THROWS_AS(to_vector(chosen), index_error);
            CHECK_THROWS_AS(to_vector(alike), index_error);
            if (wrong > 2) CHECK_THROWS_AS(to_vector(part), index_error);
            CHECK_THROWS_AS(to_vector(one), index_error);
            CHECK_THROWS_AS(to_vector(row), index_error);
        }
        array<double> late = choose(index_array{0, 1, 2, 0}, {a, b});
        CHECK_THROWS_WITH_AS(to_vector(late), "[choose] index 2 is out of bounds for axis 0 with size 2", index_error);
        CHECK_THROWS_WITH_AS(choose(index_array{0}, {a, b}, {.mode = "nearest"}),
                             "[choose] the mode is not raise, wrap or clip: nearest", value_error);
        CHECK_THROWS_WITH_AS(choose(index_array{0}, std::vector<array<double>>()), "[choose] there is no choice",
                             value_error);
        CHECK_THROWS_AS(choose(index_array{0, 1, 0}, {a, b}), shape_error);
    });
}

TEST_CASE("items are read by numbers, negative ones from the end") {
    on_every_backend([](const tested_backend&) {
        array<std::int32_t> a{{1, 2, 3}, {4, 5, 6}};
        CHECK(a.item(1, 2) == 6);
        CHECK(a.item(-1, -3) == 4);
        CHECK(a(slice(none, none, -1)).item(0, 1) == 5);
        CHECK((a * 2).item(0, 0) == 2);
        CHECK(sum(a).item() == 21);
        CHECK(double(sum(a)) == 21);
        CHECK(bool(all(a == a)));
        CHECK_THROWS_AS(a.item(), value_error);
        CHECK_THROWS_AS(a.item(0), index_error);
        CHECK_THROWS_AS(a.item(2, 0), index_error);
    });
}
