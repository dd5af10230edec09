// Rows of few elements, of which CPUs take many side by side: the bits of a row never depend on how many rows there
// are.
#include "support/backends.hpp"

#include <sinter/sinter.hpp>
#include <sinter/tools/testing.hpp>

#include "support/rows.hpp"

#include <cmath>
#include <vector>

using namespace sinter;
using namespace test_backends;
using namespace test_rows;

namespace {

// Elements from which kernels may take rows side by side, and fewer.
constexpr std::int64_t many = 40000, few = 1000;

// A function of rows, at once and of a few rows at a time.
template <class T, class F>
void check_rows(const array<T>& x, F f) {
    auto at_once = array<value_type_t<decltype(f(x))>>(f(x));
    at_once.eval();
    const std::int64_t rows = x.shape(0), step = std::max<std::int64_t>(1, few / x.shape(-1));
    CAPTURE(x.shape());
    CAPTURE(to_string(dtype_of<T>));
    for (std::int64_t first : {std::int64_t{0}, std::int64_t{129}, rows / 2, rows - step}) {
        const auto part = slice(first, std::min(rows, first + step));
        array<T> piece = x(part).copy().eval();
        auto alone = array<value_type_t<decltype(f(piece))>>(f(piece));
        alone.eval();
        CAPTURE(first);
        CHECK(same_bits(alone, array<value_type_t<decltype(f(piece))>>(at_once(part))));
    }
}

template <class F>
void for_each_length(F f) {
    for (std::int64_t n : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 20, 29, 31, 32, 33}) f(n, (many + n - 1) / n + 1);
}

}  // namespace

TEST_CASE("reductions of short rows have the same bits in many rows as in few") {
    on_compiling_backends([](const tested_backend&) {
        auto of_type = []<class T>(T) {
            for_each_length([](std::int64_t n, std::int64_t rows) {
                array<T> x = drawn<T>({rows, n}, static_cast<std::uint64_t>(n));
                check_rows(x, [](const array<T>& r) { return sum(r, 1); });
                check_rows(x, [](const array<T>& r) { return prod(r * T(2), -1) + T(1); });
                if constexpr (!codegen::is_complex(dtype_of<T>)) {
                    check_rows(x, [](const array<T>& r) { return max(r, 1) - min(r, 1); });
                    check_rows(x, [](const array<T>& r) { return argmax(r, 1); });
                    check_rows(x, [](const array<T>& r) { return argmin(r, 1) * 100 + argmax(r, 1); });
                }
            });
        };
        of_type(float());
        of_type(double());
        of_type(std::int8_t());
        of_type(std::int64_t());
        of_type(std::complex<float>());
    });
}

TEST_CASE("short rows that go back to their elements have the same bits in many rows as in few") {
    on_compiling_backends([](const tested_backend&) {
        auto of_type = []<class T>(T) {
            for_each_length([](std::int64_t n, std::int64_t rows) {
                array<T> x = drawn<T>({rows, n}, static_cast<std::uint64_t>(n));
                check_rows(x, [](const array<T>& r) {
                    auto e = exp(r - max(r, 1, keepdims));
                    return e / sum(e, 1, keepdims);
                });
                check_rows(x, [](const array<T>& r) { return var(r, 1); });
                check_rows(x, [](const array<T>& r) {
                    return (r - mean(r, 1, keepdims)) / sqrt(var(r, 1, keepdims) + T(1e-5)) * T(1.5) + T(0.5);
                });
                check_rows(x, [](const array<T>& r) {
                    return where(r == max(r, 1, keepdims), r, log(sum(exp(r), 1, keepdims)));
                });
            });
        };
        of_type(float());
        of_type(double());
    });
}

