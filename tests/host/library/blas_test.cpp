// Products on the CPU against a plain triple loop: all types, transposes, leading dimensions and batches.
#include <doctest/doctest.h>

#include <cstdio>
#include <sinter/runtime/base/counters.hpp>
#include <string>

#include "support/gemm_reference.hpp"

using namespace sinter;

TEST_CASE_TEMPLATE("products on the CPU agree with a triple loop", T, float, double, std::complex<float>,
                   std::complex<double>) {
    std::string why;
    if (!runtime::blas_available(device::cpu(), &why)) {
        std::printf("skipped: %s\n", why.c_str());
        return;
    }
    test_products<T>(device::cpu());
}

TEST_CASE("a product is one library call and an empty one is none") {
    if (!runtime::blas_available(device::cpu())) return;
    double a[4] = {1, 2, 3, 4}, c[4] = {9, 9, 9, 9};
    const auto before = counters().library_calls;
    runtime::gemm_strided_batched(device::cpu(), dtype::float64, 2, 2, 2, {a, 2}, {a, 2}, c, 2, 0, 1);
    CHECK(counters().library_calls == before + 1);
    CHECK(c[0] == 7);
    CHECK(c[3] == 22);
    runtime::gemm_strided_batched(device::cpu(), dtype::float64, 0, 2, 2, {a, 2}, {a, 2}, c, 2, 0, 1);
    CHECK(counters().library_calls == before + 1);
}

TEST_CASE("what no library multiplies throws") {
    int a[4] = {}, c[4] = {};
    double d[4] = {};
    CHECK_THROWS_AS(runtime::gemm_strided_batched(device::cpu(), dtype::int32, 2, 2, 2, {a, 2}, {a, 2}, c, 2, 0, 1),
                    type_error);
    CHECK_THROWS_AS(runtime::gemm_strided_batched(device::cpu(), dtype::float64, 2, 2, 2, {d, 1}, {d, 2}, d, 2, 0, 1),
                    internal_error);
    if (!runtime::blas_available(device::cpu())) return;
    const std::int64_t big = std::int64_t(1) << 31;
    CHECK_THROWS_AS(runtime::gemm_strided_batched(device::cpu(), dtype::float64, big, 1, 1, {d, 1}, {d, 1}, d, 1, 0, 1),
                    value_error);
}
