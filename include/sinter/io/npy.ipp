// Bodies of npy.hpp: a parser of the header's one Python dictionary that trusts nothing.
#pragma once

#include <bit>
#include <cstring>
#include <sinter/codegen/base/error.hpp>
#include <sinter/io/npy.hpp>

namespace sinter::inline SINTER_ABI::detail {

static_assert(std::endian::native == std::endian::little, "sinter: .npy files need a little-endian machine");

// File contents in a message: printable, and short however long they are.
SINTER_INLINE std::string quote_npy(std::string_view text) {
    std::string s = "'";
    for (char c : text.substr(0, 40)) s += c >= ' ' && c <= '~' ? c : '?';
    return s + (text.size() > 40 ? "...'" : "'");
}

/// Reads the dictionary literal; positions are bytes of the file.
struct npy_parser {
    std::string_view text;
    std::size_t at;
    const file_place& where;

    [[noreturn]] void fail(const std::string& what) const { where.fail(at, what); }
    char peek();
    bool take(char c);
    void expect(char c);
    std::string_view parse_string();
    bool parse_bool();
    std::int64_t parse_size();
    dims parse_shape();
};

SINTER_INLINE char npy_parser::peek() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r')) ++at;
    return at < text.size() ? text[at] : '\0';
}

SINTER_INLINE bool npy_parser::take(char c) {
    if (peek() != c || at == text.size()) return false;
    ++at;
    return true;
}

SINTER_INLINE void npy_parser::expect(char c) {
    if (!take(c))
        fail("malformed header: expected '" + std::string(1, c) + "', found " + quote_npy(text.substr(at, 1)));
}

SINTER_INLINE std::string_view npy_parser::parse_string() {
    char quote = peek();
    if (quote != '\'' && quote != '"')
        fail("malformed header: expected a string, found " + quote_npy(text.substr(at, 1)));
    std::size_t end = text.find(quote, at + 1);
    if (end == std::string_view::npos) fail("malformed header: a string does not end");
    std::string_view s = text.substr(at + 1, end - at - 1);
    at = end + 1;
    return s;
}

SINTER_INLINE bool npy_parser::parse_bool() {
    peek();
    bool value = text.substr(at, 4) == "True";
    if (!value && text.substr(at, 5) != "False")
        fail("malformed header: fortran_order is neither True nor False: " + quote_npy(text.substr(at, 5)));
    at += value ? 4 : 5;
    return value;
}

SINTER_INLINE std::int64_t npy_parser::parse_size() {
    char c = peek();
    if (c < '0' || c > '9') fail("malformed header: a size in shape is not a number: " + quote_npy(text.substr(at, 8)));
    std::int64_t n = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
        if (__builtin_mul_overflow(n, std::int64_t{10}, &n) || __builtin_add_overflow(n, text[at] - '0', &n))
            fail("a size in shape is too large");
    if (at < text.size() && text[at] == 'L') ++at;  // Python 2 wrote its long integers so
    return n;
}

SINTER_INLINE dims npy_parser::parse_shape() {
    dims shape;
    expect('(');
    while (!take(')')) {
        if (shape.size() == max_rank) fail("the array has more than " + std::to_string(max_rank) + " axes");
        shape.push_back(parse_size());
        if (take(',')) continue;
        if (shape.size() == 1) fail("malformed header: shape is not a tuple");
        expect(')');
        break;
    }
    return shape;
}

// Kind and size of a type that NumPy has; of bfloat16 what ml_dtypes makes of it, two bytes without a type.
SINTER_INLINE std::string npy_name(dtype t) {
    if (t == dtype::complex32) return "";
    return t == dtype::bfloat16 ? "V2" : codegen::kind_of(t) + std::to_string(codegen::size_of(t));
}

// Byte order, kind and size, as in '<f8'; sizes of NumPy's types are one or two digits.
SINTER_INLINE dtype parse_npy_dtype(std::string_view descr, bool& swapped, const npy_parser& where) {
    std::string_view s = descr;
    char order = '=';
    if (!s.empty() && (s[0] == '<' || s[0] == '>' || s[0] == '|' || s[0] == '=')) {
        order = s[0];
        s.remove_prefix(1);
    }
    if (!s.empty() && s[0] == 'O')
        where.fail("dtype " + quote_npy(descr) + " holds Python objects, which sinter does not read");
    for (int i = 0; i < dtype_count; ++i) {
        dtype t = static_cast<dtype>(i);
        if (const std::string name = npy_name(t); name.empty() || s != name) continue;
        swapped = order == '>' && codegen::size_of(t) > 1;
        return t;
    }
    where.fail("dtype " + quote_npy(descr) + " is not a type that sinter knows");
}

