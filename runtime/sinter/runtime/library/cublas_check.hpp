// Compares at compile time what cublas_types.hpp and cublaslt_types.hpp assume of cuBLAS with the toolkit's own
// headers; must define nothing else.
#pragma once

#include <sinter/runtime/library/cublas_types.hpp>
#include <sinter/runtime/library/cublaslt_types.hpp>

#if SINTER_HAS_CUDA

#include <cublasLt.h>
#include <cublas_api.h>

#include <cstddef>
#include <type_traits>

namespace sinter::inline SINTER_ABI::runtime {

/// A type as plain C passes it: an enumeration is int, a handle void*.
template <class T>
struct plain_c {
    using type = std::conditional_t<std::is_enum_v<T>, int, T>;
};
template <class T>
    requires std::is_class_v<T>
struct plain_c<T*> {
    using type = void*;
};
template <class T>
    requires std::is_class_v<T>
struct plain_c<T**> {
    using type = void**;
};
template <class R, class... A>
struct plain_c<R (*)(A...)> {
    using type = typename plain_c<R>::type (*)(typename plain_c<A>::type...);
};

template <class Ours, class Theirs>
inline constexpr bool same_in_c = std::is_same_v<Ours, typename plain_c<Theirs>::type>;

static_assert(same_in_c<decltype(cublas_table::create), decltype(&cublasCreate_v2)>);
static_assert(same_in_c<decltype(cublas_table::set_stream), decltype(&cublasSetStream_v2)>);
static_assert(same_in_c<decltype(cublas_table::set_workspace), decltype(&cublasSetWorkspace_v2)>);
static_assert(same_in_c<decltype(cublas_table::set_atomics), decltype(&cublasSetAtomicsMode)>);
static_assert(same_in_c<decltype(cublas_table::set_math), decltype(&cublasSetMathMode)>);
static_assert(same_in_c<decltype(cublas_table::gemm), decltype(&cublasGemmStridedBatchedEx_64)>);
static_assert(same_in_c<decltype(cublas_table::gemm_of_lists), decltype(&cublasGemmBatchedEx_64)>);
static_assert(same_in_c<decltype(cublas_table::status_name), decltype(&cublasGetStatusName)>);

static_assert(same_in_c<decltype(cublaslt_table::create_desc), decltype(&cublasLtMatmulDescCreate)>);
static_assert(same_in_c<decltype(cublaslt_table::set_desc), decltype(&cublasLtMatmulDescSetAttribute)>);
static_assert(same_in_c<decltype(cublaslt_table::destroy_desc), decltype(&cublasLtMatmulDescDestroy)>);
static_assert(same_in_c<decltype(cublaslt_table::create_layout), decltype(&cublasLtMatrixLayoutCreate)>);
static_assert(same_in_c<decltype(cublaslt_table::set_layout), decltype(&cublasLtMatrixLayoutSetAttribute)>);
static_assert(same_in_c<decltype(cublaslt_table::destroy_layout), decltype(&cublasLtMatrixLayoutDestroy)>);
static_assert(same_in_c<decltype(cublaslt_table::create_preference), decltype(&cublasLtMatmulPreferenceCreate)>);
static_assert(same_in_c<decltype(cublaslt_table::set_preference), decltype(&cublasLtMatmulPreferenceSetAttribute)>);
static_assert(same_in_c<decltype(cublaslt_table::destroy_preference), decltype(&cublasLtMatmulPreferenceDestroy)>);
static_assert(same_in_c<decltype(cublaslt_table::find_algorithms), decltype(&cublasLtMatmulAlgoGetHeuristic)>);
static_assert(same_in_c<decltype(cublaslt_table::check_algorithm), decltype(&cublasLtMatmulAlgoCheck)>);
static_assert(same_in_c<decltype(cublaslt_table::get_config), decltype(&cublasLtMatmulAlgoConfigGetAttribute)>);
static_assert(same_in_c<decltype(cublaslt_table::multiply), decltype(&cublasLtMatmul)>);
static_assert(sizeof(cublaslt_algorithm) == sizeof(cublasLtMatmulHeuristicResult_t));
static_assert(offsetof(cublasLtMatmulHeuristicResult_t, algo) == 0);
static_assert(offsetof(cublaslt_algorithm, workspace) == offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize));
static_assert(offsetof(cublaslt_algorithm, status) == offsetof(cublasLtMatmulHeuristicResult_t, state));
static_assert(offsetof(cublaslt_algorithm, waves) == offsetof(cublasLtMatmulHeuristicResult_t, wavesCount));

