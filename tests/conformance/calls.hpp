// The calls of the table, and what they are given; must not know the cases.
#pragma once

#include <sinter/sinter.hpp>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace conformance {

using sinter::dims;
using sinter::dtype;
using sinter::detail::handle;

/// What a case gives to a call: arrays by their letters, and numbers, shapes and words.
struct operands {
    std::map<char, handle> arrays;
    std::int64_t a = 0, b = 0, n = 0, k = 0;
    double p = 0, q = 0;
    dims s, t;
    std::vector<std::int64_t> v;
    std::string text;
};

/// One way to write a function, for one type of elements.
struct call {
    using body = void (operands::*)(std::vector<handle>& results) const;

    int number;
    const char* text;
    body of_named;  ///< of what names the operands, which `name_and_run` makes of them
    void (*name_and_run)(const operands&, body, std::vector<handle>& results);

    std::vector<handle> run(const operands& o) const {
        std::vector<handle> results;
        name_and_run(o, of_named, results);
        return results;
    }
};

#define CALLS_OF(type) std::span<const call> calls_of_##type();
CALLS_OF(bool)
CALLS_OF(int8)
CALLS_OF(int32)
CALLS_OF(int64)
CALLS_OF(uint8)
CALLS_OF(uint64)
CALLS_OF(float16)
CALLS_OF(float32)
CALLS_OF(float64)
CALLS_OF(complex64)
CALLS_OF(complex128)
#undef CALLS_OF

}  // namespace conformance
