// Bodies of blocks.hpp.
#pragma once

#include <cstring>
#include <sinter/codegen/distributed/blocks.hpp>
#include <sinter/codegen/interpret/interpret_reduce.hpp>
#include <sinter/codegen/ops/apply.hpp>

namespace sinter::inline SINTER_ABI::distributed {

SINTER_INLINE block_pieces cut_at_blocks(range mine, std::int64_t step) {
    auto up = [&](std::int64_t i) { return (i + step - 1) / step * step; };
    const std::int64_t first = up(mine.begin), last = mine.end / step * step;
    if (first > last) return {mine, {mine.end, mine.end}, {mine.end, mine.end}};
    return {{mine.begin, first}, {first, last}, {last, mine.end}};
}

namespace block_detail {

using codegen::accumulated;

/// One row: elements are collected until their block is whole, blocks' results until all are there.
struct row_of_blocks {
    const codegen::reduce_job& job;
    const block_reduction& how;
    std::int64_t step, next = 0;
    std::vector<accumulated> block, results;
    std::vector<char> wide;

    // Converted all at once: one at a time took most of a reduction's time. Numbered from the next one, `apart`.
    void append(std::vector<accumulated>& to, dtype type, const char* from, std::int64_t count, std::int64_t apart) {
        const auto size = static_cast<std::size_t>(codegen::size_of(job.wide));
        wide.resize(static_cast<std::size_t>(count) * size);
        codegen::convert(type, job.wide, from, wide.data(), count);
        const std::size_t before = to.size();
        to.resize(before + static_cast<std::size_t>(count));
        const char* at = wide.data();
        for (std::size_t i = before; i < to.size(); ++i, at += size, next += apart) {
            if (size == 8) std::memcpy(to[i].value, at, 8);
            else std::memcpy(to[i].value, at, sizeof to[i].value);
            to[i].index = next;
        }
    }
    void finish() {
        if (block.empty()) return;
        codegen::combine_block(job, block.data(), static_cast<std::int64_t>(block.size()));
        results.push_back(block[0]);
        block.clear();
    }
    void add_elements(const char* from, range of) {
        while (of.begin < of.end) {
            const std::int64_t rest = step - next % step, count = of.size() < rest ? of.size() : rest;
            append(block, how.operand, from, count, 1);
            from += count * codegen::size_of(how.operand);
            of.begin += count;
            if (next % step == 0) finish();
        }
    }
    void add_results(const char* from, const char* position, range of) {
        const std::int64_t count = of.size() / step;
        const std::size_t before = results.size();
        append(results, how.accumulator, from, count, step);
        for (std::int64_t i = 0; position && i < count; ++i, position += sizeof(std::int64_t)) {
            std::int64_t place = 0;
            std::memcpy(&place, position, sizeof place);
            results[before + static_cast<std::size_t>(i)].index += place;
        }
    }
};

}  // namespace block_detail

SINTER_INLINE void combine_blocks(const block_reduction& r, std::span<const block_contribution> ranks,
                                  std::int64_t rows, char* out) {
    codegen::reduce_job job{r.how, r.tree, r.operand, r.operand, {}, {}, nullptr};
    codegen::choose_accumulator(job);
    const std::int64_t step = block_size(r.tree), size = codegen::size_of(r.operand);
    block_detail::row_of_blocks row{job, r, step, 0, {}, {}, {}};
    for (std::int64_t i = 0; i < rows; ++i, out += codegen::size_of(r.result)) {
        row.next = 0;
        row.results.clear();
        for (const block_contribution& c : ranks) {
            const block_pieces& p = c.pieces;
            const std::int64_t blocks = p.body.size() / step;
            row.add_elements(c.head + i * p.head.size() * size, p.head);
            row.add_results(c.body + i * blocks * codegen::size_of(r.accumulator),
                            c.position ? c.position + i * blocks * 8 : nullptr, p.body);
            row.add_elements(c.tail + i * p.tail.size() * size, p.tail);
        }
        row.finish();
        codegen::combine_results(job, row.results.data(), static_cast<std::int64_t>(row.results.size()));
        const codegen::accumulated& all = row.results[0];
        if (codegen::is_indexed(r.how)) std::memcpy(out, &all.index, sizeof all.index);
        else codegen::convert(job.wide, r.result, all.value, out, 1);
    }
}

}  // namespace sinter::inline SINTER_ABI::distributed
