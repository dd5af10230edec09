// Bodies of joined.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE void text_part::append_to(std::string& text) const {
    switch (kind_) {
        case kind::text: text.append(data_, size_); break;
        case kind::character: text += static_cast<char>(size_); break;
        case kind::integer: text += std::to_string(static_cast<std::int64_t>(size_)); break;
        case kind::natural: text += std::to_string(size_); break;
    }
}

SINTER_INLINE std::string joined(text_parts parts) {
    std::string text;
    for (const text_part& part : parts) part.append_to(text);
    return text;
}

}  // namespace sinter::inline SINTER_ABI::codegen
