// Bodies of text_table.hpp that read; those that write are in text_table_write.ipp.
#pragma once

#include <charconv>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <sinter/codegen/error.hpp>
#include <sinter/codegen/sequence.hpp>
#include <sinter/text_table.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE bool is_text_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

SINTER_INLINE std::string_view trim_text(std::string_view s) {
    while (!s.empty() && is_text_space(s.front())) s.remove_prefix(1);
    while (!s.empty() && is_text_space(s.back())) s.remove_suffix(1);
    return s;
}

/// A number at the beginning of a text, which is shortened by it.
SINTER_INLINE bool take_text_number(std::string_view& s, double& v) {
    const bool plus = !s.empty() && s[0] == '+';
    const char* begin = s.data() + plus;
    if (plus && s.size() > 1 && s[1] == '-') return false;
    const std::from_chars_result r = std::from_chars(begin, s.data() + s.size(), v);
    if (r.ec == std::errc::invalid_argument || r.ptr[-1] == ')') return false;  // nan(…) is C's, not Python's
    // Beyond a double's range the C library knows whether it is infinite or zero.
    if (r.ec == std::errc::result_out_of_range) v = std::strtod(std::string(begin, r.ptr).c_str(), nullptr);
    s.remove_prefix(static_cast<std::size_t>(r.ptr - s.data()));
    return true;
}

template <class T>
bool parse_text_integer(std::string_view s, char* to) {
    if (s.size() > 1 && s[0] == '+' && s[1] != '-') s.remove_prefix(1);
    T v{};
    const std::from_chars_result r = std::from_chars(s.data(), s.data() + s.size(), v);
    if (r.ec != std::errc() || r.ptr != s.data() + s.size()) return false;
    std::memcpy(to, &v, sizeof v);
    return true;
}

SINTER_INLINE bool parse_text_bool(std::string_view s, char* to) {
    std::int64_t v = 0;
    if (!parse_text_integer<std::int64_t>(s, reinterpret_cast<char*>(&v))) return false;
    *to = v != 0;
    return true;
}

// By way of double, as NumPy does it, also where rounding twice gives another float.
template <class T>
bool parse_text_floating(std::string_view s, char* to) {
    double v = 0;
    if (!take_text_number(s, v) || !s.empty()) return false;
    const T t = static_cast<T>(v);
    std::memcpy(to, &t, sizeof t);
    return true;
}

// 1.5, 2j, 1.5+2j, in parentheses or not.
template <class T>
bool parse_text_complex(std::string_view s, char* to) {
    if (s.size() >= 2 && s.front() == '(' && s.back() == ')') s = trim_text(s.substr(1, s.size() - 2));
    double first = 0, second = 0;
    if (!take_text_number(s, first)) return false;
    std::complex<T> z(static_cast<T>(first));
    if (s == "j") z = {0, static_cast<T>(first)};
    else if (!s.empty()) {
        if ((s[0] != '+' && s[0] != '-') || !take_text_number(s, second) || s != "j") return false;
        z = {static_cast<T>(first), static_cast<T>(second)};
    }
    std::memcpy(to, &z, sizeof z);
    return true;
}

/// How the text of an element becomes its bytes; false: it is none.
using text_parser = bool (*)(std::string_view, char*);

SINTER_INLINE text_parser text_parser_of(dtype type) {
    switch (type) {
        case dtype::bool_: return parse_text_bool;
        case dtype::int8: return parse_text_integer<std::int8_t>;
        case dtype::int16: return parse_text_integer<std::int16_t>;
        case dtype::int32: return parse_text_integer<std::int32_t>;
        case dtype::int64: return parse_text_integer<std::int64_t>;
        case dtype::uint8: return parse_text_integer<std::uint8_t>;
        case dtype::uint16: return parse_text_integer<std::uint16_t>;
        case dtype::uint32: return parse_text_integer<std::uint32_t>;
        case dtype::uint64: return parse_text_integer<std::uint64_t>;
        case dtype::float32: return parse_text_floating<float>;
        case dtype::float64: return parse_text_floating<double>;
        case dtype::complex64: return parse_text_complex<float>;
        case dtype::complex128: return parse_text_complex<double>;
        default: throw type_error("[loadtxt] no numbers of type " + std::string(to_string(type)) + " are read: load float32 and convert");
    }
}

/// Reads line by line.
struct text_reader {
    std::string_view text;
    dtype type;
    const loadtxt_options& options;
    const std::string& path;
    text_parser parse = text_parser_of(type);
    std::size_t item = static_cast<std::size_t>(codegen::size_of(type));
    std::int64_t line = 0, rows = 0;
    std::int64_t first_line = 0;                   ///< of the first row
    std::int64_t columns = -1;                     ///< of the result
    codegen::sequence<std::string_view> fields = {};  ///< of the line
    std::string data = {};

