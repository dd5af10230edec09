// Products of matrices, and of arrays over any of their axes.
#pragma once

#include <sinter/array/matrix_products.hpp>
#include <sinter/functions/creation.hpp>
#include <sinter/array/precision.hpp>
#include <sinter/functions/contraction.hpp>
#include <sinter/functions/any_operand.hpp>
#include <sinter/functions/record_products.hpp>
#include <sinter/functions/reductions.hpp>
#include <sinter/functions/shape_functions.hpp>

namespace sinter::inline SINTER_ABI {

namespace detail {

template <class T, class A, class B>
array<T> multiplied(std::string_view operation, const A& a, const B& b, precision in) {
    const handle x = record_cast(as_handle(a), dtype_of<T>), y = record_cast(as_handle(b), dtype_of<T>);
    return array<T>(record_matmul(x, y, in, operation));
}

}  // namespace detail

/// Matrix product (numpy.matmul) of matrices, of stacks of matrices whose leading axes broadcast, and of vectors: (…,
/// m, k) x (…, k, n) -> (…, m, n). Floating types run on cuBLAS or OpenBLAS; integers on a GPU by
/// tiles, and on a CPU, or where there are few tiles, as vectors with matrices whose rows are contiguous, in a fused
/// kernel, in which float32 accumulates in float64; but a CPU's OpenBLAS multiplies such a matrix by a vector, in the
/// operands' type, as it does others. half and bfloat16 sum in float32. Float and
/// complex float can be multiplied in a lower `precision` on a GPU; the CPU, fused kernels and all other types compute
/// in full. In tf32x3 an infinity times an infinity is not a number, and what is below 1e-30 keeps fewer digits. A
/// stack is one call, which reads matrices that broadcast where they lie; those in half or lower precision that
/// broadcast along different axes are copied first if their bytes are no multiple of 16. On a GPU what is added to a
/// float product, a vector or an array, and then relu of several rows and columns, are part of its call, but for stacks
/// that broadcast along different axes; in tf32 and bf16 so is gelu_tanh, which then is the library's own: on an H200
/// up to 6e-6 from the separate step, and not a number for minus infinity. Throws shape_error.
template <expression A, expression B>
SINTER_NEW_VALUE auto matmul(const A& a, const B& b, precision in = default_precision()) {
    return detail::multiplied<result_type_t<value_type_t<A>, value_type_t<B>>>("matmul", a, b, in);
}

/// Axes that tensordot sums over: a number of them, the last of a and the first of b, or a list for each operand.
class tensordot_axes {
public:
    template <std::integral I>
    tensordot_axes(I count) : count_(static_cast<std::int64_t>(count)) {}
    tensordot_axes(const dims& of_a, const dims& of_b) : a_(of_a), b_(of_b) {}

