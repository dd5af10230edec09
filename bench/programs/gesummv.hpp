// Sum of two matrix-vector products: gesummv of npbench, originally of PolyBench.
#pragma once

#include "sizes.hpp"

namespace programs {

struct gesummv {
    array<double> a, b, x;
    double alpha = 1.5, beta = 1.2;
    array<double> y;

    static array<double> kernel(double alpha, double beta, const array<double>& a, const array<double>& b,
                                const array<double>& x) {
        return matmul(alpha * a, x) + matmul(beta * b, x);
    }

    static gesummv initialize(const std::string& size) {
        int64_t n = sized<int64_t>(size, 2000, 4000, 14000, 11200);
        auto matrix = [n](int64_t plus) {
            array<double> m =
                from_function<double>({n, n}, [=](auto i, auto j) { return ((i * j + plus) % n) / double(n); });
            return m.eval();
        };
        array<double> x = arange<double>(n) / double(n);
        return {matrix(1), matrix(2), x.eval(), 1.5, 1.2, {}};
    }
    void drop_results() { y = {}; }
    void run() { y = kernel(alpha, beta, a, b, x).eval(); }
};

}  // namespace programs
