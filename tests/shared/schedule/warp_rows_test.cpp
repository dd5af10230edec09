// Rows of up to 1024 elements, of which GPUs give each to a thread block where they are few, else to a part of a warp,
// and several to one when there are many of them: the bits of a row never depend on how many rows there are.
#include "support/backends.hpp"

#include <sinter/sinter.hpp>
#include <sinter/tools/testing.hpp>

#include "support/rows.hpp"

using namespace sinter;
using namespace test_backends;
using namespace test_rows;

namespace {

// Elements from which the same threads may take several rows, from which kernels are printed for lengths, and fewer.
constexpr std::int64_t together = 1 << 20, many = 40000, few = 3000;

// So many rows of n elements that a warp takes each.
std::int64_t rows_of_warps(std::int64_t n) { return n > 128 ? 513 : many / n; }

// A function of rows that gives several arrays in one kernel, of all rows and of a few at a time: its last rows too,
// which do not fill a thread block.
template <class T, class F>
void check_rows(const array<T>& x, F f) {
    auto compute = [&](const array<T>& rows) {
        auto results = f(rows);
        std::apply([](auto&... r) { eval(r...); }, results);
        return results;
    };
    const auto at_once = compute(x);
    const std::int64_t rows = x.shape(0), step = std::max<std::int64_t>(1, few / x.shape(-1));
    CAPTURE(x.shape());
    CAPTURE(to_string(dtype_of<T>));
    for (std::int64_t first : {std::int64_t{0}, rows / 2 - 1, rows - step}) {
        CAPTURE(first);
        const auto part = slice(first, first + step);
        const auto alone = compute(x(part).copy().eval());
        bool same = true;
        std::apply(
            [&](const auto&... whole) {
                std::apply([&](const auto&... piece) { same &= (array_equal(piece, whole(part)) && ...); }, alone);
            },
            at_once);
        CHECK(same);
    }
}

template <class T>
void check_reductions(std::int64_t rows, std::int64_t n) {
    const array<T> x = drawn<T>({rows, n}, static_cast<std::uint64_t>(n));
    check_rows(x, [](const array<T>& r) {
        return std::tuple(array<T>(sum(r, 1)), array<T>(prod(r * T(0.5f), 1) + T(1)), any(r == r, 1));
    });
    if constexpr (!codegen::is_complex(dtype_of<T>))
        check_rows(x, [](const array<T>& r) {
            return std::tuple(argmax(r, 1), array<T>(max(r, 1) - min(r, 1)), array<std::int64_t>(argmin(r * r, 1) * 3));
        });
    if constexpr (!codegen::is_complex(dtype_of<T>))
        check_rows(
            x, [](const array<T>& r) { return std::tuple(array<T>(mean(r, 1)), array<T>(var(r * r + T(1000), 1))); });
}

template <class T>
void check_row_kernels(const array<T>& x) {
    check_rows(x, [](const array<T>& r) {
        array<T> e = exp(r - max(r, 1, keepdims));
        return std::tuple(array<T>(e / sum(e, 1, keepdims)));
    });
    check_rows(x, [](const array<T>& r) {
        array<T> e = exp(r - max(r, 1, keepdims));
        return std::tuple(array<T>(var(e, 1)), array<T>(e - mean(e, 1, keepdims)));
    });
    check_rows(x, [](const array<T>& r) {
        array<T> m = mean(r, 1);
        array<T> y = (r - m(all, newaxis)) / sqrt(var(r, 1, keepdims) + T(1e-5f)) * T(1.5f) + T(0.5f);
        return std::tuple(y, m, array<T>(max(y, 1)), array<bool>(r == max(r, 1, keepdims)));
    });
}

template <class T>
void check_complex_rows(std::int64_t rows, std::int64_t n) {
    check_rows(drawn<T>({rows, n}, static_cast<std::uint64_t>(n)), [](const array<T>& r) {
        array<T> e = r - mean(r, 1, keepdims);
        return std::tuple(array<T>(e * sum(e * e, 1, keepdims)), e);
    });
}

template <class T>
void check_row_kernels(std::int64_t rows, std::int64_t n) {
    check_row_kernels(drawn<T>({rows, n}, static_cast<std::uint64_t>(n)));
}

template <class T>
array<T> whole(const dims& shape) {
    return astype<T>(random::generator(static_cast<std::uint64_t>(shape.back())).integers<int>(-100, 100, shape))
        .eval();
}

// Whole numbers wrap around, those of 8 bits often.
template <class T>
void check_whole_rows(const array<T>& x, std::int64_t rows, std::int64_t n) {
    check_rows(array<T>(reshape(x, {rows, n})).eval(), [](const array<T>& r) {
        return std::tuple(array<T>(r - max(r, 1, keepdims)), array<bool>(r > min(r, 1, keepdims)), array<T>(max(r, 1)));
    });
}

template <class T>
void check_whole_rows(std::int64_t rows, std::int64_t n) {
    check_whole_rows(whole<T>({rows, n}), rows, n);
}

// Rows around zero, put where `put` says in an array of ones, which keeps what is around them.
template <class T, class F>
void check_places(std::int64_t rows, std::int64_t n, const dims& shape, F put) {
    const array<T> x = drawn<T>({rows, n}, static_cast<std::uint64_t>(n)), few = x(slice(none, 9)).copy().eval();
    const array<T> wanted = (x - mean(x, 1, keepdims)).copy().eval();
    array<T> base = ones<T>(shape).eval(), marks = zeros<T>(shape).eval();
    CAPTURE(n);
    CAPTURE(shape);
    put(base, array<T>(x - mean(x, 1, keepdims)));
    put(marks, ones<T>({rows, n}));
    CHECK(array_equal(base[marks != T(0)], reshape(wanted, {-1})));
    CHECK(array_equal(base[marks == T(0)], ones<T>({base.size() - rows * n})));
    CHECK(array_equal(wanted(slice(none, 9)), array<T>(few - mean(few, 1, keepdims))));
}

}  // namespace