static_assert(cublas_constants::success == CUBLAS_STATUS_SUCCESS);
static_assert(cublas_constants::allocation_failed == CUBLAS_STATUS_ALLOC_FAILED);
static_assert(cublas_constants::plain == CUBLAS_OP_N && cublas_constants::transposed == CUBLAS_OP_T);
static_assert(cublas_constants::adjoint == CUBLAS_OP_C);
static_assert(cublas_constants::float32 == CUDA_R_32F && cublas_constants::float64 == CUDA_R_64F);
static_assert(cublas_constants::float16 == CUDA_R_16F && cublas_constants::bfloat16 == CUDA_R_16BF);
static_assert(cublas_constants::complex64 == CUDA_C_32F && cublas_constants::complex128 == CUDA_C_64F);
static_assert(cublas_constants::compute_32 == CUBLAS_COMPUTE_32F && cublas_constants::compute_64 == CUBLAS_COMPUTE_64F);
static_assert(cublas_constants::compute_bf16 == CUBLAS_COMPUTE_32F_FAST_16BF);
static_assert(cublas_constants::compute_tf32 == CUBLAS_COMPUTE_32F_FAST_TF32);
static_assert(cublas_constants::atomics_not_allowed == CUBLAS_ATOMICS_NOT_ALLOWED);
static_assert(cublas_constants::sums_in_full == CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);
static_assert(cublas_constants::default_algorithm == CUBLAS_GEMM_DEFAULT);
static_assert(cublaslt_constants::transpose_a == CUBLASLT_MATMUL_DESC_TRANSA);
static_assert(cublaslt_constants::transpose_b == CUBLASLT_MATMUL_DESC_TRANSB);
static_assert(cublaslt_constants::epilogue == CUBLASLT_MATMUL_DESC_EPILOGUE);
static_assert(cublaslt_constants::bias_pointer == CUBLASLT_MATMUL_DESC_BIAS_POINTER);
static_assert(cublaslt_constants::batch_count == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT);
static_assert(cublaslt_constants::batch_stride == CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET);
static_assert(cublaslt_constants::most_workspace == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
static_assert(cublaslt_constants::alignment_a == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES);
static_assert(cublaslt_constants::alignment_b == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES);
static_assert(cublaslt_constants::alignment_c == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES);
static_assert(cublaslt_constants::alignment_d == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES);
static_assert(cublaslt_constants::no_epilogue == CUBLASLT_EPILOGUE_DEFAULT);
static_assert(cublaslt_constants::relu == CUBLASLT_EPILOGUE_RELU && cublaslt_constants::bias == CUBLASLT_EPILOGUE_BIAS);
static_assert((cublaslt_constants::relu | cublaslt_constants::bias) == CUBLASLT_EPILOGUE_RELU_BIAS);
static_assert(cublaslt_constants::gelu == CUBLASLT_EPILOGUE_GELU);
static_assert((cublaslt_constants::gelu | cublaslt_constants::bias) == CUBLASLT_EPILOGUE_GELU_BIAS);
static_assert(cublaslt_constants::algorithm_id == CUBLASLT_ALGO_CONFIG_ID);
static_assert(cublaslt_constants::reduction_scheme == CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME);
static_assert(cublaslt_constants::tile == CUBLASLT_ALGO_CONFIG_TILE_ID);
static_assert(cublaslt_constants::split == CUBLASLT_ALGO_CONFIG_SPLITK_NUM);
static_assert(cublaslt_constants::tile_64_64 == CUBLASLT_MATMUL_TILE_64x64);
static_assert(cublaslt_constants::tile_64_128 == CUBLASLT_MATMUL_TILE_64x128);
static_assert(cublaslt_constants::tile_128_64 == CUBLASLT_MATMUL_TILE_128x64);
static_assert(cublaslt_constants::tile_128_128 == CUBLASLT_MATMUL_TILE_128x128);
static_assert(cublaslt_constants::reduced_in_place == CUBLASLT_REDUCTION_SCHEME_INPLACE);

}  // namespace sinter::inline SINTER_ABI::runtime

#endif
