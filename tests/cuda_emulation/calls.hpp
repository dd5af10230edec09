// What every call of the emulated driver begins with: the lock, the current context, the stream.
#pragma once

#include "machine.hpp"

namespace cuda_emulation {

inline std::unique_lock<std::recursive_mutex> locked() { return std::unique_lock(the_machine().guard); }

inline emulated_device* device_of(CUdevice d) {
    machine& m = the_machine();
    return d >= 0 && static_cast<std::size_t>(d) < m.devices.size() ? m.devices[static_cast<std::size_t>(d)].get()
                                                                    : nullptr;
}

// What every call on a context checks first.
inline CUresult usable() {
    machine& m = the_machine();
    if (m.forked) return CUDA_ERROR_NOT_INITIALIZED;
    if (!m.initialized) return CUDA_ERROR_NOT_INITIALIZED;
    if (!current_context()) return CUDA_ERROR_INVALID_CONTEXT;
    return current_context()->failed;
}

// The stream, when it belongs to the current context; the driver is more lenient, but then kernels meet foreign
// pointers.
inline emulated_stream* stream_of(CUstream s) {
    if (!s) return &current_context()->null_stream;
    for (emulated_stream* own : current_context()->streams)
        if (reinterpret_cast<CUstream>(own) == s) return own;
    complain("a stream of another context or no stream at all");
    return nullptr;
}

// The bytes of a device address on any device, or of pinned memory.
inline char* bytes_of(CUdeviceptr address, std::size_t size) {
    emulated_device* d = owner_of(address);
    if (d) return d->memory.holds(address, size) ? d->memory.bytes(address) : nullptr;
    return is_pinned(address) ? reinterpret_cast<char*>(address) : nullptr;
}

inline bool is_device_address(const void* p) { return owner_of(reinterpret_cast<std::uintptr_t>(p)) != nullptr; }

#define EMULATION_BEGIN         \
    const auto lock = locked(); \
    if (const CUresult now = usable(); now != CUDA_SUCCESS) return now;

#define EMULATION_STREAM(handle)                       \
    EMULATION_BEGIN                                    \
    emulated_stream* const stream = stream_of(handle); \
    if (!stream) return CUDA_ERROR_INVALID_HANDLE;

}  // namespace cuda_emulation
