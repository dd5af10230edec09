// SINTER_STRUCTs as structures that Boost.Hana knows: their members' names are read in their text. It uses Boost.
#pragma once

#include <array>
#include <sinter/records/structure.hpp>
#include <sinter/user/vectorize.hpp>
#include <string_view>

#if __has_include(<boost/hana/accessors.hpp>)
#include <boost/hana/string.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// The text of a structure's braces, as `{ float x, v; int n = 0; }`: where its members' names stand.
struct member_names_in {
    std::string_view text;
    std::size_t count = 0;
    std::array<std::string_view, 8> names = {};

    consteval explicit member_names_in(std::string_view all) : text(all) {
        int depth = 0;
        std::string_view last;
        bool is_over = false;  // what stands behind = { [ is no name
        for (std::size_t i = 0; i < text.size(); ++i) {
            const char c = text[i];
            if (c == '{' || c == '(' || c == '[' || (c == '<' && !is_over)) is_over |= ++depth > 1 && c != '<';
            else if (c == '}' || c == ')' || c == ']' || (c == '>' && !is_over)) --depth;
            else if (c == '=') is_over = true;
            else if (depth == 1 && (c == ',' || c == ';')) {
                if (!last.empty()) names[count++] = last;
                last = {};
                is_over = false;
            } else if (depth == 1 && !is_over && is_letter(c)) {
                std::size_t end = i;
                while (end < text.size() && (is_letter(text[end]) || (text[end] >= '0' && text[end] <= '9'))) ++end;
                last = text.substr(i, end - i);
                i = end - 1;
            }
        }
    }
    static consteval bool is_letter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) > 127;
    }
};

template <class S>
concept told_structure =
    requires { sinter_members_of(static_cast<S*>(nullptr)); } && !requires { typename S::hana_accessors_impl; };

template <class S>
inline constexpr member_names_in told_names{sinter_members_of(static_cast<S*>(nullptr))};

template <std::size_t I>
struct told_member {
    template <class S>
    constexpr auto& operator()(S& s) const {
        return std::get<I>(parts_of(s));
    }
};
template <class S, std::size_t I, std::size_t... C>
constexpr auto told_name(std::index_sequence<C...>) {
    return boost::hana::string<told_names<S>.names[I][C]...>();
}
template <class S, std::size_t... I>
constexpr auto told_accessors(std::index_sequence<I...>) {
    return boost::hana::make_tuple(boost::hana::make_pair(
        told_name<S, I>(std::make_index_sequence<told_names<S>.names[I].size()>()), told_member<I>())...);
}

}  // namespace sinter::inline SINTER_ABI::detail

template <sinter::detail::told_structure S>
struct boost::hana::accessors_impl<S, boost::hana::when<true>> {
    static constexpr auto apply() {
        return sinter::detail::told_accessors<S>(std::make_index_sequence<sinter::detail::told_names<S>.count>());
    }
};

#endif
