// NumPy's matrices and results of linear algebra by name, in a type of elements; must not know backends.
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

}  // namespace linalg_golden
