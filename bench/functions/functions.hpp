// Rows of single functions: what every library computes of equal inputs, checked by a sum; must not know the functions.
#pragma once

#include "../worker.hpp"

#include <sinter/sinter.hpp>

#include <sinter/runtime/base/counters.hpp>

#include <cstdint>
#include <optional>
#include <tuple>

namespace bench {

/// How many elements axes have where all sizes are divided by a number, as for a check on a CPU: the whole of them of a
/// long axis, their root of each of two, their third root of each of three.
struct sizes {
    double divisor;
    std::int64_t line(double n) const { return at_least(16, n / divisor); }
    std::int64_t side(double n) const { return at_least(16, n / std::sqrt(divisor)); }
    std::int64_t edge(double n) const { return at_least(8, n / std::cbrt(divisor)); }

private:
    static std::int64_t at_least(std::int64_t least, double n) {
        return std::max(least, static_cast<std::int64_t>(std::floor(n)));
    }
};

/// Numbers in [0, 1) that are equal in every library, by a multiplicative hash that float64 holds exactly.
inline auto hashed_double(std::int64_t n, std::int64_t seed) {
    return sinter::astype<double>(((sinter::arange<std::int64_t>(n) + seed) * 2654435761LL) % 4294967296LL) /
           4294967296.0;
}

template <class T = float>
sinter::array<T> hashed(const sinter::dims& shape, std::int64_t seed = 1) {
    return sinter::array<T>(sinter::reshape(sinter::astype<T>(hashed_double(shape.product(), seed)), shape)).eval();
}

/// In [-1, 1).
template <class T = float>
sinter::array<T> hashed_around_zero(const sinter::dims& shape, std::int64_t seed = 1) {
    auto around = hashed_double(shape.product(), seed) * 2.0 - 1.0;
    return sinter::array<T>(sinter::reshape(sinter::astype<T>(around), shape)).eval();
}

/// Whole numbers from 0 on that are less than `top`.
template <class T = std::int64_t>
sinter::array<T> hashed_whole(const sinter::dims& shape, double top, std::int64_t seed = 1) {
    auto whole = sinter::floor(hashed_double(shape.product(), seed) * top);
    return sinter::array<T>(sinter::reshape(sinter::astype<T>(whole), shape)).eval();
}

inline sinter::array<std::complex<float>> hashed_complex(const sinter::dims& shape) {
    using c = std::complex<float>;
    return sinter::array<c>(hashed_around_zero(shape, 1) + hashed_around_zero(shape, 2) * c(0, 1)).eval();
}

/// The sum of elements times 1 to 7 in turn, so that one in a wrong place is noticed, and of their magnitudes.
struct checksum {
    double sum = 0, magnitude = 0;

    template <class T>
    void add(const sinter::array<T>& x) {
        if constexpr (sinter::codegen::is_complex(sinter::dtype_of<T>)) {
            add(sinter::array(sinter::real(x)));
            add(sinter::array(sinter::imag(x)));
        } else {
            auto weighted = sinter::ravel(sinter::astype<double>(x)) *
                            sinter::astype<double>(sinter::arange<std::int64_t>(x.size()) % 7 + 1);
            sum += static_cast<double>(sinter::sum(weighted));
            magnitude += static_cast<double>(sinter::sum(sinter::abs(weighted)));
        }
    }
};

template <class R>
auto as_results(const R& r) {
    if constexpr (sinter::expression<R>) return std::tuple(sinter::array<sinter::value_type_t<R>>(r));
    else return r;
}

/// The fields that tell what a call gives: launches, bytes of operands and results, and the checksum.
template <class Call>
std::string facts_of(Call call, double operands, bool checked) {
    sinter::synchronize();
    sinter::reset_counters();
    auto results = call();
    sinter::synchronize();
    const sinter::counters_t c = sinter::counters();
    checksum check;
    double bytes = operands;
    std::apply([&](const auto&... r) { ((bytes += static_cast<double>(r.nbytes())), ...); }, results);
    if (checked) std::apply([&](const auto&... r) { (check.add(r), ...); }, results);
    char text[240];
    std::snprintf(text, sizeof text, ", \"launches\": %lld, \"bytes\": %.0f",
                  static_cast<long long>(c.launches) + static_cast<long long>(c.library_calls), bytes);
    std::string fields = text;
    std::snprintf(text, sizeof text, ", \"sum\": %.17g, \"magnitude\": %.17g", check.sum, check.magnitude);
    if (checked && !std::isfinite(check.sum)) return fields + ", \"sum\": NaN, \"magnitude\": NaN";
    return checked ? fields + text : fields;
}

/// A row that computes f of the operands: an expression, or a tuple of arrays. The last results stay until the next.
template <class F, class... X>
work row_of(bool checked, F f, const X&... x) {
    auto call = [=] {
        auto results = as_results(f(x...));
        std::apply([](const auto&... r) { sinter::eval(r...); }, results);
        return results;
    };
    auto kept = std::make_shared<std::optional<decltype(call())>>();
    const double operands = (0.0 + ... + static_cast<double>(x.nbytes()));
    return {[call, kept](int) { kept->emplace(call()); }, [] { sinter::synchronize(); }, false,
            [=] { return facts_of(call, operands, checked); }};
}

template <class F, class... X>
work computing(F f, const X&... x) {
    return row_of(true, f, x...);
}

/// Of random numbers, which differ from library to library.
template <class F, class... X>
work drawing(F f, const X&... x) {
    return row_of(false, f, x...);
}

struct function_row {
    const char* name;
    work (*make)(const sizes&);
};
using function_rows = std::vector<function_row>;

function_rows functions_of_elements();
function_rows functions_of_axes();
function_rows functions_of_order();
function_rows functions_of_shapes();
function_rows functions_of_neighbours();
function_rows products();
function_rows functions_of_signals();
function_rows random_functions();

}  // namespace bench
