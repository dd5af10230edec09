// How special functions, whose bodies compute in double, become functions of arrays and numbers of any real type.
#pragma once

#include <sinter/array/constants.hpp>
#include <sinter/array/operators.hpp>
#include <sinter/functions/joining.hpp>
#include <sinter/user/vectorize.hpp>

namespace sinter::inline SINTER_ABI::special::detail {

/// What arguments give: arrays' floating type, or that of plain numbers where there are no arrays.
template <class... X>
struct value_of {
    template <class Y>
    static constexpr dtype counted() {
        if constexpr (expression<Y>) return dtype_of<value_type_t<Y>>;
        else return (expression<X> || ...) ? dtype::bool_ : dtype_of<Y>;
    }
    using type = typename codegen::cpp_type<codegen::floating_of(sinter::detail::promote_all({counted<X>()...}))>::type;
};

template <class F, class... X>
auto call(const F& f, const X&... x) {
    using T = typename value_of<X...>::type;
    static_assert(!codegen::is_complex(dtype_of<T>), "sinter: this special function takes real numbers");
    if constexpr ((expression<X> || ...)) return array<T>(astype<T>(vectorize(f)(x...)));
    else return static_cast<T>(F::sinter_call(static_cast<double>(x)...));
}

}  // namespace sinter::inline SINTER_ABI::special::detail

// A function of special:: whose body has its name: arguments broadcast and may be plain numbers.
#define SINTER_SPECIAL_FUNCTION(name, count)     \
    template <sinter::detail::operand... X>      \
        requires(sizeof...(X) == count)          \
    auto name(const X&... x) {                   \
        return detail::call(bodies::name, x...); \
    }
