// Bodies of module loading and of the only function that launches on a CUDA device.
#pragma once

#include <algorithm>
#include <bit>
#include <utility>
#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/device/cuda_module.hpp>
#include <sinter/runtime/device/stream_order.hpp>

namespace sinter::inline SINTER_ABI::runtime {

#if SINTER_HAS_CUDA

SINTER_INLINE cuda_module::cuda_module(device where, const std::string& image) : where_(where) {
    use_device(where.index());
    CUmodule module = nullptr;
    check(driver().cuModuleLoadData(&module, image.c_str()), "cuModuleLoadData");
    module_ = module;
}

SINTER_INLINE cuda_kernel cuda_module::kernel(const std::string& name, bool starts_early) const {
    use_device(where_.index());
    CUfunction function = nullptr;
    check(driver().cuModuleGetFunction(&function, static_cast<CUmodule>(module_), name.c_str()),
          ("cuModuleGetFunction " + name).c_str());
    return cuda_kernel(function, starts_early);
}

// What fails here has failed before, and is thrown where it is read.
SINTER_INLINE void cuda_module::unload() noexcept {
    auto* const module = static_cast<CUmodule>(std::exchange(module_, nullptr));
    if (!module) return;
    try {
        use_device(where_.index());
        static_cast<void>(driver().cuCtxSynchronize());
        static_cast<void>(driver().cuModuleUnload(module));
    } catch (const error&) {
    }
}

SINTER_INLINE void allow_shared_memory(device where, cuda_kernel kernel, std::size_t bytes) {
    use_device(where.index());
    replaceable_kernel* const of = kernel.replaceable();
    // Plans for larger arrays go on with what they were allowed.
    if (of) bytes = std::max(bytes, of->shared_bytes);
    check(driver().cuFuncSetAttribute(static_cast<CUfunction>(kernel.function()),
                                      CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, static_cast<int>(bytes)),
          "cuFuncSetAttribute");
    if (of) of->shared_bytes = bytes;
}

SINTER_INLINE kernel_resources resources_of(device where, cuda_kernel kernel) {
    use_device(where.index());
    auto get = [&](CUfunction_attribute attribute) {
        int value = 0;
        check(driver().cuFuncGetAttribute(&value, attribute, static_cast<CUfunction>(kernel.function())),
              "cuFuncGetAttribute");
        return value;
    };
    return {get(CU_FUNC_ATTRIBUTE_NUM_REGS), get(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)};
}

SINTER_INLINE CUlaunchAttribute cluster_attribute(int along_x, int along_y) {
    CUlaunchAttribute a{};
    a.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    a.value.clusterDim.x = static_cast<unsigned>(along_x);
    a.value.clusterDim.y = static_cast<unsigned>(along_y);
    a.value.clusterDim.z = 1;
    return a;
}

SINTER_INLINE void remember_question(replaceable_kernel& of, const cluster_question& q) {
    for (const cluster_question& known : of.clusters)
        if (known.block.x == q.block.x && known.block.y == q.block.y && known.block.z == q.block.z &&
            known.most == q.most && known.shared_bytes == q.shared_bytes)
            return;
    of.clusters.push_back(q);
}

SINTER_INLINE int allow_cluster(device where, cuda_kernel kernel, launch_extent block, int most,
                                std::size_t shared_bytes) {
    if (properties(where.index()).major < 9) return 1;
    use_device(where.index());
    auto* function = static_cast<CUfunction>(kernel.function());
    if (most > codegen::portable_cluster)
        check(driver().cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1),
              "cuFuncSetAttribute");
    CUlaunchConfig c{};
    c.gridDimX = static_cast<unsigned>(most);
    c.gridDimY = 1;
    c.gridDimZ = 1;
    c.blockDimX = block.x;
    c.blockDimY = block.y;
    c.blockDimZ = block.z;
    c.sharedMemBytes = static_cast<unsigned>(shared_bytes);
    int size = 1;
    check(driver().cuOccupancyMaxPotentialClusterSize(&size, function, &c), "cuOccupancyMaxPotentialClusterSize");
    const int answer = static_cast<int>(std::bit_floor(static_cast<unsigned>(std::clamp(size, 1, most))));
    if (kernel.replaceable()) remember_question(*kernel.replaceable(), {block, most, shared_bytes, answer});
    return answer;
}

