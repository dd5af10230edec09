// Whether the long sweeps run; must not know what they are.
#pragma once

#include <cstdlib>
#include <cstring>

/// SINTER_TEST_FULL=1, as tests/run --full sets it.
inline bool is_full() {
    const char* value = std::getenv("SINTER_TEST_FULL");
    return value && std::strcmp(value, "1") == 0;
}
