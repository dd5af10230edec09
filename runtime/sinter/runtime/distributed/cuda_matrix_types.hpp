// The functions of cuBLASMp 0.10 and cuSOLVERMp 0.9 that are called, as their headers declare them, so that none is
// needed to compile: numbers of enumerations are int, and what they make are pointers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::distributed {

struct cublasmp_types {
    using number = std::int64_t;
    using bytes = std::size_t;
    using create = int(void** handle, void* stream);
    using destroy = int(void*);
    using create_grid = int(number rows, number columns, int layout, void* communicator, void** grid);
    using create_matrix = int(number rows, number columns, number block_rows, number block_columns, number first_row,
                              number first_column, number leading, int type, void* grid, void** matrix);
    using gemm_size = int(void* handle, int transpose_a, int transpose_b, number m, number n, number k,
                          const void* alpha, const void* a, number, number, void* of_a, const void* b, number, number,
                          void* of_b, const void* beta, void* c, number, number, void* of_c, int compute, bytes* device,
                          bytes* host);
    using gemm = int(void* handle, int transpose_a, int transpose_b, number m, number n, number k, const void* alpha,
                     const void* a, number, number, void* of_a, const void* b, number, number, void* of_b,
                     const void* beta, void* c, number, number, void* of_c, int compute, void* device_work,
                     bytes device, void* host_work, bytes host);
};

struct cusolvermp_types {
    using number = std::int64_t;
    using bytes = std::size_t;
    using create = int(void** handle, int device, void* stream);
    using destroy = int(void*);
    using create_grid = int(void* handle, void** grid, void* communicator, std::int32_t rows, std::int32_t columns,
                            int mapping);
    using create_matrix = int(void** matrix, void* grid, int type, number rows, number columns, number block_rows,
                              number block_columns, std::uint32_t first_row, std::uint32_t first_column,
                              number leading);
    using getrf_size = int(void* handle, number m, number n, void* a, number, number, void* of_a, number* pivots,
                           int type, bytes* device, bytes* host);
    using getrf = int(void* handle, number m, number n, void* a, number, number, void* of_a, number* pivots, int type,
                      void* device_work, bytes device, void* host_work, bytes host, int* info);
    using getrs_size = int(void* handle, int transpose, number n, number count, const void* a, number, number,
                           void* of_a, const number* pivots, void* b, number, number, void* of_b, int type,
                           bytes* device, bytes* host);
    using getrs = int(void* handle, int transpose, number n, number count, const void* a, number, number, void* of_a,
                      const number* pivots, void* b, number, number, void* of_b, int type, void* device_work,
                      bytes device, void* host_work, bytes host, int* info);
    using potrf_size = int(void* handle, int triangle, number n, const void* a, number, number, void* of_a, int type,
                           bytes* device, bytes* host);
    using potrf = int(void* handle, int triangle, number n, void* a, number, number, void* of_a, int type,
                      void* device_work, bytes device, void* host_work, bytes host, int* info);
    using geqrf_size = int(void* handle, number m, number n, void* a, number, number, void* of_a, int type,
                           bytes* device, bytes* host);
    using geqrf = int(void* handle, number m, number n, void* a, number, number, void* of_a, void* tau, int type,
                      void* device_work, bytes device, void* host_work, bytes host, int* info);
    using orgqr_size = int(void* handle, number m, number n, number k, const void* a, number, number, void* of_a,
                           const void* tau, int type, bytes* device, bytes* host);
    using orgqr = int(void* handle, number m, number n, number k, void* a, number, number, void* of_a, const void* tau,
                      int type, void* device_work, bytes device, void* host_work, bytes host, int* info);
    using syevd_size = int(void* handle, char* job, int triangle, number n, void* a, number, number, void* of_a,
                           void* values, void* q, number, number, void* of_q, int type, bytes* device, bytes* host);
    using syevd = int(void* handle, char* job, int triangle, number n, void* a, number, number, void* of_a,
                      void* values, void* q, number, number, void* of_q, int type, void* device_work, bytes device,
                      void* host_work, bytes host, int* info);
    using gesvd_size = int(void* handle, void* options, int job_u, int job_vh, number m, number n, const void* a,
                           number, number, void* of_a, const void* values, const void* u, number, number, void* of_u,
                           const void* vh, number, number, void* of_vh, int type, bytes* device, bytes* host);
    using gesvd = int(void* handle, void* options, int job_u, int job_vh, number m, number n, void* a, number, number,
                      void* of_a, void* values, void* u, number, number, void* of_u, void* vh, number, number,
                      void* of_vh, int type, void* device_work, bytes device, void* host_work, bytes host, int* info);
};

struct cuda_matrix_constants {
    static constexpr int success = 0;
    static constexpr int by_rows = 1;                                              ///< ranks of a grid
    static constexpr int float32 = 0, float64 = 1, complex64 = 4, complex128 = 5;  ///< cudaDataType
    static constexpr int as_it_is = 0, lower = 0, upper = 1;                       ///< of cuBLAS
    static constexpr int compute_32 = 68, compute_64 = 70, vectors = 1;
};

}  // namespace sinter::inline SINTER_ABI::distributed
