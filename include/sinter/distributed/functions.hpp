// Functions of axes of distributed arrays: products of matrices and other shapes, beside reductions and those of lines.
#pragma once

#include <sinter/distributed/engine.hpp>
#include <sinter/distributed/line_functions.hpp>
#include <sinter/distributed/moving.hpp>
#include <sinter/distributed/reductions.hpp>
#include <sinter/functions/products.hpp>

namespace sinter::inline SINTER_ABI {

namespace distributed {

/// Matrix product (numpy.matmul), of matrices, vectors and stacks. Local where one operand's rows or columns are split,
/// or leading axes; where the axis that is summed is, the result is partial(sum) and combined when it is read, in the
/// order of ranks. A replicated operand is cut as it is needed. Two matrices that lie in two directions, or in blocks,
/// are multiplied by ScaLAPACK, or cuBLASMp where NCCL links the ranks, and the result lies in blocks or as the operand
/// whose axis it keeps. Throws shape_error, value_error for two splits of stacks, vectors and integers, and
/// device_error without the library.
template <class A, class B>
    requires(detail::distributed_call<A, B> && !detail::scalar_operand<A> && !detail::scalar_operand<B>)
auto matmul(const A& a, const B& b) {
    const detail::session_ref& s = detail::session_of(a, b);
    const detail::distributed_ref x = detail::as_distributed(s, a), y = detail::as_distributed(s, b);
    const detail::distributed_product p = detail::plan_matmul(x, y);
    constexpr dtype common = codegen::promote(dtype_of<typename A::value_type>, dtype_of<typename B::value_type>);
    if constexpr (codegen::kind_rank(common) >= 2)
        if (p.engine) {
            constexpr dtype wide = codegen::widened(common);
            const array<typename codegen::cpp_type<wide>::type> product(
                detail::record_engine_product(x, y, wide, p.where));
            return product.template astype<typename codegen::cpp_type<common>::type>();
        }
    auto e = sinter::matmul(sinter::array<typename A::value_type>(p.a), sinter::array<typename B::value_type>(p.b));
    using R = value_type_t<decltype(e)>;
    return array<R>(detail::make_distributed(s, p.shape, p.where, detail::record_expression<R>(e), p.moves));
}

/// Axes in another order, by default reversed (numpy.transpose): the split goes with its axis, and nothing moves.
template <class T>
array<T> transpose(const array<T>& x, const dims& axes = {}) {
    return array<T>(detail::record_distributed_transpose(x.get_value(), axes));
}
/// The same elements in another shape (numpy.reshape), where the split axis is kept or is the outer factor, so that
/// each rank keeps what it has; value_error elsewhere.
template <class T>
array<T> reshape(const array<T>& x, const dims& shape) {
    return array<T>(detail::record_distributed_reshape(x.get_value(), shape));
}
/// numpy.roll along an axis; along the split one the neighbours' borders are exchanged.
template <class T>
array<T> roll(const array<T>& x, std::int64_t shift, int axis) {
    return array<T>(
        detail::record_distributed_roll(x.get_value(), shift, codegen::normalize_axis("roll", axis, x.ndim())));
}

}  // namespace distributed
}  // namespace sinter::inline SINTER_ABI
