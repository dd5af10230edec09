// How the interpreter reduces along axes in the order of reduce_tree.hpp.
#pragma once

#include <cstdint>
#include <sinter/codegen/graph/graph.hpp>
#include <sinter/codegen/graph/reduce_tree.hpp>

namespace sinter::inline SINTER_ABI::codegen {

struct layout_cursor;

/// An accumulator of one of the four types that everything widens to; the index is the lowest one that holds the value,
/// and means nothing where the reduction has none.
struct accumulated {
    unsigned char value[16];
    std::int64_t index;
};

/// One reduction over one operand: the axes that stay and those that go, as layouts over the operand.
struct reduce_job {
    reduction how;
    reduce_tree tree;
    dtype from, wide;
    layout kept, reduced;
    void (*combine)(reduction, accumulated&, const accumulated&);
    void (*combine_values)(const reduce_job&, void*, std::int64_t, bool);  ///< of blocks' results, or in a block
};

/// The reduction or scan of an operand.
reduce_job job_of(const reduce_info& how, const node& operand);

/// Sets the type in which elements combine, and how.
void choose_accumulator(reduce_job& job);

/// The elements of one block, at most as many as the order has, combined into the first of them.
void combine_block(const reduce_job& job, accumulated* x, std::int64_t n);

/// The results of all blocks, in their order, combined into the first of them.
void combine_results(const reduce_job& job, accumulated* results, std::int64_t count);

/// The same of values alone, of the type `wide`, where the reduction has no index.
inline void combine_block_values(const reduce_job& job, void* values, std::int64_t n) {
    job.combine_values(job, values, n, false);
}
inline void combine_result_values(const reduce_job& job, void* values, std::int64_t count) {
    job.combine_values(job, values, count, true);
}

/// The next `count` elements as accumulators; raw and wide have room for them.
void load_block(const reduce_job& job, layout_cursor& at, const void* in, std::int64_t start, std::int64_t count,
                void* raw, char* wide, accumulated* block);

/// A reduce node's value.
void reduce(const reduce_info& how, const node& operand, const void* in, const node& result, void* out);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/interpret/interpret_reduce.ipp>
#endif
