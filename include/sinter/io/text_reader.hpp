// Reads the lines and fields of a table as text; must not know arrays or files.
#pragma once

#include <cstdint>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/io/text_table.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::inline SINTER_ABI::detail {

/// How the text of an element becomes its bytes; false: it is none.
using text_parser = bool (*)(std::string_view, char*);
/// Throws type_error for types that have no text.
text_parser text_parser_of(dtype type);

/// A text without the white space around it.
std::string_view trim_text(std::string_view s);
bool is_text_space(char c);

/// Fields that count as missing, and the bytes of what stands in their place, for all columns or for each.
struct text_gaps {
    const std::vector<std::string>& missing;
    std::vector<std::string> fillings;
    std::string misfit;  ///< what the type has no number for, told where it would stand in a field's place
};

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
    const char* operation = "loadtxt";  ///< that errors name
    const text_gaps* gaps = nullptr;    ///< where fields may be missing
    struct unfit_line {
        std::int64_t line, rows;       ///< its number, and how many rows stand before it
        std::int64_t columns, wanted;  ///< how many it has, and how many the first line
    };
    codegen::sequence<unfit_line> unfit = {};  ///< those that gaps pass over

    [[noreturn]] void fail(const std::string& what, std::int64_t column = 0) const;
    std::string_view next_line();
    void split(std::string_view s);
    /// The fields of the next line without what is behind a comment.
    void next_row();
    /// Whether a line ends here, which is taken off the text.
    bool take_line_end(char c);
    /// Appends the next field, without its quotes, to `unquoted`; true when it is the last of its row.
    bool take_field(bool& is_quoted);
    /// The same where fields may have quotes, in which lines end as well: then the text is taken character by
    /// character.
    void next_quoted_row();
    static std::string shown(std::string_view s);
    void convert(const text_converter& converter, std::string_view field, std::int64_t column, char* element);
    /// Adds the field of a column as one of a place in the row.
    void add(std::int64_t column, std::size_t place);
    /// Whether a field is filled where it is missing or no number.
    bool fill(std::string_view field, bool is_number, std::size_t place, char* element) const;
    void check_converters(std::int64_t n) const;
    void add_row();
    void run();
    /// Takes so many lines off the end again, rows or not.
    void drop_lines(std::int64_t count);
    [[noreturn]] void fail_at(const unfit_line& l) const;
};

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/io/text_reader.ipp>
#endif
