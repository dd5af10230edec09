// NumPy's matrices and results of linear algebra by name, in a type of elements; and what their tests share; must not
// know backends.
#pragma once

#include "language_golden.hpp"

namespace linalg_golden {

template <class T>
std::string name_in(const std::string& name) {
    return "linalg " + name + " " + std::string(to_string(sinter::dtype_of<T>));
}

template <class T>
sinter::array<T> matrix(const std::string& name) {
    return golden::stored<T>(name_in<T>(name));
}

/// As golden::check, with a tolerance for single and another for double precision.
template <class T, sinter::expression E>
void check(const std::string& name, const E& e, double single, double twice) {
    golden::check(name_in<T>(name), e,
                  sinter::codegen::real_of(sinter::dtype_of<T>) == sinter::dtype::float32 ? single : twice);
}

/// Calls a body with an element of each type that linear algebra takes.
template <class Body>
void for_each_type(Body body) {
    body(float());
    body(double());
    body(std::complex<float>());
    body(std::complex<double>());
}

/// What a linalg_error says when an expression is read.
template <sinter::expression E>
std::string failure_of(const E& e) {
    try {
        e.eval();
        to_vector(e);
    } catch (const sinter::linalg_error& x) {
        return x.what();
    }
    return "none";
}

}  // namespace linalg_golden
