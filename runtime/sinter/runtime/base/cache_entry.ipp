// Bodies of cache_entry.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <sinter/runtime/base/cache_entry.hpp>

namespace sinter::inline SINTER_ABI::runtime {

// Every step is a bijection of the state, so damage inside one 8-byte word is always seen and any other is missed once
// in 2^64 times; owners only write here, so that it need not resist an adversary, and it is fast without optimisation.
SINTER_INLINE std::uint64_t cache_checksum(std::string_view payload) {
    std::uint64_t h = 0x9e3779b97f4a7c15u ^ payload.size();
    for (std::size_t at = 0; at < payload.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, payload.data() + at, std::min<std::size_t>(8, payload.size() - at));
        h = (h ^ word) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    return h;
}

SINTER_INLINE cache_header make_cache_header(std::string_view key_hash, std::string_view payload) {
    cache_header h{};
    std::memcpy(h.magic, "sinter\r\n", 8);
    std::strncpy(h.version, SINTER_VERSION, sizeof h.version - 1);
    h.payload_size = payload.size();
    h.checksum = cache_checksum(payload);
    std::memcpy(h.key_hash, key_hash.data(), sizeof h.key_hash);
    return h;
}

SINTER_INLINE std::optional<cache_entry> read_cache_entry(std::string_view bytes) {
    cache_header header;
    if (bytes.size() < sizeof header) return std::nullopt;
    std::memcpy(&header, bytes.data(), sizeof header);
    if (header.payload_size > bytes.size() - sizeof header) return std::nullopt;
    const cache_entry e{bytes.substr(offsetof(cache_header, key_hash), sizeof header.key_hash),
                        bytes.substr(sizeof header, std::size_t(header.payload_size))};
    const cache_header expected = make_cache_header(e.key_hash, e.payload);
    if (std::memcmp(&expected, &header, sizeof header) != 0) return std::nullopt;
    return e;
}

}  // namespace sinter::inline SINTER_ABI::runtime
