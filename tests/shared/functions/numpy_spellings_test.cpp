// What NumPy's documentation writes with lists, characters and tuples, written in braces, characters and tuples.
#include <string>
#include <vector>

#include <sinter/sinter.hpp>

#include "support/backends.hpp"

using namespace sinter;
using namespace test_backends;
using integers = std::vector<std::int64_t>;

namespace {

template <expression E>
integers values(const E& e) {
    return to_vector(array<std::int64_t>(astype<std::int64_t>(ravel(e))));
}

}  // namespace

TEST_CASE("a character beside integers is its number") {
    on_every_backend([](const tested_backend&) {
        const array<std::int64_t> text{97, 98, 97};
        CHECK(values(text == 'a') == integers{1, 0, 1});
        CHECK(values('b' - text) == integers{1, 0, 1});
        CHECK(values(array<std::int8_t>{97, 98} != 'b') == integers{1, 0});
        CHECK(values(clip(text, 'b', 'z')) == integers{98, 98, 98});
        CHECK(values(array<std::uint8_t>{1, 2} + 'a') == integers{98, 99});
        CHECK_THROWS_WITH_AS((array<std::uint8_t>{1} + static_cast<signed char>(-1)).eval(),
                             doctest::Contains("-1 does not fit"), value_error);
    });
}

TEST_CASE("a single condition chooses for all elements, which broadcast") {
    on_every_backend([](const tested_backend&) {
        const array<std::int64_t> x{1, 2, 3}, column{{10}, {20}};
        bool is_first = true;
        CHECK(values(where(is_first, x, 0)) == integers{1, 2, 3});
        CHECK(values(where(!is_first, x, column)) == integers{10, 10, 10, 20, 20, 20});
        CHECK(where(is_first, x, column).shape() == dims{2, 3});
        CHECK(values(where(0.5, 7, x)) == integers{7, 7, 7});
    });
}

TEST_CASE("conditions, positions and values stand in braces") {
    on_every_backend([](const tested_backend&) {
        const array<std::int64_t> m{{1, 2}, {3, 4}, {5, 6}};
        CHECK(values(compress({false, true, true}, m, 0)) == integers{3, 4, 5, 6});
        CHECK(values(compress({false, true}, m)) == integers{2});
        array<std::int64_t> x = arange(7);
        put(x, {0, 2}, {-44, -55});
        place(x, x > 4, {7, 8, 9});
        CHECK(values(x) == integers{-44, 1, -55, 3, 4, 7, 8});
        CHECK(values(ravel_multi_index({3, 1, 4, 1}, {6, 7, 8, 9})) == integers{1621});
        CHECK(values(ravel_multi_index(array<int>{{3, 6, 6}, {4, 5, 1}}, {7, 6})) == integers{22, 41, 37});
    });
}

TEST_CASE("a tuple of arrays is an index, as what ix_ gives") {
    on_every_backend([](const tested_backend&) {
        array<std::int64_t> m = reshape(arange(10), {2, 5});
        CHECK(values(m(ix_({1, 0}, {2, 4}))) == integers{7, 9, 2, 4});
        const array<std::int64_t> column{4, 0};
        m(ix_(array<bool>{false, true}, column)) = -1;
        CHECK(values(m) == integers{0, 1, 2, 3, 4, -1, 6, 7, 8, -1});
    });
}

TEST_CASE("numbers are repeated, broadcast and given axes as arrays are") {
    on_every_backend([](const tested_backend&) {
        CHECK(values(repeat(3, 4)) == integers{3, 3, 3, 3});
        CHECK(values(broadcast_to(5, {1, 2})) == integers{5, 5});
        auto [one, vector] = atleast_1d(7, array<int>{3, 4});
        CHECK(one.shape() == dims{1});
        CHECK(vector.shape() == dims{2});
        CHECK(atleast_3d(2.0).shape() == dims{1, 1, 1});
        CHECK_THROWS_WITH_AS(full({2, 3}, array<int>{1, 2}), doctest::Contains("[full]"), shape_error);
        CHECK_THROWS_AS(repeat(3, -1), value_error);
    });
}

TEST_CASE("ends of geometric progressions that are zero give NaN in arrays and throw as numbers") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = geomspace(array<double>{0, 1}, array<double>{8, 8}, 3);
        CHECK(values(isnan(x)) == integers{1, 0, 1, 0, 1, 0});
        CHECK_THROWS_WITH_AS(geomspace(0, 8, 3), doctest::Contains("[geomspace]"), value_error);
        CHECK(linspace(array<float>{0, 1}, 2, 5, {.axis = -1}).dtype() == dtype::float32);
        CHECK(linspace(std::complex<double>(0, 1), 2, 3).dtype() == dtype::complex128);
        CHECK_THROWS_AS(linspace(array<float>{0, 1}, 2, 5, {.axis = 2}), index_error);
    });
}

TEST_CASE("numpy.linalg's names of products and norms are there") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{3, 4}, m{{1, 2}, {3, 4}};
        CHECK(double(linalg::vector_norm(x)) == 5);
        CHECK(double(linalg::vector_norm(m, inf)) == 4);
        CHECK(values(linalg::vector_norm(m, 1, 0)) == integers{4, 6});
        CHECK(double(linalg::matrix_norm(m, 1)) == 6);
        CHECK(values(linalg::outer(x, x)) == integers{9, 12, 12, 16});
        CHECK(values(linalg::matmul(m, x)) == integers{11, 25});
        CHECK(values(linalg::matrix_transpose(m)) == integers{1, 3, 2, 4});
    });
}
