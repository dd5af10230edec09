// Which random words of a kernel neighbours may take from one block of a generator's words; must not print them.
#pragma once

#include <sinter/codegen/schedule/kernel.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// A random word that neighbours take from one block of words.
struct draw {
    std::int32_t number = -1;  ///< the access that is its number; -1: none
    int parity = -1;           ///< of all the numbers that are drawn; -1: they are drawn as they are
    std::uint32_t block = 0;   ///< the first instruction with the same block
    bool needed = false;       ///< of any instruction: by what is not computed from draws alone
};

/// Those of a kernel whose threads take so many neighbours at once, by instruction; empty where every word is drawn by
/// itself.
sequence<draw> shared_draws(const kernel& k, int vector_width);

/// How many words of an instruction a block of the generator has; 0 for other operations.
int words_of_draw(const kernel& k, std::uint32_t i);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/schedule/draws.ipp>
#endif
