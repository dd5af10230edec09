// Launches of the kernels of bench/limits, by row and size.
#pragma once

#include "limits.hpp"

#if SINTER_HAS_CUDA

#include <sinter/runtime/device/cuda_module.hpp>

namespace bench::limits {

/// The kernel `name`_by_hand of a file of bench/limits.
sinter::runtime::cuda_kernel kernel(const std::string& file, const std::string& name);

/// A kernel, how often it runs, and its parameters in their order: inputs that rotate, memory for results, numbers.
struct launch {
    sinter::runtime::cuda_kernel what;
    sinter::runtime::launch_extent grid, block{256, 1, 1};
    std::vector<std::vector<sinter::array<float>>> in;
    std::vector<sinter::runtime::buffer_ref> out;
    std::vector<std::uint32_t> numbers;
    std::vector<std::vector<const void*>> addresses = {};  ///< of the inputs: asking for one waits for the device
    std::uint32_t shared_bytes = 0;                        ///< of dynamic shared memory

    void operator()(int i);
};

sinter::runtime::buffer_ref zeroed(std::int64_t bytes);

inline std::uint32_t ceil_div(std::int64_t a, std::int64_t b) { return static_cast<std::uint32_t>((a + b - 1) / b); }

/// The chain of operations that sinter's first uses have, by bits below a leading one: its text; and such a launch on n
/// elements, of which the kernel is compiled and loaded for each order.
std::string text_of_chain(int bits);
launch prepared_chain(std::int64_t n);
launch chain_launch(const launch& prepared, int bits);

/// The launch that computes a row; throws std::invalid_argument where there is no kernel by hand.
launch cuda_launch(const std::string& row, const std::string& size);

}  // namespace bench::limits

#endif
