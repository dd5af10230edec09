// Blocks of reductions of which several ranks have elements: which rank completes each, and that the bits stay those of
// one rank whatever is completed where.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <sinter/codegen/distributed/blocks.hpp>
#include <vector>

using namespace sinter;
using namespace sinter::distributed;
using codegen::reduce_tree;
using codegen::reduction;

namespace {

std::vector<range> parts_of(std::int64_t n, int ranks) {
    std::vector<range> parts;
    for (int r = 0; r < ranks; ++r) parts.push_back(part_of(n, ranks, r));
    return parts;
}

/// Numbers of which every order of adding has other bits, in three rows.
struct rows_of_numbers {
    static constexpr std::int64_t rows = 3;
    std::int64_t n;
    std::vector<double> x;

    explicit rows_of_numbers(std::int64_t count) : n(count), x(static_cast<std::size_t>(count * rows)) {
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<double>(i * i % 7919)) * 1e3;
    }
    std::vector<double> cut(range of) const {
        std::vector<double> all;
        for (std::int64_t row = 0; row < rows; ++row)
            all.insert(all.end(), x.begin() + row * n + of.begin, x.begin() + row * n + of.end);
        return all;
    }
};

const char* bytes_of(const std::vector<double>& x) { return reinterpret_cast<const char*>(x.data()); }

/// Elements of some rows as a contribution.
block_contribution elements(range of, const std::vector<double>& x) {
    block_contribution c;
    c.pieces.head = of;
    c.head = bytes_of(x);
    return c;
}
block_contribution results(const block_reduction& r, const block_results& x) {
    const std::int64_t unit = level_of(r.tree, r.level).unit;
    block_contribution c;
    c.pieces.body = {x.which.begin * unit, x.which.end * unit};
    c.body = x.values.data();
    if (codegen::is_indexed(r.how)) c.position = x.position.data();
    return c;
}

/// What ranks have of results of a level, each of those that it makes, cut into items that it passes on and others.
struct level_of_ranks {
    const block_reduction& how;
    std::vector<block_results> of;

    block_results cut(std::size_t rank, range which) const {
        const block_results& all = of[rank];
        const std::int64_t count = all.which.size();
        block_results some{which, {}, {}};
        auto copy = [&](const std::vector<char>& from, std::vector<char>& to, std::int64_t size) {
            for (std::int64_t row = 0; !from.empty() && row < rows_of_numbers::rows; ++row) {
                const char* const begin = from.data() + (row * count + which.begin - all.which.begin) * size;
                to.insert(to.end(), begin, begin + which.size() * size);
            }
        };
        copy(all.values, some.values, codegen::size_of(how.accumulator));
        copy(all.position, some.position, 8);
        return some;
    }
    std::vector<range> parts() const {
        std::vector<range> all;
        for (const block_results& r : of) all.push_back(r.which);
        return all;
    }
};

std::vector<char> combined(const block_reduction& r, const std::vector<block_contribution>& all) {
    std::vector<char> out(static_cast<std::size_t>(rows_of_numbers::rows * codegen::size_of(r.result)));
    combine_blocks(r, all, rows_of_numbers::rows, out.data());
    return out;
}

/// The results of blocks on each rank, which the rank of a block's last element makes.
level_of_ranks complete_elements(const block_reduction& r, const rows_of_numbers& x, int ranks) {
    const std::vector<range> parts = parts_of(x.n, ranks);
    const codegen::sequence<block_step> steps = plan_blocks(parts, x.n, level_of(r.tree, 0).items);
    level_of_ranks made{r, {}};
    for (int rank = 0; rank < ranks; ++rank) {
        std::vector<std::vector<double>> kept;
        std::vector<block_contribution> items;
        for (std::size_t q = 0; q <= static_cast<std::size_t>(rank); ++q) {
            const bool is_own = static_cast<int>(q) == rank;
            if (!is_own && steps[q].to != rank) continue;
            const range of = is_own ? range{parts[q].begin, steps[q].passed.begin} : steps[q].passed;
            kept.push_back(x.cut(of));
            items.push_back(elements(of, kept.back()));
        }
        made.of.push_back({steps[static_cast<std::size_t>(rank)].results, {}, {}});
        complete_blocks(r, items, rows_of_numbers::rows, false, made.of.back());
    }
    return made;
}

