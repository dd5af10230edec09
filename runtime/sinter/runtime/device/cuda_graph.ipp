// Bodies of cuda_graph.hpp.
#pragma once

#include <mutex>
#include <utility>

#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/base/owner.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/device/cuda_graph.hpp>

namespace sinter::inline SINTER_ABI::runtime {

#if SINTER_HAS_CUDA

SINTER_INLINE CUDA_KERNEL_NODE_PARAMS node_parameters(const recorded_launch& l) {
    CUDA_KERNEL_NODE_PARAMS p{};
    p.func = static_cast<CUfunction>(l.kernel.function());
    p.gridDimX = l.grid.x;
    p.gridDimY = l.grid.y;
    p.gridDimZ = l.grid.z;
    p.blockDimX = l.block.x;
    p.blockDimY = l.block.y;
    p.blockDimZ = l.block.z;
    p.sharedMemBytes = static_cast<unsigned>(l.shared_bytes);
    p.kernelParams = const_cast<void**>(l.parameters);
    return p;
}

SINTER_INLINE CUDA_MEMSET_NODE_PARAMS fill_parameters(const recorded_launch& l) {
    CUDA_MEMSET_NODE_PARAMS p{};
    p.dst = reinterpret_cast<CUdeviceptr>(l.to);
    p.elementSize = l.bytes % 4 == 0 ? 4 : 1;
    p.width = l.bytes / p.elementSize;
    p.height = 1;
    return p;
}

SINTER_INLINE CUDA_MEMCPY3D copy_parameters(const recorded_launch& l) {
    CUDA_MEMCPY3D p{};
    p.srcMemoryType = p.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    p.srcDevice = reinterpret_cast<CUdeviceptr>(l.from);
    p.dstDevice = reinterpret_cast<CUdeviceptr>(l.to);
    p.WidthInBytes = l.bytes;
    p.Height = p.Depth = 1;
    return p;
}

// A copy or fill after another node.
SINTER_INLINE CUresult add_transfer(CUgraph graph, CUgraphNode after, const recorded_launch& l, CUcontext context,
                                    CUgraphNode& node) {
    const cuda_driver& d = driver();
    const std::size_t before = after ? 1 : 0;
    if (l.from) {
        const CUDA_MEMCPY3D p = copy_parameters(l);
        return d.cuGraphAddMemcpyNode(&node, graph, &after, before, &p, context);
    }
    const CUDA_MEMSET_NODE_PARAMS p = fill_parameters(l);
    return d.cuGraphAddMemsetNode(&node, graph, &after, before, &p, context);
}

// What the thread blocks of a launch have to do with each other.
SINTER_INLINE CUresult set_blocks(CUgraphNode node, const recorded_launch& l) {
    if (l.cluster_y == 1 && !l.cooperative) return CUDA_SUCCESS;
    CUkernelNodeAttrValue value{};
    if (l.cooperative) {
        value.cooperative = 1;
        return driver().cuGraphKernelNodeSetAttribute(node, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value);
    }
    value.clusterDim.x = value.clusterDim.z = 1;
    value.clusterDim.y = static_cast<unsigned>(l.cluster_y);
    return driver().cuGraphKernelNodeSetAttribute(node, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &value);
}

// A launch after another node; one that waits by itself may start while the launch before it runs, where graphs know of
// it.
SINTER_INLINE CUresult add_launch(CUgraph graph, CUgraphNode after, bool after_launch, const recorded_launch& l,
                                  CUgraphNode& node) {
    const cuda_driver& d = driver();
    const CUDA_KERNEL_NODE_PARAMS p = node_parameters(l);
#if CUDA_VERSION >= 12030
    if (after_launch && l.kernel.starts_early() && d.add_dependencies) {
        CUresult result = d.cuGraphAddKernelNode(&node, graph, nullptr, 0, &p);
        if (result == CUDA_SUCCESS) result = set_blocks(node, l);
        if (result != CUDA_SUCCESS) return result;
        CUgraphEdgeData edge{};
        edge.type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
        edge.from_port = CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC;
        return d.add_dependencies(graph, &after, &node, &edge, 1);
    }
#endif
    static_cast<void>(after_launch);
    const CUresult result = d.cuGraphAddKernelNode(&node, graph, after ? &after : nullptr, after ? 1 : 0, &p);
    return result == CUDA_SUCCESS ? set_blocks(node, l) : result;
}

/// The nodes of launches that follow each other.
struct node_chain {
    codegen::sequence<void*> nodes;  ///< CUgraphNodes
    std::int64_t kernels = 0;
};

SINTER_INLINE CUresult add_chain(CUgraph graph, const codegen::sequence<recorded_launch>& launches, CUcontext context,
                                 node_chain& to) {
    CUgraphNode last = nullptr;
    bool after_launch = false;
    for (const recorded_launch& l : launches) {
        CUgraphNode node = nullptr;
        const CUresult result =
            l.kernel ? add_launch(graph, last, after_launch, l, node) : add_transfer(graph, last, l, context, node);
        if (result != CUDA_SUCCESS) return result;
        to.nodes.push_back(last = node);
        after_launch = bool(l.kernel);
        to.kernels += after_launch;
    }
    return CUDA_SUCCESS;
}

SINTER_INLINE cuda_graph::cuda_graph(device where, const codegen::sequence<recorded_launch>& launches) : where_(where) {
    const cuda_state& s = use_device(where.index());
    const cuda_driver& d = driver();
    CUgraph graph = nullptr;
    check(d.cuGraphCreate(&graph, 0), "cuGraphCreate");
    graph_ = graph;  // its nodes name those of the executable graph as long as it lives
    node_chain chain;
    CUresult result = add_chain(graph, launches, s.context, chain);
    nodes_ = std::move(chain.nodes);
    kernels_ = chain.kernels;
    CUgraphExec executable = nullptr;
    if (result == CUDA_SUCCESS) result = d.cuGraphInstantiateWithFlags(&executable, graph, 0);
    executable_ = executable;
    if (result == CUDA_SUCCESS) return;
    d.cuGraphDestroy(graph);
    throw_cuda(result, "cuGraphInstantiate");
}

// Nothing to report to: a device that has failed says so at the next call that may throw.
SINTER_INLINE void destroy_graph(device where, void* executable, void* graph) noexcept {
    try {
        host_synchronize(where);
        use_device(where.index());
        if (executable) driver().cuGraphExecDestroy(static_cast<CUgraphExec>(executable));
        if (graph) driver().cuGraphDestroy(static_cast<CUgraph>(graph));
    } catch (...) {
    }
}

SINTER_INLINE cuda_graph::~cuda_graph() { destroy_graph(where_, executable_, graph_); }

SINTER_INLINE void cuda_graph::replace(std::size_t number, const recorded_launch& l) {
    const auto executable = static_cast<CUgraphExec>(executable_);
    const auto node = static_cast<CUgraphNode>(nodes_[number]);
    if (l.kernel) {
        const CUDA_KERNEL_NODE_PARAMS p = node_parameters(l);
        return check(driver().cuGraphExecKernelNodeSetParams(executable, node, &p), "cuGraphExecKernelNodeSetParams");
    }
    const CUcontext context = use_device(where_.index()).context;
    if (l.from) {
        const CUDA_MEMCPY3D p = copy_parameters(l);
        return check(driver().cuGraphExecMemcpyNodeSetParams(executable, node, &p, context),
                     "cuGraphExecMemcpyNodeSetParams");
    }
    const CUDA_MEMSET_NODE_PARAMS p = fill_parameters(l);
    check(driver().cuGraphExecMemsetNodeSetParams(executable, node, &p, context), "cuGraphExecMemsetNodeSetParams");
}

SINTER_INLINE void cuda_graph::run() {
    CUstream stream = static_cast<CUstream>(cuda_stream(where_));
    check(driver().cuGraphLaunch(static_cast<CUgraphExec>(executable_), stream), "cuGraphLaunch");
    count_launch(kernels_);
}

#if CUDA_VERSION >= 12040

// What tells a WHILE node whether there is another turn. PTX, as the driver alone has what it calls.
inline constexpr const char* condition_ptx = R"(.version 7.0
.target sm_70
.address_size 64

.extern .func cudaGraphSetConditional (.param .b64 handle, .param .b32 value);

// left: turns to come, one less now, or `begin` of them if that is not 0; condition: a bool, or null.
.visible .entry set_condition (.param .u64 handle, .param .u64 left, .param .u64 condition, .param .u32 begin) {
    .reg .pred %p<4>;
    .reg .b32 %r<5>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [handle];
    ld.param.u64 %rd2, [left];
    ld.param.u64 %rd3, [condition];
    ld.param.u32 %r1, [begin];
    setp.eq.u32 %p1, %r1, 0;
    @%p1 ld.global.u32 %r1, [%rd2];
    @%p1 add.u32 %r1, %r1, -1;
    st.global.u32 [%rd2], %r1;
    mov.u32 %r2, 1;
    setp.ne.u64 %p2, %rd3, 0;
    @%p2 ld.global.u8 %r2, [%rd3];
    setp.ne.u32 %p3, %r1, 0;
    selp.u32 %r3, %r2, 0, %p3;
    { .param .b64 p0; .param .b32 p1;
    st.param.b64 [p0], %rd1;
    st.param.b32 [p1], %r3;
    call.uni cudaGraphSetConditional, (p0, p1); }
    ret;
}
)";

