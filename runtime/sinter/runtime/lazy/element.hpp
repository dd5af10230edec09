// Single elements in host memory, read, computed and written without a kernel; must not know indices.
#pragma once

#include <sinter/runtime/lazy/value.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// A new value without axes that holds the element of a stored value at a place of its memory, so that the memory stays
/// the value's alone; an empty handle where it has to be a view: on a GPU, of memory whose contents are not certain,
/// and in a step. The lock is held.
handle copied_element(const value& v, std::int64_t at);

/// Stores a pending value without axes whose few operations have the same bits on every machine, and whose operands are
/// such elements or numbers; else leaves it pending. The lock is held.
void compute_element(value& v);

/// Whether several writes of single elements in turn are what is pending, as in a loop over elements, which is to go on
/// in memory. The lock is held.
bool has_elements_in_turn(const value& v);

/// Writes a value without axes, as compute_element takes it, over the element of a stored value at a place of its
/// memory; false where that cannot be, or where somebody may still read what stands there. `handles` are those of the
/// caller's array. The lock is held.
bool write_element(value& to, std::int64_t at, const value& from, int handles);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/lazy/element.ipp>
#endif
