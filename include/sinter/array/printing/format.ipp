// Bodies of format.hpp: elements become words of equal width, words become nested, wrapped rows.
#pragma once

#include <cstdio>
#include <cstring>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/array/printing/digits.hpp>
#include <sinter/array/printing/format.hpp>
#include <utility>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI {
namespace detail {

struct print_settings {
    bool busy = false;
    print_options options;
};

SINTER_INLINE print_settings& shared_print_settings() {
    static print_settings& settings = *new print_settings;
    return settings;
}

// Options are copied under a flag: <mutex> or <atomic> would cost users' compile time.
struct print_lock {
    print_settings& settings = shared_print_settings();
    print_lock() {
        while (__atomic_test_and_set(&settings.busy, __ATOMIC_ACQUIRE)) {
        }
    }
    ~print_lock() { __atomic_clear(&settings.busy, __ATOMIC_RELEASE); }
    print_lock(const print_lock&) = delete;
};

SINTER_INLINE void check_print_options(const print_options& o) {
    auto refuse = [](const char* what, long long value) {
        throw value_error("[set_printoptions] " + std::string(what) + ": " + std::to_string(value));
    };
    if (o.precision < 0 || o.precision > 1100) refuse("precision must be 0 to 1100", o.precision);
    if (o.threshold < 0) refuse("threshold must not be negative", o.threshold);
    if (o.edgeitems < 1) refuse("edgeitems must be at least 1", o.edgeitems);
    if (o.linewidth < 0) refuse("linewidth must not be negative", o.linewidth);
    if (o.sign != '-' && o.sign != '+' && o.sign != ' ')
        throw value_error("[set_printoptions] sign must be '-', '+' or ' ': '" + std::string(1, o.sign) + "'");
}

}  // namespace detail

SINTER_INLINE void set_printoptions(print_options options) {
    detail::check_print_options(options);
    detail::print_lock lock;
    std::swap(lock.settings.options, options);
}

SINTER_INLINE print_options get_printoptions() {
    detail::print_lock lock;
    return lock.settings.options;
}

namespace detail {

// Saturates, so that a shape that is only described (broadcast) need not have a representable size.
SINTER_INLINE bool is_summarised(const dims& shape, const print_options& o) {
    std::int64_t size = 1;
    bool large = false;
    for (std::int64_t n : shape) {
        if (n == 0) return false;
        large = large || size > INT64_MAX / n;
        if (!large) size *= n;
    }
    return large || size > o.threshold;
}

SINTER_INLINE dims shown_shape(const dims& shape, const print_options& o) {
    dims shown = shape;
    if (is_summarised(shape, o))
        for (std::int64_t& n : shown)
            if (n > 2 * std::int64_t{o.edgeitems}) n = 2 * std::int64_t{o.edgeitems};
    return shown;
}

template <class T>
T load_element(const void* data, std::size_t i) {
    T v;
    std::memcpy(&v, static_cast<const char*>(data) + i * sizeof(T), sizeof(T));
    return v;
}

// Part i of floating or complex data, whose elements are two parts.
SINTER_INLINE double load_part(dtype real, const void* data, std::size_t i) {
    if (real == dtype::float16) return load_element<half>(data, i);
    if (real == dtype::bfloat16) return load_element<bfloat16>(data, i);
    return real == dtype::float32 ? load_element<float>(data, i) : load_element<double>(data, i);
}

SINTER_INLINE std::int64_t load_integer(dtype type, const void* data, std::size_t i) {
    switch (type) {
        case dtype::int8: return load_element<std::int8_t>(data, i);
        case dtype::int16: return load_element<std::int16_t>(data, i);
        case dtype::int32: return load_element<std::int32_t>(data, i);
        case dtype::bool_:
        case dtype::uint8: return load_element<std::uint8_t>(data, i);
        case dtype::uint16: return load_element<std::uint16_t>(data, i);
        case dtype::uint32: return load_element<std::uint32_t>(data, i);
        default: return load_element<std::int64_t>(data, i);
    }
}

SINTER_INLINE std::string integer_text(dtype type, const void* data, std::size_t i) {
    std::int64_t v = load_integer(type, data, i);
    return type == dtype::uint64 ? std::to_string(static_cast<std::uint64_t>(v)) : std::to_string(v);
}

SINTER_INLINE void pad_front(std::string& s, int width) {
    if (auto w = static_cast<std::size_t>(width < 0 ? 0 : width); s.size() < w) s.insert(0, w - s.size(), ' ');
}

/// The common format of the floating elements of one array.
struct float_format {
    digit_rules rules;
    bool exponent = false;
    dtype type = dtype::float64;
    int pad_left = 0;
    int pad_right = 0;
    int exponent_digits = 2;
    std::string nan_text;
    std::string inf_text;

