// Element types: kinds, sizes and promotion, against numpy.promote_types.
#include <doctest/doctest.h>

#include <sinter/codegen/ops/dtype.hpp>

#include <string>

using namespace sinter;
using namespace sinter::codegen;

namespace {

constexpr dtype numpy_types[14] = {dtype::bool_,   dtype::int8,    dtype::int16,     dtype::int32,     dtype::int64,
                                   dtype::uint8,   dtype::uint16,  dtype::uint32,    dtype::uint64,    dtype::float16,
                                   dtype::float32, dtype::float64, dtype::complex64, dtype::complex128};

// numpy.promote_types(row, column) as kind and bytes, in the order of numpy_types.
constexpr const char* promoted[14][14] = {
    {"b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"},
    {"i1", "i1", "i2", "i4", "i8", "i2", "i4", "i8", "f8", "f2", "f4", "f8", "c8", "c16"},
    {"i2", "i2", "i2", "i4", "i8", "i2", "i4", "i8", "f8", "f4", "f4", "f8", "c8", "c16"},
    {"i4", "i4", "i4", "i4", "i8", "i4", "i4", "i8", "f8", "f8", "f8", "f8", "c16", "c16"},
    {"i8", "i8", "i8", "i8", "i8", "i8", "i8", "i8", "f8", "f8", "f8", "f8", "c16", "c16"},
    {"u1", "i2", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"},
    {"u2", "i4", "i4", "i4", "i8", "u2", "u2", "u4", "u8", "f4", "f4", "f8", "c8", "c16"},
    {"u4", "i8", "i8", "i8", "i8", "u4", "u4", "u4", "u8", "f8", "f8", "f8", "c16", "c16"},
    {"u8", "f8", "f8", "f8", "f8", "u8", "u8", "u8", "u8", "f8", "f8", "f8", "c16", "c16"},
    {"f2", "f2", "f4", "f8", "f8", "f2", "f4", "f8", "f8", "f2", "f4", "f8", "c8", "c16"},
    {"f4", "f4", "f4", "f8", "f8", "f4", "f4", "f8", "f8", "f4", "f4", "f8", "c8", "c16"},
    {"f8", "f8", "f8", "f8", "f8", "f8", "f8", "f8", "f8", "f8", "f8", "f8", "c16", "c16"},
    {"c8", "c8", "c8", "c16", "c16", "c8", "c8", "c16", "c16", "c8", "c8", "c16", "c8", "c16"},
    {"c16", "c16", "c16", "c16", "c16", "c16", "c16", "c16", "c16", "c16", "c16", "c16", "c16", "c16"},
};

std::string code(dtype t) { return kind_of(t) + std::to_string(size_of(t)); }

}  // namespace

TEST_CASE("promotion of every pair of dtypes is numpy.promote_types") {
    for (int i = 0; i < 14; ++i)
        for (int j = 0; j < 14; ++j) {
            CAPTURE(to_string(numpy_types[i]));
            CAPTURE(to_string(numpy_types[j]));
            dtype t = promote(numpy_types[i], numpy_types[j]);
            CHECK(code(t) == promoted[i][j]);
            CHECK(t != dtype::bfloat16);
        }
}

TEST_CASE("bfloat16 promotes like ml_dtypes, and with float16 to float32") {
    CHECK(promote(dtype::bfloat16, dtype::bfloat16) == dtype::bfloat16);
    CHECK(promote(dtype::bfloat16, dtype::bool_) == dtype::bfloat16);
    CHECK(promote(dtype::bfloat16, dtype::int8) == dtype::bfloat16);
    CHECK(promote(dtype::bfloat16, dtype::float16) == dtype::float32);
    CHECK(promote(dtype::float16, dtype::bfloat16) == dtype::float32);
    CHECK(promote(dtype::bfloat16, dtype::float32) == dtype::float32);
    CHECK(promote(dtype::float64, dtype::bfloat16) == dtype::float64);
    CHECK(promote(dtype::bfloat16, dtype::complex64) == dtype::complex64);
}

TEST_CASE("complex32 is to float16 what complex64 is to float32, as in PyTorch") {
    CHECK(promote(dtype::complex32, dtype::complex32) == dtype::complex32);
    for (dtype narrow : {dtype::bool_, dtype::int8, dtype::uint8, dtype::float16})
        CHECK(promote(dtype::complex32, narrow) == dtype::complex32);
    for (dtype single : {dtype::int16, dtype::uint16, dtype::bfloat16, dtype::float32, dtype::complex64})
        CHECK(promote(dtype::complex32, single) == dtype::complex64);
    for (dtype wide : {dtype::int32, dtype::uint64, dtype::float64, dtype::complex128})
        CHECK(promote(dtype::complex32, wide) == dtype::complex128);
    CHECK(real_of(dtype::complex32) == dtype::float16);
    CHECK(complex_of(dtype::float16) == dtype::complex32);
    CHECK(complex_of(dtype::bfloat16) == dtype::complex64);
    CHECK(widened(dtype::complex32) == dtype::complex64);
    CHECK(widened(dtype::bfloat16) == dtype::float32);
    CHECK(widened(dtype::int16) == dtype::int16);
    CHECK(dtype_of<complex_half> == dtype::complex32);
    CHECK((size_of(dtype::complex32) == 4 && sizeof(complex_half) == 4 && alignof(complex_half) == 4));
}

TEST_CASE("promotion is commutative, and idempotent") {
    for (int i = 0; i < dtype_count; ++i)
        for (int j = 0; j < dtype_count; ++j) {
            auto a = static_cast<dtype>(i), b = static_cast<dtype>(j);
            CHECK(promote(a, b) == promote(b, a));
            CHECK(promote(a, promote(a, b)) == promote(a, b));
        }
}

TEST_CASE("names and kinds are NumPy's") {
    CHECK(to_string(dtype::bool_) == "bool");
    CHECK(to_string(dtype::uint16) == "uint16");
    CHECK(to_string(dtype::complex128) == "complex128");
    const std::string kinds = "biiiiuuuufffcc";
    for (int i = 0; i < 14; ++i) CHECK(kind_of(numpy_types[i]) == kinds[static_cast<std::size_t>(i)]);
    CHECK(kind_of(dtype::bfloat16) == 'f');
    CHECK(real_of(dtype::complex64) == dtype::float32);
    CHECK(real_of(dtype::int8) == dtype::int8);
    CHECK(floating_of(dtype::int8) == dtype::float64);
    CHECK(floating_of(dtype::float32) == dtype::float32);
}

TEST_CASE("a C++ type has the dtype of its width, long and long long alike") {
    CHECK(dtype_of<bool> == dtype::bool_);
    CHECK(dtype_of<signed char> == dtype::int8);
    CHECK(dtype_of<unsigned short> == dtype::uint16);
    CHECK(dtype_of<int> == dtype::int32);
    CHECK(dtype_of<long> == dtype::int64);
    CHECK(dtype_of<long long> == dtype::int64);
    CHECK(dtype_of<unsigned long> == dtype::uint64);
    CHECK(dtype_of<const float> == dtype::float32);
    CHECK(dtype_of<std::complex<double>> == dtype::complex128);
}
