// Bodies of body_words.hpp.
#pragma once

#include <charconv>
#include <utility>
#include <sinter/codegen/functions/function_names.hpp>
#include <sinter/codegen/ops/libm.hpp>
#include <sinter/codegen/rewrite/body_words.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE void require_lowered(bool holds) {
    if (!holds) throw not_lowered();
}

SINTER_INLINE sequence<token> with_operators(const sequence<token>& tokens) {
    sequence<token> joined;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        token t = tokens[i];
        bool pair =
            t.kind == token_kind::symbol && i + 1 < tokens.size() && !tokens[i + 1].spaced && t.text.size() == 1;
        std::string_view both = pair ? std::string_view(t.text.data(), 2) : std::string_view();
        if (pair &&
            is_one_of(both, {"==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "+=", "-=", "*=", "/=", "++", "--"})) {
            t.text = both;
            ++i;
        }
        joined.push_back(t);
    }
    return joined;
}

inline constexpr std::pair<std::string_view, dtype> body_types[] = {
    {"float", dtype::float32}, {"double", dtype::float64}, {"int", dtype::int32}, {"bool", dtype::bool_}};

SINTER_INLINE bool is_type_word(std::string_view word) {
    for (const auto& [name, type] : body_types)
        if (word == name) return true;
    return false;
}

SINTER_INLINE std::optional<dtype> type_named(std::string_view word) {
    for (const auto& [name, type] : body_types)
        if (word == name) return type;
    require_lowered(word == "auto");
    return std::nullopt;
}

SINTER_INLINE bool is_exactly_standard(std::string_view name) {
    const libm_function* f = find_libm(name);
    if (f) return f->standard == libm_standard::same;
    return is_one_of(name, {"nearbyint", "abs", "isnan", "isinf", "isfinite", "signbit"});
}

template <class T>
scalar_value number_of(const std::string& digits, bool hex) {
    T value{};
    auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value,
                                          hex ? std::chars_format::hex : std::chars_format::general);
    require_lowered(problem == std::errc() && end == digits.data() + digits.size());
    return scalar_value::of(value);
}

SINTER_INLINE scalar_value number_of(std::string_view text) {
    std::string digits = replaced(std::string(text), "'", "");
    bool hex = digits.starts_with("0x") || digits.starts_with("0X");
    if (hex) digits.erase(0, 2);
    bool fraction = digits.find_first_of(hex ? ".pP" : ".eE") != digits.npos;
    if (fraction && is_one_of(digits.substr(digits.size() - 1), {"f", "F"})) {
        digits.pop_back();
        return number_of<float>(digits, hex);
    }
    if (fraction) return number_of<double>(digits, hex);
    int value = 0, base = hex ? 16 : digits[0] == '0' ? 8 : 10;
    auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    require_lowered(problem == std::errc() && end == digits.data() + digits.size());
    return scalar_value::of(value);
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
