// Bodies of kernel_backend.hpp.
#pragma once

#include <sinter/runtime/execute/cuda_kernels.hpp>
#include <sinter/runtime/execute/host_kernels.hpp>
#include <sinter/runtime/execute/kernel_backend.hpp>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE const kernel_backend& kernel_backend_of(device where) {
    return where.is_cuda() ? cuda_kernels() : host_kernels();
}

}  // namespace sinter::inline SINTER_ABI::runtime
