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

SINTER_INLINE codegen::sequence<block_step> plan_blocks(codegen::span<const range> parts, std::int64_t count,
                                                        std::int64_t items) {
    const auto results_before = [&](std::int64_t i) { return i == count ? (count + items - 1) / items : i / items; };
    codegen::sequence<block_step> steps;
    for (std::size_t r = 0; r < parts.size(); ++r) {
        const range& own = parts[r];
        block_step s{{results_before(own.begin), results_before(own.end)}, {own.end, own.end}};
        const std::int64_t last = own.end / items * items, end = last + items < count ? last + items : count;
        s.passed.begin = own.end == count ? own.end : own.begin > last ? own.begin : last;
        for (std::size_t q = r + 1; s.passed.size() > 0 && s.to < 0; ++q)
            if (parts[q].end >= end) s.to = static_cast<int>(q);
        steps.push_back(s);
    }
    return steps;
}

namespace block_detail {

using codegen::accumulated;

/// One row: elements are collected until their block is whole, results until all are there, as accumulators
/// where the reduction has an index, else as their values alone.
struct row_of_blocks {
    const codegen::reduce_job& job;
    const block_reduction& how;
    std::int64_t step, unit;  ///< elements of a block, and of a result
    std::size_t size;         ///< of a value
    bool is_indexed;
    std::int64_t next = 0;
    std::vector<char> wide, block, results;
    codegen::sequence<accumulated> indexed_block, indexed_results;

    row_of_blocks(const codegen::reduce_job& j, const block_reduction& r)
        : job(j),
          how(r),
          step(block_size(r.tree)),
          unit(level_of(r.tree, r.level).unit),
          size(static_cast<std::size_t>(codegen::size_of(j.wide))),
          is_indexed(codegen::is_indexed(r.how)) {}

