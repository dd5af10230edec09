// The order in which elements are sorted, as their numbers: of the standard's sorts, which are constexpr, every type of
// element and every comparison compiles twenty functions, whether or not it is reached.
#pragma once

#include <cstdint>
#include <sinter/codegen/base/sequence.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// The numbers below `count` in ascending order, equal ones in their own: `before` says whether a stands before b.
sequence<std::int64_t> sorted_order(std::int64_t count, const void* context,
                                    bool (*before)(const void* context, std::int64_t a, std::int64_t b));

template <class F>
sequence<std::int64_t> sorted_order(std::size_t count, const F& before) {
    return sorted_order(
        static_cast<std::int64_t>(count), &before, [](const void* context, std::int64_t a, std::int64_t b) -> bool {
            return (*static_cast<const F*>(context))(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
        });
}

/// The elements of a sequence in that order of their numbers.
template <class T>
sequence<T> in_order(sequence<T>&& elements, const sequence<std::int64_t>& order) {
    sequence<T> sorted;
    sorted.reserve(order.size());
    for (std::int64_t i : order) sorted.push_back(static_cast<T&&>(elements[static_cast<std::size_t>(i)]));
    return sorted;
}

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/base/sorted_order.ipp>
#endif
