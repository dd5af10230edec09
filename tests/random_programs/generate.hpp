// Makes random programs; executes them eagerly on the way, so that statements fit the values they meet.
#pragma once

#include "run.hpp"

namespace random_programs {

/// Neighbouring programs that share their structure, so that kernels repeat, and differ in sizes, data and views.
inline constexpr int family_size = 64;

/// Program `number` under a seed.
program generate(std::uint64_t seed, std::uint64_t number);

}  // namespace random_programs