    // Values of a type, numbered from the next one, `apart`.
    void append(std::vector<char>& to, codegen::sequence<accumulated>& to_indexed, dtype type, const char* from,
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
        const std::int64_t count = of.size() / unit;
        const std::size_t before = indexed_results.size();
        append(results, indexed_results, how.accumulator, from, count, unit);
        for (std::int64_t i = 0; position && i < count; ++i, position += sizeof(std::int64_t)) {
            std::int64_t place = 0;
            std::memcpy(&place, position, sizeof place);
            indexed_results[before + static_cast<std::size_t>(i)].index += place;
        }
    }
    void add(const block_contribution& c, std::int64_t row) {
        const block_pieces& p = c.pieces;
        const std::int64_t each = codegen::size_of(how.operand), blocks = p.body.size() / unit;
        add_elements(c.head + row * p.head.size() * each, p.head);
        add_results(c.body + row * blocks * codegen::size_of(how.accumulator),
                    c.position ? c.position + row * blocks * 8 : nullptr, p.body);
        add_elements(c.tail + row * p.tail.size() * each, p.tail);
    }
    std::int64_t results_size() const {
        return static_cast<std::int64_t>(is_indexed ? indexed_results.size() : results.size() / size);
    }
    // Combines results from one on, so many at a time or all of them, into the first ones.
    void combine(std::int64_t items) {
        const std::int64_t count = results_size(), by = items > 0 ? items : count;
        std::int64_t made = 0;
        for (std::int64_t i = 0; i < count; i += by, ++made) {
            const std::int64_t n = count - i < by ? count - i : by;
            if (is_indexed) {
                codegen::combine_results(job, indexed_results.data() + i, n);
                indexed_results[static_cast<std::size_t>(made)] = indexed_results[static_cast<std::size_t>(i)];
            } else {
                char* const at = results.data() + static_cast<std::size_t>(i) * size;
                codegen::combine_result_values(job, at, n);
                std::memmove(results.data() + static_cast<std::size_t>(made) * size, at, size);
            }
        }
        if (is_indexed) indexed_results.resize(static_cast<std::size_t>(made));
        else results.resize(static_cast<std::size_t>(made) * size);
    }
    // Groups of columns combine from first to last however many there are, not in groups again.
    void combine_in_turn() {
        const auto pair = static_cast<std::size_t>(is_indexed ? 1 : size);
        for (std::int64_t i = 1, n = results_size(); i < n; ++i) {
            const auto at = static_cast<std::size_t>(i) * pair;
            if (is_indexed) job.combine(job.how, indexed_results[0], indexed_results[at]);
            else {
                std::memmove(results.data() + size, results.data() + at, size);
                codegen::combine_result_values(job, results.data(), 2);
            }
        }
    }
    void clear(std::int64_t first) {
        next = first;
        results.clear();
        indexed_results.clear();
    }
    void store(char* out) {
        finish();
        if (level_of(how.tree, how.level).items > 0) combine(0);
        else combine_in_turn();
        if (codegen::ends_with_identity(how.how, how.operand)) {
            results.resize(2 * size);
            std::memset(results.data() + size, 0, size);
            codegen::combine_result_values(job, results.data(), 2);
        }
        if (is_indexed) std::memcpy(out, &indexed_results[0].index, sizeof indexed_results[0].index);
        else convert_result(out);
        clear(0);
    }
    // By way of float32 where that is how halves are reduced: twice rounded is not once.
    void convert_result(char* out) const {
        const dtype type = codegen::widened(how.result);
        char result[sizeof(accumulated::value)];
        codegen::convert(job.wide, type, results.data(), result, 1);
        codegen::convert(type, how.result, result, out, 1);
    }
    void store_results(block_results& out, std::int64_t apart) {
        const std::int64_t count = results_size();
        const std::size_t each = static_cast<std::size_t>(codegen::size_of(how.accumulator));
        for (std::int64_t i = 0; is_indexed && i < count; ++i) {
            const accumulated& a = indexed_results[static_cast<std::size_t>(i)];
            results.insert(results.end(), a.value, a.value + size);
            const std::int64_t place = a.index - (out.which.begin + i) * apart;
            const char* const bytes = reinterpret_cast<const char*>(&place);
            out.position.insert(out.position.end(), bytes, bytes + sizeof place);
        }
        out.values.resize(out.values.size() + static_cast<std::size_t>(count) * each);
        codegen::convert(job.wide, how.accumulator, results.data(),
                         out.values.data() + out.values.size() - static_cast<std::size_t>(count) * each, count);
    }
};

}  // namespace block_detail

SINTER_INLINE codegen::reduce_job job_of(const block_reduction& r) {
    codegen::reduce_job job{r.how, r.tree, r.operand, r.operand, {}, {}, nullptr, nullptr};
    codegen::choose_accumulator(job);
    return job;
}

SINTER_INLINE void combine_blocks(const block_reduction& r, codegen::span<const block_contribution> ranks,
                                  std::int64_t rows, char* out) {
    const codegen::reduce_job job = job_of(r);
    block_detail::row_of_blocks row(job, r);
    for (std::int64_t i = 0; i < rows; ++i, out += codegen::size_of(r.result)) {
        for (const block_contribution& c : ranks) row.add(c, i);
        row.store(out);
    }
}

SINTER_INLINE void complete_blocks(const block_reduction& r, codegen::span<const block_contribution> items,
                                   std::int64_t rows, bool next, block_results& out) {
    const codegen::reduce_job job = job_of(r);
    const block_level level = level_of(r.tree, r.level);
    const std::int64_t apart = next ? level.unit * level.items : level.unit;
    block_detail::row_of_blocks row(job, r);
    const std::int64_t first = out.which.begin * apart;
    for (std::int64_t i = 0; i < rows; ++i) {
        row.clear(first);
        for (const block_contribution& c : items) row.add(c, i);
        row.finish();
        if (next) row.combine(level.items);
        row.store_results(out, apart);
    }
}

}  // namespace sinter::inline SINTER_ABI::distributed
