// The cases of one type as generate.py has written them; must not know how they are computed.
#pragma once

#include <sinter/sinter.hpp>

#include <string>
#include <vector>

namespace conformance {

using sinter::dims;
using sinter::dtype;

/// An array's elements on the host.
struct elements {
    dtype type = dtype::float64;
    dims shape;
    std::vector<unsigned char> bytes;

    std::string text() const;
};

/// What NumPy gives to a call, or the type of what it throws.
struct test_case {
    std::string call;      ///< the number of a row of calls.def, or the name of an operation
    std::string operands;  ///< letters and what they are: `x=matrix;a=-1`
    std::vector<elements> results;
    std::string thrown;     ///< empty where it does not throw
    double tolerance = 0;   ///< in units of the type's epsilon; 0 for equal bits
    bool of_scale = false;  ///< whether these are of the largest element of the result, not of each
};

/// A named operand of a type.
struct pool_entry {
    std::string name;  ///< `float64:matrix`
    elements value;
};

struct case_file {
    std::vector<test_case> cases;
    std::vector<pool_entry> pool;
};

/// Reads the file of a type; throws io_error, value_error for what is no such file.
case_file read_cases(const std::string& path);

/// The type of NumPy's name; throws value_error.
dtype dtype_named(std::string_view name);

/// The parts of a text between separators.
std::vector<std::string> parts_of(std::string_view text, char separator);

/// Numbers with commas between them.
dims dims_of(std::string_view text);

}  // namespace conformance