TEST_CASE("rows that the same threads take side by side have the bits of rows taken one by one") {
    on_compiling_backends([](const tested_backend&) {
        for (std::int64_t n : {1, 8, 31, 128}) {
            check_reductions<float>(together / n + 3, n);
            check_row_kernels<float>(together / n + 3, n);
        }
        for (std::int64_t n : {2, 28}) {
            check_reductions<double>(together / n + 5, n);
            check_row_kernels<double>(together / n + 5, n);
            check_reductions<std::complex<float>>(together / n + 1, n);
            check_reductions<half>(together / n + 2, n);
            check_row_kernels<half>(together / n + 2, n);
        }
    });
}

TEST_CASE("short rows of many lengths have the bits of the same rows among few") {
    on_compiling_backends([](const tested_backend&) {
        for (std::int64_t n : {1,   6,   16,  17,  36,  40,  63,  65,  100, 127,  128,  129,
                               130, 192, 255, 260, 384, 388, 512, 516, 768, 1000, 1023, 1024}) {
            check_reductions<float>(rows_of_warps(n) + 3, n);
            check_row_kernels<float>(rows_of_warps(n) + 3, n);
        }
        for (std::int64_t n : {5, 24, 132, 1020}) {
            check_reductions<double>(rows_of_warps(n) + 1, n);
            check_reductions<std::complex<double>>(rows_of_warps(n) + 2, n);
            check_row_kernels<half>(rows_of_warps(n) + 2, n);
        }
    });
}

TEST_CASE("short rows of lengths that no four neighbours fill have the bits of the same rows among few") {
    on_compiling_backends([](const tested_backend&) {
        for (std::int64_t n : {2, 3, 7, 33, 50, 63, 129, 191, 250, 301, 602, 1001}) {
            check_row_kernels<float>(rows_of_warps(n) + 3, n);
            check_row_kernels<half>(rows_of_warps(n) + 5, n);
            check_row_kernels<double>(rows_of_warps(n) + 1, n);
            check_whole_rows<std::int8_t>(rows_of_warps(n) + 2, n);
        }
        for (std::int64_t n : {3, 50, 501}) {
            check_whole_rows<std::int16_t>(rows_of_warps(n) + 7, n);
            check_row_kernels<float>(together / n + 7, n);
            check_complex_rows<std::complex<float>>(rows_of_warps(n) + 3, n);
            check_complex_rows<std::complex<double>>(rows_of_warps(n) + 1, n);
        }
        check_row_kernels<double>(rows_of_warps(515) + 2, 515);
        check_complex_rows<std::complex<float>>(rows_of_warps(777) + 2, 777);
        check_whole_rows<std::int8_t>(together / 50 + 7, 50);
        check_row_kernels<half>(together / 50 + 3, 50);
    });
}

TEST_CASE("more wide rows than shared memory has room for are stored from registers") {
    on_compiling_backends([](const tested_backend&) {
        check_rows(drawn<std::complex<double>>({41, 777}, 3), [](const array<std::complex<double>>& r) {
            array<std::complex<double>> e = r - mean(r, 1, keepdims), f = e * e, g = e + f, h = e - f;
            return std::tuple(e, f, g, h);
        });
    });
}

TEST_CASE("short rows may begin at any element, and what they hold may be places in another array") {
    on_compiling_backends([](const tested_backend&) {
        for (std::int64_t n : {3, 50, 64, 250}) {
            const std::int64_t rows = many / n + 3, end = rows * n;
            for (std::int64_t first : {0, 1, 2, 3, 16}) {
                CAPTURE(first);
                check_row_kernels(reshape(drawn<float>({end + 20}, 4)(slice(first, first + end)), {rows, n}).eval());
                check_row_kernels(reshape(drawn<half>({end + 20}, 5)(slice(first, first + end)), {rows, n}).eval());
                check_whole_rows(whole<std::int8_t>({end + 20})(slice(first, first + end)), rows, n);
            }
            const array<std::int32_t> at = abs(whole<std::int32_t>({rows, n})).eval();
            const array<double> table = drawn<double>({101}, 6);
            check_rows(at, [&](const array<std::int32_t>& r) {
                return std::tuple(array<double>(sum(table(r), 1)),
                                  array<double>(table(r) - max(table(r), 1, keepdims)));
            });
        }
    });
}

