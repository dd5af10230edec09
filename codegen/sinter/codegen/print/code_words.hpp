// The words of C++ text, one after the other, and macros that texts are printed with; must not know what texts compute.
#pragma once

#include <sinter/codegen/base/config.hpp>

#include <concepts>
#include <string>
#include <string_view>

namespace sinter::inline SINTER_ABI::codegen {

/// Declares that a function has a vector form, to compilers that know how.
inline constexpr const char* vector_macro =
    "#if defined(__GNUC__) && !defined(__clang__)\n"
    "#define SINTER_VECTOR __attribute__((__simd__(\"notinbranch\")))\n"
    "#else\n#define SINTER_VECTOR\n#endif\n";

/// Rounds a product by itself: told not to, g++ still fuses products with a difference beside a sum into one
/// instruction where it makes vectors of both.
inline constexpr const char* unfused_macro =
    "#if defined(__GNUC__) && __GNUC__ >= 12 && !defined(__clang__)\n"
    "#define SINTER_UNFUSED(x) __builtin_assoc_barrier(x)\n"
    "#else\n#define SINTER_UNFUSED(x) (x)\n#endif\n";

/// What 64-bit integers are as doubles, where vectors have no instruction for it: halves that are parts of numbers,
/// which one fused sum rounds as the instruction does.
inline constexpr const char* double_macro =
    "#if defined(__AVX2__) && defined(__FMA__) && !defined(__AVX512DQ__)\n"
    "union half_bits { unsigned long long bits; double number; };\n"
    "static inline double half_number(unsigned long long x) {\n"
    "    half_bits n = {x | 0x4330000000000000ull};\n"
    "    return n.number;\n"
    "}\n"
    "static inline double double_of(unsigned long long x) {\n"
    "    double low = half_number(x & 0xffffffffull) - 0x1p52;\n"
    "    return __builtin_fma(half_number(x >> 32) - 0x1p52, 0x1p32, low);\n"
    "}\n"
    "static inline double double_of(long long x) {\n"
    "    unsigned long long bits = (unsigned long long)x ^ 0x8000000000000000ull;\n"
    "    double low = half_number(bits & 0xffffffffull) - 0x1p52;\n"
    "    return __builtin_fma(half_number(bits >> 32) - 0x1.000008p52, 0x1p32, low);\n"
    "}\n"
    "#define SINTER_DOUBLE(x) double_of(x)\n"
    "#else\n#define SINTER_DOUBLE(x) double(x)\n#endif\n";

/// Loops of a known length inside a function are unrolled before the loop around them is vectorised at this level only.
inline constexpr std::string_view unroll_early = "#pragma GCC optimize 3";

/// How often the next loop is unrolled, which follows.
inline constexpr std::string_view unroll_mark = "#pragma GCC unroll ";

/// A text without the marks of such products, which hold no parentheses.
inline std::string without_unfused(std::string_view text) {
    constexpr std::string_view mark = "SINTER_UNFUSED(";
    std::string out;
    while (true) {
        const std::size_t at = text.find(mark);
        out += text.substr(0, at);
        if (at == std::string_view::npos) return out;
        const std::size_t begin = at + mark.size(), end = text.find(')', begin);
        out += text.substr(begin, end - begin);
        text.remove_prefix(end + 1);
    }
}

inline bool is_identifier_part(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Calls `visit(identifier, followed by a parenthesis)` for each identifier and copies all else.
template <class Visit, class Copy>
void scan_identifiers(std::string_view text, Visit visit, Copy copy) {
    for (std::size_t i = 0; i < text.size();) {
        if (!is_identifier_part(text[i])) {
            copy(text[i++]);
            continue;
        }
        std::size_t end = i;
        while (end < text.size() && is_identifier_part(text[end])) ++end;
        if (text[i] >= '0' && text[i] <= '9') {  // a number: copy its sign of the exponent as well
            while (end < text.size() &&
                   (is_identifier_part(text[end]) || text[end] == '.' ||
                    ((text[end] == '-' || text[end] == '+') && (text[end - 1] == 'p' || text[end - 1] == 'e'))))
                ++end;
            for (; i < end; ++i) copy(text[i]);
            continue;
        }
        visit(text.substr(i, end - i), end < text.size() && text[end] == '(');
        i = end;
    }
}

/// A name that ends in a number, as `v12` does.
template <std::integral I>
std::string number_text(std::string_view prefix, I n) {
    return std::string(prefix) + std::to_string(n);
}

}  // namespace sinter::inline SINTER_ABI::codegen
