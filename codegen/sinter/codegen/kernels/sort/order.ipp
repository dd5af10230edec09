// Bodies of order.hpp: what both languages share and the reference; the texts are in order_cuda*.ipp and
// order_host.ipp.
#pragma once

#include <algorithm>
#include <bit>
#include <complex>
#include <cstring>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/kernels/sort/order.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE order_task order_task_of(routine r, dtype operand, const dims& shape) {
    std::int64_t length = shape.back();
    return {.type = operand,
            .positions = r == routine::argsort,
            .rows = length ? shape.product() / length : 0,
            .length = length};
}

SINTER_INLINE int order_digits(dtype t) { return size_of(t) + (is_complex(t) ? 1 : 0); }

SINTER_INLINE int order_passes(const order_task& t) {
    return t.key_bits ? std::min((t.key_bits + 7) / 8, order_digits(t.type)) : order_digits(t.type);
}

// Whether a network exchanges more than one number per element.
SINTER_INLINE bool order_items_are_wide(const order_task& t) {
    return is_complex(t.type) || (t.positions && size_of(t.type) == 8);
}

// A radix sort costs as much again with each digit, a network with the length of a row; and registers hold what it
// sorts.
SINTER_INLINE std::int64_t longest_in_network(const order_task& t) {
    return order_items_are_wide(t) ? 256 : std::min(128 * order_digits(t.type), 512);
}

SINTER_INLINE order_shape order_shape_of(const order_task& t) {
    order_shape s{.whole_rows = true, .wide = t.length >= std::int64_t{1} << 30, .threads = 384, .items = 20};
    int bytes = std::max(size_of(t.type), t.positions ? s.wide ? 8 : 4 : 1);
    if (t.length <= longest_in_network(t)) {
        const int width = static_cast<int>(std::bit_ceil(static_cast<std::uint64_t>(t.length)));
        s.threads = 256;
        s.items = width > 256 ? 16 : std::min(width, 8);
        s.lanes = width / s.items;
        return s;
    }
    if (t.length <= 256) return s.threads = 32, s.items = 8, s;
    if (t.length <= 1024) return s.threads = 128, s.items = 8, s;
    // A tile's elements lie in shared memory, of which a block has 48 KiB without asking, and in registers.
    s.items = bytes == 16 ? 6 : bytes == 8 ? 12 : 16;
    s.whole_rows = t.length <= s.tile();
    if (!s.whole_rows && bytes <= 4 && !t.positions) s.items = 20;
    return s;
}

// Element type and, of floating types, its bits in an unsigned number that orders as the elements do.
SINTER_INLINE std::string order_element_text(dtype t, const std::string& marker) {
    const std::string part = size_of(real_of(t)) == 8 ? "unsigned long long" : "unsigned";
    const std::string one = part == "unsigned" ? "1u" : "1ull", bits = part == "unsigned" ? "31" : "63";
    std::string s;
    if (t == dtype::complex128) s += "struct alignas(16) element { unsigned long long re, im; };\n\n";
    else {
        const char* names[] = {"unsigned char", "unsigned short", "", "unsigned", "", "", "", "unsigned long long"};
        s += std::string("typedef ") + names[size_of(t) - 1] + " element;\n\n";
    }
    char kind = kind_of(t);
    if (kind == 'f' || kind == 'c') {
        const std::string infinity = part == "unsigned" ? "0x7f800000u" : "0x7ff0000000000000ull";
        const std::string whole = part == "unsigned" ? "int" : "long long";
        s += "// A number that orders as the floating number with these bits: all NaN are equal and last, -0.0 equals "
             "0.0.\n" +
             marker + part + " ordered(" + part + " x) {\n" + "    const " + part + " sign = " + one + " << " + bits +
             ", size = x & ~sign, negative = (" + part + ")((" + whole + ")x >> " + bits + ");\n" +
             "    return size > " + infinity + " ? ~(" + part + ")0 : ((size ^ negative) - negative) ^ sign;\n}\n\n";
        if (kind == 'c') s += marker + "bool is_nan(" + part + " x) { return x << 1 > " + infinity + " << 1; }\n\n";
    }
    return s;
}

