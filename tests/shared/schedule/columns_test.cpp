// Reductions along columns, short ones in one kernel with what follows them and tall ones in groups of chunks: the same
// bits however they are spread over threads.
#include "support/backends.hpp"

#include <sinter/sinter.hpp>
#include <sinter/tools/testing.hpp>

#include <algorithm>
#include <complex>

#include "support/rows.hpp"

using namespace sinter;
using namespace test_backends;
using test_rows::drawn;
using test_rows::launches_of;
using test_rows::same_bits;

namespace {

template <class T>
void check_softmax(const dims& shape, int axis, bool on_gpu) {
    CAPTURE(shape[0]);
    CAPTURE(shape.back());
    const array<T> x = drawn<T>(shape, 3);
    array<T> fused;
    const std::uint64_t launches = launches_of([&] {
        array<T> e = exp(x - max(x, axis, keepdims));
        fused = e / sum(e, axis, keepdims);
        e = {};
        fused.eval();
    });
    const array<T> highest = max(x, axis, keepdims).eval(), power = exp(x - highest).eval(),
                   sums = sum(power, axis, keepdims).eval();
    CHECK(same_bits(fused, array<T>(power / sums)));
    if (on_gpu && shape[axis] <= 512) CHECK(launches == 1);
}

// Distances from the first element, two results per column, and what is stored on the way.
template <class T>
void check_norm(const dims& shape, int axis, bool on_gpu) {
    CAPTURE(shape[0]);
    CAPTURE(shape.back());
    const array<T> x = drawn<T>(shape, 5);
    array<T> fused, variances;
    const std::uint64_t launches = launches_of([&] {
        variances = var(x, axis);
        fused = (x - mean(x, axis, keepdims)) / sqrt(var(x, axis, keepdims) + T(1e-5));
        eval(fused, variances);
    });
    const array<T> means = mean(x, axis, keepdims).eval(), apart = var(x, axis, keepdims).eval();
    CHECK(same_bits(fused, array<T>((x - means) / sqrt(apart + T(1e-5)))));
    CHECK(same_bits(variances, squeeze(apart, axis)));
    if (on_gpu && shape[axis] <= 512) CHECK(launches == 1);
}

}  // namespace

TEST_CASE("what follows the reductions of short columns is one kernel with the bits of the separate ones") {
    on_every_backend([](const tested_backend& b) {
        for (std::int64_t n : {1, 2, 3, 4, 5, 8, 9, 21, 32, 33, 67, 130, 511, 512, 513})
            for (std::int64_t columns : {1, 5, 33, 100}) {
                check_softmax<float>({n, columns}, 0, b.is_cuda() && n > 1 && columns > 1);
                check_norm<double>({n, columns}, 0, b.is_cuda() && n > 1 && columns > 1);
            }
        for (std::int64_t n : {3, 130, 400}) {
            check_softmax<half>({n, 77}, 0, b.is_cuda());
            check_norm<float>({n, 77}, 0, b.is_cuda());
        }
    });
}

TEST_CASE("so many short columns that each is one thread's work have the same bits") {
    on_every_backend([](const tested_backend& b) {
        const std::int64_t columns = b.is_interpreter() ? 1001 : (1 << 17) + 3;
        for (std::int64_t n : {2, 3, 4, 5, 8, 9, 17, 32, 33}) check_softmax<float>({n, columns}, 0, b.is_cuda());
        check_norm<double>({3, columns}, 0, b.is_cuda());
        check_norm<float>({21, columns}, 0, b.is_cuda());
        for (std::int64_t n : {1, 3, 8, 11, 40}) {
            CAPTURE(n);
            const array<float> x = drawn<float>({n, columns}, 7);
            // Of fewer columns a thread block has several.
            const array<float> some = x(all, slice(5, 1000)).eval();
            CHECK(same_bits(array<float>(sum(x, 0)(slice(5, 1000))), array<float>(sum(some, 0))));
            CHECK(same_bits(array<float>(var(x, 0)(slice(5, 1000))), array<float>(var(some, 0))));
            CHECK(array_equal(argmax(x, 0)(slice(5, 1000)), argmax(some, 0)));
        }
    });
}

