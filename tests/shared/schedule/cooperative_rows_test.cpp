// Rows too long for one thread block of a GPU, which several share: the same bits as where every step is stored, in one
// kernel.
#include "support/backends.hpp"

#include <sinter/sinter.hpp>
#include <sinter/tools/testing.hpp>

#include <cmath>
#include <complex>
#include <limits>

#include "support/rows.hpp"

using namespace sinter;
using namespace test_backends;
using test_rows::launches_of;
using test_rows::same_bits;

namespace {

// As many rows as it takes for one kernel of a GPU to go over long ones again; more than most CPUs have threads.
std::int64_t many_rows() { return is_device_executable ? 257 : 37; }

template <class T>
array<T> numbered(std::int64_t length, std::int64_t height = many_rows()) {
    array<std::int64_t> numbers = arange<std::int64_t>(height * length) * 7919 % 10007;
    return astype<T>(reshape(astype<float>(numbers) * 0.002f - 10.f, {height, length})).eval();
}

template <class T>
void check_softmax(const array<T>& x, bool on_gpu) {
    array<T> fused;
    const std::uint64_t launches = launches_of([&] {
        array<T> e = exp(x - max(x, 1, keepdims));
        fused = e / sum(e, 1, keepdims);
        e = {};
        fused.eval();
    });
    // Afterwards, as memory may still hold what steps have left there.
    array<T> highest = max(x, 1, keepdims).eval(), power = exp(x - highest).eval(),
             sums = sum(power, 1, keepdims).eval();
    CHECK(same_bits(fused, array<T>(power / sums)));
    if (on_gpu) CHECK(launches == 1);
}

template <class T>
void check_layer_norm(const array<T>& x, bool on_gpu) {
    array<T> fused;
    const std::uint64_t launches = launches_of([&] {
        fused = (x - mean(x, 1, keepdims)) / sqrt(var(x, 1, keepdims) + T(1e-5)) * T(1.5) + T(0.5);
        fused.eval();
    });
    array<T> means = mean(x, 1, keepdims).eval(), variances = var(x, 1, keepdims).eval();
    CHECK(same_bits(fused, array<T>((x - means) / sqrt(variances + T(1e-5)) * T(1.5) + T(0.5))));
    if (on_gpu) CHECK(launches == 1);
}

// Values that a stage leaves for the next from those that the stage before has left, and stored itself.
void check_chain(const array<float>& x, bool on_gpu) {
    array<float> power, result;
    const std::uint64_t launches = launches_of([&] {
        power = exp(x - max(x, 1, keepdims));
        const array<float> q = exp(power / sum(power, 1, keepdims) * 100.0f);
        result = q / sum(q, 1, keepdims);
        eval(power, result);
    });
    const array<float> highest = max(x, 1, keepdims).eval(), e = exp(x - highest).eval(),
                       sums = sum(e, 1, keepdims).eval();
    const array<float> q = exp(e / sums * 100.0f).eval(), totals = sum(q, 1, keepdims).eval();
    CHECK(same_bits(power, e));
    CHECK(same_bits(result, array<float>(q / totals)));
    if (on_gpu) CHECK(launches == 1);
}

template <class T>
void check_rows_that_begin_anywhere(std::int64_t length, std::int64_t begin, bool on_gpu) {
    CAPTURE(length);
    CAPTURE(begin);
    const array<T> wide = numbered<T>(length + 7, 9), other = (numbered<T>(length + 2, 9) + T(3)).eval();
    const array<T> x = wide(all, slice(begin, begin + length)), y = other(all, slice(1, 1 + length));
    array<T> fused, alone;
    const std::uint64_t launches = launches_of([&] {
        fused = (x - sum(x * y, 1, keepdims)) * y;
        alone = x - sum(x, 1, keepdims);
        fused.eval();
        alone.eval();
    });
    const array<T> products = sum(x * y, 1, keepdims).eval(), sums = sum(x, 1, keepdims).eval();
    CHECK(same_bits(fused, array<T>((x - products) * y)));
    CHECK(same_bits(alone, array<T>(x - sums)));
    if (on_gpu) CHECK(launches == 2);
}

}  // namespace

