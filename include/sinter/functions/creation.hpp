// Arrays made from nothing but numbers: constants, ranges, grids and matrices of a pattern; they stay symbolic and
// fuse.
#pragma once

#include <sinter/array/operators.hpp>
#include <sinter/functions/any_operand.hpp>

namespace sinter::inline SINTER_ABI {

struct linspace_options;
struct logspace_options;

namespace detail {

/// The type of arange without one: integers give int64, floating numbers their common type.
template <class... A>
using range_type = std::conditional_t<(std::integral<A> && ...), std::int64_t, std::common_type_t<A...>>;
template <class T, class Default>
using type_or = std::conditional_t<std::is_void_v<T>, Default, T>;

/// start + i * step for i in [0, count), computed in the numbers' type.
handle record_range(const codegen::scalar_value& start, const codegen::scalar_value& step, std::int64_t count);
std::int64_t range_count(std::int64_t start, std::int64_t stop, std::int64_t step);
std::int64_t range_count(double start, double stop, double step);

/// `count` values from a to b in complex128 or float64, exactly b at the end; `floors` for integer results.
handle record_linspace(std::complex<double> a, std::complex<double> b, std::int64_t count, bool endpoint, dtype type,
                       std::string_view name = "linspace");
handle record_logspace(double a, double b, std::int64_t count, bool endpoint, double base, dtype type);
handle record_geomspace(double a, double b, std::int64_t count, bool endpoint, dtype type);
/// The same between ends of one shape or without axes, of the type in which it is computed.
struct space_ends {
    handle first, last;
};
handle record_linspace(const space_ends& ends, std::int64_t count, const linspace_options& o, dtype type);
handle record_logspace(const space_ends& ends, std::int64_t count, const logspace_options& o, dtype type);
/// A base as a double, where it is a real number.
std::optional<double> real_base(const any_operand& base);
handle record_geomspace(const space_ends& ends, std::int64_t count, const linspace_options& o, dtype type);

/// The type in which numbers between two ends are computed: float64 or complex128 of numbers, of arrays their own
/// floating type.
template <class A, class B>
constexpr dtype space_type() {
    if constexpr (expression<A> || expression<B>) return codegen::floating_of(type_of_list<A, B>());
    else return is_complex_type<A>::value || is_complex_type<B>::value ? dtype::complex128 : dtype::float64;
}
/// The type of the result: T, or the one above.
template <class T, class A, class B>
struct spaced {
    using type = type_or<T, typename codegen::cpp_type<space_type<A, B>()>::type>;
    static_assert(codegen::is_complex(dtype_of<type>) || !codegen::is_complex(space_type<A, B>()),
                  "sinter: complex ends need a complex type: linspace<std::complex<double>>(a, b)");
};
template <class T, class A, class B>
using spaced_type = typename spaced<T, A, B>::type;
/// Two ends, of which numbers lie where the other one does.
template <class A, class B>
space_ends spaced_ends(const A& a, const B& b) {
    using W = typename codegen::cpp_type<space_type<A, B>()>::type;
    if constexpr (expression<A> || expression<B>) return {cast_beside<W>(a, a, b), cast_beside<W>(b, a, b)};
    else return {record_scalar(number(W(a)), {}), record_scalar(number(W(b)), {})};
}

/// Where column - row compares with k, for matrices of a shape; bool.
handle record_pattern(codegen::op compare, std::int64_t rows, std::int64_t columns, std::int64_t k);
/// The elements on or below (above) the k-th diagonal, others zero.
handle record_triangle(const handle& x, std::int64_t k, bool lower);
/// The k-th diagonal of two axes as a view, in the last place.
handle record_diagonal(const handle& x, std::int64_t k, std::int64_t axis1 = 0, std::int64_t axis2 = 1,
                       std::string_view operation = "diagonal");
/// A matrix with x on its k-th diagonal.
handle record_diagonal_matrix(const handle& x, std::int64_t k);
handle record_vander(const handle& x, dtype type, std::int64_t n, bool increasing);

/// Each element's index along one axis, a view of a source; int64.
handle record_axis_index(const dims& shape, int axis);
/// A vector spread along one axis of a shape.
handle record_along(const handle& x, const dims& shape, int axis);
/// numpy.indices, int64.
handle record_indices(const dims& shape);

/// The axis that operand i of meshgrid varies along.
int mesh_axis(int i, int operands, std::string_view indexing);
/// A vector or a number as one of meshgrid's operands; throws value_error.
std::int64_t mesh_size(const dims& shape);

/// A number as an element, as C++ converts; the checked one throws value_error when it does not fit in integers, of
/// which it becomes the whole part.
codegen::scalar_value converted_number(dtype type, const codegen::scalar_value& v);
codegen::scalar_value checked_number(std::string_view operation, dtype type, const codegen::scalar_value& v);

template <class T>
codegen::scalar_value number_of(dtype type, T v) {
    return converted_number(type, number(v));
}

}  // namespace detail

/// An array of zeros (numpy.zeros): `zeros({2, 3})`, `zeros<int>(n)`.
template <class T = double>
array<T> zeros(const dims& shape) {
    return array<T>(detail::record_scalar(detail::number(T(0)), codegen::require_sizes("zeros", shape)));
}
/// An array of ones (numpy.ones).
template <class T = double>
array<T> ones(const dims& shape) {
    return array<T>(detail::record_scalar(detail::number(T(1)), codegen::require_sizes("ones", shape)));
}
/// An array whose elements have no particular value (numpy.empty).
template <class T = double>
array<T> empty(const dims& shape) {
    return array<T>(detail::record_empty(dtype_of<T>, codegen::require_sizes("empty", shape)));
}
template <class T = double, std::integral... I>
    requires(sizeof...(I) > 1)
detail::shape_without_braces<I...> zeros(I...);
template <class T = double, std::integral... I>
    requires(sizeof...(I) > 1)
detail::shape_without_braces<I...> ones(I...);
template <class T = double, std::integral... I>
    requires(sizeof...(I) > 1)
detail::shape_without_braces<I...> empty(I...);
template <class T = void, std::integral I, std::integral J, detail::scalar_operand... S>
    requires(sizeof...(S) > 0)
detail::shape_without_braces<I, J, S...> full(I, J, S...);
/// An array of one number (numpy.full), of the number's own type or of T; throws value_error when it does not fit in
/// integers.
template <class T = void, detail::scalar_operand S>
auto full(const dims& shape, const S& v) {
    using R = detail::type_or<T, S>;
    return array<R>(detail::record_scalar(detail::checked_number("full", dtype_of<R>, detail::number(v)),
                                          codegen::require_sizes("full", shape)));
}

/// Zeros of E's shape and type, or of T (numpy.zeros_like).
template <class T = void, expression E>
auto zeros_like(const E& e) {
    return zeros<detail::type_or<T, value_type_t<E>>>(e.shape());
}
/// Ones of E's shape and type, or of T (numpy.ones_like).
template <class T = void, expression E>
auto ones_like(const E& e) {
    return ones<detail::type_or<T, value_type_t<E>>>(e.shape());
}
/// An array of E's shape and type, or of T, with any elements (numpy.empty_like).
template <class T = void, expression E>
auto empty_like(const E& e) {
    return empty<detail::type_or<T, value_type_t<E>>>(e.shape());
}
/// An array of E's shape and type, or of T, of one value (numpy.full_like).
template <class T = void, expression E, detail::scalar_operand S>
auto full_like(const E& e, const S& v) {
    return full<detail::type_or<T, value_type_t<E>>>(e.shape(), v);
}

/// start, start + step, … before stop (numpy.arange). Integers give int64, other numbers their common type, or T.
/// Throws value_error when the step is zero or the length is not finite.
template <class T = void, class A, class B, class C = int>
    requires(detail::real_scalar<A> && detail::real_scalar<B> && detail::real_scalar<C>)
auto arange(A start, B stop, C step = 1) {
    using R = detail::type_or<T, detail::range_type<A, B, C>>;
    using N = std::conditional_t<std::integral<A> && std::integral<B> && std::integral<C>, std::int64_t, double>;
    static_assert(codegen::is_integer(dtype_of<R>) || codegen::is_floating(dtype_of<R>),
                  "sinter: arange gives integers or floating numbers");
    std::int64_t count = detail::range_count(static_cast<N>(start), static_cast<N>(stop), static_cast<N>(step));
    return array<R>(
        detail::record_range(detail::number_of(dtype_of<R>, start), detail::number_of(dtype_of<R>, step), count));
}
/// start, start + step, … before stop (numpy.arange).
template <class T = void, class A>
    requires detail::real_scalar<A>
auto arange(A stop) {
    using R = detail::type_or<T, detail::range_type<A>>;
    using N = std::conditional_t<std::integral<A>, std::int64_t, double>;
    static_assert(codegen::is_integer(dtype_of<R>) || codegen::is_floating(dtype_of<R>),
                  "sinter: arange gives integers or floating numbers");
    dims shape(detail::range_count(N(0), static_cast<N>(stop), N(1)));
    return array<R>(detail::record_cast(detail::record_index(shape), dtype_of<R>));
}

/// Of numbers between two ends: whether the last value is b; and the axis along which they lie, where ends are arrays.
struct linspace_options {
    bool endpoint = true;
    std::int64_t axis = 0;
};
struct logspace_options {
    bool endpoint = true;
    detail::any_operand base = 10;
    std::int64_t axis = 0;
};

/// n numbers evenly spaced from a to exactly b (numpy.linspace), computed in float64; integers are rounded down. Ends
/// that are arrays broadcast, and the numbers lie along a new axis: of float arrays they are float, of complex ends
/// complex.
template <class T = void, detail::operand A, detail::operand B>
auto linspace(const A& a, const B& b, std::int64_t n = 50, linspace_options o = {}) {
    using R = detail::spaced_type<T, A, B>;
    if constexpr (expression<A> || expression<B>)
        return array<R>(detail::record_linspace(detail::spaced_ends(a, b), n, o, dtype_of<R>));
    else
        return array<R>(
            detail::record_linspace(std::complex<double>(a), std::complex<double>(b), n, o.endpoint, dtype_of<R>));
}
/// n numbers evenly spaced from a to exactly b (numpy.linspace), computed in float64.
template <class T = void, detail::operand A, detail::operand B, std::floating_point N>
detail::fractional_count<N> linspace(const A&, const B&, N, linspace_options = {});
/// n numbers evenly spaced from a to exactly b (numpy.linspace), computed in float64.
template <class T = void, detail::operand A, detail::operand B, std::same_as<bool> E>
detail::endpoint_as_bool<E> linspace(const A&, const B&, std::int64_t, E);
/// n powers of ten, or of another base, with exponents evenly spaced from a to b (numpy.logspace). Exponents and bases
/// that are arrays broadcast, as ends of linspace.
template <class T = void, detail::operand A, detail::operand B>
auto logspace(const A& a, const B& b, std::int64_t n = 50, const logspace_options& o = {}) {
    using R = detail::spaced_type<T, A, B>;
    if constexpr (detail::real_scalar<A> && detail::real_scalar<B>)
        if (const std::optional<double> base = detail::real_base(o.base))
            return array<R>(detail::record_logspace(static_cast<double>(a), static_cast<double>(b), n, o.endpoint,
                                                    *base, dtype_of<R>));
    return array<R>(detail::record_logspace(detail::spaced_ends(a, b), n, o, dtype_of<R>));
}
/// n numbers in a geometric progression from a to exactly b (numpy.geomspace), of one sign, or complex on a spiral.
/// Ends that are arrays broadcast, as those of linspace; where theirs are zero or differ in sign, the numbers are NaN.
template <class T = void, detail::operand A, detail::operand B>
auto geomspace(const A& a, const B& b, std::int64_t n = 50, linspace_options o = {}) {
    using R = detail::spaced_type<T, A, B>;
    if constexpr (detail::real_scalar<A> && detail::real_scalar<B>)
        return array<R>(
            detail::record_geomspace(static_cast<double>(a), static_cast<double>(b), n, o.endpoint, dtype_of<R>));
    else return array<R>(detail::record_geomspace(detail::spaced_ends(a, b), n, o, dtype_of<R>));
}

/// Ones on the k-th diagonal, zeros elsewhere (numpy.eye), of shape (n, m).
template <class T = double>
array<T> eye(std::int64_t n, std::int64_t m, std::int64_t k = 0) {
    return array<T>(detail::record_cast(detail::record_pattern(codegen::op::equal, n, m, k), dtype_of<T>));
}
/// Ones on the k-th diagonal, zeros elsewhere (numpy.eye), of shape (n, m).
template <class T = double>
array<T> eye(std::int64_t n) {
    return eye<T>(n, n);
}
/// The identity matrix (numpy.identity).
template <class T = double>
array<T> identity(std::int64_t n) {
    return detail::named_errors("identity", [&] { return eye<T>(n, n); });
}
/// Ones on and below the k-th diagonal (numpy.tri).
template <class T = double>
array<T> tri(std::int64_t n, std::int64_t m, std::int64_t k = 0) {
    return detail::named_errors("tri", [&] {
        return array<T>(detail::record_cast(detail::record_pattern(codegen::op::less_equal, n, m, k), dtype_of<T>));
    });
}
/// Ones on and below the k-th diagonal (numpy.tri).
template <class T = double>
array<T> tri(std::int64_t n) {
    return tri<T>(n, n);
}
/// The elements on and below the k-th diagonal of matrices, zeros above (numpy.tril).
template <expression E>
auto tril(const E& e, std::int64_t k = 0) {
    return array<value_type_t<E>>(detail::record_triangle(detail::as_handle(e), k, true));
}
/// The elements on and above the k-th diagonal of matrices, zeros below (numpy.triu).
template <expression E>
auto triu(const E& e, std::int64_t k = 0) {
    return array<value_type_t<E>>(detail::record_triangle(detail::as_handle(e), k, false));
}
/// Of a matrix its k-th diagonal, a view; of a vector a matrix with it there (numpy.diag). Throws value_error.
template <expression E>
auto diag(const E& e, std::int64_t k = 0) {
    detail::handle h = detail::as_handle(e);
    if (h->shape.size() != 1 && h->shape.size() != 2)
        throw value_error("[diag] an array of shape " + to_string(h->shape) + " is neither a vector nor a matrix");
    return array<value_type_t<E>>(h->shape.size() == 1 ? detail::record_diagonal_matrix(h, k)
                                                       : detail::record_diagonal(h, k));
}
/// The k-th diagonals of two axes, a view whose last axis they are (numpy.diagonal).
template <expression E>
auto diagonal(const E& e, std::int64_t k = 0, std::int64_t axis1 = 0, std::int64_t axis2 = 1) {
    return array<value_type_t<E>>(detail::record_diagonal(detail::as_handle(e), k, axis1, axis2));
}

struct vander_options {
    bool increasing = false;
};
/// Powers of x as columns, the highest first (numpy.vander); bool and integers give int64, uint64 float64.
template <expression E>
auto vander(const E& x, std::int64_t n, vander_options o = {}) {
    using T = value_type_t<E>;
    using R = std::conditional_t<(codegen::kind_rank(dtype_of<T>) < 2), result_type_t<T, std::int64_t>, T>;
    return array<R>(detail::record_vander(detail::as_handle(x), dtype_of<R>, n, o.increasing));
}
/// Powers of x as columns, the highest first (numpy.vander).
template <expression E, std::same_as<bool> B>
auto vander(const E& x, std::int64_t n, B increasing) {
    return vander(x, n, vander_options{.increasing = increasing});
}
/// Powers of x as columns, the highest first (numpy.vander).
template <expression E>
auto vander(const E& x, vander_options o = {}) {
    return vander(x, x.size(), o);
}

struct meshgrid_options {
    std::string_view indexing = "xy";  ///< or "ij"
    bool sparse = false;               ///< whether coordinates have size one along the other axes
};

namespace detail {

template <class T>
array<T> mesh_operand(const array<T>& x, dims grid, int axis, bool sparse) {
    for (int i = 0; sparse && i < grid.size(); ++i)
        if (i != axis) grid[i] = 1;
    return array<T>(record_along(x.get_handle(), grid, axis));
}

template <class... T, std::size_t... I>
std::tuple<array<T>...> mesh(const meshgrid_options& o, std::index_sequence<I...>, const array<T>&... x) {
    constexpr int n = sizeof...(T);
    dims grid = dims::filled(n, 0);
    ((grid[mesh_axis(I, n, o.indexing)] = mesh_size(x.shape())), ...);
    return {mesh_operand(x, grid, mesh_axis(I, n, o.indexing), o.sparse)...};
}

}  // namespace detail

/// The coordinates of a grid's points (numpy.meshgrid), as a tuple of views: `auto [xx, yy] = meshgrid(x, y)`; the
/// first coordinate varies along the columns, with {.indexing = "ij"} along the rows; {.sparse = true} leaves the
/// repetition to broadcasting. Numbers stand for vectors of one.
template <class... E>
    requires(sizeof...(E) == 0 || detail::operand_list<E...>)
auto meshgrid(const E&... x) {
    return detail::mesh(meshgrid_options(), std::index_sequence_for<E...>(), detail::stored_beside(x, x...)...);
}
/// The coordinates of a grid's points (numpy.meshgrid), as a tuple of views.
template <class A, class B>
    requires detail::operands<A, B>
auto meshgrid(const A& x, const B& y, meshgrid_options o) {
    return detail::mesh(o, std::make_index_sequence<2>(), detail::stored_beside(x, x, y),
                        detail::stored_beside(y, x, y));
}
/// The coordinates of a grid's points (numpy.meshgrid), as a tuple of views.
template <class A, class B, class C>
    requires detail::operand_list<A, B, C>
auto meshgrid(const A& x, const B& y, const C& z, meshgrid_options o) {
    return detail::mesh(o, std::make_index_sequence<3>(), detail::stored_beside(x, x, y, z),
                        detail::stored_beside(y, x, y, z), detail::stored_beside(z, x, y, z));
}

/// Each element's indices, stacked along a new first axis (numpy.indices): (r, n, m) for a shape of r axes.
template <class T = std::int64_t>
array<T> indices(const dims& shape) {
    return array<T>(detail::record_cast(detail::record_indices(shape), dtype_of<T>));
}

namespace detail {

template <std::size_t>
using index_array = array<std::int64_t>;

template <class T, class F, std::size_t... I>
bool call_with_indices(handle& result, const dims& shape, F& f, std::index_sequence<I...>) {
    if constexpr (std::is_invocable_v<F&, index_array<I>...>) {
        if (shape.size() != static_cast<int>(sizeof...(I))) return false;
        auto r = f(index_array<I>(record_axis_index(shape, static_cast<int>(I)))...);
        if constexpr (scalar_operand<decltype(r)>) result = record_scalar(number_of(dtype_of<T>, r), shape);
        else result = record_broadcast("from_function", record_cast(as_handle(r), dtype_of<T>), shape);
        return true;
    } else {
        return false;
    }
}

}  // namespace detail

/// What f gives for each element's indices, converted to T (numpy.fromfunction): f is called once with one int64 array
/// per axis: `from_function<float>({n, n}, [](auto i, auto j) { return i * n + j; })`.
template <class T, class F>
array<T> from_function(const dims& shape, F f) {
    detail::handle result;
    bool called = [&]<std::size_t... R>(std::index_sequence<R...>) {
        return (detail::call_with_indices<T>(result, shape, f, std::make_index_sequence<R + 1>()) || ...);
    }(std::make_index_sequence<max_rank>());
    if (!called)
        throw value_error("[from_function] the function does not take one argument for each axis of " +
                          to_string(shape));
    return array<T>(std::move(result));
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/functions/creation.ipp>
#endif
