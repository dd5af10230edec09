// Steps of a graph that are replayed, and what they give without one.
#pragma once

#include <sinter/sinter.hpp>
#include <vector>

#include "backends.hpp"
#include "stored_arrays.hpp"

namespace test_steps {

using namespace sinter;
using namespace test_backends;

/// How many steps are replayed while it is called.
template <class F>
std::int64_t replays_of(F f) {
    const std::int64_t before = counters().steps_replayed;
    f();
    return counters().steps_replayed - before;
}

/// Two kernels at least: the sum is stored before it is used.
inline auto mix = [](auto x, auto factor) {
    array<double> scaled = x * factor;
    return scaled + sum(scaled);
};

template <class F, class... A>
std::vector<double> plain(F f, const A&... arguments) {
    return values(array<double>(f(arguments...)));
}

}  // namespace test_steps
