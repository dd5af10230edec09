// SciPy's results by name, from ndimage.txt and signal.txt of data/golden; must not know backends.
#pragma once

#include <map>
#include <string>

#include "language_golden.hpp"

namespace scipy_golden {

using golden::data;

inline const std::map<std::string, golden::numpy_result>& results(const char* file) {
    static std::map<std::string, std::map<std::string, golden::numpy_result>> all;
    std::map<std::string, golden::numpy_result>& m = all[file];
    if (m.empty()) golden::read_golden(file, m);
    return m;
}

/// An image of true and false elements, as generate/ndimage.py computes it.
inline sinter::array<bool> blobs(const sinter::dims& shape, int k = 0) {
    const sinter::array<std::int64_t> i = sinter::arange<std::int64_t>(shape.product());
    return sinter::reshape((i * 7919 + k) % 1009 % 5 < 3, shape).eval();
}

/// Dtype, shape and elements, to so much of the largest one.
template <sinter::expression E>
void check(const char* file, const std::string& name, const E& e, double tolerance) {
    const golden::numpy_result& want = golden::result_of(results(file), name);
    golden::check(name, sinter::detail::as_handle(e), want, tolerance);
}

}  // namespace scipy_golden
