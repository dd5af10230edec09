// Bodies of term.hpp.
#pragma once

#include <sinter/functions/term.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE handle apply_two(codegen::op o, const handle& a, const handle& b) {
    handle args[] = {a, b};
    return record_apply(o, args);
}

SINTER_INLINE handle constant_like(const handle& x, double v) {
    return record_cast(record_scalar(codegen::scalar_value::of(v), {}), x->type);
}

SINTER_INLINE term apply(codegen::op o, const term& a) { return record_apply(o, {&a.value, 1}); }
SINTER_INLINE term apply(codegen::op o, const term& a, const term& b) { return apply_two(o, a, b); }
SINTER_INLINE term apply(codegen::op o, const term& a, double b) { return apply_two(o, a, constant_like(a, b)); }
SINTER_INLINE term apply(codegen::op o, double a, const term& b) { return apply_two(o, constant_like(b, a), b); }

#define SINTER_TERM_OPERATOR(symbol, name)                                                                        \
    SINTER_INLINE term term::operator symbol(const term & b) const { return apply(codegen::op::name, *this, b); } \
    SINTER_INLINE term term::operator symbol(double b) const { return apply(codegen::op::name, *this, b); }
SINTER_TERM_OPERATOR(+, add)
SINTER_TERM_OPERATOR(-, subtract)
SINTER_TERM_OPERATOR(*, multiply)
SINTER_TERM_OPERATOR(/, divide)
SINTER_TERM_OPERATOR(==, equal)
SINTER_TERM_OPERATOR(<, less)
SINTER_TERM_OPERATOR(<=, less_equal)
SINTER_TERM_OPERATOR(>, greater)
SINTER_TERM_OPERATOR(>=, greater_equal)
SINTER_TERM_OPERATOR(&&, logical_and)
SINTER_TERM_OPERATOR(||, logical_or)
#undef SINTER_TERM_OPERATOR
SINTER_INLINE term term::operator!() const { return apply(codegen::op::logical_not, *this); }
SINTER_INLINE term term::operator-() const { return apply(codegen::op::negative, *this); }
SINTER_INLINE term operator+(double a, const term& b) { return apply(codegen::op::add, a, b); }
SINTER_INLINE term operator-(double a, const term& b) { return apply(codegen::op::subtract, a, b); }
SINTER_INLINE term operator*(double a, const term& b) { return apply(codegen::op::multiply, a, b); }
SINTER_INLINE term operator/(double a, const term& b) { return apply(codegen::op::divide, a, b); }

SINTER_INLINE term choose_where(const term& condition, const term& a, const term& b) {
    handle args[] = {condition, a, b};
    return record_apply(codegen::op::where, args);
}

SINTER_INLINE term elements_at(const term& vector, const term& index) {
    return record_gather(vector, {&index.value, 1}, {1, 0});
}

SINTER_INLINE term vector_along(const term& vector, int axis, int rank) {
    dims shape = dims::filled(rank, 1);
    shape[axis] = vector.shape().product();
    return record_reshape(vector, shape);
}

}  // namespace sinter::inline SINTER_ABI::detail
