// Bodies of cuda_graph.hpp.
#pragma once

#include <sinter/codegen/base/error.hpp>
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

SINTER_INLINE cuda_graph::cuda_graph(device where, const codegen::sequence<recorded_launch>& launches) : where_(where) {
    const cuda_state& s = use_device(where.index());
    const cuda_driver& d = driver();
    CUgraph graph = nullptr;
    check(d.cuGraphCreate(&graph, 0), "cuGraphCreate");
    graph_ = graph;  // its nodes name those of the executable graph as long as it lives
    CUresult result = CUDA_SUCCESS;
    CUgraphNode last = nullptr;
    bool after_launch = false;
    for (const recorded_launch& l : launches) {
        CUgraphNode node = nullptr;
        result =
            l.kernel ? add_launch(graph, last, after_launch, l, node) : add_transfer(graph, last, l, s.context, node);
        if (result != CUDA_SUCCESS) break;
        nodes_.push_back(last = node);
        after_launch = bool(l.kernel);
        kernels_ += after_launch;
    }
    CUgraphExec executable = nullptr;
    if (result == CUDA_SUCCESS) result = d.cuGraphInstantiateWithFlags(&executable, graph, 0);
    executable_ = executable;
    if (result == CUDA_SUCCESS) return;
    d.cuGraphDestroy(graph);
    throw_cuda(result, "cuGraphInstantiate");
}

// Nothing to report to: a device that has failed says so at the next call that may throw.
SINTER_INLINE cuda_graph::~cuda_graph() {
    try {
        host_synchronize(where_);
        use_device(where_.index());
        driver().cuGraphExecDestroy(static_cast<CUgraphExec>(executable_));
        driver().cuGraphDestroy(static_cast<CUgraph>(graph_));
    } catch (...) {
    }
}

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

#else

SINTER_INLINE cuda_graph::cuda_graph(device, const codegen::sequence<recorded_launch>&) {
    throw device_error("[cuda] built without CUDA headers");
}
SINTER_INLINE cuda_graph::~cuda_graph() = default;
SINTER_INLINE void cuda_graph::replace(std::size_t, const recorded_launch&) {}
SINTER_INLINE void cuda_graph::run() {}

#endif

}  // namespace sinter::inline SINTER_ABI::runtime
