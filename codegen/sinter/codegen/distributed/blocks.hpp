// Reductions of which every rank has some elements: cut at the blocks of reduce_tree.hpp, so that any number of ranks
// combines the same elements in the same order; must not know messages.
#pragma once

#include <sinter/codegen/distributed/placement.hpp>
#include <sinter/codegen/graph/reduce_tree.hpp>
#include <span>
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

/// A rank's elements of a reduction: whole blocks, which it reduces, and what stands before and behind them, which is
/// passed on as it is.
struct block_pieces {
    range head, body, tail;
};

/// Of elements `mine` of a reduction in blocks of `step`.
block_pieces cut_at_blocks(range mine, std::int64_t step);

/// What a rank has sent of some rows: elements and blocks' results, row-major over (rows, elements or blocks).
struct block_contribution {
    block_pieces pieces;
    const char* head = nullptr;      ///< of the operand's type
    const char* body = nullptr;      ///< of the accumulator's type, one for each block
    const char* position = nullptr;  ///< of indexed reductions: int64 in the block, one for each
    const char* tail = nullptr;      ///< of the operand's type
};

/// A reduction of n elements in each row.
struct block_reduction {
    codegen::reduction how;
    codegen::reduce_tree tree;
    dtype operand, accumulator, result;
    std::int64_t count;
};

/// The results of some rows from what all ranks have sent, in the order of reduce_tree.hpp: the bits of a reduction
/// that one rank does alone.
void combine_blocks(const block_reduction& r, std::span<const block_contribution> ranks, std::int64_t rows, char* out);

}  // namespace sinter::inline SINTER_ABI::distributed

#if SINTER_HEADER_ONLY
#include <sinter/codegen/distributed/blocks.ipp>
#endif