    [[noreturn]] void fail(const std::string& what, std::int64_t column = 0) const {
        throw io_error("[loadtxt] " + path + ": " + what + " (line " + std::to_string(line) +
                       (column > 0 ? ", column " + std::to_string(column) : "") + ")");
    }

    std::string_view next_line() {
        const std::size_t end = text.find('\n');
        std::string_view s = text.substr(0, end);
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
        ++line;
        if (const std::size_t lone = s.find('\r'); lone != s.npos && lone + 1 < s.size()) {
            text = std::string_view(s.data() + lone + 1, static_cast<std::size_t>(text.data() + text.size() - s.data()) - lone - 1);
            s = s.substr(0, lone);
        }
        if (!s.empty() && s.back() == '\r') s.remove_suffix(1);
        return options.comments.empty() ? s : s.substr(0, s.find(options.comments));
    }

    void split(std::string_view s) {
        fields.clear();
        if (!options.delimiter.empty()) {
            for (std::size_t end = 0; end != s.npos; s.remove_prefix(end == s.npos ? s.size() : end + 1))
                fields.push_back(trim_text(s.substr(0, end = s.find(options.delimiter[0]))));
            return;
        }
        while (!(s = trim_text(s)).empty()) {
            std::size_t end = 0;
            while (end < s.size() && !is_text_space(s[end])) ++end;
            fields.push_back(s.substr(0, end));
            s.remove_prefix(end);
        }
    }

    void add(std::int64_t column) {
        const std::int64_t n = static_cast<std::int64_t>(fields.size()), at = column < 0 ? column + n : column;
        if (at < 0 || at >= n) fail("there is no column " + std::to_string(column) + " among " + std::to_string(n));
        const std::string_view s = fields[static_cast<std::size_t>(at)];
        char element[16] = {};
        if (!parse(s, element)) {
            std::string shown;
            for (char c : s.substr(0, 40)) shown += c >= ' ' && c <= '~' ? c : '?';
            fail("'" + shown + (s.size() > 40 ? "...' is" : "' is") + " no " + std::string(to_string(type)), at + 1);
        }
        data.append(element, item);
    }

    void add_row() {
        const std::int64_t n = static_cast<std::int64_t>(fields.size());
        if (rows == 0) first_line = line;
        if (!options.usecols.empty()) {
            for (std::int64_t column : options.usecols) add(column);
        } else {
            if (columns >= 0 && n != columns)
                fail(std::to_string(n) + " columns, where line " + std::to_string(first_line) + " has " + std::to_string(columns));
            columns = n;
            for (std::int64_t i = 0; i < n; ++i) add(i);
        }
        ++rows;
    }

    void run() {
        while (line < options.skiprows && !text.empty()) next_line();
        while (!text.empty() && rows != options.max_rows) {
            const std::string_view s = next_line();
            // A line without anything is no row; one of spaces is, where a delimiter makes fields of it.
            if (s.empty()) continue;
            split(s);
            if (!fields.empty()) add_row();
        }
        if (!options.usecols.empty()) columns = static_cast<std::int64_t>(options.usecols.size());
        if (columns < 0) columns = 1;
    }
};

SINTER_INLINE text_table parse_text_table(std::string_view text, dtype type, const loadtxt_options& options, const std::string& path) {
    auto refuse = [](const std::string& what) { throw value_error("[loadtxt] " + what); };
    if (options.delimiter.size() > 1) refuse("a delimiter is one character: '" + options.delimiter + "'");
    if (options.delimiter == "\n" || options.delimiter == "\r") refuse("the delimiter must not end lines");
    if (options.skiprows < 0) refuse("skiprows is negative: " + std::to_string(options.skiprows));
    if (options.max_rows < -1) refuse("max_rows is negative: " + std::to_string(options.max_rows));
    if (options.ndmin < 0 || options.ndmin > 2) refuse("ndmin is 0, 1 or 2, not " + std::to_string(options.ndmin));
    text_reader r{text, type, options, path};
    r.run();
    return {dims(r.rows, r.columns), std::move(r.data)};
}

SINTER_INLINE dims shape_of_text(const dims& table, int ndmin) {
    if (ndmin == 2) return table;
    dims shape;
    for (std::int64_t n : table)
        if (n != 1) shape.push_back(n);
    if (shape.empty() && ndmin == 1) shape.push_back(1);
    return shape;
}

}  // namespace sinter::inline SINTER_ABI::detail

#include <sinter/text_table_write.ipp>
