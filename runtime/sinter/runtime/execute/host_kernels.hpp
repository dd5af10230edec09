// Kernels on the CPU, whose loops a team of threads shares.
#pragma once

#include <sinter/runtime/execute/kernel_backend.hpp>

namespace sinter::inline SINTER_ABI::runtime {

const kernel_backend& host_kernels();

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/execute/host_kernels.ipp>
#endif
