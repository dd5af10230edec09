// The host text that sorts numbers: networks of exchanges in vectors for few, a quicksort that divides them vector by
// vector.
#pragma once

#include <sinter/codegen/base/config.hpp>
#include <string>

namespace sinter::inline SINTER_ABI::codegen {

/// Of unsigned numbers of 64 bits, or of 32.
std::string sort_keys_text_of(bool wide);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/sort/sort_host_keys.ipp>
#endif
