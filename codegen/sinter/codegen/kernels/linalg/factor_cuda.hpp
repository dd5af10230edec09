// CUDA text of LU factors with exchanges of rows, a panel of columns at a time; pure.
#pragma once

#include <sinter/codegen/print/emit.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// The kernels of one kind of panel: `factor_panel`, one block or one cluster for each matrix, beside it of panels of
/// any number of rows `factor_long_panel`, and in a text by itself `exchange_rows`.
struct panel_source {
    kernel_source source, exchange;
    int width;    ///< columns of a panel
    int threads;  ///< rows that a block takes at most
};

/// For elements of a type. A thread keeps a row in registers: `tall` panels have half as many columns, so that a block
/// has room for twice as many rows.
panel_source factor_cuda(dtype t, bool tall, bool any_rows = false);

/// The widest panels' columns.
inline constexpr int most_panel_columns = 32;
/// Numbers that tell of each matrix where the rows of a panel were and where those went whose place they take, from
/// here to the next.
inline constexpr int panel_moves = 2 * most_panel_columns;
/// Where a stack's matrices are, as the kernels take it.
struct panel_stack {
    long long count, elements;
    int pivots, rows;
};
/// Blocks that may share a panel as one cluster.
inline constexpr int most_panel_blocks = 16;
/// Rows up to which one block alone takes a panel in less time than several, which have to wait for each other:
/// measured on one H200, float64, microseconds of 32 columns by 1 and by 4 blocks: 256 rows 23 and 28, 320 26 and 28,
/// 512 30 and 28.
inline constexpr int lone_panel_rows = 320;
/// Of more rows each block of a cluster takes at least this many: 1000 rows by 4, 8 and 16 blocks 31, 29 and 32.
inline constexpr int shared_panel_rows = 128;

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/linalg/factor_cuda.ipp>
#endif
