// The function types and constants assumed of cuBLAS, cuSOLVER and cuFFT, compared with the toolkit's headers at
// compile time.
#include <doctest/doctest.h>

#include <sinter/codegen/base/config.hpp>

#if SINTER_HAS_CUDA && __has_include(<cublasLt.h>)
#include <sinter/runtime/library/cublas_check.hpp>

TEST_CASE("what is assumed of cuBLAS agrees with its header") {
    using namespace sinter;
    static_assert(!runtime::same_in_c<int (*)(void*, int), decltype(&cublasSetStream_v2)>);
    CHECK(runtime::same_in_c<decltype(runtime::cublas_table::gemm), decltype(&cublasGemmStridedBatchedEx_64)>);
}
#endif

#if SINTER_HAS_CUDA && __has_include(<cublas_api.h>) && __has_include(<cusolverDn.h>)
#include <sinter/runtime/library/linalg/linalg_check.hpp>

TEST_CASE("what linear algebra assumes of cuBLAS and cuSOLVER agrees with their headers") {
    using namespace sinter;
    static_assert(!runtime::same_untyped<int(void*, int), decltype(cusolverDnSetStream)>);
    CHECK(runtime::same_untyped<runtime::cusolver_types::getrf, decltype(cusolverDnZgetrf)>);
}
#endif

#if SINTER_HAS_CUDA && __has_include(<cublas_api.h>) && __has_include(<cusolverDn.h>) && __has_include(<cufftXt.h>)
#include <sinter/runtime/library/fourier_check.hpp>

TEST_CASE("what Fourier transforms assume of cuFFT agrees with its headers") {
    using namespace sinter;
    static_assert(!runtime::same_untyped<int(int, int), decltype(cufftSetStream)>);
    CHECK(runtime::same_untyped<runtime::cufft_types::execute, decltype(cufftXtExec)>);
}
#endif
