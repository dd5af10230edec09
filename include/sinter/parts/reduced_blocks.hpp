// Reductions over an axis that is in parts, so that these combine to the bits of all of it in one place: whole blocks
// of reduce_tree.hpp are reduced where they lie, other elements passed on; must not know where parts are.
#pragma once

#include <sinter/codegen/base/sequence.hpp>
#include <sinter/array/record.hpp>
#include <sinter/codegen/distributed/blocks.hpp>
#include <sinter/parts/value_parts.hpp>
#include <vector>

namespace sinter::inline SINTER_ABI::detail {

/// A reduction over an axis in parts, and one of them: its whole blocks reduced, in lines of shape (rows, n).
struct blocked_reduction {
    distributed::block_reduction how;
    codegen::sequence<distributed::block_pieces> pieces;  ///< of all parts
    std::int64_t rows = 0;
    handle head, body, position, tail;
    bool is_whole = false;  ///< all parts consist of results alone
};

/// The shape of a reduction's result.
dims reduced_shape(const dims& shape, std::uint8_t axes, bool keepdims);
/// Of the reduced axes of more than one element; -1 where there is none.
int outermost_reduced(const dims& shape, std::uint8_t axes);

/// Of a shape whose axis `split`, the outermost reduced one, is in parts.
blocked_reduction begin_blocks(codegen::reduction how, dtype type, const dims& shape, std::uint8_t axes, int split,
                               codegen::span<const range> parts);
/// Records what a part has: `local` is the operand's part with number `own`.
void record_blocks(blocked_reduction& w, const handle& local, const dims& shape, std::uint8_t axes, int split,
                   std::size_t own);
/// Bytes that a part has of some rows.
std::int64_t block_bytes(const blocked_reduction& w, int part, std::int64_t rows);
/// How parts are brought to the next level: blocks that several have elements of are completed in one place, or groups
/// of blocks are.
codegen::sequence<distributed::block_step> steps_of(const blocked_reduction& w);
/// Bytes of what a part passes on in such a step.
std::int64_t passed_bytes(const blocked_reduction& w, const distributed::block_step& s);
/// What part `own` passes on, which it has no more.
void pass_on(std::vector<char>& to, blocked_reduction& w, const distributed::block_step& s, std::size_t own);
/// What was passed on, in its place in bytes, which is passed.
distributed::block_contribution passed_at(const blocked_reduction& w, const distributed::block_step& s,
                                          const char*& at);
/// The step's end: from what other parts have passed on and its own, part `own` has results of the next level, as all
/// others have theirs.
void take_step(blocked_reduction& w, codegen::span<const distributed::block_step> steps, std::size_t own,
               codegen::sequence<distributed::block_contribution> passed);
/// The elements and results that are recorded of some rows.
void append_rows(std::vector<char>& to, const blocked_reduction& w, range rows);
/// What a part has of some rows, in its place in bytes, which is passed.
distributed::block_contribution contribution_at(const blocked_reduction& w, int part, std::int64_t rows,
                                                const char*& at);
/// The results of some rows, from what all parts have.
std::vector<char> combined_rows(const blocked_reduction& w, codegen::span<const distributed::block_contribution> all,
                                std::int64_t rows);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/parts/reduced_blocks.ipp>
#endif
