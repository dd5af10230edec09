// libcuda.so.1 of an emulated machine, for tests: the driver functions that sinter uses, checked more strictly than a driver does.
#include "driver_tables.hpp"
#include "machine.hpp"

#include <pthread.h>

using namespace cuda_emulation;

namespace {

std::unique_lock<std::recursive_mutex> locked() { return std::unique_lock(the_machine().guard); }

emulated_device* device_of(CUdevice d) {
    machine& m = the_machine();
    return d >= 0 && static_cast<std::size_t>(d) < m.devices.size() ? m.devices[static_cast<std::size_t>(d)].get() : nullptr;
}

// What every call on a context checks first.
CUresult usable() {
    machine& m = the_machine();
    if (m.forked) return CUDA_ERROR_NOT_INITIALIZED;
    if (!m.initialized) return CUDA_ERROR_NOT_INITIALIZED;
    if (!current_context()) return CUDA_ERROR_INVALID_CONTEXT;
    return current_context()->failed;
}

// The stream, when it belongs to the current context; the driver is more lenient, but then kernels meet foreign pointers.
emulated_stream* stream_of(CUstream s) {
    if (!s) return &current_context()->null_stream;
    for (emulated_stream* own : current_context()->streams)
        if (reinterpret_cast<CUstream>(own) == s) return own;
    complain("a stream of another context or no stream at all");
    return nullptr;
}

// The bytes of a device address on any device, or of pinned memory.
char* bytes_of(CUdeviceptr address, std::size_t size) {
    emulated_device* d = owner_of(address);
    if (d) return d->memory.holds(address, size) ? d->memory.bytes(address) : nullptr;
    return is_pinned(address) ? reinterpret_cast<char*>(address) : nullptr;
}

bool is_device_address(const void* p) { return owner_of(reinterpret_cast<std::uintptr_t>(p)) != nullptr; }

#define EMULATION_BEGIN        \
    const auto lock = locked(); \
    if (const CUresult now = usable(); now != CUDA_SUCCESS) return now;

#define EMULATION_STREAM(handle)                     \
    EMULATION_BEGIN                                  \
    emulated_stream* const stream = stream_of(handle); \
    if (!stream) return CUDA_ERROR_INVALID_HANDLE;

CUresult copy_late(emulated_stream& s, char* to, const char* from, std::size_t size, CUdeviceptr to_device, CUdeviceptr from_device) {
    return enqueue(s, [=] {
        if ((to_device && !bytes_of(to_device, size)) || (from_device && !bytes_of(from_device, size))) {
            complain("a copy touches memory that was freed before it");
            return CUDA_ERROR_ILLEGAL_ADDRESS;
        }
        std::memmove(to, from, size);
        return CUDA_SUCCESS;
    });
}

void make_machine(machine& m) {
    const char* devices = std::getenv("SINTER_EMULATED_DEVICES");
    const char* seed = std::getenv("SINTER_EMULATED_SEED");
    m.random.seed(seed ? static_cast<unsigned>(std::atoi(seed)) : 1u);
    for (int i = 0; i < (devices ? std::atoi(devices) : 2); ++i)
        m.devices.push_back(std::make_unique<emulated_device>(i, device_memory(memory_limit - context_memory)));
    m.shared.resize(shared_optin);
    m.initialized = true;
    pthread_atfork(nullptr, nullptr, [] { the_machine().forked = true; });
}

// PTX is read only as far as to find that its kernels do nothing.
CUresult load_ptx(emulated_module& m) {
    for (std::size_t at = 0; (at = m.text.find(".entry ", at)) != std::string::npos;) {
        at += 7;
        std::size_t end = at;
        while (is_word(m.text[end])) ++end;
        auto k = std::make_unique<emulated_kernel>();
        k->module = &m;
        k->name = m.text.substr(at, end - at);
        if (m.text.compare(end, 11, "() { ret; }") != 0) return CUDA_ERROR_NO_BINARY_FOR_GPU;
        m.kernels.push_back(std::move(k));
    }
    return CUDA_SUCCESS;
}

CUresult load_text(emulated_module& m) {
    static engine offered{meet_block, meet_warp, the_machine().shared.data()};
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
    std::size_t fixed = k.module->image ? static_cast<std::size_t>(k.module->shared_end - k.module->shared_begin) : 0;
    if (fixed <= 16) fixed = 0;  // the mark of the section's beginning
    // What is fixed alone is checked by the compiler, kernel by kernel.
    return shared && shared + fixed > k.shared_limit ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult cuInit(unsigned flags) {
    const auto lock = locked();
    machine& m = the_machine();
    if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
    if (!m.initialized) make_machine(m);
    return m.devices.empty() ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS;
}

// The real NVRTC asks for one.
CUresult cuGetExportTable(const void** table, const CUuuid*) { return *table = nullptr, CUDA_ERROR_NOT_FOUND; }

CUresult cuDriverGetVersion(int* version) { return *version = CUDA_VERSION, CUDA_SUCCESS; }

CUresult cuGetErrorName(CUresult error, const char** name) {
    const error_row* e = find_error(error);
    return *name = e ? e->name : nullptr, e ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char** text) {
    const error_row* e = find_error(error);
    return *text = e ? e->text : nullptr, e ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetProcAddress_v2(const char* name, void** function, int version, cuuint64_t, CUdriverProcAddressQueryResult* status) {
    static void* self = [] {
        Dl_info info;
        dladdr(reinterpret_cast<void*>(&cuInit), &info);
        return dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    }();
    *function = nullptr;
    // Functions have the names that the headers of this version give them.
    for (const char* suffix : {"", "_v2", "_v3", "_v4"})
        if (version <= CUDA_VERSION && !*function) *function = dlsym(self, (std::string(name) + suffix).c_str());
    if (status) *status = *function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuDeviceGetCount(int* count) {
    const auto lock = locked();
    if (!the_machine().initialized) return CUDA_ERROR_NOT_INITIALIZED;
    return *count = static_cast<int>(the_machine().devices.size()), CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
    const auto lock = locked();
    if (!device_of(ordinal)) return CUDA_ERROR_INVALID_DEVICE;
    return *device = ordinal, CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char* name, int size, CUdevice device) {
    if (!device_of(device)) return CUDA_ERROR_INVALID_DEVICE;
    std::snprintf(name, static_cast<std::size_t>(size), "Emulated CUDA device");
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
    if (!device_of(device)) return CUDA_ERROR_INVALID_DEVICE;
    return *value = attribute_of(attribute), CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice device) {
    if (!device_of(device)) return CUDA_ERROR_INVALID_DEVICE;
    return *bytes = memory_limit, CUDA_SUCCESS;
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
    emulated_device* d = device_of(device);
    if (!d) return CUDA_ERROR_INVALID_DEVICE;
    return *pool = reinterpret_cast<CUmemoryPool>(&d->memory), CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
    const auto lock = locked();
    emulated_device* d = device_of(device);
    if (!d) return CUDA_ERROR_INVALID_DEVICE;
    ++d->retained;
    return *context = reinterpret_cast<CUcontext>(d), CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext* context) {
    return *context = reinterpret_cast<CUcontext>(current_context()), CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
    const auto lock = locked();
    emulated_device* wanted = reinterpret_cast<emulated_device*>(context);
    bool known = !context;
    for (auto& d : the_machine().devices) known |= d.get() == wanted && d->retained > 0;
    if (!known) return CUDA_ERROR_INVALID_CONTEXT;
    return current_context() = wanted, CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
    EMULATION_BEGIN
    if (flags != CU_STREAM_NON_BLOCKING && flags != CU_STREAM_DEFAULT) return CUDA_ERROR_INVALID_VALUE;
    current_context()->streams.push_back(new emulated_stream{current_context(), {}});
    return *stream = reinterpret_cast<CUstream>(current_context()->streams.back()), CUDA_SUCCESS;
}

CUresult cuStreamSynchronize(CUstream handle) {
    EMULATION_STREAM(handle)
    return drain(*stream);
}

CUresult cuStreamWaitEvent(CUstream handle, CUevent event, unsigned) {
    EMULATION_STREAM(handle)
    emulated_event* e = reinterpret_cast<emulated_event*>(event);
    if (!e->recorded) return CUDA_SUCCESS;
    const int wanted = e->wanted;
    return enqueue(*stream, [=] {
        while (e->reached < wanted && !e->stream->work.empty()) run_first(*e->stream);
        return CUDA_SUCCESS;
    });
}

CUresult cuEventCreate(CUevent* event, unsigned) {
    EMULATION_BEGIN
    emulated_event* e = new emulated_event;
    e->device = current_context();
    return *event = reinterpret_cast<CUevent>(e), CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream handle) {
    EMULATION_STREAM(handle)
    emulated_event* e = reinterpret_cast<emulated_event*>(event);
    if (e->device != current_context()) return CUDA_ERROR_INVALID_HANDLE;
    e->recorded = true;
    e->stream = stream;
    const int number = ++e->wanted;
    return enqueue(*stream, [=] {
        e->reached = number;
        e->time = std::chrono::steady_clock::now();
        return CUDA_SUCCESS;
    });
}

CUresult cuEventQuery(CUevent event) {
    EMULATION_BEGIN
    emulated_event* e = reinterpret_cast<emulated_event*>(event);
    if (e->reached < e->wanted && !e->stream->work.empty()) run_first(*e->stream);
    return e->reached < e->wanted ? CUDA_ERROR_NOT_READY : current_context()->failed;
}

CUresult cuEventSynchronize(CUevent event) {
    EMULATION_BEGIN
    emulated_event* e = reinterpret_cast<emulated_event*>(event);
    while (e->reached < e->wanted && !e->stream->work.empty()) run_first(*e->stream);
    return current_context()->failed;
}

CUresult cuEventElapsedTime(float* milliseconds, CUevent begin, CUevent end) {
    EMULATION_BEGIN
    const emulated_event *b = reinterpret_cast<emulated_event*>(begin), *e = reinterpret_cast<emulated_event*>(end);
    if (!b->recorded || !e->recorded) return CUDA_ERROR_INVALID_HANDLE;
    if (b->reached < b->wanted || e->reached < e->wanted) return CUDA_ERROR_NOT_READY;
    return *milliseconds = std::chrono::duration<float, std::milli>(e->time - b->time).count(), CUDA_SUCCESS;
}

// Work that still refers to the event keeps it.
CUresult cuEventDestroy(CUevent event) {
    EMULATION_BEGIN
    emulated_event* e = reinterpret_cast<emulated_event*>(event);
    if (e->reached >= e->wanted) delete e;
    return CUDA_SUCCESS;
}

CUresult cuMemHostAlloc(void** memory, std::size_t bytes, unsigned) {
    EMULATION_BEGIN
    if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    *memory = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    the_machine().pinned[reinterpret_cast<std::uintptr_t>(*memory)] = bytes;
    return CUDA_SUCCESS;
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr* address, void* memory, unsigned flags) {
    EMULATION_BEGIN
    if (flags != 0 || !is_pinned(reinterpret_cast<std::uintptr_t>(memory))) return CUDA_ERROR_INVALID_VALUE;
    return *address = reinterpret_cast<CUdeviceptr>(memory), CUDA_SUCCESS;
}

CUresult cuMemAllocAsync(CUdeviceptr* address, std::size_t bytes, CUstream handle) {
    EMULATION_STREAM(handle)
    if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    device_memory& memory = stream->device->memory;
    if (!(*address = memory.allocate(bytes))) {
        for (emulated_stream* s : stream->device->streams)
            if (const CUresult result = drain(*s); result != CUDA_SUCCESS) return result;
        *address = memory.allocate(bytes);
    }
    return *address ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream handle) {
    EMULATION_STREAM(handle)
    device_memory& memory = stream->device->memory;
    if (!memory.holds(address, 1)) return complain("memory is freed that is not allocated"), CUDA_ERROR_INVALID_VALUE;
    return enqueue(*stream, [=, &memory] {
        if (memory.free(address)) return CUDA_SUCCESS;
        complain("memory is freed twice");
        return CUDA_ERROR_ILLEGAL_ADDRESS;
    });
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
    EMULATION_BEGIN
    return pool && value && attribute == CU_MEMPOOL_ATTR_RELEASE_THRESHOLD ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, std::size_t) {
    EMULATION_BEGIN
    return pool ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t bytes, CUstream handle) {
    EMULATION_STREAM(handle)
    char* target = bytes_of(to, bytes);
    if (!target || owner_of(to) != stream->device || !from || is_device_address(from)) return CUDA_ERROR_INVALID_VALUE;
    return copy_late(*stream, target, static_cast<const char*>(from), bytes, to, 0);
}

CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t bytes, CUstream handle) {
    EMULATION_STREAM(handle)
    const char* source = bytes_of(from, bytes);
    if (!source || owner_of(from) != stream->device || !to || is_device_address(to)) return CUDA_ERROR_INVALID_VALUE;
    return copy_late(*stream, static_cast<char*>(to), source, bytes, 0, from);
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream handle) {
    EMULATION_STREAM(handle)
    char *target = bytes_of(to, bytes), *source = bytes_of(from, bytes);
    if (!target || !source) return CUDA_ERROR_INVALID_VALUE;
    return copy_late(*stream, target, source, bytes, to, from);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, std::size_t bytes,
                           CUstream handle) {
    EMULATION_STREAM(handle)
    char *target = bytes_of(to, bytes), *source = bytes_of(from, bytes);
    if (!target || !source || reinterpret_cast<emulated_device*>(to_context) != owner_of(to) ||
        reinterpret_cast<emulated_device*>(from_context) != owner_of(from))
        return CUDA_ERROR_INVALID_VALUE;
    return copy_late(*stream, target, source, bytes, to, from);
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t bytes, CUstream handle) {
    EMULATION_STREAM(handle)
    char* target = bytes_of(to, bytes);
    if (!target) return CUDA_ERROR_INVALID_VALUE;
    return enqueue(*stream, [=] { return bytes_of(to, bytes) ? std::memset(target, value, bytes), CUDA_SUCCESS : CUDA_ERROR_ILLEGAL_ADDRESS; });
}

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
        result = load_text(*m);
    } else if (std::strncmp(bytes, ".version", 8) == 0) {
        m->text = bytes;
        result = load_ptx(*m);
    }
    if (result != CUDA_SUCCESS) return result;
    the_machine().modules.push_back(m.get());
    return *module = reinterpret_cast<CUmodule>(m.release()), CUDA_SUCCESS;
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
    if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value < 0 || static_cast<std::size_t>(value) > shared_optin)
        return CUDA_ERROR_INVALID_VALUE;
    return k->shared_limit = static_cast<std::size_t>(value), CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                        unsigned shared, CUstream handle, void** parameters, void** extra) {
    EMULATION_STREAM(handle)
    const emulated_kernel* k = kernel_of(function);
    if (!k || extra) return CUDA_ERROR_INVALID_HANDLE;
    if (k->module->device != current_context()) return complain("a kernel of another context"), CUDA_ERROR_INVALID_HANDLE;
    auto a = std::make_shared<launch_arguments>();
    a->grid = {gx, gy, gz};
    a->block = {bx, by, bz};
    a->dynamic_shared = shared;
    if (const CUresult refused = check_launch(*k, a->grid, a->block, shared); refused != CUDA_SUCCESS) return refused;
    for (int i = 0; k->code && i < k->code->count; ++i) {
        const std::size_t size = k->code->sizes[i], at = (a->bytes.size() + size - 1) / size * size;
        a->bytes.resize(at + size);
        std::memcpy(&a->bytes[at], parameters[i], size);
    }
    if (a->bytes.size() > 4096) return CUDA_ERROR_INVALID_VALUE;
    return enqueue(*stream, [k, a] { return run_kernel(*k, *a); });
}

/// For the emulated libraries: work on device memory in a stream's order.
CUresult emulated_enqueue(CUstream handle, void (*work)(void*), void* argument) {
    EMULATION_STREAM(handle)
    return enqueue(*stream, [=] { return work(argument), CUDA_SUCCESS; });
}

/// For the emulated libraries: where the bytes of a device address are, or null when they are not all allocated.
char* emulated_bytes(CUdeviceptr address, std::size_t size) {
    const auto lock = locked();
    return bytes_of(address, size);
}

}  // extern "C"
