// How the whole numbers that index walk along a row of a map: where the ends of neighbours tell what all of them
// gather; must not know the schedule.
#pragma once

#include <sinter/codegen/schedule/kernel.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// How a whole number changes from one element of a row to the next.
enum class walk_class : std::uint8_t {
    constant,
    straight,  ///< by one more
    slow,      ///< by one more at most: where it has gone so from one end to the other, it has everywhere
    switched,  ///< straight, but for a single place at most: likewise
    any
};

/// By instruction: how numbers that index may walk, else any. What is no such whole number may be constant, or a
/// condition.
sequence<walk_class> walks_of(const kernel& k);

/// Whether a gather's indices are the same for neighbours but for one at most, which walks.
bool gathers_by_walk(const kernel& k, const sequence<walk_class>& walks, std::uint32_t instruction);

/// By instruction: what each neighbour computes by itself where all of them follow each other, which is all but the
/// indices of gathers by a walk.
sequence<char> needed_beside_walks(const kernel& k, const sequence<char>& gathers_walks);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/schedule/facts/walks.ipp>
#endif
