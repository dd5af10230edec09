// libcusolver.so of an emulated machine, for tests: the host's LAPACK on device memory, in the order of a stream;
// singular values are in cusolver_svd.cpp.
#include <algorithm>
#include <cstring>
#include <vector>

#include "cusolver_handle.hpp"

using namespace cuda_emulation;

namespace {

char uplo_of(cublasFillMode_t u) { return u == CUBLAS_FILL_MODE_UPPER ? 'U' : 'L'; }

template <class T>
cusolverStatus_t getrf(cusolverDnHandle_t h, int m, int n, T* a, int lda, T* work, int* pivots, int* info) {
    if (m < 0 || n < 0 || lda < std::max(1, m)) return CUSOLVER_STATUS_INVALID_VALUE;
    return enqueue(h, [=] {
        device_elements<T>(work, work_elements);
        lapack<T>("getrf", &m, &n, staged<T>(a, span(n, lda, m)).data(), &lda,
                  device_elements<int>(pivots, std::min(m, n)), device_elements<int>(info, 1));
    });
}

template <class T>
cusolverStatus_t getrs(cusolverDnHandle_t h, cublasOperation_t trans, int n, int nrhs, const T* a, int lda,
                       const int* pivots, T* b, int ldb, int* info) {
    if (n < 0 || nrhs < 0 || lda < std::max(1, n) || ldb < std::max(1, n)) return CUSOLVER_STATUS_INVALID_VALUE;
    return enqueue(h, [=] {
        lapack<T>("getrs", &"NTC"[trans], &n, &nrhs, staged<T>(a, span(n, lda, n)).data(), &lda,
                  device_elements<int>(pivots, n), staged<T>(b, span(nrhs, ldb, n)).data(), &ldb,
                  device_elements<int>(info, 1));
    });
}

template <class T>
cusolverStatus_t potrf(cusolverDnHandle_t h, cublasFillMode_t uplo, int n, T* a, int lda, T* work, int lwork,
                       int* info) {
    if (n < 0 || lda < std::max(1, n) || lwork < work_elements) return CUSOLVER_STATUS_INVALID_VALUE;
    return enqueue(h, [=] {
        device_elements<T>(work, work_elements);
        const char u = uplo_of(uplo);
        lapack<T>("potrf", &u, &n, staged<T>(a, span(n, lda, n)).data(), &lda, device_elements<int>(info, 1));
    });
}

template <class T>
cusolverStatus_t potrf_batched(cusolverDnHandle_t h, cublasFillMode_t uplo, int n, T* list[], int lda, int* info,
                               int batch) {
    if (n < 0 || lda < std::max(1, n) || batch < 0) return CUSOLVER_STATUS_INVALID_VALUE;
    return enqueue(h, [=] {
        T** matrices = device_elements<T*>(list, batch);
        int* infos = device_elements<int>(info, batch);
        const char u = uplo_of(uplo);
        for (int i = 0; i < batch; ++i)
            lapack<T>("potrf", &u, &n, staged<T>(matrices[i], span(n, lda, n)).data(), &lda, &infos[i]);
    });
}

// A routine with a work array of its own.
template <class T>
struct host_work {
    std::vector<T> memory = std::vector<T>(1 << 16);
    int size = 1 << 16;
};

template <class T>
cusolverStatus_t geqrf(cusolverDnHandle_t h, int m, int n, T* a, int lda, T* tau, T* work, int lwork, int* info) {
    if (m < 0 || n < 0 || lda < std::max(1, m) || lwork < work_elements) return CUSOLVER_STATUS_INVALID_VALUE;
    return enqueue(h, [=] {
        device_elements<T>(work, work_elements);
        host_work<T> w;
        lapack<T>("geqrf", &m, &n, staged<T>(a, span(n, lda, m)).data(), &lda, staged<T>(tau, std::min(m, n)).data(),
                  w.memory.data(), &w.size, device_elements<int>(info, 1));
    });
}

template <class T>
cusolverStatus_t orgqr(cusolverDnHandle_t h, int m, int n, int k, T* a, int lda, const T* tau, T* work, int lwork,
                       int* info) {
    if (n < 0 || m < n || k < 0 || k > n || lda < std::max(1, m) || lwork < work_elements)
        return CUSOLVER_STATUS_INVALID_VALUE;
    return enqueue(h, [=] {
        device_elements<T>(work, work_elements);
        host_work<T> w;
        lapack<T>(is_complex<T> ? "ungqr" : "orgqr", &m, &n, &k, staged<T>(a, span(n, lda, m)).data(), &lda,
                  staged<T>(tau, k).data(), w.memory.data(), &w.size, device_elements<int>(info, 1));
    });
}

template <class T>
cusolverStatus_t ormqr(cusolverDnHandle_t h, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k,
                       const T* a, int lda, const T* tau, T* c, int ldc, T* work, int lwork, int* info) {
    const int order = side == CUBLAS_SIDE_RIGHT ? n : m;
    if (m < 0 || n < 0 || k < 0 || k > order || lda < std::max(1, order) || ldc < std::max(1, m) ||
        lwork < work_elements || trans == (is_complex<T> ? CUBLAS_OP_T : CUBLAS_OP_C))
        return CUSOLVER_STATUS_INVALID_VALUE;
    return enqueue(h, [=] {
        device_elements<T>(work, work_elements);
        host_work<T> w;
        lapack<T>(is_complex<T> ? "unmqr" : "ormqr", &"LR"[side], &"NTC"[trans], &m, &n, &k,
                  staged<T>(a, span(k, lda, order)).data(), &lda, staged<T>(tau, k).data(),
                  staged<T>(c, span(n, ldc, m)).data(), &ldc, w.memory.data(), &w.size, device_elements<int>(info, 1));
    });
}

template <class T>
void syevd(char job, char uplo, int n, T* a, int lda, void* values, int* info) {
    std::vector<T> work(static_cast<std::size_t>(3 * n * n + 8 * n + 64));
    std::vector<typename element<T>::real> real_work(static_cast<std::size_t>(3 * n * n + 8 * n + 64));
    std::vector<int> integers(static_cast<std::size_t>(6 * n + 16));
    const int lwork = static_cast<int>(work.size()), lreal = static_cast<int>(real_work.size()),
              linteger = static_cast<int>(integers.size());
    auto* w = static_cast<typename element<T>::real*>(values);
    if constexpr (is_complex<T>)
        lapack<T>("heevd", &job, &uplo, &n, a, &lda, w, work.data(), &lwork, real_work.data(), &lreal, integers.data(),
                  &linteger, info);
    else lapack<T>("syevd", &job, &uplo, &n, a, &lda, w, work.data(), &lwork, integers.data(), &linteger, info);
}

template <class T>
cusolverStatus_t geev(cusolverDnHandle_t h, cusolverEigMode_t job, std::int64_t n, void* a, std::int64_t lda, void* w,
                      void* vr, std::int64_t ldvr, int* info) {
    if (n < 0 || lda < std::max<std::int64_t>(1, n) || ldvr < std::max<std::int64_t>(1, n))
        return CUSOLVER_STATUS_INVALID_VALUE;
    return enqueue(h, [=] {
        const char left = 'N', right = job == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N';
        const int order = static_cast<int>(n), ld = static_cast<int>(lda), ldv = static_cast<int>(ldvr);
        std::vector<T> work(static_cast<std::size_t>(64 * n + 64));
        std::vector<typename element<T>::real> real_work(static_cast<std::size_t>(2 * n + 2));
        const int lwork = static_cast<int>(work.size());
        lapack<T>("geev", &left, &right, &order, staged<T>(a, span(n, lda, n)).data(), &ld, staged<T>(w, n).data(),
                  static_cast<T*>(nullptr), &ldv, staged<T>(vr, right == 'V' ? n * ldvr : 0).data(), &ldv, work.data(),
                  &lwork, real_work.data(), device_elements<int>(info, 1));
    });
}

// Real matrices: LAPACK's two arrays of values become one of complex values.
template <class T, class Complex>
cusolverStatus_t real_geev(cusolverDnHandle_t h, cusolverEigMode_t job, std::int64_t n, void* a, std::int64_t lda,
                           void* w, void* vr, std::int64_t ldvr, int* info) {
    if (n < 0 || lda < std::max<std::int64_t>(1, n) || ldvr < std::max<std::int64_t>(1, n))
        return CUSOLVER_STATUS_INVALID_VALUE;
    return enqueue(h, [=] {
        const char left = 'N', right = job == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N';
        const int order = static_cast<int>(n), ld = static_cast<int>(lda), ldv = static_cast<int>(ldvr);
        std::vector<T> work(static_cast<std::size_t>(64 * n + 64)), re(static_cast<std::size_t>(n + 1)), im(re);
        const int lwork = static_cast<int>(work.size());
        lapack<T>("geev", &left, &right, &order, staged<T>(a, span(n, lda, n)).data(), &ld, re.data(), im.data(),
                  static_cast<T*>(nullptr), &ldv, staged<T>(vr, right == 'V' ? n * ldvr : 0).data(), &ldv, work.data(),
                  &lwork, device_elements<int>(info, 1));
        auto values = staged<Complex>(w, n);
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) values.data()[i] = Complex{re[i], im[i]};
    });
}

