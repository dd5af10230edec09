// What may be written in more than one way: lists of expressions, nested ranges, members, rows of loops, conditions.
#include "support/backends.hpp"

#include <array>
#include <complex>
#include <list>
#include <sinter/sinter.hpp>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

using namespace sinter;
using namespace test_backends;

namespace {

std::string kind_of(double) { return "number"; }
std::string kind_of(const array<int>&) { return "integers"; }
std::string kind_of(const array<double>&) { return "numbers"; }

template <class From, class To>
constexpr bool converts = std::is_convertible_v<From, To>;

}  // namespace

TEST_CASE("a list joins arrays, parts and expressions of one element type") {
    on_every_backend([](const tested_backend&) {
        array<double> x{1, 2, 3}, y{4, 5, 6};
        CHECK(str(concatenate({x(slice(0, 1)), x(slice(2, 3))})) == "[1. 3.]");
        CHECK(str(concatenate({x(slice(1, none)), y * 10, x})) == "[ 2.  3. 40. 50. 60.  1.  2.  3.]");
        CHECK(str(concatenate({x, y})) == "[1. 2. 3. 4. 5. 6.]");
        array<int> m{{1, 2}, {3, 4}};
        CHECK(str(concatenate({m, -m(slice(0, 1), all), m.T()})) ==
              "[[ 1  2]\n [ 3  4]\n [-1 -2]\n [ 1  3]\n [ 2  4]]");
        CHECK(str(concatenate({m(all, slice(1, 2)), m + m}, 1)) == "[[2 2 4]\n [4 6 8]]");
        CHECK(str(concatenate({m, m * m}, -1)) == "[[ 1  2  1  4]\n [ 3  4  9 16]]");
        CHECK(str(stack({x(slice(0, 2)), y(slice(0, 2)) - 1}, 1)) == "[[1. 3.]\n [2. 4.]]");
        CHECK(str(hstack({x > 1, x(slice(0, 1)) < 0})) == "[False  True  True False]");
        CHECK(str(vstack({x, x * 2})) == "[[1. 2. 3.]\n [2. 4. 6.]]");
        CHECK(str(column_stack({x, x + 0.5})) == "[[1.  1.5]\n [2.  2.5]\n [3.  3.5]]");
        array<std::complex<float>> z{{1, 2}};
        CHECK(concatenate({z, conj(z)}).dtype() == dtype::complex64);
        CHECK_THROWS_WITH_AS(concatenate({m, -m(all, slice(0, 1))}), doctest::Contains("[concatenate]"), shape_error);
    });
}

TEST_CASE("ranges of ranges become arrays") {
    on_every_backend([](const tested_backend&) {
        const std::vector<std::vector<double>> rows{{1, 2, 3}, {4, 5, 6}};
        CHECK(str(asarray(rows)) == "[[1. 2. 3.]\n [4. 5. 6.]]");
        CHECK(asarray<float>(rows).dtype() == dtype::float32);
        const std::list<std::array<std::vector<int>, 2>> deep{{{{1}, {2}}}, {{{3}, {4}}}, {{{5}, {6}}}};
        CHECK(asarray(deep).shape() == dims{3, 2, 1});
        CHECK(to_vector(asarray(deep)) == std::vector<int>{1, 2, 3, 4, 5, 6});
        CHECK(str(asarray(std::vector<std::vector<bool>>{{true, false}, {false, true}})) ==
              "[[ True False]\n [False  True]]");
        CHECK(asarray(std::vector<std::vector<int>>{}).shape() == dims{0});
        CHECK(asarray(std::vector<std::vector<int>>{{}, {}}).shape() == dims{2, 0});
        CHECK_THROWS_WITH_AS(asarray(std::vector<std::vector<int>>{{1, 2}, {3}}),
                             "[asarray] ragged data: a range of 1 beside one of 2 along axis 1", shape_error);
        CHECK_THROWS_AS(asarray(std::vector<std::vector<int>>{{}, {3}}), shape_error);
    });
}

