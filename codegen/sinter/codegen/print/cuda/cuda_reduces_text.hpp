// Device code of the reduces of threads, warps and thread blocks; must not know what they combine.
#pragma once

#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* row_lanes_text =
#include <sinter/codegen/print/cuda/text/row_lanes.cuh>
    ;
inline constexpr const char* thread_reduce_text =
#include <sinter/codegen/print/cuda/text/thread_reduce.cuh>
    ;
inline constexpr const char* row_reduces_text =
#include <sinter/codegen/print/cuda/text/row_reduces.cuh>
    ;
inline constexpr const char* level_reduces_text =
#include <sinter/codegen/print/cuda/text/level_reduces.cuh>
    ;
inline constexpr const char* short_row_reduce_text =
#include <sinter/codegen/print/cuda/text/short_row_reduce.cuh>
    ;
inline constexpr const char* column_reduces_text =
#include <sinter/codegen/print/cuda/text/column_reduces.cuh>
    ;
inline constexpr const char* extreme_text =
#include <sinter/codegen/print/cuda/text/extreme.cuh>
    ;
inline constexpr const char* multi_output_reduces_text =
#include <sinter/codegen/print/cuda/text/multi_output_reduces.cuh>
    ;

}  // namespace sinter::inline SINTER_ABI::codegen
