// The languages that kernels are printed in.
#pragma once

#include <cstdint>
#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::codegen {

enum class language : std::uint8_t { host, cuda };

}  // namespace sinter::inline SINTER_ABI::codegen
