// Constants under NumPy's names.
#pragma once

#include <sinter/codegen/base/config.hpp>

#include <limits>
#include <numbers>

namespace sinter::inline SINTER_ABI {

namespace constants {
inline constexpr double pi = std::numbers::pi;
inline constexpr double e = std::numbers::e;
inline constexpr double euler_gamma = std::numbers::egamma;
inline constexpr double inf = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
}  // namespace constants

inline constexpr double pi = constants::pi;
inline constexpr double inf = constants::inf;

}  // namespace sinter::inline SINTER_ABI
