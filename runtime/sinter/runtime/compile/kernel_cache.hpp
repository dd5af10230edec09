// Compiled kernels by structure: found in memory, in a pack, on disk, or emitted and compiled; must not know arrays.
#pragma once

#include <sinter/codegen/print/host/emit_host.hpp>
#include <sinter/runtime/compile/backend.hpp>
#include <sinter/runtime/device/cuda_module.hpp>
#include <sinter/runtime/compile/shared_image.hpp>

namespace sinter::inline SINTER_ABI::runtime {

using host_entry = void(void* const* memory, const long long* n, const unsigned char* c, long long begin, long long end,
                        long long* error);

/// A kernel ready to launch; lives as long as the process.
struct compiled_kernel {
    codegen::kernel_source source;
    host_entry* host_run = nullptr;
    host_entry* host_finish = nullptr;
    cuda_kernel cuda_run;
    int most_cluster = 1;  ///< thread blocks of it that may be a cluster, where it has a use for them
};

/// The compiled form of a kernel on a device. Throws compile_error, or device_error when the compiler is missing and
/// neither a pack nor the disk cache has the kernel.
const compiled_kernel& find_kernel(const codegen::kernel& k, device where);

/// The compiled form of a kernel when this process has it, or nullptr.
const compiled_kernel* kernel_in_memory(const codegen::kernel& k, device where);

/// Whether a pack holds the kernel's code for the device.
bool is_kernel_packed(const codegen::kernel& k, device where);

/// A text of kernels that are no codegen::kernel, loaded for a device; lives as long as the process.
struct compiled_text {
    cuda_module cuda;
    shared_image host;
};

/// The compiled form of such a text, found as kernels are; throws what find_kernel throws.
const compiled_text& find_text(const codegen::kernel_source& source, device where);
/// A kernel of a text of CUDA C++ that users wrote, by its name as C++ spells it; see compile_users_cuda.
cuda_kernel find_users_kernel(const std::string& source, const std::string& kernel,
                              std::span<const std::string> options, device where);

/// The language of a device's kernels.
inline codegen::language language_of(device where) {
    return where.is_cuda() ? codegen::language::cuda : codegen::language::host;
}

/// Source of a kernel in the language of a backend.
codegen::kernel_source emit(const codegen::kernel& k, device where);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/compile/kernel_cache.ipp>
#endif
