// Rows and columns over several axes, of parts, of gathered rows, and over axes without elements.
#include "support/backends.hpp"
#include "support/rows.hpp"

#include <sinter/sinter.hpp>

#include <algorithm>
#include <vector>

using namespace sinter;
using namespace test_backends;
using test_rows::numbers;

TEST_CASE("rows of which only the first elements are wanted beside all of them are one kernel") {
    on_compiling_backends([](const tested_backend&) {
        for (std::int64_t n : {3, 33, 1024, 1025, 4097, 9001, 16001}) {
            array<float> x = numbers<float>({7, n});
            x.eval();
            array<double> y = 2.0 * astype<double>(x);
            array<double> first(detail::record_reduce(codegen::reduction::first, y.get_handle(), 2, false));
            CAPTURE(n);
            CHECK(explain(y, first).kernels() == 1);
            CHECK(explain(y, first).source().find("buffer[0]") == std::string::npos);
            eval(y, first);
            CHECK(array_equal(first, 2.0 * astype<double>(x(all, 0))));
        }
    });
}

TEST_CASE("gathered rows are reduced and used again in one statement") {
    on_every_backend([](const tested_backend&) {
        for (const dims& shape : {dims(3, 17), dims(30, 170), dims(1, 1)}) {
            const array<double> m = numbers<double>(shape);
            const std::vector<double> values = to_vector(m);
            const std::int64_t rows = shape[0], columns = shape[1];
            double total = 0;
            for (double v : values) total += v;
            array<double> p = roll(m, 1, 0);
            const std::vector<double> shifted = to_vector(array<double>(p - mean(p)));
            for (std::int64_t i = 0; i < rows * columns; ++i) {
                const double from = values[static_cast<std::size_t>((i + (rows - 1) * columns) % (rows * columns))];
                CHECK(shifted[static_cast<std::size_t>(i)] ==
                      doctest::Approx(from - total / static_cast<double>(rows * columns)));
            }
            array<double> edges = pad(m, 1, {.mode = "edge"});
            const std::vector<double> less = to_vector(array<double>(edges - max(edges, 1, keepdims)));
            CHECK(*std::max_element(less.begin(), less.end()) == 0);
            array<double> taken = take(m, array<std::int64_t>{0, 0, -1}, 1);
            CHECK(double(max(abs(sum(taken / sum(taken, 1, keepdims), 1) - 1.0))) < 1e-12);
        }
    });
}

TEST_CASE("an axis without elements has none to take") {
    on_every_backend([](const tested_backend&) {
        const array<double> none = zeros({0, 5});
        CHECK_THROWS_WITH_AS(take(none, array<std::int64_t>{0, -1}, 0),
                             "[take] indices of shape (2,) are out of bounds for axis 0 with size 0", index_error);
        CHECK_THROWS_AS(zeros({0, 0})(array<std::int64_t>{0}), index_error);
        CHECK(take(none, zeros<std::int64_t>({0}), 0).shape() == dims(0, 5));
        array<double> written = none;
        CHECK_THROWS_AS(written(array<std::int64_t>{0, -1}) = 9.0, index_error);
        CHECK_THROWS_AS(scatter_add(written, array<std::int64_t>{0, 0}, 1.0), index_error);
    });
}

TEST_CASE("rows over axes on both sides of others have the bits of the same rows in one piece") {
    on_compiling_backends([](const tested_backend&) {
        for (const dims& s : {dims(8, 6, 64, 64), dims(5, 7, 36, 44), dims(64, 3, 12, 96), dims(3, 2, 8, 12),
                              dims(6, 5, 100, 400), dims(4, 3, 31, 17)}) {
            CAPTURE(s);
            const array<float> x = numbers<float>(s);
            const array<float> whole = reshape(transpose(x, {1, 0, 2, 3}), {s[1], -1}).copy().eval();
            const array<float> m = astype<float>(mean(x, {0, 2, 3}, keepdims)),
                               v = astype<float>(var(x, {0, 2, 3}, keepdims));
            const array<float> y = (x - m) / (v + 1e-5f);
            const array<float> of_rows =
                (whole - astype<float>(mean(whole, 1, keepdims))) / (astype<float>(var(whole, 1, keepdims)) + 1e-5f);
            CHECK(array_equal(reshape(transpose(y, {1, 0, 2, 3}), {s[1], -1}), of_rows));
        }
    });
}

TEST_CASE("columns over axes between others have the bits of the same columns in one piece") {
    on_compiling_backends([](const tested_backend&) {
        for (const dims& s : {dims(300, 130, 28), dims(520, 259, 8), dims(61, 31, 77)})
            for (std::int64_t r : {2, 3}) {
                CAPTURE(s);
                CAPTURE(r);
                const array<float> x = numbers<float>({s[0], r, s[1], r, s[2]});
                const array<float> whole = reshape(transpose(x, {0, 2, 1, 3, 4}), {s[0], s[1], r * r, s[2]}).copy();
                const array<float> greatest = max(x, {1, 3});
                const array<double> all = sum<double>(x * 2.0f, {1, 3}), spread = var(x, {1, 3});
                CHECK(array_equal(greatest, max(whole, 2)));
                CHECK(array_equal(all, sum<double>(whole * 2.0f, 2)));
                CHECK(array_equal(spread, var(whole, 2)));
            }
    });
}
