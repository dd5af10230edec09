// Faults that random programs found, each as the smallest program that showed it.
#include <doctest/doctest.h>

#include <sinter/sinter.hpp>

namespace {

using namespace sinter;

// What a program computes on the host and on the interpreter.
template <class F>
void on_both(F f) {
    device_scope on(device::cpu());
    for (runtime::backend b : {runtime::backend::interpreter, runtime::backend::host}) {
        CAPTURE(to_string(b));
        runtime::backend_scope use(b);
        f();
    }
}

array<double> copy_of(array<double> x) {
    x.eval();
    return x;
}

TEST_CASE("a scalar that is converted twice keeps what the first conversion made of it") {
    on_both([] {
        array<std::uint8_t> bytes{7};
        bytes(all) = std::int64_t(-1);
        array<std::complex<float>> c = astype<std::complex<float>>(bytes);
        CHECK(sign(c).item(0) == std::complex<float>(1));
    });
}

TEST_CASE("a function of one repeated number gives the bits that it gives for an array") {
    on_both([] {
        array<double> stored = full({33}, 2.0);
        stored.eval();
        array<double> x = arccosh(full({33}, 2.0)), y = arccosh(stored);
        eval(x);
        CHECK(array_equal(x, y));
        array<double> z = exp2(broadcast_to(full({1}, 0.3), {33})), w = exp2(copy_of(full({33}, 0.3)));
        CHECK(array_equal(z, w));
    });
}

TEST_CASE("a number that is stored itself is not read as an array by what is computed along with it") {
    on_both([] {
        array<std::int32_t> five = full({}, std::int32_t(5));
        array<std::int32_t> x{1, 2, 3, 4}, y = x + broadcast_to(five, {4});
        eval(five, y);
        CHECK(array_equal(y, array<std::int32_t>{6, 7, 8, 9}));
    });
}

}  // namespace
