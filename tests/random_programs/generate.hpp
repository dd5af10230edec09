// Makes random programs; executes them eagerly on the way, so that statements fit the values they meet.
#pragma once

#include "run.hpp"

namespace random_programs {

struct generated {
    program code;
    outcome reference;  ///< of the eager run
};

/// Program `number` under a seed. Each eight neighbouring numbers share their structure, so that kernels repeat, and
/// differ in sizes, data and views.
program generate(std::uint64_t seed, std::uint64_t number);

}  // namespace random_programs
