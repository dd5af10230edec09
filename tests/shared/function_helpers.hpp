// Scalar functions that tests use from a header, in a namespace of their own.
#pragma once

#include <sinter/sinter.hpp>

namespace test_functions {

SINTER_CONSTANT(float, scale, 1.5f)

namespace inner {
SINTER_CONSTANT(int, offset, 3)
SINTER_FUNCTION(shifted, (int x) -> int { return x + offset; })
}  // namespace inner

SINTER_STRUCT(state, {
    float position, velocity;
    int steps = 0;
})
SINTER_FUNCTION(scaled, (float x) -> float { return x * scale; })

}  // namespace test_functions
