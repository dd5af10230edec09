// What random numbers and Sobol's directions need of cuRAND as function types of plain C; must not include its headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// cuRAND's functions, enumerations being int, generators, streams and memory void; curand_check.hpp compares with the
/// toolkit's header.
struct curand_types {
    using create = int(void** generator, int kind);
    using destroy = int(void* generator);
    using set_stream = int(void* generator, void* stream);
    using set_seed = int(void* generator, unsigned long long seed);
    using set_offset = int(void* generator, unsigned long long offset);
    using set_ordering = int(void* generator, int ordering);
    using words = int(void* generator, unsigned int* to, std::size_t n);
    using floats = int(void* generator, float* to, std::size_t n);
    using doubles = int(void* generator, double* to, std::size_t n);
    using normal_floats = int(void* generator, float* to, std::size_t n, float mean, float deviation);
    using normal_doubles = int(void* generator, double* to, std::size_t n, double mean, double deviation);
    using counts = int(void* generator, unsigned int* to, std::size_t n, double mean);
    using directions_32 = int(unsigned int (**all)[32], int set);
    using constants_32 = int(unsigned int** all);
    using directions_64 = int(unsigned long long (**all)[64], int set);
    using constants_64 = int(unsigned long long** all);
};

struct curand_constants {
    static constexpr int success = 0, version_mismatch = 100, not_initialized = 101, allocation_failed = 102,
                         type_error = 103, out_of_range = 104, length_not_multiple = 105, double_required = 106,
                         launch_failure = 201, preexisting_failure = 202, initialization_failed = 203,
                         arch_mismatch = 204, internal_error = 999;
    static constexpr int xorwow = 101, mrg32k3a = 121, mtgp32 = 141, mt19937 = 142, philox4_32_10 = 161;
    static constexpr int best = 100, seeded = 102, legacy = 103, dynamic = 104;
    static constexpr int directions_32 = 101, scrambled_32 = 102, directions_64 = 103, scrambled_64 = 104;
    static constexpr std::int64_t most_dimensions = 20000;
};

}  // namespace sinter::inline SINTER_ABI::runtime
