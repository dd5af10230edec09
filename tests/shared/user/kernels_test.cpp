// Kernels that are given as text, by CuPy's conventions, against plain arithmetic.
#include "support/backends.hpp"

#include <sinter/sinter.hpp>

#include <cmath>
#include <numeric>
#include <vector>

using namespace sinter;
using namespace test_backends;

namespace {

constexpr elementwise_kernel<"T x, T y", "T z", "z = (x - y) * (x - y)", "squared_difference"> squared_difference;

array<float> ramp(std::int64_t n) { return astype<float>(arange(n)) / 4; }

}  // namespace

TEST_CASE("an elementwise_kernel decides its placeholders, broadcasts and converts numbers") {
    on_compiling_backends([](const tested_backend&) {
        for (std::int64_t n : {0, 1, 2, 33, 4097}) {
            array<float> x = ramp(n), y = x * 3 - 1;
            auto z = squared_difference(x, y);
            static_assert(std::same_as<decltype(z), array<float>>);
            CHECK(bool(all(z == (x - y) * (x - y))));
            CHECK(bool(all(squared_difference(reshape(x, {n, 1}), 2.5) ==
                           (reshape(x, {n, 1}) - 2.5f) * (reshape(x, {n, 1}) - 2.5f))));
        }
        array<int> i{1, 2, 300};
        static_assert(std::same_as<decltype(squared_difference(i, i)), array<int>>);
        CHECK(to_vector(squared_difference(i, 2)) == std::vector<int>{1, 0, 298 * 298});
        CHECK(squared_difference(i(all, newaxis), i).shape() == dims{3, 3});
        elementwise_kernel<"T x, U y, float32 s", "T sum, float64 product", R"(
            // Both results, with a local variable.
            const double wide = double(x) * double(y);  /* exact */
            sum = x + T(y);
            product = wide * s;
        )",
                           "two_results">
            both;
        auto [sum, product] = both(i, ramp(3), 0.5);
        static_assert(std::same_as<decltype(sum), array<int>> && std::same_as<decltype(product), array<double>>);
        CHECK(to_vector(sum) == std::vector<int>{1, 2, 300});
        CHECK(to_vector(product) == std::vector<double>{0, 0.25, 75});
        CHECK_THROWS_WITH_AS(squared_difference(i, array<int>{1, 2}),
                             "[squared_difference] shapes do not broadcast: (3,) and (2,)", shape_error);
    });
}

TEST_CASE("kernels from text are lazy and share a kernel with what is around, whatever their numbers") {
    on_compiling_backends([](const tested_backend&) {
        array<float> x = ramp(1000);
        x.eval();
        array<float> fused = sqrt(squared_difference(x * 2, x + 1)) + x;
        CHECK(explain(fused).kernels() == 1);
        CHECK(explain(fused).bytes_read() == 4000);
        fused.eval();
        auto before = counters();
        array<float> again = sqrt(squared_difference(x * 3, x + 7)) + x;
        again.eval();
        CHECK(counters().kernels_compiled == before.kernels_compiled);
        CHECK(counters().launches == before.launches + 1);
    });
}

TEST_CASE("i, n, raw parameters and preambles are CuPy's") {
    on_compiling_backends([](const tested_backend&) {
        elementwise_kernel<"T x, raw T y", "T z", "z = x + y[n - i - 1]", "add_reverse"> add_reverse;
        array<float> x = ramp(31), y = x * x;
        CHECK(bool(all(add_reverse(x, y) == x + y(slice(none, none, -1)))));
        elementwise_kernel<"raw float32 m, int32 k", "float32 z",
                           "z = m(k, 1) + m.size() + m.shape(0) * m.shape()[1] + m[k]", "picked">
            picked;
        array<float> m = reshape(ramp(12), {3, 4});
        CHECK(to_vector(picked(m, array<int>{0, 2})) == std::vector<float>{0.25f + 12 + 12 + 0, 2.25f + 24 + 0.5f});
        CHECK(to_vector(picked(m.T(), array<int>{1})) == std::vector<float>{m.item(1, 1) + 24 + m.item(1, 0)});
        elementwise_kernel<"T x", "T y", "y = twice(x) + OFFSET + sqrt(x)", "with_preamble", R"(
            #define OFFSET 3
            template <class T>
            __device__ T twice(T x) { return x + x; }
        )">
            with_preamble;
        CHECK(bool(all(with_preamble(x) == x + x + 3.0f + sqrt(x))));
        elementwise_kernel<"T x", "T y", "y = hypotenuse(x, x + 1)", "sides", R"(
            __device__ float hypotenuse(float a, float b) { return sqrt(a * a + b * b); }  // of a triangle
        )">
            sides;
        CHECK(bool(all(sides(x) == sqrt(x * x + (x + 1) * (x + 1)))));
        elementwise_kernel<"complex64 z, T s", "complex64 w, T r", "w = z * z * s; r = real(z) - z.imag()",
                           "of_complex">
            of_complex;
        array<std::complex<float>> z = ramp(5) * std::complex<float>(1, -2);
        auto [w, r] = of_complex(z, ramp(5));
        CHECK(bool(all(w == z * z * ramp(5))));
        CHECK(bool(all(r == real(z) - imag(z))));
    });
}

