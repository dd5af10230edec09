// What is selected of rows by its place in their order, how GPUs do it as text, and its meaning; must not know who runs
// it.
#pragma once

#include <cstdint>
#include <sinter/codegen/base/dims.hpp>
#include <sinter/codegen/ops/dtype.hpp>
#include <sinter/codegen/ops/routine.hpp>
#include <sinter/codegen/print/emit.hpp>
#include <sinter/codegen/schedule/schedules.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Of each of `rows` rows of `length` elements that lie one after another: topk, where the first `count` in their order
/// stand, or order_statistics, the elements of `count` ranks in it.
struct selection_task {
    dtype type;
    bool descending = false;  ///< of topk: the largest come first; equal elements keep their order
    std::int64_t rows = 1, length = 0, count = 0;
};

/// The task of a call over the last axis of an array.
selection_task selection_task_of(const call_info& c, dtype operand, const dims& shape, std::int64_t count);

/// Whether `count` elements of rows are selected, rather than the rows sorted: the first ones, or those of some ranks.
bool selects_first(const selection_schedule& s, dtype t, std::int64_t length, std::int64_t count);
bool selects_ranks(const selection_schedule& s, dtype t, std::int64_t length, std::int64_t count);
/// Whether rows are enough for so many threads of a CPU, of which one has a whole row where ranks are selected.
bool occupies(const selection_schedule& s, std::int64_t rows, std::int64_t threads);

/// What orders elements is looked at digit by digit, of eight bits each: of a type, and of where they stand besides.
int digits_of_selection(dtype t);
/// How many candidates a thread block has room for.
int room_for_candidates(dtype t);
/// Bytes of what GPUs know of a rank.
std::int64_t bytes_of_target(dtype t);

/// CUDA text: `topk`.
kernel_source topk_cuda(const selection_task& t);
/// CUDA text: `count_digits`, or `take_ranks`, which takes a compiler longer; each by itself.
kernel_source order_statistics_cuda(const selection_task& t, bool counts);

/// The meaning, by sorting: positions, and elements.
void topk_reference(const selection_task& t, const void* from, std::int64_t* to);
void order_statistics_reference(const selection_task& t, const void* from, const std::int64_t* ranks, void* to);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/sort/selection.ipp>
#endif