cusolverStatus_t syev(cusolverDnHandle_t h, cusolverEigMode_t job, cublasFillMode_t uplo, std::int64_t n,
                      cudaDataType type, void* a, std::int64_t lda, cudaDataType w_type, void* w, void* work,
                      std::size_t bytes, int* info, std::int64_t batch) {
    if (n < 0 || lda < std::max<std::int64_t>(1, n) || w_type != real_type(type) || bytes < work_elements)
        return CUSOLVER_STATUS_INVALID_VALUE;
    auto run = [=]<class T>(const T*) {
        return enqueue(h, [=] {
            device_elements<char>(work, work_elements);
            staged<T> elements(a, (batch - 1) * lda * n + span(n, lda, n));
            T* matrices = elements.data();
            auto* values = device_elements<typename element<T>::real>(w, batch * n);
            int* infos = device_elements<int>(info, batch);
            for (std::int64_t i = 0; i < batch; ++i)
                syevd<T>(job == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N', uplo_of(uplo), static_cast<int>(n),
                         matrices + i * lda * n, static_cast<int>(lda), values + i * n, &infos[i]);
        });
    };
    return with_elements(type, CUSOLVER_STATUS_INVALID_VALUE, run);
}

}  // namespace

extern "C" {

// The version of the headers, as every library of CUDA's tells its own.
cusolverStatus_t cusolverGetProperty(libraryPropertyType which, int* value) {
    if (which != MAJOR_VERSION && which != MINOR_VERSION && which != PATCH_LEVEL) return CUSOLVER_STATUS_INVALID_VALUE;
    *value = which == MAJOR_VERSION   ? CUSOLVER_VER_MAJOR
             : which == MINOR_VERSION ? CUSOLVER_VER_MINOR
                                      : CUSOLVER_VER_PATCH;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* h) {
    *h = reinterpret_cast<cusolverDnHandle_t>(new emulated_handle);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t h, cudaStream_t stream) {
    reinterpret_cast<emulated_handle*>(h)->stream = stream;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t* params) {
    *params = reinterpret_cast<cusolverDnParams_t>(new int);
    return CUSOLVER_STATUS_SUCCESS;
}

#define EMULATED_SOLVER(L, T)                                                                                          \
    cusolverStatus_t cusolverDn##L##getrf_bufferSize(cusolverDnHandle_t, int, int, T*, int, int* lwork) {              \
        return answer(lwork);                                                                                          \
    }                                                                                                                  \
    cusolverStatus_t cusolverDn##L##getrf(cusolverDnHandle_t h, int m, int n, T* a, int lda, T* work, int* pivots,     \
                                          int* info) {                                                                 \
        return getrf(h, m, n, a, lda, work, pivots, info);                                                             \
    }                                                                                                                  \
    cusolverStatus_t cusolverDn##L##getrs(cusolverDnHandle_t h, cublasOperation_t trans, int n, int nrhs, const T* a,  \
                                          int lda, const int* pivots, T* b, int ldb, int* info) {                      \
        return getrs(h, trans, n, nrhs, a, lda, pivots, b, ldb, info);                                                 \
    }                                                                                                                  \
    cusolverStatus_t cusolverDn##L##potrf_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, T*, int, int* lwork) { \
        return answer(lwork);                                                                                          \
    }                                                                                                                  \
    cusolverStatus_t cusolverDn##L##potrf(cusolverDnHandle_t h, cublasFillMode_t uplo, int n, T* a, int lda, T* work,  \
                                          int lwork, int* info) {                                                      \
        return potrf(h, uplo, n, a, lda, work, lwork, info);                                                           \
    }                                                                                                                  \
    cusolverStatus_t cusolverDn##L##potrfBatched(cusolverDnHandle_t h, cublasFillMode_t uplo, int n, T* list[],        \
                                                 int lda, int* info, int batch) {                                      \
        return potrf_batched(h, uplo, n, list, lda, info, batch);                                                      \
    }                                                                                                                  \
    cusolverStatus_t cusolverDn##L##geqrf_bufferSize(cusolverDnHandle_t, int, int, T*, int, int* lwork) {              \
        return answer(lwork);                                                                                          \
    }                                                                                                                  \
    cusolverStatus_t cusolverDn##L##geqrf(cusolverDnHandle_t h, int m, int n, T* a, int lda, T* tau, T* work,          \
                                          int lwork, int* info) {                                                      \
        return geqrf(h, m, n, a, lda, tau, work, lwork, info);                                                         \
    }

