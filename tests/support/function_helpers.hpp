// Scalar functions that several tests use, in a namespace of their own, and what they are called with.
#pragma once

#include <sinter/sinter.hpp>

namespace test_functions {

SINTER_CONSTANT(float, scale, 1.5f)

namespace inner {
SINTER_CONSTANT(int, offset, 3)
SINTER_FUNCTION(shifted, (int x)->int { return x + offset; })
}  // namespace inner

SINTER_STRUCT(state, {
    float position, velocity;
    int steps = 0;
})
SINTER_FUNCTION(scaled, (float x)->float { return x * scale; })

SINTER_FUNCTION(
    escape_time, (float cr, float ci, int limit)->int {
        float zr = 0, zi = 0;
        int n = 0;
        while (n < limit && zr * zr + zi * zi < 4) {
            float t = zr * zr - zi * zi + cr;
            zi = 2 * zr * zi + ci;
            zr = t;
            ++n;
        }
        return n;
    })

SINTER_FUNCTION(
    polar_distance, (float rho, float theta)->std::tuple<float, float> {
        auto [x, y] = std::tuple(rho * cos(theta), rho * sin(theta));
        float a, b;
        std::tie(a, b) = std::make_tuple(x + 1, y + 1);
        return {a * a + b * b, std::get<0>(std::tuple(x, y))};
    })

SINTER_FUNCTION(divided, (long a, long b)->std::pair<long, bool> { return {a / b, a % b != 0}; })

SINTER_FUNCTION(
    step, (float x, float v)->state {
        state s{x, v};
        for (int i = 0; i < 3; ++i) {
            s.velocity -= 0.25f * s.position;
            s.position += s.velocity;
            s.steps++;
        }
        return s;
    })

SINTER_FUNCTION(square_of, (auto x) { return x * x; })

inline sinter::array<float> floats(std::int64_t n) { return sinter::linspace<float>(0, 3.5, n); }

template <class T>
std::vector<T> values(const sinter::array<T>& a) {
    return sinter::to_vector(a);
}

}  // namespace test_functions
