// A perceptron of three layers with softmax at its end: mlp of npbench.
#pragma once

#include "softmax.hpp"

namespace programs {

struct mlp {
    array<float> input, w1, b1, w2, b2, w3, b3, output;

    static array<float> kernel(const array<float>& input, const array<float>& w1, const array<float>& b1,
                               const array<float>& w2, const array<float>& b2, const array<float>& w3,
                               const array<float>& b3) {
        array<float> x = relu(matmul(input, w1) + b1);
        x = relu(matmul(x, w2) + b2);
        return softmax::kernel(matmul(x, w3) + b3);
    }

    static mlp initialize(const std::string& size) {
        struct extents {
            int64_t c_in, n, s0, s1, s2;
        };
        auto [c_in, n, s0, s1, s2] = sized<extents>(size, {3, 8, 30000, 2000, 2000}, {3, 8, 30000, 10000, 10000},
                                                    {3, 8, 30000, 30000, 30000}, {3, 8, 30000, 10000, 1000});
        return {uniform<float>({n, c_in}), uniform<float>({c_in, s0}), uniform<float>({s0}), uniform<float>({s0, s1}),
                uniform<float>({s1}),      uniform<float>({s1, s2}),   uniform<float>({s2}), {}};
    }
    void drop_results() { output = {}; }
    void run() { output = kernel(input, w1, b1, w2, b2, w3, b3).eval(); }
};

}  // namespace programs
