// Which stored values kernels of reductions compute, per row and per element, and in which level each value is; must
// not know how kernels are built.
#pragma once

#include <sinter/codegen/fuse/store_planner.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// The decisions of fuse that need to know what is stored.
class level_planner : public store_planner {
public:
    level_planner(const graph& g, const sequence<bool>& consumable, const fusion_limits& limits);

protected:
    static constexpr node_id unset = ~node_id{0};

    /// Where a value reads another one: at its own point, in the row that its point belongs to, or anywhere. An update
    /// that a kernel of reductions does changes its base without reading it.
    enum class relation : std::uint8_t { point, row, elsewhere, change };

    /// A stored value that another one is computed from.
    struct dependency {
        node_id node;
        relation how;
    };
    /// What a kernel of reductions works on: arrays of a shape and the axes that it reduces.
    struct row_space {
        dims shape;
        std::uint8_t axes;
        bool returns;  ///< whether a row's results may go back to its elements in the same kernel
        bool scans;    ///< a result per element, of those up to it
    };

    void assign_levels();
    bool is_joined(node_id n) const { return g_.nodes[n].kind == node_kind::update && space_of_[n] != unset; }

    sequence<row_space> spaces_;
    sequence<std::uint32_t> space_of_;  ///< of stored values that kernels of reductions compute, or unset
    sequence<char> per_row_;            ///< of those: has an element for each row rather than for each point
    sequence<char> hidden_;             ///< read only inside the kernel that computes it
    sequence<sequence<dependency>> dependencies_;
    sequence<int> level_;         ///< of stored values
    sequence<int> lowest_level_;  ///< raised when a kernel must be split
    sequence<node_id> targets_;   ///< stored values that the plan computes, in order

private:
    bool is_reduction(node_id n) const {
        return g_.nodes[n].kind == node_kind::reduce || g_.nodes[n].kind == node_kind::scan;
    }
    sequence<dependency> dependencies_of(node_id target) const;
    void raise_levels();
    bool is_row_layout(const layout& l, const row_space& s) const;
    std::uint32_t space_number(node_id reduce);
    void assign_spaces();
    bool may_join_rows(node_id update) const;
    void find_space(node_id target);
    void adopt_space(node_id target);
    bool can_merge(node_id target, const dependency& d) const;
    bool needs_no_memory(node_id n) const;
    void hide_unread();
    bool leave_empty_spaces();
    void leave_space(node_id target);
    bool leave_unsafe_updates();

    mutable sequence<char> seen_;
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/fuse/level_planner.ipp>
#endif
