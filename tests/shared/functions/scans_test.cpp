// Scans and differences against NumPy: every dtype and axis, awkward sizes, views, NaN; and how many kernels they take.
#include "support/backends.hpp"
#include "support/language_golden.hpp"
#include "support/type_lists.hpp"

using namespace sinter;
using namespace test_backends;
using namespace test_types;
using golden::check;
using golden::data;

namespace {

template <class T>
void check_type(const std::string& type) {
    array<T> x = data<T>({2, 3, 4}, 2);
    // What the axes do is the same for every type.
    const bool all_axes =
        is_full() || dtype_of<T> == dtype::int8 || dtype_of<T> == dtype::float32 || dtype_of<T> == dtype::complex128;
    for (int axis : {0, 1, -1}) {
        if (axis != 1 && !all_axes) continue;
        std::string suffix = " " + type + " " + std::to_string(axis);
        check("cumsum" + suffix, cumsum(x, axis));
        if constexpr (!codegen::is_complex(dtype_of<T>)) {
            check("cummax" + suffix, cummax(x, axis));
            check("cummin" + suffix, cummin(x, axis));
        }
    }
    check("cumsum " + type, cumsum(x));
    check("cumprod " + type, cumprod(x, 1), codegen::kind_rank(dtype_of<T>) > 1 ? 1e-6 : 0);
    check("diff " + type, diff(x, 1, 1));
    check("diff 2 " + type, diff(x, 2));
}

}  // namespace

TEST_CASE("scans and differences of every type along every axis are NumPy's") {
    on_every_backend([](const tested_backend&) {
        for_each_type(number_types, []<class T>() { check_type<T>(std::string(to_string(dtype_of<T>))); });
    });
}

TEST_CASE("scans of awkward sizes are NumPy's") {
    on_every_backend([](const tested_backend&) {
        for (int n : {0, 1, 2, 31, 33}) {
            check("cumsum of " + std::to_string(n), cumsum(data<double>({n}, 1)));
            check("cummax of " + std::to_string(n), cummax(data<std::int32_t>({n}, 1)));
        }
        auto some = [](const auto& e) { return e(slice(none, none, 997)); };
        for (int n : {1023, 4097, 100003}) {
            std::string of = " of " + std::to_string(n);
            check("cumsum" + of, some(cumsum(data<float>({n}, 1))));
            check("cumprod" + of, some(cumprod(data<std::int64_t>({n}, 1))));
            check("cummin" + of, some(cummin(data<double>({n}, 3) + arange<double>(n)(slice(none, none, -1)))));
            check("cumsum of columns " + std::to_string(n), some(cumsum(data<std::int32_t>({n, 3}, 1), 0)));
        }
    });
}

// Rows of k % 7 - 3, whose sums are exact, so that any order of adding up gives them; two scans in one kernel.
template <class T>
static void check_long_rows(int rows, int n) {
    array<T> x = astype<T>(reshape(arange<std::int64_t>(std::int64_t{rows} * n) % 7 - 3, {rows, n}));
    const array<T> two = cumsum(x * x, 1) * T(2) + cumsum(x, 1);
    const std::vector<T> sums = to_vector(array<T>(ravel(cumsum(x, 1)))), both = to_vector(array<T>(ravel(two)));
    int wrong = 0;
    std::size_t at = 0;
    for (int r = 0; r < rows; ++r) {
        T sum{}, squares{};
        for (int i = 0; i < n; ++i, ++at) {
            T value = static_cast<T>(static_cast<double>(at % 7) - 3);
            sum = sum + value;
            squares = squares + value * value;
            wrong += !(sums[at] == sum && both[at] == squares * T(2) + sum);
        }
    }
    CHECK_MESSAGE(wrong == 0, wrong << " of " << rows << " rows of " << n);
}

TEST_CASE("scans of rows of one tile more or less than a group of tiles are exact") {
    on_every_backend([](const tested_backend&) {
        for (int n : {131072, 131073, 262145}) check_long_rows<float>(1, n);
        check_long_rows<std::complex<double>>(2, 135169);
        check_long_rows<std::int32_t>(3, 135167);
    });
}

