// Products of vectors and matrices along last axes, and equations of tensors.
#pragma once

#include <sinter/functions/cross.hpp>
#include <sinter/linalg/linalg.hpp>
#include <sinter/linalg/matrix_functions.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace sinter::inline SINTER_ABI {

namespace detail {

/// That operands have the axes that their vectors and matrices are; throws shape_error.
inline void require_rank(std::string_view name, const dims& a, int rank_of_a, const dims& b, int rank_of_b) {
    if (a.size() < rank_of_a || b.size() < rank_of_b)
        throw shape_error("[" + std::string(name) + "] too few axes: " + to_string(a) + " and " + to_string(b));
}

}  // namespace detail

/// Sums of products along an axis of each operand, the first one conjugated, in their common type (numpy.vecdot).
/// Throws shape_error, index_error.
template <expression A, expression B>
auto vecdot(const A& a, const B& b, std::int64_t axis = -1) {
    using T = result_type_t<value_type_t<A>, value_type_t<B>>;
    detail::require_rank("vecdot", a.shape(), 1, b.shape(), 1);
    auto with_last = [&](const auto& v) {
        return moveaxis(v, dims(codegen::normalize_axis("vecdot", axis, v.ndim())), dims(-1));
    };
    const auto x = with_last(a);
    const auto y = with_last(b);
    if (x.shape().back() != y.shape().back())
        throw shape_error("[vecdot] vectors of " + to_string(a.shape()) + " and " + to_string(b.shape()) +
                          " have different lengths");
    if constexpr (codegen::is_complex(dtype_of<value_type_t<A>>)) return astype<T>(sum(conj(x) * y, -1));
    else return astype<T>(sum(x * y, -1));
}
/// Matrices times vectors along the last axis, (…, m, n) and (…, n) to (…, m) (numpy.matvec). Throws shape_error.
template <expression A, expression V>
auto matvec(const A& a, const V& v) {
    detail::require_rank("matvec", a.shape(), 2, v.shape(), 1);
    using T = result_type_t<value_type_t<A>, value_type_t<V>>;
    return squeeze(detail::multiplied<T>("matvec", a, expand_dims(v, dims(-1)), default_precision()), dims(-1));
}
/// Vectors, conjugated, times matrices, (…, m) and (…, m, n) to (…, n) (numpy.vecmat). Throws shape_error.
template <expression V, expression A>
auto vecmat(const V& v, const A& a) {
    detail::require_rank("vecmat", v.shape(), 1, a.shape(), 2);
    auto times = [&](const auto& row) {
        using T = result_type_t<value_type_t<V>, value_type_t<A>>;
        return squeeze(detail::multiplied<T>("vecmat", expand_dims(row, dims(-2)), a, default_precision()), dims(-2));
    };
    if constexpr (codegen::is_complex(dtype_of<value_type_t<V>>)) return times(conj(v));
    else return times(v);
}

namespace linalg {

/// The x with tensordot(a, x, x.ndim()) = b (numpy.linalg.tensorsolve): axes of a in `axes` go to its end before.
/// Throws shape_error where a, as a matrix, is not square, linalg_error where it is singular, index_error.
template <expression A, expression B>
auto tensorsolve(const A& a, const B& b, const dims& axes = {}) {
    using T = value_type_t<A>;
    dims order;
    for (int i = 0; i < a.ndim(); ++i) order.push_back(i);
    for (std::int64_t axis : axes) {
        const std::int64_t at = codegen::normalize_axis("tensorsolve", axis, a.ndim());
        dims others;
        for (std::int64_t other : order)
            if (other != at) others.push_back(other);
        others.push_back(at);
        order = others;
    }
    const array<T> moved = transpose(a, order);
    dims rest;
    for (int i = b.ndim(); i < moved.ndim(); ++i) rest.push_back(moved.shape()[i]);
    const std::int64_t n = rest.product();
    if (n * n != moved.size() || b.size() != n)
        throw shape_error("[tensorsolve] no square matrix: " + to_string(a.shape()) + " and " + to_string(b.shape()));
    return reshape(solve(reshape(moved, dims(n, n)), array<value_type_t<B>>(ravel(b))), rest);
}
/// The inverse of a tensor whose first `ind` axes have as many elements as the others (numpy.linalg.tensorinv). Throws
/// shape_error where it is not square, linalg_error where it is singular, value_error for ind below one.
template <expression A>
auto tensorinv(const A& a, int ind = 2) {
    if (ind < 1 || ind > a.ndim()) throw value_error("[tensorinv] ind is not a number of axes: " + std::to_string(ind));
    dims first, last;
    for (int i = 0; i < a.ndim(); ++i) (i < ind ? first : last).push_back(a.shape()[i]);
    const std::int64_t n = last.product();
    if (first.product() != n) throw shape_error("[tensorinv] no square matrix: " + to_string(a.shape()));
    for (std::int64_t size : first) last.push_back(size);
    return reshape(inv(reshape(a, dims(n, n))), last);
}

/// Options of linalg::trace and linalg::diagonal: which diagonal.
struct diagonal_options {
    std::int64_t offset = 0;
};
/// The diagonals of matrices, the last two axes, along a last axis (numpy.linalg.diagonal).
template <expression A>
auto diagonal(const A& a, std::int64_t offset = 0) {
    return sinter::diagonal(a, offset, -2, -1);
}
template <expression A>
auto diagonal(const A& a, const diagonal_options& o) {
    return sinter::diagonal(a, o.offset, -2, -1);
}
/// The sums of the diagonals of matrices, the last two axes (numpy.linalg.trace).
template <expression A>
auto trace(const A& a, std::int64_t offset = 0) {
    return sinter::trace(a, offset, -2, -1);
}
template <expression A>
auto trace(const A& a, const diagonal_options& o) {
    return sinter::trace(a, o.offset, -2, -1);
}

// numpy.linalg's names of functions that stand elsewhere.
using sinter::cross;
using sinter::matmul;
using sinter::outer;
using sinter::tensordot;
using sinter::vecdot;

}  // namespace linalg

}  // namespace sinter::inline SINTER_ABI
