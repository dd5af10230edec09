// The CUDA text of sorting rows, long ones by a radix sort that reads and writes every element once per digit.
#pragma once

#include <sinter/codegen/print/emit.hpp>

namespace sinter::inline SINTER_ABI::codegen {

struct sort_task;

/// CUDA text: `sort_rows` for whole rows, else `sort_count` and `sort_sweep`; where values are
/// carried, `sort_count` makes the elements of positions.
kernel_source radix_sort_cuda(const sort_task& t);

/// Device text: ranks of uint32 keys of a tile, in the namespace keys_of_tile; and which part a key belongs to, as the
/// digit of a sort or for kernels that have a part.
std::string tile_of_keys_text(int threads, int items);
std::string part_text(int kept_together, bool digits);
/// Device text: `position_of` what is given, positions or indices (call_info::indices) of a type.
std::string position_text(dtype given, bool indices, const char* function = "__device__ __forceinline__");

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/sort/sort_radix_cuda.ipp>
#endif