TEST_CASE("short rows cut out of wider ones, of two widths or written over themselves have the same bits as few") {
    on_compiling_backends([](const tested_backend&) {
        auto of_type = []<class T>(T) {
            for_each_length([](std::int64_t n, std::int64_t rows) {
                array<T> x = drawn<T>({rows, n + 3}, static_cast<std::uint64_t>(n));
                const auto cut = slice(2, -1);
                check_rows(x, [&](const array<T>& r) { return r(all, cut) - max(r(all, cut), 1, keepdims); });
                check_rows(x, [&](const array<T>& r) { return sinter::any(r(all, cut) > T(1), 1); });
                check_rows(x, [&](const array<T>& r) {
                    const array<std::int8_t> narrow = astype<std::int8_t>(r(all, cut)).eval();
                    return r(all, cut) * T(2) - astype<T>(narrow * min(narrow, 1, keepdims));
                });
                check_rows(x, [&](const array<T>& r) {
                    array<T> y = r(all, cut).copy().eval();
                    y -= min(y, 1, keepdims);
                    return y;
                });
            });
        };
        of_type(half());
        of_type(float());
        of_type(double());
        of_type(std::uint8_t());
    });
}

TEST_CASE("running values of short rows have the same bits in many rows as in few") {
    on_compiling_backends([](const tested_backend&) {
        auto of_type = []<class T>(T) {
            for_each_length([](std::int64_t n, std::int64_t rows) {
                array<T> x = drawn<T>({rows, n}, static_cast<std::uint64_t>(n));
                check_rows(x, [](const array<T>& r) { return cumsum(r, 1); });
                check_rows(x, [](const array<T>& r) { return r * T(3) - cumprod(r + T(1), 1) * r; });
                if constexpr (!codegen::is_complex(dtype_of<T>))
                    check_rows(x, [](const array<T>& r) { return cummax(r * r, 1); });
            });
        };
        of_type(float());
        of_type(double());
        of_type(std::int8_t());
        of_type(std::int64_t());
        of_type(std::complex<double>());
    });
}

TEST_CASE("short rows of views, of several axes and of broadcast operands have the same bits in many rows as in few") {
    on_compiling_backends([](const tested_backend&) {
        const array<float> base = drawn<float>({9000, 3, 14}, 1);
        const array<float> views[] = {base(all, all, slice(1, 6)),
                                      base(slice(none, none, -1), all, slice(none, none, -2)), swapaxes(base, 1, 2),
                                      base(all, 1, newaxis)};
        for (const array<float>& v : views) {
            CAPTURE(v.shape());
            auto in_parts = [&](auto f) {
                auto at_once = array<value_type_t<decltype(f(v))>>(f(v));
                at_once.eval();
                for (std::int64_t first : {0, 77, 8990}) {
                    array<float> piece = v(slice(first, first + 9));
                    auto alone = array<value_type_t<decltype(f(piece))>>(f(piece));
                    alone.eval();
                    CHECK(same_bits(alone, array<value_type_t<decltype(f(v))>>(at_once(slice(first, first + 9)))));
                }
            };
            in_parts([](const array<float>& r) { return sum(r * r, -1); });
            in_parts([](const array<float>& r) { return argmin(r, -1); });
            in_parts([](const array<float>& r) { return sum(r, {1, 2}); });
            in_parts([](const array<float>& r) { return cumsum(r, -1) * 2.0f + r; });
            in_parts([](const array<float>& r) { return r - mean(r, -1, keepdims) * max(r, {1, 2}, keepdims); });
            in_parts([](const array<float>& r) { return exp(r - max(r, -1, keepdims)) + arange<float>(r.shape(-1)); });
        }
    });
}

TEST_CASE("short rows keep NaN, and the first of equal elements is the one found") {
    on_compiling_backends([](const tested_backend&) {
        const float nan = constants::nan;
        array<float> x = astype<float>(random::generator(5).integers<std::int64_t>(0, 4, {many / 7, 7}));
        x(slice(3, none, 10), 4) = nan;
        x(slice(3, none, 20), 2) = nan;
        x.eval();
        check_rows(x, [](const array<float>& r) { return argmax(r, 1); });
        check_rows(x, [](const array<float>& r) { return max(r, 1); });
        check_rows(x, [](const array<float>& r) { return cummax(r, 1); });
        array<std::int64_t> found = argmax(x, 1);
        array<float> largest = max(x, 1);
        for (std::int64_t row : {0, 3, 13, 23, 5713}) {
            std::int64_t expected = 0;
            for (std::int64_t i = 0; i < 7; ++i) {
                const float v = x.item(row, i), best = x.item(row, expected);
                if (v > best || (v != v && best == best)) expected = i;
            }
            CHECK(found.item(row) == expected);
            CHECK(std::isnan(largest.item(row)) == std::isnan(x.item(row, expected)));
        }
    });
}

