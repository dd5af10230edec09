// Errors of public functions that consist of others: their names, and whose an error of what is read is.
#include "support/backends.hpp"

#include <sinter/sinter.hpp>

using namespace sinter;
using namespace test_backends;
using doctest::Contains;

TEST_CASE("errors of arguments name the function that was called where it consists of other public functions") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = ones({2, 3}), y = ones({4, 5}), stack = ones({2, 2, 2});
        array<double> to = ones({2, 3});
        CHECK_THROWS_WITH_AS(clip(x, y, 3.0), "[clip] shapes do not broadcast: (2, 3) and (4, 5)", shape_error);
        CHECK_THROWS_WITH_AS(clip(x, none, y), Contains("[clip] shapes"), shape_error);
        CHECK_THROWS_WITH_AS(isclose(x, y), Contains("[isclose] shapes"), shape_error);
        CHECK_THROWS_WITH_AS(allclose(x, y), Contains("[allclose] shapes"), shape_error);
        CHECK_THROWS_WITH_AS(allclose(x, y, 1e-3), Contains("[allclose] shapes"), shape_error);
        CHECK_THROWS_WITH_AS(select<double>({x > 0}, {y}), Contains("[select] shapes"), shape_error);
        CHECK_THROWS_WITH_AS(permute_dims(x, {0, 5}), Contains("[permute_dims] axis 5"), index_error);
        CHECK_THROWS_WITH_AS(tri(-1, 2), "[tri] a size is negative: (-1, 2)", value_error);
        CHECK_THROWS_WITH_AS(tril_indices(-1), Contains("[tril_indices] a size"), value_error);
        CHECK_THROWS_WITH_AS(triu_indices(-1), Contains("[triu_indices] a size"), value_error);
        CHECK_THROWS_WITH_AS(identity(-1), Contains("[identity] a size"), value_error);
        CHECK_THROWS_WITH_AS(hsplit(x, 2), Contains("[hsplit] 3 elements"), value_error);
        CHECK_THROWS_WITH_AS(vsplit(x, 4), Contains("[vsplit] 2 elements"), value_error);
        CHECK_THROWS_WITH_AS(dsplit(stack, 4), Contains("[dsplit] 2 elements"), value_error);
        CHECK_THROWS_WITH_AS(corrcoef(stack), Contains("[corrcoef] more than two axes"), shape_error);
        CHECK_THROWS_WITH_AS(corrcoef(x, y), Contains("[corrcoef]"), shape_error);
        CHECK_THROWS_WITH_AS(copyto(to, y), Contains("[copyto]"), shape_error);
        CHECK_THROWS_WITH_AS(copyto(to, x, y > 0), Contains("[copyto]"), shape_error);
        CHECK(to_vector(to) == std::vector<double>(6, 1));
    });
}

TEST_CASE("an error of what a function reads keeps the name of what failed") {
    on_every_backend([](const tested_backend&) {
        const array<std::int64_t> far{0, 9};
        const array<double> x{1, 2}, failed = take(x, far);
        CHECK_THROWS_WITH_AS(allclose(failed, x), Contains("[take] index 9"), index_error);
        CHECK_THROWS_WITH_AS(repeat(x, take(far, far)), Contains("[take] index 9"), index_error);
    });
}