TEST_CASE("a reduction_kernel maps, combines and finishes, over all elements or axes") {
    on_compiling_backends([](const tested_backend& b) {
        reduction_kernel<"T x, T y", "T z", "x * y", "a + b", "z = sqrt(a)", "0", "norm_of_products"> norm;
        reduction_kernel<"T x", "float64 z", "x", "max(a, b)", "", "-1.0", "largest"> largest;
        reduction_kernel<"T x", "T z", "x", "a == 0 ? b : b == 0 ? a : gcd(a, b)", "z = a", "0", "common_divisor">
            divisor;
        for (std::int64_t n : {1, 2, 31, 33, 1023}) {
            if (b.is_cuda() && n > 100) continue;
            array<float> x = reshape(ramp(2 * n), {2, n});
            CHECK(std::abs(float(norm(x, x)) - float(sqrt(sum(x * x)))) <= 1e-4f * float(sum(x)));
            CHECK(bool(all(norm(x, x, 1) == sqrt(sum(x * x, 1)))));
            CHECK(norm(x, x, -1, keepdims).shape() == dims{2, 1});
            CHECK(double(largest(x)) == double(max(x)));
            array<int> even = reshape((arange(2 * n) + 1).astype<int>() * 6, {2, n});
            CHECK(int(divisor(even)) == 6);
            CHECK(to_vector(divisor(even, axes{0})).size() == static_cast<std::size_t>(n));
            CHECK(int(divisor(even, axes{0}).item(0)) == std::gcd(6, 6 + 6 * static_cast<int>(n)));
            CHECK(to_vector(divisor(even, {0, 1})) == std::vector<int>{6});
        }
        reduction_kernel<"T x", "T z", "x", "a > b ? a : b", "z = a", "-7", "of_any_type"> of_any_type;
        CHECK(std::int64_t(of_any_type(arange(33))) == 32);
        CHECK(std::int64_t(of_any_type(arange(0))) == -7);
        CHECK(int(std::uint8_t(of_any_type(arange(33).astype<std::uint8_t>()))) == 32);
        CHECK(float(norm(ramp(0), ramp(0))) == 0);
        CHECK(to_vector(largest(reshape(ramp(0), {0, 3}), 0)) == std::vector<double>{-1, -1, -1});
        CHECK(to_vector(largest(reshape(ramp(0), {0, 3}), 1)).empty());
        reduction_kernel<"T x", "T z", "x", "max(a, b)", "z = a", "", "no_identity"> bare;
        CHECK_THROWS_WITH_AS(bare(ramp(0)),
                             "[no_identity] an array of shape (0,) has no element to reduce, and no identity is given",
                             value_error);
        array<float> x = ramp(4097);
        x.eval();
        CHECK(explain(norm(x, x + 1)).kernels() == 1);
        // Each call again, for other types, and with arrays and a number of elements that change from call to call.
        reduction_kernel<"raw T w, int64 at", "T z", "w[at] * n", "a + b", "z = a", "0", "weighted"> weighted;
        for (int n : {1, 3, 33}) {
            array<double> w = ramp(n).astype<double>();
            CHECK(double(weighted(w, arange(n))) == n * double(sum(w)));
            CHECK(float(weighted(w.astype<float>(), arange(n))) == float(n * sum(w.astype<float>())));
        }
    });
}

