// Bodies of npy.hpp: a parser of the header's one Python dictionary that trusts nothing, and POSIX reads and writes.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <sinter/codegen/sequence.hpp>
#include <sinter/npy.hpp>

namespace sinter::inline SINTER_ABI::detail {

static_assert(std::endian::native == std::endian::little, "sinter: .npy files need a little-endian machine");

[[noreturn]] SINTER_INLINE void fail_npy(const std::string& path, std::size_t offset, const std::string& what) {
    throw io_error("[load] " + path + ": " + what + " (at byte " + std::to_string(offset) + ")");
}

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
    const std::string& path;

    [[noreturn]] void fail(const std::string& what) const { fail_npy(path, at, what); }
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
        if (t == dtype::bfloat16 || s != codegen::kind_of(t) + std::to_string(codegen::size_of(t))) continue;
        swapped = order == '>' && codegen::size_of(t) > 1;
        return t;
    }
    where.fail("dtype " + quote_npy(descr) + " is not a type that sinter knows");
}

SINTER_INLINE void parse_npy_dictionary(npy_parser& p, npy_header& h) {
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
            if (p.peek() == '[') p.fail("structured dtypes are not supported");
            h.type = parse_npy_dtype(p.parse_string(), h.byte_swapped, p);
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
SINTER_INLINE std::int64_t count_npy_bytes(const npy_header& h, const std::string& path) {
    std::int64_t bytes = codegen::size_of(h.type);
    bool empty = false;
    for (std::int64_t n : h.shape) {
        empty = empty || n == 0;
        if (n != 0 && __builtin_mul_overflow(bytes, n, &bytes))
            fail_npy(path, h.data_offset, "shape " + to_string(h.shape) + " is too large");
    }
    return empty ? 0 : bytes;
}

SINTER_INLINE npy_header parse_npy_header(std::string_view start, std::int64_t size, const std::string& path) {
    if (start.size() < 10) fail_npy(path, start.size(), "too short for an .npy file");
    if (start.substr(0, 6) != "\x93NUMPY") fail_npy(path, 0, "not an .npy file");
    auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(start[i])); };
    if (byte(6) < 1 || byte(6) > 3 || byte(7) != 0)
        fail_npy(path, 6, "unknown format version " + std::to_string(byte(6)) + "." + std::to_string(byte(7)));
    bool brief = byte(6) == 1;
    std::size_t prefix = brief ? 10 : 12;
    if (start.size() < prefix) fail_npy(path, start.size(), "too short for an .npy file");
    std::size_t length = byte(8) | byte(9) << 8;
    if (!brief) length |= byte(10) << 16 | byte(11) << 24;
    if (length > npy_header_limit - 12)
        fail_npy(path, 8, "a header of " + std::to_string(length) + " bytes is too long");
    if (start.size() < prefix + length) fail_npy(path, start.size(), "the header is cut short");
    npy_header h;
    npy_parser parser{start.substr(0, prefix + length), prefix, path};
    parse_npy_dictionary(parser, h);
    h.data_offset = prefix + length;
    h.data_bytes = count_npy_bytes(h, path);
    if (std::int64_t present = size - static_cast<std::int64_t>(h.data_offset); h.data_bytes > present)
        fail_npy(path, static_cast<std::size_t>(size),
                 "the data is cut short: shape " + to_string(h.shape) + " of " + std::string(to_string(h.type)) +
                     " needs " + std::to_string(h.data_bytes) + " bytes, the file has " + std::to_string(present));
    return h;
}

SINTER_INLINE std::string make_npy_header(dtype type, const dims& shape) {
    if (type == dtype::bfloat16) throw type_error("[save] .npy files have no bfloat16: convert to float32 first");
    std::string descr = (codegen::size_of(type) == 1 ? "|" : "<") + std::string(1, codegen::kind_of(type)) +
                        std::to_string(codegen::size_of(type));
    std::string text = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + to_string(shape) + ", }";
    // NumPy leaves room for the first axis to grow to 21 digits in place, then pads to 64 bytes.
    if (!shape.empty()) text.append(21 - std::to_string(shape[0]).size(), ' ');
    text.append(64 - (10 + text.size() + 1) % 64, ' ');
    text += '\n';
    std::string header("\x93NUMPY\x01\x00", 8);
    header += static_cast<char>(text.size() & 255);
    header += static_cast<char>(text.size() >> 8);
    return header + text;
}

