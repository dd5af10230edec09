// Bodies of function_names.hpp.
#pragma once

#include <sinter/codegen/functions/function.hpp>
#include <sinter/codegen/functions/function_names.hpp>
#include <sinter/codegen/ops/libm.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE op operation_named(std::string_view name) {
    struct row {
        const char* name;
        op operation;
    };
    static constexpr row rows[] = {
#define SINTER_OP(name, ...) {#name, op::name},
#define SINTER_ALIAS(alias, name) {#alias, op::name},
#include <sinter/codegen/ops/ops.def>
#include <sinter/codegen/ops/aliases.def>
#include <sinter/codegen/functions/function_aliases.def>
#undef SINTER_OP
#undef SINTER_ALIAS
    };
    for (const row& r : rows)
        if (r.name == name) return info(r.operation).typing < rule::random_32 ? r.operation : op::cast;
    return op::cast;
}

// What a name of namespace std or of the C library is called in kernels; empty when they do not have it.
SINTER_INLINE std::string standard_name(std::string_view name) {
    if (is_one_of(name, {"min", "max", "clamp"})) return "std_" + std::string(name);
    if (is_one_of(name, {"tuple",     "make_tuple", "tie",     "get",     "pair",           "make_pair",
                         "complex",   "polar",      "swap",    "fma",     "numeric_limits", "size_t",
                         "ptrdiff_t", "int8_t",     "int16_t", "int32_t", "int64_t",        "uint8_t",
                         "uint16_t",  "uint32_t",   "uint64_t"}))
        return std::string(name);
    return "";
}

SINTER_INLINE bool is_standard_math(std::string_view name) {
    const libm_function* f = find_libm(name);
    if (f) return f->standard == libm_standard::same || f->standard == libm_standard::other;
    return is_one_of(name, {"nearbyint", "abs", "isnan", "isinf", "isfinite", "signbit", "real", "imag", "conj", "norm",
                            "arg", "beta", "fmax", "fmin", "gcd", "lcm", "popcount"});
}

SINTER_INLINE bool is_single_math(std::string_view name) {
    return name.size() > 1 && name.back() == 'f' && is_standard_math(name.substr(0, name.size() - 1)) &&
           !is_one_of(name, {"absf", "realf", "imagf", "conjf", "normf", "argf", "betaf", "gcdf", "lcmf", "popcountf"});
}

SINTER_INLINE const char* constant_text(std::string_view name) {
    if (is_one_of(name, {"pi", "constants::pi", "numbers::pi"})) return "3.141592653589793";
    if (is_one_of(name, {"constants::e", "numbers::e"})) return "2.718281828459045";
    if (is_one_of(name, {"constants::euler_gamma", "numbers::egamma"})) return "0.5772156649015329";
    if (is_one_of(name, {"inf", "constants::inf", "__builtin_inf", "__builtin_huge_val"})) return "(1.0 / 0.0)";
    if (is_one_of(name, {"constants::nan"})) return "(0.0 / 0.0)";
    return nullptr;
}

SINTER_INLINE meaning builtin_meaning(const spelt_name& n) {
    using what = meaning::what;
    std::string_view name = n.text;
    if (name.starts_with("::")) name.remove_prefix(2);
    if (is_one_of(name, {"__builtin_inff", "__builtin_huge_valf", "__builtin_inf", "__builtin_huge_val",
                         "__builtin_nanf", "__builtin_nan"}))
        return {what::support, (name.find("nan") == std::string_view::npos ? "infinite_" : "undefined_") +
                                   std::string(name.ends_with("f") && name != "__builtin_inf" ? "float" : "double")};
    bool standard = name.starts_with("std::");
    if (standard) {
        name.remove_prefix(5);
        if (std::string s = standard_name(name); !s.empty()) return {what::support, s};
        if (is_standard_math(name)) return {what::math, std::string(name)};
        if (const char* text = constant_text(name); text && name.starts_with("numbers::")) return {what::value, text};
        return {};
    }
    if (name.starts_with("sinter::")) name.remove_prefix(8);
    if (const char* text = constant_text(name)) return {what::value, text};
    if (operation_named(name) != op::cast) return {what::math, std::string(name)};
    if (is_single_math(name) || name == "clip" || name == "array_view") return {what::support, std::string(name)};
    if (std::string s = standard_name(name); s == name) return {what::support, s};
    return {};
}

SINTER_INLINE meaning meaning_of(const definition& d, const spelt_name& n, const sequence<std::string>& declared) {
    using what = meaning::what;
    if (!n.qualified) {
        for (const std::string& s : declared)
            if (s == n.text) return {};
        if (d.kind == definition_kind::function && n.text == d.name) return {what::itself};
        // Inside of a function the names of sinter's scalar functions come first, as in its class.
        if (d.kind == definition_kind::function && operation_named(n.text) != op::cast) return {what::math, n.text};
    }
    for (const reference& r : d.references)
        if (r.spelling == n.text) return {what::refers, {}, r.to};
    return builtin_meaning(n);
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
