// Bodies of polynomial_algebra.hpp.
#pragma once

#include <sinter/analysis/polynomial_algebra.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE void require_coefficients(std::string_view name, const dims& shape) {
    if (shape.size() != 1 || (shape[0] == 0 && name == "polydiv"))
        throw shape_error("[" + std::string(name) + "] the coefficients are no vector of some: " + to_string(shape));
}

SINTER_INLINE handle record_with_zeros(const handle& x, std::int64_t count) {
    const handle parts[] = {x, record_scalar(codegen::scalar_value::of(std::complex<double>()), {count})};
    return record_concatenate("roots", parts, dtype::complex128, 0);
}

}  // namespace sinter::inline SINTER_ABI::detail
