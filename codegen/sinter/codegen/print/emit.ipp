// Bodies of emit.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/ops/apply.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/emit.hpp>
#include <sinter/codegen/ops/apply.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/ops/libm.hpp>

#include <charconv>

SINTER_COLD_BEGIN

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE std::string type_text(dtype t) { return info(t).text; }

SINTER_INLINE std::string extents_text(int first, int last, const char* before, const char* behind) {
    std::string s;
    for (int i = first; i < last; ++i) s += (i > first ? " * " : "") + (before + std::to_string(i) + behind);
    return s;
}

SINTER_INLINE std::string entry_name(const kernel& k) { return name_of(k) + "_kernel"; }

SINTER_INLINE dtype scalar_type(const kernel& k, std::size_t c) {
    for (const instruction& i : k.body)
        if (i.kind == instruction_kind::scalar && i.payload == c) return i.type;
    throw internal_error("[emit] a kernel has a scalar that its body does not read");
}

SINTER_INLINE std::string literal_text(const scalar_value& v) {
    char buffer[64];
    auto number = [&](auto x, const char* suffix) {
        if (x != x) return joined({"(0.0", suffix, " / 0.0", suffix, ")"});
        if (x - x != 0) return joined({ieee::has_sign(x) ? "(-1.0" : "(1.0", suffix, " / 0.0", suffix, ")"});
        std::string s(buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr);
        if (s.find_first_of(".e") == std::string::npos) s += ".0";
        return s[0] == '-' ? "(" + s + suffix + ")" : s + suffix;
    };
    switch (v.type) {
        case dtype::bool_: return v.as<bool>() ? "true" : "false";
        case dtype::float32: return number(v.as<float>(), "f");
        case dtype::float64: return number(v.as<double>(), "");
        case dtype::complex64:
            return joined({"complex<float>{", number(v.as<float>(), "f"), ", ",
                           number(v.as<std::complex<float>>().imag(), "f"), "}"});
        case dtype::complex128:
            return joined({"complex<double>{", number(v.as<double>(), ""), ", ",
                           number(v.as<std::complex<double>>().imag(), ""), "}"});
        case dtype::float16:
        case dtype::bfloat16: return joined({"(", type_text(v.type), ")", v.as<std::uint16_t>()});
        case dtype::complex32: return joined({v.as<std::uint32_t>(), "u"});
        default: {
            std::int64_t x = 0;
            convert(v.type, dtype::int64, v.bytes, &x, 1);
            if (v.type == dtype::uint64) return joined({static_cast<std::uint64_t>(x), "ull"});
            if (x == INT64_MIN) return "(-9223372036854775807ll - 1)";
            if (x == INT32_MIN && v.type == dtype::int32) return "(-2147483647 - 1)";
            std::string s = std::to_string(x);
            if (size_of(v.type) < 4) return joined({"(", type_text(v.type), ")", x < 0 ? "(" + s + ")" : s});
            s += size_of(v.type) == 8 ? "ll" : v.type == dtype::uint32 ? "u" : "";
            return x < 0 ? "(" + s + ")" : s;
        }
    }
}

// Whether the language computes a signed operation modulo 2^n only when it is spelt unsigned.
SINTER_INLINE bool must_wrap(op o, dtype common, language to) {
    return to == language::cuda && info(o).typing == rule::arithmetic && kind_of(common) == 'i' && size_of(common) >= 4;
}

// Whether what is computed of bool is an int, which a byte holds as it is: true + true is 2.
SINTER_INLINE bool is_wider_than_bool(op o, dtype common, language to) {
    return to == language::host && info(o).typing == rule::arithmetic && common == dtype::bool_;
}

// Of the names of functions of half precision's bits.
SINTER_INLINE std::string half_prefix(dtype t) {
    return t == dtype::float16 ? "half_" : t == dtype::bfloat16 ? "bfloat16_" : "";
}

// Whether the host computes an operation by a form of floating numbers that fills vectors.
SINTER_INLINE bool has_narrow_form(op o, dtype common, language to) {
    if (to == language::cuda) return false;
    if (o == op::absolute) return is_complex(common);
    return (o == op::floor_divide || o == op::remainder) && is_integer(common) && size_of(common) <= 4;
}

SINTER_INLINE std::string scalar_call(std::string_view name, language to) {
    const libm_function* f = find_libm(name);
    return (to == language::cuda && f && f->is_of_device() ? "scalar::device_" : "scalar::") + std::string(name);
}

