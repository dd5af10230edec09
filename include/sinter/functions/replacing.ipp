// Bodies of replacing.hpp.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/replacing.hpp>
#include <sinter/functions/term.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

// The elements, or parts of complex ones, and the finite numbers that replace infinities where nothing is given.
struct finite_parts {
    const nan_replacements& replacements;
    const codegen::scalar_value &largest, &lowest;

    term put(codegen::op test, const term& x, const any_operand& given, const handle& usual,
             const term& otherwise) const {
        const handle value = given.is_given() ? record_cast(given.as_value(), x.type()) : usual;
        return choose_where(apply(test, x), record_broadcast("nan_to_num", value, x.shape()), otherwise);
    }
    term operator()(const term& x) const {
        const nan_replacements& r = replacements;
        const term low = put(codegen::op::isneginf, x, r.neginf, record_scalar(lowest, {}), x);
        const term high = put(codegen::op::isposinf, x, r.posinf, record_scalar(largest, {}), low);
        return put(codegen::op::isnan, x, r.nan, {}, high);
    }
};

SINTER_INLINE handle record_finite(const handle& x, const nan_replacements& r, const codegen::scalar_value& largest,
                                   const codegen::scalar_value& lowest) {
    if (codegen::kind_rank(x->type) < 2) return x;
    device_scope on(x->where);
    const finite_parts finite{r, largest, lowest};
    if (!codegen::is_complex(x->type)) return finite(x);
    const term real = finite(apply(codegen::op::real, term(x))), imag = finite(apply(codegen::op::imag, term(x)));
    const term unit = record_cast(record_scalar(codegen::scalar_value::of(std::complex<double>(0, 1)), {}), x->type);
    return choose_where(apply(codegen::op::isfinite, term(x)), x, real + unit * imag);
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
