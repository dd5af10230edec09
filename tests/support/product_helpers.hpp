// What tests of products share: operands, what an expression takes, equal bits and what explanations say.
#pragma once

#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/sinter.hpp>
#include <sstream>

#include "backends.hpp"

namespace test_products {

using namespace sinter;

template <class T = float>
array<T> normals(const dims& shape, std::uint64_t seed) {
    return random::generator(seed).normal<T>(0, 1, shape).eval();
}

// Whether products can be in reduced precision.
inline bool has_choice(const test_backends::tested_backend& on) {
    return on.is_cuda() && runtime::properties(0).major >= 8;
}

struct work {
    std::int64_t launches, calls;
    bool operator==(const work&) const = default;
};

// What an expression takes once it is an array and its parts have no names any more.
template <class F>
work counted(F f) {
    const counters_t before = counters();
    auto y = f();
    y.eval();
    return {counters().launches - before.launches, counters().library_calls - before.library_calls};
}

inline std::ostream& operator<<(std::ostream& o, const work& w) {
    return o << w.launches << " launches, " << w.calls << " calls";
}

template <class T>
bool same_bits(const array<T>& a, const array<T>& b) {
    return a.shape() == b.shape() && array_equal(isnan(a), isnan(b)) &&
           array_equal(where(isnan(a), T(0), a), where(isnan(b), T(0), b)) &&
           array_equal(signbit(where(isnan(a), T(1), a)), signbit(where(isnan(b), T(1), b)));
}

inline bool mentions(const explanation& e, std::string_view what) {
    std::ostringstream s;
    s << e;
    return s.str().find(what) != std::string::npos;
}

}  // namespace test_products
