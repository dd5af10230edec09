// Whether the emulated machine does nothing of what it is asked to compute, for those who only want kernels' texts.
#pragma once

#include <cstdlib>

namespace cuda_emulation {

/// SINTER_EMULATED_IDLE=1: kernels are neither compiled nor run, libraries compute nothing, and fresh memory is zero.
inline bool is_idle() {
    static const char* asked = std::getenv("SINTER_EMULATED_IDLE");
    return asked && *asked == '1';
}

}  // namespace cuda_emulation
