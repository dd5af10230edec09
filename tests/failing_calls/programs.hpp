// What is computed while calls fail, and what it has to give by plain C++.
#pragma once

#include <string>
#include <vector>

namespace failing_calls {

using numbers = std::vector<double>;

struct program {
    const char* name;
    numbers (*run)(const std::string& folder);  ///< by sinter; the folder is there for its files
    numbers (*wanted)();
    bool is_compiled = false;  ///< its kernels are few enough for being compiled in run after run
};

extern const std::vector<program> programs;

}  // namespace failing_calls
