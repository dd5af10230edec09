// Tables of numbers as text, as numpy.loadtxt and savetxt understand them; must not know arrays or devices.
#pragma once

#include <complex>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/codegen/base/dims.hpp>
#include <sinter/codegen/ops/dtype.hpp>
#include <sinter/runtime/base/byte_stream.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace sinter::inline SINTER_ABI {

/// A text, or one character of C++: "," or ','.
class short_text : public std::string {
public:
    short_text() = default;
    short_text(const char* text) : std::string(text) {}
    short_text(std::string text) : std::string(std::move(text)) {}
    short_text(char one) : std::string(1, one) {}
};

/// What begins a comment: one text, several in braces, or nothing ("", {}).
class text_comments {
public:
    text_comments() = default;
    text_comments(const char* one);
    text_comments(std::string one);
    text_comments(std::initializer_list<std::string> several);
    const std::vector<std::string>& list() const { return list_; }

private:
    std::vector<std::string> list_;
};

/// A number of any type, as a converter of loadtxt returns it.
class text_number {
public:
    template <class T>
        requires std::is_arithmetic_v<T>
    text_number(T v) : kind_(std::is_floating_point_v<T> ? 'f'
                             : std::is_signed_v<T>       ? 'i'
                                                         : 'u') {
        if constexpr (std::is_floating_point_v<T>) value_ = static_cast<double>(v);
        else integer_ = static_cast<std::uint64_t>(v);
    }
    template <class T>
    text_number(const std::complex<T>& v) : kind_('c'), value_(v) {}
    /// Writes it as a dtype, as NumPy assigns a Python number to an element: fractions are cut off; false for what is
    /// out of an integer's range, and for a complex number that would have to be real.
    bool write(dtype type, char* to) const;
    std::string text() const;

private:
    template <class T>
    bool write_integer(char* to) const;
    double real() const;
    char kind_;  ///< NumPy's
    std::uint64_t integer_ = 0;
    std::complex<double> value_;
};

/// A function from the text of a field to a number. Copies share it, and so does what has been moved from.
class text_converter {
public:
    text_converter(const text_converter&) = default;
    text_converter& operator=(const text_converter&) = default;
    template <class F>
        requires(!std::same_as<F, text_converter>) && std::is_invocable_r_v<text_number, F&, const std::string&>
    text_converter(F f)
        : function_(std::make_shared<F>(std::move(f))),
          call_([](void* function, const std::string& field) -> text_number {
              return (*static_cast<F*>(function))(field);
          }) {}
    text_number operator()(const std::string& field) const { return call_(function_.get(), field); }

private:
    std::shared_ptr<void> function_;
    text_number (*call_)(void*, const std::string&);
};

/// One converter for all columns, or `{{column, converter}, …}`, negative columns from the end.
class text_converters {
public:
    /// A converter for one column.
    struct of_column {
        std::int64_t column;
        text_converter convert;
    };
    text_converters() = default;
    template <class F>
        requires std::is_invocable_r_v<text_number, F&, const std::string&>
    text_converters(F f) {
        set_all(text_converter(std::move(f)));
    }
    text_converters(std::initializer_list<of_column> list);

    const codegen::sequence<of_column>& list() const { return list_; }
    /// That of a column among so many, or null.
    const text_converter* find(std::int64_t column, std::int64_t columns) const;

private:
    void set_all(text_converter convert);
    codegen::sequence<text_converter> all_;
    codegen::sequence<of_column> list_;
};

/// Options of loadtxt, by NumPy's names and with its defaults.
struct loadtxt_options {
    text_comments comments = "#";            ///< the rest of a line from here on is left out
    short_text delimiter = {};               ///< one character; "": any white space
    std::int64_t skiprows = 0;               ///< lines, comments included, that are passed over first
    std::vector<std::int64_t> usecols = {};  ///< columns in the order wanted, negative from the end; none: all
    bool unpack = false;                     ///< the transpose
    int ndmin = 0;               ///< axes that the result has at least, up to two: others of size one are left out
    std::int64_t max_rows = -1;  ///< rows that are read at most; -1: all
    short_text quotechar =
        {};  ///< one character, between two of which a field is taken as it is, a doubled one for itself
    text_converters converters = {};  ///< what makes numbers of fields, as they stand between delimiters
};

/// One filling for all columns, or `{first, second, …}` for each that is read.
class text_fillings {
public:
    text_fillings() = default;
    template <class N>
        requires std::is_convertible_v<const N&, text_number>
    text_fillings(const N& of_all) : text_fillings(std::initializer_list<text_number>{text_number(of_all)}) {}
    text_fillings(std::initializer_list<text_number> each);
    const codegen::sequence<text_number>& list() const { return list_; }

private:
    codegen::sequence<text_number> list_;
};

/// Options of genfromtxt, by NumPy's names and with its defaults.
struct genfromtxt_options {
    text_comments comments = "#";                  ///< the rest of a line from here on is left out
    short_text delimiter = {};                     ///< one character; "": any white space
    std::int64_t skip_header = 0;                  ///< lines, comments included, that are passed over first
    std::int64_t skip_footer = 0;                  ///< lines with fields that are left out at the end
    text_converters converters = {};               ///< what makes numbers of fields, as they stand between delimiters
    std::vector<std::string> missing_values = {};  ///< texts that are missing, numbers too, which NumPy reads
    text_fillings filling_values = {};             ///< what stands in their place
    std::vector<std::int64_t> usecols = {};        ///< columns in the order wanted, negative from the end; none: all
    bool unpack = false;                           ///< the transpose
    bool invalid_raise = true;                     ///< whether a line with another number of columns is an error
    std::int64_t max_rows = -1;                    ///< rows that are read at most; -1: all
    int ndmin = 0;  ///< axes that the result has at least, up to two: others of size one are left out
};

/// printf's format of a number, or of each column: in one text, or as a list of texts with the delimiter between them.
class text_format {
public:
    text_format(const char* one);
    text_format(std::string one);
    text_format(std::initializer_list<std::string> of_columns);
    /// In one text.
    std::string text(const std::string& delimiter) const;
    /// Whether each column has its own, though there be but one.
    bool is_list() const { return is_list_; }

private:
    std::vector<std::string> list_;
    bool is_list_ = false;
};

/// Options of savetxt, by NumPy's names and with its defaults.
struct savetxt_options {
    text_format fmt = "%.18e";  ///< of a number, or of each column: "%.3f", "%d,%.3f", {"%d", "%.3f"}
    short_text delimiter = " ";
    std::string newline = "\n";
    std::string header = {};
    std::string footer = {};
    std::string comments = "# ";  ///< before each line of header and footer
};

namespace detail {

/// Elements in rows.
struct text_table {
    dims shape;  ///< (rows, columns)
    std::string data;
};

/// Reads a table; throws io_error naming the line and the column, and value_error for options that make no sense.
text_table parse_text_table(std::string_view text, dtype type, const loadtxt_options& options, const std::string& path);

/// The same where fields are missing.
text_table parse_gapped_table(std::string_view text, dtype type, const genfromtxt_options& options,
                              const std::string& path);

/// The shape that numpy.loadtxt gives a table of this one, before it is transposed.
dims shape_of_text(const dims& table, int ndmin);

}  // namespace detail
}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/io/text_table.ipp>
#endif
