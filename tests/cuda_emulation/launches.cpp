// libcuda.so.1 of an emulated machine: modules, and launches of their kernels.
#include "conditions.hpp"
#include "launches.hpp"

#include <cstdlib>
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
    static engine offered{meet_block,      meet_warp,         the_machine().shared.data(),
                          cluster_size,    arrive_at_cluster, wait_for_cluster,
                          shared_of_block, wait_for_others};
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

}  // extern "C"
