// The graphs of libcuda.so.1 of an emulated machine: launches, copies, fills and loops that follow each other.
#include "conditions.hpp"
#include "launches.hpp"

#include <set>
#include <vector>

using namespace cuda_emulation;

namespace {

struct emulated_graph;

/// A launch of a graph; without a kernel it copies memory, or fills it with bytes, when it comes to it, or repeats
/// another graph while a condition holds.
struct captured_node {
    captured_launch launch;
    CUdeviceptr to = 0, from = 0;
    std::size_t bytes = 0;
    unsigned char value = 0;
    std::shared_ptr<emulated_graph> body{};
    CUgraph body_handle = nullptr;
    CUgraphConditionalHandle condition = 0;
};

struct emulated_graph {
    std::vector<captured_node> launches;
    std::size_t linked = 1;            ///< how many of them follow the one before, the first included
    emulated_graph* origin = nullptr;  ///< of an executable graph
};

std::set<emulated_graph*>& live_graphs() {
    static std::set<emulated_graph*>& live = *new std::set<emulated_graph*>;
    return live;
}

CUresult capture(const CUDA_MEMCPY3D& p, CUcontext context, captured_node& to) {
    if (p.srcMemoryType != CU_MEMORYTYPE_DEVICE || p.dstMemoryType != CU_MEMORYTYPE_DEVICE || p.WidthInBytes == 0 ||
        p.Height != 1 || p.Depth != 1 || p.srcXInBytes || p.dstXInBytes ||
        reinterpret_cast<emulated_device*>(context) != current_context() || !bytes_of(p.srcDevice, p.WidthInBytes) ||
        !bytes_of(p.dstDevice, p.WidthInBytes))
        return CUDA_ERROR_INVALID_VALUE;
    return to = {{}, p.dstDevice, p.srcDevice, p.WidthInBytes}, CUDA_SUCCESS;
}

CUresult capture(const CUDA_MEMSET_NODE_PARAMS& p, CUcontext context, captured_node& to) {
    const std::size_t bytes = p.width * p.elementSize, step = p.elementSize;
    if ((step != 1 && step != 2 && step != 4) || bytes == 0 || p.height != 1 || p.dst % step || (step > 1 && p.value) ||
        p.value > 255 || reinterpret_cast<emulated_device*>(context) != current_context() || !bytes_of(p.dst, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    return to = {{}, p.dst, 0, bytes, static_cast<unsigned char>(p.value)}, CUDA_SUCCESS;
}

// The graph that has got a node last.
emulated_graph*& growing_graph() {
    static emulated_graph* g = nullptr;
    return g;
}

CUresult run_node(const captured_node& n) {
    if (n.launch.kernel) {
        launch_arguments a = n.launch.arguments;
        return run_kernel(*n.launch.kernel, a);
    }
    char *const to = bytes_of(n.to, n.bytes), *const from = n.from ? bytes_of(n.from, n.bytes) : nullptr;
    if (!to || (n.from && !from)) return CUDA_ERROR_ILLEGAL_ADDRESS;
    if (from) std::memcpy(to, from, n.bytes);
    else std::memset(to, n.value, n.bytes);
    return CUDA_SUCCESS;
}

CUresult enqueue_loop(emulated_stream& s, const captured_node& loop) {
    for (const captured_node& n : loop.body->launches) {
        CUresult wrong = CUDA_SUCCESS;
        if (n.launch.kernel) wrong = use_arguments(s, *n.launch.kernel, n.launch.arguments);
        else if (n.from) wrong = use_memory(s, n.from, false, "a copy");
        if (wrong == CUDA_SUCCESS && n.to) wrong = use_memory(s, n.to, true, "a copy or fill");
        if (wrong != CUDA_SUCCESS) return wrong;
    }
    return enqueue(s, [body = loop.body, condition = loop.condition] {
        while (conditions()[condition])
            for (const captured_node& n : body->launches)
                if (const CUresult wrong = run_node(n); wrong != CUDA_SUCCESS) return wrong;
        return CUDA_SUCCESS;
    });
}

// Nodes are the numbers of launches, from one on; what depends on nothing might run at any time.
CUresult add_node(CUgraph graph, const CUgraphNode* dependencies, std::size_t count, const captured_node& captured,
                  CUgraphNode* node) {
    emulated_graph& g = *reinterpret_cast<emulated_graph*>(graph);
    const std::size_t last = g.launches.size();
    if (count > 1 || (count == 1 && reinterpret_cast<std::size_t>(dependencies[0]) != last))
        return CUDA_ERROR_INVALID_VALUE;
    g.launches.push_back(captured);
    g.linked += count;
    growing_graph() = &g;
    return *node = reinterpret_cast<CUgraphNode>(last + 1), CUDA_SUCCESS;
}

template <class Parameters>
CUresult add_transfer(CUgraph graph, const CUgraphNode* dependencies, std::size_t count, const Parameters& p,
                      CUcontext context, CUgraphNode* node) {
    captured_node captured;
    if (const CUresult refused = capture(p, context, captured); refused != CUDA_SUCCESS) return refused;
    return add_node(graph, dependencies, count, captured, node);
}

// Launches of the graph that are under way keep their arguments. A node stays of its kind, and a copy or fill of its
// size.
CUresult replace_node(CUgraphExec executable, CUgraphNode node, const captured_node& by) {
    emulated_graph& g = *reinterpret_cast<emulated_graph*>(executable);
    const std::size_t number = reinterpret_cast<std::size_t>(node);
    if (!live_graphs().count(g.origin))
        return complain("a node of a graph that was destroyed"), CUDA_ERROR_INVALID_VALUE;
    if (number == 0 || number > g.launches.size()) return CUDA_ERROR_INVALID_VALUE;
    captured_node& was = g.launches[number - 1];
    const emulated_kernel *old = was.launch.kernel, *now = by.launch.kernel;
    if (was.body || !old != !now || !was.from != !by.from || was.bytes != by.bytes) return CUDA_ERROR_INVALID_VALUE;
    if (now && now->module->device != old->module->device) return CUDA_ERROR_INVALID_VALUE;
    const coordinates cluster = was.launch.arguments.cluster;
    was = by;
    return was.launch.arguments.cluster = cluster, CUDA_SUCCESS;
}

template <class Parameters>
CUresult replace_transfer(CUgraphExec executable, CUgraphNode node, const Parameters& p, CUcontext context) {
    captured_node captured;
    if (const CUresult refused = capture(p, context, captured); refused != CUDA_SUCCESS) return refused;
    return replace_node(executable, node, captured);
}

}  // namespace

extern "C" {

CUresult cuGraphCreate(CUgraph* graph, unsigned flags) {
    EMULATION_BEGIN
    if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
    emulated_graph* g = *live_graphs().insert(new emulated_graph).first;
    return *graph = reinterpret_cast<CUgraph>(g), CUDA_SUCCESS;
}

CUresult cuGraphDestroy(CUgraph graph) {
    EMULATION_BEGIN
    if (!live_graphs().erase(reinterpret_cast<emulated_graph*>(graph))) return CUDA_ERROR_INVALID_VALUE;
    for (const captured_node& n : reinterpret_cast<emulated_graph*>(graph)->launches) live_graphs().erase(n.body.get());
    delete reinterpret_cast<emulated_graph*>(graph);
    return CUDA_SUCCESS;
}

CUresult cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, std::size_t count,
                              const CUDA_KERNEL_NODE_PARAMS* p) {
    EMULATION_BEGIN
    captured_node captured;
    if (const CUresult refused = capture(*p, captured.launch); refused != CUDA_SUCCESS) return refused;
    return add_node(graph, dependencies, count, captured, node);
}

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle* handle, CUgraph graph, CUcontext context,
                                        unsigned value, unsigned flags) {
    EMULATION_BEGIN
    if (!live_graphs().count(reinterpret_cast<emulated_graph*>(graph)) || flags != 0 ||
        reinterpret_cast<emulated_device*>(context) != current_context())
        return CUDA_ERROR_INVALID_VALUE;
    *handle = conditions().size() + 1;
    conditions()[*handle] = value;
    return CUDA_SUCCESS;
}

CUresult cuGraphAddNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, const CUgraphEdgeData* edges,
                        std::size_t count, CUgraphNodeParams* p) {
    EMULATION_BEGIN
    CUDA_CONDITIONAL_NODE_PARAMS& c = p->conditional;
    if (p->type != CU_GRAPH_NODE_TYPE_CONDITIONAL || c.type != CU_GRAPH_COND_TYPE_WHILE || c.size != 1 || edges ||
        !conditions().count(c.handle) || reinterpret_cast<emulated_device*>(c.ctx) != current_context())
        return CUDA_ERROR_INVALID_VALUE;
    captured_node captured;
    captured.condition = c.handle;
    captured.body = std::make_shared<emulated_graph>();
    captured.body_handle = reinterpret_cast<CUgraph>(captured.body.get());
    live_graphs().insert(captured.body.get());
    emulated_graph& g = *reinterpret_cast<emulated_graph*>(graph);
    if (const CUresult refused = add_node(graph, dependencies, count, captured, node); refused != CUDA_SUCCESS)
        return refused;
    return c.phGraph_out = &g.launches.back().body_handle, CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID id, const CUkernelNodeAttrValue* value) {
    EMULATION_BEGIN
    // The node that came last is the only one that this is asked for.
    emulated_graph* const g = growing_graph();
    if (!live_graphs().count(g) || reinterpret_cast<std::size_t>(node) != g->launches.size())
        return CUDA_ERROR_INVALID_VALUE;
    captured_launch& l = g->launches.back().launch;
    if (id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) return set_cluster(l, *value);
    return id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE && value->cooperative ? check_cooperative(l)
                                                                       : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, std::size_t count,
                              const CUDA_MEMCPY3D* p, CUcontext context) {
    EMULATION_BEGIN
    return add_transfer(graph, dependencies, count, *p, context, node);
}

