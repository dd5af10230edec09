// libcublas.so of an emulated machine, for tests.
#include <cublas_api.h>

#include "cublas_handle.hpp"
#include "products.hpp"

using namespace cuda_emulation;

extern "C" {

// The version of the headers, as every library of CUDA's tells its own.
cublasStatus_t cublasGetProperty(libraryPropertyType which, int* value) {
    if (which != MAJOR_VERSION && which != MINOR_VERSION && which != PATCH_LEVEL) return CUBLAS_STATUS_INVALID_VALUE;
    *value = which == MAJOR_VERSION ? CUBLAS_VER_MAJOR : which == MINOR_VERSION ? CUBLAS_VER_MINOR : CUBLAS_VER_PATCH;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
    *handle = reinterpret_cast<cublasHandle_t>(new emulated_handle);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
    auto* h = reinterpret_cast<emulated_handle*>(handle);
    h->stream = stream;
    h->has_workspace = false;  // as cuBLAS documents
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void* workspace, std::size_t bytes) {
    reinterpret_cast<emulated_handle*>(handle)->has_workspace = workspace && bytes;
    return reinterpret_cast<std::uintptr_t>(workspace) % 256 ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
    if (mode & ~0x1f) return CUBLAS_STATUS_INVALID_VALUE;
    reinterpret_cast<emulated_handle*>(handle)->sums_in_full = mode & CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t) { return CUBLAS_STATUS_SUCCESS; }

const char* cublasGetStatusName(cublasStatus_t status) {
    return status == CUBLAS_STATUS_SUCCESS         ? "CUBLAS_STATUS_SUCCESS"
           : status == CUBLAS_STATUS_INVALID_VALUE ? "CUBLAS_STATUS_INVALID_VALUE"
                                                   : "CUBLAS_STATUS_EXECUTION_FAILED";
}

cublasStatus_t cublasGemmStridedBatchedEx_64(cublasHandle_t handle, cublasOperation_t how_a, cublasOperation_t how_b,
                                             std::int64_t m, std::int64_t n, std::int64_t k, const void* alpha,
                                             const void* a, cudaDataType a_type, std::int64_t lda, long long a_stride,
                                             const void* b, cudaDataType b_type, std::int64_t ldb, long long b_stride,
                                             const void* beta, void* c, cudaDataType c_type, std::int64_t ldc,
                                             long long c_stride, std::int64_t batch, cublasComputeType_t compute,
                                             cublasGemmAlgo_t) {
    const auto* h = reinterpret_cast<emulated_handle*>(handle);
    auto p = std::make_unique<product>(
        product{m, n, k, batch, {a, how_a, lda, a_stride}, {b, how_b, ldb, b_stride}, c, c, ldc, c_stride, 0, 0});
    if (m < 0 || n < 0 || k < 0 || batch < 0 || a_type != b_type || a_type != c_type || ldc < m || ldc < 1)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!is_good(p->a, m, k) || !is_good(p->b, k, n) || !h->has_workspace) return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0 || batch == 0) return CUBLAS_STATUS_SUCCESS;
    p->alpha = factor(alpha, a_type), p->beta = factor(beta, a_type);
    return enqueue_product(h->stream, multiplier(a_type, compute, h->sums_in_full), std::move(p));
}

// Sums in another order than the function above, for algorithms differ.
cublasStatus_t cublasGemmBatchedEx_64(cublasHandle_t handle, cublasOperation_t how_a, cublasOperation_t how_b,
                                      std::int64_t m, std::int64_t n, std::int64_t k, const void* alpha,
                                      const void* const a[], cudaDataType a_type, std::int64_t lda,
                                      const void* const b[], cudaDataType b_type, std::int64_t ldb, const void* beta,
                                      void* const c[], cudaDataType c_type, std::int64_t ldc, std::int64_t batch,
                                      cublasComputeType_t compute, cublasGemmAlgo_t) {
    const auto* h = reinterpret_cast<emulated_handle*>(handle);
    product one{m, n, k, 1, {nullptr, how_a, lda, 0}, {nullptr, how_b, ldb, 0}, nullptr, nullptr, ldc, 0, 0, 0};
    if (m < 0 || n < 0 || k < 0 || batch < 0 || a_type != b_type || a_type != c_type || ldc < m || ldc < 1)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!is_good(one.a, m, k) || !is_good(one.b, k, n) || !h->has_workspace) return CUBLAS_STATUS_INVALID_VALUE;
    auto* multiply = multiplier(a_type, compute, h->sums_in_full);
    if (!multiply) return CUBLAS_STATUS_NOT_SUPPORTED;
    if (m == 0 || n == 0 || batch == 0) return CUBLAS_STATUS_SUCCESS;
    one.alpha = factor(alpha, a_type), one.beta = factor(beta, a_type), one.order = 1;
    const bool by_tensor_cores = a_type == CUDA_R_16F || a_type == CUDA_R_16BF ||
                                 compute == CUBLAS_COMPUTE_32F_FAST_TF32 || compute == CUBLAS_COMPUTE_32F_FAST_16BF;
    const std::uintptr_t alignment = by_tensor_cores ? 16 : 1;
    auto all = std::make_unique<listed_products>(listed_products{one, multiply, a, b, c, batch, alignment});
    return enqueue_product(h->stream, multiply_listed, std::move(all));
}

}  // extern "C"
