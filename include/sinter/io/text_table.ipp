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
#include <sinter/io/text_reader.hpp>
#include <sinter/io/text_table.hpp>
#include <utility>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI {

SINTER_INLINE text_comments::text_comments(const char* one) : text_comments(std::string(one)) {}
SINTER_INLINE text_comments::text_comments(std::string one) {
    if (!one.empty()) list_.push_back(std::move(one));
}
SINTER_INLINE text_comments::text_comments(std::initializer_list<std::string> several) : list_(several) {}

SINTER_INLINE text_format::text_format(const char* one) : list_{one} {}
SINTER_INLINE text_format::text_format(std::string one) : list_{std::move(one)} {}
SINTER_INLINE text_format::text_format(std::initializer_list<std::string> of_columns)
    : list_(of_columns), is_list_(true) {}
SINTER_INLINE std::string text_format::text(const std::string& delimiter) const {
    std::string between, all_columns;
    for (char c : delimiter) between += c == '%' ? "%%" : std::string(1, c);
    for (const std::string& of_column : list_) all_columns += (all_columns.empty() ? "" : between) + of_column;
    return all_columns;
}

SINTER_INLINE void text_converters::set_all(text_converter convert) { all_.push_back(std::move(convert)); }
SINTER_INLINE text_converters::text_converters(std::initializer_list<of_column> list) : list_(list) {}
SINTER_INLINE const text_converter* text_converters::find(std::int64_t column, std::int64_t columns) const {
    for (const of_column& c : list_)
        if (c.column == column || c.column + columns == column) return &c.convert;
    return all_.empty() ? nullptr : &all_[0];
}

SINTER_INLINE text_fillings::text_fillings(std::initializer_list<text_number> each) : list_(each) {}

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
        case dtype::float16: return kind_ != 'c' && put(half(real()));
        case dtype::bfloat16: return kind_ != 'c' && put(bfloat16(real()));
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
        case dtype::float16: return parse_text_floating<half>;
        case dtype::bfloat16: return parse_text_floating<bfloat16>;
        case dtype::float32: return parse_text_floating<float>;
        case dtype::float64: return parse_text_floating<double>;
        case dtype::complex64: return parse_text_complex<float>;
        case dtype::complex128: return parse_text_complex<double>;
        default:
            throw type_error("[loadtxt] no numbers of type " + std::string(to_string(type)) + " are read: load " +
                             std::string(to_string(codegen::widened(type))) + " and convert");
    }
}

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

// What stands in the place of a field that is missing, by columns. What a type has none of matters where one is
// missing.
SINTER_INLINE void find_fillings(dtype type, const genfromtxt_options& o, text_gaps& gaps) {
    codegen::sequence<text_number> numbers = o.filling_values.list();
    const bool given = !numbers.empty();
    if (numbers.empty() && codegen::kind_rank(type) >= 2) numbers.emplace_back(codegen::ieee::quiet_nan);
    else if (numbers.empty()) numbers.emplace_back(type == dtype::bool_ ? 0 : -1);
    for (const text_number& v : numbers) {
        char element[16] = {};
        if (!v.write(type, element)) {
            gaps.misfit = "filling_values: " + v.text() + " is no " + std::string(to_string(type));
            if (given) throw value_error("[genfromtxt] " + gaps.misfit);
        }
        gaps.fillings.emplace_back(element, static_cast<std::size_t>(codegen::size_of(type)));
    }
}

SINTER_INLINE text_table parse_gapped_table(std::string_view text, dtype type, const genfromtxt_options& o,
                                            const std::string& path) {
    const codegen::subnormal_scope exact;
    auto refuse = [](const std::string& what) { throw value_error("[genfromtxt] " + what); };
    loadtxt_options how;
    how.comments = o.comments;
    how.delimiter = o.delimiter;
    how.skiprows = o.skip_header;
    how.usecols = o.usecols;
    how.max_rows = o.max_rows;
    how.converters = o.converters;
    check_control_characters(how, refuse);
    if (o.skip_header < 0) refuse("skip_header is negative: " + std::to_string(o.skip_header));
    if (o.skip_footer < 0) refuse("skip_footer is negative: " + std::to_string(o.skip_footer));
    if (o.max_rows < -1) refuse("max_rows is negative: " + std::to_string(o.max_rows));
    if (o.skip_footer > 0 && o.max_rows >= 0) refuse("skip_footer and max_rows exclude each other");
    if (o.ndmin < 0 || o.ndmin > 2) refuse("ndmin is 0, 1 or 2, not " + std::to_string(o.ndmin));
    text_gaps gaps{o.missing_values, {}, {}};
    find_fillings(type, o, gaps);
    text_reader r{text, type, how, path};
    r.operation = "genfromtxt";
    r.gaps = &gaps;
    r.run();
    r.drop_lines(o.skip_footer);
    if (o.invalid_raise && !r.unfit.empty()) r.fail_at(r.unfit[0]);
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
