// What the emulated devices are like, and the names of the errors they give; must not know how they work.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace cuda_emulation {

inline constexpr int processors = 4;
inline constexpr std::size_t memory_limit = std::size_t(4) << 30, context_memory = std::size_t(64) << 20,
                             most_shared = 227 * 1024;

// 90, or what the environment asks for.
inline int capability() {
    const char* asked = std::getenv("SINTER_EMULATED_CAPABILITY");
    return asked ? std::atoi(asked) : 90;
}

/// Bytes of shared memory that a block may have at most.
inline std::size_t shared_optin() {
    return capability() < 80 ? 64 * 1024 : capability() < 90 ? 163 * 1024 : most_shared;
}

inline int attribute_of(CUdevice_attribute a) {
    switch (a) {
        case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: return capability() / 10;
        case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: return capability() % 10;
        case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: return processors;
        case CU_DEVICE_ATTRIBUTE_WARP_SIZE: return 32;
        case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK: return 1024;
        case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR: return 2048;
        case CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR: return 32;
        case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR: return 65536;
        case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK: return 48 * 1024;
        case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: return static_cast<int>(shared_optin());
        case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR: return 228 * 1024;
        case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE: return 50 << 20;
        case CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED: return 1;
        case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING: return 1;
        case CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY: return 1;
        case CU_DEVICE_ATTRIBUTE_CLOCK_RATE: return 1500000;
        case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE: return 1000000;
        case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH: return 64;
        default:
            std::fprintf(stderr, "emulated CUDA driver: attribute %d is not emulated\n", static_cast<int>(a));
            return 0;
    }
}

struct error_row {
    CUresult code;
    const char* name;
    const char* text;
};
#define EMULATION_ERROR(name, text) {name, #name, text},
inline const error_row errors[] = {
    EMULATION_ERROR(CUDA_SUCCESS, "no error") EMULATION_ERROR(CUDA_ERROR_INVALID_VALUE, "invalid argument")
        EMULATION_ERROR(CUDA_ERROR_OUT_OF_MEMORY, "out of memory")
            EMULATION_ERROR(CUDA_ERROR_NOT_INITIALIZED, "initialization error")
                EMULATION_ERROR(CUDA_ERROR_INVALID_DEVICE, "invalid device ordinal") EMULATION_ERROR(
                    CUDA_ERROR_INVALID_IMAGE, "device kernel image is invalid")
                    EMULATION_ERROR(CUDA_ERROR_INVALID_CONTEXT, "invalid device context") EMULATION_ERROR(
                        CUDA_ERROR_INVALID_HANDLE, "invalid resource handle") EMULATION_ERROR(CUDA_ERROR_NOT_FOUND,
                                                                                              "named symbol not found")
                        EMULATION_ERROR(CUDA_ERROR_NOT_READY, "device not ready") EMULATION_ERROR(
                            CUDA_ERROR_ILLEGAL_ADDRESS, "an illegal memory access was encountered")
                            EMULATION_ERROR(CUDA_ERROR_MISALIGNED_ADDRESS, "misaligned address")
                                EMULATION_ERROR(CUDA_ERROR_LAUNCH_FAILED, "unspecified launch failure") EMULATION_ERROR(
                                    CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "too many resources requested for launch")
                                    EMULATION_ERROR(CUDA_ERROR_NO_BINARY_FOR_GPU,
                                                    "no kernel image is available for execution on the device")
                                        EMULATION_ERROR(CUDA_ERROR_NO_DEVICE, "no CUDA-capable device is detected")};

inline const error_row* find_error(CUresult code) {
    for (const error_row& e : errors)
        if (e.code == code) return &e;
    return nullptr;
}
#undef EMULATION_ERROR

}  // namespace cuda_emulation
