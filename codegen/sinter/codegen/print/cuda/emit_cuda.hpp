// Prints a kernel as header-free CUDA C++ and says how to launch it; must not know devices or drivers.
#pragma once

#include <sinter/codegen/print/cuda/cuda_parameters.hpp>
#include <sinter/codegen/print/emit.hpp>
#include <sinter/codegen/schedule/geometry.hpp>
#include <sinter/codegen/schedule/resident_rows.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Source with the entry point `name`.
kernel_source emit_cuda(const kernel& k);
/// The same of a kernel of a map, and of one of rows: a program without those is not to compile their printers.
kernel_source emit_cuda_map(const kernel& k);
kernel_source emit_cuda_rows(const kernel& k);

/// Most scalars that the kernels of a recorded step find in memory, 16 bytes each.
inline constexpr std::size_t most_step_scalars = 32;

/// A kernel `write_scalars` of one thread block of 2 * most_step_scalars threads, which writes them: its parameters are
/// where to and, by value, as many numbers of 64 bits as it has threads. Kernels with scalars_in_memory follow it.
kernel_source scalar_writer_cuda();

/// A kernel `scale` of blocks of 256 threads, scaled_by_block elements each: its parameters are an array, a number of
/// the same type that the elements are multiplied by, and a long long of how many there are.
inline constexpr std::int64_t scaled_by_block = 1024;
kernel_source scaling_cuda(dtype type);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/emit_cuda.ipp>
#endif
