// Structures, tuples and vectors of arrays as trees (JAX's pytrees): what counts as one, and the walk over its arrays.
#pragma once

#include <sinter/codegen/base/sequence.hpp>
#include <sinter/array/evaluate.hpp>
#include <sinter/parameters/parameter_place.hpp>
#include <sinter/records/told_structure.hpp>
#include <vector>

#if __has_include(<boost/hana/accessors.hpp>)
#include <boost/hana/at.hpp>
#include <boost/hana/tuple.hpp>

namespace sinter::inline SINTER_ABI {

namespace detail {

template <class T>
inline constexpr bool is_vector = false;
template <class T, class A>
inline constexpr bool is_vector<std::vector<T, A>> = true;

/// The members of a structure or a tuple: how many, their names, where they have some, and references to them.
template <class T>
struct member_access {
    static constexpr std::size_t count = 0;
};
template <record_structure T>
struct member_access<T> {
    static constexpr std::size_t count = member_count<T>;
    template <std::size_t I>
    static constexpr const char* name() {
        return member_name<T, I>();
    }
    template <std::size_t I, class P>
    static decltype(auto) get(P& p) {
        return member_of<I>(p);
    }
};
template <tuple_like T>
    requires(!record_structure<T>)
struct member_access<T> {
    static constexpr std::size_t count = std::tuple_size_v<T>;
    template <std::size_t I>
    static constexpr const char* name() {
        return nullptr;
    }
    template <std::size_t I, class P>
    static decltype(auto) get(P& p) {
        return std::get<I>(p);
    }
};
template <class... E>
struct member_access<boost::hana::tuple<E...>> {
    static constexpr std::size_t count = sizeof...(E);
    template <std::size_t I>
    static constexpr const char* name() {
        return nullptr;
    }
    template <std::size_t I, class P>
    static decltype(auto) get(P& p) {
        return boost::hana::at_c<I>(p);
    }
};
template <class T>
using member_indices = std::make_index_sequence<member_access<T>::count>;
template <class T, std::size_t I>
using member_in = std::remove_cvref_t<decltype(member_access<T>::template get<I>(std::declval<T&>()))>;

/// Whether an array stands anywhere in a type.
template <class T>
constexpr bool holds_arrays() {
    if constexpr (is_array<T>) return true;
    else if constexpr (is_vector<T>) return holds_arrays<typename T::value_type>();
    else if constexpr (member_access<T>::count == 0) return false;
    else
        return []<std::size_t... I>(std::index_sequence<I...>) {
            return (holds_arrays<member_in<T, I>>() || ...);
        }(member_indices<T>());
}

}  // namespace detail

/// Arrays as one value: a structure that Boost.Hana knows, a std::tuple, a hana::tuple or a std::vector, whose members
/// are arrays or such again (JAX: a pytree).
template <class P>
concept parameter_set = !expression<P> && detail::holds_arrays<P>();

namespace detail {

/// Refuses what is no array and holds none by its type.
template <class T>
constexpr void require_arrays() {
    static_assert(is_array<T> || is_vector<T> || member_access<T>::count != 0,
                  "sinter: a set of parameters has arrays, and structures that Boost.Hana knows, tuples and vectors of "
                  "such, as its members");
}

/// Calls f(place, array of p, array of q…) for each array of sets of one type, in order.
template <class F, class P, class... Q>
void walk(std::string_view operation, const parameter_place& where, F& f, P& p, Q&... q) {
    using T = std::remove_const_t<P>;
    require_arrays<T>();
    if constexpr (is_array<T>) {
        f(where, p, q...);
    } else if constexpr (is_vector<T>) {
        for (const std::size_t n : {q.size()..., p.size()})
            if (n != p.size()) throw_lengths(operation, where, p.size(), n);
        for (std::size_t i = 0; i < p.size(); ++i) walk(operation, {&where, nullptr, i}, f, p[i], q[i]...);
    } else if constexpr (member_access<T>::count != 0) {
        using members = member_access<T>;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            auto enter = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
                walk(operation, {&where, members::template name<K>(), K}, f, members::template get<K>(p),
                     members::template get<K>(q)...);
            };
            (enter(std::integral_constant<std::size_t, I>()), ...);
        }(member_indices<T>());
    }
}

/// The same from the top; what f throws of shapes, types and values names the place.
template <class F, class P, class... Q>
void for_each_array(std::string_view operation, F f, P& p, Q&... q) {
    static_assert((std::same_as<std::remove_const_t<P>, std::remove_const_t<Q>> && ...),
                  "sinter: sets of parameters that are combined are of one type");
    auto call = [&](const parameter_place& where, auto&... a) {
        try {
            f(a...);
        } catch (const error&) {
            rethrow_at(where);
        }
    };
    walk(operation, {}, call, p, q...);
}

/// A set's arrays in order.
template <parameter_set P>
codegen::sequence<handle> handles_of(const P& p) {
    codegen::sequence<handle> all;
    auto add = [&](const parameter_place&, const auto& a) { all.push_back(a.get_handle()); };
    walk("", {}, add, p);
    return all;
}

// So that eval, and a step of a graph, know structures of more members than eight, and tuples of Hana's.
template <class T>
struct visitor_of_members {
    static constexpr bool is_known = true;
    template <class F>
    static void visit(const T& x, F f) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            f(member_access<T>::template get<I>(x)...);
        }(member_indices<T>());
    }
};
template <record_structure P>
    requires parameter_set<P>
struct member_visitor<P> : visitor_of_members<P> {};
template <class... E>
struct member_visitor<boost::hana::tuple<E...>> : visitor_of_members<boost::hana::tuple<E...>> {};

}  // namespace detail
}  // namespace sinter::inline SINTER_ABI
#endif
