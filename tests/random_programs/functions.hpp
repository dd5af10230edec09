// The users' functions that random programs call, as they are written and as kernels call them.
#pragma once

#include "program.hpp"

namespace random_programs {

struct called_function {
    const char* name;
    const char* text;  ///< the definitions that a program needs
    bool exact;        ///< whether all backends compute the same bits
    bool reads_whole;  ///< of map_index: takes an element's number and an array
    const codegen::invocation& (*invocation)();
};

inline constexpr int function_count = 10;
/// Function `n` of function_count.
const called_function& function_at(int n);

}  // namespace random_programs
