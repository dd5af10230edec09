// Bodies of random.hpp.
#pragma once

#include <sys/random.h>

#include <sinter/codegen/ops/scalar.hpp>
#include <sinter/random/random.hpp>
#include <sinter/runtime/base/environment.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE std::uint64_t entropy() {
    std::uint64_t s = 0;
    if (::getrandom(&s, sizeof s, 0) != sizeof s) s = reinterpret_cast<std::uintptr_t>(&s);
    return s;
}

}  // namespace sinter::inline SINTER_ABI::detail

namespace sinter::inline SINTER_ABI::random {

SINTER_INLINE generator::generator() : state_{detail::entropy()} {}

SINTER_INLINE void generator::set_state(const generator_state& s) {
    if (s.stream >> 48) throw value_error("[set_state] the stream is not below 2^48: " + std::to_string(s.stream));
    state_ = s;
}

// Seeds are words of the last stream, which no draw reaches.
SINTER_INLINE std::vector<generator> generator::spawn(std::int64_t n) {
    if (n < 0) throw value_error("[spawn] the number of generators is negative: " + std::to_string(n));
    auto all = detail::reserved_on_host<generator>("spawn", n);
    for (std::int64_t i = 0; i < n; ++i)
        all.push_back(
            generator(codegen::scalar::long_word(codegen::scalar::philox(state_.spawned++, state_.seed, ~0ull), 0)));
    return all;
}

SINTER_INLINE std::vector<std::byte> generator::bytes(std::int64_t n) {
    if (n < 0) throw value_error("[bytes] the number of bytes is negative: " + std::to_string(n));
    const std::int64_t padded = add_sizes("bytes", n, 3);
    auto out = detail::reserved_on_host<std::byte>("bytes", padded);
    out.resize(static_cast<std::size_t>(padded));
    if (n > 0) detail::read(detail::record_words(dtype::uint32, padded / 4, next(1)), out.data());
    out.resize(static_cast<std::size_t>(n));
    return out;
}

SINTER_INLINE generator& default_generator() {
    static thread_local generator g = runtime::env().seed ? generator(*runtime::env().seed) : generator();
    return g;
}

SINTER_INLINE void seed(std::uint64_t value) { default_generator() = generator(value); }

}  // namespace sinter::inline SINTER_ABI::random