// A list of names and types; members without a name, of `V` and a number of bytes, fill gaps.
SINTER_INLINE void parse_npy_fields(npy_parser& p, npy_header& h) {
    std::int64_t bytes = 0;
    p.expect('[');
    while (!p.take(']')) {
        p.expect('(');
        npy_field f;
        f.name = p.parse_string();
        f.offset = static_cast<std::size_t>(bytes);
        p.expect(',');
        const std::string_view type = p.parse_string();
        if (!p.take(')')) p.fail("the member " + quote_npy(f.name) + " is an array itself");
        const bool is_gap = f.name.empty() && type.starts_with("|V");
        if (is_gap) {
            npy_parser digits{type, 2, p.where};
            const std::int64_t gap = digits.parse_size();
            if (gap > std::int64_t{1} << 30) p.fail("a gap of " + std::to_string(gap) + " bytes in a record");
            bytes += gap;
        } else {
            f.type = parse_npy_dtype(type, f.byte_swapped, p);
            bytes += codegen::size_of(f.type);
            h.fields.push_back(std::move(f));
        }
        if (p.take(',')) continue;
        p.expect(']');
        break;
    }
    if (h.fields.empty()) p.fail("records without members");
    h.record_bytes = bytes;
}

SINTER_INLINE void parse_npy_dictionary(npy_parser& p, npy_header& h, bool allows_records) {
    bool descr = false, order = false, shape = false;
    p.expect('{');
    while (!p.take('}')) {
        std::string_view key = p.parse_string();
        bool& seen = key == "descr" ? descr : key == "fortran_order" ? order : shape;
        if (&seen == &shape && key != "shape") p.fail("malformed header: unknown key " + quote_npy(key));
        if (seen) p.fail("malformed header: key " + quote_npy(key) + " appears twice");
        seen = true;
        p.expect(':');
        if (&seen == &descr) {
            const bool is_list = p.peek() == '[';
            if (is_list && !allows_records) p.fail("structured dtypes are not supported");
            if (is_list) parse_npy_fields(p, h);
            else h.type = parse_npy_dtype(p.parse_string(), h.byte_swapped, p);
        } else if (&seen == &order) {
            h.fortran_order = p.parse_bool();
        } else {
            h.shape = p.parse_shape();
        }
        if (p.take(',')) continue;
        p.expect('}');
        break;
    }
    p.peek();
    if (p.at != p.text.size()) p.fail("malformed header: text after the dictionary: " + quote_npy(p.text.substr(p.at)));
    if (!descr || !order || !shape)
        p.fail("malformed header: key '" +
               std::string(!descr   ? "descr"
                           : !order ? "fortran_order"
                                    : "shape") +
               "' is missing");
}

// Axes of size zero do not excuse the others, as in NumPy: strides of such a shape would overflow.
SINTER_INLINE std::int64_t count_npy_bytes(const npy_header& h, const file_place& where) {
    std::int64_t bytes = h.fields.empty() ? codegen::size_of(h.type) : h.record_bytes;
    bool empty = false;
    for (std::int64_t n : h.shape) {
        empty = empty || n == 0;
        if (n != 0 && __builtin_mul_overflow(bytes, n, &bytes))
            where.fail(h.data_offset, "shape " + to_string(h.shape) + " is too large");
    }
    return empty ? 0 : bytes;
}

SINTER_INLINE npy_header parse_npy_header(std::string_view start, std::int64_t size, const file_place& where,
                                          bool allows_records) {
    if (start.size() < 10) where.fail(start.size(), "too short for an .npy file");
    if (start.substr(0, 6) != "\x93NUMPY") where.fail(0, "not an .npy file");
    auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(start[i])); };
    if (byte(6) < 1 || byte(6) > 3 || byte(7) != 0)
        where.fail(6, "unknown format version " + std::to_string(byte(6)) + "." + std::to_string(byte(7)));
    bool brief = byte(6) == 1;
    std::size_t prefix = brief ? 10 : 12;
    if (start.size() < prefix) where.fail(start.size(), "too short for an .npy file");
    std::size_t length = byte(8) | byte(9) << 8;
    if (!brief) length |= byte(10) << 16 | byte(11) << 24;
    if (length > npy_header_limit - 12) where.fail(8, "a header of " + std::to_string(length) + " bytes is too long");
    if (start.size() < prefix + length) where.fail(start.size(), "the header is cut short");
    npy_header h;
    npy_parser parser{start.substr(0, prefix + length), prefix, where};
    parse_npy_dictionary(parser, h, allows_records);
    h.data_offset = prefix + length;
    h.data_bytes = count_npy_bytes(h, where);
    if (std::int64_t present = size - static_cast<std::int64_t>(h.data_offset); h.data_bytes > present)
        where.fail(static_cast<std::size_t>(size),
                   "the data is cut short: shape " + to_string(h.shape) + " of " + std::string(to_string(h.type)) +
                       " needs " + std::to_string(h.data_bytes) + " bytes, the file has " + std::to_string(present));
    return h;
}

