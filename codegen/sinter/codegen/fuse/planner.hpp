// The decisions of fuse: which values are stored, in which level each is computed, and which memory an update takes.
#pragma once

#include <sinter/codegen/fuse/kernel_builder.hpp>

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
    struct group {
        int level;
        node_kind kind;  ///< apply for maps, reduce, scan, select, update, call
        dims shape;      ///< of the map's or the reduction's space
        std::uint8_t axes = 0;
        node_id mask = unset;  ///< of a selection
        std::uint32_t apart = 0;
        sequence<node_id> members;
    };

    bool is_memory(node_id n) const { return g_.nodes[n].kind == node_kind::input || d_.stored[n]; }
    bool is_reduction(node_id n) const {
        return g_.nodes[n].kind == node_kind::reduce || g_.nodes[n].kind == node_kind::scan;
    }
    void require_stored(node_id n, store_reason why);
    void require_place(node_id n, store_reason why);
    void set_apart(node_id invoke);
    void set_apart(node_id n, const std::string& options);
    void part_from_exact(node_id n);
    void weigh_recomputation();
    void weigh(node_id n, sequence<double>& cost);
    sequence<dependency> dependencies_of(node_id target) const;
    void assign_levels();
    void raise_levels();
    sequence<group> make_groups() const;
    bool are_apart(node_id update, node_id other) const;
    bool may_join_parts(const group& u, node_id update) const;

    std::uint32_t space_number(node_id reduce);
    void assign_spaces();
    void find_space(node_id target);
    bool may_join_rows(node_id update) const;
    bool is_joined(node_id n) const { return g_.nodes[n].kind == node_kind::update && space_of_[n] != unset; }
    bool leave_unsafe_updates();
    void leave_space(node_id target);
    void adopt_space(node_id target);
    bool leave_empty_spaces();
    void hide_unread();
    bool is_row_layout(const layout& l, const row_space& s) const;
    bool can_merge(node_id target, const dependency& d) const;
    bool needs_no_memory(node_id n) const;
    /// Whether only a list of addresses says which matrices a product multiplies.
    bool is_listed(node_id product) const;
    bool is_taken_as_it_is(node_id call, int operand) const;
    /// Whether a call's operand is a number rather than an array.
    bool is_number(node_id call, int operand) const {
        return g_.call_of(call).has_factor() && operand + 1 == static_cast<int>(g_.nodes[call].arg_count);
    }

    std::uint32_t new_slot(plan& p, node_id n);
    void build_group(plan& p, const group& u);
    void build_select(plan& p, const group& u);
    void build_update(plan& p, const group& u);
    void give_slot(plan& p, node_id member);
    void store_member(kernel_builder& b, const group& u, node_id member);
    void build_call(plan& p, node_id n);
    void set_factor(library_call& c, node_id number) const;
    /// Gives a call memory of its base that it may overwrite: the base's own, or a copy of it.
    std::uint32_t give_base(plan& p, library_call& c);
    /// Whether two nodes are results of the same call.
    bool is_same_call(node_id a, node_id b) const;
    /// Whether computing a value may overwrite its base: an update, or the results of a routine that works in place.
    bool changes_base(node_id n) const {
        const node& v = g_.nodes[n];
        return v.kind == node_kind::update ||
               (v.kind == node_kind::call && info(g_.call_of(n).what).base != base_use::kept);
    }
    bool can_overwrite(node_id base, node_id update) const;
    place place_of(node_id n) const;

    const graph& g_;
    const sequence<bool>& consumable_;
    const fusion_limits& limits_;
    decisions d_;
    sequence<sequence<node_id>> users_;
    sequence<char> is_root_;
    sequence<store_reason> why_stored_;
    sequence<row_space> spaces_;
    sequence<std::uint32_t> space_of_;  ///< of stored values that kernels of reductions compute, or unset
    sequence<char> per_row_;            ///< of those: has an element for each row rather than for each point
    sequence<char> follows_;            ///< computed, element by element, from what a reduction gives
    sequence<char> forced_;             ///< stored because a kernel could not be built otherwise
    sequence<std::uint32_t>
        apart_;  ///< of values whose functions need a kernel of their own: the number of why in options_, from 1 on
    sequence<std::string> options_;
    sequence<char> hidden_;  ///< read only inside the kernel that computes it
    sequence<sequence<dependency>> dependencies_;
    mutable sequence<char> seen_;
    sequence<int> level_;         ///< of stored values
    sequence<int> lowest_level_;  ///< raised when a kernel must be split
    sequence<node_id> targets_;   ///< stored values that the plan computes, in order
    node_id building_ = 0;        ///< the value whose kernel is being built
    bool building_alone_ = true;
    sequence<node_id> building_group_;  ///< the values of that kernel, in order
};

}  // namespace sinter::inline SINTER_ABI::codegen
