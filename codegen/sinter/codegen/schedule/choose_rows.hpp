// Chooses how the threads of a GPU take the rows or columns of a reduction: how many share one, which elements each
// moves and what it loads ahead; must not know the text.
#pragma once

#include <sinter/codegen/schedule/kernel.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Completes a schedule of a reduction whose mapping, capacity and vector width are chosen.
void choose_row_details(schedule& s, const kernel& k, const family_schedule& on);

/// Whether as many copies of a kernel's body as a thread has elements make a text that compiles soon: softmax of 512
/// elements by eight threads takes ptxas 0.1 s, that of a sine of sines, ten deep, would take 39.
bool may_unroll(const kernel& k, int elements);

/// Thread blocks of a reduction along columns that fit a multiprocessor.
int blocks_of_columns(const kernel& k);

/// Whether so little is loaded ahead, or drawn instead, that more thread blocks of a reduction of long rows fit a
/// multiprocessor and are worth it.
bool takes_many_blocks(const kernel& k, const schedule& s);

/// What threads exchange of the elements of short rows: the values that a stage's reductions are made from, each once,
/// and the bytes of all of them, at most; groups of each row's lanes that have room in shared memory at once; and the
/// elements of a row's part of it.
std::uint32_t exchanged_value(const kernel& k, const reduction_step& r, const sequence<char>& here);
sequence<std::uint32_t> exchanged_values(const kernel& k, int stage);
int exchanged_bytes(const kernel& k);
int exchanged_groups(const kernel& k, const schedule& s);
int exchanged_elements(const kernel& k, const schedule& s);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/schedule/choose_rows.ipp>
#endif
