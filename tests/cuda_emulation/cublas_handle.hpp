// The handle of the emulated libcublas.so.
#pragma once

#include <driver_types.h>

namespace cuda_emulation {

struct emulated_handle {
    cudaStream_t stream = nullptr;
    bool has_workspace = false;
    bool sums_in_full = false;  ///< of half precision
};

}  // namespace cuda_emulation
