// Norms of vectors and matrices (numpy.linalg.norm).
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/array/constants.hpp>
#include <sinter/linalg/decompositions.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::linalg {

/// Order of a norm: a number, infinite ones included, "fro" or "nuc", or none for the usual one.
class norm_order {
public:
    enum class what : std::uint8_t { usual, number, frobenius, nuclear };

    norm_order(none_t) {}
    norm_order(std::nullptr_t) = delete;
    template <detail::scalar_operand S>
        requires(std::is_arithmetic_v<S>)
    norm_order(S order) : kind(what::number), p(static_cast<double>(order)) {}
    /// Throws value_error for other names.
    norm_order(const char* name);

    what kind = what::usual;
    double p = 2;
};

/// The axis of vectors or the two of matrices, rows first.
class norm_axes {
public:
    norm_axes() = default;
    // No constructor takes a list, because g++ 12 would take {.keepdims = 1} for one.
    template <std::integral... I>
        requires(sizeof...(I) > 0)
    norm_axes(I... axis) : list(axis...) {}
    dims list;
};

namespace detail {

/// Checks and normalises; throws value_error or index_error.
dims checked_axes(const norm_axes& axes, int rank);
[[noreturn]] void throw_order(purpose why, const char* what, const norm_order& ord);
/// Throws value_error for what has no smallest element over these axes.
void require_elements(const dims& shape, const dims& over);
/// For what half precision has no matrices of: singular values and inverses.
[[noreturn]] void throw_half(const char* operation, dtype type);

/// The largest of an axis or of axes that may be empty, which is kept: of numbers that are not negative.
template <class R>
array<R> largest(const array<R>& x, const axes& over) {
    return x.size() == 0 ? array<R>(sum(x, over, keepdims)) : array<R>(max(x, over, keepdims));
}

template <class T>
SINTER_COMPARES array<real_part<T>> vector_norm(const array<T>& x, const norm_order& ord, std::int64_t over) {
    using R = real_part<T>;
    if (ord.kind == norm_order::what::frobenius || ord.kind == norm_order::what::nuclear)
        throw_order(purpose::norm, "vectors", ord);
    const double p = ord.kind == norm_order::what::usual ? 2 : ord.p;
    if (p == constants::inf) return largest(array<R>(abs(x)), over);
    if (p == -constants::inf) {
        require_elements(x.shape(), dims(over));
        return min(abs(x), over, keepdims);
    }
    if (p == 0) return astype<R>(sum(x != T(0), over, keepdims));
    if (p == 1) return sum(abs(x), over, keepdims);
    if (p == 2) return sqrt(sum(abs2(x), over, keepdims));
    return astype<R>(power(sum(power(abs(x), static_cast<R>(p)), over, keepdims), static_cast<R>(1 / p)));
}

/// For norm, or for cond by it.
template <class T>
SINTER_COMPARES array<real_part<T>> matrix_norm(purpose why, const array<T>& x, const norm_order& ord,
                                                std::int64_t rows, std::int64_t columns) {
    using R = real_part<T>;
    if (ord.kind == norm_order::what::usual || ord.kind == norm_order::what::frobenius)
        return sqrt(sum(abs2(x), {rows, columns}, keepdims));
    const bool nuclear = ord.kind == norm_order::what::nuclear;
    const double p = codegen::ieee::fabs(ord.p);
    if (!nuclear && p != 1 && p != 2 && p != constants::inf) throw_order(why, "matrices", ord);
    if (!nuclear && ord.p < 0)
        require_elements(x.shape(), p == 2 ? dims(rows, columns) : dims(p == 1 ? columns : rows));
    if constexpr (codegen::is_half(dtype_of<T>)) {
        if (nuclear || p == 2) throw_half("norm", dtype_of<T>);
    } else if (nuclear || p == 2) {
        array<R> s = svdvals_for(why, array<T>(moveaxis(x, {rows, columns}, {-2, -1})));
        array<R> n = nuclear ? array<R>(sum(s, -1)) : ord.p > 0 ? largest(s, -1) : array<R>(min(s, -1));
        dims shape = x.shape();
        shape[static_cast<int>(rows)] = shape[static_cast<int>(columns)] = 1;
        return reshape(n, shape);
    }
    const bool is_one = p == 1;
    array<R> sums = sum(abs(x), is_one ? rows : columns, keepdims);
    const std::int64_t rest = is_one ? columns : rows;
    return ord.p > 0 ? largest(sums, rest) : array<R>(min(sums, rest, keepdims));
}

template <class T>
array<real_part<T>> norm_over(const array<T>& x, const norm_order& ord, const norm_axes& given, bool keep,
                              purpose why = purpose::norm) {
    const dims over = checked_axes(given, x.ndim());
    array<real_part<T>> n =
        over.size() == 1 ? vector_norm(x, ord, over[0]) : matrix_norm(why, x, ord, over[0], over[1]);
    return keep ? n : array<real_part<T>>(squeeze(n, over));
}

template <class T>
array<real_part<T>> norm_of_all(const array<T>& x, const norm_order& ord, bool keep) {
    if (ord.kind != norm_order::what::usual) {
        if (x.ndim() != 1 && x.ndim() != 2)
            throw value_error("[norm] an order needs a vector, a matrix or axes, not " + to_string(x.shape()));
        return x.ndim() == 1 ? norm_over(x, ord, 0, keep) : norm_over(x, ord, {0, 1}, keep);
    }
    array<real_part<T>> n = sqrt(sum(abs2(x), axes(), keepdims));
    return keep ? n : array<real_part<T>>(reshape(n, {}));
}

}  // namespace detail

