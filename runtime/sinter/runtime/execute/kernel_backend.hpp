// What the devices that compile kernels do differently: the rest of planning and running knows no devices.
#pragma once

#include <sinter/codegen/base/sequence.hpp>
#include <sinter/runtime/device/device.hpp>

namespace sinter::inline SINTER_ABI::codegen {
struct fusion_limits;
struct plan;
}  // namespace sinter::inline SINTER_ABI::codegen

namespace sinter::inline SINTER_ABI::runtime {

struct launched_check;
struct prepared_kernel;

/// Beside the code_backend of its language.
struct kernel_backend {
    /// The numbers that fusion weighs.
    const codegen::fusion_limits& (*limits)(device where);
    /// Whether its products take what follows them along.
    bool has_epilogues;
    /// Whether a plan's launches may be recorded as one graph.
    bool (*is_replayable)(const codegen::plan& p, device where);
    /// Gives a prepared kernel, whose operands and scalars are known, its launches and the block of their arguments.
    void (*geometry)(prepared_kernel& k, device where);
    /// Launches a kernel whose arguments are bound. Throws index_error on the host; a GPU's checks are appended.
    void (*launch)(const prepared_kernel& k, device where, codegen::sequence<launched_check>& checks);
};

const kernel_backend& host_kernels();
const kernel_backend& cuda_kernels();

/// The backend of a device.
const kernel_backend& kernel_backend_of(device where);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/execute/kernel_backend.ipp>
#endif
