// What values hold memory for, how long, and whose memory results take over.
#include <sinter/sinter.hpp>

#include "support/backends.hpp"
#include "support/stored_arrays.hpp"

using namespace sinter;
using namespace test_backends;

TEST_CASE("named locals take no memory") {
    on_every_backend([](const tested_backend&) {
        const std::int64_t n = 100003;
        array<float> x = stored<float>({n}, 0.01);
        array<float> a = x + 1, b = a * 2, c = b - x, d = c * c;
        std::int64_t before = counters().pool_used;
        array<float> r = d + a;
        r.eval();
        std::int64_t used = counters().pool_used - before;
        CHECK(used >= 4 * n);
        CHECK(used < 4 * n * 5 / 4 + 4096);  // sizes are rounded up
    });
}

TEST_CASE("expressions outlive the names that they were made from") {
    on_every_backend([](const tested_backend&) {
        auto make = [] {
            array<double> a{1, 2, 3}, b{10, 20, 30};
            return a(slice(none, none, -1)) * 2 + sqrt(b * b);
        };
        auto e = make();
        CHECK(values(array<double>(e)) == std::vector<double>{16, 24, 32});
    });
}

TEST_CASE("updates reuse memory that nothing else holds") {
    on_compiling_backends([](const tested_backend&) {
        const std::int64_t n = 1 << 20;
        array<float> a = stored<float>({n});
        a.eval();
        reset_counters();
        std::int64_t used = counters().pool_used;
        for (int i = 0; i < 50; ++i) {
            a(slice(i, i + 100)) = static_cast<float>(i);
            a.eval();
        }
        CHECK(counters().pool_used == used);
        CHECK(counters().pool_peak < used + 64 * 1024);
        a(slice(0, 1000)) = a(slice(500, 1500));
        a.eval();
        CHECK(counters().pool_used == used);
        CHECK(counters().pool_peak < used + 64 * 1024);

        array<float> kept = a;
        a(slice(0, 10)) = -5;
        a.eval();
        CHECK(kept.item(3) != -5);
        CHECK(counters().pool_used >= used + 4 * n);
    });
}

TEST_CASE("a result takes over the memory of what only it reads, element by element") {
    on_compiling_backends([](const tested_backend&) {
        const std::int64_t n = (1 << 16) + 3;
        array<double> a = stored<double>({n});
        const std::int64_t without = counters().pool_used;
        array<double> b = stored<double>({n}, 0.5);
        const std::int64_t used = counters().pool_used, block = used - without;
        std::vector<double> want = values(a);
        reset_counters();
        auto check_step = [&](auto step, auto plain, int more) {
            a = step(a);
            a.eval();
            CHECK(counters().pool_peak <= used + more * block);
            std::vector<double> old = want;
            for (std::size_t i = 0; i < want.size(); ++i) want[i] = plain(old, i);
            CHECK(values(a) == want);
            reset_counters();
        };
        check_step([&](auto& x) { return x * 2 + b; },
                   [](auto& x, std::size_t i) { return x[i] * 2 + 0.5 * static_cast<double>(i % 97); }, 0);
        check_step([](auto& x) { return 1 - x * x; }, [](auto& x, std::size_t i) { return 1 - x[i] * x[i]; }, 0);
        const array<double> held = a;
        const std::vector<double> before = want;
        check_step([](auto& x) { return x + 1; }, [](auto& x, std::size_t i) { return x[i] + 1; }, 1);
        CHECK(values(held) == before);
        // What is read elsewhere too must stay until all of it has been read.
        check_step([](auto& x) { return x - flip(x); },
                   [](auto& x, std::size_t i) { return x[i] - x[x.size() - 1 - i]; }, 2);
        check_step(
            [](auto& x) { return where(x > 0, astype<float>(x), 1.0); },
            [](auto& x, std::size_t i) { return x[i] > 0 ? static_cast<double>(static_cast<float>(x[i])) : 1.0; }, 2);
    });
}

TEST_CASE("a pending value keeps what it reads when its neighbours are evaluated") {
    on_every_backend([](const tested_backend&) {
        array<std::int32_t> a = stored<std::int32_t>({27}, 3), old = stored<std::int32_t>({27}, 3);
        array<std::int32_t> pending = a * 2;
        a(slice(0, 26)) = a(slice(1, 27)) + a(slice(0, 26));
        array<std::int32_t> reader = pending + 1;
        eval(a, reader);
        for (std::int64_t i = 0; i < 27; ++i) CHECK(pending.item(i) == 2 * old.item(i));
    });
}

TEST_CASE("an address that was given away keeps its memory") {
    on_every_backend([](const tested_backend&) {
        array<float> a{1, 2, 3, 4};
        const float* address = a.data();
        array<float> b = a;
        b(0) = 9;
        b.eval();
        CHECK(a.item(0) == 1);
        CHECK(a.data() == address);
    });
}
