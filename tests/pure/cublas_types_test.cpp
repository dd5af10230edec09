// The function types and constants assumed of cuBLAS, compared with the toolkit's header at compile time.
#include <doctest/doctest.h>

#include <sinter/codegen/config.hpp>

#if SINTER_HAS_CUDA && __has_include(<cublas_api.h>)
#include <sinter/runtime/cublas_check.hpp>

TEST_CASE("what is assumed of cuBLAS agrees with its header") {
    using namespace sinter;
    static_assert(!runtime::same_in_c<int (*)(void*, int), decltype(&cublasSetStream_v2)>);
    CHECK(runtime::same_in_c<decltype(runtime::cublas_table::gemm), decltype(&cublasGemmStridedBatchedEx_64)>);
}
#endif