// What a tile loads may stay in shared memory, of elements of 1 to 8 bytes; exact numbers again, of two arrays and a
// column.
template <class T>
static void check_what_stays(int rows, int n) {
    auto numbers = [&](std::int64_t period) {
        return astype<T>(reshape(arange<std::int64_t>(std::int64_t{rows} * n) % period - 2, {rows, n})).eval();
    };
    const array<T> x = numbers(5), y = numbers(3),
                   column = astype<T>(reshape(arange<std::int64_t>(rows) % 2 + 1, {rows, 1}));
    const auto plain = to_vector(ravel(astype<double>(cumsum(x, 1)).eval())),
               fused = to_vector(ravel(astype<double>(cumsum(x * T(2), 1) * 3 + y).eval())),
               scaled = to_vector(ravel(astype<double>(cumsum(x * column, 1)).eval())),
               kept = to_vector(ravel(astype<double>(cumsum(x * y, 1) - x + y).eval()));
    int wrong = 0;
    std::size_t at = 0;
    for (int r = 0; r < rows; ++r) {
        double sum = 0, products = 0;
        for (int i = 0; i < n; ++i, ++at) {
            const double a = static_cast<double>(at % 5) - 2, b = static_cast<double>(at % 3) - 2;
            sum += a, products += a * b;
            wrong += plain[at] != sum || fused[at] != 6 * sum + b || scaled[at] != sum * (r % 2 + 1) ||
                     kept[at] != products - a + b;
        }
    }
    CHECK_MESSAGE(wrong == 0, wrong << " of " << rows << " rows of " << n);
}

TEST_CASE("scans of elements of any size, of products and of scaled rows are exact") {
    on_every_backend([](const tested_backend&) {
        for (const auto& shape : {std::pair{1, 36'867}, {3, 12'292}}) {
            const int rows = shape.first, n = shape.second;
            for_each_type(types<std::int8_t, std::int16_t, float, double, std::int64_t>,
                          [rows, n]<class T>() { check_what_stays<T>(rows, n); });
        }
    });
}

// The same down columns of many tiles, of numbers that a column's place changes.
template <class T>
static void check_what_stays_of_columns(int n, int columns) {
    auto numbers = [&](std::int64_t period) {
        return astype<T>(reshape(arange<std::int64_t>(std::int64_t{columns} * n) % period - 2, {n, columns})).eval();
    };
    const array<T> x = numbers(5), y = numbers(3), row = astype<T>(arange<std::int64_t>(columns) % 2 + 1);
    const auto plain = to_vector(ravel(astype<double>(cumsum(x, 0)).eval())),
               fused = to_vector(ravel(astype<double>(cumsum(x * T(2), 0) * 3 + y).eval())),
               scaled = to_vector(ravel(astype<double>(cumsum(x * row, 0) + x).eval())),
               turned = to_vector(ravel(astype<double>(cumsum(x(slice(none, none, -1)), 0)).eval()));
    std::vector<double> sums(static_cast<std::size_t>(columns)), back = sums;
    int wrong = 0;
    std::size_t at = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < columns; ++j, ++at) {
            double &sum = sums[static_cast<std::size_t>(j)], &other = back[static_cast<std::size_t>(j)];
            const double a = static_cast<double>(at % 5) - 2, b = static_cast<double>(at % 3) - 2;
            sum += a, other += static_cast<double>((std::int64_t{n} - 1 - i) * columns % 5 + j % 5) - 2;
            if ((std::int64_t{n} - 1 - i) * columns % 5 + j % 5 >= 5) other -= 5;
            wrong += plain[at] != sum || fused[at] != 6 * sum + b || scaled[at] != sum * (j % 2 + 1) + a ||
                     turned[at] != other;
        }
    CHECK_MESSAGE(wrong == 0, wrong << " of " << n << " rows of " << columns);
}

TEST_CASE("scans down columns of elements of any size, scaled and turned, are exact") {
    on_every_backend([](const tested_backend&) {
        for (const auto& shape : {std::pair{1023, 1}, {129, 33}, {400, 70}}) {
            const int n = shape.first, columns = shape.second;
            for_each_type(types<std::int8_t, float, double, std::int64_t>,
                          [n, columns]<class T>() { check_what_stays_of_columns<T>(n, columns); });
        }
        check_what_stays_of_columns<half>(300, 33);
    });
}

