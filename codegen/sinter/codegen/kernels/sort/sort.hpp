// What a sort does, how it is divided, and its reference; must not know texts.
#pragma once

#include <cstdint>
#include <sinter/codegen/base/dims.hpp>
#include <sinter/codegen/ops/dtype.hpp>
#include <sinter/codegen/ops/routine.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// What a sort does to each of `rows` rows of `length` elements that lie one after another.
struct sort_task {
    dtype type;
    bool positions = false;  ///< the result is where each element stood, int64, rather than the element
    std::int64_t rows = 1;
    std::int64_t length = 0;
    int key_bits = 0;  ///< of integers known to be in [0, 2^key_bits): what has to be looked at; 0: everything
    int carried = 0;   ///< bytes of a value that goes along with each element of a long row, on GPUs alone
    bool carries_numbers = false;  ///< what goes along is the number of the element, not a value that is given
    dtype given = dtype::int64;    ///< of the positions by which values are sorted,
    bool indices = false;          ///< or of indices in their place: call_info::indices
    bool spread = false;           ///< of words of 64 bits few have the same upper half: call_info::spread
    bool upper_halves = false;  ///< keys are the upper halves of words, whose positions are sorted further behind that
    int kept_together = -1;     ///< of keys that are only parted, by one digit made of all bits but so many low ones
};

/// The task of a sort or argsort node along the last axis of an array.
sort_task sort_task_of(const call_info& how, dtype operand, const dims& shape);
/// How a GPU does it: long rows of words that are spread are sorted by their upper halves, in half as many passes, and
/// the few that are equal then by the rest.
sort_task sort_task_on_cuda(const sort_task& t);

/// Digits of eight bits that a type's order has: a radix sort passes over the elements once for each, lowest first.
int sort_digits(dtype t);
/// The same, as far as a task has to look; one where keys are parted.
int sort_passes(const sort_task& t);

/// Whether a network exchanges more than one number per element.
bool sort_items_are_wide(const sort_task& t);

/// How a task is run on a GPU. Rows that fit in one thread block are sorted by one launch, short ones by a network of
/// exchanges in the registers of a warp; longer ones in tiles, by a launch that counts all digits and one per pass.
/// Values are carried along in tiles.
struct sort_shape {
    bool whole_rows;  ///< a thread block sorts whole rows
    bool wide;        ///< 64-bit positions
    int threads;
    int items;      ///< elements per thread
    int lanes = 0;  ///< of the warp of a row that a network sorts; 0: sorted by digits
    std::int64_t tile() const { return std::int64_t{threads} * items; }
    /// Whole rows that a thread block sorts at a time.
    int rows() const { return lanes ? threads / lanes : 1; }
};
sort_shape sort_shape_of(const sort_task& t);

/// The rows sorted as numpy.sort and numpy.argsort with kind="stable" do: ascending, NaN last, complex numbers by real,
/// then imaginary part, equal elements (0.0 and -0.0 are equal) in the order in which they stand.
void sort_reference(const sort_task& t, const void* from, void* to);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/sort/sort.ipp>
#endif
