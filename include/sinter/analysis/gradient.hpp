// Derivatives by differences of neighbours along axes.
#pragma once

#include <sinter/codegen/base/sequence.hpp>
#include <sinter/codegen/base/span.hpp>
#include <sinter/functions/picking.hpp>
#include <sinter/functions/reductions.hpp>

#include <ostream>
#include <vector>

namespace sinter::inline SINTER_ABI {

/// Options of gradient: along which axes, by default all, and how exact the ends are, 1 or 2.
struct gradient_options {
    axes axis = {};
    int edge_order = 1;
};

/// How far apart an axis' elements are, or a vector of where they stand.
class gradient_spacing {
public:
    template <detail::real_scalar S>
    gradient_spacing(const S& s) : step_(static_cast<double>(s)) {}
    template <expression E>
    gradient_spacing(const E& e) : points_(detail::as_handle(e)) {
        static_assert(!codegen::is_complex(dtype_of<value_type_t<E>>), "sinter: elements stand at real numbers");
    }
    double step() const { return step_; }
    const detail::handle& points() const { return points_; }

private:
    double step_ = 1;
    detail::handle points_;
};

/// A derivative for each axis: `g[0]`, and the only one as an array: `array<double> g = gradient(x)`, `u -= 0.1 *
/// gradient(u)`.
template <class T>
class gradient_result : public std::vector<array<T>> {
public:
    using std::vector<array<T>>::vector;
    /// Throws value_error where there are several.
    operator array<T>() const;
};
template <class T>
array(const gradient_result<T>&) -> array<T>;

namespace detail {

[[noreturn]] void throw_several_gradients(std::size_t count);
codegen::sequence<handle> record_gradient(const handle& x, codegen::span<const gradient_spacing> spacing,
                                          const gradient_options& o);

template <expression E>
auto gradient_of(const E& e, std::initializer_list<gradient_spacing> spacing, const gradient_options& o) {
    using T = mean_type<value_type_t<E>>;
    gradient_result<T> result;
    for (handle& h : record_gradient(record_cast(as_handle(e), dtype_of<T>), {spacing.begin(), spacing.size()}, o))
        result.emplace_back(std::move(h));
    return result;
}

}  // namespace detail

namespace detail {

template <class T>
inline constexpr bool has_own_operators<gradient_result<T>> = true;

}  // namespace detail

// Of the only derivative; value_error where there are several.
#define SINTER_GRADIENT_OPERATOR(symbol)                                                              \
    template <class T, detail::operand B>                                                             \
    SINTER_NEW_VALUE auto operator symbol(const gradient_result<T>& a, const B& b) {                  \
        return array<T>(a) symbol b;                                                                  \
    }                                                                                                 \
    template <detail::operand A, class T>                                                             \
    SINTER_NEW_VALUE auto operator symbol(const A& a, const gradient_result<T>& b) {                  \
        return a symbol array<T>(b);                                                                  \
    }                                                                                                 \
    template <class T, class U>                                                                       \
    SINTER_NEW_VALUE auto operator symbol(const gradient_result<T>& a, const gradient_result<U>& b) { \
        return array<T>(a) symbol array<U>(b);                                                        \
    }
SINTER_GRADIENT_OPERATOR(+)
SINTER_GRADIENT_OPERATOR(-)
SINTER_GRADIENT_OPERATOR(*)
SINTER_GRADIENT_OPERATOR(/)
#undef SINTER_GRADIENT_OPERATOR
template <class T>
SINTER_NEW_VALUE auto operator-(const gradient_result<T>& a) {
    return -array<T>(a);
}

template <class T>
gradient_result<T>::operator array<T>() const {
    if (this->size() != 1) detail::throw_several_gradients(this->size());
    return this->front();
}

/// The derivatives one below the other.
template <class T>
std::ostream& operator<<(std::ostream& out, const gradient_result<T>& g) {
    for (std::size_t i = 0; i < g.size(); ++i) out << (i ? "\n" : "") << g[i];
    return out;
}

/// Derivatives along each axis (numpy.gradient) of elements that stand 1 apart, or as far apart as a number says, or at
/// the points of a vector, one for all axes or one for each: `gradient(f, dx)`, `gradient(f, y, x, {.edge_order = 2})`,
/// `gradient(f, dx, {.axis = 1})`. Central differences, which at the ends are one-sided, of f's shape each, one kernel
/// each; integers give float64. Throws value_error when an axis has no more elements than edge_order, and when numbers
/// of spacings, of points and of elements do not fit.
template <expression E>
auto gradient(const E& e, const gradient_options& o = {}) {
    return detail::gradient_of(e, {}, o);
}
/// Derivatives along each axis (numpy.gradient) of elements that stand 1 apart, or as far apart as a number says, or at
/// the points of a vector, one for all axes or one for each.
template <expression E>
auto gradient(const E& e, const gradient_spacing& spacing, const gradient_options& o = {}) {
    return detail::gradient_of(e, {spacing}, o);
}
/// Derivatives along each axis (numpy.gradient) of elements that stand 1 apart, or as far apart as a number says, or at
/// the points of a vector, one for all axes or one for each.
template <expression E>
auto gradient(const E& e, const gradient_spacing& first, const gradient_spacing& second,
              const gradient_options& o = {}) {
    return detail::gradient_of(e, {first, second}, o);
}
/// Derivatives along each axis (numpy.gradient) of elements that stand 1 apart, or as far apart as a number says, or at
/// the points of a vector, one for all axes or one for each.
template <expression E>
auto gradient(const E& e, const gradient_spacing& first, const gradient_spacing& second, const gradient_spacing& third,
              const gradient_options& o = {}) {
    return detail::gradient_of(e, {first, second, third}, o);
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/analysis/gradient.ipp>
#endif
