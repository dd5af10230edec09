// What <algorithm> looks for, in one function each: of the standard's, which are constexpr, every use compiles five to
// ten per predicate, whether or not it is reached.
#pragma once

#include <sinter/codegen/base/config.hpp>

#include <cstddef>

namespace sinter::inline SINTER_ABI::codegen {

/// As the standard's of the same names.
template <class Iterator, class Predicate>
[[gnu::always_inline]] inline Iterator find_if(Iterator first, Iterator last, Predicate holds) {
    while (first != last && !holds(*first)) ++first;
    return first;
}
template <class Iterator, class Predicate>
[[gnu::always_inline]] inline bool any_of(Iterator first, Iterator last, Predicate holds) {
    for (; first != last; ++first)
        if (holds(*first)) return true;
    return false;
}
template <class Iterator, class Predicate>
[[gnu::always_inline]] inline bool none_of(Iterator first, Iterator last, Predicate holds) {
    for (; first != last; ++first)
        if (holds(*first)) return false;
    return true;
}
template <class Iterator, class Predicate>
[[gnu::always_inline]] inline bool all_of(Iterator first, Iterator last, Predicate holds) {
    for (; first != last; ++first)
        if (!holds(*first)) return false;
    return true;
}
template <class Iterator, class Predicate>
[[gnu::always_inline]] inline std::ptrdiff_t count_if(Iterator first, Iterator last, Predicate holds) {
    std::ptrdiff_t count = 0;
    for (; first != last; ++first)
        if (holds(*first)) ++count;
    return count;
}
template <class Iterator, class T>
[[gnu::always_inline]] inline Iterator find(Iterator first, Iterator last, const T& value) {
    while (first != last && !(*first == value)) ++first;
    return first;
}
template <class Iterator, class T>
[[gnu::always_inline]] inline std::ptrdiff_t count(Iterator first, Iterator last, const T& value) {
    std::ptrdiff_t count = 0;
    for (; first != last; ++first)
        if (*first == value) ++count;
    return count;
}

}  // namespace sinter::inline SINTER_ABI::codegen
