// Programs of npbench's, and pyhpc's equation of state, that are written once for arrays of any kind: distributed ones
// are changed by `distribute` only.
#include "../../../bench/programs/equation_of_state.hpp"

#include <algorithm>
#include <sinter/distributed.hpp>
#include <sinter/sinter.hpp>

#include "support/backends.hpp"
#include "support/ranks.hpp"

using namespace sinter;
using namespace test_backends;
using namespace test_ranks;

namespace {

template <class A>
auto softmax_of(const A& x) {
    const auto powers = exp(x - max(x, 1, keepdims));
    return powers / sum(powers, 1, keepdims);
}

template <class A>
auto covariance_of(const A& x) {
    const auto away = x - mean(x, 0);
    return matmul(transpose(away), away) / static_cast<double>(x.shape(0) - 1);
}

template <class A, class W>
auto mlp_of(const A& x, const W& w1, const W& w2) {
    return softmax_of(matmul(maximum(matmul(x, w1) + 0.25, 0.0), w2));
}

template <class A, class V>
auto gemver_of(const A& a, const V& u, const V& v, const V& y) {
    const auto b = a + u(all, newaxis) * v;
    const auto x = 1.5 * matmul(transpose(b), y) + u;
    return matmul(b, x);
}

template <class A>
auto hdiff_of(const A& x) {
    const auto in = slice(1, -1), head = slice(none, -1), tail = slice(1, none);
    const auto lap = 4 * x(in, in) -
                     (x(slice(2, none), in) + x(slice(none, -2), in) + x(in, slice(2, none)) + x(in, slice(none, -2)));
    const auto flow = lap(tail, in) - lap(head, in), side = lap(in, tail) - lap(in, head);
    return x(slice(2, -2), slice(2, -2)) - 0.1 * (flow(tail) - flow(head) + side(all, tail) - side(all, head));
}

// Two grids that are computed of each other in turn, in place.
template <class A>
A jacobi_of(A a, A b, int steps) {
    const auto in = slice(1, -1), up = slice(2, none), down = slice(none, -2);
    for (int t = 0; t < steps; ++t) {
        b(in, in) = 0.2 * (a(in, in) + a(in, down) + a(in, up) + a(up, in) + a(down, in));
        a(in, in) = 0.2 * (b(in, in) + b(in, down) + b(in, up) + b(up, in) + b(down, in));
    }
    return a;
}

template <class A>
A heat_of(A a, A b, int steps) {
    const auto in = slice(1, -1), up = slice(2, none), down = slice(none, -2);
    for (int t = 0; t < steps; ++t) {
        auto step = [&](A& to, A& x) {
            to(in, in, in) = 0.125 * (x(up, in, in) - 2.0 * x(in, in, in) + x(down, in, in)) +
                             0.125 * (x(in, up, in) - 2.0 * x(in, in, in) + x(in, down, in)) +
                             0.125 * (x(in, in, up) - 2.0 * x(in, in, in) + x(in, in, down)) + x(in, in, in);
        };
        step(b, a);
        step(a, b);
    }
    return a;
}

}  // namespace

TEST_CASE("the equation of state of sea water has the same bits on any number of ranks") {
    on_every_backend([](const tested_backend& b) {
        using programs::equation_of_state;
        random::generator g(3);
        const array<double> salinity = g.uniform(1e-2, 10, {13, 5, 3}), temperature = g.uniform(-12, 20, {13, 5, 3}),
                            pressure = g.uniform(0, 1000, {1, 1, 3});
        const array<double> wanted = equation_of_state::gsw_dHdT(salinity, temperature, pressure);
        for (int p : {1, 2, 3, 4, 8}) {
            if (!b.is_interpreter() && p != 3) continue;
            on_ranks({p}, [&](distributed::session& s, auto check) {
                for (const auto& where : {distributed::split(0), distributed::split(2), distributed::mesh(0, 0, 1)}) {
                    const bool along_depth = where == distributed::split(2);
                    const auto sa = distribute(salinity, where), ct = distribute(temperature, where);
                    const auto depth = distribute(pressure, along_depth ? where : distributed::replicated());
                    const auto result = equation_of_state::gsw_dHdT(sa, ct, depth);
                    check(result.placement() == where && s.counters().collectives == 0, "nothing moved");
                    check(same_bits(result.gather(), wanted), "bits");
                    s.reset_counters();
                }
            });
        }
    });
}

TEST_CASE("npbench's programs are right on any number of ranks") {
    on_every_backend([](const tested_backend& b) {
        for (int p : {1, 2, 3, 4, 8}) {
            if (!b.is_interpreter() && p != 3) continue;
            bool right[5] = {};
            distributed::run(p, [&](distributed::session& s) {
                random::generator g(1);
                const array<double> x = g.normal(0, 1, {37, 19}), w1 = g.normal(0, 1, {19, 7}),
                                    w2 = g.normal(0, 1, {7, 3}), a = g.normal(0, 1, {23, 23}), u = g.normal(0, 1, {23}),
                                    v = g.normal(0, 1, {23}), y = g.normal(0, 1, {23});
                const auto rows = distributed::split(0);
                const auto dx = distribute(x, rows), da = distribute(a, rows);
                const auto du = distribute(u, distributed::replicated()), dv = distribute(v, distributed::replicated()),
                           dy = distribute(y, rows);
                const bool own[] = {allclose(softmax_of(dx).gather(), softmax_of(x)),
                                    allclose(covariance_of(dx).gather(), covariance_of(x)),
                                    allclose(mlp_of(dx, w1, w2).gather(), mlp_of(x, w1, w2)),
                                    allclose(gemver_of(da, du, dv, dy).gather(), gemver_of(a, u, v, y)),
                                    allclose(hdiff_of(dx).gather(), hdiff_of(x))};
                if (s.is_root()) std::copy(std::begin(own), std::end(own), right);
            });
            CAPTURE(p);
            for (bool one : right) CHECK(one);
        }
    });
}

TEST_CASE("npbench's stencils that assign to the inside have the same bits on any number of ranks") {
    on_every_backend([](const tested_backend& b) {
        random::generator g(2);
        const array<double> x = g.normal(0, 1, {19, 14}), y = x * 0.5, u = g.normal(0, 1, {11, 7, 6}), v = u + 1;
        const array<double> jacobi = jacobi_of(x, y, 3), heat = heat_of(u, v, 2);
        for (int p : {1, 2, 3, 4, 8}) {
            if (!b.is_interpreter() && p != 3) continue;
            on_ranks({p}, [&](distributed::session&, auto check) {
                for (int axis : {0, 1}) {
                    const auto where = distributed::split(axis);
                    check(same_bits(jacobi_of(distribute(x, where), distribute(y, where), 3).gather(), jacobi),
                          "jacobi_2d");
                    check(same_bits(heat_of(distribute(u, where), distribute(v, where), 2).gather(), heat), "heat_3d");
                }
            });
        }
    });
}