    std::string operator()(double x) const;
};

SINTER_INLINE std::string float_format::operator()(double x) const {
    std::string s;
    if (!ieee::is_finite(x)) {
        if (ieee::is_infinite(x) && x < 0) s = "-";
        else if (rules.plus) s = "+";
        s += ieee::is_nan(x) ? nan_text : inf_text;
        pad_front(s, pad_left + pad_right + 1);
        return s;
    }
    s = exponent ? scientific_text(x, type, rules, exponent_digits) : positional_text(x, type, rules);
    auto whole = static_cast<int>(s.find('.'));
    auto fraction = static_cast<int>(s.size()) - whole - 1;
    if (!exponent && fraction < pad_right) s.append(static_cast<std::size_t>(pad_right - fraction), ' ');
    if (whole < pad_left) s.insert(0, static_cast<std::size_t>(pad_left - whole), ' ');
    return s;
}

// NumPy compares in the array's own type: float32's 0.0001 lies below the double but is not "less than 0.0001" there.
SINTER_INLINE bool needs_exponent(double max, double min, dtype type, bool suppress) {
    if (max == 0) return false;
    if (max >= (type == dtype::float16 ? 1e3 : type == dtype::float32 ? 1e6 : 1e8)) return true;
    if (suppress) return false;
    if (type == dtype::float16) return min < half(0.0001) || half(max / min) > 1000;
    if (type == dtype::float64) return min < 0.0001 || max / min > 1000.0;
    return static_cast<float>(min) < 0.0001f || static_cast<float>(max) / static_cast<float>(min) > 1000.0f;
}

// First pass: the widths that the finite numbers need when each is printed on its own.
SINTER_INLINE void fit_widths(float_format& f, const codegen::sequence<double>& values) {
    int exponent_width = 0;
    for (double x : values) {
        if (!ieee::is_finite(x)) continue;
        std::string s = f.exponent ? scientific_text(x, f.type, f.rules) : positional_text(x, f.type, f.rules);
        auto point = static_cast<int>(s.find('.'));
        auto end = static_cast<int>(f.exponent ? s.find('e') : s.size());
        if (point > f.pad_left) f.pad_left = point;
        if (end - point - 1 > f.pad_right) f.pad_right = end - point - 1;
        if (int width = static_cast<int>(s.size()) - end - 2; width > exponent_width) exponent_width = width;
    }
    if (f.exponent) f.exponent_digits = exponent_width;
}

/// What the common format depends on.
struct float_range {
    double max = 0;  ///< of the magnitudes of finite nonzero numbers
    double min = ieee::infinity;
    bool finite = false;
    bool special = false;
    bool negative = false;  ///< a finite number has a sign
    bool negative_infinity = false;
};

SINTER_INLINE float_range scan_floats(const codegen::sequence<double>& values) {
    float_range r;
    for (double x : values) {
        if (!ieee::is_finite(x)) {
            r.special = true;
            r.negative_infinity = r.negative_infinity || (ieee::is_infinite(x) && x < 0);
            continue;
        }
        r.finite = true;
        r.negative = r.negative || ieee::has_sign(x);
        if (double a = ieee::fabs(x); a != 0) {
            if (a > r.max) r.max = a;
            if (a < r.min) r.min = a;
        }
    }
    return r;
}

SINTER_INLINE float_format fit_floats(const codegen::sequence<double>& values, dtype type, const print_options& o,
                                      char sign) {
    float_range range = scan_floats(values);
    float_format f;
    f.type = type;
    f.nan_text = o.nanstr;
    f.inf_text = o.infstr;
    bool fixed = o.floatmode == float_mode::fixed;
    f.rules.precision = o.floatmode == float_mode::unique ? -1 : o.precision;
    f.rules.unique = !fixed;
    f.rules.keep_zeros = fixed;
    f.rules.plus = sign == '+';
    f.exponent = needs_exponent(range.max, range.min, type, o.suppress);
    if (range.finite) fit_widths(f, values);
    if (f.exponent || fixed || o.floatmode == float_mode::maxprec_equal) {
        f.rules.precision = f.rules.min_digits = f.pad_right;
        f.rules.keep_zeros = true;
    }
    if (f.exponent) f.pad_right += f.exponent_digits + 2;
    if (sign == ' ' && !range.negative) ++f.pad_left;
    if (range.special) {
        int offset = f.pad_right + 1;
        int inf_size = static_cast<int>(o.infstr.size()) + (sign != '-' || range.negative_infinity) - offset;
        int nan_size = static_cast<int>(o.nanstr.size()) - offset;
        if (inf_size > f.pad_left) f.pad_left = inf_size;
        if (nan_size > f.pad_left) f.pad_left = nan_size;
    }
    return f;
}

SINTER_INLINE void write_floats(codegen::sequence<std::string>& words, dtype type, const void* data,
                                const print_options& o) {
    dtype real = codegen::real_of(type);
    std::size_t parts = codegen::is_complex(type) ? 2 : 1;
    codegen::sequence<double> values(words.size());
    for (std::size_t part = 0; part < parts; ++part) {
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = load_part(real, data, i * parts + part);
        float_format f = fit_floats(values, real, o, part == 1 ? '+' : o.sign);
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::string s = f(values[i]);
            if (part == 1) s.insert(s.find_last_not_of(' ') + 1, 1, 'j');
            words[i] += s;
        }
    }
}

