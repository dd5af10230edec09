// Bodies of order_text.hpp.
#pragma once

#include <sinter/codegen/kernels/sort/sort.hpp>
#include <sinter/codegen/kernels/sort/order_text.hpp>

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE std::string sort_element_text(dtype t, const std::string& marker) {
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

SINTER_INLINE std::string sort_digit_text(dtype t, const std::string& marker) {
    const std::string one = size_of(real_of(t)) == 8 ? "1ull" : "1u";
    const char kind = kind_of(t);
    std::string s = sort_element_text(t, marker);
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

SINTER_INLINE std::string sort_variant(std::string_view text, bool positions) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = text.find('\n', at);
        std::string_view line = text.substr(at, end - at);
        at = end + 1;
        bool whole = !line.empty() && (line[0] == '@' || line[0] == '~');
        if (whole && positions != (line[0] == '@')) continue;
        if (whole) line.remove_prefix(1);
        if (whole && line.starts_with("  ")) out += ' ';
        bool of_positions = false, of_values = false;
        for (char c : line) {
            if (c == '@') of_positions = !of_positions;
            else if (c == '~' && line.find("@~") != std::string_view::npos) of_values = !of_values;
            else if (!(of_positions && !positions) && !(of_values && positions)) out += c;
        }
        while (!out.empty() && out.back() == ' ') out.pop_back();
        out += '\n';
    }
    return out;
}

}  // namespace sinter::inline SINTER_ABI::codegen
