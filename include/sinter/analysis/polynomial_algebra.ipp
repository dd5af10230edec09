// Bodies of polynomial_algebra.hpp.
#pragma once

#include <sinter/analysis/polynomial_algebra.hpp>
#include <sinter/functions/term.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE void require_coefficients(std::string_view name, const dims& shape) {
    if (shape.size() != 1 || (shape[0] == 0 && name == "polydiv"))
        throw shape_error("[" + std::string(name) + "] the coefficients are no vector of some: " + to_string(shape));
}

SINTER_INLINE handle record_polyint(const handle& p, std::int64_t m, const handle& constants) {
    require_coefficients("polyint", p->shape);
    const std::int64_t count = constants->shape.empty() ? 1 : constants->shape[0];
    if (m < 0) throw value_error("[polyint] the order is negative: " + std::to_string(m));
    if (constants->shape.size() > 1 || (count != 1 && count < m))
        throw value_error("[polyint] constants of shape " + to_string(constants->shape) + " for " + std::to_string(m) +
                          " integrals");
    device_scope on(p->where);
    const handle k = record_reshape(record_cast(constants, p->type), dims(count));
    handle r = p;
    for (std::int64_t i = 0; i < m; ++i) {
        const std::int64_t n = r->shape[0], at = count == 1 ? 0 : i;
        const term powers = record_cast(static_cast<double>(n) - term(record_index(dims(n))), p->type);
        const handle parts[] = {term(r) / powers, record_part(k, 0, at, at + 1)};
        r = record_concatenate("polyint", parts, p->type, 0);
    }
    return r;
}

SINTER_INLINE handle record_with_zeros(const handle& x, std::int64_t count) {
    const handle parts[] = {x, record_scalar(codegen::scalar_value::of(std::complex<double>()), {count})};
    return record_concatenate("roots", parts, dtype::complex128, 0);
}

}  // namespace sinter::inline SINTER_ABI::detail