TEST_CASE("long rows that thread blocks share have the bits of their stored steps, in one launch") {
    on_every_backend([](const tested_backend& b) {
        check_softmax(numbered<float>(20481), b.is_cuda());
        check_softmax(numbered<float>(24580, 31), b.is_cuda());
        check_layer_norm(numbered<float>(24577, 31), b.is_cuda());
        check_layer_norm(numbered<float>(16388), b.is_cuda());
        check_layer_norm(numbered<float>(16385, 31), b.is_cuda());
        check_softmax(numbered<double>(16385), b.is_cuda());
        check_softmax(numbered<double>(12292, 31), b.is_cuda());
        const array<std::complex<float>> z =
            astype<std::complex<float>>(numbered<float>(16391, 9)) * std::complex<float>(0.25f, 1);
        array<std::complex<float>> centred, totals = sum(z, 1, keepdims).eval();
        const std::uint64_t launches = launches_of([&] { (centred = z - sum(z, 1, keepdims)).eval(); });
        if (b.is_cuda()) CHECK(launches == 1);
        CHECK(same_bits(centred, array<std::complex<float>>(z - totals)));
    });
}

TEST_CASE(
    "rows of any length that one thread block takes, filled by four neighbours or not, have the bits of a CPU's "
    "reductions") {
    on_every_backend([](const tested_backend& b) {
        for (std::int64_t length : {1025, 1999, 2049, 3001, 4095, 4097, 5124, 8191}) {
            CAPTURE(length);
            const array<float> x = numbered<float>(length, 41);
            check_softmax(x, b.is_cuda());
            check_layer_norm(x, b.is_cuda());
            const array<std::complex<double>> z =
                astype<std::complex<double>>(numbered<double>(length, 5)) * std::complex<double>(1, 0.3);
            const array<std::int64_t> places = argmax(x, 1).eval();
            const array<float> sums = sum(x, 1).eval(), spans = (max(x, 1) - min(x, 1)).eval(),
                               deviations = stddev(x, 1).eval();
            const array<std::complex<double>> totals = sum(z, 1).eval();
            const device_scope on(device::cpu());
            const array<float> here = x.to(device::cpu());
            CHECK(array_equal(places.to(device::cpu()), argmax(here, 1)));
            CHECK(same_bits(sums.to(device::cpu()), array<float>(sum(here, 1))));
            CHECK(same_bits(spans.to(device::cpu()), array<float>(max(here, 1) - min(here, 1))));
            CHECK(same_bits(deviations.to(device::cpu()), array<float>(stddev(here, 1))));
            CHECK(same_bits(totals.to(device::cpu()), array<std::complex<double>>(sum(z.to(device::cpu()), 1))));
        }
    });
}

TEST_CASE("rows that the registers of a thread block hold have the bits of their stored steps, in one launch") {
    on_every_backend([](const tested_backend& b) {
        for (std::int64_t length : {4097, 7172, 8195, 12292, 16384})
            check_layer_norm(numbered<float>(length, 7), b.is_cuda());
        check_softmax(numbered<float>(16381, 13), b.is_cuda());
        for (std::int64_t length : {5001, 8192, 8196}) check_softmax(numbered<double>(length, 13), b.is_cuda());
        array<float> x = numbered<float>(9001, 5), centred;
        x(2, 8999) = 1e6f;
        array<std::int64_t> places, stored = argmax(x, 1, keepdims).eval();
        const std::uint64_t launches = launches_of([&] {
            places = argmax(x, 1, keepdims);
            centred = x - astype<float>(places);
            eval(places, centred);
        });
        CHECK(array_equal(places, stored));
        CHECK(stored.item(2, 0) == 8999);
        CHECK(same_bits(centred, array<float>(x - astype<float>(stored))));
        if (b.is_cuda()) CHECK(launches == 1);
    });
}

