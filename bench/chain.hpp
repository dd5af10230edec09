// The chains of additions and multiplications whose first use is measured, and the kernel by hand for one; must not know how it is
// compiled.
#pragma once

#include <string>

namespace bench {

/// Sixteen additions and multiplications in the order of the bits below the leading one; and the order so many further on.
inline int chain_after(int bits, int steps = 1) { return ((bits + steps) & 0xFFFF) | 0x10000; }

inline std::string text_of_chain(int bits) {
    std::string text = "extern \"C\" __global__ void chain_by_hand(const float* x, float* y, unsigned n) {\n"
                       "    unsigned i = blockIdx.x * 256u + threadIdx.x;\n    if (i >= n) return;\n    float v = x[i], w = v;\n";
    for (; bits > 1; bits /= 2) text += bits % 2 ? "    w += 10;\n" : "    w *= v;\n";
    return text + "    y[i] = w;\n}\n";
}

}  // namespace bench