SINTER_INLINE std::string form_text(op o, dtype common, dtype result, const sequence<std::string>& args, language to) {
    if (info(o).typing == rule::rounding && kind_rank(common) < 2) return args[0];
    int main_operand = info(o).typing == rule::select ? 1 : 0;
    dtype computed = operand_type(o, main_operand, common);
    std::string real = type_text(computed), suffix = has_narrow_form(o, computed, to) ? "_narrow" : "", out;
    bool wraps = must_wrap(o, common, to), is_narrowed = wraps || is_wider_than_bool(o, common, to);
    std::string unsigned_type = wraps ? "(unsigned " + real + ")" : "";
    if (is_narrowed) out += joined({"(", real, ")("});
    scan_identifiers(
        info(o).form,
        [&](std::string_view word, bool called) {
            if (word.size() == 1 && word[0] >= 'a' && word[0] <= 'c' && !called)
                out += unsigned_type + args[static_cast<std::size_t>(word[0] - 'a')];
            else if (word == "T") out += called && real.find(' ') != std::string::npos ? "(" + real + ")" : real;
            else if (word == "R") out += type_text(result);
            else if (word == "power" && is_floating(computed)) out += computed == dtype::float32 ? "powf" : "pow";
            else if (const libm_function* f = find_libm(word);
                     called && f && is_floating(computed) && !is_half(computed))
                out += to == language::host && f->is_written(computed == dtype::float32)
                           ? "scalar::vector_" + std::string(word)
                       : to == language::cuda && f->is_of_device() && computed == dtype::float32
                           ? scalar_call(word, to)
                           : std::string(word) + (computed == dtype::float32 ? "f" : "");
            else if (called && word == "double" && to == language::host && computed == dtype::uint64)
                out += "SINTER_DOUBLE";
            else if (called && word != "float" && word != "double")
                out += joined({"scalar::", half_prefix(computed), word, suffix});
            else out += word;
        },
        [&](char c) { out += c; });
    if (is_narrowed) out += ")";
    return out;
}

SINTER_INLINE bool is_vector_call(const instruction& i) {
    if (i.kind != instruction_kind::apply || is_complex(i.common)) return false;
    if (i.operation == op::power) return is_floating(i.common);
    bool found = false;
    scan_identifiers(
        info(i.operation).form, [&](std::string_view word, bool called) { found |= called && is_libm_vector(word); },
        [](char) {});
    return found;
}

SINTER_INLINE bool is_half_cast(const instruction& i) {
    if (i.kind != instruction_kind::apply || i.operation != op::cast) return false;
    return (i.common == dtype::float16 && i.type == dtype::float32) ||
           (i.common == dtype::float32 && i.type == dtype::float16);
}

SINTER_INLINE std::string written_function(const instruction& i) {
    if (i.kind != instruction_kind::apply || i.common != i.type) return "";
    if (i.type != dtype::float32 && i.type != dtype::float64) return "";
    std::string name;
    bool is_only = true;
    scan_identifiers(
        info(i.operation).form,
        [&](std::string_view word, bool called) {
            if (!called || !is_libm_vector(word)) return;
            is_only &= find_libm(word)->is_written(i.type == dtype::float32) && (name.empty() || name == word);
            name = word;
        },
        [](char) {});
    return is_only ? name : "";
}

SINTER_INLINE bool is_vector_arithmetic(const instruction& i) {
    if (i.operation == op::power) return is_floating(i.common);
    const std::string_view form = info(i.operation).form;
    bool plain = form.find_first_of("?=<>!&|") == form.npos;
    scan_identifiers(
        form,
        [&](std::string_view word, bool called) {
            plain &= !called || word == "T" || word == "sqrt" || word == "fabs" || word == "copysign" ||
                     is_libm_vector(word);
        },
        [](char) {});
    return plain;
}

// From the bits of two halves, and to them.
SINTER_INLINE std::string cast_pair_text(dtype from, dtype to, const std::string& value) {
    const dtype half = dtype::float16, single = dtype::float32;
    if (from == dtype::complex32) {
        const std::string re = "(unsigned short)" + value, im = "(unsigned short)(" + value + " >> 16)";
        if (!is_complex(to) && to != dtype::bool_) return cast_text(half, to, re);
        const std::string pair =
            "complex<float>{" + cast_text(half, single, re) + ", " + cast_text(half, single, im) + "}";
        return cast_text(dtype::complex64, to, pair);
    }
    if (!is_complex(from)) return joined({"scalar::join_halves(", cast_text(from, half, value), ", 0)"});
    const dtype part = real_of(from);
    return joined({"scalar::join_halves(", cast_text(part, half, value + ".re"), ", ",
                   cast_text(part, half, value + ".im"), ")"});
}

