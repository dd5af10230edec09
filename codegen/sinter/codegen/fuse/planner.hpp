// The driver behind fuse: which values one kernel computes, and the plan of kernels, calls and copies, level by level;
// must not know what kernels look like inside.
#pragma once

#include <sinter/codegen/fuse/kernel_builder.hpp>
#include <sinter/codegen/fuse/level_planner.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// What fuse decides by and builds with.
class planner : public level_planner {
public:
    using level_planner::level_planner;

    /// Marks one more value.
    void add_stored(node_id n, bool too_large);
    /// Builds the plan; throws must_store when a kernel cannot be built as decided.
    plan build();

private:
    struct group {
        int level;
        node_kind kind;  ///< apply for maps, reduce, scan, select, update, call
        dims shape;      ///< of the map's or the reduction's space
        std::uint8_t axes = 0;
        node_id mask = unset;  ///< of a selection
        std::uint32_t apart = 0;
        sequence<node_id> members;
    };

    sequence<group> make_groups() const;
    std::uint32_t new_slot(plan& p, node_id n);
    place place_of(node_id n) const;
    void give_slot(plan& p, node_id member);
    void store_member(kernel_builder& b, const group& u, node_id member);
    void build_members(kernel_builder& b, const group& u);
    void build_group(plan& p, const group& u);
    void build_map(plan& p, const group& u);
    void build_select(plan& p, const group& u);
    bool can_overwrite(node_id base, node_id update) const;
    void build_update(plan& p, const group& u);
    bool are_apart(node_id update, node_id other) const;
    bool takes_turns(node_id update) const;
    bool may_join_parts(const group& u, node_id update) const;
    /// Whether two nodes are results of the same call.
    bool is_same_call(node_id a, node_id b) const;
    /// Gives a call memory of its base that it may overwrite: the base's own, or a copy of it.
    std::uint32_t give_base(plan& p, library_call& c);
    void set_factor(library_call& c, node_id number) const;
    void build_call(plan& p, node_id n);

    node_id building_ = 0;  ///< the value whose kernel is being built
    bool building_alone_ = true;
    sequence<node_id> building_group_;  ///< the values of that kernel, in order
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/fuse/planner.ipp>
#endif
