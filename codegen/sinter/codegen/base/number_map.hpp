// Hash tables from 64-bit keys and from texts to 32-bit numbers; no templates, because std::unordered_map costs users'
// files 50 ms per key type.
#pragma once

#include <sinter/codegen/base/sequence.hpp>

#include <cstdint>
#include <string>

namespace sinter::inline SINTER_ABI::codegen {

class number_map {
public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    /// The number of a key, or none.
    std::uint32_t find(std::uint64_t key) const;
    /// Gives a key a number unless it has one; the number it has now.
    std::uint32_t add(std::uint64_t key, std::uint32_t number);
    /// Forgets all keys and keeps the room.
    void clear();

private:
    struct entry {
        std::uint64_t key = 0;
        std::uint32_t number = none;
    };

    std::size_t place_of(std::uint64_t key) const;

    sequence<entry> entries_;  ///< a power of two, at most half of them in use
    std::size_t used_ = 0;
};

class text_map {
public:
    std::size_t size() const { return entries_.size(); }
    /// The number of a text, or number_map::none.
    std::uint32_t find(const std::string& key) const;
    /// Gives a number to a text that has none.
    void add(const std::string& key, std::uint32_t number);
    /// The texts in the order in which they were added, and their numbers.
    const std::string& key_at(std::size_t i) const { return entries_[i].key; }
    std::uint32_t number_at(std::size_t i) const { return entries_[i].number; }

private:
    struct entry {
        std::string key;
        std::uint32_t number;
        std::uint32_t next;  ///< another entry whose key has the same hash, or none
    };

    sequence<entry> entries_;
    number_map first_;  ///< from a key's hash, into the entries
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/base/number_map.ipp>
#endif
