// A fused kernel as data: an iteration space, how operands are walked over it, and a straight-line body.
#pragma once

#include <sinter/codegen/graph/graph.hpp>
#include <sinter/codegen/graph/reduce_tree.hpp>
#include <sinter/codegen/schedule/schedule.hpp>
#include <sinter/codegen/schedule/schedules.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Memory that a kernel gets a pointer to: one for each access, whose first element it points at, so that no text
/// depends on where views begin; and one to all of an array that a function may read.
struct operand {
    std::uint32_t slot;  ///< of the plan
    dtype type;
    bool written = false;
    std::int64_t offset = 0;  ///< the element of the slot that the pointer points at; 0 where there are none
};

/// How an access advances along the axis that neighbouring threads differ in; part of a kernel's text. `aligned`, of an
/// element's own number: by one, from a multiple of four on; `reversed`, of maps of a GPU: by minus one.
enum class stride_class : std::uint8_t { strided, contiguous, broadcast, aligned, reversed };

/// One way of walking over an operand: the slot's element number for each point of the space.
struct access {
    static constexpr std::int32_t own_number = -1;  ///< no memory: the element number itself is the value

    std::int32_t operand;
    layout at;
    stride_class step = stride_class::strided;  ///< set by classify()
    std::int8_t known_step = 0;                 ///< of a strided one: the step, where the text says it; or 0
    friend bool operator==(const access&, const access&) = default;
};

enum class instruction_kind : std::uint8_t {
    load,
    scalar,
    literal,
    apply,
    gather,
    result,
    extreme,
    invoke,
    component,
    whole
};

/// A kernel computes in stages: even ones once per element, odd ones once per row from the reductions of the stage
/// before. A map has stage 0 alone, a reduction with its epilogue 0 and 1; where a row's results go back to its
/// elements there are more: softmax is load, max | result | exp, sum | result | divide, store.
constexpr bool is_row_stage(int stage) { return stage % 2 == 1; }

/// One value of a kernel's body; arguments are earlier instructions, of the same or an earlier stage.
struct instruction {
    instruction_kind kind;
    op operation = op::positive;  ///< of apply
    std::uint8_t stage = 0;       ///< the first one that needs it
    dtype type;
    dtype common;  ///< of apply: the operands' common type
    /// load, gather: access · scalar, literal: index · result: reduction · extreme: reduction, whose value beside its
    /// place it is · invoke: invocation, whose results are components when there are several · component: which ·
    /// whole: operand, all of which a function may read
    std::uint32_t payload = 0;
    sequence<std::uint32_t> args = {};  ///< gather: one per index
};

/// Axis of a gather's base: index times stride is added to the element number.
struct indexed_axis {
    std::uint32_t instruction;  ///< the gather
    std::int64_t extent;
    std::int64_t stride;
    int axis;                     ///< for messages
    node_id node;                 ///< the gather in the graph
    purpose why = purpose::none;  ///< for messages
};

struct reduction_step {
    reduction how;
    std::uint32_t argument;
    dtype type;              ///< of the argument
    std::uint8_t stage = 0;  ///< whose elements it combines

    dtype accumulator() const { return accumulator_type(how, type); }
};

struct store {
    std::uint32_t value;
    std::uint32_t access;
    std::uint8_t stage = 0;  ///< in which it happens: per element or per row
};

struct kernel {
    dims space;    ///< kept axes, then reduced axes; adjacent axes that every access walks alike are one
    int kept = 0;  ///< number of kept axes; all of them for a map
    int stages = 1;
    bool scans = false;  ///< the reduction keeps its every step: its results are elements, of stage 2
    bool selects =
        false;  ///< stage 0 ends with a mask, reductions[0]; stage 2 stores, one after the other, where it holds
    bool fast = false;                ///< its operations may be computed by fast, inexact functions
    std::int32_t count_operand = -1;  ///< of a selection: gets the number of elements, if anything does
    reduce_tree tree = reduce_tree::rows;
    sequence<operand> operands;
    sequence<access> accesses;
    sequence<instruction> body;
    sequence<indexed_axis> indexed;
    sequence<reduction_step> reductions;
    sequence<store> stores;
    sequence<std::uint32_t> scalars;  ///< slots of the graph
    sequence<scalar_value> literals;
    sequence<const invocation*> invocations;
    sequence<node_id> nodes;         ///< of the graph that it computes; its text does not depend on them
    std::int64_t largest_whole = 0;  ///< elements of the largest array that a function may read all of

