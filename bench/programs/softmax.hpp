// Softmax over the last axis of four, as attention has it, in its stable form: softmax of npbench.
#pragma once

#include "sizes.hpp"

namespace programs {

struct softmax {
    array<float> x, result;

    static array<float> kernel(const array<float>& x) {
        array<float> tmp_max = max(x, -1, keepdims);
        array<float> tmp_out = exp(x - tmp_max);
        array<float> tmp_sum = sum(tmp_out, -1, keepdims);
        return tmp_out / tmp_sum;
    }

    static softmax initialize(const std::string& size) {
        struct extents {
            int64_t n, h, sm;
        };
        auto [n, h, sm] = sized<extents>(size, {16, 16, 128}, {32, 8, 256}, {64, 16, 448}, {64, 16, 512});
        return {uniform<float>({n, h, sm, sm}), {}};
    }
    void drop_results() { result = {}; }
    void run() { result = kernel(x).eval(); }
};

}  // namespace programs
