// The parameters of kernels that are given as text, as CuPy spells them: `raw T x, float32 y`; read while compiling.
#pragma once

#include <sinter/codegen/ops/op.hpp>

#include <string_view>

namespace sinter::inline SINTER_ABI::detail {

/// Text as a template argument.
template <std::size_t N>
struct literal {
    char text[N];
    constexpr literal(const char (&s)[N]) {
        for (std::size_t i = 0; i < N; ++i) text[i] = s[i];
    }
    constexpr std::string_view view() const { return {text, N - 1}; }
};

/// Where a part begins, or the text's size. Not string_view::find, which under -fsanitize=undefined g++ does not take
/// for a constant in a template argument (https://gcc.gnu.org/bugzilla/show_bug.cgi?id=71962).
constexpr std::size_t position_of(std::string_view part, std::string_view text) {
    for (std::size_t i = 0; i + part.size() <= text.size(); ++i) {
        std::size_t same = 0;
        while (same < part.size() && text[i + same] == part[same]) ++same;
        if (same == part.size()) return i;
    }
    return text.size();
}

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }
constexpr std::string_view trimmed(std::string_view s) {
    while (!s.empty() && is_blank(s.front())) s.remove_prefix(1);
    while (!s.empty() && is_blank(s.back())) s.remove_suffix(1);
    return s;
}

/// A parameter of a kernel: `T` and other single letters stand for types.
struct text_parameter {
    bool is_valid = true;
    bool is_raw = false;  ///< all of an array, rather than an element
    char letter = 0;      ///< of a placeholder
    dtype type = dtype::float64;
    std::string_view name = {};
};

constexpr bool read_type(std::string_view s, text_parameter& p) {
    struct row {
        std::string_view name;
        dtype type;
    };
    constexpr row names[] = {{"int", dtype::int32},
                             {"unsigned", dtype::uint32},
                             {"unsigned int", dtype::uint32},
                             {"short", dtype::int16},
                             {"long", dtype::int64},
                             {"long long", dtype::int64},
                             {"unsigned long long", dtype::uint64},
                             {"ptrdiff_t", dtype::int64},
                             {"size_t", dtype::uint64},
                             {"float", dtype::float32},
                             {"double", dtype::float64},
                             {"complex<float>", dtype::complex64},
                             {"complex<double>", dtype::complex128}};
    for (const row& r : names)
        if (r.name == s) return p.type = r.type, true;
    for (int i = 0; i < dtype_count; ++i)
        if (codegen::dtype_table[i].name == s && !codegen::is_half(static_cast<dtype>(i)))
            return p.type = static_cast<dtype>(i), true;
    if (s.size() == 1) p.letter = s[0];
    return s.size() == 1 && ((s[0] >= 'a' && s[0] <= 'z') || (s[0] >= 'A' && s[0] <= 'Z'));
}

constexpr text_parameter read_parameter(std::string_view s) {
    text_parameter p;
    s = trimmed(s);
    std::size_t end = s.size();
    while (end > 0 && !is_blank(s[end - 1])) --end;
    p.name = s.substr(end);
    std::string_view type = trimmed(s.substr(0, end));
    for (std::string_view word : {std::string_view("raw "), std::string_view("const ")})
        if (type.substr(0, word.size()) == word) {
            p.is_raw = p.is_raw || word[0] == 'r';
            type = trimmed(type.substr(word.size()));
        }
    p.is_valid = !p.name.empty() && read_type(type, p);
    return p;
}

constexpr std::size_t count_parameters(std::string_view s) {
    if (trimmed(s).empty()) return 0;
    std::size_t n = 1;
    for (char c : s) n += c == ',';
    return n;
}

template <std::size_t N>
struct text_parameters {
    text_parameter at[N ? N : 1] = {};
    static constexpr std::size_t size = N;
    constexpr bool is_valid() const {
        for (std::size_t i = 0; i < N; ++i)
            if (!at[i].is_valid) return false;
        return true;
    }
    constexpr bool has_raw() const {
        for (std::size_t i = 0; i < N; ++i)
            if (at[i].is_raw) return true;
        return false;
    }
};

template <literal S>
constexpr auto read_parameters() {
    text_parameters<count_parameters(S.view())> list;
    std::string_view rest = S.view();
    for (std::size_t i = 0; i < list.size; ++i) {
        const std::size_t comma = position_of(",", rest);
        list.at[i] = read_parameter(rest.substr(0, comma));
        rest.remove_prefix(comma < rest.size() ? comma + 1 : comma);
    }
    return list;
}

template <literal S>
inline constexpr auto parameters_in = read_parameters<S>();

/// What the placeholders stand for: each what the arrays for it have in common, numbers only where there is no array.
struct placeholder_types {
    bool known[128] = {};
    dtype type[128] = {};
    char conflict = 0;  ///< a placeholder that would have to be two types

    constexpr void take(const text_parameter& p, dtype given, bool is_number) {
        if (!p.letter) return;
        auto at = static_cast<std::size_t>(p.letter);
        if (!known[at]) type[at] = given;
        else if (is_number) type[at] = codegen::promote(type[at], given);
        else if (type[at] != given) conflict = p.letter;
        known[at] = true;
    }
    constexpr dtype of(const text_parameter& p) const {
        return p.letter ? type[static_cast<std::size_t>(p.letter)] : p.type;
    }
    constexpr bool knows(const text_parameter& p) const {
        return !p.letter || known[static_cast<std::size_t>(p.letter)];
    }
};

/// From the types of the arguments, of which some are numbers.
template <std::size_t N>
constexpr placeholder_types deduce(const text_parameters<N>& parameters, const dtype* types, const bool* numbers) {
    placeholder_types found;
    for (std::size_t i = 0; i < N; ++i)
        if (!numbers[i]) found.take(parameters.at[i], types[i], false);
    placeholder_types all = found;
    for (std::size_t i = 0; i < N; ++i)
        if (numbers[i] && !found.knows(parameters.at[i])) all.take(parameters.at[i], types[i], true);
    return all;
}

}  // namespace sinter::inline SINTER_ABI::detail
