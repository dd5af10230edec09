// Reductions of which every rank has some elements: cut at the blocks of reduce_tree.hpp, so that any number of ranks
// combines the same elements in the same order; must not know messages.
#pragma once

#include <sinter/codegen/base/sequence.hpp>
#include <sinter/codegen/base/span.hpp>
#include <sinter/codegen/distributed/placement.hpp>
#include <sinter/codegen/graph/reduce_tree.hpp>
#include <vector>

namespace sinter::inline SINTER_ABI::distributed {

/// Elements per block. Columns of more than 4,096 such blocks have longer ones where one rank has all of them; over
/// ranks they keep these, and with one rank too, so that the number of ranks changes no bit.
constexpr std::int64_t block_size(codegen::reduce_tree tree) {
    return tree == codegen::reduce_tree::rows ? codegen::row_block : codegen::column_chunk(1);
}
/// Whether a reduction of n elements has such blocks where one rank has all of them.
constexpr bool has_blocks(codegen::reduce_tree tree, std::int64_t n) {
    return tree == codegen::reduce_tree::rows || codegen::column_chunk(n) == block_size(tree);
}

/// Items of a reduction that a result of the next level combines: elements make blocks, blocks' results groups of
/// blocks, which are again of the order's blocks in rows, and of so many from first to last in columns.
struct block_level {
    std::int64_t unit;   ///< elements of an item
    std::int64_t items;  ///< that combine; 0: all of them, from first to last
};
constexpr block_level level_of(codegen::reduce_tree tree, int level) {
    const std::int64_t next = tree == codegen::reduce_tree::rows ? codegen::row_block : codegen::column_group;
    if (level == 0) return {1, block_size(tree)};
    if (level == 1) return {block_size(tree), next};
    return {block_size(tree) * next, tree == codegen::reduce_tree::rows ? next : 0};
}

/// What a rank does so that every result of the next level is made by one rank, the one that has its last item: it
/// passes on the items behind its last whole result.
struct block_step {
    range results;  ///< that it makes
    range passed;   ///< items for another rank
    int to = -1;    ///< which one, where there are any
};
/// Of `count` items of which ranks have parts one behind the other.
codegen::sequence<block_step> plan_blocks(codegen::span<const range> parts, std::int64_t count, std::int64_t items);

/// A rank's elements of a reduction: whole blocks, which it reduces, and what stands before and behind them, which is
/// passed on as it is.
struct block_pieces {
    range head, body, tail;
};

/// Of elements `mine` of a reduction in blocks of `step`.
block_pieces cut_at_blocks(range mine, std::int64_t step);

/// What a rank has sent of some rows: elements and results, row-major over (rows, elements or results).
struct block_contribution {
    block_pieces pieces;
    const char* head = nullptr;      ///< of the operand's type
    const char* body = nullptr;      ///< of the accumulator's type, one for each result
    const char* position = nullptr;  ///< of indexed reductions: int64 among its elements, one for each
    const char* tail = nullptr;      ///< of the operand's type
};

/// A reduction of n elements in each row.
struct block_reduction {
    codegen::reduction how;
    codegen::reduce_tree tree;
    dtype operand, accumulator, result;
    std::int64_t count;
    int level = 1;  ///< of the results in bodies
};

/// The results of some rows from what all ranks have sent, in the order of reduce_tree.hpp: the bits of a reduction
/// that one rank does alone.
void combine_blocks(const block_reduction& r, codegen::span<const block_contribution> ranks, std::int64_t rows,
                    char* out);

/// Results of some rows, row-major over (rows, results): values of the accumulator's type and places.
struct block_results {
    range which;
    std::vector<char> values, position;
};
/// Completes results from items that stand one behind the other: blocks from elements, beside such that are there, or
/// with `next` the results of the next level.
void complete_blocks(const block_reduction& r, codegen::span<const block_contribution> items, std::int64_t rows,
                     bool next, block_results& out);

}  // namespace sinter::inline SINTER_ABI::distributed

#if SINTER_HEADER_ONLY
#include <sinter/codegen/distributed/blocks.ipp>
#endif
