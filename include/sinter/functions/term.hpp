// Arithmetic over values whose types are known when a program runs, in which the bodies of functions write formulas.
#pragma once

#include <sinter/array/record.hpp>

#include <concepts>

namespace sinter::inline SINTER_ABI::detail {

/// A value in a formula. Types promote as those of arrays; a number becomes one of the term's own type.
struct term {
    handle value;

    term(handle h) : value(std::move(h)) {}
    operator const handle&() const { return value; }
    const dims& shape() const { return value->shape; }
    dtype type() const { return value->type; }
};

handle apply_two(codegen::op o, const handle& a, const handle& b);
/// A number of an array's own type, without axes.
handle constant_like(const handle& x, double v);

/// One operation on a term, on two, and on a term and a number.
term apply(codegen::op o, const term& a);
term apply(codegen::op o, const term& a, const term& b);
term apply(codegen::op o, const term& a, double b);
term apply(codegen::op o, double a, const term& b);
/// numpy.where.
term choose_where(const term& condition, const term& a, const term& b);
/// The elements of a vector at integers of any shape.
term elements_at(const term& vector, const term& index);
/// A vector along one axis of so many.
term vector_along(const term& vector, int axis, int rank);

// Templates, so that handles beside each other keep the meaning that they have.
#define SINTER_TERM_OPERATOR(symbol, name)            \
    template <std::same_as<term> A>                   \
    term operator symbol(const A& a, const term& b) { \
        return apply(codegen::op::name, a, b);        \
    }                                                 \
    template <std::same_as<term> A>                   \
    term operator symbol(const A& a, double b) {      \
        return apply(codegen::op::name, a, b);        \
    }                                                 \
    template <std::same_as<term> A>                   \
    term operator symbol(double a, const A& b) {      \
        return apply(codegen::op::name, a, b);        \
    }
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
template <std::same_as<term> A>
term operator!(const A& a) {
    return apply(codegen::op::logical_not, a);
}
template <std::same_as<term> A>
term operator-(const A& a) {
    return apply(codegen::op::negative, a);
}

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/functions/term.ipp>
#endif
