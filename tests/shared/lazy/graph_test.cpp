// Steps of a graph: what they return equals what their function returns, and later calls launch what the first one
// planned.
#include <sinter/sinter.hpp>

#include "support/backends.hpp"
#include "support/stored_arrays.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

/// A step of several kernels over a matrix: no schedule reduces along both axes at once.
auto relax = [](auto u, auto dt) {
    array<float> mean_removed = u - mean(u, 0) * dt;
    array<float> scaled = mean_removed / (1 + max(abs(mean_removed), 1, keepdims));
    return scaled + mean(scaled, 0) + dt;
};

}  // namespace

TEST_CASE("a step returns what its function returns, with new arrays and new numbers") {
    on_every_backend([](const tested_backend&) {
        graph step(relax);
        array<float> u = stored<float>({40, 33}, 0.125), v = u;
        for (int i = 0; i < 12; ++i) {
            const float dt = 0.125f * static_cast<float>(1 + i % 3);
            u = step(u, dt);
            v = relax(v, dt);
            CHECK(values(u) == values(v));
        }
    });
}

TEST_CASE("numbers of every type that differ from call to call reach all kernels of a step") {
    on_every_backend([](const tested_backend&) {
        const auto inner = slice(1, -1), left = slice(none, -2);
        auto f = [=](auto a, float divisor, double factor, std::complex<double> turn, int shift) {
            array<float> x = a + shift, y = a - divisor;
            array<double> u = astype<double>(a), v = u * factor;
            array<std::complex<double>> z = u + turn, w = z * turn;
            for (int i = 0; i < 3; ++i) {
                y(inner) = x(inner) / divisor + (x(left) + shift);
                x(inner) = y(left) / 3 - abs(y(inner)) * divisor;
                v(inner) = u(inner) * factor - v(left) / factor;
                u(inner) = v(inner) + shift * u(left);
                w(inner) = z(left) * turn + w(inner);
                z(inner) = w(left) - turn;
            }
            return std::tuple(x, y, u, v, z, w);
        };
        graph step(f);
        for (int i = 0; i < 8; ++i) {
            array<float> a = stored<float>({101}, 0.125 * (1 + i % 3));
            const float divisor = 3.0f + static_cast<float>(i % 4);
            const std::complex<double> turn(0.25 * i, 1);
            auto got = step(a, divisor, 0.5 * (i + 1), turn, i - 3);
            auto [x, y, u, v, z, w] = f(a, divisor, 0.5 * (i + 1), turn, i - 3);
            CAPTURE(i);
            CHECK(values(std::get<0>(got)) == values(x));
            CHECK(values(std::get<1>(got)) == values(y));
            CHECK(values(std::get<2>(got)) == values(u));
            CHECK(values(std::get<3>(got)) == values(v));
            CHECK(values(std::get<4>(got)) == values(z));
            CHECK(values(std::get<5>(got)) == values(w));
        }
    });
}

TEST_CASE("later steps compile nothing and launch the same kernels") {
    on_compiling_backends([](const tested_backend&) {
        graph step(relax);
        array<float> u = stored<float>({40, 33}, 0.125);
        u = step(u, 0.5f);
        std::int64_t launches = 0;
        for (int i = 0; i < 10; ++i) {
            const counters_t before = counters();
            u = step(u, 0.25f * static_cast<float>(i));
            const counters_t after = counters();
            CHECK(after.kernels_compiled == before.kernels_compiled);
            CHECK(after.disk_hits == before.disk_hits);
            CHECK(after.launches - before.launches > 1);
            if (i > 0) CHECK(after.launches - before.launches == launches);
            launches = after.launches - before.launches;
        }
    });
}

TEST_CASE("a step takes other shapes and types") {
    on_every_backend([](const tested_backend&) {
        graph step([](auto x) { return x * 2 + sum(x); });
        for (int round = 0; round < 2; ++round)
            for (std::int64_t n : {1, 2, 33, 1023, 4097}) {
                array<double> x = stored<double>({n}, 0.125);
                CHECK(values(step(x)) == values(array<double>(x * 2 + sum(x))));
                array<std::int64_t> k = astype<std::int64_t>(x);
                CHECK(values(step(k)) == values(array<std::int64_t>(k * 2 + sum(k))));
            }
    });
}

TEST_CASE("each step draws its own random numbers, the same as without a graph") {
    on_every_backend([](const tested_backend&) {
        auto walk = [](auto x) { return x + random::normal<float>(0, 1, x.shape()) * (1 + sum(x) * 0); };
        graph step(walk);
        array<float> x = stored<float>({100}, 0.125), y = x;
        random::seed(3);
        for (int i = 0; i < 6; ++i) x = step(x);
        random::seed(3);
        for (int i = 0; i < 6; ++i) y = array<float>(walk(y)).eval();
        CHECK(values(x) == values(y));
    });
}