SINTER_INLINE std::string npy_descr(dtype type) {
    const std::string name = npy_name(type);
    if (name.empty())
        throw type_error("[save] .npy files have no " + std::string(to_string(type)) + ": convert to " +
                         std::string(to_string(codegen::widened(type))) + " first");
    return (codegen::size_of(type) == 1 ? "|" : "<") + name;
}

SINTER_INLINE std::string make_npy_header_of(const std::string& descr, const dims& shape) {
    std::string text = "{'descr': " + descr + ", 'fortran_order': False, 'shape': " + to_string(shape) + ", }";
    // NumPy leaves room for the first axis to grow to 21 digits in place, then pads to 64 bytes.
    if (!shape.empty()) text.append(21 - std::to_string(shape[0]).size(), ' ');
    text.append(64 - (10 + text.size() + 1) % 64, ' ');
    text += '\n';
    if (text.size() > 65535) throw type_error("[save] the names of a record's members are too long for an .npy file");
    std::string header("\x93NUMPY\x01\x00", 8);
    header += static_cast<char>(text.size() & 255);
    header += static_cast<char>(text.size() >> 8);
    return header + text;
}

SINTER_INLINE std::string make_npy_header(dtype type, const dims& shape) {
    return make_npy_header_of("'" + npy_descr(type) + "'", shape);
}

SINTER_INLINE std::string npy_record_descr(codegen::span<const npy_field> fields, std::string (*text_of)(dtype)) {
    std::string descr = "[";
    for (const npy_field& f : fields)
        descr.append(descr.size() > 1 ? ", ('" : "('").append(f.name).append("', '").append(text_of(f.type)) += "')";
    return descr + "]";
}

SINTER_INLINE std::string make_npy_record_header(codegen::span<const npy_field> fields, const dims& shape) {
    return make_npy_header_of(npy_record_descr(fields, npy_descr), shape);
}

SINTER_INLINE npy_header read_npy_header(byte_source& from, std::int64_t size, const file_place& where,
                                         bool allows_records) {
    std::string start;
    auto grow = [&](std::size_t to) {
        const std::size_t before = start.size(), present = static_cast<std::size_t>(size);
        start.resize(to < present ? to : present);
        from.read(start.data() + before, start.size() - before);
        return start.size() == to;
    };
    auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(start[i])); };
    if (grow(10) && start.substr(0, 6) == "\x93NUMPY" && byte(6) >= 1 && byte(6) <= 3) {
        const std::size_t prefix = byte(6) == 1 ? 10 : 12;
        if (grow(prefix)) {
            std::size_t length = byte(8) | byte(9) << 8;
            if (prefix == 12) length |= byte(10) << 16 | byte(11) << 24;
            if (length <= npy_header_limit - 12) grow(prefix + length);
        }
    }
    return parse_npy_header(start, size, where, allows_records);
}

template <std::size_t Size>
void swap_npy(char* data, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; i += Size) {
        char part[Size];
        for (std::size_t j = 0; j < Size; ++j) part[j] = data[i + Size - 1 - j];
        std::memcpy(data + i, part, Size);
    }
}

// Any nonzero bool becomes true because another value in a C++ bool is undefined.
SINTER_INLINE void npy_elements::read(char* to, std::size_t count) {
    from_.read(to, count);
    if (header_.type == dtype::bool_)
        for (std::size_t i = 0; i < count; ++i) to[i] = to[i] != 0;
    if (!header_.byte_swapped) return;
    switch (codegen::size_of(codegen::real_of(header_.type))) {
        case 2: return swap_npy<2>(to, count);
        case 4: return swap_npy<4>(to, count);
        default: return swap_npy<8>(to, count);
    }
}

SINTER_INLINE void to_machine_order(char* element, const npy_field& f) {
    const auto bytes = static_cast<std::size_t>(codegen::size_of(f.type));
    if (f.type == dtype::bool_) *element = *element != 0;
    if (!f.byte_swapped) return;
    switch (codegen::size_of(codegen::real_of(f.type))) {
        case 2: return swap_npy<2>(element, bytes);
        case 4: return swap_npy<4>(element, bytes);
        case 8: return swap_npy<8>(element, bytes);
        default: return;
    }
}

}  // namespace sinter::inline SINTER_ABI::detail
