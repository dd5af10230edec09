// The decisions of fuse: which values are stored, in which level each is computed, and which memory an update takes.
#pragma once

#include <sinter/codegen/kernel_builder.hpp>

namespace sinter::inline SINTER_ABI::codegen {

class planner {
public:
    planner(const graph& g, const sequence<bool>& consumable, const fusion_limits& limits);

    /// Marks what must have memory: roots, results of libraries, updates, and what costs more to compute again.
    void choose_stored();
    /// Marks one more value.
    void add_stored(node_id n, bool too_large);
    /// Builds the plan; throws must_store when a kernel cannot be built as decided.
    plan build();

private:
    static constexpr node_id unset = ~node_id{0};

    /// A stored value that another one is computed from, and whether both can share a kernel.
    struct dependency {
        node_id node;
        bool mergeable;
    };
    struct group {
        int level;
        node_kind kind;  ///< apply for maps, reduce, update, call
        dims shape;      ///< of the map's or the reduction's space
        std::uint8_t axes = 0;
        sequence<node_id> members;
    };

    bool is_memory(node_id n) const { return g_.nodes[n].kind == node_kind::input || d_.stored[n]; }
    void require_stored(node_id n);
    void require_place(node_id n);
    void weigh_recomputation();
    void weigh(node_id n, sequence<double>& cost);
    void find_homes();
    void find_fused_reductions();
    sequence<dependency> dependencies_of(node_id target) const;
    void assign_levels();
    sequence<group> make_groups() const;
    node_id reduction_in(node_id target) const;

    std::uint32_t new_slot(plan& p, node_id n);
    void build_group(plan& p, const group& u);
    void build_update(plan& p, const group& u);
    void build_call(plan& p, node_id n);
    bool can_overwrite(node_id base, node_id update) const;
    place place_of(node_id n) const;

    const graph& g_;
    const sequence<bool>& consumable_;
    const fusion_limits& limits_;
    decisions d_;
    sequence<sequence<node_id>> users_;
    sequence<char> is_root_;
    sequence<node_id> home_;       ///< the one stored value that a reduction is computed with, or itself
    sequence<char> fused_;         ///< reductions computed inside their home's kernel
    sequence<node_id> reduction_of_;  ///< of stored values: a reduction fused into their kernel
    sequence<sequence<dependency>> dependencies_;
    mutable sequence<char> seen_;
    sequence<int> level_;          ///< of stored values
    sequence<int> lowest_level_;   ///< raised when a kernel must be split
    sequence<node_id> targets_;    ///< stored values that the plan computes, in order
    node_id building_ = 0;            ///< the value whose kernel is being built
    bool building_alone_ = true;
};

}  // namespace sinter::inline SINTER_ABI::codegen
