// Jacobi's iteration with a stencil of five points, between two arrays: jacobi_2d of npbench, originally of PolyBench.
#pragma once

#include "sizes.hpp"

namespace programs {

struct jacobi_2d {
    array<double> a, b;
    int tsteps = 0;

    static void kernel(int tsteps, array<double>& a, array<double>& b) {
        constexpr auto inner = [] { return slice(1, -1); };
        auto average = [&](const array<double>& x) {
            return 0.2 * (x(inner(), inner()) + x(inner(), slice(-2)) + x(inner(), slice(2, none)) +
                          x(slice(2, none), inner()) + x(slice(-2), inner()));
        };
        for (int t = 1; t < tsteps; ++t) {
            b(inner(), inner()) = average(a);
            a(inner(), inner()) = average(b);
        }
    }

    static jacobi_2d initialize(const std::string& size) {
        auto [steps, n] = sized<std::pair<int, int64_t>>(size, {50, 150}, {80, 350}, {200, 700}, {1000, 2800});
        array<double> a = from_function<double>({n, n}, [n = n](auto i, auto j) { return (i + j + 2) / double(n); });
        array<double> b = a + 0.0;
        eval(a, b);
        return {a, b, steps};
    }
    void drop_results() {}
    void run() {
        kernel(tsteps, a, b);
        eval(a, b);
    }
};

}  // namespace programs
