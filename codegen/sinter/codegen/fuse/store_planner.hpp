// Which values are stored: what must have memory, and what costs more to compute again; must not know kernels.
#pragma once

#include <sinter/codegen/fuse/kernel_builder.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// The first decisions of fuse.
class store_planner {
public:
    store_planner(const graph& g, const sequence<bool>& consumable, const fusion_limits& limits);

    /// Marks what must have memory: roots, results of libraries, updates, and what costs more to compute again.
    void choose_stored();

protected:
    bool is_memory(node_id n) const { return g_.nodes[n].kind == node_kind::input || d_.stored[n]; }
    void require_place(node_id n, store_reason why);
    /// Whether a call's operand is a number rather than an array.
    bool is_number(node_id call, int operand) const {
        return g_.call_of(call).has_factor() && operand + 1 == static_cast<int>(g_.nodes[call].arg_count);
    }
    /// Whether computing a value may overwrite its base: an update, or the results of a routine that works in place.
    bool changes_base(node_id n) const {
        const node& v = g_.nodes[n];
        return v.kind == node_kind::update ||
               (v.kind == node_kind::call && info(g_.call_of(n).what).base != base_use::kept);
    }

    const graph& g_;
    const sequence<bool>& consumable_;
    const fusion_limits& limits_;
    decisions d_;
    sequence<sequence<node_id>> users_;
    sequence<char> is_root_;
    sequence<store_reason> why_stored_;
    sequence<char> forced_;      ///< stored because a kernel could not be built otherwise
    sequence<char> transposed_;  ///< by a map of tiles, for a reduction that would read across
    sequence<std::uint32_t>
        apart_;  ///< of values whose functions need a kernel of their own: the number of why in options_, from 1 on
    sequence<std::string> options_;

private:
    void require_stored(node_id n, store_reason why);
    void set_apart(node_id invoke);
    void set_apart(node_id n, const std::string& options);
    void part_from_exact(node_id n);
    bool reads_across(node_id from, std::uint8_t axes) const;
    void store_across(node_id reduce);
    void weigh_recomputation();
    void weigh(node_id n, sequence<double>& cost);
    bool meets_again(node_id n) const;
    bool reads_several(node_id n) const;
    bool is_used_by_another_kernel(node_id n) const;
    /// Whether only a list of addresses says which matrices a product multiplies.
    bool is_listed(node_id product) const;
    bool is_taken_as_it_is(node_id call, int operand) const;

    sequence<char> follows_;  ///< computed, element by element, from what a reduction gives
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/fuse/store_planner.ipp>
#endif