TEST_CASE("rows that thread blocks share are the same in a step that is launched again and again") {
    on_every_backend([](const tested_backend&) {
        graph step([](auto x, auto y) {
            auto a = x - max(x, 1, keepdims) / sum(x, 1, keepdims);
            auto b = y * 2 - max(y, 1, keepdims) / sum(y, 1, keepdims);
            return std::tuple(a, b, sum(a, 0));
        });
        for (int i = 1; i < 4; ++i) {
            array<float> x = (numbered<float>(8200, 6) * float(i)).eval(),
                         y = (numbered<float>(16387) * float(i)).eval();
            auto [a, b, c] = step(x, y);
            array<float> high = max(x, 1, keepdims).eval(), total = sum(x, 1, keepdims).eval();
            array<float> highest = max(y, 1, keepdims).eval(), totals = sum(y, 1, keepdims).eval();
            CHECK(same_bits(array<float>(a), array<float>(x - high / total)));
            CHECK(same_bits(array<float>(b), array<float>(y * 2 - highest / totals)));
            CHECK(same_bits(array<float>(c), array<float>(sum(a, 0))));
        }
    });
}

TEST_CASE("long rows of which thread blocks hold a part, or nothing, are loaded again") {
    on_every_backend([](const tested_backend& b) {
        array<double> x = numbered<double>(33000), y = flip(x, 1) + 1, v = numbered<double>(16388), w = flip(v, 1),
                      z = (v * 2 - w).eval();
        array<double> sums = sum(x * y, 1, keepdims).eval(), highest = max(v * w + z, 1, keepdims).eval(), two, three;
        const std::uint64_t launches = launches_of([&] {
            two = (x - y) / sum(x * y, 1, keepdims);
            two.eval();
            three = (v - w) * z / max(v * w + z, 1, keepdims);
            three.eval();
        });
        CHECK(same_bits(two, array<double>((x - y) / sums)));
        CHECK(same_bits(three, array<double>((v - w) * z / highest)));
        if (b.is_cuda()) CHECK(launches == 2);
    });
}

TEST_CASE("rows that clusters hold begin anywhere in memory, those of each operand elsewhere") {
    on_every_backend([](const tested_backend& b) {
        for (std::int64_t length : {24577, 32766})
            for (std::int64_t begin : {1, 6}) check_rows_that_begin_anywhere<float>(length, begin, b.is_cuda());
        check_rows_that_begin_anywhere<float>(28672, 3, b.is_cuda());
        check_rows_that_begin_anywhere<double>(8195, 1, b.is_cuda());
        check_rows_that_begin_anywhere<double>(12289, 2, b.is_cuda());
        check_rows_that_begin_anywhere<std::complex<float>>(9001, 1, b.is_cuda());
        check_rows_that_begin_anywhere<std::int32_t>(16386, 5, b.is_cuda());
    });
}

TEST_CASE("a row that shared memory holds is reduced and stored by whole packs wherever it begins") {
    on_every_backend([](const tested_backend& b) {
        for (std::int64_t length : {16385, 20479, 20480, 24576, 28672, 50257})
            for (std::int64_t begin : {0, 1, 2, 3}) {
                CAPTURE(length);
                CAPTURE(begin);
                const array<float> wide = numbered<float>(length + 3, 5), x = wide(all, slice(begin, begin + length));
                check_softmax(x, b.is_cuda());
                check_layer_norm(x, b.is_cuda());
            }
        for (std::int64_t length : {20001, 50257}) check_chain(numbered<float>(length, 5), b.is_cuda());
        check_rows_that_begin_anywhere<float>(16385, 1, b.is_cuda());
        check_rows_that_begin_anywhere<float>(20480, 6, b.is_cuda());
        array<float> none = zeros<float>({3, 20481}), highest;
        none(1, 4095) = std::numeric_limits<float>::quiet_NaN();
        none(2, 20480) = -0.0f;
        none.eval();
        const array<float> stored = max(none, 1, keepdims).eval();
        CHECK(same_bits(array<float>((none - max(none, 1, keepdims)).eval()), array<float>(none - stored)));
    });
}

