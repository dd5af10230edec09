// Products of random matrices on any device against a triple loop in the wider type; used by host and device tests.
#pragma once

#include <doctest/doctest.h>

#include <complex>
#include <cstdint>
#include <sinter/runtime/library/blas.hpp>
#include <sinter/runtime/memory/copy.hpp>
#include <sinter/runtime/memory/memory_pool.hpp>
#include <vector>

namespace gemm_reference {

template <class T>
struct wider {
    using type = double;
    static T make(double re, double) { return static_cast<T>(re); }
};
template <class T>
struct wider<std::complex<T>> {
    using type = std::complex<double>;
    static std::complex<T> make(double re, double im) { return {static_cast<T>(re), static_cast<T>(im)}; }
};

inline double conjugate(double x) { return x; }
inline std::complex<double> conjugate(std::complex<double> x) { return std::conj(x); }

/// Small multiples of 1/8: products and sums of them are exact, so results agree bit for bit in any order.
template <class T>
std::vector<T> exact_values(std::size_t count, unsigned seed) {
    std::vector<T> values(count);
    auto next = [&] { return static_cast<int>((seed = seed * 1664525u + 1013904223u) >> 20) % 33 - 16; };
    for (T& v : values) {
        const double re = next() / 8.0;
        v = wider<T>::make(re, next() / 8.0);
    }
    return values;
}

struct product {
    std::int64_t m, n, k, batch;
    bool a_transposed, a_conjugated, b_transposed, b_conjugated, b_shared;
    int padding;  ///< unused elements between rows
};

template <class T>
void test_one(sinter::device where, const product& p) {
    using namespace sinter;
    using W = typename wider<T>::type;
    const std::int64_t a_rows = p.a_transposed ? p.k : p.m, a_columns = (p.a_transposed ? p.m : p.k) + p.padding;
    const std::int64_t b_rows = p.b_transposed ? p.n : p.k, b_columns = (p.b_transposed ? p.k : p.n) + p.padding;
    const std::int64_t a_stride = a_rows * a_columns, b_stride = p.b_shared ? 0 : b_rows * b_columns;
    const std::int64_t c_columns = p.n + p.padding, c_stride = p.m * c_columns;
    const auto a = exact_values<T>(std::size_t(a_stride * p.batch + 1), 1);
    const auto b = exact_values<T>(std::size_t(b_rows * b_columns * p.batch + 1), 2);
    std::vector<T> c(std::size_t(c_stride * p.batch + 1), wider<T>::make(99, 0));

    auto upload = [&](const std::vector<T>& host) {
        auto memory = runtime::allocate_buffer(where, host.size() * sizeof(T));
        runtime::copy_to_device(where, memory->data, host.data(), memory->bytes);
        return memory;
    };
    const auto a_memory = upload(a), b_memory = upload(b), c_memory = upload(c);
    runtime::gemm_strided_batched(where, dtype_of<T>, p.m, p.n, p.k,
                                  {a_memory->data, a_columns, a_stride, p.a_transposed, p.a_conjugated},
                                  {b_memory->data, b_columns, b_stride, p.b_transposed, p.b_conjugated}, c_memory->data,
                                  c_columns, c_stride, p.batch);
    runtime::copy_to_host(c.data(), where, c_memory->data, c_memory->bytes);

    int wrong = 0;
    for (std::int64_t s = 0; s < p.batch; ++s)
        for (std::int64_t i = 0; i < p.m; ++i)
            for (std::int64_t j = 0; j < c_columns; ++j) {
                W sum = j < p.n ? W(0) : W(99);
                for (std::int64_t l = 0; l < p.k && j < p.n; ++l) {
                    W x = W(a[std::size_t(s * a_stride + (p.a_transposed ? l * a_columns + i : i * a_columns + l))]);
                    W y = W(b[std::size_t(s * b_stride + (p.b_transposed ? j * b_columns + l : l * b_columns + j))]);
                    sum += (p.a_conjugated ? conjugate(x) : x) * (p.b_conjugated ? conjugate(y) : y);
                }
                if (W(c[std::size_t(s * c_stride + i * c_columns + j)]) != sum) ++wrong;
            }
    CAPTURE(p.m);
    CAPTURE(p.n);
    CAPTURE(p.k);
    CAPTURE(p.batch);
    CAPTURE(p.padding);
    CHECK(wrong == 0);
}

}  // namespace gemm_reference

/// Sizes 1 and awkward ones, k = 0, every combination of transposes, shared and own operands of a batch.
template <class T>
void test_products(sinter::device where) {
    using gemm_reference::product;
    const std::int64_t sizes[][3] = {{1, 1, 1}, {3, 4, 5}, {1, 7, 3}, {7, 1, 3}, {5, 6, 1}, {31, 33, 17}, {2, 3, 0}};
    for (auto& [m, n, k] : sizes)
        for (std::int64_t batch : {1, 3})
            for (int bits = 0; bits < 64; ++bits) {
                const bool ta = bits & 1, ca = bits & 2, tb = bits & 4, cb = bits & 8, shared = bits & 16;
                if ((ca && !ta) || (cb && !tb)) continue;
                gemm_reference::test_one<T>(where, {m, n, k, batch, ta, ca, tb, cb, shared, bits & 32 ? 2 : 0});
            }
}
