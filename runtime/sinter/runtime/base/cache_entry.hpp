// A compiled kernel as bytes that can be checked: what the disk cache keeps in a file each, and packs many in one.
#pragma once

#include <cstdint>
#include <optional>
#include <sinter/codegen/base/config.hpp>
#include <string_view>

namespace sinter::inline SINTER_ABI::runtime {

/// An entry is this header and the payload; `checksum` covers the payload and, through its seed, the size.
struct cache_header {
    char magic[8];
    char version[8];
    std::uint64_t payload_size;
    std::uint64_t checksum;
    char key_hash[64];
};

/// Sees damage inside one 8-byte word always and any other but once in 2^64 times; resists no adversary.
std::uint64_t cache_checksum(std::string_view payload);

/// The header of a payload whose key has this hash (64 characters).
cache_header make_cache_header(std::string_view key_hash, std::string_view payload);

/// What an entry holds, in the bytes that it was read from.
struct cache_entry {
    std::string_view key_hash;
    std::string_view payload;
};

/// The entry with which these bytes begin; nothing where it is not whole and undamaged.
std::optional<cache_entry> read_cache_entry(std::string_view bytes);

/// The bytes of a structure that is written to files as it is.
template <class T>
std::string_view bytes_of_header(const T& header) {
    return {reinterpret_cast<const char*>(&header), sizeof header};
}

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/base/cache_entry.ipp>
#endif