/// What sets conditions on a device; nothing where its driver cannot.
struct condition_setter {
    cuda_module module;
    cuda_kernel kernel;
};

SINTER_INLINE cuda_kernel condition_kernel(device where) {
    static codegen::sequence<codegen::owner<condition_setter>>& known =
        *new codegen::sequence<codegen::owner<condition_setter>>;
    static std::mutex& guard = *new std::mutex;
    std::lock_guard lock(guard);
    const auto index = static_cast<std::size_t>(where.index());
    while (known.size() <= index) known.push_back({});
    if (known[index]) return known[index]->kernel;
    auto fresh = codegen::owner(new condition_setter());
    if (driver().add_node && driver().create_condition) try {
            fresh->module = cuda_module(where, condition_ptx);
            fresh->kernel = fresh->module.kernel("set_condition");
        } catch (const device_error&) {
            fresh->kernel = cuda_kernel();
        }
    known[index] = std::move(fresh);
    return known[index]->kernel;
}

SINTER_INLINE bool cuda_loop::is_supported(device where) { return bool(condition_kernel(where)); }

SINTER_INLINE cuda_loop::cuda_loop(device where, const codegen::sequence<recorded_launch>& turn, const void* condition)
    : where_(where), condition_(condition) {
    try {
        build(turn);
    } catch (...) {
        destroy();
        throw;
    }
}