// The same sums of numbers that grow from call to call: what an earlier scan left behind would be too little.
TEST_CASE("scans of many and of few tiles, by turns, see nothing of each other") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t factor = 1; factor < 5; ++factor)
            for (const auto& [height, width, axis] :
                 {std::tuple{1, 150'001, 1}, {3, 20'000, 1}, {700, 40, 0}, {2, 135'168, 1}, {1, 9'000, 1}}) {
                const int rows = height, n = width;
                array<std::int64_t> x =
                    (reshape(arange<std::int64_t>(std::int64_t{rows} * n) % 11, {rows, n}) * factor).eval();
                const auto sums = to_vector(ravel(array<std::int64_t>(cumsum(x, axis))));
                std::vector<std::int64_t> expected(sums.size());
                const std::size_t before = axis == 1 ? 1 : static_cast<std::size_t>(n);
                int wrong = 0;
                for (std::size_t i = 0; i < sums.size(); ++i) {
                    const bool first = axis == 1 ? i % static_cast<std::size_t>(n) == 0 : i < before;
                    expected[i] = static_cast<std::int64_t>(i % 11) * factor + (first ? 0 : expected[i - before]);
                    wrong += sums[i] != expected[i];
                }
                CHECK_MESSAGE(wrong == 0, wrong << " of " << rows << " x " << n << " times " << factor);
            }
    });
}

TEST_CASE("scans of views, of NaN and of infinities are NumPy's") {
    on_every_backend([](const tested_backend&) {
        array<double> x = data<double>({7, 9}, 4);
        auto back = slice(none, none, -1), second_back = slice(none, none, -2);
        check("cumsum reversed", cumsum(x(back, second_back), 1));
        check("cumsum of columns reversed", cumsum(x(second_back, back), 0));
        check("cumsum transposed", cumsum(x.T(), 1));
        check("cumsum broadcast", cumsum(broadcast_to(x(all, slice(0, 1)), {7, 5}), 1));
        check("cumsum broadcast down", cumsum(broadcast_to(x(0), {5, 9}), 0));
        check("cumsum empty", cumsum(zeros({3, 0}), 0));
        check("cumsum fused", cumsum(x * x, 1) * 2 + x);
        check("cumsum to float64", cumsum<double>(data<float>({50}, 1)));
        check("cumsum to int8", cumsum<std::int8_t>(data<std::int8_t>({50}, 1)));
        double nan = constants::nan, inf = constants::inf;
        array<double> n{1, nan, 3, -2, nan, 5};
        check("nancumsum", nancumsum(n));
        check("nancumprod", nancumprod(n));
        array<double> m = stack({n, flip(n)});
        check("nancumsum of rows", nancumsum(m, 1));
        check("nancumsum of columns", nancumsum(m, 0));
        check("cumsum of nan", cumsum(n));
        check("cummax of nan", cummax(n));
        check("cummin of nan", cummin(n));
        check("cumsum of inf", cumsum(array<double>{1, inf, -inf, 2}));
        CHECK(signbit(cumsum(array<float>{-0.0f, -0.0f})).item(1));
    });
}

TEST_CASE("after a zero among finite factors a product is zero wherever others overflow, with the factors' sign") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t n : {2, 100, 700, 3001, 20'011}) {
            CAPTURE(n);
            array<double> x = full({n}, 10.0);
            x(0) = 0.0;
            CHECK(all(cumprod(x) == 0));
            CHECK(double(prod(x)) == 0);
            x(n - 1) = -10.0;
            CHECK(std::signbit(double(prod(x))));
            CHECK(std::signbit(double(array<double>(cumprod(x))(n - 1))));
            CHECK(!std::signbit(double(array<double>(cumprod(x))(n - 2))));
            array<float> narrow = x;
            CHECK(all(cumprod(narrow) == 0));
            CHECK(float(prod(narrow)) == 0);
            array<std::complex<double>> turned = x;
            CHECK(all(cumprod(turned) == std::complex<double>(0)));
            CHECK(std::complex<double>(prod(turned)) == std::complex<double>(0));
            // An infinity in the data is another matter, as NaN is.
            for (double other : {std::numeric_limits<double>::infinity(), std::nan("")}) {
                x(n - 1) = other;
                CHECK(std::isnan(double(prod(x))));
                CHECK(std::isnan(double(array<double>(cumprod(x))(n - 1))));
                CHECK(double(array<double>(cumprod(x))(n - 2)) == 0);
            }
        }
        // Without a zero what overflows is infinite, and what is small stays.
        array<double> large = full({700}, -10.0), m = ones({40, 700});
        CHECK(double(prod(large)) == std::numeric_limits<double>::infinity());
        CHECK(double(array<double>(cumprod(large))(698)) == -std::numeric_limits<double>::infinity());
        m(all, slice(1, 700)) = 1e10;
        m(slice(0, 40, 2), 0) = 0;
        array<double> rows = prod(m, 1), columns = prod(m, 0);
        CHECK(double(rows(2)) == 0);
        CHECK(double(rows(3)) == std::numeric_limits<double>::infinity());
        CHECK(double(columns(0)) == 0);
        CHECK(double(columns(1)) == std::numeric_limits<double>::infinity());
    });
}

