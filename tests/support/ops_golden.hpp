// Reads data/golden/ops.txt into cases that any backend can be checked against; must not know backends.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <sinter/codegen/ops/apply.hpp>
#include <sinter/codegen/ops/op.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace golden {

using sinter::dtype;
using sinter::codegen::op;

/// One row of ops.def for one common dtype: operand arrays and NumPy's results, as bytes.
struct ops_case {
    op operation;
    dtype common;
    int tolerance;  ///< in units in the last place; 0: the same bits (any NaN is a NaN)
    std::int64_t count;
    std::vector<std::vector<unsigned char>> operands;
    std::vector<unsigned char> expected;

    dtype operand_dtype(int i) const { return sinter::codegen::operand_type(operation, i, common); }
    dtype result_dtype() const { return sinter::codegen::result_type(operation, common); }
    std::string name() const {
        return std::string(sinter::codegen::info(operation).name) + " " + std::string(to_string(common));
    }
};

inline op find_op(const std::string& name) {
    for (int i = 0; i < sinter::codegen::op_count; ++i)
        if (name == sinter::codegen::op_table[i].name) return static_cast<op>(i);
    throw std::runtime_error("golden data for an unknown operation: " + name);
}

inline dtype find_dtype(const std::string& name) {
    for (int i = 0; i < sinter::dtype_count; ++i)
        if (name == sinter::codegen::dtype_table[i].name) return static_cast<dtype>(i);
    throw std::runtime_error("golden data for an unknown dtype: " + name);
}

inline std::vector<unsigned char> from_hex(const std::string& text) {
    auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
    std::vector<unsigned char> bytes(text.size() / 2);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<unsigned char>(digit(text[2 * i]) * 16 + digit(text[2 * i + 1]));
    return bytes;
}

/// Every case of the file; throws when it cannot be read or a length is wrong.
inline std::vector<ops_case> read_ops(const std::string& path) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error("cannot read " + path);
    std::vector<ops_case> cases;
    std::string line;
    while (std::getline(in, line)) {
        if (line.empty() || line[0] == '#') continue;
        char name[64], type[32];
        int arity = 0;
        long long count = 0;
        ops_case c{};
        if (std::sscanf(line.c_str(), "%63s %31s %d %d %lld", name, type, &c.tolerance, &arity, &count) != 5)
            throw std::runtime_error("malformed golden data: " + line.substr(0, 80));
        c.operation = find_op(name);
        c.common = find_dtype(type);
        c.count = count;
        auto take = [&](dtype t) {
            if (!std::getline(in, line)) throw std::runtime_error("golden data ends early");
            auto bytes = from_hex(line);
            if (bytes.size() != static_cast<std::size_t>(count) * static_cast<std::size_t>(sinter::codegen::size_of(t)))
                throw std::runtime_error("golden data of wrong length: " + c.name());
            return bytes;
        };
        for (int i = 0; i < arity; ++i) c.operands.push_back(take(c.operand_dtype(i)));
        c.expected = take(c.result_dtype());
        cases.push_back(std::move(c));
    }
    return cases;
}

/// Rows that have no golden data for a dtype they accept: must be empty (casts have theirs
/// elsewhere).
inline std::vector<std::string> rows_without_data(const std::vector<ops_case>& cases) {
    std::vector<std::string> missing;
    for (int i = 0; i < sinter::codegen::op_count; ++i) {
        op o = static_cast<op>(i);
        if (o == op::cast) continue;
        for (int d = 0; d < sinter::dtype_count; ++d) {
            dtype t = static_cast<dtype>(d);
            if (!sinter::codegen::defined_for(o, t)) continue;
            bool converts = sinter::codegen::operand_type(o, sinter::codegen::info(o).arity - 1, t) != t &&
                            sinter::codegen::info(o).typing != sinter::codegen::rule::scale;
            if (converts) continue;
            if (sinter::codegen::info(o).typing == sinter::codegen::rule::scale && !sinter::codegen::is_floating(t))
                continue;
            if (sinter::codegen::info(o).typing == sinter::codegen::rule::rounding && t == dtype::bool_) continue;
            bool found = false;
            for (const ops_case& c : cases) found = found || (c.operation == o && c.common == t && c.count > 0);
            if (!found) missing.push_back(std::string(sinter::codegen::info(o).name) + " " + std::string(to_string(t)));
        }
    }
    return missing;
}

