// Numbers of 16 bits as the emulated libraries hold them, which compute as float.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace cuda_emulation {

// The upper half of a float.
struct brain {
    std::uint16_t bits;
    brain(float x) {
        std::uint32_t whole;
        std::memcpy(&whole, &x, sizeof x);
        bits = static_cast<std::uint16_t>(x != x ? 0x7fc0 : (whole + 0x7fff + (whole >> 16 & 1)) >> 16);
    }
    operator float() const {
        const std::uint32_t whole = std::uint32_t{bits} << 16;
        float x;
        std::memcpy(&x, &whole, sizeof x);
        return x;
    }
};

// The binary16 of IEEE 754, which not every compiler has.
struct binary16 {
    std::uint16_t bits;
    binary16(float x) {
        const float size = std::fabs(x);
        int exponent = 0;
        const float fraction = std::frexp(size, &exponent);
        const auto whole = [](float v) { return static_cast<int>(std::nearbyint(v)); };
        const int rounded = size != size      ? 0x7e00
                            : size >= 65520   ? 0x7c00
                            : size < 0x1p-14f ? whole(size * 0x1p24f)
                                              : ((exponent + 14) << 10) + whole(fraction * 2048) - 1024;
        bits = static_cast<std::uint16_t>(rounded | (std::signbit(x) ? 0x8000 : 0));
    }
    operator float() const {
        const int exponent = bits >> 10 & 31, fraction = bits & 1023;
        const float size = exponent == 31 ? (fraction ? NAN : INFINITY)
                           : exponent     ? std::ldexp(static_cast<float>(1024 + fraction), exponent - 25)
                                          : std::ldexp(static_cast<float>(fraction), -24);
        return bits >> 15 ? -size : size;
    }
};

}  // namespace cuda_emulation
