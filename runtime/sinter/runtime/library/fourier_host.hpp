// Fourier transforms by FFTW; must not know its functions.
#pragma once

#include <sinter/codegen/ops/fourier.hpp>

namespace sinter::inline SINTER_ABI::runtime {

struct fftw_table;
struct fourier_plans_result;

/// FFTW of a precision; throws device_error naming the package where there is none.
fftw_table& loaded_fftw(dtype type);

/// Transforms what lies at `from`.
void run_fftw(const codegen::transform_task& task, void* from, void* to);

/// As fourier_plans() says, of float64.
fourier_plans_result fftw_plans();

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/fourier_host.ipp>
#endif
