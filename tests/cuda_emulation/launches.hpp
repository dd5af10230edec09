// What a launch on an emulated machine asks for and what is refused of it; must not know graphs.
#pragma once

#include "calls.hpp"
#include "driver_tables.hpp"

#include <memory>
#include <string>

namespace cuda_emulation {

inline emulated_kernel* kernel_of(CUfunction f) {
    for (emulated_module* m : the_machine().modules)
        for (auto& k : m->kernels)
            if (reinterpret_cast<CUfunction>(k.get()) == f) return k.get();
    return nullptr;
}

inline CUresult check_launch(const emulated_kernel& k, const coordinates& grid, const coordinates& block,
                             std::size_t shared) {
    const unsigned long long threads = 1ull * block.x * block.y * block.z;
    if (grid.x == 0 || grid.y == 0 || grid.z == 0 || threads == 0) return CUDA_ERROR_INVALID_VALUE;
    if (grid.x > 0x7fffffff || grid.y > 65535 || grid.z > 65535) return CUDA_ERROR_INVALID_VALUE;
    if (block.x > 1024 || block.y > 1024 || block.z > 64 || threads > 1024) return CUDA_ERROR_INVALID_VALUE;
    if (threads > k.bound) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    if (k.dynamic_limit) return shared > k.dynamic_limit ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    std::size_t fixed = k.module->image ? static_cast<std::size_t>(k.module->shared_end - k.module->shared_begin) : 0;
    if (fixed <= 16) fixed = 0;  // the mark of the section's beginning
    // What is fixed alone is checked by the compiler, kernel by kernel.
    return shared && shared + fixed > 48 * 1024 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

/// A launch with its arguments as they were.
struct captured_launch {
    const emulated_kernel* kernel = nullptr;
    launch_arguments arguments;
};

inline CUresult capture(const CUDA_KERNEL_NODE_PARAMS& p, captured_launch& to) {
    const emulated_kernel* k = kernel_of(p.func);
    if (!k || p.extra) return CUDA_ERROR_INVALID_HANDLE;
    if (k->module->device != current_context())
        return complain("a kernel of another context"), CUDA_ERROR_INVALID_HANDLE;
    launch_arguments a;
    a.grid = {p.gridDimX, p.gridDimY, p.gridDimZ};
    a.block = {p.blockDimX, p.blockDimY, p.blockDimZ};
    a.dynamic_shared = p.sharedMemBytes;
    if (const CUresult refused = check_launch(*k, a.grid, a.block, p.sharedMemBytes); refused != CUDA_SUCCESS)
        return refused;
    for (int i = 0; k->code && i < k->code->count; ++i) {
        const std::size_t size = k->code->sizes[i], at = (a.bytes.size() + size - 1) / size * size;
        a.bytes.resize(at + size);
        std::memcpy(&a.bytes[at], p.kernelParams[i], size);
    }
    if (a.bytes.size() > 4096) return CUDA_ERROR_INVALID_VALUE;
    to = {k, std::move(a)};
    return CUDA_SUCCESS;
}

// A kernel that may start before earlier ones have ended must wait for them before it does anything.
inline CUresult check_early(const emulated_kernel& k) {
    const std::string& text = k.module->text;
    const std::size_t head = text.find(k.name + "("), body = text.find('{', head), end = text.find(';', body);
    if (head != std::string::npos && end != std::string::npos &&
        text.substr(body, text.find('\n', end) - body).find("griddepcontrol.wait") != std::string::npos)
        return CUDA_SUCCESS;
    return complain("a kernel that waits for nothing is started early: " + k.name), CUDA_ERROR_INVALID_VALUE;
}

// Thread blocks that wait for each other must be at work all at once.
inline CUresult check_cooperative(const captured_launch& l) {
    const coordinates& g = l.arguments.grid;
    return 1ull * g.x * g.y * g.z <= most_blocks ? CUDA_SUCCESS : CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
}

// Only kernels that ask for clusters by functions, not by instructions, are emulated in them.
inline int cluster_limit(const emulated_kernel& k) {
    return capability() >= 90 && k.module->text.find("__cluster_barrier_wait") != std::string::npos ? most_cluster : 1;
}

inline CUresult set_cluster(captured_launch& l, const CUlaunchAttributeValue& value) {
    const coordinates c{value.clusterDim.x, value.clusterDim.y, value.clusterDim.z}, &g = l.arguments.grid;
    if (c.x == 0 || c.y == 0 || c.z == 0 || g.x % c.x || g.y % c.y || g.z % c.z) return CUDA_ERROR_INVALID_VALUE;
    if (1ull * c.x * c.y * c.z > static_cast<unsigned>(cluster_limit(*l.kernel)))
        return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    return l.arguments.cluster = c, CUDA_SUCCESS;
}

inline CUresult enqueue_launch(emulated_stream& s, const captured_launch& l) {
    if (const CUresult wrong = use_arguments(s, *l.kernel, l.arguments); wrong != CUDA_SUCCESS) return wrong;
    auto a = std::make_shared<launch_arguments>(l.arguments);
    return enqueue(s, [k = l.kernel, a] { return run_kernel(*k, *a); });
}

}  // namespace cuda_emulation
