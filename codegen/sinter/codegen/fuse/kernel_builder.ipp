// Bodies of kernel_builder.hpp: what a kernel computes and stores, its limits and stages; of nodes see
// kernel_builder_lower.ipp.
#pragma once

#include <sinter/codegen/fuse/kernel_builder.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE void kernel_builder::begin_map(const dims& space, const sequence<node_id>& members) {
    members_ = members;
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

SINTER_INLINE void kernel_builder::note_computed(node_id n) {
    const auto next = static_cast<std::uint32_t>(kernel_.nodes.size());
    if (computed_.add(n, next) == next) kernel_.nodes.push_back(n);
}

SINTER_INLINE kernel kernel_builder::finish() {
    assign_stages();
    collapse(kernel_);
    classify(kernel_, limits_.family);
    kernel_.how = choose(kernel_, limits_.family);
    return std::move(kernel_);
}

SINTER_INLINE std::uint32_t kernel_builder::layout_number(const layout& at) {
    for (std::size_t i = 0; i < layouts_.size(); ++i)
        if (layouts_[i] == at) return static_cast<std::uint32_t>(i);
    layouts_.push_back(at);
    return static_cast<std::uint32_t>(layouts_.size() - 1);
}

SINTER_INLINE std::uint32_t kernel_builder::add_operand(const operand& o) {
    kernel_.operands.push_back(o);
    return static_cast<std::uint32_t>(kernel_.operands.size() - 1);
}

// The reduced axes of what is read or written once per result do not move it.
SINTER_INLINE layout kernel_builder::over_space(layout at) const {
    while (at.shape.size() < kernel_.space.size()) {
        at.shape.push_back(kernel_.space[at.shape.size()]);
        at.strides.push_back(0);
    }
    return at;
}

SINTER_INLINE std::uint32_t kernel_builder::add_number(const layout& at) {
    const access a{access::own_number, over_space(at)};
    for (std::size_t i = 0; i < kernel_.accesses.size(); ++i)
        if (kernel_.accesses[i] == a) return static_cast<std::uint32_t>(i);
    ++numbers_;
    kernel_.accesses.push_back(a);
    return static_cast<std::uint32_t>(kernel_.accesses.size() - 1);
}

SINTER_INLINE std::uint32_t kernel_builder::add_access(std::uint32_t slot, dtype type, bool written, const layout& at) {
    const layout whole = over_space(at);
    for (std::size_t i = 0; i < kernel_.accesses.size(); ++i) {
        const access& a = kernel_.accesses[i];
        if (a.operand == access::own_number || !(a.at == whole)) continue;
        const operand& o = kernel_.operands[static_cast<std::size_t>(a.operand)];
        if (o.slot == slot && o.written == written) return static_cast<std::uint32_t>(i);
    }
    // Memory without elements may be nowhere, to which nothing can be added.
    const std::int64_t first = at.shape.product() > 0 ? at.offset : 0;
    kernel_.accesses.push_back({static_cast<std::int32_t>(add_operand({slot, type, written, first})), whole});
    return static_cast<std::uint32_t>(kernel_.accesses.size() - 1);
}

SINTER_INLINE bool kernel_builder::can_store(node_id n) const {
    node_kind k = g_.nodes[n].kind;
    return d_.slot_of[n] == decisions::no_slot &&
           (g_.is_inlined(n) || k == node_kind::reduce || k == node_kind::scan || k == node_kind::view);
}

// What to store when the kernel grows too large: a finished value that holds a good part of it, else the middle of the
// path that led here.
SINTER_INLINE node_id kernel_builder::choose_cut() const {
    if (largest_size_ && largest_size_ * 4 >= kernel_.body.size()) return largest_;
    for (std::size_t i = path_.size() / 2; i < path_.size(); ++i)
        if (can_store(path_[i])) return path_[i];
    for (std::size_t i = path_.size() / 2; i-- > 0;)
        if (can_store(path_[i])) return path_[i];
    return largest_size_ ? largest_ : path_.front();
}

// At most what a launch will pass: axes may be merged later, but also padded.
SINTER_INLINE std::size_t kernel_builder::parameter_bytes() const {
    int kept = kernel_.kept, reduced = kernel_.space.size() - kernel_.kept, axes = padded_rank(kept);
    if (has_rows_) axes += padded_rank(reduced);
    std::size_t rank = static_cast<std::size_t>(axes < max_rank ? axes : max_rank + 1);
    return 8 * kernel_.operands.size() + 16 * kernel_.scalars.size() + 16 * kernel_.reductions.size() + 8 * rank +
           8 * (kernel_.accesses.size() * rank + numbers_) + 16 * kernel_.indexed.size() + 8;
}

SINTER_INLINE std::uint32_t kernel_builder::emit(instruction i) {
    int stage = in_row_ ? 1 : 0;
    for (std::uint32_t a : i.args) {
        int available = kernel_.body[a].stage + (is_row_stage(kernel_.body[a].stage) != in_row_);
        stage = available > stage ? available : stage;
    }
    if (i.kind == instruction_kind::result || i.kind == instruction_kind::extreme)
        stage = kernel_.reductions[i.payload].stage + (kernel_.scans ? 2 : 1);
    i.stage = static_cast<std::uint8_t>(stage);
    kernel_.body.push_back(std::move(i));
    if (static_cast<int>(kernel_.body.size()) > limits_.instructions ||
        static_cast<int>(kernel_.accesses.size()) > limits_.accesses ||
        parameter_bytes() > static_cast<std::size_t>(limits_.parameter_bytes))
        throw must_store{choose_cut(), true};
    return static_cast<std::uint32_t>(kernel_.body.size() - 1);
}

SINTER_INLINE bool kernel_builder::is_among_members(node_id n) const {
    for (node_id m : members_)
        if (m == n) return true;
    return false;
}

SINTER_INLINE bool kernel_builder::is_member(node_id n, const layout& at) const {
    return at == (in_row_ ? row_ : element_) && is_among_members(n);
}

// Whether a layout over the space reads the same element all along a row: the row's own.
SINTER_INLINE bool kernel_builder::is_row(const layout& at) const {
    if (at.offset != row_.offset) return false;
    for (int i = 0; i < at.shape.size(); ++i) {
        std::int64_t step = i < kernel_.kept ? row_.strides[i] : 0;
        if (at.shape[i] > 1 && at.strides[i] != step) return false;
    }
    return true;
}

// Whether a value that stands in each row comes from reductions that this kernel computes.
SINTER_INLINE bool kernel_builder::needs_row_results(node_id n) const {
    if (std::uint32_t found = needs_row_.find(n); found != number_map::none) return found;
    const node& v = g_.nodes[n];
    bool needs = false;
    if (d_.slot_of[n] != decisions::no_slot) needs = is_among_members(n);
    else if (v.kind == node_kind::reduce) needs = true;
    else if (g_.is_elementwise(n) || (v.kind == node_kind::view && is_contiguous(g_.layout_of(n))))
        for (node_id a : g_.args(n)) needs = needs || needs_row_results(a);
    needs_row_.add(n, needs);
    return needs;
}

}  // namespace sinter::inline SINTER_ABI::codegen

#include <sinter/codegen/fuse/kernel_builder_lower.ipp>

SINTER_COLD_END
