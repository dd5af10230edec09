// What is no number replaced (numpy.nan_to_num).
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/any_operand.hpp>

#include <limits>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI {

/// What nan_to_num puts for NaN and both infinities, numbers or arrays that broadcast to the elements; the largest
/// finite numbers where nothing is given.
struct nan_replacements {
    detail::any_operand nan = 0;
    detail::any_operand posinf = {};
    detail::any_operand neginf = {};
};
/// The same of a single number.
struct nan_numbers {
    double nan = 0;
    std::optional<double> posinf = {};
    std::optional<double> neginf = {};
};

namespace detail {

/// Of the elements' own type, of complex ones in either part.
handle record_finite(const handle& x, const nan_replacements& r, const codegen::scalar_value& largest,
                     const codegen::scalar_value& lowest);

}  // namespace detail

/// NaN as zero and infinities as the largest finite numbers (numpy.nan_to_num), of complex elements in either part:
/// `nan_to_num(x, {.nan = y, .posinf = 9})`. Throws shape_error where replacements do not broadcast to x.
template <expression E>
SINTER_NEW_VALUE auto nan_to_num(const E& e, const nan_replacements& r = {}) {
    using T = value_type_t<E>;
    using limits = std::numeric_limits<typename codegen::cpp_type<codegen::real_of(dtype_of<T>)>::type>;
    return array<T>(detail::record_finite(detail::as_handle(e), r, detail::number(limits::max()),
                                          detail::number(limits::lowest())));
}
/// The same of a number.
template <detail::scalar_operand S>
SINTER_COMPARES S nan_to_num(S x, const nan_numbers& r = {}) {
    if constexpr (codegen::is_floating(dtype_of<S>)) {
        if (isposinf(x)) return r.posinf ? static_cast<S>(*r.posinf) : std::numeric_limits<S>::max();
        if (isneginf(x)) return r.neginf ? static_cast<S>(*r.neginf) : std::numeric_limits<S>::lowest();
        return isnan(x) ? static_cast<S>(r.nan) : x;
    } else {
        return x;
    }
}

}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END

#if SINTER_HEADER_ONLY
#include <sinter/functions/replacing.ipp>
#endif
