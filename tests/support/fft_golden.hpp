// NumPy's Fourier transforms by name, the operands that they were made of, and what their tests share; must not know
// backends.
#pragma once

#include <cmath>
#include <cstring>
#include <sinter/sinter.hpp>
#include <string>
#include <vector>

#include "language_golden.hpp"

namespace fft_golden {

using namespace sinter;

/// The operand that generate/fft.py computes too.
template <class T>
array<T> signal(const dims& shape, std::int64_t k = 0) {
    const auto n = static_cast<std::size_t>(shape.product());
    std::vector<T> v(n);
    auto number = [](std::size_t i, std::int64_t shift) {
        const auto x = static_cast<std::int64_t>(i);
        return static_cast<double>((x * x % 1009 * 7 + x * 37 + shift * 11) % 1009) * 0.0625 - 31.5;
    };
    for (std::size_t i = 0; i < n; ++i) {
        if constexpr (codegen::is_complex(dtype_of<T>)) {
            using R = typename T::value_type;
            v[i] = T(static_cast<R>(number(i, k)), static_cast<R>(number(i, k + 5)));
        } else v[i] = static_cast<T>(number(i, k));
    }
    return array<T>(detail::store(dtype_of<T>, shape, v.data()));
}

/// Half of a spectrum whose transform has n real elements.
template <class C>
array<C> half_spectrum(std::int64_t n) {
    array<C> x = signal<C>(dims(n / 2 + 1));
    array<std::int64_t> i = arange<std::int64_t>(n / 2 + 1);
    return where(i == 0 || 2 * i == n, astype<C>(real(x)), x);
}

/// Whether NumPy's results hold this element, of those that are too large to hold each.
inline bool is_held(std::size_t i) { return static_cast<std::uint32_t>(i * 2654435761u) < 0xffffffffu / 3; }

/// ||got - want|| / ||want|| against a bound of 5 epsilon log2 n.
inline void compare(const std::string& name, const detail::handle& h, std::int64_t points) {
    CAPTURE(name);
    auto found = golden::numpy_results().find("fft " + name);
    REQUIRE_MESSAGE(found != golden::numpy_results().end(), "no golden data");
    const golden::numpy_result& want = found->second;
    CHECK(to_string(h->shape) == to_string(want.shape));
    CHECK(codegen::is_complex(h->type) == (want.type == "complex128"));
    if (h->shape != want.shape || codegen::is_complex(h->type) != (want.type == "complex128")) return;
    const std::size_t parts = codegen::is_complex(h->type) ? 2 : 1,
                      count = static_cast<std::size_t>(h->shape.product());
    std::vector<double> got(count * parts);
    detail::read(detail::record_cast(h, parts == 2 ? dtype::complex128 : dtype::float64), got.data());
    const bool is_whole = want.bytes.size() == got.size() * 8;
    double error = 0, size = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (!is_whole && !is_held(i)) continue;
        for (std::size_t part = 0; part < parts; ++part, at += 8) {
            REQUIRE(at < want.bytes.size());
            double w;
            std::memcpy(&w, &want.bytes[at], 8);
            error += (got[i * parts + part] - w) * (got[i * parts + part] - w);
            size += w * w;
        }
    }
    REQUIRE(at == want.bytes.size());
    const dtype part = codegen::real_of(h->type);
    const double epsilon = part == dtype::float16   ? 0x1p-10
                           : part == dtype::float32 ? 1.1920929e-07
                                                    : 2.220446049250313e-16;
    CHECK(std::sqrt(error / (size > 0 ? size : 1)) <=
          5 * epsilon * std::fmax(1, std::log2(static_cast<double>(points))));
}

template <class T, expression E>
void check(const std::string& name, const E& e, std::int64_t points) {
    using R = value_type_t<E>;
    static_assert(codegen::real_of(dtype_of<R>) == codegen::real_of(codegen::floating_of(dtype_of<T>)));
    compare(name, detail::as_handle(e), points);
}

template <expression E>
auto thinned(const E& e) {
    array<value_type_t<E>> x = e;
    const std::int64_t n = x.size();
    return n <= 101 ? x : array<value_type_t<E>>(x(slice(none, none, n / 64)));
}

/// All transforms of one axis of n points.
template <class R, class C>
void check_every_transform(std::int64_t n) {
    const std::string size = std::to_string(n);
    auto x = signal<R>(dims(n));
    auto z = signal<C>(dims(n)), h = half_spectrum<C>(n);
    check<R>("fft " + size + " complex", thinned(fft::fft(z)), n);
    check<R>("fft " + size + " real", thinned(fft::fft(x)), n);
    check<R>("ifft " + size + " complex", thinned(fft::ifft(z)), n);
    check<R>("rfft " + size + " real", thinned(fft::rfft(x)), n);
    check<R>("irfft " + size + " complex", thinned(fft::irfft(h, n)), n);
    check<R>("hfft " + size + " complex", thinned(fft::hfft(h, n)), n);
    check<R>("ihfft " + size + " real", thinned(fft::ihfft(x)), n);
}

/// In single and in double precision: a real and a complex type.
template <class Body>
void for_each_precision(Body body) {
    body(float(), std::complex<float>());
    body(double(), std::complex<double>());
}

/// Launches and library calls that computing takes.
struct work {
    std::int64_t launches, calls;
    friend bool operator==(const work&, const work&) = default;
};
inline doctest::String toString(const work& w) {
    return (std::to_string(w.launches) + " launches, " + std::to_string(w.calls) + " calls").c_str();
}

template <expression E>
work work_of(const E& e) {
    const auto before = counters();
    e.eval();
    return {counters().launches - before.launches, counters().library_calls - before.library_calls};
}

}  // namespace fft_golden