TEST_CASE("so many short columns that a thread takes several have the same bits, where they are overwritten, too") {
    on_every_backend([](const tested_backend& b) {
        const std::int64_t columns = b.is_cuda() ? (1 << 20) + 3 : 1001;
        for (std::int64_t n : {2, 3, 5}) check_softmax<float>({n, columns}, 0, b.is_cuda());
        check_norm<float>({3, columns}, 0, b.is_cuda());
        check_norm<double>({7, columns}, 0, b.is_cuda());
        for (const dims& shape :
             {dims{3, columns}, dims{8, columns}, dims{2, 3, columns / 2 + 1}, dims{columns / 700, 4, 701}}) {
            CAPTURE(shape[0]);
            const int axis = shape.size() - 2;
            const array<float> x = drawn<float>(shape, 23), y = drawn<float>(shape, 29),
                               row = drawn<float>({shape.back()}, 31);
            const array<float> products = (x * y + row).eval();
            const array<float> sums = sum(x * y + row, axis), least = min(x, axis);
            const array<std::int64_t> places = argmin(x, axis);
            eval(sums, least, places);
            // Few columns are no thread's own.
            const auto last = slice(std::max<std::int64_t>(shape.back() - 900, 0), none);
            const array<float> some = products(ellipsis, last).eval(), part = x(ellipsis, last).eval();
            CHECK(same_bits(array<float>(sums(ellipsis, last)), array<float>(sum(some, axis))));
            CHECK(same_bits(array<float>(least(ellipsis, last)), array<float>(min(part, axis))));
            CHECK(array_equal(places(ellipsis, last), argmin(part, axis)));
            // What is the same for a column's elements is read for the column, too.
            const array<float> scaled = (x * row).eval(), of_scaled = sum(scaled, axis, keepdims).eval();
            array<float> with_row = sum(x * row, axis, keepdims) + row,
                         rests = x * row - sum(x * row, axis, keepdims) * row;
            CHECK(same_bits(with_row, array<float>(of_scaled + row)));
            CHECK(same_bits(rests, array<float>(scaled - of_scaled * row)));
            array<float> z = (x + 0.0f).eval();
            const array<float> means = mean(z, axis, keepdims).eval();
            z -= mean(z, axis, keepdims);
            z.eval();
            CHECK(same_bits(z, array<float>(x - means)));
        }
    });
}

TEST_CASE("an axis between others is a column whose elements lie apart") {
    on_every_backend([](const tested_backend& b) {
        check_softmax<float>({3, 19, 35}, 1, b.is_cuda());
        check_norm<float>({2, 64, 7 * 9}, 1, b.is_cuda());
        check_softmax<double>({5, 3, 4, 6}, 2, b.is_cuda());
        // A view that begins anywhere and goes backwards.
        const array<float> wide = drawn<float>({9, 21, 50}, 11);
        const array<float> x = wide(slice(1, 8), slice(none, none, -1), slice(3, 44, 2)), same = x.eval();
        const array<float> fused = x - max(x, 1, keepdims);
        CHECK(same_bits(fused, array<float>(same - max(same, 1, keepdims).eval())));
    });
}

TEST_CASE("columns are overwritten by what their reductions come to, element by element") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t n : {4, 70}) {
            array<float> x = drawn<float>({n, 45}, 13);
            const array<float> before = (x + 0.0f).eval(), means = mean(before, 0, keepdims).eval();
            x -= mean(x, 0, keepdims);
            x.eval();
            CHECK(same_bits(x, array<float>(before - means)));
        }
    });
}

TEST_CASE("columns with much work for each element are computed element by element, of all sizes") {
    on_every_backend([](const tested_backend& b) {
        for (std::int64_t columns : {70, 1 << 17}) {
            if (columns > 1000 && !b.is_cuda()) continue;
            const array<float> x = drawn<float>({columns > 1000 ? 9 : 300, columns}, 19);
            auto long_text = [&] {
                array<float> t = x;
                for (int i = 0; i < 17; ++i) t = sin(t) * (0.5f + float(i)) + x;
                return t;
            };
            const array<float> fused = long_text() - max(long_text(), 0, keepdims), whole = long_text().eval();
            CHECK(same_bits(fused, array<float>(whole - max(whole, 0, keepdims).eval())));
            CHECK(same_bits(array<float>(sum(long_text(), 0)), array<float>(sum(whole, 0))));
        }
    });
}

TEST_CASE("tall columns combine chunks in groups of 64, and these, in the interpreter's order") {
    on_compiling_backends([](const tested_backend&) {
        for (const dims& shape :
             {dims{512 * 64 + 1, 3}, dims{512 * 130 + 7, 1}, dims{512 * 70, 31}, dims{40000, 8}, dims{33000, 101}}) {
            CAPTURE(shape[0]);
            CAPTURE(shape[1]);
            const array<float> x = drawn<float>(shape, 17);
            const array<float> sums = sum(x, 0), variances = var(x, 0);
            const array<std::int64_t> places = argmin(x, 0);
            eval(sums, variances, places);
            device_scope on_cpu(device::cpu());
            runtime::backend_scope interpreted(runtime::backend::interpreter);
            const array<float> same = x.to(device::cpu());
            CHECK(same_bits(sums.to(device::cpu()), array<float>(sum(same, 0))));
            CHECK(same_bits(variances.to(device::cpu()), array<float>(var(same, 0))));
            CHECK(array_equal(places.to(device::cpu()), argmin(same, 0)));
        }
    });
}

