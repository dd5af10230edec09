// Functions of whole sets of parameters: transform, reduce, count, flatten and back, zeros_like, .npz files.
#pragma once

#include <sinter/functions/creation.hpp>
#include <sinter/functions/joining.hpp>
#include <sinter/parameters/parameter_files.hpp>
#include <sinter/parameters/parameter_set.hpp>
#include <sinter/records/structure_text.hpp>

#if __has_include(<boost/hana/accessors.hpp>)

namespace sinter::inline SINTER_ABI {

namespace detail {

/// A function of arrays: itself, or a SINTER_FUNCTION of each element.
template <class F>
decltype(auto) as_array_function(F& f) {
    if constexpr (scalar_function<F>) return vectorize(f);
    else return (f);
}

template <parameter_set P, class F, class... Q>
P transformed(std::string_view operation, F&& f, const P& p, const Q&... q) {
    P result = p;
    for_each_array(
        operation, [&](auto& to, const auto&... from) { to = std::remove_reference_t<decltype(to)>(f(from...)); },
        result, p, q...);
    return result;
}

/// What holds one result of a function: an array for an expression.
template <class X>
struct stored_result {
    using type = std::remove_cvref_t<X>;
};
template <expression X>
struct stored_result<X> {
    using type = array<value_type_t<X>>;
};

/// The first array of a set's type, and the type that holds the elements of all.
template <class T>
constexpr auto first_array() {
    if constexpr (is_array<T>) return std::type_identity<T>();
    else if constexpr (is_vector<T>) return first_array<typename T::value_type>();
    else
        return []<std::size_t... I>(std::index_sequence<I...>) {
            constexpr bool has[] = {holds_arrays<member_in<T, I>>()...};
            constexpr std::size_t at = [&] {
                std::size_t i = 0;
                while (!has[i]) ++i;
                return i;
            }();
            return first_array<member_in<T, at>>();
        }(member_indices<T>());
}
template <class T>
constexpr dtype promoted_type() {
    if constexpr (is_array<T>) return dtype_of<value_type_t<T>>;
    else if constexpr (is_vector<T>) return promoted_type<typename T::value_type>();
    else
        return []<std::size_t... I>(std::index_sequence<I...>) {
            return promote_all({promoted_type<member_in<T, I>>()...});
        }(member_indices<T>());
}
template <parameter_set P>
using flat_element = typename codegen::cpp_type<promoted_type<P>()>::type;

}  // namespace detail

/// A function of arrays, or a SINTER_FUNCTION of their elements, for each array of a set (jax.tree.map); lazy. Results
/// convert as assignments do. With several sets, of one type, it takes an array of each. Throws shape_error naming the
/// member where lists are of different lengths or shapes do not broadcast.
template <parameter_set P, class F>
P transform(const P& p, F&& f) {
    return detail::transformed("transform", detail::as_array_function(f), p);
}
/// A function of arrays, or a SINTER_FUNCTION of their elements, for each array of a set (jax.tree.map).
template <parameter_set P, class F>
P transform(const P& p, const P& q, F&& f) {
    return detail::transformed("transform", detail::as_array_function(f), p, q);
}
/// A function of arrays, or a SINTER_FUNCTION of their elements, for each array of a set (jax.tree.map).
template <parameter_set P, class F>
P transform(const P& p, const P& q, const P& r, F&& f) {
    return detail::transformed("transform", detail::as_array_function(f), p, q, r);
}

/// f(so far, array) over all arrays of a set in order, `initial` so far at first (jax.tree.reduce): `reduce(g, [](auto
/// s, const auto& a) { return s + sum(square(a)); }, 0.0f)`. Where f gives an expression the result is an array; later
/// results convert to the first one's type.
template <parameter_set P, class F, class I>
auto reduce(const P& p, F f, const I& initial) {
    using A = typename decltype(detail::first_array<P>())::type;
    using R = typename detail::stored_result<std::invoke_result_t<F&, const I&, const A&>>::type;
    R so_far = [&]() -> R {
        if constexpr (detail::is_array<R> && !expression<I>) return full<value_type_t<R>>({}, initial);
        else return R(initial);
    }();
    detail::for_each_array("reduce", [&](const auto& a) { so_far = R(f(so_far, a)); }, p);
    return so_far;
}

/// The number of elements of all arrays of a set.
template <parameter_set P>
std::int64_t count(const P& p) {
    std::int64_t n = 0;
    detail::for_each_array("count", [&](const auto& a) { n += a.size(); }, p);
    return n;
}

/// All elements in one array of one axis, of the type that holds all (jax.flatten_util.ravel_pytree); lazy.
template <parameter_set P>
array<detail::flat_element<P>> flatten(const P& p) {
    return array<detail::flat_element<P>>(detail::record_flattened(detail::handles_of(p), detail::promoted_type<P>()));
}
/// The set that `flatten` makes such an array of, with the shapes and types of another: what ravel_pytree's second
/// result does. Lazy; elements convert as astype has it. Throws shape_error for another number of elements.
template <parameter_set P, expression E>
P unflatten(const P& like, const E& flat) {
    static_assert(codegen::kind_rank(dtype_of<value_type_t<E>>) <= codegen::kind_rank(detail::promoted_type<P>()),
                  "sinter: the set of parameters would lose the fraction or the imaginary part of this array");
    detail::require_flat(flat.shape(), count(like));
    const detail::handle values = detail::as_handle(flat);
    std::int64_t from = 0;
    P result = like;
    detail::for_each_array(
        "unflatten",
        [&]<class T>(array<T>& a) {
            const dims shape = a.shape();
            a = array<T>(detail::record_part(values, from, shape, dtype_of<T>));
            from += shape.product();
        },
        result);
    return result;
}

/// Zeros of a set's shapes and types (jax.tree.map of jnp.zeros_like).
template <parameter_set P>
P zeros_like(const P& p) {
    return transform(p, [](const auto& a) { return zeros_like(a); });
}
/// Ones of a set's shapes and types (jax.tree.map of jnp.ones_like).
template <parameter_set P>
P ones_like(const P& p) {
    return transform(p, [](const auto& a) { return ones_like(a); });
}

/// A tuple of expressions, as functions of several results give it, as a structure with as many members: `point p =
/// as_set<point>(vectorize(to_cartesian)(rho, theta))`.
template <parameter_set P, class... E>
P as_set(const std::tuple<E...>& parts) {
    static_assert(detail::member_access<P>::count == sizeof...(E),
                  "sinter: the tuple and the structure have different numbers of members");
    P result{};
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        ((detail::member_access<P>::template get<I>(result) = std::get<I>(parts)), ...);
    }(std::index_sequence_for<E...>());
    return result;
}

/// Writes a set to an .npz file, its arrays computed together under names as `layers.0.w`; numpy.load reads it. The
/// extension is added when the path has none. Throws io_error.
template <parameter_set P>
void save(const std::string& path, const P& p) {
    std::vector<detail::named_array> arrays;
    auto add = [&](const detail::parameter_place& where, const auto& a) { arrays.emplace_back(where.text(), a); };
    detail::walk("save", {}, add, p);
    detail::save_archive(path, arrays, false);
}

/// Reads a set from an .npz file by the names that save gives; lists become as long as the file has elements of them,
/// other names are passed over. Throws io_error for a name that the file has not, type_error for elements that would
/// lose their fraction or imaginary part, both with the name.
template <parameter_set P>
P load(const std::string& path) {
    P result{};
    detail::parameter_file(path).read({}, result);
    return result;
}

}  // namespace sinter::inline SINTER_ABI

#else

namespace sinter::inline SINTER_ABI {

/// Says what sets of parameters need, where that is missing.
template <class P, class... More>
void transform(const P&, const More&...) {
    static_assert(sizeof(P) == 0, "sinter: sets of parameters need the headers of Boost.Hana: install libboost-dev");
}

}  // namespace sinter::inline SINTER_ABI

#endif
