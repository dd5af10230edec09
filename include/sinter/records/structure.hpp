// What Boost.Hana knows of a structure: its members, their names and types; must not know arrays.
#pragma once

#include <cstddef>
#include <sinter/codegen/base/config.hpp>
#include <type_traits>
#include <utility>

#if __has_include(<boost/hana/accessors.hpp>)
#include <boost/hana/accessors.hpp>
#include <boost/hana/adapt_struct.hpp>
#include <boost/hana/concept/struct.hpp>
#include <boost/hana/define_struct.hpp>

namespace sinter::inline SINTER_ABI {

/// A structure that Boost.Hana knows: by BOOST_HANA_DEFINE_STRUCT inside of it or BOOST_HANA_ADAPT_STRUCT behind it.
template <class R>
concept record_structure = boost::hana::Struct<R>::value;

namespace detail {

/// A member by its place in the list: what Hana calls its name and its accessor.
template <std::size_t I, class Name, class Accessor>
struct member_entry {
    using name = Name;
    using accessor = Accessor;
};
template <class Numbers, class List>
struct member_entries;
template <std::size_t... I, class... Name, class... Accessor>
struct member_entries<std::index_sequence<I...>, boost::hana::tuple<boost::hana::pair<Name, Accessor>...>>
    : member_entry<I, Name, Accessor>... {};

// Found by conversion to a base, which costs compilers less than Hana's own functions of tuples.
template <std::size_t I, class Name, class Accessor>
member_entry<I, Name, Accessor> entry_at(const member_entry<I, Name, Accessor>*);

template <class List>
struct member_list;
template <class... Pair>
struct member_list<boost::hana::tuple<Pair...>> {
    using numbers = std::index_sequence_for<Pair...>;
    using entries = member_entries<numbers, boost::hana::tuple<Pair...>>;
};
template <class R>
using record_members = member_list<std::remove_cvref_t<decltype(boost::hana::accessors<R>())>>;
template <class R>
using member_numbers = typename record_members<R>::numbers;
template <class R>
inline constexpr std::size_t member_count = member_numbers<R>::size();
template <class R, std::size_t I>
using member_at = decltype(entry_at<I>(static_cast<typename record_members<R>::entries*>(nullptr)));

/// Member I of a record, by reference.
template <std::size_t I, class R>
decltype(auto) member_of(R& r) {
    return typename member_at<std::remove_const_t<R>, I>::accessor()(r);
}
template <class R, std::size_t I>
using member_type = std::remove_cvref_t<decltype(member_of<I>(std::declval<R&>()))>;
template <class R, std::size_t I>
constexpr const char* member_name() {
    return member_at<R, I>::name::c_str();
}

}  // namespace detail
}  // namespace sinter::inline SINTER_ABI
#endif
