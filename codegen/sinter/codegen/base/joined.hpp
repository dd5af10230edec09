// Texts joined from parts in one call: of a chain of operator+ compilers write a function call, a temporary and what
// destroys it twice for each part.
#pragma once

#include <sinter/codegen/base/config.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

namespace sinter::inline SINTER_ABI::codegen {

/// A text of somebody else's, a character, or an integer that is written in decimal; for parameters alone.
class text_part {
public:
    text_part(const char* text) : data_(text), size_(std::char_traits<char>::length(text)) {}
    text_part(const std::string& text) : data_(text.data()), size_(text.size()) {}
    text_part(std::string_view text) : data_(text.data()), size_(text.size()) {}
    template <class I>
        requires std::is_integral_v<I>
    text_part(I n)
        : size_(static_cast<std::size_t>(n)),
          kind_(std::is_same_v<I, char> ? kind::character
                : std::is_unsigned_v<I> ? kind::natural
                                        : kind::integer) {}

    bool empty() const { return kind_ == kind::text && size_ == 0; }
    void append_to(std::string& text) const;

private:
    enum class kind : std::uint8_t { text, character, integer, natural };

    const char* data_ = nullptr;
    std::size_t size_;  ///< or the character or number itself
    kind kind_ = kind::text;
};

using text_parts = std::initializer_list<text_part>;

std::string joined(text_parts parts);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/base/joined.ipp>
#endif
