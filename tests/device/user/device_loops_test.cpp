// Loops over whole arrays that a GPU goes round by itself: the values are those of the same statements in a loop in
// C++, and the host launches no more than a part of them.
#include <cstring>
#include <sinter/runtime/device/cuda_graph.hpp>
#include <sinter/sinter.hpp>
#include <tuple>
#include <vector>

#include "support/backends.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

SINTER_FUNCTION(
    smoothed, (long i, array_view<double, 1> v)->double {
        if (i == 0 || i == v.shape(0) - 1) return v(i);
        return (v(i - 1) + v(i) + v(i + 1)) / 3;
    })

template <class T>
bool same_bits(const array<T>& a, const array<T>& b) {
    const std::vector<T> x = to_vector(a), y = to_vector(b);
    return a.shape() == b.shape() && x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;
}

// Where the driver has what it takes.
template <class Body>
void for_cuda(Body body) {
    on_every_backend([&](const tested_backend& b) {
        if (b.is_cuda() && runtime::cuda_loop::is_supported(device::cuda(0))) body();
    });
}

array<double> spread(dims shape) { return sin(astype<double>(reshape(arange(shape.product()), shape)) * 1.7) + 0.25; }

constexpr auto smooth = [](auto u, auto, auto turns) {
    array<double> next = map_index(u.shape(), smoothed, u);
    return std::tuple(next, max(abs(next - u)), turns + 1);
};

std::tuple<array<double>, int> smooth_in_cpp(array<double> u, double tolerance, int most) {
    int turns = 0;
    for (double change = 1; change > tolerance && turns < most; ++turns) {
        array<double> next = array<double>(map_index(u.shape(), smoothed, u)).eval();
        change = double(max(abs(next - u)));
        u = next;
    }
    return {u, turns};
}

}  // namespace

TEST_CASE("a loop with a condition goes round on the device: a thousand turns more are a handful of launches more") {
    for_cuda([] {
        for (std::int64_t n : {3, 61, 4099}) {
            const array<double> start = spread({n});
            auto run = [&](int most) {
                return while_loop([most](auto, auto change, auto k) { return change > 1e-9 && k < most; }, smooth,
                                  start, 1.0, 0);
            };
            run(20);
            run(30);
            std::int64_t launches[2] = {};
            for (int k : {0, 1}) {
                const int most = k == 0 ? 100 : 1100;
                auto [u, change, turns] = run(most);
                auto [v, count] = smooth_in_cpp(start, 1e-9, most);
                static_cast<void>(change);
                CHECK(int(turns) == count);
                CHECK(same_bits(u, v));
                reset_counters();
                run(most);
                launches[k] = counters().launches;
            }
            CHECK(launches[0] > 0);
            CHECK(launches[1] <= launches[0] + 20);
        }
    });
}

TEST_CASE("a loop of more turns than the device goes round at once is as long as it should be") {
    for_cuda([] {
        for (int most : {4095, 4101, 4102, 9001}) {
            const array<double> start = spread({5});
            auto [x, turns] =
                while_loop([&](auto v, auto k) { return k < most && sum(v) > -1e300; },
                           [](auto v, auto k) { return std::tuple(v - 1e-3 * mean(v), k + 1); }, start, 0);
            CHECK(int(turns) == most);
            array<double> y = start;
            for (int i = 0; i < most; ++i) y = array<double>(y - 1e-3 * mean(y)).eval();
            CHECK(same_bits(x, y));
        }
    });
}

TEST_CASE("counted loops that the device repeats have exactly their number of turns") {
    for_cuda([] {
        const array<double> start = spread({37});
        auto body = [](array<double> v) { return array<double>(map_index(v.shape(), smoothed, v) - mean(v) / 8); };
        array<double> y = start;
        int done = 0;
        for (int turns : {0, 1, 3, 4, 5, 11, 12, 13, 20, 21, 40, 133}) {
            for (; done < turns; ++done) y = body(y).eval();
            CHECK(same_bits(array<double>(for_loop(turns, body, start)), y));
        }
    });
}