CUresult cuGraphAddMemsetNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, std::size_t count,
                              const CUDA_MEMSET_NODE_PARAMS* p, CUcontext context) {
    EMULATION_BEGIN
    return add_transfer(graph, dependencies, count, *p, context, node);
}

CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                const CUgraphEdgeData* edges, std::size_t count) {
    EMULATION_BEGIN
    emulated_graph& g = *reinterpret_cast<emulated_graph*>(graph);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t number = reinterpret_cast<std::size_t>(to[i]);
        if (number > g.launches.size() || reinterpret_cast<std::size_t>(from[i]) + 1 != number)
            return CUDA_ERROR_INVALID_VALUE;
        if (edges && edges[i].type == CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC) {
            const emulated_kernel* const early = g.launches[number - 1].launch.kernel;
            if (!early || !g.launches[number - 2].launch.kernel) return CUDA_ERROR_INVALID_VALUE;
            if (const CUresult refused = check_early(*early); refused != CUDA_SUCCESS) return refused;
        }
        ++g.linked;
    }
    return CUDA_SUCCESS;
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec* executable, CUgraph graph, unsigned long long flags) {
    EMULATION_BEGIN
    const emulated_graph& g = *reinterpret_cast<emulated_graph*>(graph);
    if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
    bool linked = g.launches.size() <= g.linked;
    for (const captured_node& n : g.launches) linked = linked && (!n.body || n.body->launches.size() <= n.body->linked);
    if (!linked) {
        complain("only graphs whose nodes follow each other are emulated");
        return CUDA_ERROR_INVALID_VALUE;
    }
    auto* e = new emulated_graph(g);
    e->origin = reinterpret_cast<emulated_graph*>(graph);
    return *executable = reinterpret_cast<CUgraphExec>(e), CUDA_SUCCESS;
}

