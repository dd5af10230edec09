// Bodies of kernel_builder.hpp.
#pragma once

#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/fuse/kernel_builder.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE void kernel_builder::begin_map(const dims& space, const sequence<node_id>& members, bool may_split) {
    members_ = members;
    may_split_ = may_split;
    kernel_.space = space;
    kernel_.kept = space.size();
    element_ = contiguous(space);
}

SINTER_INLINE void kernel_builder::begin_rows(const dims& shape, std::uint8_t axes, const sequence<node_id>& members) {
    members_ = members;
    axes_ = axes;
    shape_ = shape;
    dims order;
    for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < shape.size(); ++i)
            if ((axes >> i & 1) == pass) order.push_back(i);
    element_ = transposed(contiguous(shape), order);
    row_ = contiguous(kept_shape(shape, axes));
    kernel_.space = element_.shape;
    kernel_.kept = row_.shape.size();
    // A row of one element needs no order.
    kernel_.tree = shape.product() == row_.shape.product() ? reduce_tree::rows : tree_of(shape, axes);
    has_rows_ = true;
}

SINTER_INLINE void kernel_builder::begin_scan(const dims& shape, std::uint8_t axes, const sequence<node_id>& members) {
    begin_rows(shape, axes, members);
    kernel_.scans = true;
}

SINTER_INLINE void kernel_builder::begin_select(const dims& shape, node_id mask) {
    begin_rows(shape, static_cast<std::uint8_t>((1 << shape.size()) - 1), {});
    kernel_.selects = true;
    kernel_.reductions.push_back({reduction::sum, lower(mask, element_), dtype::bool_});
}

SINTER_INLINE void kernel_builder::store_selected(node_id n, std::uint32_t slot) {
    if (g_.nodes[n].arg_count == 1) {
        kernel_.count_operand = static_cast<std::int32_t>(add_operand({slot, dtype::int64, true}));
        return;
    }
    std::uint32_t value = lower(g_.arg(n, 1), element_);
    // Where the elements go is known by the kernel only.
    layout nowhere{kernel_.space, dims::filled(kernel_.space.size(), 0), 0};
    kernel_.stores.push_back({value, add_access(slot, g_.nodes[n].type, true, nowhere), 2});
}

SINTER_INLINE void kernel_builder::store_value(std::uint32_t value, node_id n, std::uint32_t slot,
                                               const layout& where) {
    // Kernels of scans store what stands before the scan after it too.
    int stage = kernel_.scans ? 2 : kernel_.body[value].stage;
    if (in_row_ != is_row_stage(stage)) ++stage;
    kernel_.stores.push_back(
        {value, add_access(slot, g_.nodes[n].type, true, where), static_cast<std::uint8_t>(stage)});
}

SINTER_INLINE void kernel_builder::store_elements(node_id n, std::uint32_t slot) {
    in_row_ = false;
    store_value(lower(n, element_), n, slot, element_);
}

SINTER_INLINE void kernel_builder::store_rows(node_id n, std::uint32_t slot) {
    in_row_ = true;
    store_value(lower(n, row_), n, slot, row_);
}

SINTER_INLINE void kernel_builder::store_at(node_id n, std::uint32_t slot, const layout& where) {
    store_value(lower(n, element_), n, slot, where);
}

SINTER_INLINE void kernel_builder::store_rows_at(node_id n, std::uint32_t slot, const layout& where) {
    std::optional<layout> at = composed(where, row_);
    if (!at) throw internal_error("[fuse] the rows of an update do not lie in its base: " + to_text(g_, n));
    in_row_ = true;
    store_value(lower(n, row_), n, slot, *at);
}

SINTER_INLINE bool kernel_builder::reads_across(const dims& whole) const {
    const std::int64_t least = limits_.family.least_transposed;
    return codegen::any_of(kernel_.body.begin(), kernel_.body.end(), [&](const instruction& v) {
        if (!kernel_.loads_memory(v)) return false;
        const layout& at = kernel_.accesses[v.payload].at;
        const std::optional<layout> merged = reshaped(at, whole);
        return merged && lies_across(*merged, least) && !lies_across(at, least);
    });
}

SINTER_INLINE bool kernel_builder::reads_elsewhere(std::uint32_t slot, const layout& where) const {
    for (const instruction& i : kernel_.body) {
        if (i.kind == instruction_kind::whole && kernel_.operands[i.payload].slot == slot) return true;
        if (i.kind != instruction_kind::load && i.kind != instruction_kind::gather) continue;
        const access& a = kernel_.accesses[i.payload];
        if (a.operand == access::own_number || kernel_.operands[static_cast<std::size_t>(a.operand)].slot != slot)
            continue;
        if (i.kind == instruction_kind::gather || !(a.at == where)) return true;
    }
    return false;
}

// Elements are computed in the first stage that needs them rather than in the first one that could.
SINTER_INLINE void kernel_builder::assign_stages() {
    constexpr std::uint8_t never = 255;
    sequence<std::uint8_t> needed(kernel_.body.size(), never);
    auto need = [&](std::uint32_t value, std::uint8_t stage) {
        if (stage < needed[value]) needed[value] = stage;
    };
    int last = kernel_.selects ? 2 : has_rows_ ? 1 : 0;
    for (const store& s : kernel_.stores) {
        need(s.value, s.stage);
        last = s.stage > last ? s.stage : last;
    }
    for (const reduction_step& r : kernel_.reductions) {
        need(r.argument, r.stage);
        last = r.stage + 1 > last ? r.stage + 1 : last;
    }
    for (std::size_t i = kernel_.body.size(); i-- > 0;) {
        instruction& v = kernel_.body[i];
        if (!is_row_stage(v.stage) && needed[i] != never) v.stage = needed[i];
        for (std::uint32_t a : v.args) need(a, v.stage);
    }
    // What a function returns is taken apart where it is called.
    for (instruction& v : kernel_.body)
        if (v.kind == instruction_kind::component) v.stage = kernel_.body[v.args[0]].stage;
    kernel_.stages = last + 1;
}

SINTER_INLINE kernel kernel_builder::finish() {
    assign_stages();
    collapse(kernel_);
    classify(kernel_, limits_.family);
    kernel_.how = choose(kernel_, limits_.family);
    return std::move(kernel_);
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