// Zeros of both signs among ones of the other side, in another order in each row, of every second row in few lanes
// alone, and NaN in the last; of short rows so many that a kernel is made for their length.
array<float> zeros_of_both_signs(std::int64_t length, float others) {
    const std::int64_t rows = length < 4096 ? 50001 / length : 9;
    const array<std::int64_t> place = arange<std::int64_t>(rows * length), number = place * 7919 % 10007;
    const array<bool> lanes = floor_divide(place % length % 1024, 12) == 3, odd = floor_divide(place, length) % 2 == 1;
    const array<float> flat = where(where(odd, lanes, number % 3 == 0), where(number % 2 == 0, 0.0f, -0.0f), others);
    array<float> x = reshape(flat, {rows, length}).eval();
    x(rows - 1, length / 3) = std::numeric_limits<float>::quiet_NaN();
    return x.eval();
}

TEST_CASE(
    "of zeros of both signs the first one is the greatest and the least of a row, wherever it begins, unless there is "
    "NaN") {
    on_every_backend([](const tested_backend& b) {
        for (std::int64_t length : {33, 301, 1001, 20001, 24572, 30003, 50257}) {
            CAPTURE(length);
            for (bool greatest : {true, false}) {
                const array<float> x = zeros_of_both_signs(length, greatest ? -1.0f : 1.0f);
                auto extreme = [&] { return greatest ? max(x, 1, keepdims) : min(x, 1, keepdims); };
                const array<float> stored = extreme().eval();
                array<float> fused, apart;
                const std::uint64_t launches = launches_of([&] {
                    fused = extreme();
                    apart = x - fused;
                    eval(fused, apart);
                });
                CHECK(same_bits(fused, stored));
                CHECK(same_bits(apart, array<float>(x - stored)));
                CHECK(count_nonzero(isnan(stored)).item() == 1);
                CHECK(std::isnan(stored.item(stored.shape(0) - 1, 0)));
                if (b.is_cuda()) CHECK(launches == 1);
            }
        }
    });
}

// Numbers of all sizes, zeros among them, of each row about as large.
array<float> of_all_sizes(std::int64_t length) {
    const array<std::int64_t> number = arange<std::int64_t>(9 * length) * 7919 % 10007;
    const array<double> fraction = 1.0 + astype<double>(number) / 10007.0;
    const array<double> scale =
        pow(2.0, astype<double>(number % 61 - 30 + (floor_divide(arange<std::int64_t>(9 * length), length) - 4) * 29));
    return astype<float>(reshape(where(number % 7 == 0, 0.0, fraction * scale), {9, length})).eval();
}

TEST_CASE(
    "what a row has computed divides its elements with the bits of the division, however large or small they are") {
    on_every_backend([](const tested_backend& b) {
        for (std::int64_t length : {33, 150, 301, 1001, 4096, 9001, 20001, 50257}) {
            CAPTURE(length);
            const array<float> x = of_all_sizes(length), highest = max(x, 1, keepdims).eval();
            array<float> fused;
            const std::uint64_t launches = launches_of([&] { fused = (x / max(x, 1, keepdims)).eval(); });
            CHECK(same_bits(fused, array<float>(x / highest)));
            if (b.is_cuda()) CHECK(launches == 1);
            const array<float> other = (x + 1.0f).eval(), most = max(other, 1, keepdims).eval(),
                               divided = (x / most).eval();
            array<float> in_place = x.copy().eval();
            in_place(all, all) = in_place / max(other, 1, keepdims);
            CHECK(same_bits(in_place, divided));
            array<float> into = x.copy().eval();
            out(into) = into / max(other, 1, keepdims);
            CHECK(same_bits(into, divided));
        }
    });
}

