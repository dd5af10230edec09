// The CUDA driver, found at run time: its functions, its devices, and what each device can do; must not know arrays.
#pragma once

#include <cstdint>
#include <sinter/codegen/base/config.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <string>

#if SINTER_HAS_CUDA
#include <cuda.h>
static_assert(CUDA_VERSION >= 12000, "sinter needs the headers of CUDA 12 or later, or -DSINTER_HAS_CUDA=0");
#endif

namespace sinter::inline SINTER_ABI::runtime {

/// Number of CUDA devices of the driver, 0 without one; `why` then says what is missing.
int cuda_device_count(std::string* why = nullptr);

/// What a CUDA device is and has.
struct cuda_properties {
    std::string name;
    int major = 0;  ///< compute capability
    int minor = 0;
    int multiprocessors = 0;
    int warp_size = 32;
    int max_threads_per_block = 0;
    int max_threads_per_multiprocessor = 0;
    int max_blocks_per_multiprocessor = 0;
    int registers_per_multiprocessor = 0;
    int shared_per_block = 0;        ///< bytes a kernel may use without asking
    int shared_per_block_optin = 0;  ///< bytes a kernel may use at most
    int shared_per_multiprocessor = 0;
    std::int64_t memory = 0;  ///< bytes
    std::int64_t l2_bytes = 0;
    int clock_khz = 0;         ///< 0 where the driver does not tell, as the next two
    int memory_clock_khz = 0;  ///< data moves twice a cycle
    int memory_bus_bits = 0;
};

/// Properties of CUDA device `index`, queried once; throws device_error when there is no such device.
const cuda_properties& properties(int index);

/// Version of the installed driver as 1000 * major + 10 * minor, 0 without one.
int cuda_driver_version();

/// File names under which a CUDA library may be installed, best first; none of a newer CUDA than the driver's.
/// `behind`: by how much the library's own number is smaller than CUDA's.
codegen::sequence<std::string> cuda_library_names(const std::string& stem, int behind = 0);

#if SINTER_HAS_CUDA

/// The driver's functions; members bear the driver's own names.
struct cuda_driver {
#define SINTER_DRIVER_FUNCTION(name) decltype(&::name) name = nullptr;
#include <sinter/runtime/device/cuda_driver.def>
#undef SINTER_DRIVER_FUNCTION
#if CUDA_VERSION >= 12030
    /// cuGraphAddDependencies_v2, which takes data about edges; null where the driver is older than 12.3.
    CUresult(CUDAAPI* add_dependencies)(CUgraph, const CUgraphNode* from, const CUgraphNode* to, const CUgraphEdgeData*,
                                        std::size_t count) = nullptr;
#endif
#if CUDA_VERSION >= 12040
    /// cuGraphAddNode_v2 and what makes conditions of nodes; null where the driver is older than 12.4.
    CUresult(CUDAAPI* add_node)(CUgraphNode*, CUgraph, const CUgraphNode* before, const CUgraphEdgeData*,
                                std::size_t count, CUgraphNodeParams*) = nullptr;
    decltype(&cuGraphConditionalHandleCreate) create_condition = nullptr;
#endif
};

/// The one table of the process; throws device_error when there is no driver, and in a process forked after its use.
const cuda_driver& driver();

/// What is kept per device; created at its first use and never destroyed.
struct cuda_state {
    int index = 0;
    CUdevice handle = 0;
    CUcontext context = nullptr;
    CUstream stream = nullptr;  ///< the first one, which work goes to unless a thread chose another
    CUmemoryPool pool = nullptr;
    CUdeviceptr counters = 0;  ///< zeroed words by which kernels find their last thread block
    static constexpr std::size_t counter_bytes = std::size_t{4} * 65536;
};

/// The state of device `index`, whose primary context is made current in this thread.
cuda_state& use_device(int index);

/// Zeroed words for one stream, see cuda_counters.
CUdeviceptr zeroed_counters(const cuda_driver& d, CUstream stream);

/// Throws device_error, or out_of_memory for CUDA_ERROR_OUT_OF_MEMORY, naming the call `what` and the driver's text.
[[noreturn]] void throw_cuda(CUresult result, const char* what);

/// Throws when a driver call failed.
inline void check(CUresult result, const char* what) {
    if (result != CUDA_SUCCESS) throw_cuda(result, what);
}

#endif

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/device/cuda_driver.ipp>
#endif
