// What sinter's rows share: the device, inputs in turn, and calls that evaluate and are counted.
#pragma once

#include "worker.hpp"

#include <sinter/sinter.hpp>

#include <sinter/runtime/base/counters.hpp>

#include <cstdlib>
#include <optional>
#include <tuple>

namespace bench {

inline sinter::device target = sinter::device::cpu();

inline double cache_bytes() {
    const char* given = std::getenv("BENCH_CACHE_BYTES");
    return given ? std::atof(given) : 64e6;
}

template <class T = float>
std::vector<sinter::array<T>> inputs(const sinter::dims& shape, double low = -3, double high = 3) {
    const double bytes = static_cast<double>(shape.product()) * sizeof(T);
    std::vector<sinter::array<T>> list;
    for (int i = rotation(bytes, cache_bytes()); i > 0; --i)
        list.push_back(sinter::random::uniform<T>(low, high, shape).eval());
    target.synchronize();
    return list;
}

template <class T>
const sinter::array<T>& pick(const std::vector<sinter::array<T>>& list, int i) {
    return list[static_cast<std::size_t>(i) % list.size()];
}

/// The counters of one call, in which only what the call itself needs is alive besides its inputs.
inline std::string counted(const std::function<void()>& call) {
    sinter::synchronize();
    sinter::reset_counters();
    call();
    target.synchronize();
    sinter::counters_t c = sinter::counters();
    char text[320];
    std::snprintf(text, sizeof text,
                  ", \"launches\": %lld, \"library_calls\": %lld, \"compiled\": %lld, \"peak\": %lld, \"used\": %lld",
                  static_cast<long long>(c.launches), static_cast<long long>(c.library_calls),
                  static_cast<long long>(c.kernels_compiled), static_cast<long long>(c.pool_peak),
                  static_cast<long long>(c.pool_used));
    return text;
}

/// A row whose calls compute f(i), which returns the arrays to evaluate; the last results stay until the next call.
template <class F>
work evaluating(F f) {
    auto kept = std::make_shared<std::optional<decltype(f(0))>>();
    auto call = [f, kept](int i) {
        kept->reset();
        std::apply([](const auto&... results) { sinter::eval(results...); }, kept->emplace(f(i)));
    };
    return {call, [] { target.synchronize(); }, false, [call] { return counted([&] { call(0); }); }};
}

/// Softmax, sums and what else reduces or runs along axes, of shapes that rows.py gives.
work reduction_row(const std::string& row, const sinter::dims& shape);

}  // namespace bench
