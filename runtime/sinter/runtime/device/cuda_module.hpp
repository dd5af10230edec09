// Loading compiled CUDA modules and launching their kernels on a device's stream; must not know how they were made.
#pragma once

#include <sinter/codegen/base/sequence.hpp>
#include <sinter/runtime/device/device.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace sinter::inline SINTER_ABI::runtime {

/// Thread blocks or threads along x, y and z.
struct launch_extent {
    std::uint32_t x = 1;
    std::uint32_t y = 1;
    std::uint32_t z = 1;
};

/// What a device was asked about clusters of a kernel's blocks, see allow_cluster, and what it answered.
struct cluster_question {
    launch_extent block;
    int most;
    std::size_t shared_bytes;
    int answer;
};

/// A kernel whose code may be replaced while others keep it, and what they have asked for: of the code that takes its
/// place the same is asked. runtime_lock() is held where that happens.
struct replaceable_kernel {
    std::string name;
    std::atomic<void*> function{nullptr};          ///< a CUfunction, or the address of a function for CPUs
    std::size_t shared_bytes = 0;                  ///< the most of dynamic shared memory that were allowed
    codegen::sequence<cluster_question> clusters;  ///< each once
};

/// A kernel loaded on one device, for as long as its module is.
class cuda_kernel {
public:
    cuda_kernel() = default;
    explicit cuda_kernel(void* function, bool starts_early = false)
        : function_(function), starts_early_(starts_early) {}
    /// The code that `of` has whenever it is asked for; `of` outlives all of these.
    explicit cuda_kernel(replaceable_kernel& of, bool starts_early = false) : of_(&of), starts_early_(starts_early) {}
    /// A CUfunction.
    void* function() const { return of_ ? of_->function.load(std::memory_order_relaxed) : function_; }
    explicit operator bool() const { return of_ || function_; }
    /// Null where its code stays.
    replaceable_kernel* replaceable() const { return of_; }

    /// Whether all its threads wait for the kernels before it, so that it may be started while those run; see
    /// `codegen::early_start_capability`.
    bool starts_early() const { return starts_early_; }

private:
    replaceable_kernel* of_ = nullptr;
    void* function_ = nullptr;
    bool starts_early_ = false;
};

/// A module loaded on one device, from which several kernels may be taken.
class cuda_module {
public:
    cuda_module() = default;
    /// Loads a cubin or PTX image; throws device_error.
    cuda_module(device where, const std::string& image);
    /// The kernel called `name`; throws device_error when the image has none.
    cuda_kernel kernel(const std::string& name, bool starts_early = false) const;
    explicit operator bool() const { return module_ != nullptr; }
    /// Waits for the device, whose work may be that of its kernels.
    void unload() noexcept;

private:
    device where_;
    void* module_ = nullptr;
};

/// The kernel called `name` of an image.
cuda_kernel load_cuda_kernel(device where, const std::string& image, const std::string& name);

/// What the compiler gave a kernel's thread.
struct kernel_resources {
    int registers = 0;
    int local_bytes = 0;  ///< in memory of its own: spilled registers, arrays
};
kernel_resources resources_of(device where, cuda_kernel kernel);

/// Lets a kernel use up to `bytes` of dynamic shared memory, needed above 48 KiB.
void allow_shared_memory(device where, cuda_kernel kernel, std::size_t bytes);

/// The CUstream that this thread's work on a device is enqueued on; the device is current in this thread from now on.
void* cuda_stream(device where);

/// How many blocks of a kernel, a power of two up to `most`, may be one cluster, whose shared memory all of them reach;
/// 1 below compute capability 9.0. Lets the kernel be launched so, each block with up to `shared_bytes` of dynamic
/// shared memory.
int allow_cluster(device where, cuda_kernel kernel, launch_extent block, int most, std::size_t shared_bytes = 0);

/// Whether a kernel of other code may do what was asked of this one, which it is allowed then; throws device_error.
bool takes_place_of(device where, cuda_kernel fresh, const replaceable_kernel& of);

/// What thread blocks of a launch have to do with each other.
struct thread_blocks {
    int cluster = 1;           ///< so many along x reach each other's shared memory
    int cluster_y = 1;         ///< or so many along y
    bool cooperative = false;  ///< or they wait for each other, so that all are at work at once
};

/// Enqueues a kernel on a device's stream, which has just been asked for, and counts it; `parameters` are addresses of
/// the arguments, copied on return.
void launch_cuda(void* stream, cuda_kernel kernel, launch_extent grid, launch_extent block, std::size_t shared_bytes,
                 void* const* parameters, thread_blocks how = {});
void launch_cuda(device where, cuda_kernel kernel, launch_extent grid, launch_extent block, std::size_t shared_bytes,
                 void* const* parameters, thread_blocks how = {});

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/device/cuda_module.ipp>
#endif