TEST_CASE("differences, the trapezoidal rule and unwrap are NumPy's") {
    on_every_backend([](const tested_backend&) {
        array<double> x = data<double>({7, 9}, 4);
        check("diff 0", diff(x, 0));
        check("diff 3 axis 0", diff(x, 3, 0));
        check("diff too often", diff(data<double>({3}, 1), 5));
        check("ediff1d", ediff1d(x));
        check("trapezoid", trapezoid(x), 1e-14);
        check("trapezoid dx", trapezoid(x, 0.5, 0), 1e-14);
        check("trapezoid x", trapezoid(x, square(arange<double>(7)), 0), 1e-14);
        check("trapezoid x of the same shape", trapezoid(x, x * x, 1), 1e-14);
        check("trapezoid int", trapezoid(data<std::int32_t>({9}, 1)), 1e-14);
        using bytes = array<std::uint8_t>;
        CHECK(array_equal(trapezoid(bytes{{200, 100, 250}, {1, 2, 4}}), array<double>{69, 4.5}));
        CHECK(trapezoid(bytes{200, 100, 250}, 0.5).item() == 34.5);
        CHECK(trapezoid(bytes{1, 2, 4}, bytes{3, 1, 2}).item() == 128);
        CHECK(trapezoid(array<std::int8_t>{100, 100, -3}, array<std::int8_t>{1, 5, 120}).item() == -38.5);
        CHECK(trapezoid(array<std::int16_t>{30000, 30000}).item() == -2768);
        CHECK(trapezoid(array<bool>{true, true, false}).item() == 1);
        CHECK(trapezoid(array<double>{1.5, 2.5}, bytes{3, 1}).item() == 508);
        array<double> p = data<double>({5, 20}, 4) * 1.7;
        check("unwrap", unwrap(p), 1e-14);
        check("unwrap axis 0", unwrap(p, 0), 1e-14);
        check("unwrap period", unwrap(data<double>({40}, 4) * 30, {.period = 360}), 1e-14);
        check("unwrap discont", unwrap(p, {.discont = 5}), 1e-14);
        check("unwrap float32", unwrap(data<float>({30}, 4)), 1e-6);
        check("unwrap half", unwrap(array<double>{0, 4, 0, -4, 0, 4, 8, 12}, {.period = 8}), 1e-14);
        CHECK_THROWS_WITH_AS(diff(x, -1), "[diff] the number of times is negative: -1", value_error);
        CHECK_THROWS_AS(diff(sum(x)), value_error);
        CHECK_THROWS_WITH_AS(cumsum(x, 2), doctest::Contains("[cumsum]"), index_error);
    });
}

TEST_CASE("a scan with its producers and consumers is one kernel, and is stored if it is wanted again") {
    on_every_backend([](const tested_backend& b) {
        if (!b.compiles()) return;
        array<float> x = data<float>({300, 50}, 1).eval();
        reset_counters();
        array<float> y = cumsum(x * x + 1, 1) * 2 + x;
        y.eval();
        CHECK(counters().launches == 1);
        reset_counters();
        array<float> both = cumsum(x, 0) + cumprod(x, 0);
        both.eval();
        CHECK(counters().launches == 1);
        reset_counters();
        array<float> s = cumsum(x, 1), t = s(all, slice(none, none, -1)) * 2;
        t.eval();
        CHECK(counters().launches == 2);
        array<float> u = s + 1;
        u.eval();
        CHECK(counters().launches == 3);
    });
}