/// Norms of vectors and matrices (numpy.linalg.norm): of all elements, of a vector or matrix by an order, or over an
/// axis or two. Vectors: sum(|x|^p)^(1/p), inf, -inf, 0; matrices: fro, nuc, 1, -1, 2, -2, inf, -inf. Throws
/// value_error, index_error; nuc, 2 and -2 of matrices linalg_error when elements are not finite.
template <expression E>
auto norm(const E& e, norm_order ord = none) {
    using T = detail::computed<value_type_t<E>>;
    return detail::norm_of_all(array<T>(astype<T>(e)), ord, false);
}
/// Norms of vectors and matrices (numpy.linalg.norm).
template <expression E>
auto norm(const E& e, norm_order ord, keepdims_t) {
    using T = detail::computed<value_type_t<E>>;
    return detail::norm_of_all(array<T>(astype<T>(e)), ord, true);
}
/// Norms of vectors and matrices (numpy.linalg.norm).
template <expression E>
auto norm(const E& e, norm_order ord, const norm_axes& over) {
    using T = detail::computed<value_type_t<E>>;
    return detail::norm_over(array<T>(astype<T>(e)), ord, over, false);
}
/// Norms of vectors and matrices (numpy.linalg.norm).
template <expression E>
auto norm(const E& e, norm_order ord, const norm_axes& over, keepdims_t) {
    using T = detail::computed<value_type_t<E>>;
    return detail::norm_over(array<T>(astype<T>(e)), ord, over, true);
}

/// Options of norm: `norm(x, {.axis = 1})`.
struct norm_options {
    norm_order ord = none;
    norm_axes axis = {};
    bool keepdims = false;
};
/// Norms of vectors and matrices (numpy.linalg.norm).
template <expression E>
auto norm(const E& e, const norm_options& o) {
    using T = detail::computed<value_type_t<E>>;
    const array<T> x = astype<T>(e);
    return o.axis.list.empty() ? detail::norm_of_all(x, o.ord, o.keepdims)
                               : detail::norm_over(x, o.ord, o.axis, o.keepdims);
}

/// The norm of all elements, or along axes, as vectors (numpy.linalg.vector_norm).
template <expression E>
auto vector_norm(const E& e, norm_order ord = 2) {
    return norm(ravel(e), ord);
}
/// The same along an axis: `vector_norm(x, 2, 0)`.
template <expression E>
auto vector_norm(const E& e, norm_order ord, std::int64_t axis) {
    return norm(e, ord, axis);
}
/// The norms of matrices, the last two axes (numpy.linalg.matrix_norm).
template <expression E>
auto matrix_norm(const E& e, norm_order ord = "fro") {
    return norm(e, ord, {-2, -1});
}

}  // namespace sinter::inline SINTER_ABI::linalg

SINTER_IEEE_END

#if SINTER_HEADER_ONLY
#include <sinter/linalg/norms.ipp>
#endif