CUresult cuGraphExecDestroy(CUgraphExec executable) {
    EMULATION_BEGIN
    delete reinterpret_cast<emulated_graph*>(executable);
    return CUDA_SUCCESS;
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec executable, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* p) {
    EMULATION_BEGIN
    captured_node captured;
    if (const CUresult refused = capture(*p, captured.launch); refused != CUDA_SUCCESS) return refused;
    return replace_node(executable, node, captured);
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec executable, CUgraphNode node, const CUDA_MEMCPY3D* p,
                                        CUcontext context) {
    EMULATION_BEGIN
    return replace_transfer(executable, node, *p, context);
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec executable, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* p,
                                        CUcontext context) {
    EMULATION_BEGIN
    return replace_transfer(executable, node, *p, context);
}

CUresult cuGraphLaunch(CUgraphExec executable, CUstream handle) {
    EMULATION_STREAM(handle)
    for (const captured_node& n : reinterpret_cast<emulated_graph*>(executable)->launches) {
        const CUresult result = n.body            ? enqueue_loop(*stream, n)
                                : n.launch.kernel ? enqueue_launch(*stream, n.launch)
                                : n.from          ? cuMemcpyDtoDAsync(n.to, n.from, n.bytes, handle)
                                                  : cuMemsetD8Async(n.to, n.value, n.bytes, handle);
        if (result != CUDA_SUCCESS) return result;
    }
    return CUDA_SUCCESS;
}

}  // extern "C"
