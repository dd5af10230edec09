// Plans that are found again without planning: each evaluation gets the plan that belongs to it, whatever ran just
// before.
#include <array>
#include <atomic>
#include <cmath>
#include <sinter/ndimage.hpp>
#include <sinter/sinter.hpp>
#include <thread>

#include "support/backends.hpp"
#include "support/stored_arrays.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

/// x*x + x of what an array holds, element by element.
template <class T>
std::vector<T> squares_of(const std::vector<T>& x) {
    std::vector<T> y;
    for (T v : x) y.push_back(v * v + v);
    return y;
}

template <class T>
array<T> square_plus(const array<T>& x) {
    return array<T>(x * x + x).eval();
}

}  // namespace

TEST_CASE("an expression evaluated again launches one kernel that it finds") {
    on_compiling_backends([](const tested_backend&) {
        array<float> x = stored<float>({16});
        square_plus(x);
        for (int i = 0; i < 5; ++i) {
            const counters_t before = counters();
            array<float> y = square_plus(x);
            const counters_t after = counters();
            CHECK(after.launches - before.launches == 1);
            CHECK(after.cache_hits - before.cache_hits == 1);
            CHECK(after.kernels_compiled == before.kernels_compiled);
            CHECK(explain(y).kernels() == 1);
            CHECK(explain(y).bytes_written() == 64);
            CHECK(values(y) == squares_of(values(x)));
        }
    });
}

TEST_CASE("one expression over changing shapes gives each its own result") {
    on_every_backend([](const tested_backend&) {
        for (int round = 0; round < 3; ++round)
            for (std::int64_t n : {0, 1, 2, 31, 33, 1023, 4097, 2, 1}) {
                array<float> x = stored<float>({n}, 1, static_cast<double>(n));
                CHECK(values(square_plus(x)) == squares_of(values(x)));
                array<float> m = stored<float>({n, 3}, 1, static_cast<double>(n));
                CHECK(values(square_plus(m)) == squares_of(values(m)));
                CHECK(square_plus(m).shape() == dims(n, 3));
            }
    });
}

TEST_CASE("one expression over views of the same memory reads each view's elements") {
    on_every_backend([](const tested_backend&) {
        array<double> m = stored<double>({6, 6}).eval();
        for (int round = 0; round < 3; ++round) {
            const array<double> views[] = {m(slice(0, 3), all),          m(slice(3, 6), all),
                                           m(slice(none, none, 2), all), m(slice(none, none, -2), all),
                                           m.T()(slice(0, 3), all),      m(all, slice(0, 3)).T()};
            for (const array<double>& v : views) CHECK(values(square_plus(v)) == squares_of(values(v)));
        }
    });
}

TEST_CASE("one expression over equal, overlapping and different arrays keeps them apart") {
    on_every_backend([](const tested_backend&) {
        array<float> a = stored<float>({8}), b = stored<float>({8}, 100);
        const std::vector<float> va = values(a), vb = values(b);
        const array<float> low = a(slice(0, 4)), high = a(slice(4, 8)), other = b(slice(4, 8));
        auto product = [](const array<float>& x, const array<float>& y) {
            return values(array<float>(x * y - x).eval());
        };
        for (int round = 0; round < 3; ++round)
            for (std::size_t i = 0; i < 4; ++i) {
                CHECK(product(a, a)[i] == va[i] * va[i] - va[i]);
                CHECK(product(a, b)[i] == va[i] * vb[i] - va[i]);
                CHECK(product(b, a)[i] == vb[i] * va[i] - vb[i]);
                CHECK(product(low, high)[i] == va[i] * va[i + 4] - va[i]);
                CHECK(product(low, low)[i] == va[i] * va[i] - va[i]);
                CHECK(product(low, other)[i] == va[i] * vb[i + 4] - va[i]);
                CHECK(product(high, low)[i] == va[i + 4] * va[i] - va[i + 4]);
            }
    });
}

