// What linear algebra needs of cuBLAS and cuSOLVER as function types of plain C; must not include their headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// Functions as they are for matrices of any of the four types: enumerations are int, handles and elements void;
/// linalg_check.hpp compares them with the toolkit's headers.
struct cusolver_types {
    using create = int(void** handle);
    using set_stream = int(void* handle, void* stream);
    using create_params = int(void** params);
    using getrf_size = int(void* handle, int m, int n, void* a, int lda, int* lwork);
    using getrf = int(void* handle, int m, int n, void* a, int lda, void* work, int* pivots, int* info);
    using getrs = int(void* handle, int trans, int n, int nrhs, const void* a, int lda, const int* pivots, void* b,
                      int ldb, int* info);
    using potrf_size = int(void* handle, int uplo, int n, void* a, int lda, int* lwork);
    using potrf = int(void* handle, int uplo, int n, void* a, int lda, void* work, int lwork, int* info);
    using potrf_batched = int(void* handle, int uplo, int n, void** a, int lda, int* info, int batch);
    using geqrf_size = int(void* handle, int m, int n, void* a, int lda, int* lwork);
    using geqrf = int(void* handle, int m, int n, void* a, int lda, void* tau, void* work, int lwork, int* info);
    using orgqr_size = int(void* handle, int m, int n, int k, const void* a, int lda, const void* tau, int* lwork);
    using orgqr = int(void* handle, int m, int n, int k, void* a, int lda, const void* tau, void* work, int lwork,
                      int* info);
    using ormqr_size = int(void* handle, int side, int trans, int m, int n, int k, const void* a, int lda,
                           const void* tau, const void* c, int ldc, int* lwork);
    using ormqr = int(void* handle, int side, int trans, int m, int n, int k, const void* a, int lda, const void* tau,
                      void* c, int ldc, void* work, int lwork, int* info);
    using syevd_size = int(void* handle, void* params, int jobz, int uplo, std::int64_t n, int a_type, const void* a,
                           std::int64_t lda, int w_type, const void* w, int compute_type, std::size_t* on_device,
                           std::size_t* on_host);
    using syevd = int(void* handle, void* params, int jobz, int uplo, std::int64_t n, int a_type, void* a,
                      std::int64_t lda, int w_type, void* w, int compute_type, void* device_work, std::size_t on_device,
                      void* host_work, std::size_t on_host, int* info);
    using syev_batched_size = int(void* handle, void* params, int jobz, int uplo, std::int64_t n, int a_type,
                                  const void* a, std::int64_t lda, int w_type, const void* w, int compute_type,
                                  std::size_t* on_device, std::size_t* on_host, std::int64_t batch);
    using syev_batched = int(void* handle, void* params, int jobz, int uplo, std::int64_t n, int a_type, void* a,
                             std::int64_t lda, int w_type, void* w, int compute_type, void* device_work,
                             std::size_t on_device, void* host_work, std::size_t on_host, int* info,
                             std::int64_t batch);
    using create_info = int(void** info);
    using gesvdj_size = int(void* handle, int jobz, int econ, int m, int n, const void* a, int lda, const void* s,
                            const void* u, int ldu, const void* v, int ldv, int* lwork, void* how);
    using gesvdj = int(void* handle, int jobz, int econ, int m, int n, void* a, int lda, void* s, void* u, int ldu,
                       void* v, int ldv, void* work, int lwork, int* info, void* how);
    using gesvdj_batched_size = int(void* handle, int jobz, int m, int n, const void* a, int lda, const void* s,
                                    const void* u, int ldu, const void* v, int ldv, int* lwork, void* how, int batch);
    using gesvdj_batched = int(void* handle, int jobz, int m, int n, void* a, int lda, void* s, void* u, int ldu,
                               void* v, int ldv, void* work, int lwork, int* info, void* how, int batch);
    using gesvdp_size = int(void* handle, void* params, int jobz, int econ, std::int64_t m, std::int64_t n, int a_type,
                            const void* a, std::int64_t lda, int s_type, const void* s, int u_type, const void* u,
                            std::int64_t ldu, int v_type, const void* v, std::int64_t ldv, int compute_type,
                            std::size_t* on_device, std::size_t* on_host);
    using gesvdp = int(void* handle, void* params, int jobz, int econ, std::int64_t m, std::int64_t n, int a_type,
                       void* a, std::int64_t lda, int s_type, void* s, int u_type, void* u, std::int64_t ldu,
                       int v_type, void* v, std::int64_t ldv, int compute_type, void* device_work,
                       std::size_t on_device, void* host_work, std::size_t on_host, int* info, void* error);
    using geev_size = int(void* handle, void* params, int jobvl, int jobvr, std::int64_t n, int a_type, const void* a,
                          std::int64_t lda, int w_type, const void* w, int vl_type, const void* vl, std::int64_t ldvl,
                          int vr_type, const void* vr, std::int64_t ldvr, int compute_type, std::size_t* on_device,
                          std::size_t* on_host);
    using geev = int(void* handle, void* params, int jobvl, int jobvr, std::int64_t n, int a_type, void* a,
                     std::int64_t lda, int w_type, void* w, int vl_type, void* vl, std::int64_t ldvl, int vr_type,
                     void* vr, std::int64_t ldvr, int compute_type, void* device_work, std::size_t on_device,
                     void* host_work, std::size_t on_host, int* info);
};

struct cublas_linalg_types {
    using getrf_batched = int(void* handle, int n, void* const* a, int lda, int* pivots, int* info, int batch);
    using getrs_batched = int(void* handle, int trans, int n, int nrhs, const void* const* a, int lda,
                              const int* pivots, void* const* b, int ldb, int* info, int batch);
    using getri_batched = int(void* handle, int n, const void* const* a, int lda, const int* pivots, void* const* c,
                              int ldc, int* info, int batch);
    using geqrf_batched = int(void* handle, int m, int n, void* const* a, int lda, void* const* tau, int* info,
                              int batch);
    using trsm = int(void* handle, int side, int uplo, int trans, int diag, int m, int n, const void* alpha,
                     const void* a, int lda, void* b, int ldb);
    using gemm = int(void* handle, int transpose_a, int transpose_b, int m, int n, int k, const void* alpha,
                     const void* a, int lda, const void* b, int ldb, const void* beta, void* c, int ldc);
    using gemm_strided = int(void* handle, int transpose_a, int transpose_b, int m, int n, int k, const void* alpha,
                             const void* a, int lda, long long stride_a, const void* b, int ldb, long long stride_b,
                             const void* beta, void* c, int ldc, long long stride_c, int batch);
    using trsm_batched = int(void* handle, int side, int uplo, int trans, int diag, int m, int n, const void* alpha,
                             const void* const* a, int lda, void* const* b, int ldb, int batch);
};

struct linalg_constants {
    static constexpr int lower = 0, upper = 1, left = 0, right = 1, unit = 1;
    static constexpr int cusolver_alloc_failed = 2;
};

}  // namespace sinter::inline SINTER_ABI::runtime