template <class T>
T element(const std::vector<unsigned char>& bytes, std::int64_t i) {
    T v;
    std::memcpy(&v, bytes.data() + static_cast<std::size_t>(i) * sizeof(T), sizeof(T));
    return v;
}

/// Difference of two numbers in units in the last place of `scale`; infinite when one is NaN or infinite and they
/// differ, but an overflow stands one unit above the largest number.
template <class T>
double distance(T a, T b, T scale) {
    if (a == b || (a != a && b != b)) return 0;
    if (std::isinf(a) && std::isfinite(b))
        return 1 + distance(std::copysign(std::numeric_limits<T>::max(), a), b, scale);
    if (!std::isfinite(a) || !std::isfinite(b)) return std::numeric_limits<double>::infinity();
    T size = std::fabs(scale);
    T unit = std::isfinite(size) ? size - std::nextafter(size, T(0)) : std::numeric_limits<T>::max();
    return std::fabs(static_cast<double>(a) - static_cast<double>(b)) /
           static_cast<double>(unit > 0 ? unit : std::numeric_limits<T>::denorm_min());
}

/// The same in numbers of half precision between two; beyond its largest comes infinity.
template <class T>
double half_distance(T a, T b, bool exact) {
    const float x = a, y = b;
    if (x != x || y != y) return x != x && y != y ? 0 : std::numeric_limits<double>::infinity();
    if (x == y) return exact && a.bits() != b.bits() ? 1 : 0;
    auto place = [](T v) { return v.bits() & 0x8000 ? -(v.bits() & 0x7fff) : v.bits() & 0x7fff; };
    return std::abs(place(a) - place(b));
}

/// The same for a part of a complex number whose larger part is `scale`.
inline double part_distance(sinter::half a, sinter::half b, sinter::half scale) {
    const float x = a, y = b, size = std::fabs(float(scale));
    if (x == y || (x != x && y != y)) return 0;
    if (!std::isfinite(x) || !std::isfinite(y)) return half_distance(a, b, false);
    if (!(size > 0) || !std::isfinite(size)) return std::numeric_limits<double>::infinity();
    const float below = sinter::half::from_bits(static_cast<unsigned short>(sinter::half(size).bits() - 1));
    return std::fabs(double(x) - double(y)) / (double(size) - double(below));
}