    schedule how;                    ///< set by choose()
    bool scalars_in_memory = false;  ///< written there by scalar_writer_cuda(); set by who runs the plan

    bool is(mapping m) const { return how.map == m; }
    bool reduces() const { return stages > 1; }
    bool has(instruction_kind kind) const;
    /// What an access walks over that is no element's own number.
    const operand& operand_of(std::size_t a) const { return operands[static_cast<std::size_t>(accesses[a].operand)]; }
    /// Whether an instruction loads from memory, rather than being an element's own number.
    bool loads_memory(const instruction& v) const {
        return v.kind == instruction_kind::load && accesses[v.payload].operand != access::own_number;
    }
    /// Whether any instruction does so by an access.
    bool loads_by(std::uint32_t a) const;
    /// Whether there is something for each element after or beside the reductions: whole rows are then computed at
    /// once.
    bool is_row_kernel() const;
    std::int64_t kept_size() const;
    std::int64_t reduced_size() const;
};

/// Whether an instruction calls a function that returns several values, which exist as components only.
bool is_bundle(const kernel& k, std::uint32_t instruction);

/// The call of the function whose text stands around all that a kernel does, and which then is the kernel's only call;
/// or null.
const instruction* call_around(const kernel& k);

/// Whether an instruction stands for what is the same for all elements and needs no computing.
constexpr bool is_given(const instruction& i) {
    return i.kind == instruction_kind::scalar || i.kind == instruction_kind::literal ||
           i.kind == instruction_kind::whole;
}

/// How often a kernel does what an instruction does, if that is so much that compiling it takes time; from
/// least_repetitions on it is worth a function.
int repetitions(const kernel& k, const instruction& v);
inline constexpr int least_repetitions = 4;

/// Merges adjacent axes where every access allows it and drops axes of size one.
void collapse(kernel& k);

/// The number of axes that `count` kept or reduced axes are padded to.
constexpr int padded_rank(int count) { return count <= 1 ? 1 : count <= 2 ? 2 : count <= 4 ? 4 : max_rank; }

/// Pads the axes to few ranks, so that few texts serve all shapes, and finds how each access advances.
void classify(kernel& k, const family_schedule& on);

/// Below this many elements one general text serves all lengths: fewer kernels are worth more than speed.
inline constexpr std::int64_t large_from = 1 << 15;
bool is_large(const kernel& k);

/// Whether an operand's elements by themselves take numbers of 64 bits; those of points do beyond the largest number of
/// 32 bits that a thread counts up to.
bool reaches_far(const kernel& k);
inline constexpr std::int64_t largest_narrow = 0x7e000000;

/// Whether an access advances along a reduced axis as along a kept one.
bool slides_along(const kernel& k, std::uint32_t a, int kept, int reduced);

/// Whether an access reads the same along all kept axes but the innermost.
bool repeats_along_outer(const kernel& k, std::uint32_t a);

/// The step from neighbour to neighbour of a load that is not contiguous, along an axis: 1, or also -1, against it; 0
/// where no neighbours lie along it. And that of one that a map transposes in tiles, along their axis; 0 of others.
int step_across(const kernel& k, std::uint32_t a, int axis, bool reverses);
int transposed_step(const kernel& k, std::uint32_t a);

/// Whether access `straight` reads along rows the memory that `transposed` reads along columns: what one tile
/// transposes is what the tile on the other side of the diagonal reads straight.
bool is_mirrored(const kernel& k, std::uint32_t transposed, std::uint32_t straight);

/// What the operations of a kernel cost for one element, those of functions by their length, and from where on it is
/// much.
int work_of(const kernel& k);
inline constexpr int heavy_work = 48;

/// The value that indexes axis x of those that gathers index, and the first of them that is indexed by the same value
/// and is as long and as far apart from element to element, in the same operand.
std::uint32_t index_of(const kernel& k, std::size_t x);
std::size_t first_index_alike(const kernel& k, std::size_t x);

/// Sizes and strides as the text expects them, in order: extents of the space, then per access the first element number
/// where that is the value, and (unless flat) its strides, then per indexed axis extent and stride.
sequence<std::int64_t> integers(const kernel& k);
/// What texts call them.
sequence<std::string> integer_names(const kernel& k);

/// A name that says what the kernel does: `multiply_add_exp`, `square_sum`.
std::string name_of(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/schedule/kernel.ipp>
#endif
