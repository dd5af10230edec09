// A hash table from 64-bit keys to 32-bit numbers; no template, because std::unordered_map costs users' files 50 ms per key type.
#pragma once

#include <sinter/codegen/sequence.hpp>

#include <cstdint>

namespace sinter::inline SINTER_ABI::codegen {

class number_map {
public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    /// The number of a key, or none.
    std::uint32_t find(std::uint64_t key) const;
    /// Gives a key a number unless it has one; the number it has now.
    std::uint32_t add(std::uint64_t key, std::uint32_t number);

private:
    struct entry {
        std::uint64_t key = 0;
        std::uint32_t number = none;
    };

    std::size_t place_of(std::uint64_t key) const;

    sequence<entry> entries_;  ///< a power of two, at most half of them in use
    std::size_t used_ = 0;
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/number_map.ipp>
#endif
