// The part of the emulated libcublas.so that factorises and solves: the host's LAPACK and BLAS, matrix by matrix.
#include <cublas_api.h>

#include <algorithm>
#include <complex>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "cublas_handle.hpp"
#include "library_calls.hpp"

using namespace cuda_emulation;

namespace {

cublasStatus_t enqueue(cublasHandle_t h, std::function<void()> work) {
    return enqueue_work(reinterpret_cast<emulated_handle*>(h)->stream, std::move(work))
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_EXECUTION_FAILED;
}

std::int64_t span(int columns, int leading, int rows) {
    return columns ? (columns - 1) * std::int64_t{leading} + rows : 0;
}

// Of either sign: OpenBLAS's kernels give zeros of complex numbers different ones.
template <class T>
bool is_zero(const T& x) {
    typename element<T>::real parts[sizeof(T) / sizeof(typename element<T>::real)];
    std::memcpy(parts, &x, sizeof x);
    return std::all_of(std::begin(parts), std::end(parts), [](auto part) { return part == 0; });
}

// Large matrices are told of by their last zero pivot, not the first.
template <class T>
void factorise(int n, T* a, int lda, int* pivots, int* info) {
    lapack<T>("getrf", &n, &n, a, &lda, pivots, info);
    for (int i = *info; *info && n > 32 && i < n; ++i)
        if (is_zero(a[i + i * std::int64_t{lda}])) *info = i + 1;
}

// Stacks are left as they are beside a pivot of zero, where LAPACK subtracts products with zero.
template <class T>
void eliminate(int n, T* a, int lda, int* pivots) {
    const auto at = [&](int row, int column) -> T& { return a[row + column * std::int64_t{lda}]; };
    for (int j = 0; j < n; ++j) {
        int pivot = j;
        for (int i = j + 1; i < n; ++i)
            if (std::abs(at(i, j)) > std::abs(at(pivot, j))) pivot = i;
        pivots[j] = pivot + 1;
        if (at(pivot, j) == T(0)) continue;
        for (int k = 0; k < n && pivot != j; ++k) std::swap(at(j, k), at(pivot, k));
        for (int i = j + 1; i < n; ++i) {
            at(i, j) /= at(j, j);
            for (int k = j + 1; k < n; ++k) at(i, k) -= at(i, j) * at(j, k);
        }
    }
}

template <class T>
cublasStatus_t getrf_batched(cublasHandle_t h, int n, T* const list[], int lda, int* pivots, int* info, int batch) {
    if (n < 0 || batch < 0 || lda < std::max(1, n)) return CUBLAS_STATUS_INVALID_VALUE;
    return enqueue(h, [=] {
        T* const* matrices = device_elements<T* const>(list, batch);
        int *p = device_elements<int>(pivots, std::int64_t{n} * batch), *infos = device_elements<int>(info, batch);
        for (int i = 0; i < batch; ++i) {
            const std::int64_t size = span(n, lda, n);
            staged<T> matrix(matrices[i], size);
            const std::vector<T> before(matrix.data(), matrix.data() + size);
            factorise(n, matrix.data(), lda, p + i * n, &infos[i]);
            if (infos[i] == 0) continue;
            std::copy(before.begin(), before.end(), matrix.data());
            using real = typename element<T>::real;
            using number = std::conditional_t<sizeof(T) == sizeof(real), real, std::complex<real>>;
            eliminate(n, reinterpret_cast<number*>(matrix.data()), lda, p + i * n);
        }
    });
}

template <class T>
cublasStatus_t getrs_batched(cublasHandle_t h, cublasOperation_t trans, int n, int nrhs, const T* const list[], int lda,
                             const int* pivots, T* const b[], int ldb, int* info, int batch) {
    *info = n < 0 ? -2 : nrhs < 0 ? -3 : lda < std::max(1, n) ? -5 : ldb < std::max(1, n) ? -8 : batch < 0 ? -10 : 0;
    if (*info) return CUBLAS_STATUS_INVALID_VALUE;
    return enqueue(h, [=] {
        const T* const* matrices = device_elements<const T* const>(list, batch);
        T* const* sides = device_elements<T* const>(b, batch);
        const int* p = device_elements<const int>(pivots, std::int64_t{n} * batch);
        int ignored = 0;
        for (int i = 0; i < batch; ++i)
            lapack<T>("getrs", &"NTC"[trans], &n, &nrhs, staged<T>(matrices[i], span(n, lda, n)).data(), &lda,
                      p + i * n, staged<T>(sides[i], span(nrhs, ldb, n)).data(), &ldb, &ignored);
    });
}

// The inverse from factors, out of place: the identity, solved for.
template <class T>
void invert(int n, const T* lu, int lda, const int* pivots, T* to, int ldc, int* info) {
    *info = 0;
    for (int i = n; i-- > 0;)
        if (is_zero(lu[i + i * std::int64_t{lda}])) *info = i + 1;
    if (*info) return;
    for (int c = 0; c < n; ++c)
        for (int r = 0; r < n; ++r) {
            typename element<T>::real parts[2] = {r == c ? typename element<T>::real(1) : 0, 0};
            std::memcpy(&to[r + c * std::int64_t{ldc}], parts, sizeof(T));
        }
    int ignored = 0;
    lapack<T>("getrs", "N", &n, &n, lu, &lda, pivots, to, &ldc, &ignored);
}

template <class T>
cublasStatus_t getri_batched(cublasHandle_t h, int n, const T* const list[], int lda, const int* pivots, T* const c[],
                             int ldc, int* info, int batch) {
    if (n < 0 || batch < 0 || lda < std::max(1, n) || ldc < std::max(1, n)) return CUBLAS_STATUS_INVALID_VALUE;
    return enqueue(h, [=] {
        const T* const* matrices = device_elements<const T* const>(list, batch);
        T* const* results = device_elements<T* const>(c, batch);
        const int* p = device_elements<const int>(pivots, std::int64_t{n} * batch);
        int* infos = device_elements<int>(info, batch);
        for (int i = 0; i < batch; ++i)
            invert(n, staged<T>(matrices[i], span(n, lda, n)).data(), lda, p + i * n,
                   staged<T>(results[i], span(n, ldc, n)).data(), ldc, &infos[i]);
    });
}

template <class T>
cublasStatus_t geqrf_batched(cublasHandle_t h, int m, int n, T* const list[], int lda, T* const taus[], int* info,
                             int batch) {
    *info = m < 0 ? -1 : n < 0 ? -2 : lda < std::max(1, m) ? -4 : batch < 0 ? -7 : 0;
    if (*info) return CUBLAS_STATUS_INVALID_VALUE;
    return enqueue(h, [=] {
        T* const* matrices = device_elements<T* const>(list, batch);
        T* const* tau = device_elements<T* const>(taus, batch);
        std::vector<T> work(static_cast<std::size_t>(64 * n + 64));
        const int lwork = static_cast<int>(work.size());
        int ignored = 0;
        for (int i = 0; i < batch; ++i)
            lapack<T>("geqrf", &m, &n, staged<T>(matrices[i], span(n, lda, m)).data(), &lda,
                      staged<T>(tau[i], std::min(m, n)).data(), work.data(), &lwork, &ignored);
    });
}

struct triangle {
    char side, uplo, trans, diag;
    triangle(cublasSideMode_t s, cublasFillMode_t u, cublasOperation_t t, cublasDiagType_t d)
        : side("LR"[s]), uplo("LU"[u]), trans("NTC"[t]), diag("NU"[d]) {}
    bool fits(int m, int n, int lda, int ldb) const {
        return m >= 0 && n >= 0 && lda >= std::max(1, side == 'L' ? m : n) && ldb >= std::max(1, m);
    }
};

template <class T>
void solve_triangle(const triangle& t, int m, int n, const T& alpha, const T* a, int lda, T* b, int ldb) {
    const int k = t.side == 'L' ? m : n;
    lapack<T>("trsm", &t.side, &t.uplo, &t.trans, &t.diag, &m, &n, &alpha, staged<T>(a, span(k, lda, k)).data(), &lda,
              staged<T>(b, span(n, ldb, m)).data(), &ldb);
}

template <class T>
cublasStatus_t trsm(cublasHandle_t h, const triangle& t, int m, int n, const T* alpha, const T* a, int lda, T* b,
                    int ldb) {
    if (!t.fits(m, n, lda, ldb)) return CUBLAS_STATUS_INVALID_VALUE;
    return enqueue(h, [=, factor = *alpha] { solve_triangle(t, m, n, factor, a, lda, b, ldb); });
}

template <class T>
cublasStatus_t gemm(cublasHandle_t h, cublasOperation_t of_a, cublasOperation_t of_b, int m, int n, int k,
                    const T* alpha, const T* a, int lda, long long stride_a, const T* b, int ldb, long long stride_b,
                    const T* beta, T* c, int ldc, long long stride_c, int batch) {
    if ((of_a != CUBLAS_OP_N && of_a != CUBLAS_OP_C) || of_b != CUBLAS_OP_N) return CUBLAS_STATUS_NOT_SUPPORTED;
    const bool adjoint = of_a == CUBLAS_OP_C;
    const int rows = adjoint ? k : m, columns = adjoint ? m : k;
    if (m < 0 || n < 0 || k < 0 || batch < 0 || lda < std::max(1, rows) || ldb < std::max(1, k) || ldc < std::max(1, m))
        return CUBLAS_STATUS_INVALID_VALUE;
    return enqueue(h, [=, factor = *alpha, kept = *beta] {
        const char as_is = 'N', of_first = adjoint ? 'C' : 'N';
        for (int i = 0; i < batch; ++i)
            lapack<T>("gemm", &of_first, &as_is, &m, &n, &k, &factor,
                      staged<T>(a + i * stride_a, span(columns, lda, rows)).data(), &lda,
                      staged<T>(b + i * stride_b, span(n, ldb, k)).data(), &ldb, &kept,
                      staged<T>(c + i * stride_c, span(n, ldc, m)).data(), &ldc);
    });
}

template <class T>
cublasStatus_t trsm_batched(cublasHandle_t h, const triangle& t, int m, int n, const T* alpha, const T* const a[],
                            int lda, T* const b[], int ldb, int batch) {
    if (!t.fits(m, n, lda, ldb) || batch < 0) return CUBLAS_STATUS_INVALID_VALUE;
    return enqueue(h, [=, factor = *alpha] {
        const T* const* matrices = device_elements<const T* const>(a, batch);
        T* const* sides = device_elements<T* const>(b, batch);
        for (int i = 0; i < batch; ++i) solve_triangle(t, m, n, factor, matrices[i], lda, sides[i], ldb);
    });
}

}  // namespace

