// Loads the CUDA driver once per process, retains one primary context per device, and turns its errors into exceptions.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/base/library.hpp>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE codegen::sequence<std::string> cuda_library_names(const std::string& stem, int behind) {
    const int version = cuda_driver_version();
    codegen::sequence<std::string> names;
    for (int major : {13, 12})
        if (version == 0 || version / 1000 >= major) names.push_back(stem + ".so." + std::to_string(major - behind));
    names.push_back(stem + ".so");
    return names;
}

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HAS_CUDA

#include <pthread.h>

#include <atomic>
#include <mutex>

namespace sinter::inline SINTER_ABI::runtime {

inline constexpr int cuda_max_devices = 64;

/// Everything about the driver that there is once per process.
struct cuda_process {
    cuda_driver table;
    std::string why;  ///< not empty: there is no usable driver or device
    int version = 0;
    int count = 0;
    std::atomic<bool> forked{false};
    std::mutex guard;  ///< held while a device is set up
    std::atomic<cuda_state*> states[cuda_max_devices] = {};
    std::atomic<cuda_properties*> known[cuda_max_devices] = {};
};

SINTER_COLD_BEGIN

SINTER_INLINE std::string cuda_error_text(const cuda_driver& table, CUresult result) {
    const char* name = nullptr;
    const char* text = nullptr;
    if (table.cuGetErrorName) table.cuGetErrorName(result, &name);
    if (table.cuGetErrorString) table.cuGetErrorString(result, &text);
    std::string out = name ? name : "CUDA error " + std::to_string(static_cast<int>(result));
    return text ? out + " (" + text + ")" : out;
}

/// Looks up every function of the table; false, with the reason in p.why, when one is missing.
SINTER_INLINE bool load_cuda_functions(cuda_process& p, const shared_library& library) {
    auto* lookup = library.function<std::remove_pointer_t<decltype(&cuGetProcAddress)>>("cuGetProcAddress_v2");
    auto* get_version = library.function<std::remove_pointer_t<decltype(&cuDriverGetVersion)>>("cuDriverGetVersion");
    if (get_version) get_version(&p.version);
    if (!lookup || p.version < 12000) {
        p.why = "the CUDA driver " + library.path() + " is too old: version 12.0 or later is needed";
        return false;
    }
    const int version = p.version < CUDA_VERSION ? p.version : CUDA_VERSION;
    auto find = [&](const char* name) -> void* {
        void* address = nullptr;
        CUdriverProcAddressQueryResult status{};
        const CUresult result = lookup(name, &address, version, CU_GET_PROC_ADDRESS_DEFAULT, &status);
        if (result == CUDA_SUCCESS && address) return address;
        p.why = "the CUDA driver " + library.path() + " has no " + name;
        return nullptr;
    };
#define SINTER_DRIVER_FUNCTION(name)                                      \
    p.table.name = reinterpret_cast<decltype(p.table.name)>(find(#name)); \
    if (!p.table.name) return false;
#include <sinter/runtime/device/cuda_driver.def>
#undef SINTER_DRIVER_FUNCTION
#if CUDA_VERSION >= 12030
    // By the symbol's own name: what cuGetProcAddress gives for the plain one depends on the version.
    using with_edges = std::remove_pointer_t<decltype(p.table.add_dependencies)>;
    p.table.add_dependencies = library.function<with_edges>("cuGraphAddDependencies_v2");
#endif
#if CUDA_VERSION >= 12040
    if (p.version >= 12040) {
        using node_adder = std::remove_pointer_t<decltype(p.table.add_node)>;
        using condition_maker = std::remove_pointer_t<decltype(p.table.create_condition)>;
        p.table.add_node = library.function<node_adder>("cuGraphAddNode_v2");
        p.table.create_condition = library.function<condition_maker>("cuGraphConditionalHandleCreate");
    }
#endif
    return true;
}

SINTER_INLINE void load_cuda_process(cuda_process& p) {
    const shared_library library({"libcuda.so.1"});
    if (!library) {
        p.why = "no CUDA driver: " + library.why();
        return;
    }
    if (!load_cuda_functions(p, library)) return;
    CUresult result = p.table.cuInit(0);
    if (result == CUDA_SUCCESS) result = p.table.cuDeviceGetCount(&p.count);
    if (result != CUDA_SUCCESS || p.count == 0) {
        p.count = 0;
        p.why = "the CUDA driver " + library.path() + " found no device";
        if (result != CUDA_SUCCESS) p.why += ": " + cuda_error_text(p.table, result);
        return;
    }
    if (p.count > cuda_max_devices) p.count = cuda_max_devices;
}

SINTER_COLD_END

SINTER_INLINE cuda_process& the_cuda_process() {
    static cuda_process* const p = [] {
        auto* fresh = new cuda_process;
        load_cuda_process(*fresh);
        return fresh;
    }();
    // Registered after `p` exists: a forked child inherits handles that the driver does not honour.
    static const bool registered = [] {
        if (p->count > 0) pthread_atfork(nullptr, nullptr, [] { p->forked.store(true, std::memory_order_relaxed); });
        return true;
    }();
    (void)registered;
    return *p;
}

SINTER_INLINE int cuda_device_count(std::string* why) {
    cuda_process& p = the_cuda_process();
    const bool forked = p.forked.load(std::memory_order_relaxed);
    if (why) *why = forked ? "this process was forked after CUDA was used; start it with exec instead" : p.why;
    return forked ? 0 : p.count;
}

SINTER_INLINE int cuda_driver_version() { return the_cuda_process().version; }

SINTER_INLINE const cuda_driver& driver() {
    cuda_process& p = the_cuda_process();
    if (p.count == 0 || p.forked.load(std::memory_order_relaxed)) {
        std::string why;
        cuda_device_count(&why);
        throw device_error("[cuda] " + why);
    }
    return p.table;
}

SINTER_INLINE void throw_cuda(CUresult result, const char* what) {
    const std::string text =
        codegen::joined({"[cuda] ", what, ": ", cuda_error_text(the_cuda_process().table, result)});
    if (result == CUDA_ERROR_OUT_OF_MEMORY) throw out_of_memory(text);
    throw device_error(text);
}

SINTER_INLINE void check_cuda_index(int index) {
    const int count = the_cuda_process().count;
    if (index < 0 || index >= count)
        throw device_error(codegen::joined({"[cuda] device ", index, " does not exist: there are ", count}));
}

SINTER_INLINE cuda_properties* query_cuda_properties(const cuda_driver& d, int index) {
    CUdevice handle;
    check(d.cuDeviceGet(&handle, index), "cuDeviceGet");
    char name[256] = {};
    check(d.cuDeviceGetName(name, sizeof name - 1, handle), "cuDeviceGetName");
    std::size_t memory = 0;
    check(d.cuDeviceTotalMem(&memory, handle), "cuDeviceTotalMem");
    auto get = [&](CUdevice_attribute attribute) {
        int value = 0;
        check(d.cuDeviceGetAttribute(&value, attribute, handle), "cuDeviceGetAttribute");
        return value;
    };
    auto* p = new cuda_properties;
    p->name = name;
    p->major = get(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    p->minor = get(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    p->multiprocessors = get(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    p->warp_size = get(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
    p->max_threads_per_block = get(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    p->max_threads_per_multiprocessor = get(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
    p->max_blocks_per_multiprocessor = get(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
    p->registers_per_multiprocessor = get(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
    p->shared_per_block = get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
    p->shared_per_block_optin = get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    p->shared_per_multiprocessor = get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
    p->l2_bytes = get(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    // Only told to users: a driver need not know them.
    auto get_if_known = [&](CUdevice_attribute attribute) {
        int value = 0;
        return d.cuDeviceGetAttribute(&value, attribute, handle) == CUDA_SUCCESS ? value : 0;
    };
    p->clock_khz = get_if_known(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    p->memory_clock_khz = get_if_known(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
    p->memory_bus_bits = get_if_known(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
    p->memory = static_cast<std::int64_t>(memory);
    return p;
}

SINTER_INLINE const cuda_properties& properties(int index) {
    const cuda_driver& d = driver();
    check_cuda_index(index);
    cuda_process& p = the_cuda_process();
    if (auto* known = p.known[index].load(std::memory_order_acquire)) return *known;
    std::lock_guard lock(p.guard);
    if (auto* known = p.known[index].load(std::memory_order_acquire)) return *known;
    cuda_properties* fresh = query_cuda_properties(d, index);
    p.known[index].store(fresh, std::memory_order_release);
    return *fresh;
}

SINTER_INLINE CUdeviceptr zeroed_counters(const cuda_driver& d, CUstream stream) {
    CUdeviceptr words = 0;
    check(d.cuMemAllocAsync(&words, cuda_state::counter_bytes, stream), "cuMemAllocAsync");
    check(d.cuMemsetD8Async(words, 0, cuda_state::counter_bytes, stream), "cuMemsetD8Async");
    return words;
}

/// Retains the primary context, which other libraries of the process share, and makes the stream.
SINTER_INLINE cuda_state* open_cuda_device(const cuda_driver& d, int index) {
    cuda_state s;
    s.index = index;
    check(d.cuDeviceGet(&s.handle, index), "cuDeviceGet");
    check(d.cuDevicePrimaryCtxRetain(&s.context, s.handle), "cuDevicePrimaryCtxRetain");
    check(d.cuCtxSetCurrent(s.context), "cuCtxSetCurrent");
    check(d.cuStreamCreate(&s.stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
    int pools = 0;
    check(d.cuDeviceGetAttribute(&pools, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, s.handle), "cuDeviceGetAttribute");
    if (!pools) throw device_error(codegen::joined({"[cuda] device ", index, " has no stream-ordered memory pools"}));
    check(d.cuDeviceGetDefaultMemPool(&s.pool, s.handle), "cuDeviceGetDefaultMemPool");
    cuuint64_t keep = ~cuuint64_t(0);
    check(d.cuMemPoolSetAttribute(s.pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep), "cuMemPoolSetAttribute");
    s.counters = zeroed_counters(d, s.stream);
    return new cuda_state(s);
}

SINTER_INLINE cuda_state& use_device(int index) {
    const cuda_driver& d = driver();
    check_cuda_index(index);
    cuda_process& p = the_cuda_process();
    cuda_state* s = p.states[index].load(std::memory_order_acquire);
    if (!s) {
        std::lock_guard lock(p.guard);
        s = p.states[index].load(std::memory_order_acquire);
        if (!s) p.states[index].store(s = open_cuda_device(d, index), std::memory_order_release);
    }
    // Asked each time (some 20 ns), because other libraries of the process may switch this thread's context.
    CUcontext current = nullptr;
    check(d.cuCtxGetCurrent(&current), "cuCtxGetCurrent");
    if (current != s->context) check(d.cuCtxSetCurrent(s->context), "cuCtxSetCurrent");
    return *s;
}

}  // namespace sinter::inline SINTER_ABI::runtime

#else

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE int cuda_device_count(std::string* why) {
    if (why) *why = "built without CUDA headers";
    return 0;
}
SINTER_INLINE int cuda_driver_version() { return 0; }
SINTER_INLINE const cuda_properties& properties(int) { throw device_error("[cuda] built without CUDA headers"); }

}  // namespace sinter::inline SINTER_ABI::runtime

#endif
