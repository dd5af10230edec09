// Tables of numbers as text, as numpy.loadtxt and savetxt understand them; must not know arrays or devices.
#pragma once

#include <cstdint>
#include <sinter/codegen/dims.hpp>
#include <sinter/codegen/dtype.hpp>
#include <sinter/runtime/byte_stream.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::inline SINTER_ABI {

/// Options of loadtxt, by NumPy's names and with its defaults.
struct loadtxt_options {
    std::string comments = "#";         ///< the rest of a line from here on is left out; "": there are no comments
    std::string delimiter = {};         ///< one character; "": any white space
    std::int64_t skiprows = 0;          ///< lines, comments included, that are passed over first
    std::vector<std::int64_t> usecols = {};  ///< columns in the order wanted, negative from the end; none: all
    bool unpack = false;                ///< the transpose
    int ndmin = 0;                      ///< axes that the result has at least, up to two: others of size one are left out
    std::int64_t max_rows = -1;         ///< rows that are read at most; -1: all
};

/// Options of savetxt, by NumPy's names and with its defaults.
struct savetxt_options {
    std::string fmt = "%.18e";      ///< printf's format of a number, or of each column in one text
    std::string delimiter = " ";
    std::string newline = "\n";
    std::string header = {};
    std::string footer = {};
    std::string comments = "# ";    ///< before each line of header and footer
};

namespace detail {

/// Elements in rows.
struct text_table {
    dims shape;  ///< (rows, columns)
    std::string data;
};

/// Reads a table; throws io_error naming the line and the column, and value_error for options that make no sense.
text_table parse_text_table(std::string_view text, dtype type, const loadtxt_options& options, const std::string& path);

/// The shape that numpy.loadtxt gives a table of this one, before it is transposed.
dims shape_of_text(const dims& table, int ndmin);

/// Writes rows of elements; throws value_error for a format that numbers do not have.
void write_text_table(runtime::byte_sink& to, dtype type, const dims& table, const char* data, const savetxt_options& options);

}  // namespace detail
}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/text_table.ipp>
#endif
