// Divisions, roots and logarithms of one kernel of much work: the bits of these operations one by one, whatever the
// numbers.
#include <bit>
#include <cmath>
#include <random>
#include <sinter/sinter.hpp>

#include "support/backends.hpp"
#include "support/stored_arrays.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

constexpr std::int64_t length = (1 << 20) + 4099;

std::vector<std::uint32_t> bits_of(const array<float>& x) {
    std::vector<std::uint32_t> b;
    for (float v : values(x)) b.push_back(std::isnan(v) ? 0x7fffffffu : std::bit_cast<std::uint32_t>(v));
    return b;
}

/// Ordinary numbers, every so many of them one of any bits at all.
array<float> numbers(std::uint32_t seed, unsigned odd_every) {
    std::mt19937 random(seed);
    std::vector<float> v(static_cast<std::size_t>(length));
    for (float& x : v) {
        x = 0.25f + static_cast<float>(random() >> 8) * 0x1p-19f;
        if (odd_every && random() % odd_every == 0) x = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    }
    return array<float>(detail::store(dtype::float32, {length}, v.data()));
}

array<float> evaluated(array<float> x) {
    x.eval();
    return x;
}

}  // namespace

TEST_CASE("divisions, roots, logarithms and error functions in one kernel have the bits of each by itself") {
    on_every_backend([](const tested_backend&) {
        for (unsigned odd_every : {0u, 1u, 7u, 500u}) {
            CAPTURE(odd_every);
            const array<float> s = numbers(1, odd_every), k = numbers(2, odd_every), t = numbers(3, odd_every);
            eval(s, k, t);
            const array<float> root = evaluated(sqrt(t)), ratio = evaluated(s / k), logarithm = evaluated(log(ratio)),
                               quotient = evaluated(logarithm / root), other = evaluated(root / s),
                               inside = evaluated(erf(quotient)), rest = evaluated(evaluated(erf(root)) * k);
            array<float> one = log(s / k) / sqrt(t), two = erf(log(s / k) / sqrt(t)) - erf(sqrt(t)) * k,
                         three = sqrt(t) / s;
            eval(one, two, three);
            CHECK(bits_of(one) == bits_of(quotient));
            CHECK(bits_of(two) == bits_of(evaluated(inside - rest)));
            CHECK(bits_of(three) == bits_of(other));
        }
    });
}
