// What is needed of cuBLAS as function types of plain C; must not include its headers, which would cost every file 0.45
// s.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sinter/codegen/base/config.hpp>
#include <string>

namespace sinter::inline SINTER_ABI::runtime {

class shared_library;

/// cuBLAS's functions, enumerations being int and handles void*; cublas_check.hpp compares with the toolkit's header.
struct cublas_table {
    int (*create)(void** handle) = nullptr;
    int (*set_stream)(void* handle, void* stream) = nullptr;
    int (*set_workspace)(void* handle, void* workspace, std::size_t bytes) = nullptr;
    int (*set_atomics)(void* handle, int mode) = nullptr;
    int (*set_math)(void* handle, int mode) = nullptr;
    int (*gemm)(void* handle, int transpose_a, int transpose_b, std::int64_t m, std::int64_t n, std::int64_t k,
                const void* alpha, const void* a, int a_type, std::int64_t lda, long long a_stride, const void* b,
                int b_type, std::int64_t ldb, long long b_stride, const void* beta, void* c, int c_type,
                std::int64_t ldc, long long c_stride, std::int64_t batch, int compute_type, int algorithm) = nullptr;
    int (*gemm_of_lists)(void* handle, int transpose_a, int transpose_b, std::int64_t m, std::int64_t n, std::int64_t k,
                         const void* alpha, const void* const* a, int a_type, std::int64_t lda, const void* const* b,
                         int b_type, std::int64_t ldb, const void* beta, void* const* c, int c_type, std::int64_t ldc,
                         std::int64_t batch, int compute_type, int algorithm) = nullptr;
    const char* (*status_name)(int status) = nullptr;
    const shared_library* library = nullptr;
    std::string why;  ///< not empty: it could not be loaded
};

struct cublas_constants {
    static constexpr int success = 0, allocation_failed = 3;
    static constexpr int plain = 0, transposed = 1, adjoint = 2;
    static constexpr int float32 = 0, float64 = 1, float16 = 2, complex64 = 4, complex128 = 5, bfloat16 = 14;
    static constexpr int compute_32 = 68, compute_64 = 70, compute_bf16 = 75, compute_tf32 = 77;
    static constexpr int atomics_not_allowed = 0, sums_in_full = 16, default_algorithm = -1;
};

}  // namespace sinter::inline SINTER_ABI::runtime
