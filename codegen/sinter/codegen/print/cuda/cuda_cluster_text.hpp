// CUDA text by which thread blocks of a cooperative reduction hand each other
// results: by the shared memory of a cluster, or by way of memory; must not know what they compute.
#pragma once

#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* barriers_text =
#include <sinter/codegen/print/cuda/text/barriers.cuh>
    ;

inline constexpr const char* cluster_text =
#include <sinter/codegen/print/cuda/text/cluster.cuh>
    ;

inline constexpr const char* grid_barrier_text =
#include <sinter/codegen/print/cuda/text/grid_barrier.cuh>
    ;

}  // namespace sinter::inline SINTER_ABI::codegen
