// Compares at compile time what cufft_types.hpp assumes of cuFFT with the toolkit's own headers; must define nothing
// else.
#pragma once

#include <sinter/runtime/library/cufft_types.hpp>
#include <sinter/runtime/library/linalg/linalg_check.hpp>

#if SINTER_HAS_CUDA

#include <cufftXt.h>

namespace sinter::inline SINTER_ABI::runtime {

static_assert(same_untyped<cufft_types::create, decltype(cufftCreate)>);
static_assert(same_untyped<cufft_types::destroy, decltype(cufftDestroy)>);
static_assert(same_untyped<cufft_types::set_auto_allocation, decltype(cufftSetAutoAllocation)>);
static_assert(same_untyped<cufft_types::set_stream, decltype(cufftSetStream)>);
static_assert(same_untyped<cufft_types::set_work_area, decltype(cufftSetWorkArea)>);
static_assert(same_untyped<cufft_types::make_plan, decltype(cufftXtMakePlanMany)>);
static_assert(same_untyped<cufft_types::execute, decltype(cufftXtExec)>);

static_assert(cufft_constants::success == CUFFT_SUCCESS && cufft_constants::alloc_failed == CUFFT_ALLOC_FAILED);
static_assert(cufft_constants::forward == CUFFT_FORWARD && cufft_constants::inverse == CUFFT_INVERSE);
static_assert(cufft_constants::float16 == CUDA_R_16F && cufft_constants::complex32 == CUDA_C_16F);
static_assert(cufft_constants::float32 == CUDA_R_32F && cufft_constants::float64 == CUDA_R_64F);
static_assert(cufft_constants::complex64 == CUDA_C_32F && cufft_constants::complex128 == CUDA_C_64F);

}  // namespace sinter::inline SINTER_ABI::runtime

#endif