// Each with six digits, by itself, as the ml_dtypes package for Python prints it.
SINTER_INLINE std::string bfloat16_text(const void* data, std::size_t i) {
    char text[32];
    const double x = load_part(dtype::bfloat16, data, i);
    std::snprintf(text, sizeof text, "%g", ieee::is_nan(x) ? ieee::fabs(x) : x);
    return text;
}

SINTER_INLINE void write_integers(codegen::sequence<std::string>& words, dtype type, const void* data, char sign) {
    std::size_t width = 0;
    bool negative = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
        words[i] = integer_text(type, data, i);
        negative = negative || words[i][0] == '-';
    }
    for (std::string& s : words) {
        if (s[0] != '-' && (sign == '+' || (sign == ' ' && !negative))) s.insert(0, 1, sign);
        if (s.size() > width) width = s.size();
    }
    for (std::string& s : words) pad_front(s, static_cast<int>(width));
}

SINTER_INLINE codegen::sequence<std::string> write_words(dtype type, std::size_t count, const void* data,
                                                         bool rank_zero, const print_options& o) {
    codegen::sequence<std::string> words(count);
    if (type == dtype::bool_)
        for (std::size_t i = 0; i < count; ++i)
            words[i] = !load_integer(type, data, i) ? "False" : rank_zero ? "True" : " True";
    else if (type == dtype::bfloat16)
        for (std::size_t i = 0; i < count; ++i) words[i] = bfloat16_text(data, i);
    else if (codegen::is_integer(type)) write_integers(words, type, data, o.sign);
    else write_floats(words, type, data, o);
    return words;
}

/// Nests words in brackets, in the order in which they are printed.
struct row_writer {
    const codegen::sequence<std::string>& words;
    const dims& shape;
    const dims& shown;
    std::string separator;
    std::size_t next = 0;

    std::string write(int axis, const std::string& indent, int width);
    std::string write_row(int axis, const std::string& indent, int width);
};

SINTER_INLINE void append_line(std::string& text, std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    text += line;
    text += '\n';
}

