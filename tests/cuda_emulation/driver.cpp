// libcuda.so.1 of an emulated machine, for tests: the driver functions that sinter uses, checked more strictly than a
// driver does.
#include "calls.hpp"
#include "driver_tables.hpp"

#include <atomic>
#include <pthread.h>

using namespace cuda_emulation;

namespace {

std::atomic<long long> to_host = 0;

CUresult copy_late(emulated_stream& s, char* to, const char* from, std::size_t size, CUdeviceptr to_device,
                   CUdeviceptr from_device) {
    for (const CUdeviceptr address : {from_device, to_device})
        if (const CUresult wrong = use_memory(s, address, address == to_device, "a copy");
            address && wrong != CUDA_SUCCESS)
            return wrong;
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
    m.shared.resize(most_shared);
    m.initialized = true;
    pthread_atfork(nullptr, nullptr, [] { the_machine().forked = true; });
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

CUresult cuGetProcAddress_v2(const char* name, void** function, int version, cuuint64_t,
                             CUdriverProcAddressQueryResult* status) {
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

CUresult cuCtxSynchronize() {
    EMULATION_BEGIN
    for (emulated_stream* s : current_context()->streams)
        if (const CUresult result = drain(*s); result != CUDA_SUCCESS) return result;
    return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
    EMULATION_BEGIN
    if (flags != CU_STREAM_NON_BLOCKING && flags != CU_STREAM_DEFAULT) return CUDA_ERROR_INVALID_VALUE;
    current_context()->streams.push_back(new emulated_stream{current_context(), {}, {}});
    return *stream = reinterpret_cast<CUstream>(current_context()->streams.back()), CUDA_SUCCESS;
}

CUresult cuStreamQuery(CUstream handle) {
    EMULATION_STREAM(handle)
    if (stream->work.empty()) return drain(*stream);
    run_first(*stream);
    return CUDA_ERROR_NOT_READY;
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
    stream->order.before.join(e->before);
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
    begin_work(*stream);
    e->before = stream->order.before;
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
    if (e->reached < e->wanted) return CUDA_ERROR_NOT_READY;
    the_machine().awaited.join(e->before);
    return current_context()->failed;
}

CUresult cuEventSynchronize(CUevent event) {
    EMULATION_BEGIN
    emulated_event* e = reinterpret_cast<emulated_event*>(event);
    while (e->reached < e->wanted && !e->stream->work.empty()) run_first(*e->stream);
    the_machine().awaited.join(e->before);
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

// Copies that are still to come find rubbish, in memory that nobody else gets.
CUresult cuMemFreeHost(void* memory) {
    EMULATION_BEGIN
    auto& pinned = the_machine().pinned;
    const auto found = pinned.find(reinterpret_cast<std::uintptr_t>(memory));
    if (found == pinned.end()) return CUDA_ERROR_INVALID_VALUE;
    std::memset(memory, 0xA5, found->second);
    return pinned.erase(found), CUDA_SUCCESS;
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr* address, void* memory, unsigned flags) {
    EMULATION_BEGIN
    if (flags != 0 || !is_pinned(reinterpret_cast<std::uintptr_t>(memory))) return CUDA_ERROR_INVALID_VALUE;
    return *address = reinterpret_cast<CUdeviceptr>(memory), CUDA_SUCCESS;
}

CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr address) {
    EMULATION_BEGIN
    const emulated_device* d = owner_of(address);
    if (d ? !d->memory.holds(address, 1) : !is_pinned(address)) return CUDA_ERROR_INVALID_VALUE;
    if (attribute == CU_POINTER_ATTRIBUTE_MEMORY_TYPE) {
        *static_cast<CUmemorytype*>(value) = d ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
        return CUDA_SUCCESS;
    }
    if (attribute != CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL || !d) return CUDA_ERROR_INVALID_VALUE;
    *static_cast<int*>(value) = d->index;
    return CUDA_SUCCESS;
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
    return *address ? use_memory(*stream, *address, true, "an allocation") : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream handle) {
    EMULATION_STREAM(handle)
    device_memory& memory = stream->device->memory;
    if (!memory.holds(address, 1)) return complain("memory is freed that is not allocated"), CUDA_ERROR_INVALID_VALUE;
    // Whoever frees may have nobody to tell.
    if (const CUresult wrong = use_memory(*stream, address, true, "a free"); wrong != CUDA_SUCCESS)
        return stream->device->failed = wrong;
    stream->device->accesses.forget(address);
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
    to_host += static_cast<long long>(bytes);
    return copy_late(*stream, static_cast<char*>(to), source, bytes, 0, from);
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream handle) {
    EMULATION_STREAM(handle)
    char *target = bytes_of(to, bytes), *source = bytes_of(from, bytes);
    if (!target || !source) return CUDA_ERROR_INVALID_VALUE;
    return copy_late(*stream, target, source, bytes, to, from);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                           std::size_t bytes, CUstream handle) {
    EMULATION_STREAM(handle)
    char *target = bytes_of(to, bytes), *source = bytes_of(from, bytes);
    if (!target || !source || reinterpret_cast<emulated_device*>(to_context) != owner_of(to) ||
        reinterpret_cast<emulated_device*>(from_context) != owner_of(from))
        return CUDA_ERROR_INVALID_VALUE;
    return copy_late(*stream, target, source, bytes, to, from);
}

// From a device to the host alone, row by row.
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* c, CUstream handle) {
    if (c->srcMemoryType != CU_MEMORYTYPE_DEVICE || c->dstMemoryType != CU_MEMORYTYPE_HOST || c->srcXInBytes ||
        c->srcY || c->dstXInBytes || c->dstY || c->srcPitch < c->WidthInBytes || c->dstPitch < c->WidthInBytes)
        return CUDA_ERROR_INVALID_VALUE;
    for (std::size_t row = 0; row < c->Height; ++row)
        if (const CUresult wrong =
                cuMemcpyDtoHAsync(static_cast<char*>(c->dstHost) + row * c->dstPitch,
                                  c->srcDevice + static_cast<CUdeviceptr>(row * c->srcPitch), c->WidthInBytes, handle);
            wrong != CUDA_SUCCESS)
            return wrong;
    return CUDA_SUCCESS;
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t bytes, CUstream handle) {
    EMULATION_STREAM(handle)
    char* target = bytes_of(to, bytes);
    if (!target) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult wrong = use_memory(*stream, to, true, "a fill"); wrong != CUDA_SUCCESS) return wrong;
    return enqueue(*stream, [=] {
        return bytes_of(to, bytes) ? std::memset(target, value, bytes), CUDA_SUCCESS : CUDA_ERROR_ILLEGAL_ADDRESS;
    });
}

/// The bytes that were copied to the host so far; no function of CUDA's.
long long emulated_bytes_to_host() { return to_host; }

/// For the emulated libraries: work on device memory in a stream's order.
CUresult emulated_enqueue(CUstream handle, void (*work)(void*), void* argument) {
    EMULATION_STREAM(handle)
    return is_idle() ? CUDA_SUCCESS : enqueue(*stream, [=] { return work(argument), CUDA_SUCCESS; });
}

/// For the emulated libraries: where the bytes of a device address are, or null when they are not all allocated.
char* emulated_bytes(CUdeviceptr address, std::size_t size) {
    const auto lock = locked();
    return bytes_of(address, size);
}

}  // extern "C"
