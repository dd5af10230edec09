// Products as the emulated cuBLAS and cuBLASLt compute them: column-major, by plain loops, in the order of a stream.
#pragma once

#include <cublas_api.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <type_traits>

#include "half_precision.hpp"
#include "library_calls.hpp"

namespace cuda_emulation {

struct matrix {
    const void* data;
    cublasOperation_t how;
    std::int64_t leading, stride;
};

struct product {
    std::int64_t m, n, k, batch;
    matrix a, b;
    const void* c;  // which alpha times the product is added to
    void* d;
    std::int64_t d_leading, d_stride;
    std::complex<double> alpha, beta;
    const void* bias = nullptr;  // m numbers that are added to each column
    bool relu = false, gelu = false;
    int order = 0;              // of the sum: another for each algorithm, so that bits tell them apart
    bool scales_first = false;  // alpha multiplies a's elements, which rounds otherwise than alpha times a sum
};

template <class T>
inline constexpr bool is_half = std::is_same_v<T, binary16> || std::is_same_v<T, brain>;
template <class T>
using sum_type = std::conditional_t<is_half<T>, float, T>;

template <class T>
T entry(const T* data, const matrix& x, std::int64_t row, std::int64_t column) {
    if (x.how == CUBLAS_OP_N) return data[row + column * x.leading];
    const T v = data[column + row * x.leading];
    if constexpr (std::is_floating_point_v<T> || is_half<T>) return v;
    else return x.how == CUBLAS_OP_C ? std::conj(v) : v;
}

// Elements that an operand's batch spans.
inline std::int64_t extent(const matrix& x, std::int64_t rows, std::int64_t columns, std::int64_t batch) {
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

template <class T, int Bits, class S = sum_type<T>>
S sum_of(const product& p, S alpha, const T* a, const T* b, std::int64_t row, std::int64_t column) {
    S sum = 0;
    for (std::int64_t i = 0; i < p.k; ++i) {
        const std::int64_t l = p.order % 2 ? p.k - 1 - i : i;
        S left = read_as<Bits>(static_cast<S>(entry(a, p.a, row, l)));
        if (p.scales_first) left *= alpha;
        sum += left * read_as<Bits>(static_cast<S>(entry(b, p.b, l, column)));
    }
    return sum;
}

// As it is defined, so that last bits differ from those of forms in which nothing cancels.
template <class S>
S gelu_of(S x) {
    return S(0.5) * x * (1 + std::tanh(S(0.7978845608028654) * (x + S(0.044715) * x * x * x)));
}

template <class T, int Bits = 52>
void multiply(void* argument) {
    using S = sum_type<T>;
    const std::unique_ptr<product> p(static_cast<product*>(argument));
    const std::int64_t elements = (p->batch - 1) * p->d_stride + (p->n - 1) * p->d_leading + p->m;
    const T* a = p->k ? bytes_of<T>(p->a.data, extent(p->a, p->m, p->k, p->batch)) : nullptr;
    const T* b = p->k ? bytes_of<T>(p->b.data, extent(p->b, p->k, p->n, p->batch)) : nullptr;
    const T *c = p->beta == 0.0 ? nullptr : bytes_of<T>(p->c, elements),
            *bias = p->bias ? bytes_of<T>(p->bias, p->m) : nullptr;
    T* d = const_cast<T*>(bytes_of<T>(p->d, elements));
    if (!d || (p->k && (!a || !b)) || (p->beta != 0.0 && !c) || (p->bias && !bias)) std::abort();
    S alpha, beta;
    if constexpr (std::is_floating_point_v<S>) alpha = S(p->alpha.real()), beta = S(p->beta.real());
    else alpha = S(p->alpha), beta = S(p->beta);
    for (std::int64_t i = 0; i < p->batch; ++i)
        for (std::int64_t column = 0; column < p->n; ++column)
            for (std::int64_t row = 0; row < p->m; ++row) {
                const std::int64_t at = i * p->d_stride + column * p->d_leading + row;
                const T *ai = a + i * p->a.stride, *bi = b + i * p->b.stride;
                S value = 0;
                if (alpha != S(0)) value = sum_of<T, Bits>(*p, alpha, ai, bi, row, column);
                if (alpha != S(0) && !p->scales_first) value = alpha * value;
                if (c) value += beta * static_cast<S>(c[at]);
                if (bias) value += static_cast<S>(bias[row]);
                if constexpr (std::is_floating_point_v<S>) {
                    // As the library's for products of two vectors, which drop NaN.
                    if (p->relu && (value < 0 || (p->k == 1 && value != value))) value = 0;
                    if (p->gelu) value = gelu_of(value);
                }
                d[at] = static_cast<T>(value);
            }
}

inline bool is_good(const matrix& x, std::int64_t rows, std::int64_t columns) {
    return x.leading >= (x.how == CUBLAS_OP_N ? rows : columns) && x.leading >= 1;
}

// What computes a product of elements of a type, or nullptr; halves only where parts of sums stay float.
inline void (*multiplier(cudaDataType type, cublasComputeType_t compute, bool sums_in_full = false))(void*) {
    using cfloat = std::complex<float>;
    const bool is_complex = type == CUDA_C_32F || type == CUDA_C_64F;
    if (compute == CUBLAS_COMPUTE_64F && (type == CUDA_R_64F || type == CUDA_C_64F))
        return is_complex ? multiply<std::complex<double>> : multiply<double>;
    if (sums_in_full && compute == CUBLAS_COMPUTE_32F && type == CUDA_R_16F) return multiply<binary16>;
    if (sums_in_full && compute == CUBLAS_COMPUTE_32F && type == CUDA_R_16BF) return multiply<brain>;
    if (type != CUDA_R_32F && type != CUDA_C_32F) return nullptr;
    switch (compute) {
        case CUBLAS_COMPUTE_32F: return is_complex ? multiply<cfloat> : multiply<float>;
        case CUBLAS_COMPUTE_32F_FAST_TF32: return is_complex ? multiply<cfloat, 10> : multiply<float, 10>;
        case CUBLAS_COMPUTE_32F_FAST_16BF: return is_complex ? multiply<cfloat, 7> : multiply<float, 7>;
        default: return nullptr;
    }
}

// A factor by address, as the library takes it.
inline std::complex<double> factor(const void* p, cudaDataType type) {
    switch (type) {
        case CUDA_R_16F:
        case CUDA_R_16BF:
        case CUDA_R_32F: return *static_cast<const float*>(p);
        case CUDA_R_64F: return *static_cast<const double*>(p);
        case CUDA_C_32F: return *static_cast<const std::complex<float>*>(p);
        default: return *static_cast<const std::complex<double>*>(p);
    }
}

/// Products of matrices that are listed in device memory, by what multiplies one.
struct listed_products {
    product one;
    void (*multiply)(void*);
    const void *const *a, *const *b;
    void* const* c;
    std::int64_t count;
    std::uintptr_t alignment;  // of every matrix, in bytes
};

inline void multiply_listed(void* argument) {
    const std::unique_ptr<listed_products> all(static_cast<listed_products*>(argument));
    const auto* a = bytes_of<const void*>(all->a, all->count);
    const auto* b = bytes_of<const void*>(all->b, all->count);
    const auto* c = bytes_of<void*>(all->c, all->count);
    if (!a || !b || !c) std::abort();
    for (std::int64_t i = 0; i < all->count; ++i) {
        for (const void* p : {a[i], b[i], const_cast<const void*>(c[i])})
            if (reinterpret_cast<std::uintptr_t>(p) % all->alignment) {
                std::fprintf(stderr, "emulated cuBLAS: a listed matrix begins at %p\n", p);
                std::abort();
            }
        auto p = std::make_unique<product>(all->one);
        p->a.data = a[i], p->b.data = b[i], p->c = p->d = c[i];
        all->multiply(p.release());
    }
}

template <class Work>
cublasStatus_t enqueue_product(cudaStream_t stream, void (*work)(void*), std::unique_ptr<Work> p) {
    auto* enqueue = driver_function<int(cudaStream_t, void (*)(void*), void*)>("emulated_enqueue");
    if (!work || !enqueue) return CUBLAS_STATUS_NOT_SUPPORTED;
    return enqueue(stream, work, p.release()) == 0 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

}  // namespace cuda_emulation
