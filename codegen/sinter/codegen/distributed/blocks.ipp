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

/// One row: elements are collected until their block is whole, blocks' results until all are there, as accumulators
/// where the reduction has an index, else as their values alone.
struct row_of_blocks {
    const codegen::reduce_job& job;
    const block_reduction& how;
    std::int64_t step;
    std::size_t size;  ///< of a value
    bool is_indexed;
    std::int64_t next = 0;
    std::vector<char> wide, block, results;
    std::vector<accumulated> indexed_block, indexed_results;

    row_of_blocks(const codegen::reduce_job& j, const block_reduction& r)
        : job(j),
          how(r),
          step(block_size(r.tree)),
          size(static_cast<std::size_t>(codegen::size_of(j.wide))),
          is_indexed(codegen::is_indexed(r.how)) {}

    // Values of a type, numbered from the next one, `apart`.
    void append(std::vector<char>& to, std::vector<accumulated>& to_indexed, dtype type, const char* from,
                std::int64_t count, std::int64_t apart) {
        std::vector<char>& values = is_indexed ? wide : to;
        const std::size_t before = is_indexed ? 0 : values.size();
        values.resize(before + static_cast<std::size_t>(count) * size);
        codegen::convert(type, job.wide, from, values.data() + before, count);
        for (std::int64_t i = 0; is_indexed && i < count; ++i) {
            accumulated a{};
            std::memcpy(a.value, wide.data() + static_cast<std::size_t>(i) * size, size);
            a.index = next + i * apart;
            to_indexed.push_back(a);
        }
        next += count * apart;
    }
    void finish() {
        if (!indexed_block.empty()) {
            codegen::combine_block(job, indexed_block.data(), static_cast<std::int64_t>(indexed_block.size()));
            indexed_results.push_back(indexed_block[0]);
        }
        if (!block.empty()) {
            codegen::combine_block_values(job, block.data(), static_cast<std::int64_t>(block.size() / size));
            results.insert(results.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(size));
        }
        indexed_block.clear();
        block.clear();
    }
    void add_elements(const char* from, range of) {
        while (of.begin < of.end) {
            const std::int64_t rest = step - next % step, count = of.size() < rest ? of.size() : rest;
            append(block, indexed_block, how.operand, from, count, 1);
            from += count * codegen::size_of(how.operand);
            of.begin += count;
            if (next % step == 0) finish();
        }
    }
    void add_results(const char* from, const char* position, range of) {
        const std::int64_t count = of.size() / step;
        const std::size_t before = indexed_results.size();
        append(results, indexed_results, how.accumulator, from, count, step);
        for (std::int64_t i = 0; position && i < count; ++i, position += sizeof(std::int64_t)) {
            std::int64_t place = 0;
            std::memcpy(&place, position, sizeof place);
            indexed_results[before + static_cast<std::size_t>(i)].index += place;
        }
    }
    void store(char* out) {
        finish();
        if (is_indexed) {
            codegen::combine_results(job, indexed_results.data(), static_cast<std::int64_t>(indexed_results.size()));
            std::memcpy(out, &indexed_results[0].index, sizeof indexed_results[0].index);
        } else {
            codegen::combine_result_values(job, results.data(), static_cast<std::int64_t>(results.size() / size));
            codegen::convert(job.wide, how.result, results.data(), out, 1);
        }
        next = 0;
        results.clear();
        indexed_results.clear();
    }
};

}  // namespace block_detail

SINTER_INLINE void combine_blocks(const block_reduction& r, std::span<const block_contribution> ranks,
                                  std::int64_t rows, char* out) {
    codegen::reduce_job job{r.how, r.tree, r.operand, r.operand, {}, {}, nullptr, nullptr};
    codegen::choose_accumulator(job);
    const std::int64_t size = codegen::size_of(r.operand);
    block_detail::row_of_blocks row(job, r);
    for (std::int64_t i = 0; i < rows; ++i, out += codegen::size_of(r.result)) {
        for (const block_contribution& c : ranks) {
            const block_pieces& p = c.pieces;
            const std::int64_t blocks = p.body.size() / row.step;
            row.add_elements(c.head + i * p.head.size() * size, p.head);
            row.add_results(c.body + i * blocks * codegen::size_of(r.accumulator),
                            c.position ? c.position + i * blocks * 8 : nullptr, p.body);
            row.add_elements(c.tail + i * p.tail.size() * size, p.tail);
        }
        row.store(out);
    }
}

}  // namespace sinter::inline SINTER_ABI::distributed
