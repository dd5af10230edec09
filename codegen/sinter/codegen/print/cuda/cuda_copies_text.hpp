// CUDA text by which thread blocks bring what they load to shared memory, while they do something else; must not know
// what it is for.
#pragma once

#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// What a thread loads before it knows what is before it takes no registers in shared memory, and no order of
// instructions keeps it from asking for all of it at once.
inline constexpr const char* copies_text =
#include <sinter/codegen/print/cuda/text/copies.cuh>
    ;

inline constexpr const char* copies_in_order_text =
#include <sinter/codegen/print/cuda/text/copies_in_order.cuh>
    ;

inline constexpr const char* shifted_text =
#include <sinter/codegen/print/cuda/text/shifted_copies.cuh>
    ;

// What devices with such copies do, and what stands for it on others.
inline constexpr const char* bulk_copies_text =
#include <sinter/codegen/print/cuda/text/bulk_copies.cuh>
    ;

inline constexpr const char* bulk_else_text =
#include <sinter/codegen/print/cuda/text/no_bulk_copies.cuh>
    ;

}  // namespace sinter::inline SINTER_ABI::codegen
