// Bodies of interpret_scan.hpp.
#pragma once

#include <cstring>
#include <sinter/codegen/interpret/interpret_reduce.hpp>
#include <sinter/codegen/interpret/interpret_scan.hpp>
#include <sinter/codegen/interpret/walk.hpp>
#include <sinter/codegen/ops/apply.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// x takes what is before it.
SINTER_INLINE void put_before(const reduce_job& job, const accumulated& before, accumulated& x) {
    accumulated joined = before;
    job.combine(job.how, joined, x);
    x = joined;
}

// Every element takes the one before it, from the first to the last.
SINTER_INLINE void run_along(const reduce_job& job, accumulated* x, std::int64_t n) {
    for (std::int64_t i = 1; i < n; ++i) put_before(job, x[i - 1], x[i]);
}

// The prefixes of each scan_fan elements.
SINTER_INLINE void run_tree(const reduce_job& job, accumulated* x, std::int64_t n) {
    for (std::int64_t start = 0; start < n; start += scan_fan) {
        std::int64_t count = n - start < scan_fan ? n - start : scan_fan;
        for (std::int64_t h = 1; h < count; h *= 2)
            for (std::int64_t i = count - 1; i >= h; --i) put_before(job, x[start + i - h], x[start + i]);
    }
}

// The last element of each `size`, as far as there are elements.
SINTER_INLINE std::int64_t take_totals(const accumulated* x, std::int64_t n, std::int64_t size, accumulated* totals) {
    std::int64_t count = 0;
    for (std::int64_t i = size - 1; i < n; i += size) totals[count++] = x[i];
    return count;
}

// Up to one group of the row order; `before` is the prefix of the preceding groups and becomes that of the next ones.
SINTER_INLINE void scan_row_group(const reduce_job& job, accumulated* x, std::int64_t n, accumulated& before,
                                  bool is_first) {
    scratch<accumulated> chunks(n / scan_chunk + 1), segments(n / scan_segment + 1), tiles(n / scan_tile + 1);
    for (std::int64_t i = 0; i < n; i += scan_chunk) run_along(job, x + i, n - i < scan_chunk ? n - i : scan_chunk);
    std::int64_t count = take_totals(x, n, scan_chunk, chunks.data);
    run_tree(job, chunks.data, count);
    count = take_totals(chunks.data, count, scan_fan, segments.data);
    run_tree(job, segments.data, count);
    count = take_totals(segments.data, count, scan_fan, tiles.data);
    run_tree(job, tiles.data, count);
    for (std::int64_t i = 0; i < n; ++i) {
        std::int64_t chunk = i / scan_chunk, segment = i / scan_segment, tile = i / scan_tile;
        accumulated parts[4];
        int present = 0;
        if (!is_first) parts[present++] = before;
        if (tile > 0) parts[present++] = tiles.data[tile - 1];
        if (segment % scan_fan) parts[present++] = segments.data[segment - 1];
        if (chunk % scan_fan) parts[present++] = chunks.data[chunk - 1];
        for (int k = 1; k < present; ++k) job.combine(job.how, parts[0], parts[k]);
        if (present) put_before(job, parts[0], x[i]);
    }
    if (count < scan_fan) return;
    if (is_first) before = tiles.data[scan_fan - 1];
    else job.combine(job.how, before, tiles.data[scan_fan - 1]);
}

// Up to one group of the column order, likewise.
SINTER_INLINE void scan_column_group(const reduce_job& job, accumulated* x, std::int64_t n, accumulated& before,
                                     bool is_first) {
    constexpr std::int64_t of_tile = column_scan_tile / column_scan_chunk;
    scratch<accumulated> chunks(n / column_scan_chunk + 1), tiles(n / column_scan_tile + 1);
    for (std::int64_t i = 0; i < n; i += column_scan_chunk)
        run_along(job, x + i, n - i < column_scan_chunk ? n - i : column_scan_chunk);
    std::int64_t count = take_totals(x, n, column_scan_chunk, chunks.data);
    for (std::int64_t i = 0; i < count; i += of_tile)
        run_along(job, chunks.data + i, count - i < of_tile ? count - i : of_tile);
    count = take_totals(chunks.data, count, of_tile, tiles.data);
    run_along(job, tiles.data, count);
    for (std::int64_t i = 0; i < n; ++i) {
        std::int64_t chunk = i / column_scan_chunk, tile = i / column_scan_tile;
        accumulated parts[3];
        int present = 0;
        if (!is_first) parts[present++] = before;
        if (tile > 0) parts[present++] = tiles.data[tile - 1];
        if (chunk % of_tile) parts[present++] = chunks.data[chunk - 1];
        for (int k = 1; k < present; ++k) job.combine(job.how, parts[0], parts[k]);
        if (present) put_before(job, parts[0], x[i]);
    }
    if (count < column_scan_fan) return;
    if (is_first) before = tiles.data[count - 1];
    else job.combine(job.how, before, tiles.data[count - 1]);
}

SINTER_INLINE void run_scan(const reduce_job& job, const char* in, dtype to, char* out) {
    std::int64_t outer = job.kept.shape.product(), n = job.reduced.shape.product();
    bool rows = job.tree == reduce_tree::rows;
    std::int64_t step = rows ? scan_group : column_scan_group;
    if (step > n) step = n;
    int size = size_of(job.wide), result_size = size_of(to);
    scratch<char> raw(step * size_of(job.from)), wide(step * size), results(step * result_size);
    scratch<accumulated> block(step);
    layout_cursor where(job.kept);
    for (std::int64_t i = 0; i < outer; ++i, where.advance(1)) {
        layout_cursor at(job.reduced);
        accumulated before{};
        for (std::int64_t start = 0; start < n; start += step) {
            std::int64_t count = n - start < step ? n - start : step;
            load_block(job, at, in + where.offset * size_of(job.from), start, count, raw.data, wide.data, block.data);
            if (rows) scan_row_group(job, block.data, count, before, start == 0);
            else scan_column_group(job, block.data, count, before, start == 0);
            for (std::int64_t j = 0; j < count; ++j)
                std::memcpy(wide.data + j * size, block.data[j].value, static_cast<std::size_t>(size));
            convert(job.wide, to, wide.data, results.data, count);
            std::int64_t stride = job.reduced.strides[0];
            copy_strided(result_size, results.data, 1, out + (where.offset + start * stride) * result_size, stride,
                         count);
        }
    }
}

SINTER_INLINE void scan(const reduce_info& how, const node& operand, const void* in, const node& result, void* out) {
    if (result.shape.product() > 0)
        run_scan(job_of(how, operand), static_cast<const char*>(in), result.type, static_cast<char*>(out));
}

}  // namespace sinter::inline SINTER_ABI::codegen