SINTER_INLINE std::string cast_text(dtype from, dtype to, const std::string& value) {
    if (from == to) return value;
    if (from == dtype::complex32 || to == dtype::complex32) return cast_pair_text(from, to, value);
    if (is_half(from)) return cast_text(dtype::float32, to, "scalar::" + half_prefix(from) + "to_float(" + value + ")");
    if (is_complex(from) && !is_complex(to) && to != dtype::bool_) return cast_text(real_of(from), to, value + ".re");
    if (to == dtype::bool_)
        return is_complex(from) ? "(" + value + ".re != 0 || " + value + ".im != 0)" : value + " != 0";
    if (from == dtype::float64 && to == dtype::float16) return joined({"scalar::double_to_half(", value, ")"});
    if (is_half(to))
        return joined({to == dtype::float16 ? "scalar::float_to_half(" : "scalar::float_to_bfloat16(",
                       cast_text(from, dtype::float32, value), ")"});
    std::string type = type_text(to), part = type_text(real_of(to));
    if (is_complex(to))
        return is_complex(from) ? type + "{(" + part + ")" + value + ".re, (" + part + ")" + value + ".im}"
                                : type + "{(" + part + ")" + value + ", 0}";
    // Compilers make no vectors of a conversion of what was compared.
    if (from == dtype::bool_ && is_floating(to)) return joined({"(", value, " ? ", type, "(1) : ", type, "(0))"});
    if (is_integer(to) && is_floating(from)) return joined({"scalar::to_integer<", type, ">(", value, ")"});
    return joined({"(", type, ")", value});
}

SINTER_INLINE std::string substituted(reduction how, const std::string& x, const std::string& y) {
    std::string form;
    scan_identifiers(
        info(how).form,
        [&](std::string_view word, bool) { form += word == "x"   ? x
                                                   : word == "y" ? y
                                                                 : std::string(word); },
        [&](char c) { form += c; });
    return form;
}

SINTER_INLINE std::string combine_text(const reduction_step& r, const std::string& x, const std::string& y,
                                       const std::string& xi, const std::string& yi) {
    if (info(r.how).element == reduced_element::first) return "";
    const std::string form = substituted(r.how, x, y);
    if (!is_indexed(r.how)) return joined({x, " = ", form, ";"});
    // Without branches, which threads would take apart from each other.
    std::string same = joined({"(", y, " == ", x, ")"});
    if (is_floating(r.type)) same = "(" + same + " | ((" + y + " != " + y + ") & (" + x + " != " + x + ")))";
    // Of equal values the place is the first one's, while the value stays, as it does where only values are combined.
    return joined({"{ const bool later = ", form, "; if (later | (", same, " & (", yi, " < ", xi, "))) ", xi, " = ", yi,
                   "; if (later) ", x, " = ", y, "; }"});
}

SINTER_INLINE std::string follow_text(const reduction_step& r) {
    return joined({"if (", info(r.how).form, ") { x = y; xi = yi; }"});
}

SINTER_INLINE std::string element_text(const reduction_step& r, const std::string& value, const std::string& place) {
    const std::string x = cast_text(r.type, r.accumulator(), value);
    if (info(r.how).element != reduced_element::square) return x;
    const std::string away = joined({"(", x, " - origin", r.argument, place, ")"});
    return joined({away, " * ", away});
}

SINTER_INLINE std::string zero_text(dtype t) {
    return is_complex(t) && !is_half(t) ? type_text(t) + "{}" : "(" + type_text(t) + ")0";
}

SINTER_INLINE std::string reduced_text(const reduction_step& r, dtype to, const std::string& combined) {
    const dtype type = r.accumulator();
    if (!ends_with_identity(r.how, r.type)) return cast_text(type, to, combined);
    return cast_text(type, to, "(" + substituted(r.how, combined, zero_text(type)) + ")");
}

SINTER_INLINE std::string head_text(const schedule& s) {
    constexpr std::size_t longest = 117;
    std::string text, rest = to_text(s);
    while (rest.size() > longest) {
        const std::size_t end = rest.rfind(", ", longest - 1) + 1;
        text += joined({"// ", rest.substr(0, end), "\n"});
        rest.erase(0, end + 1);
    }
    return joined({text, "// ", rest, "\n"});
}

SINTER_INLINE std::string reduction_text(std::string_view text, std::size_t r, const std::string& accumulator,
                                         bool indexed) {
    std::string s;
    bool of_index = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string_view mark = text.substr(i, 2);
        if (mark == "{?" || mark == "?}") {
            of_index = mark == "{?";
            ++i;
        } else if (!of_index || indexed) {
            s += text[i] == '#' ? std::to_string(r) : text[i] == '@' ? accumulator : std::string(1, text[i]);
        }
    }
    return s;
}

SINTER_INLINE std::string identity_text(const reduction_step& r) {
    const dtype type = r.accumulator();
    if (!has_identity(r.how)) return zero_text(type);
    const std::string a = type_text(type), number = std::to_string(info(r.how).identity);
    return is_complex(r.type) ? a + "{" + number + ", 0}" : "(" + a + ")" + number;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_IEEE_END

SINTER_COLD_END
