// What a scalar function returns, a number, tuple or structure, taken apart; must not know how functions are called.
#pragma once

#include <sinter/array/array.hpp>

#include <cstring>
#include <tuple>
#include <utility>

namespace sinter::inline SINTER_ABI::detail {

template <class... P>
struct type_list {
    static constexpr std::size_t size = sizeof...(P);
};

template <class T>
concept element = std::is_arithmetic_v<T> || (is_complex_type<T>::value && !std::same_as<T, complex_half>);

struct any_value {
    template <class T>
    operator T() const;
};
template <class R, std::size_t>
using any_value_for = any_value;

template <class R, std::size_t... I>
constexpr bool is_made_of(std::index_sequence<I...>) {
    return requires { R{any_value_for<R, I>()...}; };
}

/// The number of elements of a tuple, or of members of a structure, up to eight.
template <class R>
constexpr std::size_t count_parts() {
    if constexpr (requires { std::tuple_size<R>::value; }) return std::tuple_size<R>::value;
    else if constexpr (is_made_of<R>(std::make_index_sequence<8>())) return 8;
    else if constexpr (is_made_of<R>(std::make_index_sequence<7>())) return 7;
    else if constexpr (is_made_of<R>(std::make_index_sequence<6>())) return 6;
    else if constexpr (is_made_of<R>(std::make_index_sequence<5>())) return 5;
    else if constexpr (is_made_of<R>(std::make_index_sequence<4>())) return 4;
    else if constexpr (is_made_of<R>(std::make_index_sequence<3>())) return 3;
    else if constexpr (is_made_of<R>(std::make_index_sequence<2>())) return 2;
    else return 1;
}

/// References to what a function returned.
template <class R>
auto parts_of(R& r) {
    static_assert(count_parts<R>() <= 8, "sinter: a vectorized function returns at most eight values");
    if constexpr (element<R>) {
        return std::tie(r);
    } else if constexpr (count_parts<R>() == 1) {
        auto& [a] = r;
        return std::tie(a);
    } else if constexpr (count_parts<R>() == 2) {
        auto& [a, b] = r;
        return std::tie(a, b);
    } else if constexpr (count_parts<R>() == 3) {
        auto& [a, b, c] = r;
        return std::tie(a, b, c);
    } else if constexpr (count_parts<R>() == 4) {
        auto& [a, b, c, d] = r;
        return std::tie(a, b, c, d);
    } else if constexpr (count_parts<R>() == 5) {
        auto& [a, b, c, d, e] = r;
        return std::tie(a, b, c, d, e);
    } else if constexpr (count_parts<R>() == 6) {
        auto& [a, b, c, d, e, f] = r;
        return std::tie(a, b, c, d, e, f);
    } else if constexpr (count_parts<R>() == 7) {
        auto& [a, b, c, d, e, f, g] = r;
        return std::tie(a, b, c, d, e, f, g);
    } else {
        auto& [a, b, c, d, e, f, g, h] = r;
        return std::tie(a, b, c, d, e, f, g, h);
    }
}

template <class Parts>
struct part_types;
template <class... T>
struct part_types<std::tuple<T&...>> {
    static_assert((element<std::remove_const_t<T>> && ...),
                  "sinter: a vectorized function returns numbers, or a tuple or structure of numbers");
    using list = type_list<std::remove_const_t<T>...>;
    using arrays = std::tuple<array<std::remove_const_t<T>>...>;
    static codegen::sequence<dtype> types() { return {dtype_of<std::remove_const_t<T>>...}; }
};
template <class R>
using result_parts = part_types<decltype(parts_of(std::declval<R&>()))>;

template <class T>
T read_element(const void* from) {
    T v;
    std::memcpy(&v, from, sizeof v);
    return v;
}

}  // namespace sinter::inline SINTER_ABI::detail
