// Bodies of text_reader.hpp.
#pragma once

#include <algorithm>
#include <cstring>
#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/io/text_reader.hpp>
#include <utility>

namespace sinter::inline SINTER_ABI::detail {

[[noreturn]] SINTER_INLINE void text_reader::fail(const std::string& what, std::int64_t column) const {
    throw io_error("[" + std::string(operation) + "] " + path + ": " + what + " (line " + std::to_string(line) +
                   (column > 0 ? ", column " + std::to_string(column) : "") + ")");
}

SINTER_INLINE std::string_view text_reader::next_line() {
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

SINTER_INLINE void text_reader::split(std::string_view s) {
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

SINTER_INLINE void text_reader::next_row() {
    fields.clear();
    std::string_view s = next_line();
    for (const std::string& begin : options.comments.list()) s = s.substr(0, s.find(begin));
    // A line without anything is no row; one of spaces is, where a delimiter makes fields of it.
    if (!s.empty()) split(s);
}

SINTER_INLINE bool text_reader::take_line_end(char c) {
    if (c == '\r' && text.substr(0, 1) == "\n") text.remove_prefix(1);
    return c == '\n' || c == '\r';
}

SINTER_INLINE bool text_reader::take_field(bool& is_quoted) {
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

SINTER_INLINE void text_reader::next_quoted_row() {
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

SINTER_INLINE std::string text_reader::shown(std::string_view s) {
    std::string text = "'";
    for (char c : s.substr(0, 40)) text += c >= ' ' && c <= '~' ? c : '?';
    return text + (s.size() > 40 ? "...'" : "'");
}

SINTER_INLINE void text_reader::convert(const text_converter& converter, std::string_view field, std::int64_t column,
                                        char* element) {
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

// TRUE and FALSE, in capitals or not.
SINTER_INLINE bool parse_truth(std::string_view s, char* element) {
    auto is = [&](std::string_view word) {
        return s.size() == word.size() && std::equal(s.begin(), s.end(), word.begin(), [](char a, char b) {
                   return (a >= 'a' && a <= 'z' ? a - 'a' + 'A' : a) == b;
               });
    };
    *element = is("TRUE");
    return *element || is("FALSE");
}

SINTER_INLINE bool text_reader::fill(std::string_view field, bool is_number, std::size_t place, char* element) const {
    if (!gaps) return false;
    const bool is_missing = codegen::find(gaps->missing.begin(), gaps->missing.end(), field) != gaps->missing.end();
    if (is_number && !is_missing) return false;
    if (!gaps->misfit.empty()) throw value_error("[genfromtxt] " + gaps->misfit);
    if (gaps->fillings.size() > 1 && place >= gaps->fillings.size())
        throw value_error("[genfromtxt] " + std::to_string(gaps->fillings.size()) + " filling_values for more columns");
    std::memcpy(element, gaps->fillings[gaps->fillings.size() > 1 ? place : 0].data(), item);
    return true;
}

SINTER_INLINE void text_reader::add(std::int64_t column, std::size_t place) {
    const std::int64_t n = static_cast<std::int64_t>(fields.size()), at = column < 0 ? column + n : column;
    if (at < 0 || at >= n) fail("there is no column " + std::to_string(column) + " among " + std::to_string(n));
    const std::string_view field = fields[static_cast<std::size_t>(at)], s = trim_text(field);
    char element[16] = {};
    if (const text_converter* converter = options.converters.find(at, n)) {
        convert(*converter, field, at + 1, element);
    } else {
        const bool is_number = parse(s, element) || (gaps && type == dtype::bool_ && parse_truth(s, element));
        if (!fill(s, is_number, place, element) && !is_number)
            fail(shown(s) + " is no " + std::string(to_string(type)), at + 1);
    }
    data.append(element, item);
}

SINTER_INLINE void text_reader::check_converters(std::int64_t n) const {
    for (const text_converters::of_column& c : options.converters.list())
        if (c.column < -n || c.column >= n)
            fail("there is no column " + std::to_string(c.column) + ", which has a converter, among " +
                 std::to_string(n));
}

SINTER_INLINE void text_reader::add_row() {
    const std::int64_t n = static_cast<std::int64_t>(fields.size());
    if (columns < 0) {
        first_line = line;
        columns = n;
        if (options.usecols.empty()) check_converters(n);
    }
    auto lacks = [&](std::int64_t column) { return column < -n || column >= n; };
    const bool fits = options.usecols.empty() ? n == columns
                                              : codegen::none_of(options.usecols.begin(), options.usecols.end(), lacks);
    if (gaps && !fits) return unfit.push_back({line, rows, n, columns});
    if (options.usecols.empty() && n != columns)
        fail(std::to_string(n) + " columns, where line " + std::to_string(first_line) + " has " +
             std::to_string(columns));
    if (options.usecols.empty())
        for (std::int64_t i = 0; i < n; ++i) add(i, static_cast<std::size_t>(i));
    for (std::size_t i = 0; i < options.usecols.size(); ++i) add(options.usecols[i], i);
    ++rows;
}

SINTER_INLINE void text_reader::run() {
    while (line < options.skiprows && !text.empty()) next_line();
    while (!text.empty() && rows != options.max_rows) {
        if (options.quotechar.empty()) next_row();
        else next_quoted_row();
        if (!fields.empty()) add_row();
    }
    if (!options.usecols.empty()) columns = static_cast<std::int64_t>(options.usecols.size());
    if (columns < 0) columns = 1;
}

SINTER_INLINE void text_reader::drop_lines(std::int64_t count) {
    for (; count > 0; --count) {
        if (!unfit.empty() && unfit.back().rows == rows) {
            unfit.pop_back();
        } else if (rows > 0) {
            --rows;
            data.resize(data.size() - static_cast<std::size_t>(columns) * item);
        }
    }
}

SINTER_INLINE void text_reader::fail_at(const unfit_line& l) const {
    throw io_error("[" + std::string(operation) + "] " + path + ": " + std::to_string(l.columns) +
                   " columns, where line " + std::to_string(first_line) + " has " + std::to_string(l.wanted) +
                   " (line " + std::to_string(l.line) + ")");
}

}  // namespace sinter::inline SINTER_ABI::detail
