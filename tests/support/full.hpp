// Whether the long sweeps run, or which part of them; must not know what they are.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>

/// SINTER_TEST_FULL=1, as tests/run --full sets it.
inline bool is_full() {
    const char* value = std::getenv("SINTER_TEST_FULL");
    return value && std::strcmp(value, "1") == 0;
}

/// Whether a piece of a sweep runs: each with --full, else those of the turn that tests/run has by the commit's hash.
inline bool is_turn_of(std::size_t number, std::size_t turns) {
    const char* turn = std::getenv("SINTER_TEST_TURN");
    return is_full() || number % turns == (turn ? std::strtoul(turn, nullptr, 10) : 0) % turns;
}
