// Bodies of text_table.hpp.
#pragma once

#include <charconv>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/io/text_table.hpp>
#include <utility>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI {

namespace detail {

SINTER_INLINE bool is_text_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f); }

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

}  // namespace detail

SINTER_INLINE double text_number::real() const {
    return kind_ == 'i'   ? static_cast<double>(static_cast<std::int64_t>(integer_))
           : kind_ == 'u' ? static_cast<double>(integer_)
                          : value_.real();
}

template <class T>
SINTER_COMPARES bool text_number::write_integer(char* to) const {
    using limits = std::numeric_limits<T>;
    T v{};
    if (kind_ == 'f') {
        // The first number above the range is a power of two, which a double holds.
        const double whole = codegen::ieee::trunc(value_.real()), above = codegen::ieee::ldexp(1.0, limits::digits);
        if (!(whole < above && whole >= (std::is_signed_v<T> ? -above : 0.0))) return false;
        v = static_cast<T>(whole);
    } else {
        v = static_cast<T>(integer_);
        const bool is_negative = kind_ == 'i' && static_cast<std::int64_t>(integer_) < 0;
        if (kind_ == 'c' || static_cast<std::uint64_t>(v) != integer_ || (v < T{}) != is_negative) return false;
    }
    std::memcpy(to, &v, sizeof v);
    return true;
}

SINTER_INLINE bool text_number::write(dtype type, char* to) const {
    auto put = [&](auto v) { return std::memcpy(to, &v, sizeof v), true; };
    switch (type) {
        case dtype::bool_:
            return *to = kind_ == 'c' || kind_ == 'f' ? value_.real() != 0 || value_.imag() != 0 : integer_ != 0, true;
        case dtype::int8: return write_integer<std::int8_t>(to);
        case dtype::int16: return write_integer<std::int16_t>(to);
        case dtype::int32: return write_integer<std::int32_t>(to);
        case dtype::int64: return write_integer<std::int64_t>(to);
        case dtype::uint8: return write_integer<std::uint8_t>(to);
        case dtype::uint16: return write_integer<std::uint16_t>(to);
        case dtype::uint32: return write_integer<std::uint32_t>(to);
        case dtype::uint64: return write_integer<std::uint64_t>(to);
        case dtype::float32: return kind_ != 'c' && put(static_cast<float>(real()));
        case dtype::float64: return kind_ != 'c' && put(real());
        case dtype::complex64:
            return put(std::complex<float>(static_cast<float>(real()), static_cast<float>(value_.imag())));
        case dtype::complex128: return put(std::complex<double>(real(), value_.imag()));
        default: return false;
    }
}

SINTER_INLINE std::string text_number::text() const {
    if (kind_ == 'i') return std::to_string(static_cast<std::int64_t>(integer_));
    if (kind_ == 'u') return std::to_string(integer_);
    char s[80];
    if (kind_ == 'f') std::snprintf(s, sizeof s, "%.17g", value_.real());
    else std::snprintf(s, sizeof s, "%.17g%+.17gj", value_.real(), value_.imag());
    return s;
}

