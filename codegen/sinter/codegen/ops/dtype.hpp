// Element types: their names, sizes and kinds, and NumPy 2's promotion between them; must not know arrays.
#pragma once

#include <sinter/codegen/ops/half.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace sinter::inline SINTER_ABI {

/// Element type of an array, as NumPy's dtype.
enum class dtype : std::uint8_t {
    bool_,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    float16,
    bfloat16,
    float32,
    float64,
    complex32,
    complex64,
    complex128
};

inline constexpr int dtype_count = 16;

namespace codegen {

struct dtype_info {
    char name[12];      ///< NumPy's name, or PyTorch's
    char kind;          ///< 'b' bool, 'i' signed, 'u' unsigned, 'f' floating, 'c' complex
    std::uint8_t size;  ///< bytes
    char text[20];      ///< its name in generated kernels, which hold half precision as bits
};

inline constexpr dtype_info dtype_table[dtype_count] = {
    {"bool", 'b', 1, "bool"},
    {"int8", 'i', 1, "signed char"},
    {"int16", 'i', 2, "short"},
    {"int32", 'i', 4, "int"},
    {"int64", 'i', 8, "long long"},
    {"uint8", 'u', 1, "unsigned char"},
    {"uint16", 'u', 2, "unsigned short"},
    {"uint32", 'u', 4, "unsigned int"},
    {"uint64", 'u', 8, "unsigned long long"},
    {"float16", 'f', 2, "unsigned short"},
    {"bfloat16", 'f', 2, "unsigned short"},
    {"float32", 'f', 4, "float"},
    {"float64", 'f', 8, "double"},
    {"complex32", 'c', 4, "unsigned int"},
    {"complex64", 'c', 8, "complex<float>"},
    {"complex128", 'c', 16, "complex<double>"},
};

constexpr const dtype_info& info(dtype t) { return dtype_table[static_cast<int>(t)]; }
constexpr char kind_of(dtype t) { return info(t).kind; }
constexpr int size_of(dtype t) { return info(t).size; }
constexpr bool is_integer(dtype t) { return kind_of(t) == 'i' || kind_of(t) == 'u'; }
constexpr bool is_complex(dtype t) { return kind_of(t) == 'c'; }
constexpr bool is_floating(dtype t) { return kind_of(t) == 'f'; }
/// Whether elements are floating numbers of 16 bits or pairs of them: they compute as `widened`, each operation rounded
/// once.
constexpr bool is_half(dtype t) { return t == dtype::float16 || t == dtype::bfloat16 || t == dtype::complex32; }
/// The type that elements compute in: float32 and complex64 for half precision, any other its own.
constexpr dtype widened(dtype t) { return !is_half(t) ? t : is_complex(t) ? dtype::complex64 : dtype::float32; }

/// Position of a kind in NumPy's order bool < integer < floating < complex.
constexpr int kind_rank(dtype t) {
    switch (kind_of(t)) {
        case 'b': return 0;
        case 'i':
        case 'u': return 1;
        case 'f': return 2;
        default: return 3;
    }
}

constexpr dtype signed_of_size(int bytes) {
    return bytes == 1 ? dtype::int8 : bytes == 2 ? dtype::int16 : bytes == 4 ? dtype::int32 : dtype::int64;
}

/// The real type of a complex one; any other type is its own.
constexpr dtype real_of(dtype t) {
    return t == dtype::complex32    ? dtype::float16
           : t == dtype::complex64  ? dtype::float32
           : t == dtype::complex128 ? dtype::float64
                                    : t;
}

/// The complex type whose parts hold a type.
constexpr dtype complex_of(dtype t) {
    if (real_of(t) == dtype::float16) return dtype::complex32;
    return t == dtype::float64 || t == dtype::complex128 || is_integer(t) ? dtype::complex128 : dtype::complex64;
}

/// The smallest floating type that NumPy promotes an integer with a floating type to (float64 from 32-bit integers on).
constexpr dtype promote_to_floating(dtype integer, dtype floating) {
    if (kind_of(integer) == 'b' || size_of(floating) > size_of(integer) || floating == dtype::float64) return floating;
    return size_of(integer) == 1 ? floating : size_of(integer) == 2 ? dtype::float32 : dtype::float64;
}

/// numpy.promote_types; bfloat16 as ml_dtypes and, where that has no common type, as float16: float32 with float16 and
/// integers of 16 bits, float64 with longer ones. complex32 is to float16 what complex64 is to float32.
constexpr dtype promote(dtype a, dtype b) {
    if (a == b) return a;
    if (kind_rank(a) > kind_rank(b)) return promote(b, a);
    if (kind_rank(a) == 0) return b;
    if (kind_of(b) == 'c') return complex_of(promote(a, real_of(b)));
    if (kind_rank(a) == 1 && kind_rank(b) == 2) return promote_to_floating(a, b);
    if (kind_rank(a) == 2) return size_of(a) == size_of(b) ? dtype::float32 : size_of(a) > size_of(b) ? a : b;
    if (kind_of(a) == kind_of(b)) return size_of(a) > size_of(b) ? a : b;
    if (kind_of(a) == 'u') return promote(b, a);
    if (size_of(a) > size_of(b)) return a;
    return size_of(b) == 8 ? dtype::float64 : signed_of_size(2 * size_of(b));
}

/// The type in which an operation on floating numbers computes: integers and bool go to float64.
constexpr dtype floating_of(dtype t) { return kind_rank(t) < 2 ? dtype::float64 : t; }

}  // namespace codegen

/// The dtype's NumPy name.
constexpr std::string_view to_string(dtype t) { return codegen::info(t).name; }

namespace codegen {

template <class T>
constexpr dtype dtype_from() {
    using U = std::remove_cv_t<T>;
    if constexpr (std::is_same_v<U, bool>) return dtype::bool_;
    else if constexpr (std::is_same_v<U, half>) return dtype::float16;
    else if constexpr (std::is_same_v<U, bfloat16>) return dtype::bfloat16;
    else if constexpr (std::is_same_v<U, float>) return dtype::float32;
    else if constexpr (std::is_same_v<U, double>) return dtype::float64;
    else if constexpr (std::is_same_v<U, complex_half>) return dtype::complex32;
    else if constexpr (std::is_same_v<U, std::complex<float>>) return dtype::complex64;
    else if constexpr (std::is_same_v<U, std::complex<double>>) return dtype::complex128;
    else {
        static_assert(std::is_integral_v<U>, "sinter: this C++ type is not an element type of arrays");
        constexpr int offset = sizeof(U) == 1 ? 0 : sizeof(U) == 2 ? 1 : sizeof(U) == 4 ? 2 : 3;
        return static_cast<dtype>(static_cast<int>(std::is_signed_v<U> ? dtype::int8 : dtype::uint8) + offset);
    }
}

template <dtype D>
struct cpp_type;
#define SINTER_ELEMENT_TYPE(name, T) \
    template <>                      \
    struct cpp_type<dtype::name> {   \
        using type = T;              \
    };
#include <sinter/codegen/base/element_types.def>
#undef SINTER_ELEMENT_TYPE

}  // namespace codegen

/// The dtype of a C++ element type.
template <class T>
inline constexpr dtype dtype_of = codegen::dtype_from<T>();

}  // namespace sinter::inline SINTER_ABI