TEST_CASE("a scalar's value is an argument and its type is not") {
    on_every_backend([](const tested_backend&) {
        array<int> i = stored<int>({5});
        array<float> x = stored<float>({5});
        for (int round = 1; round < 5; ++round) {
            CHECK(array<int>(i * round + 1).eval().item(4) == 4 * round + 1);
            CHECK(array<double>(i * (round * 0.5) + 1).eval().item(4) == 4 * round * 0.5 + 1);
            CHECK(array<float>(i * (static_cast<float>(round) * 0.25f)).eval().item(4) == static_cast<float>(round));
            CHECK(array<double>(x * round).eval().item(4) == 4.0 * round);
            CHECK(array<std::complex<float>>(x * std::complex<float>(0, 1)).eval().item(4) ==
                  std::complex<float>(0, 4));
        }
    });
}

TEST_CASE("scalars of a long formula that are equal are one, as long as they are") {
    on_every_backend([](const tested_backend&) {
        constexpr int steps = 20;
        array<double> x = stored<double>({5}, 0.25, 1);
        // `different` factors follow each other; small ones, as they are the same in the type of a term's other
        // operand.
        auto polynomial = [&](int different, double shift) {
            array<double> y = x;
            for (int i = 0; i < steps; ++i) y = y * (shift + i % different) + (x - (shift + i % different));
            return y.eval();
        };
        for (int round = 0; round < 3; ++round)
            for (int different : {1, 2, 7, steps, 2}) {
                const double shift = 0.5 + 0.125 * round;
                const auto compiled = counters().kernels_compiled;
                array<double> y = polynomial(different, shift);
                if (round > 0) CHECK(counters().kernels_compiled == compiled);
                for (int k = 0; k < 5; ++k) {
                    double from = 0.25 * k + 1, to = from;
                    for (int i = 0; i < steps; ++i)
                        to = to * (shift + i % different) + (from - (shift + i % different));
                    CHECK(y.item(k) == to);
                }
            }
    });
}

TEST_CASE("a number that is converted in a long formula is its own, whichever others it equals") {
    on_every_backend([](const tested_backend&) {
        const array<std::int64_t> i = arange<std::int64_t>(120);
        const array<bool> mask = reshape((i * 7919 + 3) % 1009 % 5 < 3, {4, 5, 6}).eval();
        const array<bool> image = (mask && arange(6) == 1).eval();
        for (bool border : {true, false, true}) {
            const ndimage::morphology_options o{.mask = mask, .border_value = border};
            const array<bool> once = ndimage::binary_dilation(image, o).eval();
            const array<bool> twice = ndimage::binary_dilation(ndimage::binary_dilation(image, o), o);
            CHECK(array_equal(twice, ndimage::binary_dilation(once, o)));
        }
    });
}

TEST_CASE("exponents of every class follow each other") {
    on_every_backend([](const tested_backend&) {
        array<double> x = stored<double>({5}, 1, 1);
        for (int round = 0; round < 2; ++round)
            for (double e : {2.0, -1.0, 0.5, 1.0, 3.0, 4.0, -0.5, 2.5, 2.0})
                CHECK(array<double>(power(x, e)).eval().item(3) == doctest::Approx(std::pow(4.0, e)).epsilon(1e-14));
    });
}

TEST_CASE("random statements of one form draw from streams of their own") {
    on_every_backend([](const tested_backend&) {
        auto draw = [](int count) {
            random::seed(7);
            std::vector<float> all;
            for (int i = 0; i < count; ++i) {
                array<float> x = random::uniform<float>(0, 1, {5}).eval();
                for (float v : values(x)) all.push_back(v);
            }
            return all;
        };
        const std::vector<float> once = draw(4), again = draw(4);
        CHECK(once == again);
        for (std::size_t i = 5; i < once.size(); ++i) CHECK(once[i] != once[i - 5]);
    });
}

TEST_CASE("memory that is written in place keeps what others read") {
    on_every_backend([](const tested_backend&) {
        for (int round = 0; round < 4; ++round) {
            array<float> x = stored<float>({6});
            const array<float> before = array<float>(x + 1).eval();
            x(slice(1, 3)) = -1;
            x.eval();
            CHECK(values(x) == std::vector<float>{0, -1, -1, 3, 4, 5});
            const array<float> kept = x;
            x(0) = 9;
            x.eval();
            CHECK(kept.item(0) == 0);
            CHECK(x.item(0) == 9);
            x += x;
            x.eval();
            CHECK(values(x) == std::vector<float>{18, -2, -2, 6, 8, 10});
            CHECK(values(before) == std::vector<float>{1, 2, 3, 4, 5, 6});
        }
    });
}

