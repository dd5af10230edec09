// What both kinds of limits by hand share: inputs, sizes, and the rows of the CPU, which need no GPU.
#pragma once

#include "worker.hpp"

#include <sinter/sinter.hpp>

namespace bench::limits {

/// Elements of a size such as `1e6`, `2441x4096` or `16x512x512`.
std::int64_t elements(const std::string& size);

/// Inputs in turn, none of them zeros.
std::vector<sinter::array<float>> inputs(std::int64_t n, double low = -3, double high = 3);

/// A plain read of a file into ordinary memory and a copy from there, which is what loading a file is measured by.
work load_row(std::int64_t n);

/// A loop by hand over the same team of threads that sinter uses; throws std::invalid_argument where there is none.
work host_row(const std::string& row, const std::string& size);

}  // namespace bench::limits
