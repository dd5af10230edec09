// Products of matrices.
#pragma once

#include <sinter/reductions.hpp>

namespace sinter::inline SINTER_ABI {

/// Matrix product (numpy.matmul) of matrices, of stacks of matrices whose leading axes broadcast, and of vectors: (…, m, k)
/// x (…, k, n) -> (…, m, n). Floating types run on cuBLAS or OpenBLAS; integers, and vectors with matrices whose rows are
/// contiguous, in a fused kernel, in which float32 accumulates in float64. Throws shape_error.
template <expression A, expression B>
auto matmul(const A& a, const B& b) {
    using T = result_type_t<value_type_t<A>, value_type_t<B>>;
    detail::handle x = detail::record_cast(detail::as_handle(a), dtype_of<T>);
    detail::handle y = detail::record_cast(detail::as_handle(b), dtype_of<T>);
    if constexpr (codegen::kind_rank(dtype_of<T>) >= 2) return array<T>(detail::record_matmul(x, y));
    else return array<T>(detail::record_products(x, y));
}

/// numpy.dot for vectors and matrices, which there is matmul: (k,) x (k,) -> (), (m, k) x (k,) -> (m,). Throws shape_error.
template <expression A, expression B>
auto dot(const A& a, const B& b) {
    return matmul(a, b);
}

/// numpy.outer: (m,) x (n,) -> (m, n).
template <expression A, expression B>
auto outer(const A& a, const B& b) {
    array x = a;
    array y = b;
    return std::as_const(x)(ellipsis, newaxis) * std::as_const(y);
}

}  // namespace sinter::inline SINTER_ABI
