// The product of vectors that stands upright on both.
#pragma once

#include <sinter/functions/joining.hpp>

#include <optional>

namespace sinter::inline SINTER_ABI {

/// Options of cross: the axes along which the vectors of a, of b and of the result lie, or one for all three.
struct cross_options {
    std::int64_t axisa = -1;
    std::int64_t axisb = -1;
    std::int64_t axisc = -1;
    std::optional<std::int64_t> axis = {};
};

namespace detail {
handle record_cross(const handle& a, const handle& b, dtype type, const cross_options& o);
}

/// Cross products of vectors of three elements, or of two, whose third is zero (numpy.cross); of two vectors of two
/// elements the third element alone, without an axis. The other axes broadcast. Throws value_error for other lengths,
/// shape_error and index_error.
template <expression A, expression B>
auto cross(const A& a, const B& b, const cross_options& o = {}) {
    using T = result_type_t<value_type_t<A>, value_type_t<B>>;
    static_assert(!std::same_as<T, bool>, "sinter: cross is not defined for bool");
    return array<T>(detail::record_cross(detail::as_handle(a), detail::as_handle(b), dtype_of<T>, o));
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/functions/cross.ipp>
#endif
