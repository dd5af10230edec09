// The part of the emulated libcusolver.so that computes singular values: the host's LAPACK, with the limits of Jacobi's
// and the polar methods.
#include <limits>

#include "cusolver_handle.hpp"

using namespace cuda_emulation;

namespace {

// Singular values and vectors; v by columns, as cuSOLVER gives it where LAPACK gives its adjoint.
template <class T>
void gesvd(bool vectors, bool econ, int m, int n, T* a, int lda, void* values, T* u, int ldu, T* v, int ldv,
           int* info) {
    using R = typename element<T>::real;
    const int least = std::min(m, n), most = std::max(m, n), rows = econ ? least : n;
    const auto size = static_cast<std::size_t>(10 * least * least + 8 * most * (least + 1) + 10 * most + 256);
    std::vector<T> work(size), vt(static_cast<std::size_t>(rows * n + 1));
    std::vector<R> real_work(size);
    std::vector<int> integers(static_cast<std::size_t>(8 * least + 8));
    const int lwork = static_cast<int>(size), ldvt = std::max(1, rows);
    const char job = !vectors ? 'N' : econ ? 'S' : 'A';
    auto* s = static_cast<R*>(values);
    if constexpr (is_complex<T>)
        lapack<T>("gesdd", &job, &m, &n, a, &lda, s, u, &ldu, vt.data(), &ldvt, work.data(), &lwork, real_work.data(),
                  integers.data(), info);
    else
        lapack<T>("gesdd", &job, &m, &n, a, &lda, s, u, &ldu, vt.data(), &ldvt, work.data(), &lwork, integers.data(),
                  info);
    for (int c = 0; vectors && c < rows; ++c)
        for (int r = 0; r < n; ++r) {
            T x = vt[static_cast<std::size_t>(c + r * ldvt)];
            if constexpr (is_complex<T>) x.y = -x.y;
            v[r + c * std::int64_t{ldv}] = x;
        }
}

// What the polar method does to singular values when one is close to zero: all are shifted; answers by how much.
template <class R>
double perturb(R* values, int count) {
    if (count == 0 || values[count - 1] > 16 * std::numeric_limits<R>::epsilon() * values[0]) return 0;
    const R by = values[0] / 16;
    for (int i = 0; i < count; ++i) values[i] += by;
    return by > 0 ? by : std::numeric_limits<R>::epsilon();
}

template <class T>
cusolverStatus_t svd(cusolverDnHandle_t h, cusolverEigMode_t job, int econ, int m, int n, T* a, int lda, void* s, T* u,
                     int ldu, T* v, int ldv, void* work, std::size_t bytes, int* info, int batch,
                     double* error = nullptr) {
    if (m < 0 || n < 0 || lda < std::max(1, m) || ldu < std::max(1, m) || ldv < std::max(1, n) || bytes < work_elements)
        return CUSOLVER_STATUS_INVALID_VALUE;
    const bool vectors = job == CUSOLVER_EIG_MODE_VECTOR;
    return enqueue(h, [=] {
        device_elements<char>(work, work_elements);
        const int least = std::min(m, n), columns_u = econ ? least : m, columns_v = econ ? least : n;
        staged<T> of_a(a, std::int64_t{batch} * lda * n), of_u(u, vectors ? std::int64_t{batch} * ldu * columns_u : 0),
            of_v(v, vectors ? std::int64_t{batch} * ldv * columns_v : 0);
        T *matrices = of_a.data(), *us = of_u.data(), *vs = of_v.data();
        auto* values = device_elements<typename element<T>::real>(s, std::int64_t{batch} * least);
        int* infos = device_elements<int>(info, batch);
        for (std::int64_t i = 0; i < batch; ++i)
            gesvd<T>(vectors, econ, m, n, matrices + i * lda * n, lda, values + i * least,
                     vectors ? us + i * ldu * columns_u : nullptr, ldu, vectors ? vs + i * ldv * columns_v : nullptr,
                     ldv, &infos[i]);
        if (error) *error = perturb(values, least);
    });
}

}  // namespace

extern "C" {

#define EMULATED_SVD(L, T, R)                                                                                          \
    cusolverStatus_t cusolverDn##L##gesvdj_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, int, int, int, const T*,  \
                                                      int, const R*, const T*, int, const T*, int, int* lwork,         \
                                                      gesvdjInfo_t) {                                                  \
        return answer(lwork);                                                                                          \
    }                                                                                                                  \
    cusolverStatus_t cusolverDn##L##gesvdj(cusolverDnHandle_t h, cusolverEigMode_t job, int econ, int m, int n, T* a,  \
                                           int lda, R* s, T* u, int ldu, T* v, int ldv, T* work, int lwork, int* info, \
                                           gesvdjInfo_t) {                                                             \
        return svd(h, job, econ, m, n, a, lda, s, u, ldu, v, ldv, work, static_cast<std::size_t>(lwork), info, 1);     \
    }                                                                                                                  \
    cusolverStatus_t cusolverDn##L##gesvdjBatched_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, int, int,          \
                                                             const T*, int, const R*, const T*, int, const T*, int,    \
                                                             int* lwork, gesvdjInfo_t, int) {                          \
        return answer(lwork);                                                                                          \
    }                                                                                                                  \
    cusolverStatus_t cusolverDn##L##gesvdjBatched(cusolverDnHandle_t h, cusolverEigMode_t job, int m, int n, T* a,     \
                                                  int lda, R* s, T* u, int ldu, T* v, int ldv, T* work, int lwork,     \
                                                  int* info, gesvdjInfo_t, int batch) {                                \
        if (m > 32 || n > 32) return CUSOLVER_STATUS_INVALID_VALUE;                                                    \
        return svd(h, job, 0, m, n, a, lda, s, u, ldu, v, ldv, work, static_cast<std::size_t>(lwork), info, batch);    \
    }

EMULATED_SVD(S, float, float)
EMULATED_SVD(D, double, double)
EMULATED_SVD(C, cuComplex, float)
EMULATED_SVD(Z, cuDoubleComplex, double)

cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t* info) {
    *info = reinterpret_cast<gesvdjInfo_t>(new int);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnXgesvdp_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t, int, int64_t,
                                              int64_t, cudaDataType, const void*, int64_t, cudaDataType, const void*,
                                              cudaDataType, const void*, int64_t, cudaDataType, const void*, int64_t,
                                              cudaDataType, size_t* on_device, size_t* on_host) {
    *on_device = work_elements, *on_host = 16;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnXgesvdp(cusolverDnHandle_t h, cusolverDnParams_t, cusolverEigMode_t job, int econ, int64_t m,
                                   int64_t n, cudaDataType type, void* a, int64_t lda, cudaDataType s_type, void* s,
                                   cudaDataType, void* u, int64_t ldu, cudaDataType, void* v, int64_t ldv, cudaDataType,
                                   void* work, size_t bytes, void*, size_t, int* info, double* error) {
    if (s_type != real_type(type)) return CUSOLVER_STATUS_INVALID_VALUE;
    auto run = [=]<class T>(const T*) {
        return svd<T>(h, job, econ, static_cast<int>(m), static_cast<int>(n), static_cast<T*>(a), static_cast<int>(lda),
                      s, static_cast<T*>(u), static_cast<int>(ldu), static_cast<T*>(v), static_cast<int>(ldv), work,
                      bytes, info, 1, error);
    };
    return with_elements(type, CUSOLVER_STATUS_INVALID_VALUE, run);
}

}  // extern "C"