TEST_CASE("loops of several statements find their plan whatever they hold") {
    on_every_backend([](const tested_backend&) {
        array<double> a = stored<double>({7}), b = a;
        double x = 3, y = 3;
        for (int i = 0; i < 100; ++i) {
            const double factor = i % 3 ? 0.5 : 0.25;
            a = b * factor + i;
            b = i % 2 ? array<double>(a - 1) : array<double>(a + sum(a) * 0);
            x = y * factor + i;
            y = i % 2 ? x - 1 : x + 0;
        }
        CHECK(b.item(3) == y);
    });
}

TEST_CASE("programs that differ only in which value a statement reads are told apart") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = stored<double>({33}), y = stored<double>({33}, 3, 1);
        const std::vector<double> vx = values(x), vy = values(y);
        for (int round = 0; round < 4; ++round) {
            const bool first = round % 2 == 0;
            array<double> product = x * y, one = (first ? x : y) - 1, result = product + one * 2;
            std::vector<double> want;
            for (std::size_t i = 0; i < vx.size(); ++i) want.push_back(vx[i] * vy[i] + ((first ? vx : vy)[i] - 1) * 2);
            CHECK(values(result) == want);
        }
    });
}

TEST_CASE("scopes change the backend between two evaluations of one expression") {
    if (is_device_executable) return;
    device_scope on(device::cpu());
    array<float> x = stored<float>({9});
    const std::vector<float> want = squares_of(values(x));
    for (int round = 0; round < 3; ++round)
        on_every_backend([&](const tested_backend& b) {
            const counters_t before = counters();
            CHECK(values(square_plus(x)) == want);
            CHECK((counters().launches - before.launches > 0) == b.compiles());
        });
}

TEST_CASE("devices do not share what they find") {
    if (!is_device_executable || device_count() == 0) return;
    auto on_device = [](device d) {
        device_scope on(d);
        array<float> x = stored<float>({9});
        array<float> y = square_plus(x);
        CHECK(y.device() == d);
        CHECK(values(y) == squares_of(values(x)));
    };
    for (int round = 0; round < 3; ++round) {
        on_device(device::cpu());
        for (int i = 0; i < device_count(); ++i) on_device(device::cuda(i));
    }
}

TEST_CASE("an evaluation that found no memory can be tried again") {
    on_compiling_backends([](const tested_backend&) {
        const std::int64_t huge = runtime::pool_capacity(runtime::current_device()) / 4 * 3;
        array<std::int8_t> one = stored<std::int8_t>({1});
        for (int round = 0; round < 3; ++round) {
            array<std::int8_t> x = square_plus(one);
            array<double> y = broadcast_to(astype<double>(x), {huge}) * 2;
            CHECK_THROWS_AS(y.eval(), out_of_memory);
            CHECK_THROWS_AS(y.eval(), out_of_memory);
            CHECK(values(square_plus(one)) == std::vector<std::int8_t>{0});
        }
    });
}

TEST_CASE("threads that evaluate the same expressions get their own results") {
    on_every_backend([](const tested_backend& b) {
        std::array<int, 4> wrong{};
        std::array<std::thread, 4> threads;
        for (std::size_t t = 0; t < threads.size(); ++t)
            threads[t] = std::thread([&, t] {
                backend_selection on(b);
                array<float> x = stored<float>({static_cast<std::int64_t>(5 + t)}, 1, static_cast<double>(t));
                const std::vector<float> want = squares_of(values(x));
                for (int i = 0; i < 200; ++i) {
                    wrong[t] += values(square_plus(x)) != want;
                    array<float> scaled = x * static_cast<float>(i);
                    wrong[t] += scaled.eval().item(1) != (1 + static_cast<float>(t)) * static_cast<float>(i);
                }
            });
        for (std::thread& t : threads) t.join();
        CHECK(wrong == std::array<int, 4>{});
    });
}