/// How far element i of a result is from what is expected, in units in the last place (the larger part of a complex
/// one).
inline double distance(const ops_case& c, const std::vector<unsigned char>& got, std::int64_t i) {
    auto real = [&](auto zero) {
        using T = decltype(zero);
        T a = element<T>(got, i), b = element<T>(c.expected, i);
        if (c.tolerance == 0 && a == b && std::signbit(a) != std::signbit(b)) return 1.0;
        return distance(a, b, b);
    };
    auto complex = [&](auto zero) {
        using T = decltype(zero);
        T scale = std::fmax(std::fabs(element<T>(c.expected, 2 * i)), std::fabs(element<T>(c.expected, 2 * i + 1)));
        return std::fmax(distance(element<T>(got, 2 * i), element<T>(c.expected, 2 * i), scale),
                         distance(element<T>(got, 2 * i + 1), element<T>(c.expected, 2 * i + 1), scale));
    };
    switch (c.result_dtype()) {
        case dtype::float16:
            return half_distance(element<sinter::half>(got, i), element<sinter::half>(c.expected, i), c.tolerance == 0);
        case dtype::bfloat16:
            return half_distance(element<sinter::bfloat16>(got, i), element<sinter::bfloat16>(c.expected, i),
                                 c.tolerance == 0);
        case dtype::float32: return real(0.0f);
        case dtype::float64: return real(0.0);
        case dtype::complex32: {
            auto part = [&](const std::vector<unsigned char>& bytes, std::int64_t k) {
                return element<sinter::half>(bytes, 2 * i + k);
            };
            const sinter::half re = part(c.expected, 0), im = part(c.expected, 1);
            const sinter::half scale = std::fmax(std::fabs(float(re)), std::fabs(float(im)));
            return std::fmax(part_distance(part(got, 0), re, scale), part_distance(part(got, 1), im, scale));
        }
        case dtype::complex64: return complex(0.0f);
        case dtype::complex128: return complex(0.0);
        default: break;
    }
    auto size = static_cast<std::size_t>(sinter::codegen::size_of(c.result_dtype()));
    std::size_t at = static_cast<std::size_t>(i) * size;
    return std::memcmp(got.data() + at, c.expected.data() + at, size) == 0 ? 0
                                                                           : std::numeric_limits<double>::infinity();
}

/// Element i of an operand or a result as text, for messages.
inline std::string show(dtype t, const std::vector<unsigned char>& bytes, std::int64_t i) {
    char text[80];
    switch (sinter::codegen::kind_of(t)) {
        case 'f':
            if (sinter::codegen::is_half(t)) {
                const float x = t == dtype::float16 ? float(element<sinter::half>(bytes, i))
                                                    : float(element<sinter::bfloat16>(bytes, i));
                std::snprintf(text, sizeof text, "%.9g", static_cast<double>(x));
                return text;
            }
            std::snprintf(
                text, sizeof text, "%.17g",
                t == dtype::float32 ? static_cast<double>(element<float>(bytes, i)) : element<double>(bytes, i));
            return text;
        case 'c':
            if (t == dtype::complex32)
                std::snprintf(text, sizeof text, "(%.9g, %.9g)",
                              static_cast<double>(element<sinter::half>(bytes, 2 * i)),
                              static_cast<double>(element<sinter::half>(bytes, 2 * i + 1)));
            else if (t == dtype::complex64)
                std::snprintf(text, sizeof text, "(%.9g, %.9g)", static_cast<double>(element<float>(bytes, 2 * i)),
                              static_cast<double>(element<float>(bytes, 2 * i + 1)));
            else
                std::snprintf(text, sizeof text, "(%.17g, %.17g)", element<double>(bytes, 2 * i),
                              element<double>(bytes, 2 * i + 1));
            return text;
        default: break;
    }
    std::string out = "0x";
    for (int k = sinter::codegen::size_of(t) - 1; k >= 0; --k) {
        std::snprintf(text, sizeof text, "%02x", bytes[static_cast<std::size_t>(i * sinter::codegen::size_of(t) + k)]);
        out += text;
    }
    return out;
}

/// A message naming element i's operands, result and what was expected.
inline std::string describe(const ops_case& c, const std::vector<unsigned char>& got, std::int64_t i) {
    std::string s = c.name() + ":";
    for (std::size_t k = 0; k < c.operands.size(); ++k)
        s += " " + show(c.operand_dtype(static_cast<int>(k)), c.operands[k], i);
    return s + " gives " + show(c.result_dtype(), got, i) + ", expected " + show(c.result_dtype(), c.expected, i);
}

/// What the interpreter computes.
inline std::vector<unsigned char> applied(const ops_case& c) {
    std::vector<unsigned char> out(c.expected.size());
    const void* args[3] = {};
    const std::int64_t steps[3] = {1, 1, 1};
    for (std::size_t i = 0; i < c.operands.size(); ++i) args[i] = c.operands[i].data();
    sinter::codegen::apply(c.operation, c.common, args, steps, out.data(), c.count);
    return out;
}

}  // namespace golden
