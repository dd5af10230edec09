// Arithmetic over values whose types are known when a program runs, in which the bodies of functions write formulas.
#pragma once

#include <sinter/array/record.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// A value in a formula. Types promote as those of arrays; a number becomes one of the term's own type. Operators are
/// members, so that handles beside each other keep the meaning that they have.
struct term {
    handle value;

    term(handle h) : value(std::move(h)) {}
    operator const handle&() const { return value; }
    const dims& shape() const { return value->shape; }
    dtype type() const { return value->type; }

#define SINTER_TERM_OPERATOR(symbol)           \
    term operator symbol(const term& b) const; \
    term operator symbol(double b) const;
    SINTER_TERM_OPERATOR(+)
    SINTER_TERM_OPERATOR(-)
    SINTER_TERM_OPERATOR(*)
    SINTER_TERM_OPERATOR(/)
    SINTER_TERM_OPERATOR(==)
    SINTER_TERM_OPERATOR(<)
    SINTER_TERM_OPERATOR(<=)
    SINTER_TERM_OPERATOR(>)
    SINTER_TERM_OPERATOR(>=)
    SINTER_TERM_OPERATOR(&&)
    SINTER_TERM_OPERATOR(||)
#undef SINTER_TERM_OPERATOR
    term operator!() const;
    term operator-() const;
};
term operator+(double a, const term& b);
term operator-(double a, const term& b);
term operator*(double a, const term& b);
term operator/(double a, const term& b);

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

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/functions/term.ipp>
#endif
