// Structures that Boost.Hana knows as kernels are told them, so that functions take and return them.
#pragma once

#include <bit>
#include <sinter/records/structure.hpp>
#include <sinter/records/told_structure.hpp>
#include <sinter/user/vectorize.hpp>
#include <string>

#if __has_include(<boost/hana/accessors.hpp>)

namespace sinter::inline SINTER_ABI::detail {

/// The type's name as the compiler spells it, its namespaces included.
template <class R>
std::string_view spelled_name() {
    const std::string_view all = __PRETTY_FUNCTION__;
    const std::size_t from = all.find("R = ") + 4;
    return all.substr(from, all.find_first_of(";]", from) - from);
}

/// How kernels spell a number's type in a structure.
template <class T>
std::string kernel_spelling() {
    if constexpr (is_complex_type<T>::value) return "std::complex<" + kernel_spelling<typename T::value_type>() + ">";
    else if constexpr (std::same_as<T, bool>) return "bool";
    else if constexpr (std::floating_point<T>) return sizeof(T) == 4 ? "float" : "double";
    else {
        const char* of_size[] = {"char", "short", "int", "long long"};
        return (std::is_signed_v<T> ? "signed " : "unsigned ") + std::string(of_size[std::bit_width(sizeof(T)) - 1]);
    }
}

/// Lets kernels know a structure, which SINTER_STRUCT may have told them already.
template <class R, std::size_t... I>
void enter_structure(std::index_sequence<I...>) {
    static const bool entered = [] {
        std::string text = "{ ";
        ((text += kernel_spelling<member_type<R, I>>() + " " + member_name<R, I>() + "; "), ...);
        runtime::add_structure(spelled_name<R>(), text + "}");
        return true;
    }();
    static_cast<void>(entered);
}

// Functions that return one need not have been told it otherwise.
template <record_structure R>
struct returned_type<R> {
    static void enter() { enter_structure<R>(member_numbers<R>()); }
};

}  // namespace sinter::inline SINTER_ABI::detail

#endif
