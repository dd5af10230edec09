// Fourier transforms by cuFFT; must not include its headers.
#pragma once

#include <cstdint>
#include <sinter/codegen/ops/fourier.hpp>
#include <sinter/runtime/device/device.hpp>

namespace sinter::inline SINTER_ABI::runtime {

struct fourier_plans_result;
struct prepared_fourier;

/// Bytes of memory that a transform needs besides its operand and result.
std::int64_t cuda_fourier_workspace(const codegen::transform_task& task, device where);

/// Enqueues a transform of what lies at `from`.
void run_cuda_fourier(const prepared_fourier& r, device where, void* from, void* to, void* workspace);

/// As fourier_plans() says.
fourier_plans_result cuda_fourier_plans(device where);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/fourier_cuda.ipp>
#endif
