// The C++ text of square blocks of elements that are transposed in registers; must not know where their lines lie.
#pragma once

#include <sinter/codegen/base/callback.hpp>

#include <string>

namespace sinter::inline SINTER_ABI::codegen {

/// The vectors of two halves of 16 bytes side by side, and how the elements of two take turns, in each half by itself,
/// which is one instruction where vectors of 32 bytes are.
std::string transposed_vectors(int size);

/// Two square blocks, of `down` lines each: their lines, which are read at from(line), take turns until what was one
/// line is one column, which to(column) holds.
std::string transposed_block(int down, callback<std::string(int)> from, callback<std::string(int)> to);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/host/transposed_block.ipp>
#endif
