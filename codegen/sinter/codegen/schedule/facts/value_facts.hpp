// What follows for the values of a GPU's kernel: which are computed together, which by functions of their own, and
// whether copies of the body stand side by side; one table that the printer reads; must not know the text.
#pragma once

#include <sinter/codegen/schedule/approximations.hpp>

namespace sinter::inline SINTER_ABI::codegen {

struct value_facts {
    sequence<std::uint32_t>
        circle;                 ///< by instruction: the sine of what it is the cosine of, or the other way; or itself
    sequence<char> repeated;    ///< by instruction: of several alike, which a function computes
    sequence<char> by_inverse;  ///< by instruction: divides by a number whose inverse is known
    sequence<row_division> by_row;       ///< by instruction: divides elements of a row by one of its numbers
    sequence<char> ends_approximations;  ///< by instruction: its approximation is the last of several
    bool packs = false;                  ///< neighbours are moved at once
    bool unrolls_lanes = false;          ///< a thread's lanes are computed side by side
    bool unrolls = false;                ///< a thread's elements are computed side by side
    bool unrolls_full = false;           ///< so are its groups of a full block of a row that a grid reduces
    bool unrolls_part = false;           ///< and those of another block
};
value_facts value_facts_of(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/schedule/facts/value_facts.ipp>
#endif