TEST_CASE("counted loops whose body reads the number of the turn go round on the device as well") {
    for_cuda([] {
        const array<double> start = spread({33});
        auto body = [](auto i, auto v) { return array<double>(v + astype<double>(i) * 0.5 - mean(v)); };
        for (int turns : {3, 12, 30, 157}) {
            array<double> y = start;
            for (int i = 0; i < turns; ++i) y = array<double>(y + i * 0.5 - mean(y)).eval();
            CHECK(same_bits(array<double>(for_loop(turns, body, start)), y));
            CHECK(same_bits(array<double>(for_loop(full<std::uint8_t>({}, turns), body, start)), y));
        }
    });
}

TEST_CASE("parts that are handed on, exchanged, left alone and not read stay what they are from turn to turn") {
    for_cuda([] {
        const array<double> first = spread({29}), second = spread({29}) * 0.5;
        const array<double> copy = first.copy(), other = second.copy();
        eval(copy, other);
        auto wave = [](auto before, auto now) {
            return std::tuple(now,
                              array<double>(2 * now - before + 0.1 * (map_index(now.shape(), smoothed, now) - now)));
        };
        auto backwards = [&](auto now, auto before) {
            auto [was, next] = wave(before, now);
            return std::tuple(next, was);
        };
        // The second time the device begins as soon as a turn has been computed by the host.
        for (int i = 0; i < 2; ++i) {
            auto [b, a] = for_loop(50, backwards, second, first);
            auto [c, d] = for_loop(50, wave, first, second);
            CHECK(same_bits(a, c));
            CHECK(same_bits(b, d));
        }
        auto [a, b] = for_loop(50, wave, first, second);
        auto turn = [](auto x, auto y) { return std::tuple(array<double>(y - mean(x)), array<double>(x + mean(y))); };
        auto [c, d] = for_loop(50, turn, first, second);
        auto [e, f] =
            for_loop(50, [](auto x, auto y) { return std::tuple(array<double>(x * 0.5 + mean(y)), y); }, first, second);
        array<double> p = first, q = second, r = first, s = second, t = first;
        for (int i = 0; i < 50; ++i) {
            std::tie(p, q) = wave(p, q);
            std::tie(r, s) = turn(r, s);
            t = array<double>(t * 0.5 + mean(second));
            eval(p, q, r, s, t);
        }
        CHECK(same_bits(a, p));
        CHECK(same_bits(b, q));
        CHECK(same_bits(c, r));
        CHECK(same_bits(d, s));
        CHECK(same_bits(e, t));
        CHECK(same_bits(f, second));
        CHECK(same_bits(first, copy));
        CHECK(same_bits(second, other));
    });
}

TEST_CASE("a loop that is run again with other numbers and other arrays uses those") {
    for_cuda([] {
        for (double scale : {1.0, 0.5, -0.25}) {
            const array<double> start = spread({41}) * scale, outside = cumsum(start);
            auto body = [&](auto v) { return array<double>(v / (2 + max(abs(v))) + outside * scale); };
            array<double> y = start;
            for (int i = 0; i < 30; ++i) y = body(y).eval();
            CHECK(same_bits(array<double>(for_loop(30, body, start)), y));
        }
    });
}

TEST_CASE("loops on several streams wait for what they read and are waited for") {
    for_cuda([] {
        auto body = [](auto v) { return array<double>(map_index(v.shape(), smoothed, v) - mean(v) / 8); };
        const array<double> start = spread({43});
        array<double> y = start;
        for (int i = 0; i < 60; ++i) y = body(y).eval();
        stream first, second;
        for (int i = 0; i < 3; ++i) {
            array<double> x;
            {
                stream_scope on(first);
                x = for_loop(30, body, start);
            }
            stream_scope on(second);
            CHECK(same_bits(array<double>(for_loop(30, body, x)), y));
        }
    });
}

TEST_CASE("a loop whose turns take elements by index finds an index that is out of range") {
    for_cuda([] {
        const array<double> start = spread({17});
        auto body = [](auto v, auto at) {
            return std::tuple(array<double>(take(v, at) + mean(v)), array<int>(at + 1));
        };
        auto [v, at] = for_loop(10, body, start, array<int>{0, 1, 2, 3, 4, 5, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 6});
        CHECK(at.item(16) == 16);
        auto [w, past] = for_loop(12, body, start, array<int>{0, 1, 2, 3, 4, 5, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 6});
        CHECK_THROWS_AS(to_vector(w), index_error);
    });
}