TEST_CASE("numbers in braces leave nothing to destroy, for which compilers take the square of their number") {
    CHECK(std::is_trivially_destructible_v<detail::nested<double>>);
    CHECK(std::is_trivially_destructible_v<detail::nested<std::complex<float>>>);
    on_every_backend([](const tested_backend&) {
        const int n = 3;
        CHECK(str(array<double>{{1, 2.5}, {n, 4.0f}}) == "[[1.  2.5]\n [3.  4. ]]");
        CHECK(str(array<bool>{{true}, {false}}) == "[[ True]\n [False]]");
        CHECK(array<double>{{}, {}}.shape() == dims(2, 0));
        CHECK_THROWS_WITH_AS((array<int>{{1, 2}, {3}}),
                             "[array] ragged data: an element of shape (1,) beside one of shape (2,)", shape_error);
        CHECK_THROWS_WITH_AS((array<int>{{{1}, {2, 3}}, {{4, 5}, {6, 7}}}),
                             "[array] ragged data: an element of shape (2,) beside one of shape (1,)", shape_error);
        CHECK_THROWS_AS((array<std::uint8_t>{1, 256}), value_error);
    });
}

TEST_CASE("reshape is a member as well") {
    on_every_backend([](const tested_backend&) {
        array<int> x = arange(6);
        CHECK(str(x.reshape({2, 3})) == "[[0 1 2]\n [3 4 5]]");
        CHECK(str(x.reshape(3, -1)) == "[[0 1]\n [2 3]\n [4 5]]");
        CHECK(str((x + 1).reshape({6, 1}).T()) == "[[1 2 3 4 5 6]]");
        CHECK_THROWS_AS(x.reshape(4, 2), shape_error);
    });
}

TEST_CASE("rows of a loop are arrays whose parts lead nowhere") {
    on_every_backend([](const tested_backend&) {
        array<double> m{{1, 2, 3}, {4, 5, 6}};
        std::vector<double> sums;
        array<double> last;
        for (auto row : m) {
            row = row / sum(row);
            sums.push_back(double(sum(row * 2)));
            last = row;
            CHECK(row(0).ndim() == 0);
            CHECK(double(row[-1]) == double(row(2)));
        }
        CHECK(sums == std::vector<double>{2, 2});
        CHECK(str(m) == "[[1. 2. 3.]\n [4. 5. 6.]]");
        CHECK(double(sum(last)) == doctest::Approx(1));
        double total = 0;
        for (const array<double>& row : m * 2) total += double(max(row));
        CHECK(total == 18);
    });
}

TEST_CASE("an array of several elements is neither true nor false") {
    on_every_backend([](const tested_backend&) {
        array<double> x{1, 2, 3};
        const char* text =
            "[bool] an array of shape (3,) is neither true nor false: write any(x) or all(x), and where(x, a, b) for x "
            "? a : b";
        CHECK_THROWS_WITH_AS(static_cast<void>(bool(x == x)), text, value_error);
        CHECK_THROWS_WITH_AS(static_cast<void>(x > 1 ? x : -x), text, value_error);
        CHECK(bool(all(x == x)));
        CHECK(!bool(array<int>{0}));
        CHECK_THROWS_WITH_AS(static_cast<void>(double(x)), "[item] an array of shape (3,) is not a single number",
                             value_error);
    });
}

TEST_CASE("what is refused with a sentence is no conversion") {
    static_assert(!converts<array<double>, double> && !converts<array<int>, bool> && !converts<array<double>, int>);
    static_assert(!converts<array<double>, std::vector<double>> && !converts<array<double>, array<int>>);
    static_assert(std::is_constructible_v<double, array<double>> && std::is_constructible_v<bool, array<int>>);
    static_assert(std::is_nothrow_move_assignable_v<array<double>> && std::is_copy_assignable_v<array<double>>);
    on_every_backend([](const tested_backend&) {
        array<double> x{1, 2};
        array<int> i{1, 2};
        CHECK(kind_of(x) == "numbers");
        CHECK(kind_of(x * 2) == "numbers");
        CHECK(kind_of(i) == "integers");
        CHECK(kind_of(double(sum(x))) == "number");
        std::variant<double, array<double>> either = x + 1;
        CHECK(either.index() == 1);
        CHECK(static_cast<long double>(sum(x)) == 3.0L);
        CHECK(static_cast<std::complex<double>>(sum(x)) == 3.0);
    });
}