namespace {

// What reductions of columns come to, as the interpreter combines them.
template <class T>
void check_narrow(const array<T>& x) {
    const auto results = [](const array<T>& of) {
        return concatenate({astype<double>(sum(of, 0)), astype<double>(mean(of, 0)), astype<double>(max(of, 0)),
                            astype<double>(argmin(of, 0)), astype<double>(count_nonzero(of, 0)) + mean(of, 0) * 2})
            .eval();
    };
    const array<double> found = results(x);
    const device_scope on_cpu(device::cpu());
    const runtime::backend_scope interpreted(runtime::backend::interpreter);
    const array<T> same = x.to(device::cpu());
    CHECK(same_bits(found.to(device::cpu()), results(same)));
}

template <class T>
void check_narrow_columns(bool on_gpu, int at_once) {
    for (const dims& shape : {dims{777, 514}, dims{40003, 2}, dims{9001, 4}, dims{512, 1030}, dims{801, 131}}) {
        CAPTURE(shape[0]);
        CAPTURE(shape[1]);
        const array<T> x = astype<T>(floor(drawn<float>(shape, 23) * 90.0f)).eval();
        check_narrow(x);
        const bool has_packs = shape[1] % at_once == 0;
        if (on_gpu)
            CHECK(has_packs ==
                  (explain(sum(x, 0)).schedule().find(std::to_string(at_once) + " items") != std::string::npos));
    }
    const array<T> x = astype<T>(floor(drawn<float>({1201, 204}, 29) * 90.0f)).eval();
    check_narrow<T>(x(all, slice(4, 104)).copy());
    CHECK(array_equal(sum(x(all, slice(4, 104)), 0), sum(x(all, slice(4, 104)).copy(), 0)));
    CHECK(array_equal(sum(x(slice(1, none, 2), slice(1, 101)), 0), sum(x(slice(1, none, 2), slice(1, 101)).copy(), 0)));
}

}  // namespace

TEST_CASE(
    "neighbouring columns of narrow types that a thread takes have the interpreter's bits, from wherever they begin") {
    on_compiling_backends([](const tested_backend& b) {
        check_narrow_columns<std::int8_t>(b.is_cuda(), 4);
        check_narrow_columns<std::uint8_t>(b.is_cuda(), 4);
        check_narrow_columns<std::int16_t>(b.is_cuda(), 2);
        check_narrow_columns<sinter::half>(b.is_cuda(), 2);
        check_narrow_columns<bfloat16>(b.is_cuda(), 2);
        const array<bool> x = (drawn<float>({3001, 260}, 31) < 0.999f).eval();
        CHECK(array_equal(sinter::all(x, 0), min(astype<std::int32_t>(x), 0) == 1));
        CHECK(array_equal(any(!x, 0), max(astype<std::int32_t>(!x), 0) == 1));
        CHECK(array_equal(sum(x, 0), sum(astype<std::int64_t>(x), 0)));
    });
}

TEST_CASE("a lane of narrow integers is summed in 32 bits without overflow") {
    on_compiling_backends([](const tested_backend& b) {
        if (b.is_emulated()) return;
        const std::int64_t n = 4096 * 4096 * 3 + 5;
        const array<std::uint8_t> x = full<std::uint8_t>({n, 4}, 255).eval();
        CHECK(array_equal(sum(x, 0), full<std::uint64_t>({4}, static_cast<std::uint64_t>(255 * n))));
    });
}

TEST_CASE("what functions of few columns come to is what their stored values come to, bit for bit") {
    on_compiling_backends([](const tested_backend&) {
        auto check = [&]<class T>(T) {
            for (std::int64_t columns : {1, 2, 3, 5, 8, 15, 17, 33, 130}) {
                const array<T> x = astype<T>(sin(arange<double>(1037)) + 1.5)(all, newaxis);
                const array<T> k = astype<T>(arange<double>(columns) / columns + 0.5);
                auto same = [&](const char* name, auto f) {
                    CAPTURE(columns);
                    CAPTURE(name);
                    const array<T> stored = f(x, k);
                    stored.eval();
                    CHECK(array_equal(sum(f(x, k), 0), sum(stored, 0)));
                    CHECK(array_equal(max(f(x, k), 0), max(stored, 0)));
                    CHECK(array_equal(argmin(f(x, k), 0), argmin(stored, 0)));
                    CHECK(array_equal(cumsum(f(x, k), 0), cumsum(stored, 0)));
                };
                same("power", [](const auto& a, const auto& b) { return power(a, b); });
                same("exp", [](const auto& a, const auto& b) { return exp(a * b); });
                same("two functions", [](const auto& a, const auto& b) { return log(exp(a * b) - T(1)) + tan(b); });
            }
        };
        check(float());
        check(double());
    });
}
