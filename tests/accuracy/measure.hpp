// The largest error of an operation's results, in units in the last place of exact ones; must not know how the results
// were computed.
#pragma once

#include <cstdint>
#include <sinter/codegen/ops/op.hpp>

namespace accuracy {

/// Of numbers with `digits` binary digits and exponents from `least` to `largest`.
struct format {
    int digits, least, largest;
};

/// The largest error so far and where it is; infinite where a result is none: NaN for a number, the other infinity.
struct worst {
    double error = -1, x = 0, y = 0, result = 0;
    void take(const worst& other) {
        if (other.error > error) *this = other;
    }
};

/// Numbers and their results; of half precision as float.
template <class S>
struct chunk {
    const S *x, *y, *results;
    std::int64_t count;
    format of;
};

/// A row of references.def.
struct reference {
    sinter::codegen::op operation;
    bool is_deep;
    /// What of a chunk is worse than what is known.
    worst (*measure_float)(const chunk<float>&, worst known);
    worst (*measure_double)(const chunk<double>&, worst known);
};

/// The operation's row, or nullptr.
const reference* find_reference(sinter::codegen::op o);
/// Whether the table says that the operation has no error.
bool is_exact(sinter::codegen::op o);

}  // namespace accuracy