TEST_CASE("a step returns several arrays, or changes those that its function holds") {
    on_every_backend([](const tested_backend&) {
        array<double> position = stored<double>({50}, 0.125), velocity = stored<double>({50}, 0.125, 1);
        graph step([](auto x, auto v, double dt) {
            array<double> faster = v - x * dt;
            return std::tuple(x + faster * dt, faster);
        });
        array<double> x = position, v = velocity;
        for (int i = 0; i < 5; ++i) std::tie(x, v) = step(x, v, 0.5);
        for (int i = 0; i < 5; ++i) {
            velocity = velocity - position * 0.5;
            position = position + velocity * 0.5;
        }
        CHECK(values(x) == values(position));
        CHECK(values(v) == values(velocity));

        array<double> total = zeros({3});
        graph add([&](double d) {
            total += d;
            total.eval();
        });
        for (int i = 0; i < 4; ++i) add(1.5);
        CHECK(values(total) == std::vector<double>{6, 6, 6});
    });
}

TEST_CASE("a step that reads throws, says so, and leaves everything usable") {
    on_every_backend([](const tested_backend&) {
        array<float> x = stored<float>({10}, 0.125, 1);
        graph reads([](auto u) {
            if (max(u).item() > 0) return array<float>(u * 2);
            return array<float>(u);
        });
        CHECK_THROWS_WITH_AS(reads(x), doctest::Contains("[graph] an array is read while a step is recorded"),
                             value_error);
        graph picks([](auto u) { return u[u > 0.5f]; });
        CHECK_THROWS_AS(picks(x), value_error);
        graph waits([](auto u) {
            synchronize();
            return u + 1;
        });
        CHECK_THROWS_AS(waits(x), value_error);
        CHECK(max(x).item() == doctest::Approx(1 + 9.0 / 8));
        graph step([](auto u) { return u + sum(u); });
        CHECK(values(step(x)) == values(array<float>(x + sum(x))));
    });
}

TEST_CASE("a step inside a step is part of it") {
    on_every_backend([](const tested_backend&) {
        graph inner([](auto u) { return u + sum(u); });
        graph outer([&](auto u) { return inner(inner(u)) * 2; });
        array<double> x = stored<double>({20}, 0.125);
        array<double> once = x + sum(x), twice = once + sum(once);
        for (int i = 0; i < 3; ++i) CHECK(values(outer(x)) == values(array<double>(twice * 2)));
    });
}

TEST_CASE("results of earlier steps stay as they were") {
    on_every_backend([](const tested_backend&) {
        graph step([](auto u) { return u + sum(u) * 0 + 1; });
        std::vector<array<float>> all{stored<float>({16}, 0.125)};
        for (int i = 0; i < 8; ++i) all.push_back(step(all.back()));
        for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i].item(3) == 0.375f + static_cast<float>(i));
    });
}

TEST_CASE("a step may copy, scan over many tiles and gather, with new arrays and numbers each time") {
    on_every_backend([](const tested_backend&) {
        auto spread = [](auto a, auto share) {
            const auto inner = slice(1, -1), left = slice(none, -2), right = slice(2, none);
            array<std::int64_t> x = a + share, y = x;  // y becomes a copy
            for (int i = 0; i < 3; ++i) {
                y(inner) = x(left) + x(right) * share;
                x(inner) = (y(left) - y(right)) & 0xffff;
            }
            array<std::int64_t> sums = cumsum(x), places = (flip(sums) & 0x7fffffff) % a.size();
            array<std::int64_t> picked = sums(places);
            return array<std::int64_t>((picked + cumsum(picked)) & 0xffff);
        };
        graph step(spread);
        for (std::int64_t n : {33, 4097, 150001}) {
            array<std::int64_t> x = stored<std::int64_t>({n}), y = x;
            for (std::int64_t i = 0; i < 7; ++i) {
                array<std::int64_t> given = i % 2 ? x : stored<std::int64_t>({n}, 1, i), other = i % 2 ? y : given;
                x = step(given, i);
                y = array<std::int64_t>(spread(other, i)).eval();
                REQUIRE(values(x) == values(y));
            }
        }
    });
}

TEST_CASE("an index out of range in a step is an error where its result is read, each time") {
    on_every_backend([](const tested_backend& b) {
        graph step([](auto x, auto places) {
            array<double> picked = x(places), total = cumsum(picked);
            return array<double>(total + sum(total));
        });
        array<double> x = stored<double>({20}, 0.125);
        const array<std::int64_t> good{3, 19, 0}, bad{3, 20, 0};
        const std::vector<double> expected = values(step(x, good));
        for (int i = 0; i < 3; ++i) {
            CAPTURE(b.name);
            CHECK_THROWS_WITH_AS(values(step(x, bad)), "[take] index 20 is out of bounds for axis 0 with size 20",
                                 index_error);
            CHECK(values(step(x, good)) == expected);
        }
    });
}

TEST_CASE("a step that finds too little memory keeps none of it") {
    on_compiling_backends([](const tested_backend&) {
        graph step([](auto x) {
            array<double> twice = x * 2, sums = cumsum(x);
            return std::tuple(twice, sums);
        });
        constexpr std::int64_t size = 1 << 17;
        array<double> x = ones({size});
        x.eval();
        for (int i = 0; i < 3; ++i) std::ignore = step(x);
        synchronize();
        const std::int64_t before = counters().pool_used;
        auto pool = memory_pool();
        pool.set_limit(before + size * 12);
        CHECK_THROWS_AS(step(x), out_of_memory);
        pool.set_limit(0);
        synchronize();
        CHECK(counters().pool_used == before);
        CHECK(double(sum(std::get<1>(step(x)))) == double(size) * double(size + 1) / 2);
    });
}
