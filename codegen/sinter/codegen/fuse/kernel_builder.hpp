// Builds one kernel: the space that it works on and what it stores there; must not know how values are computed.
#pragma once

#include <sinter/codegen/fuse/body_builder.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// A kernel from what it works on to what it stores.
class kernel_builder : public body_builder {
public:
    using body_builder::body_builder;

    /// A map over `space`; `members` are the stored nodes that this kernel computes itself. Where it may split the
    /// axes, building it may throw must_split.
    void begin_map(const dims& space, const sequence<node_id>& members, bool may_split = false);
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
    /// Whether tiles would transpose something that the body reads if the axes were those of a shape, and do not as
    /// they are.
    bool reads_across(const dims& whole) const;
    /// The finished kernel, collapsed and specialised.
    kernel finish();

private:
    void store_value(std::uint32_t value, node_id n, std::uint32_t slot, const layout& where);
    void assign_stages();
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/fuse/kernel_builder.ipp>
#endif
