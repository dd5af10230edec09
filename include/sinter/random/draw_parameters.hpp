// What a draw of random numbers is given; must not know the distributions.
#pragma once

#include <sinter/array/array.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// What one call draws from: words of streams of its own, so that laziness never changes them.
struct random_source {
    std::uint64_t seed, stream;
};

/// An array of parameters, or one number; of integers `whole` is exact.
struct draw_parameter {
    handle array;
    double number = 0;
    std::int64_t whole = 0;
};

}  // namespace sinter::inline SINTER_ABI::detail