// The same, and the digits of what orders.
SINTER_INLINE std::string order_digit_text(dtype t, const std::string& marker) {
    const std::string one = size_of(real_of(t)) == 8 ? "1ull" : "1u";
    const char kind = kind_of(t);
    std::string s = order_element_text(t, marker);
    s += "// Digit number `pass` of what an element is ordered by, from the lowest.\n" + marker +
         "unsigned digit(element x, int pass) {\n";
    if (kind == 'c') {
        const std::string n = std::to_string(size_of(t) / 2);
        if (size_of(t) == 8) s += "    const unsigned re = (unsigned)x, im = (unsigned)(x >> 32);\n";
        else s += "    const unsigned long long re = x.re, im = x.im;\n";
        s += "    if (pass < " + n +
             ") return (unsigned)(ordered(im) >> 8 * pass) & 255;\n"
             "    if (pass < 2 * " +
             n + ") return (unsigned)(ordered(re) >> 8 * (pass - " + n +
             ")) & 255;\n"
             "    return 2 * is_nan(re) + is_nan(im);\n";
    } else if (kind == 'f') {
        s += "    return (unsigned)(ordered(x) >> 8 * pass) & 255;\n";
    } else if (kind == 'i') {
        s += "    return (unsigned)((x ^ (" + one + " << " + std::to_string(8 * size_of(t) - 1) +
             ")) >> 8 * pass) & 255;\n";
    } else {
        s += "    return (unsigned)(x >> 8 * pass) & 255;\n";
    }
    s += "}\n\n// An element that none comes after.\n" + marker + "element last_element() { return ";
    if (t == dtype::complex128) s += "{~0ull >> 1, ~0ull >> 1}";
    else if (kind == 'b' || kind == 'u') s += "(element)~0ull";
    else if (t == dtype::complex64) s += "0x7fffffff7fffffffull";
    else s += "(element)(~0ull >> " + std::to_string(65 - 8 * size_of(t)) + ")";
    return s + "; }\n\n";
}

template <class T>
SINTER_COMPARES bool orders_before(const T& a, const T& b) {
    if constexpr (dtype_of<T> == dtype::complex64 || dtype_of<T> == dtype::complex128) {
        auto key = [](const T& z) { return 2 * (z.real() != z.real()) + (z.imag() != z.imag()); };
        if (key(a) != key(b)) return key(a) < key(b);
        if (orders_before(a.real(), b.real())) return true;
        return !orders_before(b.real(), a.real()) && orders_before(a.imag(), b.imag());
    } else {
        return a < b || (a == a && b != b);
    }
}

template <class T>
void order_as(const order_task& t, const void* from, void* to) {
    sequence<std::int64_t> order(static_cast<std::size_t>(t.length));
    for (std::int64_t row = 0; row < t.rows; ++row) {
        const T* x = static_cast<const T*>(from) + row * t.length;
        for (std::int64_t i = 0; i < t.length; ++i) order[static_cast<std::size_t>(i)] = i;
        std::stable_sort(order.begin(), order.end(),
                         [&](std::int64_t a, std::int64_t b) { return orders_before(x[a], x[b]); });
        for (std::int64_t i = 0; i < t.length; ++i) {
            std::int64_t at = order[static_cast<std::size_t>(i)];
            if (t.positions) static_cast<std::int64_t*>(to)[row * t.length + i] = at;
            else static_cast<T*>(to)[row * t.length + i] = x[at];
        }
    }
}

SINTER_INLINE void order_reference(const order_task& t, const void* from, void* to) {
    switch (t.type) {
        case dtype::bool_: return order_as<bool>(t, from, to);
        case dtype::int8: return order_as<std::int8_t>(t, from, to);
        case dtype::int16: return order_as<std::int16_t>(t, from, to);
        case dtype::int32: return order_as<std::int32_t>(t, from, to);
        case dtype::int64: return order_as<std::int64_t>(t, from, to);
        case dtype::uint8: return order_as<std::uint8_t>(t, from, to);
        case dtype::uint16: return order_as<std::uint16_t>(t, from, to);
        case dtype::uint32: return order_as<std::uint32_t>(t, from, to);
        case dtype::uint64: return order_as<std::uint64_t>(t, from, to);
        case dtype::float32: return order_as<float>(t, from, to);
        case dtype::float64: return order_as<double>(t, from, to);
        case dtype::complex64: return order_as<std::complex<float>>(t, from, to);
        case dtype::complex128: return order_as<std::complex<double>>(t, from, to);
        default: throw type_error("[sort] is not defined for " + std::string(to_string(t.type)));
    }
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_IEEE_END

#include <sinter/codegen/kernels/sort/order_cuda_rows.ipp>
#include <sinter/codegen/kernels/sort/order_cuda.ipp>
#include <sinter/codegen/kernels/sort/order_host.ipp>
