// Bodies of text_table_write.hpp: formats are checked before anything is formatted with them.
#pragma once

#include <charconv>
#include <cstdio>
#include <cstring>
#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/io/text_table.hpp>
#include <sinter/io/text_table_write.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

/// An element's value in the type that keeps it.
struct formatted_number {
    enum class kind { floating, signed_integer, unsigned_integer } what = kind::floating;
    double f = 0;
    std::int64_t i = 0;
    std::uint64_t u = 0;

    double as_double() const {
        return what == kind::floating         ? f
               : what == kind::signed_integer ? static_cast<double>(i)
                                              : static_cast<double>(u);
    }
};

template <class T>
T text_element(const char* at) {
    T v;
    std::memcpy(&v, at, sizeof v);
    return v;
}

SINTER_INLINE formatted_number formatted_number_at(dtype type, const char* at) {
    auto floating = [](double v) { return formatted_number{formatted_number::kind::floating, v, 0, 0}; };
    auto integer = [](std::int64_t v) { return formatted_number{formatted_number::kind::signed_integer, 0, v, 0}; };
    auto natural = [](std::uint64_t v) { return formatted_number{formatted_number::kind::unsigned_integer, 0, 0, v}; };
    switch (type) {
        case dtype::bool_: return natural(*at != 0);
        case dtype::int8: return integer(text_element<std::int8_t>(at));
        case dtype::int16: return integer(text_element<std::int16_t>(at));
        case dtype::int32: return integer(text_element<std::int32_t>(at));
        case dtype::int64: return integer(text_element<std::int64_t>(at));
        case dtype::uint8: return natural(text_element<std::uint8_t>(at));
        case dtype::uint16: return natural(text_element<std::uint16_t>(at));
        case dtype::uint32: return natural(text_element<std::uint32_t>(at));
        case dtype::uint64: return natural(text_element<std::uint64_t>(at));
        case dtype::float32: return floating(static_cast<double>(text_element<float>(at)));
        case dtype::float64: return floating(text_element<double>(at));
        case dtype::float16: return floating(static_cast<double>(static_cast<float>(text_element<half>(at))));
        case dtype::bfloat16: return floating(static_cast<double>(static_cast<float>(text_element<bfloat16>(at))));
        default: throw internal_error("[savetxt] numbers of type " + std::string(to_string(type)));
    }
}

/// One conversion of a format and the text before it.
struct text_conversion {
    std::string before;
    std::string spec;  ///< "%.18e", without a length
    char letter = 'e';
    int precision = -1;  ///< of a plain "%.Ne" or "%.Nf", which needs no printf
};

SINTER_INLINE void format_text(std::string& out, const text_conversion& c, const formatted_number& v) {
    const bool is_integer = c.letter == 'd' || c.letter == 'i' || c.letter == 'u',
               is_bits = c.letter == 'x' || c.letter == 'X' || c.letter == 'o';
    char buffer[512];
    if (is_integer || is_bits) {
        formatted_number n = v;
        if (v.what == formatted_number::kind::floating) {
            if (is_bits || !(ieee::fabs(v.f) < 9.2e18))
                throw value_error("[savetxt] " + c.spec + " cannot write " + std::to_string(v.f));
            n = {formatted_number::kind::signed_integer, 0, static_cast<std::int64_t>(v.f), 0};
        }
        if (is_bits && n.what == formatted_number::kind::signed_integer && n.i < 0)
            throw value_error("[savetxt] " + c.spec + " cannot write " + std::to_string(n.i));
        const bool is_natural = n.what == formatted_number::kind::unsigned_integer;
        std::string spec = c.spec;
        spec.insert(spec.size() - 1, "ll");
        if (is_integer) spec.back() = is_natural ? 'u' : 'd';
        const int length =
            is_natural ? std::snprintf(buffer, sizeof buffer, spec.c_str(), static_cast<unsigned long long>(n.u))
                       : std::snprintf(buffer, sizeof buffer, spec.c_str(), static_cast<long long>(n.i));
        out.append(buffer, static_cast<std::size_t>(length));
        return;
    }
    const double f = ieee::is_nan(v.as_double()) ? ieee::fabs(v.as_double()) : v.as_double();
    if (c.precision >= 0 && ieee::is_finite(f)) {
        const auto how = c.letter == 'e' ? std::chars_format::scientific : std::chars_format::fixed;
        const std::to_chars_result r = std::to_chars(buffer, buffer + sizeof buffer, f, how, c.precision);
        if (r.ec == std::errc()) return void(out.append(buffer, r.ptr));
    }
    const int length = std::snprintf(buffer, sizeof buffer, c.spec.c_str(), f);
    out.append(buffer, static_cast<std::size_t>(length));
}