SINTER_INLINE void cuda_loop::build(const codegen::sequence<recorded_launch>& turn) {
    const cuda_driver& d = driver();
    const CUcontext context = use_device(where_.index()).context;
    CUdeviceptr left = 0;
    check(d.cuMemAllocAsync(&left, sizeof most_, static_cast<CUstream>(cuda_stream(where_))), "cuMemAllocAsync");
    left_ = left;
    CUgraph graph = nullptr;
    check(d.cuGraphCreate(&graph, 0), "cuGraphCreate");
    graph_ = graph;
    CUgraphConditionalHandle handle = 0;
    check(d.create_condition(&handle, graph, context, 0, 0), "cuGraphConditionalHandleCreate");
    handle_ = handle;
    void* parameters[] = {&handle_, &left_, &condition_, &most_};
    CUgraphNode first = nullptr, last = nullptr, loop = nullptr;
    const CUDA_KERNEL_NODE_PARAMS set = node_parameters({condition_kernel(where_), {}, {}, 0, parameters});
    check(d.cuGraphAddKernelNode(&first, graph, nullptr, 0, &set), "cuGraphAddKernelNode");
    first_ = first;
    CUgraphNodeParams p{};
    p.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
    p.conditional.handle = handle;
    p.conditional.type = CU_GRAPH_COND_TYPE_WHILE;
    p.conditional.size = 1;
    p.conditional.ctx = context;
    check(d.add_node(&loop, graph, &first, nullptr, 1, &p), "cuGraphAddNode");
    CUgraph body = p.conditional.phGraph_out[0];
    node_chain chain;
    check(add_chain(body, turn, context, chain), "cuGraphAddKernelNode");
    const auto before = static_cast<CUgraphNode>(chain.nodes.back());
    check(d.cuGraphAddKernelNode(&last, body, &before, 1, &set), "cuGraphAddKernelNode");
    kernels_ = chain.kernels;
    CUgraphExec executable = nullptr;
    check(d.cuGraphInstantiateWithFlags(&executable, graph, 0), "cuGraphInstantiate");
    executable_ = executable;
}

SINTER_INLINE cuda_loop::~cuda_loop() { destroy(); }

// The device has been waited for before its memory goes.
SINTER_INLINE void cuda_loop::destroy() noexcept {
    destroy_graph(where_, executable_, graph_);
    try {
        if (left_ != 0) driver().cuMemFreeAsync(left_, static_cast<CUstream>(cuda_stream(where_)));
    } catch (...) {
    }
}

SINTER_INLINE void cuda_loop::run(std::uint32_t most) {
    const auto executable = static_cast<CUgraphExec>(executable_);
    const auto stream = static_cast<CUstream>(cuda_stream(where_));
    if (std::exchange(most_, most) != most) {
        void* parameters[] = {&handle_, &left_, &condition_, &most_};
        const CUDA_KERNEL_NODE_PARAMS p = node_parameters({condition_kernel(where_), {}, {}, 0, parameters});
        check(driver().cuGraphExecKernelNodeSetParams(executable, static_cast<CUgraphNode>(first_), &p),
              "cuGraphExecKernelNodeSetParams");
    }
    check(driver().cuGraphLaunch(executable, stream), "cuGraphLaunch");
    count_launch(condition_ ? kernels_ : kernels_ * most);
}

#endif

#else

SINTER_INLINE cuda_graph::cuda_graph(device, const codegen::sequence<recorded_launch>&) {
    throw device_error("[cuda] built without CUDA headers");
}
SINTER_INLINE cuda_graph::~cuda_graph() = default;
SINTER_INLINE void cuda_graph::replace(std::size_t, const recorded_launch&) {}
SINTER_INLINE void cuda_graph::run() {}

#endif

#if !SINTER_HAS_CUDA || CUDA_VERSION < 12040
SINTER_INLINE bool cuda_loop::is_supported(device) { return false; }
SINTER_INLINE cuda_loop::cuda_loop(device, const codegen::sequence<recorded_launch>&, const void*) {
    throw device_error("[cuda] built without the headers of CUDA 12.4");
}
SINTER_INLINE cuda_loop::~cuda_loop() = default;
SINTER_INLINE void cuda_loop::run(std::uint32_t) {}
#endif

}  // namespace sinter::inline SINTER_ABI::runtime
