// Launches, copies and fills that follow each other, recorded as one CUDA graph: replayed for a fraction of what they
// cost one by one, or repeated by the GPU itself.
#pragma once

#include <sinter/codegen/base/sequence.hpp>
#include <sinter/runtime/device/cuda_module.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// A launch as a graph takes it; the arguments are copied when it is added or replaced. Without a kernel it writes
/// memory of the device: a copy of other memory of it, or zeros.
struct recorded_launch {
    cuda_kernel kernel;
    launch_extent grid;
    launch_extent block;
    std::size_t shared_bytes = 0;
    void* const* parameters = nullptr;  ///< addresses of the arguments
    void* to = nullptr;                 ///< what is written without a kernel
    const void* from = nullptr;         ///< what is copied there; nullptr: zeros
    std::size_t bytes = 0;              ///< of them, not 0
    bool cooperative = false;           ///< of a kernel: its thread blocks wait for each other
    int cluster_y = 1;                  ///< of a kernel: so many of them along y are a cluster
};

/// Launches on one device, each after the one before it.
class cuda_graph {
public:
    /// Records them; throws device_error.
    cuda_graph(device where, const codegen::sequence<recorded_launch>& launches);
    ~cuda_graph();
    cuda_graph(const cuda_graph&) = delete;
    cuda_graph& operator=(const cuda_graph&) = delete;

    /// Gives a launch other arguments, or a copy or fill other addresses, from the next run on.
    void replace(std::size_t number, const recorded_launch& l);
    /// Enqueues all of them and counts each kernel.
    void run();

private:
    device where_;
    void* graph_ = nullptr;           ///< a CUgraph
    void* executable_ = nullptr;      ///< a CUgraphExec
    codegen::sequence<void*> nodes_;  ///< CUgraphNodes
    std::int64_t kernels_ = 0;        ///< how many of them are launches
};

/// Launches on one device that it repeats while a bool in its memory is true, without the host: a WHILE node of a
/// graph.
class cuda_loop {
public:
    /// Whether the driver and the device have such nodes: from CUDA 12.4 on.
    static bool is_supported(device where);

    /// Records what a turn launches; `condition` is a bool that each turn writes, or nullptr: it holds always. Throws
    /// device_error.
    cuda_loop(device where, const codegen::sequence<recorded_launch>& turn, const void* condition);
    ~cuda_loop();
    cuda_loop(const cuda_loop&) = delete;
    cuda_loop& operator=(const cuda_loop&) = delete;

    /// Enqueues turns as long as the condition holds, which is asked before the first, at most so many, not 0; counts
    /// the kernels of all of them, or of one where nobody knows how many there will be.
    void run(std::uint32_t most);

private:
    void build(const codegen::sequence<recorded_launch>& turn);
    void destroy() noexcept;

    device where_;
    const void* condition_;
    unsigned long long left_ = 0;    ///< a CUdeviceptr: the number of turns to come
    std::uint32_t most_ = 0;         ///< turns that are recorded
    unsigned long long handle_ = 0;  ///< a CUgraphConditionalHandle
    void* graph_ = nullptr;          ///< a CUgraph
    void* executable_ = nullptr;     ///< a CUgraphExec
    void* first_ = nullptr;          ///< a CUgraphNode: what begins the loop
    std::int64_t kernels_ = 0;
};

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/device/cuda_graph.ipp>
#endif
