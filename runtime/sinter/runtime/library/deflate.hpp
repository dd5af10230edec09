// CRC-32, and deflated bytes by the system's zlib (RFC 1951), which is looked up at their first use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sinter/codegen/base/config.hpp>
#include <string>

namespace sinter::inline SINTER_ABI::runtime {

/// The CRC-32 of zip files and PNG (ISO 3309) of bytes that follow others with this one.
std::uint32_t crc32(std::uint32_t before, const char* data, std::size_t count);
/// The CRC-32 of bytes and `count` others behind them, from those of both.
std::uint32_t joined_crc32(std::uint32_t first, std::uint32_t second, std::uint64_t count);

/// Whether zlib is there; otherwise `why` says where it was sought.
bool zlib_available(std::string* why = nullptr);

/// zlib's z_stream, whose layout is the same in every version since 1.1.
struct zlib_stream {
    const unsigned char* next_in = nullptr;
    unsigned available_in = 0;
    unsigned long total_in = 0;
    unsigned char* next_out = nullptr;
    unsigned available_out = 0;
    unsigned long total_out = 0;
    const char* message = nullptr;
    void *state = nullptr, *allocate = nullptr, *release = nullptr, *opaque = nullptr;
    int data_type = 0;
    unsigned long adler = 0, reserved = 0;
};

/// Inflates or deflates raw streams piece by piece; throws io_error when there is no zlib.
class deflate_stream {
public:
    enum class direction { inflate, deflate };
    deflate_stream(direction d, const std::string& operation);
    ~deflate_stream();
    deflate_stream(const deflate_stream&) = delete;
    deflate_stream& operator=(const deflate_stream&) = delete;

    /// Takes from `in` and writes to `out`, and moves both by what was used of them. Of the last input `last` is true.
    /// `ok`: there may be more · `end`: the stream is complete · `bad`: the input is no such stream.
    enum class outcome { ok, end, bad };
    outcome run(const char*& in, std::size_t& in_count, char*& out, std::size_t& out_count, bool last);

private:
    direction direction_;
    zlib_stream stream_;
};

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/deflate.ipp>
#endif