extern "C" {

#define EMULATED_LINALG(L, T)                                                                                          \
    cublasStatus_t cublas##L##getrfBatched(cublasHandle_t h, int n, T* const a[], int lda, int* p, int* info,          \
                                           int batch) {                                                                \
        return getrf_batched(h, n, a, lda, p, info, batch);                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##L##getrsBatched(cublasHandle_t h, cublasOperation_t trans, int n, int nrhs,                 \
                                           const T* const a[], int lda, const int* p, T* const b[], int ldb,           \
                                           int* info, int batch) {                                                     \
        return getrs_batched(h, trans, n, nrhs, a, lda, p, b, ldb, info, batch);                                       \
    }                                                                                                                  \
    cublasStatus_t cublas##L##getriBatched(cublasHandle_t h, int n, const T* const a[], int lda, const int* p,         \
                                           T* const c[], int ldc, int* info, int batch) {                              \
        return getri_batched(h, n, a, lda, p, c, ldc, info, batch);                                                    \
    }                                                                                                                  \
    cublasStatus_t cublas##L##geqrfBatched(cublasHandle_t h, int m, int n, T* const a[], int lda, T* const tau[],      \
                                           int* info, int batch) {                                                     \
        return geqrf_batched(h, m, n, a, lda, tau, info, batch);                                                       \
    }                                                                                                                  \
    cublasStatus_t cublas##L##gemm_v2(cublasHandle_t h, cublasOperation_t of_a, cublasOperation_t of_b, int m, int n,  \
                                      int k, const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta,  \
                                      T* c, int ldc) {                                                                 \
        return gemm(h, of_a, of_b, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc, 0, 1);                          \
    }                                                                                                                  \
    cublasStatus_t cublas##L##gemmStridedBatched(cublasHandle_t h, cublasOperation_t of_a, cublasOperation_t of_b,     \
                                                 int m, int n, int k, const T* alpha, const T* a, int lda,             \
                                                 long long stride_a, const T* b, int ldb, long long stride_b,          \
                                                 const T* beta, T* c, int ldc, long long stride_c, int batch) {        \
        return gemm(h, of_a, of_b, m, n, k, alpha, a, lda, stride_a, b, ldb, stride_b, beta, c, ldc, stride_c, batch); \
    }                                                                                                                  \
    cublasStatus_t cublas##L##trsm_v2(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo,                  \
                                      cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T* alpha,    \
                                      const T* a, int lda, T* b, int ldb) {                                            \
        return trsm(h, triangle(side, uplo, trans, diag), m, n, alpha, a, lda, b, ldb);                                \
    }                                                                                                                  \
    cublasStatus_t cublas##L##trsmBatched(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo,              \
                                          cublasOperation_t trans, cublasDiagType_t diag, int m, int n,                \
                                          const T* alpha, const T* const a[], int lda, T* const b[], int ldb,          \
                                          int batch) {                                                                 \
        return trsm_batched(h, triangle(side, uplo, trans, diag), m, n, alpha, a, lda, b, ldb, batch);                 \
    }

EMULATED_LINALG(S, float)
EMULATED_LINALG(D, double)
EMULATED_LINALG(C, cuComplex)
EMULATED_LINALG(Z, cuDoubleComplex)

}  // extern "C"