TEST_CASE("a line's length changes no bit of its start, nor does what is fused") {
    on_every_backend([](const tested_backend&) {
        array<double> x = data<double>({140'000}, 1) / 3.0 + 0.1;
        array<double> whole = cumsum(x).eval();
        for (int n : {1, 5, 129, 4096, 4097, 131'072, 139'999}) {
            array<double> part = cumsum(x(slice(n)));
            CHECK(array_equal(part, whole(slice(n))));
        }
        array<double> m = reshape(x, {700, 200});
        array<double> fused = cumsum(m, 0) * 2 + m, apart = cumsum(m, 0).eval();
        CHECK(array_equal(fused, apart * 2 + m));
        CHECK(array_equal(cumsum(m, 0)(slice(333), all), cumsum(m(slice(333), all), 0)));
        // Against a sum in a wider type.
        double worst = 0;
        long double exact = 0;
        std::vector<double> in = to_vector(x), out = to_vector(whole);
        for (std::size_t i = 0; i < in.size(); ++i) {
            exact += in[i];
            worst = std::fmax(worst, static_cast<double>(std::fabs(static_cast<long double>(out[i]) - exact)));
        }
        CHECK(worst < 1e-9);
    });
}

TEST_CASE("a named value that what follows a scan reads is stored by the scan's kernel") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t n : {1, 3, 129, 4097}) {
            array<std::int64_t> x = arange(n) - n / 2;
            x.eval();
            array<bool> mask = x % 3 != 0;
            array<std::int64_t> sums = cumsum(x);
            array<std::int64_t> above = where(mask, x - sums, sums);
            eval(mask, above);
            std::int64_t sum = 0;
            for (std::int64_t i = 0; i < n; ++i) {
                const std::int64_t v = i - n / 2;
                sum += v;
                if (mask.item(i) != (v % 3 != 0) || above.item(i) != (v % 3 != 0 ? v - sum : sum))
                    FAIL_CHECK("element ", i, " of ", n);
            }
        }
    });
}

// Few columns of many tiles, which on a GPU ask for all of the tiles before them, and of many groups, which have thread
// blocks that hand on what is before each; and more columns.
TEST_CASE("scans down few and many columns of several groups of tiles have the interpreter's bits") {
    on_compiling_backends([](const tested_backend& b) {
        // A CPU has 128 columns side by side.
        const std::int64_t many = b.is_cuda() ? 2100 : 259;
        for (const dims& shape :
             {dims{8192, 3}, dims{8193, 1}, dims{3 * 8192 + 130, 8}, dims{2 * 8192 + 64 * 128 + 5, 13}, dims{20011, 33},
              dims{8192 + 127, many}, dims{13 * 8192 + 77, 3}, dims{6 * 8192, 35}}) {
            CAPTURE(shape[0]);
            CAPTURE(shape[1]);
            const array<float> x = random::generator(5).normal<float>(0, 1, shape).eval();
            const array<float> sums = cumsum(x, 0), scaled = 2.0f * cumsum(x + 1.0f, 0) - x;
            const array<double> products = cumprod(astype<double>(1.0f + x * 1e-3f), 0);
            eval(sums, scaled, products);
            device_scope on_cpu(device::cpu());
            runtime::backend_scope interpreted(runtime::backend::interpreter);
            const array<float> same = x.to(device::cpu());
            CHECK(array_equal(sums.to(device::cpu()), cumsum(same, 0)));
            CHECK(array_equal(scaled.to(device::cpu()), 2.0f * cumsum(same + 1.0f, 0) - same));
            CHECK(array_equal(products.to(device::cpu()), cumprod(astype<double>(1.0f + same * 1e-3f), 0)));
        }
        const array<std::complex<float>> z =
            astype<std::complex<float>>(reshape(arange<std::int32_t>(30000) % 7, {10000, 3})) *
            std::complex<float>(1, 2);
        const array<std::complex<float>> turned = cumsum(z, 0);
        CHECK(array_equal(turned(9999), sum(z, 0)));
    });
}

TEST_CASE("many scans down columns share what shared memory there is") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t columns : {100, 7, 2500}) {
            const array<std::int32_t> whole = (arange<std::int32_t>(300 * columns) % 11).eval();
            const array<float> x = reshape(astype<float>(whole), {300, columns}).eval();
            array<float> all_of_them = cumsum(x, 0);
            for (int i = 2; i <= 12; ++i) all_of_them = all_of_them + cumsum(float(i) * x, 0);
            CHECK(array_equal(all_of_them, 78.0f * cumsum(x, 0)));
            const array<std::complex<float>> z = astype<std::complex<float>>(x) * std::complex<float>(1, 2);
            array<std::complex<float>> turned = cumsum(z, 0);
            for (int i = 2; i <= 6; ++i) turned = turned + cumsum(float(i) * z, 0);
            CHECK(array_equal(turned, 21.0f * cumsum(z, 0)));
        }
    });
}
