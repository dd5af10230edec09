// Words of CUDA that differ by what a schedule has chosen for all of a kernel, so that its printer asks once; must not
// know the kernel.
#pragma once

#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Element numbers of 32 or of 64 bits, for which grids have more thread blocks than one row of them: their type, the
/// number of a thread block, and what else a row has to be asked for.
struct index_text {
    const char *declared, *unsigned_type, *block_number, *and_is_row;
};
inline constexpr index_text narrow_index{.declared = "typedef int index;\n",
                                         .unsigned_type = "unsigned",
                                         .block_number = "(index)blockIdx.x",
                                         .and_is_row = ""};
inline constexpr index_text wide_index{.declared = "typedef long long index;\n",
                                       .unsigned_type = "unsigned long long",
                                       .block_number = "(blockIdx.x + (index)gridDim.x * blockIdx.z)",
                                       .and_is_row = " && row < kept"};

/// What a thread block of long rows says of its blocks of 4096 elements, where it has a row to itself and where it
/// shares it with others.
struct team_text {
    const char *rows, *tiles, *slot, *first, *next, *of_warp, *phase, *opening, *fetched_by, *writer;
};

inline constexpr team_text alone_in_row{.rows = "",
                                        .tiles = "for (int tile = 0; tile < tiles; ++tile)",
                                        .slot = "tile",
                                        .first = "0",
                                        .next = "tile + 1",
                                        .of_warp = "p",
                                        .phase = "0",
                                        .opening = "int copies = (int)tiles;",
                                        .fetched_by = "__syncthreads();",
                                        .writer = "if (t == 0)"};
inline constexpr team_text team_of_row{
    .rows = "for (index row = blockIdx.x; row < kept; row += gridDim.x)",
    .tiles = "for (index tile = blockIdx.y; tile < tiles; tile += gridDim.y, ++slot)",
    .slot = "slot",
    .first = "blockIdx.y",
    .next = "tile + gridDim.y",
    .of_warp = "blockIdx.y + p * gridDim.y",
    .phase = "phase",
    .opening = "int copies = 0, slot = 0;",
    .fetched_by = "else __syncthreads();",
    .writer = "if (t == 0 && inside)"};

}  // namespace sinter::inline SINTER_ABI::codegen
