// How the neighbours along the innermost axis that one thread of a map has move between memory and its registers,
// access by access; must not choose how many they are.
#pragma once

#include <sinter/codegen/schedule/kernel.hpp>

namespace sinter::inline SINTER_ABI::codegen {

enum class access_move : std::uint8_t {
    single,    ///< one element at a time, where it is used
    pack,      ///< all neighbours at once
    reversed,  ///< all at once, the last of them first
    elements,  ///< one by one, before any is used
    broadcast  ///< one that all share
};

/// Whether an access moves so many neighbours at once, forwards or backwards, from wherever one of a thread's begins.
bool moves_by_packs(const kernel& k, std::uint32_t a, int width);

/// Whether an access lies in memory as a map's elements are numbered, so many of which move at once from wherever one
/// of a thread's begins: those that do where a thread goes on in the next row.
bool lies_as_numbered(const kernel& k, std::uint32_t a, int width);

/// How an access of a map moves the neighbours that its schedule has chosen.
access_move move_of(const kernel& k, std::uint32_t a);

/// The axis along which the rows of one thread of a map lie; and whether they all read the same elements.
int axis_of_rows(const kernel& k);
bool repeats_along_rows(const kernel& k, std::uint32_t a);

/// The first access to the same memory that advances as an access does along every axis: they stand as far from where
/// their pointers point.
std::uint32_t walks_like(const kernel& k, std::uint32_t a);

/// By instruction: whether a map's neighbours along the innermost axis share its value.
sequence<char> shared_by_neighbours(const kernel& k);

/// Whether the neighbours of a map take what lies side by side at positions that they share.
bool is_gathered_by_packs(const kernel& k, std::uint32_t instruction, int width);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/schedule/facts/access_moves.ipp>
#endif
