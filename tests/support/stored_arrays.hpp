// Arrays in memory and their elements, for tests that count what evaluating them takes.
#pragma once

#include <sinter/sinter.hpp>

#include <vector>

namespace test_backends {

/// An array in memory whose elements nothing can compute again.
template <class T>
sinter::array<T> stored(const sinter::dims& shape, double scale = 1, double shift = 0) {
    std::vector<T> v(static_cast<std::size_t>(shape.product()));
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<T>(scale * static_cast<double>(i % 97) + shift);
    return sinter::array<T>(sinter::detail::store(sinter::dtype_of<T>, shape, v.data()));
}

/// The elements of an expression, row-major.
template <sinter::expression E>
std::vector<sinter::value_type_t<E>> values(const E& e) {
    std::vector<sinter::value_type_t<E>> v(static_cast<std::size_t>(e.size()));
    sinter::detail::read(sinter::detail::as_handle(e), v.data());
    return v;
}

}  // namespace test_backends