    detail::handle record(const detail::handle& a, const detail::handle& b, precision in,
                          std::string_view operation) const;

private:
    std::int64_t count_ = -1;
    dims a_, b_;
};

namespace detail {

template <class T, class A, class B>
array<T> contracted(std::string_view operation, const A& a, const B& b, const tensordot_axes& axes_of, precision in) {
    return array<T>(
        axes_of.record(record_cast(as_handle(a), dtype_of<T>), record_cast(as_handle(b), dtype_of<T>), in, operation));
}

}  // namespace detail

/// Sums of products over axes (numpy.tensordot): `tensordot(a, b)`, `tensordot(a, b, 1)`, `tensordot(a, b, {{0, 1}, {1,
/// 0}})`; a number has no axes: `tensordot(a, 2, 0)`.
template <class A, class B>
    requires detail::operands<A, B>
auto tensordot(const A& a, const B& b, const tensordot_axes& axes_of = 2, precision in = default_precision()) {
    const auto& x = detail::array_beside(a, b);
    const auto& y = detail::array_beside(b, a);
    return detail::contracted<detail::common_of_list<A, B>>("tensordot", x, y, axes_of, in);
}

/// numpy.dot: of vectors and matrices matmul; of more axes the sum over the last of a and the last but one of b; of a
/// number the product. Throws shape_error.
template <class A, class B>
    requires detail::operands<A, B>
SINTER_NEW_VALUE auto dot(const A& a, const B& b, precision in = default_precision()) {
    using T = detail::common_of_list<A, B>;
    const auto& x = detail::array_beside(a, b);
    const auto& y = detail::array_beside(b, a);
    if (x.ndim() == 0 || y.ndim() == 0) return array<T>(x * y);
    if (x.ndim() <= 2 && y.ndim() <= 2) return detail::multiplied<T>("dot", x, y, in);
    return detail::contracted<T>("dot", x, y, tensordot_axes(dims(-1), dims(y.ndim() == 1 ? -1 : -2)), in);
}

/// The sum over the last axes of both (numpy.inner): (…, k) x (…, k); of a number the product. Throws
/// shape_error.
template <class A, class B>
    requires detail::operands<A, B>
SINTER_NEW_VALUE auto inner(const A& a, const B& b) {
    using T = detail::common_of_list<A, B>;
    const auto& x = detail::array_beside(a, b);
    const auto& y = detail::array_beside(b, a);
    if (x.ndim() == 0 || y.ndim() == 0) return array<T>(x * y);
    return detail::contracted<T>("inner", x, y, tensordot_axes(dims(-1), dims(-1)), default_precision());
}

/// The sum of conj(a) * b over all elements in order (numpy.vdot). Throws shape_error.
template <class A, class B>
    requires detail::operands<A, B>
auto vdot(const A& a, const B& b) {
    using T = detail::common_of_list<A, B>;
    array x = detail::array_beside(a, b);
    if constexpr (codegen::is_complex(dtype_of<value_type_t<decltype(x)>>)) x = conj(x);
    array<T> left = astype<T>(x), right = astype<T>(detail::array_beside(b, a));
    if (left.size() != right.size())
        throw shape_error("[vdot] numbers of elements differ: " + to_string(left.shape()) + " and " +
                          to_string(right.shape()));
    return detail::multiplied<T>("vdot", reshape(left, dims(-1)), reshape(right, dims(-1)), default_precision());
}

/// Kronecker product (numpy.kron), of up to four axes.
template <class A, class B>
    requires detail::operands<A, B>
auto kron(const A& a, const B& b) {
    using T = detail::common_of_list<A, B>;
    return array<T>(
        detail::record_kron(detail::record_cast(detail::as_handle(detail::array_beside(a, b)), dtype_of<T>),
                            detail::record_cast(detail::as_handle(detail::array_beside(b, a)), dtype_of<T>)));
}

/// The sum of a diagonal (numpy.trace); integers sum in 64 bits. Throws value_error or index_error.
template <expression E>
auto trace(const E& e, std::int64_t offset = 0, std::int64_t axis1 = 0, std::int64_t axis2 = 1) {
    return sum(array<value_type_t<E>>(detail::record_diagonal(detail::as_handle(e), offset, axis1, axis2, "trace")),
               -1);
}

/// Sums of products as Einstein writes them (numpy.einsum): `einsum("ij,jk->ik", a, b)`; several operands are
/// multiplied in the cheapest order, two at a time, by matrix products where those are rows times columns; on GPUs by
/// cuTENSOR, if it is found, where a matrix product would want an operand in another order. Throws value_error for
/// malformed subscripts, shape_error where sizes differ.
template <class... E>
    requires detail::operand_list<E...>
auto einsum(std::string_view subscripts, const E&... e) {
    using T = detail::common_of_list<E...>;
    const detail::handle operands[] = {detail::cast_beside<T>(e, e...)...};
    return array<T>(detail::record_einsum("einsum", subscripts, operands, default_precision()));
}

/// What einsum multiplies in which order: for each step the numbers of the operands that are left, the product then
/// coming last, as numpy.einsum_path has them; and a sentence on what that takes.
struct einsum_path_result {
    std::vector<std::vector<int>> path;
    std::string text;
};

namespace detail {
einsum_path_result described_path(std::string_view subscripts, codegen::span<const handle> operands);
}  // namespace detail

/// The order in which einsum multiplies such operands, by their shapes alone (numpy.einsum_path with
/// optimize="optimal", whose list it is without the first word): `auto [path, text] = einsum_path("ij,jk,kl", a, b,
/// c)`. Of orders that take as many multiplications NumPy may choose another. Throws what einsum throws.
template <class... E>
    requires detail::operand_list<E...>
einsum_path_result einsum_path(std::string_view subscripts, const E&... e) {
    using T = detail::common_of_list<E...>;
    const detail::handle operands[] = {detail::cast_beside<T>(e, e...)...};
    return detail::described_path(subscripts, operands);
}

/// The same in a precision of its own: `einsum("ij,jk->ik", precision::tf32, a, b)`.
template <class... E>
    requires detail::operand_list<E...>
auto einsum(std::string_view subscripts, precision in, const E&... e) {
    const precision_scope scope(in);
    return einsum(subscripts, e...);
}

/// numpy.outer: (m,) x (n,) -> (m, n), others flat; a number is a vector of one.
template <class A, class B>
    requires detail::operands<A, B>
SINTER_NEW_VALUE auto outer(const A& a, const B& b) {
    using T = detail::common_of_list<A, B>;
    const array<T> x = astype<T>(detail::array_beside(a, b));
    const array<T> y = astype<T>(detail::array_beside(b, a));
    return reshape(x, {-1, 1}) * reshape(y, dims(-1));
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/functions/products.ipp>
#endif
