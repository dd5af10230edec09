// libcuda.so.1 of an emulated machine: modules, launches, and graphs of launches.
#include "calls.hpp"
#include "conditions.hpp"
#include "driver_tables.hpp"

#include <cstdlib>
#include <set>
#include <string>

using namespace cuda_emulation;

namespace {

// PTX is read only as far as to find that its kernels do nothing, but for the one that sets conditions.
CUresult load_ptx(emulated_module& m) {
    static coordinates somewhere[4];
    for (int i = 0; i < 4; ++i) m.places[i] = &somewhere[i];
    for (std::size_t at = 0; (at = m.text.find(".entry ", at)) != std::string::npos;) {
        at += 7;
        std::size_t end = at;
        while (is_word(m.text[end])) ++end;
        auto k = std::make_unique<emulated_kernel>();
        k->module = &m;
        k->name = m.text.substr(at, end - at);
        const bool sets = k->name == "set_condition" && m.text.find("cudaGraphSetConditional") < at;
        if (sets && !is_idle()) k->code = &set_condition_entry();
        if (!sets && m.text.compare(end, 11, "() { ret; }") != 0) return CUDA_ERROR_NO_BINARY_FOR_GPU;
        m.kernels.push_back(std::move(k));
    }
    return CUDA_SUCCESS;
}

// Kernels without code do nothing.
CUresult load_names(emulated_module& m) {
    for (const std::string& name : kernel_names(m.text)) {
        m.kernels.push_back(std::make_unique<emulated_kernel>());
        m.kernels.back()->module = &m;
        m.kernels.back()->name = name;
    }
    return CUDA_SUCCESS;
}

CUresult load_text(emulated_module& m) {
    static engine offered{meet_block,     meet_warp,         the_machine().shared.data(),
                          cluster_size,   arrive_at_cluster, wait_for_cluster,
                          shared_of_block};
    std::string log;
    const std::string file = compile_image(m.text, log);
    m.image = file.empty() ? nullptr : dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!m.image) {
        complain("a module cannot be emulated: " + (file.empty() ? log : dlerror()) + "\n" + m.text);
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    auto* bind = reinterpret_cast<void (*)(engine*, coordinates**)>(dlsym(m.image, "emulated_bind"));
    auto* shared = reinterpret_cast<void (*)(char**, char**)>(dlsym(m.image, "emulated_shared_range"));
    bind(&offered, m.places);
    shared(&m.shared_begin, &m.shared_end);
    for (const char* meeting : {"__syncthreads", "__syncwarp", "__shfl", "__ballot"})
        m.meets = m.meets || m.text.find(meeting) != std::string::npos;
    for (const std::string& name : kernel_names(m.text)) {
        auto k = std::make_unique<emulated_kernel>();
        auto* find = reinterpret_cast<const entry* (*)()>(dlsym(m.image, ("emulated_entry_" + name).c_str()));
        if (!find) return CUDA_ERROR_INVALID_IMAGE;
        k->module = &m;
        k->name = name;
        k->code = find();
        k->bound = launch_bound(m.text, name);
        k->only_reads = constant_parameters(m.text, name);
        m.kernels.push_back(std::move(k));
    }
    return CUDA_SUCCESS;
}

emulated_kernel* kernel_of(CUfunction f) {
    for (emulated_module* m : the_machine().modules)
        for (auto& k : m->kernels)
            if (reinterpret_cast<CUfunction>(k.get()) == f) return k.get();
    return nullptr;
}

CUresult check_launch(const emulated_kernel& k, const coordinates& grid, const coordinates& block, std::size_t shared) {
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

CUresult capture(const CUDA_KERNEL_NODE_PARAMS& p, captured_launch& to) {
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

// A kernel that may start before earlier ones have ended must wait for them before it does anything.
CUresult check_early(const emulated_kernel& k) {
    const std::string& text = k.module->text;
    const std::size_t head = text.find(k.name + "("), body = text.find('{', head), end = text.find(';', body);
    if (head != std::string::npos && end != std::string::npos &&
        text.substr(body, text.find('\n', end) - body).find("griddepcontrol.wait") != std::string::npos)
        return CUDA_SUCCESS;
    return complain("a kernel that waits for nothing is started early: " + k.name), CUDA_ERROR_INVALID_VALUE;
}

// Thread blocks that wait for each other must be at work all at once.
CUresult check_cooperative(const captured_launch& l) {
    const coordinates& g = l.arguments.grid;
    return 1ull * g.x * g.y * g.z <= most_blocks ? CUDA_SUCCESS : CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
}

// Only kernels that ask for clusters by functions, not by instructions, are emulated in them.
int cluster_limit(const emulated_kernel& k) {
    return capability() >= 90 && k.module->text.find("__cluster_barrier_wait") != std::string::npos ? most_cluster : 1;
}

CUresult set_cluster(captured_launch& l, const CUlaunchAttributeValue& value) {
    const coordinates c{value.clusterDim.x, value.clusterDim.y, value.clusterDim.z}, &g = l.arguments.grid;
    if (c.x == 0 || c.y == 0 || c.z == 0 || g.x % c.x || g.y % c.y || g.z % c.z) return CUDA_ERROR_INVALID_VALUE;
    if (1ull * c.x * c.y * c.z > static_cast<unsigned>(cluster_limit(*l.kernel)))
        return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    return l.arguments.cluster = c, CUDA_SUCCESS;
}

// The graph that has got a node last.
emulated_graph*& growing_graph() {
    static emulated_graph* g = nullptr;
    return g;
}

CUresult enqueue_launch(emulated_stream& s, const captured_launch& l) {
    if (const CUresult wrong = use_arguments(s, *l.kernel, l.arguments); wrong != CUDA_SUCCESS) return wrong;
    auto a = std::make_shared<launch_arguments>(l.arguments);
    return enqueue(s, [k = l.kernel, a] { return run_kernel(*k, *a); });
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

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
    EMULATION_BEGIN
    auto m = std::make_unique<emulated_module>();
    m->device = current_context();
    const char* bytes = static_cast<const char*>(image);
    CUresult result = CUDA_ERROR_INVALID_IMAGE;
    const std::size_t magic = sizeof image_magic - 1;
    if (std::strncmp(bytes, image_magic, magic) == 0) {
        const std::size_t size = static_cast<std::size_t>(std::atoll(std::string(bytes + magic, 16).c_str()));
        m->text.assign(bytes + magic + 16, size);
        result = is_idle() ? load_names(*m) : load_text(*m);
    } else if (std::strncmp(bytes, ".version", 8) == 0) {
        m->text = bytes;
        result = load_ptx(*m);
    }
    if (result != CUDA_SUCCESS) return result;
    the_machine().modules.push_back(m.get());
    return *module = reinterpret_cast<CUmodule>(m.release()), CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule module) {
    EMULATION_BEGIN
    auto* const m = reinterpret_cast<emulated_module*>(module);
    if (std::erase(the_machine().modules, m) == 0) return CUDA_ERROR_INVALID_HANDLE;
    if (m->image) dlclose(m->image);
    delete m;
    return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
    EMULATION_BEGIN
    for (auto& k : reinterpret_cast<emulated_module*>(module)->kernels)
        if (k->name == name) return *function = reinterpret_cast<CUfunction>(k.get()), CUDA_SUCCESS;
    return CUDA_ERROR_NOT_FOUND;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    EMULATION_BEGIN
    emulated_kernel* k = kernel_of(function);
    if (!k) return CUDA_ERROR_INVALID_HANDLE;
    if (attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED) return CUDA_SUCCESS;
    if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value < 0 ||
        static_cast<std::size_t>(value) > shared_optin())
        return CUDA_ERROR_INVALID_VALUE;
    return k->dynamic_limit = static_cast<std::size_t>(value), CUDA_SUCCESS;
}

CUresult cuOccupancyMaxPotentialClusterSize(int* size, CUfunction function, const CUlaunchConfig*) {
    EMULATION_BEGIN
    const emulated_kernel* k = kernel_of(function);
    if (!k) return CUDA_ERROR_INVALID_HANDLE;
    return *size = cluster_limit(*k), CUDA_SUCCESS;
}

// As if every kernel had 32 registers and spilled nothing.
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
    EMULATION_BEGIN
    if (!kernel_of(function)) return CUDA_ERROR_INVALID_HANDLE;
    if (attribute == CU_FUNC_ATTRIBUTE_NUM_REGS) return *value = 32, CUDA_SUCCESS;
    if (attribute == CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES) return *value = 0, CUDA_SUCCESS;
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* c, CUfunction function, void** parameters, void** extra) {
    EMULATION_STREAM(c->hStream)
    const CUDA_KERNEL_NODE_PARAMS p{function,     c->gridDimX,  c->gridDimY,  c->gridDimZ,
                                    c->blockDimX, c->blockDimY, c->blockDimZ, c->sharedMemBytes,
                                    parameters,   extra,        nullptr,      nullptr};
    captured_launch captured;
    if (const CUresult refused = capture(p, captured); refused != CUDA_SUCCESS) return refused;
    // What kernels' names hold that are refused for now.
    const char* failing = std::getenv("EMULATED_FAILING_LAUNCH");
    if (failing && captured.kernel->name.find(failing) != std::string::npos) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    for (unsigned i = 0; i < c->numAttrs; ++i) {
        if (c->attrs[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) {
            if (const CUresult refused = check_cooperative(captured); refused != CUDA_SUCCESS) return refused;
            continue;
        }
        if (c->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
            if (const CUresult refused = set_cluster(captured, c->attrs[i].value); refused != CUDA_SUCCESS)
                return refused;
            continue;
        }
        if (c->attrs[i].id != CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION) return CUDA_ERROR_INVALID_VALUE;
        if (const CUresult refused = check_early(*captured.kernel); refused != CUDA_SUCCESS) return refused;
    }
    return enqueue_launch(*stream, captured);
}

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
