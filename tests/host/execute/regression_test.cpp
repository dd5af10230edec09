// Faults that random programs and planted bugs brought to light, each as the smallest program that shows it.
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
        bytes(all) = full({}, std::int64_t(-1));
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

TEST_CASE("axes that a reduction keeps have size one and broadcast against the operand") {
    on_both([] {
        array<double> m{{1, 2, 6}, {4, 5, 0}};
        CHECK(array(sum(m, 1, keepdims)).shape() == dims(2, 1));
        CHECK(array(max(m, {0, 1}, keepdims)).shape() == dims(1, 1));
        array<double> away = m - mean(m, 1, keepdims);
        CHECK(array_equal(away, array<double>{{-2, -1, 3}, {1, 2, -3}}));
    });
}

TEST_CASE("a reduction that a name still holds is stored by the read that needed it") {
    device_scope on(device::cpu());
    runtime::backend_scope use(runtime::backend::host);
    array<double> x{1, 2, 3, 4};
    array<double> total = sum(x), next = total + 1;
    next.eval();
    std::int64_t before = counters().launches;
    CHECK(total.item() == 10);
    CHECK(counters().launches == before);
}

TEST_CASE("a mask over the first axis assigns whole rows") {
    on_both([] {
        array<std::int64_t> m{{1, 2}, {3, 4}};
        array<bool> rows{true, false};
        m[rows] = 0;
        CHECK(array_equal(m, array<std::int64_t>{{0, 0}, {3, 4}}));
    });
}

TEST_CASE("plans of programs that differ in the indexed axis alone are told apart") {
    on_both([] {
        array<std::int64_t> m{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, at{2, 0, 1};
        array<std::int64_t> rows = std::as_const(m)(at, all);
        rows.eval();
        array<std::int64_t> columns = std::as_const(m)(all, at);
        columns.eval();
        CHECK(array_equal(rows, array<std::int64_t>{{7, 8, 9}, {1, 2, 3}, {4, 5, 6}}));
        CHECK(array_equal(columns, array<std::int64_t>{{3, 1, 2}, {6, 4, 5}, {9, 7, 8}}));
    });
}

}  // namespace