/// A checked format.
struct text_formats {
    codegen::sequence<text_conversion> conversions;
    std::string after;
};

SINTER_INLINE text_formats parse_text_formats(const std::string& fmt) {
    auto refuse = [&](const std::string& what) { throw value_error("[savetxt] fmt '" + fmt + "': " + what); };
    text_formats f;
    auto number = [&](std::size_t& at) {
        int n = 0;
        for (; at < fmt.size() && fmt[at] >= '0' && fmt[at] <= '9'; ++at) {
            n = 10 * n + (fmt[at] - '0');
            if (n > 100) refuse("widths and precisions go up to 100");
        }
        return n;
    };
    for (std::size_t at = 0; at < fmt.size();) {
        if (fmt[at] != '%') {
            f.after += fmt[at++];
            continue;
        }
        if (fmt.substr(at, 2) == "%%") {
            f.after += '%';
            at += 2;
            continue;
        }
        const std::size_t begin = at++;
        while (at < fmt.size() && std::strchr("-+ #0", fmt[at])) ++at;
        number(at);
        const bool is_plain = at == begin + 1, has_precision = at < fmt.size() && fmt[at] == '.';
        const int precision = has_precision ? number(++at) : 6;
        if (at == fmt.size() || !std::strchr("eEfFgGdiuxXo", fmt[at])) refuse("a conversion is none of eEfFgGdiuxXo");
        const bool is_fast = is_plain && (fmt[at] == 'e' || fmt[at] == 'f');
        f.conversions.push_back(
            {std::move(f.after), fmt.substr(begin, at + 1 - begin), fmt[at], is_fast ? precision : -1});
        f.after.clear();
        ++at;
    }
    if (f.conversions.empty()) refuse("it has no conversion such as %.18e");
    return f;
}

/// Writes the rows of a table in turn.
struct text_writer {
    dtype type;
    const savetxt_options& options;
    text_formats formats;
    std::size_t item = static_cast<std::size_t>(codegen::size_of(type));
    std::string out = {};

    // What NumPy makes of a format for numbers: " (%.18e+%.18ej)", then no plus before a minus.
    void add_element(const text_conversion& c, const char* at) {
        out += c.before;
        if (!codegen::is_complex(type)) return format_text(out, c, formatted_number_at(type, at));
        const dtype part = codegen::real_of(type);
        out += " (";
        format_text(out, c, formatted_number_at(part, at));
        std::string imaginary;
        format_text(imaginary, c, formatted_number_at(part, at + item / 2));
        if (!imaginary.starts_with('-')) out += '+';
        out += imaginary + "j)";
    }

    void add_row(std::int64_t columns, const char* row) {
        const bool is_one = formats.conversions.size() == 1;
        for (std::int64_t j = 0; j < columns; ++j) {
            if (is_one && j > 0) out += options.delimiter;
            add_element(formats.conversions[is_one ? 0 : static_cast<std::size_t>(j)],
                        row + static_cast<std::size_t>(j) * item);
            if (is_one) out += formats.after;
        }
        if (!is_one) out += formats.after;
        out += options.newline;
    }

    void add_comment(const std::string& text) {
        if (text.empty()) return;
        out += options.comments;
        for (char c : text) {
            out += c;
            if (c == '\n') out += options.comments;
        }
        out += options.newline;
    }
};

SINTER_INLINE void write_text_table(runtime::byte_sink& to, dtype type, const dims& table, const char* data,
                                    const savetxt_options& options) {
    const codegen::subnormal_scope exact;
    constexpr std::size_t piece = std::size_t{1} << 20;
    const std::string fmt = options.fmt.text(options.delimiter);
    text_writer w{type, options, parse_text_formats(fmt)};
    const bool is_one = w.formats.conversions.size() == 1 && !options.fmt.is_list();
    if (!is_one && static_cast<std::int64_t>(w.formats.conversions.size()) != table[1])
        throw value_error("[savetxt] fmt '" + fmt + "' has " + std::to_string(w.formats.conversions.size()) +
                          " conversions for " + std::to_string(table[1]) + " columns");
    w.add_comment(options.header);
    for (std::int64_t i = 0; i < table[0]; ++i) {
        w.add_row(table[1], data + static_cast<std::size_t>(i * table[1]) * w.item);
        if (w.out.size() < piece) continue;
        to.write(w.out.data(), w.out.size());
        w.out.clear();
    }
    w.add_comment(options.footer);
    to.write(w.out.data(), w.out.size());
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
