// libcublas.so of an emulated machine, for tests: column-major products by plain loops, in the order of a stream.
#include <cublas_api.h>

#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <type_traits>

#include "cublas_handle.hpp"
#include "library_calls.hpp"

using namespace cuda_emulation;

namespace {

struct matrix {
    const void* data;
    cublasOperation_t how;
    std::int64_t leading, stride;
};

struct product {
    std::int64_t m, n, k, batch;
    matrix a, b;
    void* c;
    std::int64_t c_leading, c_stride;
    std::complex<double> alpha, beta;
};

template <class T>
T element(const T* data, const matrix& x, std::int64_t row, std::int64_t column) {
    if (x.how == CUBLAS_OP_N) return data[row + column * x.leading];
    const T v = data[column + row * x.leading];
    if constexpr (std::is_floating_point_v<T>) return v;
    else return x.how == CUBLAS_OP_C ? std::conj(v) : v;
}

// Elements that an operand's batch spans.
std::int64_t extent(const matrix& x, std::int64_t rows, std::int64_t columns, std::int64_t batch) {
    if (x.how != CUBLAS_OP_N) std::swap(rows, columns);
    return (batch - 1) * x.stride + (columns - 1) * x.leading + rows;
}

template <class T>
const T* bytes_of(const void* address, std::int64_t elements) {
    auto* find = driver_function<char*(unsigned long long, std::size_t)>("emulated_bytes");
    char* bytes = find(reinterpret_cast<unsigned long long>(address), static_cast<std::size_t>(elements) * sizeof(T));
    if (!bytes) std::fprintf(stderr, "emulated cuBLAS: an operand is not allocated device memory\n");
    return reinterpret_cast<const T*>(bytes);
}

// A number as tensor cores read it: rounded to so many bits of the fraction.
template <int Bits>
float shortened(float x) {
    std::uint32_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    constexpr std::uint32_t dropped = (1u << (23 - Bits)) - 1;
    if ((bits & 0x7f800000u) != 0x7f800000u) bits = (bits + dropped / 2 + (bits >> (23 - Bits) & 1u)) & ~dropped;
    std::memcpy(&x, &bits, sizeof bits);
    return x;
}

template <int Bits, class T>
T read_as(const T& x) {
    if constexpr (Bits >= 23) return x;
    else if constexpr (std::is_same_v<T, float>) return shortened<Bits>(x);
    else return {shortened<Bits>(x.real()), shortened<Bits>(x.imag())};
}

template <class T, int Bits = 52>
void multiply(void* argument) {
    const std::unique_ptr<product> p(static_cast<product*>(argument));
    const T* a = p->k ? bytes_of<T>(p->a.data, extent(p->a, p->m, p->k, p->batch)) : nullptr;
    const T* b = p->k ? bytes_of<T>(p->b.data, extent(p->b, p->k, p->n, p->batch)) : nullptr;
    T* c = const_cast<T*>(bytes_of<T>(p->c, (p->batch - 1) * p->c_stride + (p->n - 1) * p->c_leading + p->m));
    if (!c || (p->k && (!a || !b))) std::abort();
    for (std::int64_t i = 0; i < p->batch; ++i)
        for (std::int64_t column = 0; column < p->n; ++column)
            for (std::int64_t row = 0; row < p->m; ++row) {
                T sum = 0;
                for (std::int64_t l = 0; l < p->k; ++l)
                    sum += read_as<Bits>(element(a + i * p->a.stride, p->a, row, l)) *
                           read_as<Bits>(element(b + i * p->b.stride, p->b, l, column));
                T& to = c[i * p->c_stride + column * p->c_leading + row];
                if constexpr (std::is_floating_point_v<T>) to = T(p->alpha.real()) * sum + (p->beta == 0.0 ? T(0) : T(p->beta.real()) * to);
                else to = T(p->alpha) * sum + (p->beta == 0.0 ? T(0) : T(p->beta) * to);
            }
}

bool is_good(const matrix& x, std::int64_t rows, std::int64_t columns) {
    return x.leading >= (x.how == CUBLAS_OP_N ? rows : columns) && x.leading >= 1;
}

}  // namespace

extern "C" {

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

cublasStatus_t cublasSetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t) { return CUBLAS_STATUS_SUCCESS; }

const char* cublasGetStatusName(cublasStatus_t status) {
    return status == CUBLAS_STATUS_SUCCESS ? "CUBLAS_STATUS_SUCCESS" : status == CUBLAS_STATUS_INVALID_VALUE ? "CUBLAS_STATUS_INVALID_VALUE"
                                                                                                              : "CUBLAS_STATUS_EXECUTION_FAILED";
}

cublasStatus_t cublasGemmStridedBatchedEx_64(cublasHandle_t handle, cublasOperation_t how_a, cublasOperation_t how_b, std::int64_t m,
                                             std::int64_t n, std::int64_t k, const void* alpha, const void* a, cudaDataType a_type,
                                             std::int64_t lda, long long a_stride, const void* b, cudaDataType b_type, std::int64_t ldb,
                                             long long b_stride, const void* beta, void* c, cudaDataType c_type, std::int64_t ldc,
                                             long long c_stride, std::int64_t batch, cublasComputeType_t compute, cublasGemmAlgo_t) {
    const auto* h = reinterpret_cast<emulated_handle*>(handle);
    auto p = std::make_unique<product>(product{m, n, k, batch, {a, how_a, lda, a_stride}, {b, how_b, ldb, b_stride}, c, ldc, c_stride, 0, 0});
    if (m < 0 || n < 0 || k < 0 || batch < 0 || a_type != b_type || a_type != c_type || ldc < m || ldc < 1) return CUBLAS_STATUS_INVALID_VALUE;
    if (!is_good(p->a, m, k) || !is_good(p->b, k, n) || !h->has_workspace) return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0 || batch == 0) return CUBLAS_STATUS_SUCCESS;
    void (*work)(void*) = nullptr;
    const bool in_tf32 = compute == CUBLAS_COMPUTE_32F_FAST_TF32, in_bf16 = compute == CUBLAS_COMPUTE_32F_FAST_16BF;
    if (compute == CUBLAS_COMPUTE_32F || in_tf32 || in_bf16) {
        const bool is_complex = a_type == CUDA_C_32F;
        const float *x = static_cast<const float*>(alpha), *y = static_cast<const float*>(beta);
        p->alpha = {x[0], is_complex ? x[1] : 0}, p->beta = {y[0], is_complex ? y[1] : 0};
        using cfloat = std::complex<float>;
        if (is_complex) work = in_tf32 ? multiply<cfloat, 10> : in_bf16 ? multiply<cfloat, 7> : multiply<cfloat>;
        else if (a_type == CUDA_R_32F) work = in_tf32 ? multiply<float, 10> : in_bf16 ? multiply<float, 7> : multiply<float>;
    } else if (compute == CUBLAS_COMPUTE_64F) {
        const bool is_complex = a_type == CUDA_C_64F;
        const double *x = static_cast<const double*>(alpha), *y = static_cast<const double*>(beta);
        p->alpha = {x[0], is_complex ? x[1] : 0}, p->beta = {y[0], is_complex ? y[1] : 0};
        work = is_complex ? multiply<std::complex<double>> : a_type == CUDA_R_64F ? multiply<double> : nullptr;
    }
    auto* enqueue = driver_function<int(cudaStream_t, void (*)(void*), void*)>("emulated_enqueue");
    if (!work || !enqueue) return CUBLAS_STATUS_NOT_SUPPORTED;
    return enqueue(h->stream, work, p.release()) == 0 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

}  // extern "C"
