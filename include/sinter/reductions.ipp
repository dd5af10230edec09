// Bodies of reductions.hpp.
#pragma once

#include <sinter/reductions.hpp>

namespace sinter::inline SINTER_ABI {

SINTER_INLINE std::uint8_t axes::mask(std::string_view operation, int rank) const {
    if (!given_) return static_cast<std::uint8_t>((1 << rank) - 1);
    int m = 0;
    for (std::int64_t a : list_) {
        int bit = 1 << codegen::normalize_axis(operation, a, rank);
        if (m & bit)
            throw value_error("[" + std::string(operation) + "] axis " + std::to_string(a) + " is given twice");
        m |= bit;
    }
    return static_cast<std::uint8_t>(m);
}

namespace detail {

SINTER_INLINE handle record_reduce_axes(codegen::reduction how, const handle& x, const axes& a, bool keep) {
    return record_reduce(how, x, a.mask(to_string(how), x->shape.size()), keep);
}

SINTER_INLINE std::int64_t count_reduced(std::string_view operation, const dims& shape, const axes& a) {
    std::uint8_t mask = a.mask(operation, shape.size());
    std::int64_t n = 1;
    for (int i = 0; i < shape.size(); ++i)
        if (mask >> i & 1) n *= shape[i];
    return n;
}

}  // namespace detail
}  // namespace sinter::inline SINTER_ABI
