// What the programs share: the names of their published sizes, and inputs as their sources make them; must not know
// timing.
#pragma once

#include <sinter/sinter.hpp>

#include <stdexcept>
#include <string>

namespace programs {

using namespace sinter;
using std::int64_t;

/// The value that belongs to a published size: `S` (small), `M`, `L` and `paper`.
template <class T>
T sized(const std::string& size, const T& small, const T& medium, const T& large, const T& paper) {
    if (size == "S") return small;
    if (size == "M") return medium;
    if (size == "L") return large;
    if (size == "paper") return paper;
    throw std::invalid_argument("no such size: " + size + " (there are S, M, L and paper)");
}

/// Uniform in [0, 1), as numpy's rng.random.
template <class T>
array<T> uniform(const dims& shape) {
    return random::random<T>(shape).eval();
}

}  // namespace programs