// One that waits by itself may start while the one before it runs, which hides most of what a launch takes.
SINTER_INLINE void launch_cuda(void* stream, cuda_kernel kernel, launch_extent grid, launch_extent block,
                               std::size_t shared_bytes, void* const* parameters, thread_blocks how) {
    CUlaunchAttribute attributes[2]{};
    unsigned count = 0;
    if (how.cooperative) {
        attributes[0].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
        attributes[count++].value.cooperative = 1;
    } else {
        if (how.cluster > 1 || how.cluster_y > 1) attributes[count++] = cluster_attribute(how.cluster, how.cluster_y);
        attributes[count].id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
        if (kernel.starts_early()) attributes[count++].value.programmaticStreamSerializationAllowed = 1;
    }
    CUlaunchConfig c{};
    c.gridDimX = grid.x;
    c.gridDimY = grid.y;
    c.gridDimZ = grid.z;
    c.blockDimX = block.x;
    c.blockDimY = block.y;
    c.blockDimZ = block.z;
    c.sharedMemBytes = static_cast<unsigned>(shared_bytes);
    c.hStream = static_cast<CUstream>(stream);
    c.attrs = attributes;
    c.numAttrs = count;
    auto* function = static_cast<CUfunction>(kernel.function());
    check(driver().cuLaunchKernelEx(&c, function, const_cast<void**>(parameters), nullptr), "cuLaunchKernelEx");
    count_launch();
}

SINTER_INLINE void host_synchronize(device where) {
    if (where.is_cuda()) wait_for_streams(where);
}

SINTER_INLINE void* cuda_stream(device where) {
    const cuda_state& s = use_device(where.index());
    return has_several_streams() ? native_stream(where) : s.stream;
}

#else

SINTER_INLINE void throw_no_cuda() { throw device_error("[cuda] built without CUDA headers"); }
SINTER_INLINE cuda_module::cuda_module(device, const std::string&) { throw_no_cuda(); }
SINTER_INLINE cuda_kernel cuda_module::kernel(const std::string&, bool) const {
    throw_no_cuda();
    return {};
}
SINTER_INLINE void cuda_module::unload() noexcept {}
SINTER_INLINE kernel_resources resources_of(device, cuda_kernel) { return throw_no_cuda(), kernel_resources(); }
SINTER_INLINE void allow_shared_memory(device, cuda_kernel, std::size_t) { throw_no_cuda(); }
SINTER_INLINE int allow_cluster(device, cuda_kernel, launch_extent, int, std::size_t) { return throw_no_cuda(), 1; }
SINTER_INLINE void launch_cuda(void*, cuda_kernel, launch_extent, launch_extent, std::size_t, void* const*,
                               thread_blocks) {
    throw_no_cuda();
}
SINTER_INLINE void host_synchronize(device where) {
    if (where.is_cuda()) throw_no_cuda();
}
SINTER_INLINE void* cuda_stream(device) { return throw_no_cuda(), nullptr; }

#endif

SINTER_INLINE void launch_cuda(device where, cuda_kernel kernel, launch_extent grid, launch_extent block,
                               std::size_t shared_bytes, void* const* parameters, thread_blocks how) {
    launch_cuda(cuda_stream(where), kernel, grid, block, shared_bytes, parameters, how);
}

// Who asked has laid out launches by the answers.
SINTER_INLINE bool takes_place_of(device where, cuda_kernel fresh, const replaceable_kernel& of) {
    if (of.shared_bytes > 0) allow_shared_memory(where, fresh, of.shared_bytes);
    return codegen::all_of(of.clusters.begin(), of.clusters.end(), [&](const cluster_question& q) {
        return allow_cluster(where, fresh, q.block, q.most, q.shared_bytes) >= q.answer;
    });
}

SINTER_INLINE cuda_kernel load_cuda_kernel(device where, const std::string& image, const std::string& name) {
    return cuda_module(where, image).kernel(name);
}

}  // namespace sinter::inline SINTER_ABI::runtime
