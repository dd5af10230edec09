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
