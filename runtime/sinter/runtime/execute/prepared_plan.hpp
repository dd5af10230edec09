// A plan ready to run on a device: its kernels compiled, its slots told where their memory comes from; must not know
// how it is made or run.
#pragma once

#include <sinter/codegen/base/owner.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>
#include <sinter/codegen/fuse/fuse.hpp>
#include <sinter/runtime/execute/calls.hpp>
#include <sinter/runtime/execute/plan_ref.hpp>
#include <sinter/runtime/compile/code_backend.hpp>
#include <sinter/runtime/device/cuda_graph.hpp>
#include <sinter/runtime/memory/memory_pool.hpp>

namespace sinter::inline SINTER_ABI::runtime {

struct kernel_backend;

/// A scalar of a kernel: which of the program's, and the types it is converted to in turn.
struct prepared_scalar {
    std::uint32_t origin;
    std::string types;  ///< a dtype per character
    friend bool operator==(const prepared_scalar&, const prepared_scalar&) = default;
};

/// A scalar of a step, or the inverse of one that CUDA kernels divide by.
struct step_scalar {
    prepared_scalar from;
    bool is_inverse;
    friend bool operator==(const step_scalar&, const step_scalar&) = default;
};

/// In place of a block's number: there is none.
inline constexpr std::uint32_t no_block = ~std::uint32_t{0};

/// Everything about a kernel's launches that is the same in every run of its plan, and the block that a run writes its
/// pointers and scalars into; runtime_lock() guards the block.
struct prepared_kernel {
    const codegen::kernel* kernel;
    kernel_ref compiled;
    codegen::sequence<std::int64_t> integers;
    codegen::sequence<std::int32_t> narrow;              ///< the same for CUDA kernels of 32-bit element numbers
    codegen::sequence<codegen::index_divisor> divisors;  ///< by axis, for CUDA kernels
    codegen::sequence<std::uint32_t> blocks;             ///< of the operands, then of partial results
    codegen::sequence<std::size_t> shifts;    ///< by block: bytes from its beginning to where the pointer points
    codegen::sequence<std::size_t> partials;  ///< bytes of the partial results
    bool has_status_of_stream = false;        ///< which they are then, see tile_status_words
    codegen::sequence<prepared_scalar> scalars;
    codegen::sequence<std::uint32_t> inverses;  ///< scalars that a CUDA kernel divides by
    codegen::sequence<std::uint32_t> places;  ///< among the step's scalars, of scalars and inverses that lie in memory
    codegen::sequence<codegen::host_phase> phases;     ///< on the host
    codegen::sequence<codegen::cuda_launch> launches;  ///< on CUDA devices

    mutable codegen::sequence<void*> memory;                  ///< by block, then the counters and the error words
    mutable codegen::sequence<codegen::scalar_value> values;  ///< of the scalars, then of inverses
    mutable codegen::sequence<void*> scalars_at;              ///< in place of them, where they lie in memory
    codegen::sequence<void*> parameters;                      ///< addresses in the block, as a launch takes them
};

/// Where a root lies after a run.
struct prepared_root {
    std::uint32_t block;
    bool last;  ///< no later root lies there
};

/// A plan's launches as one CUDA graph, with the arguments that they have in it.
struct recorded_plan {
    buffer_ref scalars;  ///< where its kernels find them; outlives the graph
    codegen::owner<cuda_graph> graph;
    codegen::sequence<void*> memory;  ///< of all kernels and copies, in order
    codegen::sequence<codegen::scalar_value> values;
    codegen::sequence<std::uint64_t> words;  ///< of the step's scalars
};

/// A copy that a device makes before it repeats a plan: what a run has left becomes what the next one reads.
struct repeated_copy {
    void* to;
    const void* from;
    std::size_t bytes;
    friend bool operator==(const repeated_copy&, const repeated_copy&) = default;
};

/// How a device repeats a plan by itself.
struct repetition {
    codegen::sequence<repeated_copy> copies;  ///< before each run, in this order
    const void* condition = nullptr;          ///< a bool that each run writes; nullptr: it holds always
    std::uint32_t at_once = 1;                ///< runs between two looks at it
    friend bool operator==(const repetition&, const repetition&) = default;
};

/// A plan that a device repeats, with the arguments that it has then.
struct recorded_loop {
    recorded_plan turn;  ///< without a graph
    repetition how;
    codegen::owner<cuda_loop> loop;
};

/// A plan ready to run: planned, compiled, and told where its memory comes from.
struct prepared_plan {
    codegen::graph program;  ///< as simplified
    codegen::plan plan;
    codegen::sequence<prepared_kernel> kernels;
    codegen::sequence<prepared_call> calls;
    codegen::sequence<std::uint32_t> workspaces;  ///< by call: the block that it works in, or no_block
    codegen::sequence<std::uint32_t> memory_of;   ///< by slot: which block; inputs come first
    codegen::sequence<std::size_t> fresh_bytes;   ///< of the blocks after the inputs
    codegen::sequence<prepared_root> roots;
    device where;
    const kernel_backend* backend;

    bool replayable = false;                      ///< several launches and no calls of libraries, on a CUDA device
    codegen::sequence<step_scalar> step_scalars;  ///< those that kernels find in memory, which the first launch writes
    cuda_kernel write_scalars;
    mutable codegen::sequence<std::uint64_t> words;  ///< of them in this run, two each

    codegen::sequence<const refinable_code*> texts;     ///< of its calls, those that were compiled quickly
    mutable bool has_quick = false;                     ///< kernels or texts that full code may replace
    mutable std::uint64_t refined = ~std::uint64_t{0};  ///< refined_kernels() when `codes` was counted
    mutable std::size_t codes = 0;                      ///< of its kernels when `recorded` and `loops` began
    mutable std::int64_t references = 0;                ///< of plan_ref
    mutable std::uint64_t last_run = 0;                 ///< among the runs of all plans
    mutable codegen::sequence<recorded_plan> recorded;  ///< for the last sets of buffers
    mutable std::size_t next_recorded = 0;
    mutable codegen::sequence<recorded_loop> loops;
    mutable std::size_t next_loop = 0;
    mutable bool refuses_loops = false;  ///< the driver does not take it as one
};

/// A check of an index, and the node of the plan's program that it belongs to.
struct launched_check {
    index_check check;
    codegen::node_id node;
};

}  // namespace sinter::inline SINTER_ABI::runtime
