// Bodies of products.hpp.
#pragma once

#include <sinter/functions/products.hpp>

namespace sinter::inline SINTER_ABI {

SINTER_INLINE detail::handle tensordot_axes::record(const detail::handle& a, const detail::handle& b, precision in,
                                                    std::string_view operation) const {
    if (count_ < 0) return detail::record_tensordot(operation, a, b, a_, b_, in);
    const int p = a->shape.size();
    if (count_ > p || count_ > b->shape.size())
        throw value_error("[tensordot] " + std::to_string(count_) + " axes of " + to_string(a->shape) + " and " +
                          to_string(b->shape));
    dims last, first;
    for (int i = 0; i < count_; ++i) {
        last.push_back(p - static_cast<int>(count_) + i);
        first.push_back(i);
    }
    return detail::record_tensordot(operation, a, b, last, first, in);
}

SINTER_INLINE einsum_path_result detail::described_path(std::string_view subscripts,
                                                        codegen::span<const handle> operands) {
    const contraction_path found = path_of_einsum(subscripts, operands);
    return {found.steps, text_of_path(subscripts, found)};
}

}  // namespace sinter::inline SINTER_ABI
