// Arrays as sets of their elements: membership, intersection, union and difference.
#pragma once

#include <sinter/functions/ordering.hpp>

namespace sinter::inline SINTER_ABI {

/// Options of isin: whether elements are asked for that do not occur.
struct isin_options {
    bool invert = false;
};

/// Options of intersect1d and setdiff1d: whether no element of either array occurs twice.
struct set_options {
    bool assume_unique = false;
};

/// Options of intersect1d that ask for positions, too.
struct intersection_options {
    detail::asked_for return_indices;
    bool assume_unique = false;
};
/// The elements that occur in both, and where each of them occurs first in either.
template <class T>
struct intersection {
    array<T> values;
    array<std::int64_t> indices_of_a, indices_of_b;
};

namespace detail {

handle record_isin(const handle& elements, const handle& among, bool invert);

template <class T, expression E>
array<bool> isin_as(const E& e, const handle& among, const isin_options& o) {
    return array<bool>(record_isin(record_cast(as_handle(e), dtype_of<T>), record_cast(among, dtype_of<T>), o.invert));
}

// Of numbers that of an array of them: one that an element cannot be occurs nowhere.
template <class A, class B>
using common_element = result_type_t<typename element_of_operand<A>::type, typename element_of_operand<B>::type>;

template <class T, expression A>
array<T> as_set(const A& a, bool is_set) {
    const array<T> flat = ravel(astype<T>(a));
    return is_set ? flat : unique(flat);
}

}  // namespace detail

/// Whether each element occurs among others, an array, a number or numbers in braces, in their common type
/// (numpy.isin); bool of the shape of e. NaN occurs nowhere.
template <class E, class O>
    requires detail::operands<E, O>
array<bool> isin(const E& e, const O& among, isin_options o = {}) {
    return detail::isin_as<detail::common_element<E, O>>(detail::own_array_beside(e, among),
                                                         detail::as_handle(detail::own_array_beside(among, e)), o);
}
/// Whether each element occurs among others, an array, a number or numbers in braces, in their common type
/// (numpy.isin).
template <expression E, detail::scalar_operand S>
array<bool> isin(const E& e, std::initializer_list<S> among, isin_options o = {}) {
    const auto numbers = detail::store(dtype_of<S>, dims(static_cast<std::int64_t>(among.size())), among.begin());
    return detail::isin_as<detail::common_element<E, S>>(e, numbers, o);
}

/// The elements that occur in both, in ascending order and each once (numpy.intersect1d), of their common type; NaN
/// does not. Computes both, as unique does.
template <class A, class B>
    requires detail::operands<A, B>
auto intersect1d(const A& a, const B& b, set_options o = {}) {
    if constexpr (expression<A>) {
        using T = detail::common_of_list<A, B>;
        array<T> x = detail::as_set<T>(a, o.assume_unique);
        if (o.assume_unique) x = sort(x);
        return array<T>(x[isin(x, b)]);
    } else {
        return intersect1d(b, a, o);
    }
}
/// The same and where they are in either, flat: `auto [v, i, j] = intersect1d(a, b, {.return_indices = true})`.
template <class A, class B>
    requires detail::operands<A, B>
auto intersect1d(const A& a, const B& b, intersection_options o) {
    using T = detail::common_of_list<A, B>;
    const array<T> x = ravel(astype<T>(detail::array_beside(a, b))), y = ravel(astype<T>(detail::array_beside(b, a)));
    const array<T> common = intersect1d(x, y, set_options{o.assume_unique});
    const auto places = [&](const array<T>& v) {
        const array<std::int64_t> order = argsort(v);
        return array<std::int64_t>(take(order, searchsorted(take(v, order), common)));
    };
    return intersection<T>{common, places(x), places(y)};
}
/// The elements that occur in either, in ascending order and each once (numpy.union1d).
template <class A, class B>
    requires detail::operands<A, B>
auto union1d(const A& a, const B& b) {
    return unique(append(a, b));
}
/// The elements of a that do not occur in b, in ascending order and each once (numpy.setdiff1d), of a's type; with
/// {.assume_unique = true} in the order that they have in a.
template <class A, class B>
    requires detail::operands<A, B>
auto setdiff1d(const A& a, const B& b, set_options o = {}) {
    using T = typename detail::element_of_operand<A>::type;
    const array<T> x = detail::as_set<T>(detail::own_array_beside(a, b), o.assume_unique);
    return array<T>(x[isin(x, b, {.invert = true})]);
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/analysis/sets.ipp>
#endif