TEST_CASE("loop_prep and after_loop stand around each thread's loop, which goes through every element once") {
    on_compiling_backends([](const tested_backend& b) {
        const elementwise_kernel<"T x, raw int32 total, T scale", "T y, int64 at",
                                 "y = x * twice + T(i - i); at = i; ++mine[i & 1]", "counted", "",
                                 "const T twice = scale + scale; int mine[2] = {};",
                                 "if (mine[0] + mine[1] > 0) ADD((int*)total.data, mine[0] + mine[1])">
            counted({b.is_cuda() ? "-DADD=atomicAdd" : "-DADD(to, more)=__atomic_fetch_add(to, more, 5)"});
        const array<float> square = reshape(ramp(67 * 67), {67, 67});
        const std::vector<array<float>> operands = {ramp(0),
                                                    ramp(1),
                                                    ramp(33),
                                                    ramp(1031),
                                                    ramp(100003),
                                                    square,
                                                    square.T(),
                                                    square(slice(none, none, 3), slice(1, none)),
                                                    reshape(square, {67, 1, 67}),
                                                    array<float>(square(all, slice(2, 5)))};
        for (const array<float>& x : operands) {
            array<int> total{0};
            total.eval();
            auto [y, at] = counted(x, total, 1.5);
            eval(y, at);
            CHECK(bool(all(y == x * 3.0f)));
            CHECK(bool(all(ravel(at) == arange(x.size()))));
            CHECK(total.item(0) == x.size());
        }
    });
}

TEST_CASE("a kernel with a loop_prep shares no kernel with what is around, nor with other calls of it") {
    on_compiling_backends([](const tested_backend&) {
        using shifted_kernel = elementwise_kernel<"T x, S shift, raw float64 w", "T y, T z",
                                                  "y = x + T(start); z = y - T(n); start = start + 0", "shifted", "",
                                                  "double start = shift * sqrt(w[1]) + w.size();">;
        const shifted_kernel shifted;
        array<float> x = ramp(33);
        array<double> w{1, 4, 9};
        eval(x, w);
        auto [y, z] = shifted(x, 10, w);
        auto [again, rest] = shifted(x, 100, w);
        CHECK(explain(y, z).kernels() == 1);
        CHECK(explain(y, z, again, rest).kernels() == 2);
        CHECK(explain(sqrt(y) + z).kernels() == 2);
        CHECK(bool(all(y == x + 23)));
        CHECK(bool(all(z == x + 23 - 33)));
        CHECK(bool(all(again - y == 180)));
        elementwise_kernel<"int32 x", "int32 y", "y = x + base", "only_numbers", "", "const int base = 40;">
            only_numbers;
        CHECK(int(only_numbers(2)) == 42);
        // The loop's variables hide a preparation's of the same name, as in CuPy.
        elementwise_kernel<"T x", "T y", "y = x + T(i)", "numbered", "",
                           "int i = 7; for (int n = 0; n < 3; ++n) i += n;">
            numbered;
        CHECK(bool(all(numbered(x) == x + astype<float>(arange(33)))));
    });
}

TEST_CASE("what a text gets wrong is shown with numbered lines, and the interpreter says that it has no compiler") {
    on_every_backend([](const tested_backend& b) {
        array<float> x = ramp(3);
        if (b.is_interpreter()) {
            elementwise_kernel<"T x", "T y", "y = x", "looped", "", "int a = 0;"> looped;
            CHECK_THROWS_WITH_AS(
                looped(x).eval(),
                "[looped] a kernel that is given as text needs a compiler, which the interpreter has not",
                device_error);
            CHECK_THROWS_WITH_AS(
                squared_difference(x, x).eval(),
                "[squared_difference] a kernel that is given as text needs a compiler, which the interpreter has not",
                device_error);
            return;
        }
        elementwise_kernel<"T x", "T y", "y = x +* unknown_name", "mistaken"> mistaken;
        try {
            mistaken(x).eval();
            CHECK(false);
        } catch (const compile_error& e) {
            std::string text = e.what();
            CHECK(text.find("unknown_name") != std::string::npos);
            CHECK(text.find("   1 | ") != std::string::npos);
            CHECK(text.find("mistaken(float x)") != std::string::npos);
        }
        elementwise_kernel<"T x", "T y", "#define A 1\ny = x + A", "directive"> directive;
        CHECK_THROWS_AS(directive(x), type_error);
        elementwise_kernel<"T x", "T y", "y = x", "directives", "", "", "#error"> directives;
        CHECK_THROWS_WITH_AS(
            directives(x), "[directives] a directive stands in the preamble, not in the operation: #error", type_error);
        elementwise_kernel<"raw T x, T y", "T z", "z = x[0] + y", "raw_number"> raw_number;
        CHECK_THROWS_WITH_AS(raw_number(2.0f, x), "[raw_number] a raw parameter takes an array, not a number: x",
                             type_error);
    });
}