cusolverStatus_t cusolverDnXgeev_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t,
                                            cusolverEigMode_t, int64_t, cudaDataType, const void*, int64_t,
                                            cudaDataType, const void*, cudaDataType, const void*, int64_t, cudaDataType,
                                            const void*, int64_t, cudaDataType, size_t* on_device, size_t* on_host) {
    *on_device = work_elements, *on_host = 16;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnXgeev(cusolverDnHandle_t h, cusolverDnParams_t, cusolverEigMode_t left,
                                 cusolverEigMode_t right, int64_t n, cudaDataType type, void* a, int64_t lda,
                                 cudaDataType w_type, void* w, cudaDataType, void*, int64_t, cudaDataType, void* vr,
                                 int64_t ldvr, cudaDataType, void*, size_t bytes, void*, size_t, int* info) {
    const bool wide = type == CUDA_R_64F || type == CUDA_C_64F;
    if (left != CUSOLVER_EIG_MODE_NOVECTOR || w_type != (wide ? CUDA_C_64F : CUDA_C_32F) || bytes < work_elements)
        return CUSOLVER_STATUS_INVALID_VALUE;
    if (type == CUDA_C_32F) return geev<cuComplex>(h, right, n, a, lda, w, vr, ldvr, info);
    if (type == CUDA_C_64F) return geev<cuDoubleComplex>(h, right, n, a, lda, w, vr, ldvr, info);
    if (type == CUDA_R_32F) return real_geev<float, cuComplex>(h, right, n, a, lda, w, vr, ldvr, info);
    if (type == CUDA_R_64F) return real_geev<double, cuDoubleComplex>(h, right, n, a, lda, w, vr, ldvr, info);
    return CUSOLVER_STATUS_NOT_SUPPORTED;
}

EMULATED_SOLVER(S, float)
EMULATED_SOLVER(D, double)
EMULATED_SOLVER(C, cuComplex)
EMULATED_SOLVER(Z, cuDoubleComplex)

#define EMULATED_Q(name, T)                                                                                            \
    cusolverStatus_t cusolverDn##name##_bufferSize(cusolverDnHandle_t, int, int, int, const T*, int, const T*,         \
                                                   int* lwork) {                                                       \
        return answer(lwork);                                                                                          \
    }                                                                                                                  \
    cusolverStatus_t cusolverDn##name(cusolverDnHandle_t h, int m, int n, int k, T* a, int lda, const T* tau, T* work, \
                                      int lwork, int* info) {                                                          \
        return orgqr(h, m, n, k, a, lda, tau, work, lwork, info);                                                      \
    }

