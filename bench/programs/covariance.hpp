// The covariance matrix of M variables seen N times: covariance of npbench, originally of PolyBench.
#pragma once

#include "sizes.hpp"

namespace programs {

struct covariance {
    array<double> data;
    double float_n = 0;
    array<double> cov;

    // The published loop over columns, each with the columns after it, is one product of matrices.
    static array<double> kernel(double float_n, array<double>& data) {
        data -= mean(data, 0);
        return matmul(data.T(), data) / (float_n - 1);
    }

    static covariance initialize(const std::string& size) {
        auto [m, n] = sized<std::pair<int64_t, int64_t>>(size, {500, 600}, {1400, 1800}, {3200, 4000}, {1200, 1400});
        array<double> product = from_function<double>({n, m}, [m = m](auto i, auto j) { return i * j / double(m); });
        return {product.eval(), double(n), {}};
    }
    void drop_results() { cov = {}; }
    void run() { cov = kernel(float_n, data), eval(cov, data); }
};

}  // namespace programs
