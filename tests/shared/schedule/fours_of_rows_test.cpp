// Rows of no more elements than lanes, whose lanes CPUs combine for several rows at a time: the order stays that of the
// interpreter, and no row has anything of its neighbours.
#include "support/backends.hpp"

#include <sinter/sinter.hpp>
#include <sinter/tools/testing.hpp>

#include "support/rows.hpp"

#include <cmath>
#include <complex>
#include <vector>

using namespace sinter;
using namespace test_backends;
using namespace test_rows;

namespace {

// Rows of awkward lengths around groups, vectors and tiles, as many as leave some of sixteen, and of four, behind.
template <class F>
void for_each_shape(F f) {
    for (std::int64_t n : {0, 1, 3, 4, 21, 33, 63, 127, 128, 129, 131, 257, 512, 513, 1000, 1023, 1024, 1025})
        for (std::int64_t rows : {1, 2, 3, 5, 23, 147}) f(rows, n);
}

// What a function of rows gives on this backend and on the interpreter.
template <class T, class F>
void check_interpreted(const array<T>& x, F f) {
    using result = value_type_t<decltype(f(x))>;
    const array<result> here = f(x);
    here.eval();
    device_scope on_cpu(device::cpu());
    runtime::backend_scope interpreted(runtime::backend::interpreter);
    const array<T> same = x.to(device::cpu());
    CAPTURE(x.shape());
    CAPTURE(to_string(dtype_of<T>));
    CHECK(same_bits(here.to(device::cpu()), array<result>(f(same))));
}

}  // namespace

TEST_CASE("rows whose lanes combine several rows at a time have the interpreter's bits") {
    on_compiling_backends([](const tested_backend&) {
        auto of_type = []<class T>(T) {
            for_each_shape([](std::int64_t rows, std::int64_t n) {
                const array<T> x = numbers<T>({rows, n});
                check_interpreted(x, [](const array<T>& r) { return sum(r, 1); });
                check_interpreted(x, [](const array<T>& r) { return prod(r, 1) + sum(r * r, 1); });
                check_interpreted(x, [](const array<T>& r) { return any(r == T(1), 1); });
                if constexpr (!codegen::is_complex(dtype_of<T>)) {
                    if (n == 0) return;
                    check_interpreted(x, [](const array<T>& r) { return max(r, 1) - min(r, 1); });
                    check_interpreted(x, [](const array<T>& r) { return var(r, 1); });
                    check_interpreted(x, [](const array<T>& r) { return r - max(r, 1, keepdims); });
                }
            });
        };
        of_type(float());
        of_type(double());
        of_type(std::int8_t());
        of_type(std::int32_t());
        of_type(std::complex<float>());
    });
}

TEST_CASE("products with a vector and reductions over two axes have the interpreter's bits in short rows") {
    on_compiling_backends([](const tested_backend&) {
        for_each_shape([](std::int64_t rows, std::int64_t n) {
            const array<float> x = numbers<float>({rows, n}), v = numbers<float>({n});
            check_interpreted(x, [&](const array<float>& r) {
                return astype<float>(sum(astype<double>(r) * astype<double>(v.to(r.device())), 1));
            });
            const array<double> y = numbers<double>({rows, 3, n});
            check_interpreted(y, [](const array<double>& r) { return sum(r(all, slice(0, 2)), {1, 2}); });
        });
    });
}

TEST_CASE("values that are kept between the stages of short rows are those of their row") {
    on_compiling_backends([](const tested_backend&) {
        for (std::int64_t n : {33, 65, 129, 130, 257, 1001}) {
            const array<float> x = numbers<float>({7, n});
            const auto f = [](const array<float>& r) { return softmax(r, 1) * exp(sin(r)); };
            const array<float> at_once = f(x);
            at_once.eval();
            for (std::int64_t row = 0; row < 7; ++row) {
                CAPTURE(n);
                CAPTURE(row);
                const array<float> piece = x(slice(row, row + 1)).copy(), alone = f(piece.eval());
                CHECK(same_bits(alone, array<float>(at_once(slice(row, row + 1)))));
            }
        }
    });
}
