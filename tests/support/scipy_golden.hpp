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

/// Dtype, shape and elements, to so much of the largest one.
template <sinter::expression E>
void check(const char* file, const std::string& name, const E& e, double tolerance) {
    CAPTURE(name);
    auto found = results(file).find(name);
    REQUIRE_MESSAGE(found != results(file).end(), "no golden data");
    const golden::numpy_result& want = found->second;
    const sinter::detail::handle h = sinter::detail::as_handle(e);
    CHECK(std::string(sinter::to_string(h->type)) == want.type);
    CHECK(sinter::to_string(h->shape) == sinter::to_string(want.shape));
    if (std::string(sinter::to_string(h->type)) != want.type || h->shape != want.shape) return;
    if (golden::together* t = golden::together::current()) t->add(name, h, want, tolerance);
    else golden::compare(name, h, want, tolerance);
}

}  // namespace scipy_golden