EMULATED_Q(Sorgqr, float)
EMULATED_Q(Dorgqr, double)
EMULATED_Q(Cungqr, cuComplex)
EMULATED_Q(Zungqr, cuDoubleComplex)

#define EMULATED_PRODUCT_WITH_Q(name, T)                                                                              \
    cusolverStatus_t cusolverDn##name##_bufferSize(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int, int, \
                                                   int, const T*, int, const T*, const T*, int, int* lwork) {         \
        *lwork = work_elements;                                                                                       \
        return CUSOLVER_STATUS_SUCCESS;                                                                               \
    }                                                                                                                 \
    cusolverStatus_t cusolverDn##name(cusolverDnHandle_t h, cublasSideMode_t side, cublasOperation_t trans, int m,    \
                                      int n, int k, const T* a, int lda, const T* tau, T* c, int ldc, T* work,        \
                                      int lwork, int* info) {                                                         \
        return ormqr(h, side, trans, m, n, k, a, lda, tau, c, ldc, work, lwork, info);                                \
    }

EMULATED_PRODUCT_WITH_Q(Sormqr, float)
EMULATED_PRODUCT_WITH_Q(Dormqr, double)
EMULATED_PRODUCT_WITH_Q(Cunmqr, cuComplex)
EMULATED_PRODUCT_WITH_Q(Zunmqr, cuDoubleComplex)

cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t,
                                             cublasFillMode_t, int64_t, cudaDataType, const void*, int64_t,
                                             cudaDataType, const void*, cudaDataType, size_t* on_device,
                                             size_t* on_host) {
    *on_device = work_elements, *on_host = 16;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t h, cusolverDnParams_t, cusolverEigMode_t job,
                                  cublasFillMode_t uplo, int64_t n, cudaDataType type, void* a, int64_t lda,
                                  cudaDataType w_type, void* w, cudaDataType, void* work, size_t on_device, void*,
                                  size_t, int* info) {
    return syev(h, job, uplo, n, type, a, lda, w_type, w, work, on_device, info, 1);
}

cusolverStatus_t cusolverDnXsyevBatched_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t,
                                                   cublasFillMode_t, int64_t, cudaDataType, const void*, int64_t,
                                                   cudaDataType, const void*, cudaDataType, size_t* on_device,
                                                   size_t* on_host, int64_t) {
    *on_device = work_elements, *on_host = 16;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnXsyevBatched(cusolverDnHandle_t h, cusolverDnParams_t, cusolverEigMode_t job,
                                        cublasFillMode_t uplo, int64_t n, cudaDataType type, void* a, int64_t lda,
                                        cudaDataType w_type, void* w, cudaDataType, void* work, size_t on_device, void*,
                                        size_t, int* info, int64_t batch) {
    // As cuSOLVER 12 does.
    if (batch > 65535) return CUSOLVER_STATUS_INTERNAL_ERROR;
    return syev(h, job, uplo, n, type, a, lda, w_type, w, work, on_device, info, batch);
}

}  // extern "C"