TEST_CASE("short rows go to where an assignment wants them, and nowhere else") {
    on_compiling_backends([](const tested_backend&) {
        for (std::int64_t n : {3, 50, 64, 333}) {
            const std::int64_t rows = many / n + 3, end = rows * n;
            for (std::int64_t first : {1, 2, 16}) {
                auto put = [=](auto& base, const auto& v) { base(slice(first, first + end)) = reshape(v, {end}); };
                check_places<float>(rows, n, {end + 40}, put);
                check_places<half>(rows, n, {end + 40}, put);
                check_places<double>(rows, n, {end + 40}, put);
            }
            check_places<float>(rows, n, {rows, n + 1}, [=](auto& base, const auto& v) { base(all, slice(0, n)) = v; });
            check_places<half>(rows, n, {rows, 2 * n},
                               [=](auto& base, const auto& v) { base(all, slice(none, none, 2)) = v; });
            check_places<double>(rows, n, {2 * rows, n},
                                 [=](auto& base, const auto& v) { base(slice(1, none, 2)) = v; });
        }
    });
}

TEST_CASE("short rows side by side may be of several axes, of views and of operands that repeat") {
    on_compiling_backends([](const tested_backend&) {
        const array<float> base = drawn<float>({1201, 30, 40}, 1), weights = drawn<float>({40}, 2);
        const array<float> bias = drawn<float>({30, 1}, 3);
        auto compare = [&](auto f) {
            const auto at_once = f(base, bias);
            for (int first : {0, 77, 1199}) {
                const auto part = slice(first, first + 2);
                CAPTURE(first);
                CHECK(array_equal(f(base(part).copy().eval(), bias), array<float>(at_once(part))));
            }
        };
        compare(
            [&](const array<float>& r, const array<float>& b) { return array<float>(sum(r * weights + b, 2)).eval(); });
        compare([&](const array<float>& r, const array<float>& b) {
            return array<float>(r * sum(r * weights, 2, keepdims) + b * max(r, 2, keepdims)).eval();
        });
        compare([&](const array<float>& r, const array<float>&) {
            array<float> v = swapaxes(r, 0, 1)(all, all, slice(none, none, -1));
            return array<float>(swapaxes(array<float>(sum(v, 2)), 0, 1)).eval();
        });
        compare([&](const array<float>& r, const array<float>&) {
            array<float> v = r(all, all, slice(1, 40));
            return array<float>(v - mean(v, 2, keepdims) + astype<float>(arange<std::int64_t>(39))).eval();
        });
    });
}

TEST_CASE("stages of different types of rows that lanes turn leave other warps' values alone") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t n : {301, 1023}) {
            CAPTURE(n);
            const array<float> x = drawn<float>({40, n}, 7);
            array<float> middle = mean(x, 1, keepdims);
            array<float> logs = log(abs(middle) + 2.0f), fused = (x - middle) * logs;
            array<double> spread = var(astype<double>(x), 1, keepdims);
            eval(logs, fused, spread);
            const array<double> wide = astype<double>(x).eval();
            CHECK(array_equal(spread, var(wide, 1, keepdims)));
        }
    });
}

TEST_CASE("rows of outer products, of which a thread has several, have the bits of rows taken one by one") {
    on_every_backend([](const tested_backend&) {
        const dims shapes[] = {{301, 257, 16}, {130, 401, 5}, {1037, 129, 3}, {2, 20011, 7}, {67, 700, 31}};
        for (const dims& shape : shapes) {
            CAPTURE(shape);
            const std::int64_t m = shape[0], n = shape[1], d = shape[2];
            const array<float> x = drawn<float>({m, d}, 3).eval(), c = drawn<float>({n, d}, 4).eval();
            const array<float> distances = sum(square(x(all, newaxis, all) - c(newaxis, all, all)), -1);
            const array<float> scaled = max(x(all, newaxis, all) * c(newaxis, all, all), -1) + 1.0f;
            for (std::int64_t i : {std::int64_t{0}, std::int64_t{1}, m / 2, m - 2, m - 1}) {
                CHECK(array_equal(array<float>(distances(i)), array<float>(sum(square(x(i) - c), -1))));
                CHECK(array_equal(array<float>(scaled(i)), array<float>(max(x(i) * c, -1) + 1.0f)));
            }
        }
        // Of three axes in front, and of an operand that varies along all but the last.
        const array<float> p = drawn<float>({3, 5, 1, 6}, 5).eval(), q = drawn<float>({1, 1, 3001, 6}, 6).eval();
        const array<float> y = sum(p * q, -1);
        CHECK(array_equal(array<float>(y(2, 4)), array<float>(sum(p(2, 4) * q(0, 0), -1))));
        CHECK(array_equal(array<float>(y(0, 3)), array<float>(sum(p(0, 3) * q(0, 0), -1))));
    });
}