namespace detail {

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
        default:
            throw type_error("[loadtxt] no numbers of type " + std::string(to_string(type)) + " are read: load " +
                             std::string(to_string(codegen::widened(type))) + " and convert");
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
    std::int64_t first_line = 0;                      ///< of the first row
    std::int64_t columns = -1;                        ///< of the result
    codegen::sequence<std::string_view> fields = {};  ///< of the line
    std::string unquoted = {};                        ///< what fields that may have quotes are views of
    codegen::sequence<std::size_t> ends = {};         ///< of those
    std::int64_t more_lines = 0;                      ///< that ended in quotes
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
            text = std::string_view(s.data() + lone + 1,
                                    static_cast<std::size_t>(text.data() + text.size() - s.data()) - lone - 1);
            s = s.substr(0, lone);
        }
        if (!s.empty() && s.back() == '\r') s.remove_suffix(1);
        return s;
    }

    void split(std::string_view s) {
        fields.clear();
        if (!options.delimiter.empty()) {
            for (std::size_t end = 0; end != s.npos; s.remove_prefix(end == s.npos ? s.size() : end + 1))
                fields.push_back(s.substr(0, end = s.find(options.delimiter[0])));
            return;
        }
        while (!(s = trim_text(s)).empty()) {
            std::size_t end = 0;
            while (end < s.size() && !is_text_space(s[end])) ++end;
            fields.push_back(s.substr(0, end));
            s.remove_prefix(end);
        }
    }

    // The fields of the next line without what is behind a comment.
    void next_row() {
        fields.clear();
        std::string_view s = next_line();
        for (const std::string& begin : options.comments.list()) s = s.substr(0, s.find(begin));
        // A line without anything is no row; one of spaces is, where a delimiter makes fields of it.
        if (!s.empty()) split(s);
    }

    // Whether a line ends here, which is taken off the text.
    bool take_line_end(char c) {
        if (c == '\r' && text.substr(0, 1) == "\n") text.remove_prefix(1);
        return c == '\n' || c == '\r';
    }

    /// Appends the next field, without its quotes, to `unquoted`; true when it is the last of its row.
    bool take_field(bool& is_quoted) {
        const std::string& delimiter = options.delimiter;
        while (delimiter.empty() && !text.empty() && is_text_space(text[0]) && text[0] != '\n' && text[0] != '\r')
            text.remove_prefix(1);
        bool inside = is_quoted = text.substr(0, 1) == options.quotechar;
        text.remove_prefix(inside);
        while (!text.empty()) {
            const char c = text[0];
            text.remove_prefix(1);
            if (inside && c == options.quotechar[0]) {
                if (!(inside = text.substr(0, 1) == options.quotechar)) continue;
                text.remove_prefix(1);
            } else if (take_line_end(c)) {
                if (!inside) return true;
                ++more_lines;
                unquoted += '\n';
                continue;
            } else if (!inside && !options.comments.list().empty() && c == options.comments.list()[0][0]) {
                next_line();
                --line;
                return true;
            } else if (!inside && (delimiter.empty() ? is_text_space(c) : c == delimiter[0])) {
                return false;
            }
            unquoted += c;
        }
        return true;
    }

    // The same where fields may have quotes, in which lines end as well: then the text is taken character by character.
    void next_quoted_row() {
        fields.clear();
        unquoted.clear();
        ends.clear();
        line += 1 + std::exchange(more_lines, 0);
        bool is_quoted = false;
        for (bool is_last = false; !is_last; ends.push_back(unquoted.size())) is_last = take_field(is_quoted);
        std::size_t begin = 0;
        for (std::size_t end : ends) {
            fields.push_back(std::string_view(unquoted).substr(begin, end - begin));
            begin = end;
        }
        if (fields.back().empty() && !is_quoted && (options.delimiter.empty() || fields.size() == 1)) fields.pop_back();
    }

    static std::string shown(std::string_view s) {
        std::string text = "'";
        for (char c : s.substr(0, 40)) text += c >= ' ' && c <= '~' ? c : '?';
        return text + (s.size() > 40 ? "...'" : "'");
    }

    void convert(const text_converter& converter, std::string_view field, std::int64_t column, char* element) {
        std::string wrong;
        try {
            const text_number v = converter(std::string(field));
            if (!v.write(type, element))
                wrong = " is converted to " + v.text() + ", which is no " + std::string(to_string(type));
        } catch (const std::exception& e) {
            wrong = std::string(" is refused by its converter: ") + e.what();
        }
        if (!wrong.empty()) fail(shown(field) + wrong, column);
    }

    void add(std::int64_t column) {
        const std::int64_t n = static_cast<std::int64_t>(fields.size()), at = column < 0 ? column + n : column;
        if (at < 0 || at >= n) fail("there is no column " + std::to_string(column) + " among " + std::to_string(n));
        const std::string_view field = fields[static_cast<std::size_t>(at)], s = trim_text(field);
        char element[16] = {};
        if (const text_converter* converter = options.converters.find(at, n))
            convert(*converter, field, at + 1, element);
        else if (!parse(s, element)) fail(shown(s) + " is no " + std::string(to_string(type)), at + 1);
        data.append(element, item);
    }

    void check_converters(std::int64_t n) const {
        for (const text_converters::of_column& c : options.converters.list())
            if (c.column < -n || c.column >= n)
                fail("there is no column " + std::to_string(c.column) + ", which has a converter, among " +
                     std::to_string(n));
    }

    void add_row() {
        const std::int64_t n = static_cast<std::int64_t>(fields.size());
        if (rows == 0) first_line = line;
        if (rows == 0 && options.usecols.empty()) check_converters(n);
        if (!options.usecols.empty()) {
            for (std::int64_t column : options.usecols) add(column);
        } else {
            if (columns >= 0 && n != columns)
                fail(std::to_string(n) + " columns, where line " + std::to_string(first_line) + " has " +
                     std::to_string(columns));
            columns = n;
            for (std::int64_t i = 0; i < n; ++i) add(i);
        }
        ++rows;
    }

    void run() {
        while (line < options.skiprows && !text.empty()) next_line();
        while (!text.empty() && rows != options.max_rows) {
            if (options.quotechar.empty()) next_row();
            else next_quoted_row();
            if (!fields.empty()) add_row();
        }
        if (!options.usecols.empty()) columns = static_cast<std::int64_t>(options.usecols.size());
        if (columns < 0) columns = 1;
    }
};

SINTER_INLINE bool is_line_end(char c) { return c == '\n' || c == '\r'; }

// Delimiters, comments and quotes that can be told from each other.
SINTER_INLINE void check_control_characters(const loadtxt_options& o, void (*refuse)(const std::string&)) {
    const std::vector<std::string>& comments = o.comments.list();
    if (o.delimiter.size() > 1) refuse("a delimiter is one character: '" + o.delimiter + "'");
    if (o.quotechar.size() > 1) refuse("a quotechar is one character: '" + o.quotechar + "'");
    if (!o.delimiter.empty() && is_line_end(o.delimiter[0])) refuse("the delimiter must not end lines");
    if (!o.quotechar.empty() && is_line_end(o.quotechar[0])) refuse("the quotechar must not end lines");
    for (const std::string& c : comments)
        if (c.empty() || is_line_end(c[0])) refuse("comments begin with a text that does not end lines");
    if (!o.quotechar.empty() && (comments.size() > 1 || (comments.size() == 1 && comments[0].size() > 1)))
        refuse("with a quotechar comments begin with one character");
    const std::string comment = comments.size() == 1 && comments[0].size() == 1 ? comments[0] : std::string();
    auto compare = [&](const std::string& a, const std::string& b, const char* names) {
        const bool is_space = b.empty() && !a.empty() && is_text_space(a[0]);
        if (is_space || (!a.empty() && a == b)) refuse(std::string(names) + " cannot be told from each other");
    };
    compare(comment, o.delimiter, "the delimiter and a comment");
    compare(o.quotechar, o.delimiter, "the delimiter and the quotechar");
    if (!comment.empty()) compare(o.quotechar, comment, "the quotechar and a comment");
}

SINTER_INLINE text_table parse_text_table(std::string_view text, dtype type, const loadtxt_options& options,
                                          const std::string& path) {
    const codegen::subnormal_scope exact;
    auto refuse = [](const std::string& what) { throw value_error("[loadtxt] " + what); };
    check_control_characters(options, refuse);
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

}  // namespace detail
}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END
