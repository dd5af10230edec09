// Compares at compile time what cutensor_types.hpp assumes with cuTENSOR's own headers; must define nothing else.
#pragma once

#include <sinter/runtime/library/cublas_check.hpp>
#include <sinter/runtime/library/tensor/cutensor_types.hpp>

#if SINTER_HAS_CUDA && __has_include(<cutensor.h>)

#include <cutensor.h>

namespace sinter::inline SINTER_ABI::runtime {

static_assert(same_in_c<cutensor_types::create*, decltype(&cutensorCreate)>);
static_assert(same_in_c<cutensor_types::create_tensor*, decltype(&cutensorCreateTensorDescriptor)>);
static_assert(same_in_c<cutensor_types::destroy*, decltype(&cutensorDestroyTensorDescriptor)>);
static_assert(same_in_c<cutensor_types::destroy*, decltype(&cutensorDestroyOperationDescriptor)>);
static_assert(same_in_c<cutensor_types::destroy*, decltype(&cutensorDestroyPlanPreference)>);
static_assert(same_in_c<cutensor_types::destroy*, decltype(&cutensorDestroyPlan)>);
static_assert(same_in_c<cutensor_types::create_contraction*, decltype(&cutensorCreateContraction)>);
static_assert(same_in_c<cutensor_types::create_preference*, decltype(&cutensorCreatePlanPreference)>);
static_assert(same_in_c<cutensor_types::estimate_workspace*, decltype(&cutensorEstimateWorkspaceSize)>);
static_assert(same_in_c<cutensor_types::create_plan*, decltype(&cutensorCreatePlan)>);
static_assert(same_in_c<cutensor_types::plan_attribute*, decltype(&cutensorPlanGetAttribute)>);
static_assert(same_in_c<cutensor_types::contract*, decltype(&cutensorContract)>);
static_assert(same_in_c<cutensor_types::error_text*, decltype(&cutensorGetErrorString)>);

static_assert(cutensor_constants::success == CUTENSOR_STATUS_SUCCESS);
static_assert(cutensor_constants::alloc_failed == CUTENSOR_STATUS_ALLOC_FAILED);
static_assert(cutensor_constants::identity == CUTENSOR_OP_IDENTITY);
static_assert(cutensor_constants::default_algorithm == CUTENSOR_ALGO_DEFAULT);
static_assert(cutensor_constants::never_compiles == CUTENSOR_JIT_MODE_NONE);
static_assert(cutensor_constants::default_workspace == CUTENSOR_WORKSPACE_DEFAULT);
static_assert(cutensor_constants::required_workspace == CUTENSOR_PLAN_REQUIRED_WORKSPACE);
static_assert(cutensor_constants::float16 == CUDA_R_16F && cutensor_constants::bfloat16 == CUDA_R_16BF);
static_assert(cutensor_constants::float32 == CUDA_R_32F && cutensor_constants::float64 == CUDA_R_64F);
static_assert(cutensor_constants::complex64 == CUDA_C_32F && cutensor_constants::complex128 == CUDA_C_64F);

}  // namespace sinter::inline SINTER_ABI::runtime

#endif
