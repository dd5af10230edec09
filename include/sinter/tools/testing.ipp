// Bodies of testing.hpp.
#pragma once

#include <sinter/tools/testing.hpp>

#include <cstdio>

namespace sinter::inline SINTER_ABI::test {

SINTER_INLINE void throw_different(const char* operation, std::int64_t count, const dims& shape, double absolute,
                                   double relative, const tolerance& allowed) {
    char numbers[160];
    std::snprintf(numbers, sizeof numbers,
                  "; largest difference %.3g, relative %.3g; allowed are rtol %.3g and atol %.3g", absolute, relative,
                  allowed.rtol, allowed.atol);
    throw value_error("[" + std::string(operation) + "] " + std::to_string(count) + " of " +
                      std::to_string(shape.product()) + " elements differ, of shape " + to_string(shape) + numbers);
}

}  // namespace sinter::inline SINTER_ABI::test