TEST_CASE("rows of elements of different sizes are held side by side wherever they begin") {
    on_every_backend([](const tested_backend& b) {
        for (std::int64_t length : {8193, 12301, 20001}) {
            CAPTURE(length);
            const array<float> x = numbered<float>(length, 5);
            const array<half> narrow = numbered<half>(length, 5);
            const array<bool> chosen = (numbered<float>(length, 5) > 1.0f).eval();
            const array<std::int8_t> small = astype<std::int8_t>(numbered<float>(length, 5)).eval();
            const array<double> wide = numbered<double>(length, 5);
            auto check = [&](auto of) {
                auto [fused, steps] = std::pair{of(true), of(false)};
                CHECK(same_bits(fused, steps));
            };
            auto centred = [](auto y, bool at_once) {
                if (!at_once) y.eval();
                auto means = mean(y, 1, keepdims);
                using T = value_type_t<decltype(y)>;
                return array<T>(at_once ? array<T>(y - means) : array<T>(y - array<T>(means).eval())).eval();
            };
            check([&](bool at_once) { return centred(array<float>(astype<float>(narrow) * x), at_once); });
            // What is not held beside what is, and its greatest is zero.
            const array<float> none = where(chosen, -0.0f, where(small > std::int8_t(0), 0.0f, -1.0f)),
                               highest = max(none, 1, keepdims).eval();
            CHECK(same_bits(array<float>((none - max(none, 1, keepdims)).eval()), array<float>(none - highest)));
            const array<float> below = (x * 0.0f - 1.0f).eval();
            auto mixed = [&] { return where(chosen, below, where(small > std::int8_t(0), 0.0f, -0.0f)); };
            const array<float> most = max(mixed(), 1, keepdims).eval();
            CHECK(same_bits(array<float>((mixed() - max(mixed(), 1, keepdims)).eval()), array<float>(mixed() - most)));
            check([&](bool at_once) {
                return centred(array<float>(x * astype<float>(narrow) * astype<float>(small)), at_once);
            });
            check([&](bool at_once) { return centred(array<float>(where(chosen, x, 0.0f)), at_once); });
            check([&](bool at_once) {
                return centred(array<double>(wide * astype<double>(small) + astype<double>(narrow)), at_once);
            });
            if (b.is_cuda()) {
                const array<float> y = where(chosen, x, 0.0f);
                CHECK(explain(y - mean(y, 1, keepdims)).kernels() == 1);
            }
        }
    });
}

TEST_CASE("rows that a later stage loads take no place of rows that it still reads") {
    on_every_backend([](const tested_backend& b) {
        for (std::int64_t length : {16385, 20004}) {
            const array<float> x = numbered<float>(length, 9), y = (numbered<float>(length, 9) * -0.5f + 1).eval();
            array<float> fused;
            const std::uint64_t launches = launches_of([&] {
                const array<float> centred = x - sum(x, 1, keepdims);
                fused = sum(centred * y, 1, keepdims) * y;
                fused.eval();
            });
            const array<float> sums = sum(x, 1, keepdims).eval(), products = sum((x - sums) * y, 1, keepdims).eval();
            CHECK(same_bits(fused, array<float>(products * y)));
            if (b.is_cuda()) CHECK(launches == 1);
        }
    });
}

TEST_CASE("places of extremes and several reductions of long rows that thread blocks share") {
    on_every_backend([](const tested_backend& b) {
        array<float> x = numbered<float>(16388), low, scaled;
        x(3, 16387) = 1e6f;
        x(4, 5) = -1e6f;
        x(4, 9000) = -1e6f;
        x.eval();
        array<std::int64_t> first, last = argmax(x, 1).eval(), least = argmin(x, 1).eval();
        array<float> lowest = min(x, 1, keepdims).eval(), highest = max(x, 1, keepdims).eval(),
                     total = sum(x, 1, keepdims).eval();
        const std::uint64_t launches = launches_of([&] {
            scaled = (x - min(x, 1, keepdims)) / (max(x, 1, keepdims) - min(x, 1, keepdims)) + sum(x, 1, keepdims);
            first = argmax(x, 1);
            low = astype<float>(argmin(x, 1));
            eval(scaled, first, low);
        });
        CHECK(same_bits(scaled, array<float>((x - lowest) / (highest - lowest) + total)));
        CHECK(array_equal(first, last));
        CHECK(first.item(3) == 16387);
        CHECK(array_equal(low, astype<float>(least)));
        CHECK(low.item(4) == 5);
        if (b.is_cuda()) CHECK(launches == 1);
    });
}