SINTER_INLINE std::string row_writer::write_row(int axis, const std::string& indent, int width) {
    std::string text, line = indent;
    auto add = [&](const std::string& word, bool last) {
        bool full = static_cast<std::int64_t>(line.size() + word.size()) > width;
        if (full && line.size() > indent.size()) {
            append_line(text, std::move(line));
            line = indent;
        }
        line += word;
        if (!last) line += separator;
    };
    for (std::int64_t i = 0; i < shown[axis]; ++i) {
        if (shown[axis] < shape[axis] && 2 * i == shown[axis]) add("...", false);
        add(words[next++], i + 1 == shown[axis]);
    }
    return text + line;
}

SINTER_INLINE std::string row_writer::write(int axis, const std::string& indent, int width) {
    int axes_left = shape.size() - axis;
    if (axes_left == 0) return words[next++];
    std::string text;
    if (axes_left == 1) {
        text = write_row(axis, indent, width - 1);
    } else {
        std::string line_end = separator.size() > 1 ? "," : "";
        line_end.append(static_cast<std::size_t>(axes_left - 1), '\n');
        for (std::int64_t i = 0; i < shown[axis]; ++i) {
            if (shown[axis] < shape[axis] && 2 * i == shown[axis]) text += indent + "..." + line_end;
            text += indent + write(axis + 1, indent + " ", width - 1);
            if (i + 1 < shown[axis]) text += line_end;
        }
    }
    text.replace(0, indent.size(), 1, '[');
    return text + "]";
}

SINTER_INLINE std::string nest_words(const codegen::sequence<std::string>& words, const dims& shape, std::size_t start,
                                     bool repr, const print_options& o) {
    const dims shown = shown_shape(shape, o);
    row_writer writer{words, shape, shown, repr ? ", " : " "};
    return writer.write(0, std::string(start + 1, ' '), repr ? o.linewidth - 1 : o.linewidth);
}

SINTER_INLINE std::string append_extras(std::string text, dtype type, const dims& shape, bool empty, bool summarised,
                                        int linewidth) {
    bool implied = type == dtype::bool_ || type == dtype::int64 || type == dtype::float64 || type == dtype::complex128;
    std::string extras;
    if ((empty && !(shape == dims(0))) || summarised) extras = "shape=" + to_string(shape);
    if (!implied || empty) extras += (extras.empty() ? "dtype=" : ", dtype=") + std::string(to_string(type));
    if (extras.empty()) return text + ")";
    text += ',';
    extras += ')';
    std::size_t last_line = text.size() - (text.rfind('\n') + 1);
    bool fits = static_cast<std::int64_t>(last_line + extras.size()) + 1 <= linewidth;
    return text + (fits ? " " : "\n      ") + extras;
}

SINTER_INLINE std::string format_array(dtype type, const dims& shape, const void* data, bool repr,
                                       const print_options& o) {
    const codegen::subnormal_scope exact;
    if (shape.empty() && !repr) return format_scalar(type, data, false);
    bool empty = false;
    for (std::int64_t n : shape) empty = empty || n == 0;
    std::string body = "[]";
    if (!empty) {
        const auto count = static_cast<std::size_t>(shown_shape(shape, o).product());
        body = nest_words(write_words(type, count, data, shape.empty(), o), shape, repr ? 6 : 0, repr, o);
    }
    if (!repr) return body;
    return append_extras("array(" + body, type, shape, empty, is_summarised(shape, o), o.linewidth);
}

SINTER_INLINE std::string format_scalar(dtype type, const void* value, bool repr) {
    const codegen::subnormal_scope exact;
    std::string text;
    if (type == dtype::bool_) {
        text = load_integer(type, value, 0) ? "True" : "False";
        return repr ? "np." + text + "_" : text;
    }
    if (type == dtype::bfloat16) return bfloat16_text(value, 0);
    if (codegen::is_integer(type)) text = integer_text(type, value, 0);
    else if (codegen::is_complex(type))
        text = complex_text(load_part(codegen::real_of(type), value, 0), load_part(codegen::real_of(type), value, 1),
                            codegen::real_of(type));
    else text = floating_text(load_part(type, value, 0), type, false);
    if (!repr) return text;
    bool enclosed = text[0] == '(';
    return "np." + std::string(to_string(type)) + (enclosed ? text : "(" + text + ")");
}

}  // namespace detail
}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END
