// Counts of what random programs exercised, in memory that processes share.
#pragma once

#include "functions.hpp"

#include <atomic>

namespace random_programs {

struct operation_counts {
    using count = std::atomic<std::int64_t>;
    count kinds[kind_count];
    count operations[codegen::op_count][dtype_count];
    count functions[function_count];
    count made[512];  ///< by row of makers.def
    count loops[3];   ///< counted by a number, by an array, with a condition
    count reductions[codegen::reduction_count][dtype_count];
    count casts[dtype_count][dtype_count];
    count ranks[max_rank + 1];
    count sizes[6];  ///< 0, 1, <= 64, <= 4096, <= 32768, more
    count reduced_axes[max_rank + 1];
    count negative_steps, inexact_programs, executed, skipped;

    void add_size(std::int64_t n) { ++sizes[n <= 1 ? n : n <= 64 ? 2 : n <= 4096 ? 3 : n <= 32768 ? 4 : 5]; }
};

/// Prints the counts; returns the rows of ops.def, functions and loops that never occurred.
std::vector<std::string> print(const operation_counts& h);

}  // namespace random_programs