/// The next level of what ranks have.
level_of_ranks complete_results(const block_reduction& r, const level_of_ranks& from) {
    const std::vector<range> parts = from.parts();
    const codegen::sequence<block_step> steps = plan_blocks(parts, parts.back().end, level_of(r.tree, r.level).items);
    level_of_ranks made{r, {}};
    for (std::size_t rank = 0; rank < parts.size(); ++rank) {
        std::vector<block_results> kept;
        kept.reserve(rank + 1);
        std::vector<block_contribution> items;
        for (std::size_t q = 0; q <= rank; ++q) {
            if (q != rank && steps[q].to != static_cast<int>(rank)) continue;
            kept.push_back(from.cut(q, q == rank ? range{parts[q].begin, steps[q].passed.begin} : steps[q].passed));
            items.push_back(results(r, kept.back()));
        }
        made.of.push_back({steps[rank].results, {}, {}});
        complete_blocks(r, items, rows_of_numbers::rows, true, made.of.back());
    }
    return made;
}

std::vector<char> combined(const block_reduction& r, const level_of_ranks& of) {
    std::vector<block_contribution> all;
    for (const block_results& one : of.of) all.push_back(results(r, one));
    return combined(r, all);
}

}  // namespace

TEST_CASE("each block is completed by the rank of its last element, and ranks pass on no more than a block") {
    for (std::int64_t n : {1, 5, 511, 512, 513, 4096, 5000})
        for (int ranks : {1, 2, 3, 4, 7}) {
            const std::vector<range> parts = parts_of(n, ranks);
            const codegen::sequence<block_step> steps = plan_blocks(parts, n, 512);
            std::int64_t next = 0;
            for (std::size_t r = 0; r < parts.size(); ++r) {
                const block_step& s = steps[r];
                CHECK(s.results.begin == next);
                next = s.results.end;
                CHECK(s.passed.end == parts[r].end);
                CHECK(s.passed.size() < 512);
                CHECK((s.to >= 0) == (s.passed.size() > 0));
                if (s.to < 0) continue;
                const std::int64_t last = std::min((s.passed.begin / 512 + 1) * 512, n) - 1;
                const range& there = parts[static_cast<std::size_t>(s.to)];
                CHECK(there.begin <= last);
                CHECK(last < there.end);
            }
            CHECK(next == (n + 511) / 512);
        }
}

TEST_CASE("blocks and groups of blocks that are completed by some rank combine to the bits of one place") {
    for (reduce_tree tree : {reduce_tree::rows, reduce_tree::columns})
        for (reduction how : {reduction::sum, reduction::max, reduction::argmin})
            for (std::int64_t n : {1, 700, 4097, 40961, 70001}) {
                const rows_of_numbers x(n);
                block_reduction r{how, tree, dtype::float64, dtype::float64, codegen::reduce_type(how, dtype::float64),
                                  n};
                const std::vector<double> whole = x.cut({0, n});
                const std::vector<char> wanted = combined(r, {elements({0, n}, whole)});
                for (int ranks : {1, 2, 3, 7}) {
                    r.level = 1;
                    const level_of_ranks blocks = complete_elements(r, x, ranks);
                    CHECK(combined(r, blocks) == wanted);
                    const level_of_ranks groups = complete_results(r, blocks);
                    r.level = 2;
                    CHECK(combined(r, groups) == wanted);
                }
            }
}

TEST_CASE("groups of columns combine from first to last, however many there are") {
    const rows_of_numbers x(64 * 70 + 9);  // each stands for a chunk's result
    block_reduction r{reduction::sum, reduce_tree::columns, dtype::float64, dtype::float64, dtype::float64, 512 * x.n};
    level_of_ranks chunks{r, {}};
    for (const range& part : parts_of(x.n, 4)) {
        const std::vector<double> own = x.cut(part);
        chunks.of.push_back({part, {bytes_of(own), bytes_of(own) + own.size() * sizeof(double)}, {}});
    }
    const std::vector<char> wanted = combined(r, chunks);
    const level_of_ranks groups = complete_results(r, chunks);
    r.level = 2;
    CHECK(combined(r, groups) == wanted);
    r.level = 1;
    std::int64_t count = 0;
    for (const block_results& g : groups.of) count += g.which.size();
    CHECK(count == 71);
}
