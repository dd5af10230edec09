// Writes the body of one kernel: follows values through views to memory and computes each (value, layout) once; must
// not know what is stored.
#pragma once

#include <sinter/codegen/base/number_map.hpp>
#include <sinter/codegen/schedule/choose.hpp>
#include <sinter/codegen/schedule/plan.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// What the planner has decided about each node before kernels are built.
struct decisions {
    static constexpr std::uint32_t no_slot = ~std::uint32_t{0};

    sequence<char> stored;            ///< the node's value gets memory
    sequence<std::uint32_t> slot_of;  ///< of inputs and stored nodes
};

/// Thrown inside the planner: `node` must be stored before the kernel can be built.
struct must_store {
    node_id node;
    bool too_large = false;  ///< the kernel exceeds the limits, rather than a layout being inexpressible
};

/// Thrown inside the planner: a map reaches `node` where its axes are split like this, or `node` must be stored.
struct must_split {
    node_id node;
    dims space;
};

/// What a kernel computes.
class body_builder {
public:
    body_builder(const graph& g, const decisions& d, const fusion_limits& limits) : g_(g), limits_(limits), d_(d) {}

    /// Lists a node as computed by this kernel.
    void note_computed(node_id n);

protected:
    std::uint32_t lower(node_id n, const layout& at);
    std::uint32_t add_access(std::uint32_t slot, dtype type, bool written, const layout& at);
    std::uint32_t add_operand(const operand& o);

    const graph& g_;
    const fusion_limits& limits_;
    kernel kernel_;
    sequence<node_id> members_;
    layout element_;  ///< identity of element stages
    layout row_;      ///< identity of row stages
    dims shape_;      ///< of what is reduced
    std::uint8_t axes_ = 0;
    bool has_rows_ = false;   ///< a kernel of reductions
    bool may_split_ = false;  ///< a map whose axes may be split
    bool in_row_ = false;     ///< what is being lowered is computed once per row

private:
    std::uint32_t lower_new(node_id n, const layout& at);
    std::uint32_t lower_load(node_id n, const layout& at);
    std::uint32_t lower_view(node_id n, const layout& at);
    std::uint32_t lower_apply(node_id n, const layout& at);
    std::uint32_t lower_invoke(node_id n, const layout& at);
    std::uint32_t lower_whole(node_id n);
    std::uint32_t lower_gather(node_id n, const layout& at);
    std::uint32_t lower_reduce(node_id n, const layout& at);
    std::uint32_t pair_of(reduction how, std::uint32_t argument, int stage) const;
    std::uint32_t lower_beside(std::uint32_t pair, reduction how, dtype type);
    std::uint32_t lower_scan(node_id n, const layout& at);
    std::uint32_t emit(instruction i);
    std::size_t parameter_bytes() const;
    bool can_store(node_id n) const;
    node_id choose_cut() const;
    layout over_space(layout at) const;
    std::uint32_t add_number(const layout& at);
    std::uint32_t layout_number(const layout& at);
    bool is_among_members(node_id n) const;
    bool is_member(node_id n, const layout& at) const;
    bool is_row(const layout& at) const;
    bool needs_row_results(node_id n) const;
    place base_place(node_id n) const;

    const decisions& d_;
    int accumulators_ = 0;
    std::size_t numbers_ = 0;  ///< accesses that are element numbers
    node_id first_reduced_ = 0;
    sequence<node_id> path_;  ///< being lowered, outermost first
    node_id largest_ = 0;     ///< the finished value that most of the body belongs to
    std::size_t largest_size_ = 0;
    sequence<layout> layouts_;
    number_map memo_[2];            ///< of elements and rows: from (node, number of the layout)
    mutable number_map needs_row_;  ///< from nodes: answers of needs_row_results
    number_map computed_;           ///< nodes that are listed
    number_map scalar_numbers_;     ///< from the graph's slot
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/fuse/body_builder.ipp>
#endif
