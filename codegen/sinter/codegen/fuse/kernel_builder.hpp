// Writes the body of one kernel: follows values through views to memory and computes each (value, layout) once.
#pragma once

#include <sinter/codegen/schedule/choose.hpp>
#include <sinter/codegen/schedule/plan.hpp>
#include <sinter/codegen/base/number_map.hpp>

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

class kernel_builder {
public:
    kernel_builder(const graph& g, const decisions& d, const fusion_limits& limits) : g_(g), d_(d), limits_(limits) {}

    /// A map over `space`; `members` are the stored nodes that this kernel computes itself.
    void begin_map(const dims& space, const sequence<node_id>& members);
    /// Reductions of arrays of `shape` over `axes` and what is computed with them; members have an element for each
    /// element of the space or for each row, which is a point of the kept axes.
    void begin_rows(const dims& shape, std::uint8_t axes, const sequence<node_id>& members);
    /// Scans of arrays of `shape` along the axis in the mask and what is computed with them, element by element.
    void begin_scan(const dims& shape, std::uint8_t axes, const sequence<node_id>& members);

    /// Elements of arrays of `shape` picked by a mask.
    void begin_select(const dims& shape, node_id mask);
    /// Stores a select node's values one after the other, or its count.
    void store_selected(node_id n, std::uint32_t slot);

    /// Computes a node at every point of the space, or at every row, and stores it there.
    void store_elements(node_id n, std::uint32_t slot);
    void store_rows(node_id n, std::uint32_t slot);
    /// Computes a node at every point of the map's space, or at every row, and stores it at a layout of another array.
    void store_at(node_id n, std::uint32_t slot, const layout& where);
    void store_rows_at(node_id n, std::uint32_t slot, const layout& where);

    /// Whether the body reads a slot anywhere else than at a layout.
    bool reads_elsewhere(std::uint32_t slot, const layout& where) const;

    /// Lists a node as computed by this kernel.
    void note_computed(node_id n);

    /// The finished kernel, collapsed and specialised.
    kernel finish();

private:
    std::uint32_t lower(node_id n, const layout& at);
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
    void store_value(std::uint32_t value, node_id n, std::uint32_t slot, const layout& where);
    void assign_stages();
    std::size_t parameter_bytes() const;
    bool can_store(node_id n) const;
    node_id choose_cut() const;
    layout over_space(layout at) const;
    std::uint32_t add_number(const layout& at);
    std::uint32_t add_access(std::uint32_t slot, dtype type, bool written, const layout& at);
    std::uint32_t add_operand(const operand& o);
    std::uint32_t layout_number(const layout& at);
    bool is_among_members(node_id n) const;
    bool is_member(node_id n, const layout& at) const;
    bool is_row(const layout& at) const;
    bool needs_row_results(node_id n) const;
    place base_place(node_id n) const;

    const graph& g_;
    const decisions& d_;
    const fusion_limits& limits_;
    kernel kernel_;
    sequence<node_id> members_;
    layout element_;  ///< identity of element stages
    layout row_;      ///< identity of row stages
    dims shape_;      ///< of what is reduced
    std::uint8_t axes_ = 0;
    bool has_rows_ = false;  ///< a kernel of reductions
    int accumulators_ = 0;
    std::size_t numbers_ = 0;  ///< accesses that are element numbers
    node_id first_reduced_ = 0;
    bool in_row_ = false;     ///< what is being lowered is computed once per row
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
#include <sinter/codegen/fuse/kernel_builder.ipp>
#endif
