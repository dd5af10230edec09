// Bodies of emit_cuda.hpp that spread scans and selections over the threads of a GPU.
#pragma once

#include <algorithm>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// Rows: a sub-warp, up to eight warps, or thread blocks that each take a tile. Columns: a thread for each chunk of each
// of a tile.
SINTER_INLINE cuda_launch scan_launch(const kernel& k) {
    std::int64_t kept = k.kept_size(), n = k.reduced_size();
    if (k.tree == reduce_tree::columns) {
        const int columns = k.how.columns;
        const std::int64_t strips = ceil_divide(kept, columns), tiles = ceil_divide(n, column_scan_tile);
        const std::int64_t runners = strips * static_cast<std::int64_t>(k.reductions.size());
        const bool runs = k.how.asks_all_tiles &&
                          ceil_divide(tiles, column_scan_fan) > reduction_schedules.groups_without_runner &&
                          runners <= reduction_schedules.most_runners;
        cuda_launch l = blocks_in_a_row(strips * tiles + (runs ? runners : 0));
        l.block[0] = static_cast<unsigned>(columns);
        l.block[1] = static_cast<unsigned>(k.how.chunks);
        return l;
    }
    if (!scans_one_tile(k)) {
        std::int64_t tiles = ceil_divide(n, scan_tile),
                     runners = tiles > scan_fan ? static_cast<std::int64_t>(k.reductions.size()) : 0;
        cuda_launch l = blocks_in_a_row(kept * (tiles + runners));
        l.block[0] = static_cast<unsigned>(k.how.threads);
        return l;
    }
    unsigned x = k.how.short_rows ? threads_for(ceil_divide(n, scan_chunk), 32)
                                  : 32 * threads_for(ceil_divide(n, scan_segment), 8);
    cuda_launch l = blocks_in_a_row(ceil_divide(kept, cuda_threads / x));
    l.block[0] = x;
    l.block[1] = cuda_threads / x;
    return l;
}

}  // namespace sinter::inline SINTER_ABI::codegen
