// SHA-256, the hash of the disk cache's keys; must not know what is hashed.
#pragma once

#include <sinter/codegen/base/config.hpp>
#include <string>
#include <string_view>

namespace sinter::inline SINTER_ABI::runtime {

/// SHA-256 of a text as 64 lower-case hexadecimal digits.
std::string sha256(std::string_view text);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/base/sha256.ipp>
#endif