TEST_CASE("products and quotients of complex numbers have the same bits wherever they stand") {
    on_compiling_backends([](const tested_backend&) {
        auto of_type = []<class T>(T) {
            const array<T> x = drawn<T>({many}, 1), y = drawn<T>({many}, 3);
            auto alone = [&](const array<T>& all_of_them, auto f) {
                for (std::int64_t i : {0, 1, 7, 8, 31, 40, 100, 4097, 39999}) {
                    const T a = x.item(i), b = y.item(i);
                    CAPTURE(i);
                    CHECK(all_of_them.item(i) == array<T>(f(full<T>({1}, a).eval(), full<T>({1}, b).eval())).item(0));
                }
            };
            auto times = [](const array<T>& a, const array<T>& b) { return a * b; };
            auto over = [](const array<T>& a, const array<T>& b) { return a / b; };
            auto chain = [](const array<T>& a, const array<T>& b) { return a * b - b * b * a; };
            alone(times(x, y), times);
            alone(over(x, y), over);
            alone(chain(x, y), chain);
        };
        of_type(std::complex<float>());
        of_type(std::complex<double>());
    });
}

TEST_CASE("rows of up to 1024 elements and of few more have the interpreter's bits") {
    on_compiling_backends([](const tested_backend&) {
        auto of_type = []<class T>(T) {
            for (std::int64_t n : {1, 2, 3, 4, 5, 63, 64, 65, 66, 67, 70, 130, 257, 510, 1023, 1024, 1025, 1500}) {
                array<T> x = drawn<T>({3, n}, static_cast<std::uint64_t>(n));
                auto check = [&](auto f) {
                    auto got = array<value_type_t<decltype(f(x))>>(f(x));
                    got.eval();
                    device_scope on_cpu(device::cpu());
                    runtime::backend_scope interpreted(runtime::backend::interpreter);
                    const array<T> same = x.to(device::cpu());
                    CAPTURE(x.shape());
                    CAPTURE(to_string(dtype_of<T>));
                    CHECK(same_bits(got.to(device::cpu()), array<value_type_t<decltype(f(x))>>(f(same))));
                };
                check([](const array<T>& r) { return sum(r * r + r, 1); });
                if constexpr (!codegen::is_complex(dtype_of<T>)) {
                    check([](const array<T>& r) { return max(r, 1) + min(r, 1); });
                    check([](const array<T>& r) { return var(r, 1); });
                    check([](const array<T>& r) { return mean(r < T(1), 1); });
                }
            }
        };
        of_type(float());
        of_type(double());
        of_type(std::int64_t());
        of_type(std::complex<float>());
    });
}

TEST_CASE("of equal extremes and of NaN in a row the first has its place, however far apart they are") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t n : {2, 63, 64, 65, 128, 200, 1025, 4096, 4200})
            for (std::int64_t first : {std::int64_t{0}, std::int64_t{1}, n / 2, n - 2})
                for (std::int64_t apart : {std::int64_t{1}, std::int64_t{63}, std::int64_t{64}, std::int64_t{65}}) {
                    const std::int64_t second = std::min(n - 1, std::max<std::int64_t>(first, 0) + apart);
                    CAPTURE(n);
                    CAPTURE(first);
                    CAPTURE(second);
                    auto check = [&]<class T>(T extreme) {
                        std::vector<T> v(static_cast<std::size_t>(2 * n), T(1));
                        v[static_cast<std::size_t>(n + first)] = v[static_cast<std::size_t>(n + second)] = extreme;
                        array<T> x = reshape(asarray(v), {2, n});
                        CHECK(to_vector(argmin(x, 1)) == std::vector<std::int64_t>{0, first});
                        CHECK(to_vector(argmax(-x, 1)) == std::vector<std::int64_t>{0, first});
                    };
                    check(-2.0f);
                    check(std::nan(""));
                    check(std::int8_t(-2));
                    check(std::int64_t(-2));
                }
    });
}
