// Bodies of deflate.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/runtime/library/deflate.hpp>
#include <sinter/runtime/library/libraries.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// Eight tables, by which eight bytes are taken at once: entry k of a table is what byte k adds that many places
/// further on.
using crc_tables = std::array<std::array<std::uint32_t, 256>, 8>;

SINTER_INLINE const crc_tables& crc_tables_of_process() {
    static const crc_tables tables = [] {
        crc_tables t{};
        for (std::uint32_t i = 0; i < 256; ++i) {
            std::uint32_t c = i;
            for (int bit = 0; bit < 8; ++bit) c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1;
            t[0][i] = c;
        }
        for (std::size_t k = 1; k < 8; ++k)
            for (std::size_t i = 0; i < 256; ++i) t[k][i] = t[0][t[k - 1][i] & 255] ^ t[k - 1][i] >> 8;
        return t;
    }();
    return tables;
}

SINTER_INLINE std::uint32_t crc32(std::uint32_t before, const char* data, std::size_t count) {
    const crc_tables& t = crc_tables_of_process();
    std::uint32_t c = ~before;
    for (; count >= 8; count -= 8, data += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, data, 8);
        word ^= c;
        c = t[7][word & 255] ^ t[6][word >> 8 & 255] ^ t[5][word >> 16 & 255] ^ t[4][word >> 24 & 255] ^
            t[3][word >> 32 & 255] ^ t[2][word >> 40 & 255] ^ t[1][word >> 48 & 255] ^ t[0][word >> 56];
    }
    for (; count > 0; --count) c = t[0][(c ^ static_cast<unsigned char>(*data++)) & 255] ^ c >> 8;
    return ~c;
}

// The product of two polynomials modulo the CRC's, of which the highest bit has no power of x.
SINTER_INLINE std::uint32_t crc_product(std::uint32_t a, std::uint32_t b) {
    std::uint32_t product = 0;
    for (std::uint32_t bit = 1u << 31; bit != 0; bit >>= 1) {
        if (a & bit) product ^= b;
        b = b & 1 ? 0xEDB88320u ^ b >> 1 : b >> 1;
    }
    return product;
}

// Bytes that follow multiply what stands before by a power of x, which squares make.
SINTER_INLINE std::uint32_t joined_crc32(std::uint32_t first, std::uint32_t second, std::uint64_t count) {
    std::uint32_t square = 1u << 23;
    for (; count != 0; count >>= 1) {
        if (count & 1) first = crc_product(square, first);
        square = crc_product(square, square);
    }
    return first ^ second;
}

/// The functions of zlib that are used.
struct zlib_table {
    const shared_library& library = zlib_library();
    int (*inflate_init)(zlib_stream*, int window, const char* version, int size) = nullptr;
    int (*inflate)(zlib_stream*, int flush) = nullptr;
    int (*inflate_end)(zlib_stream*) = nullptr;
    int (*deflate_init)(zlib_stream*, int level, int method, int window, int memory, int strategy, const char* version,
                        int size) = nullptr;
    int (*deflate)(zlib_stream*, int flush) = nullptr;
    int (*deflate_end)(zlib_stream*) = nullptr;

    zlib_table() {
        inflate_init = library.function<int(zlib_stream*, int, const char*, int)>("inflateInit2_");
        inflate = library.function<int(zlib_stream*, int)>("inflate");
        inflate_end = library.function<int(zlib_stream*)>("inflateEnd");
        deflate_init = library.function<int(zlib_stream*, int, int, int, int, int, const char*, int)>("deflateInit2_");
        deflate = library.function<int(zlib_stream*, int)>("deflate");
        deflate_end = library.function<int(zlib_stream*)>("deflateEnd");
    }
    bool is_complete() const {
        return inflate_init && inflate && inflate_end && deflate_init && deflate && deflate_end;
    }
};

SINTER_INLINE const zlib_table& zlib() {
    static const zlib_table& t = *new zlib_table;
    return t;
}

SINTER_INLINE bool zlib_available(std::string* why) {
    if (zlib().is_complete()) return true;
    if (why) *why = zlib().library ? "zlib " + zlib().library.path() + " lacks functions" : zlib().library.why();
    return false;
}

SINTER_INLINE deflate_stream::deflate_stream(direction d, const std::string& operation) : direction_(d) {
    std::string why;
    if (!zlib_available(&why)) throw io_error(codegen::joined({"[", operation, "] deflated data needs zlib: ", why}));
    constexpr int raw = -15, deflated = 8, default_level = -1, default_memory = 8;
    const int size = static_cast<int>(sizeof stream_);
    const int failed = d == direction::inflate ? zlib().inflate_init(&stream_, raw, "1.2.0", size)
                                               : zlib().deflate_init(&stream_, default_level, deflated, raw,
                                                                     default_memory, 0, "1.2.0", size);
    if (failed) throw io_error(codegen::joined({"[", operation, "] zlib cannot begin: error ", failed}));
}

SINTER_INLINE deflate_stream::~deflate_stream() {
    if (direction_ == direction::inflate) zlib().inflate_end(&stream_);
    else zlib().deflate_end(&stream_);
}

SINTER_INLINE deflate_stream::outcome deflate_stream::run(const char*& in, std::size_t& in_count, char*& out,
                                                          std::size_t& out_count, bool last) {
    constexpr std::size_t most = std::size_t{1} << 30;  // zlib counts in unsigned int
    constexpr int no_flush = 0, finish = 4, stream_end = 1, no_progress = -5;
    stream_.next_in = reinterpret_cast<const unsigned char*>(in);
    stream_.available_in = static_cast<unsigned>(std::min(in_count, most));
    stream_.next_out = reinterpret_cast<unsigned char*>(out);
    stream_.available_out = static_cast<unsigned>(std::min(out_count, most));
    const unsigned given = stream_.available_in, room = stream_.available_out;
    const bool finishes = direction_ == direction::deflate && last && given == in_count;
    const int result = direction_ == direction::inflate ? zlib().inflate(&stream_, no_flush)
                                                        : zlib().deflate(&stream_, finishes ? finish : no_flush);
    const std::size_t used = given - stream_.available_in, made = room - stream_.available_out;
    in += used;
    in_count -= used;
    out += made;
    out_count -= made;
    if (result == stream_end) return outcome::end;
    return result == 0 || result == no_progress ? outcome::ok : outcome::bad;
}

}  // namespace sinter::inline SINTER_ABI::runtime
