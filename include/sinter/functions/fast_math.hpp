// Expressions that are computed by fast, inexact functions.
#pragma once

#include <sinter/array/array.hpp>

namespace sinter::inline SINTER_ABI {

/// The value of an expression computed by fast, inexact functions, in a kernel of its own: `y = fast_math(exp(x) /
/// (1 + exp(x)))`. On a GPU it is compiled with --use_fast_math: exp, log, sin, cos, tan and pow of float take the
/// processor's instructions, which err by some units of the last place and more where arguments are large, division and
/// square root are approximate, and subnormal numbers are zero; double stays as it is, but for fused multiplications.
/// On a CPU sums may be formed in any order, multiplications fused, and divisions be products with reciprocals. NaN and
/// infinities stay NaN and infinities; bits may differ between devices, versions of compilers and neighbouring
/// elements. The interpreter computes exactly. What the expression reads, arrays and what functions such as sum return,
/// is computed as it was written, and stored: memory is between exact and fast kernels, and none is shared.
template <expression E>
SINTER_NEW_VALUE array<value_type_t<E>> fast_math(const E& e) {
    using T = value_type_t<E>;
    if constexpr (requires { e.get_handle(); }) {
        return e;
    } else {
        detail::recorder& r = detail::fresh_recorder();
        r.add_fast();
        e.append_to(r);
        return array<T>(detail::record(r, dtype_of<T>, e.shape()));
    }
}

}  // namespace sinter::inline SINTER_ABI
