// The orders in which every backend combines the elements of reductions and scans, so that results repeat bit for bit
// everywhere.
#pragma once

#include <sinter/codegen/graph/graph.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// The two orders; which one applies depends on shape and axes only.
///
/// Both number the reduced elements row-major over the reduced axes. "Combine if present": a missing operand leaves the
/// other one unchanged. Elements are converted to the accumulator's type first.
///
/// rows (the last axis longer than one is reduced): blocks of 4096 consecutive elements. In a block, lane l of 1024
///   combines elements l, l + 1024, l + 2048, l + 3072 in this order; then lanes combine in fours as
///   (l0 ∘ l1) ∘ (l2 ∘ l3); then the 256 groups halve: for h = 128, 64, …, 1 group t takes group t + h for t < h.
///   The blocks' results are elements of the same order again, until one is left.
/// columns (otherwise): chunks of column_chunk(n) consecutive elements. In a chunk, lane l of 8 combines elements
///   l, l + 8, … in this order; for h = 4, 2, 1 lane t takes lane t + h for t < h; each 64 chunks combine from first to
///   last, and then what they have come to does.
enum class reduce_tree : std::uint8_t { rows, columns };

inline constexpr int row_lanes = 1024;
inline constexpr int row_block = 4096;
inline constexpr int column_lanes = 8;
inline constexpr int column_group = 64;

/// Rows, or groups of columns, whose finished thread blocks a GPU can count at a time.
inline constexpr int reduce_counters = 65536;

/// Bytes of the tile status of scans that a GPU keeps from launch to launch.
inline constexpr int scan_status = 4 << 20;

/// Elements per chunk of the column order.
constexpr std::int64_t column_chunk(std::int64_t n) {
    std::int64_t even = (n + 4095) / 4096;
    return even <= 512 ? 512 : (even + column_lanes - 1) / column_lanes * column_lanes;
}

/// The order in which a reduction of this shape over these axes combines.
constexpr reduce_tree tree_of(const dims& shape, std::uint8_t axes) {
    for (int i = shape.size() - 1; i >= 0; --i)
        if (shape[i] != 1) return axes >> i & 1 ? reduce_tree::rows : reduce_tree::columns;
    return reduce_tree::rows;
}

/// Scans: element i of the result combines elements 0 … i of its line along the axis, converted to the accumulator's
/// type. tree_of(shape, axis) chooses between two orders here too. "Running": from left to right, x0, x0 ∘ x1, (x0 ∘
/// x1) ∘ x2, …
///
/// rows: chunks of 4 consecutive elements; 32 chunks are a segment, 32 segments a tile (4096), 32 tiles a group.
/// Elements
///   run within their chunk. Of up to 32 totals of chunks, segments or tiles the prefixes are: for h = 1, 2, 4, 8, 16
///   x[i] becomes x[i - h] ∘ x[i] for all i >= h at once; the last of them is the total one level up. Groups run. A
///   result is the prefix before its group ∘ that before its tile in the group ∘ that before its segment in the tile ∘
///   that before its chunk in the segment ∘ the running value in the chunk, combined from the left, without those that
///   are empty.
/// columns: chunks of 16; 8 chunks are a tile (128), 64 tiles a group (8192). Elements run within their chunk, chunks
/// within their
///   tile, tiles within their group, groups from the first to the last. A result is the prefix before its group ∘ that
///   before its tile in the group ∘ that before its chunk in the tile ∘ the running value, combined from the left,
///   without those that are empty.
///
/// All blocks that these orders use before an element are complete, so that a line's length changes no bit of its
/// start.
inline constexpr int scan_chunk = 4;
inline constexpr int scan_fan = 32;
inline constexpr int scan_segment = scan_chunk * scan_fan;
inline constexpr int scan_tile = scan_segment * scan_fan;
inline constexpr int scan_group = scan_tile * scan_fan;
inline constexpr int column_scan_chunk = 16;
inline constexpr int column_scan_tile = 8 * column_scan_chunk;
inline constexpr int column_scan_fan = 64;
inline constexpr int column_scan_group = column_scan_fan * column_scan_tile;

/// Up to row_block elements of the row order, into the first of them.
template <class X, class F>
void combine_row_block(X* x, std::int64_t n, F combine) {
    for (std::int64_t start = row_lanes; start < n; start += row_lanes) {
        const std::int64_t count = n - start < row_lanes ? n - start : row_lanes;
        for (std::int64_t l = 0; l < count; ++l) combine(x[l], x[start + l]);
    }
    const std::int64_t lanes = n < row_lanes ? n : row_lanes, groups = (lanes + 3) / 4;
    for (std::int64_t t = 0; t < lanes; t += 4) {
        if (t + 1 < lanes) combine(x[t], x[t + 1]);
        if (t + 3 < lanes) combine(x[t + 2], x[t + 3]);
        if (t + 2 < lanes) combine(x[t], x[t + 2]);
    }
    for (std::int64_t t = 1; t < groups; ++t) x[t] = x[4 * t];
    for (std::int64_t h = row_lanes / 8; h > 0; h /= 2)
        for (std::int64_t t = 0; t < h && t + h < groups; ++t) combine(x[t], x[t + h]);
}

/// One chunk of the column order, into its first element.
template <class X, class F>
void combine_column_chunk(X* x, std::int64_t n, F combine) {
    for (std::int64_t i = column_lanes; i < n; ++i) combine(x[i % column_lanes], x[i]);
    const std::int64_t lanes = n < column_lanes ? n : column_lanes;
    for (std::int64_t h = column_lanes / 2; h > 0; h /= 2)
        for (std::int64_t t = 0; t < h && t + h < lanes; ++t) combine(x[t], x[t + h]);
}

/// Elements that fit one block or chunk of an order, combined into the first of them.
template <class X, class F>
void combine_in_block(reduce_tree tree, X* x, std::int64_t n, F combine) {
    if (tree == reduce_tree::rows) combine_row_block(x, n, combine);
    else combine_column_chunk(x, n, combine);
}

}  // namespace sinter::inline SINTER_ABI::codegen
