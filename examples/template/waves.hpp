// What the program computes: a string that swings between fixed ends.
#pragma once

#include <sinter/sinter.hpp>

namespace waves {

/// The string after so many steps of the wave equation, of shape (points,); `courant` is speed · dt / dx, at most 1.
/// Throws sinter::value_error for another one.
sinter::array<float> swing(const sinter::array<float>& start, int steps, float courant = 0.5f);

}  // namespace waves