SINTER_INLINE npy_file::npy_file(const std::string& path) : path_(path) {
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw io_error("[load] cannot open " + path + ": " + std::strerror(errno));
    try {
        struct stat status = {};
        if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode))
            throw io_error("[load] not a regular file: " + path);
        auto size = static_cast<std::size_t>(status.st_size);
        std::string start(size < npy_header_limit ? size : npy_header_limit, '\0');
        read_bytes(start.data(), start.size(), 0);
        header_ = parse_npy_header(start, status.st_size, path);
    } catch (...) {
        ::close(descriptor_);
        throw;
    }
}

SINTER_INLINE npy_file::~npy_file() { ::close(descriptor_); }

SINTER_INLINE void npy_file::read_bytes(char* destination, std::size_t count, std::size_t offset) const {
    while (count > 0) {
        ssize_t n = ::pread(descriptor_, destination, count, static_cast<off_t>(offset));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail_npy(path_, offset, std::string("cannot read: ") + std::strerror(errno));
        if (n == 0) fail_npy(path_, offset, "the file became shorter while it was read");
        destination += n;
        offset += static_cast<std::size_t>(n);
        count -= static_cast<std::size_t>(n);
    }
}

// Swaps the bytes of big-endian parts, and makes any nonzero bool true: another value in a C++ bool is undefined.
SINTER_INLINE void normalise_npy(char* data, std::size_t bytes, const npy_header& h) {
    if (h.type == dtype::bool_)
        for (std::size_t i = 0; i < bytes; ++i) data[i] = data[i] != 0;
    if (!h.byte_swapped) return;
    auto part = static_cast<std::size_t>(codegen::size_of(codegen::real_of(h.type)));
    for (std::size_t i = 0; i < bytes; i += part)
        for (std::size_t j = 0; j < part / 2; ++j) {
            char c = data[i + j];
            data[i + j] = data[i + part - 1 - j];
            data[i + part - 1 - j] = c;
        }
}

SINTER_INLINE void npy_file::read(void* destination) const {
    if (header_.data_bytes == 0) return;
    auto* to = static_cast<char*>(destination);
    if (header_.fortran_order && header_.shape.size() > 1) return read_transposed(to);
    auto bytes = static_cast<std::size_t>(header_.data_bytes);
    read_bytes(to, bytes, header_.data_offset);
    normalise_npy(to, bytes, header_);
}

SINTER_INLINE void npy_file::read_transposed(char* destination) const {
    const dims& shape = header_.shape;
    dims strides = codegen::contiguous_strides(shape);
    dims index = dims::filled(shape.size(), 0);
    auto item = static_cast<std::size_t>(codegen::size_of(header_.type));
    auto bytes = static_cast<std::size_t>(header_.data_bytes);
    std::size_t piece = std::size_t{1} << 20;
    codegen::sequence<char> buffer(bytes < piece ? bytes : piece);
    std::int64_t to = 0;
    for (std::size_t done = 0; done < bytes; done += buffer.size()) {
        if (bytes - done < buffer.size()) buffer.resize(bytes - done);
        read_bytes(buffer.data(), buffer.size(), header_.data_offset + done);
        normalise_npy(buffer.data(), buffer.size(), header_);
        for (std::size_t from = 0; from < buffer.size(); from += item) {
            std::memcpy(destination + static_cast<std::size_t>(to) * item, buffer.data() + from, item);
            for (int axis = 0; axis < shape.size(); ++axis) {
                to += strides[axis];
                if (++index[axis] < shape[axis]) break;
                to -= strides[axis] * shape[axis];
                index[axis] = 0;
            }
        }
    }
}

SINTER_INLINE npy_header read_npy_header(const std::string& path) { return npy_file(path).header(); }

SINTER_INLINE void write_npy(const std::string& path, dtype type, const dims& shape, const void* data) {
    std::string header = make_npy_header(type, shape);
    auto bytes = static_cast<std::size_t>(shape.product()) * static_cast<std::size_t>(codegen::size_of(type));
    int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0) throw io_error("[save] cannot create " + path + ": " + std::strerror(errno));
    std::size_t written = 0;
    int problem = 0;
    while (problem == 0 && written < header.size() + bytes) {
        bool in_header = written < header.size();
        const char* from =
            in_header ? header.data() + written : static_cast<const char*>(data) + (written - header.size());
        ssize_t n = ::write(descriptor, from, (in_header ? header.size() : header.size() + bytes) - written);
        if (n > 0) written += static_cast<std::size_t>(n);
        else if (n == 0) problem = EIO;
        else if (errno != EINTR) problem = errno;
    }
    if (::close(descriptor) != 0 && problem == 0) problem = errno;
    if (problem != 0)
        throw io_error("[save] cannot write " + path + ": " + std::strerror(problem) + " (at byte " +
                       std::to_string(written) + ")");
}

}  // namespace sinter::inline SINTER_ABI::detail
