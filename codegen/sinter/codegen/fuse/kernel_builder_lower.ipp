// Bodies of kernel_builder.hpp that follow a value to memory: each kind of node as instructions.
#pragma once

#include <sinter/codegen/fuse/kernel_builder.hpp>

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE std::uint32_t kernel_builder::lower(node_id n, const layout& at) {
    if (has_rows_ && !kernel_.scans && !kernel_.selects && !in_row_ && is_row(at) && needs_row_results(n)) {
        in_row_ = true;
        std::uint32_t value = lower(n, row_);
        in_row_ = false;
        return value;
    }
    std::uint64_t key = std::uint64_t{n} << 32 | layout_number(at);
    number_map& memo = memo_[in_row_];
    if (std::uint32_t found = memo.find(key); found != number_map::none) return found;
    path_.push_back(n);
    if (static_cast<int>(path_.size()) > limits_.instructions) throw must_store{choose_cut(), true};
    std::size_t before = kernel_.body.size();
    std::uint32_t value = lower_new(n, at);
    path_.pop_back();
    if (std::size_t size = kernel_.body.size() - before; size > largest_size_ && size > 1 && can_store(n)) {
        largest_ = n;
        largest_size_ = size;
    }
    memo.add(key, value);
    return value;
}

SINTER_INLINE std::uint32_t kernel_builder::lower_new(node_id n, const layout& at) {
    const node& v = g_.nodes[n];
    // A scalar is read at layouts of any shape, which its memory, if it is stored, does not have.
    bool is_loaded = d_.slot_of[n] != decisions::no_slot && !is_member(n, at) && !g_.is_scalar_like(n);
    if (is_loaded && is_among_members(n))
        throw internal_error("[fuse] a kernel would read what it writes: " + to_text(g_, n));
    if (is_loaded) return lower_load(n, at);
    note_computed(n);
    switch (v.kind) {
        case node_kind::scalar: {
            std::uint32_t number = scalar_numbers_.add(v.payload, static_cast<std::uint32_t>(kernel_.scalars.size()));
            if (number == kernel_.scalars.size()) kernel_.scalars.push_back(v.payload);
            return emit({.kind = instruction_kind::scalar, .type = v.type, .common = v.type, .payload = number});
        }
        case node_kind::literal:
            kernel_.literals.push_back(g_.literals[v.payload]);
            return emit({.kind = instruction_kind::literal,
                         .type = v.type,
                         .common = v.type,
                         .payload = static_cast<std::uint32_t>(kernel_.literals.size() - 1)});
        case node_kind::index: {
            std::uint32_t a = add_number(at);
            return emit({.kind = instruction_kind::load, .type = v.type, .common = v.type, .payload = a});
        }
        case node_kind::empty: {
            kernel_.literals.push_back({.type = v.type});
            return emit({.kind = instruction_kind::literal,
                         .type = v.type,
                         .common = v.type,
                         .payload = static_cast<std::uint32_t>(kernel_.literals.size() - 1)});
        }
        case node_kind::view: return lower_view(n, at);
        case node_kind::apply: return lower_apply(n, at);
        case node_kind::invoke: return lower_invoke(n, at);
        case node_kind::gather: return lower_gather(n, at);
        case node_kind::reduce: return lower_reduce(n, at);
        case node_kind::scan: return lower_scan(n, at);
        default: throw internal_error("[fuse] a value that must be stored is not: " + to_text(g_, n));
    }
}

SINTER_INLINE std::uint32_t kernel_builder::lower_load(node_id n, const layout& at) {
    const node& v = g_.nodes[n];
    std::uint32_t a = add_access(d_.slot_of[n], v.type, false, at);
    return emit({.kind = instruction_kind::load, .type = v.type, .common = v.type, .payload = a});
}

SINTER_INLINE std::uint32_t kernel_builder::lower_view(node_id n, const layout& at) {
    node_id base = g_.arg(n, 0);
    if (g_.is_scalar_like(base)) return lower(base, at);
    // composed() needs the numbering of the view's own shape, which `at` refers to.
    std::optional<layout> through = composed(g_.layout_of(n), at);
    if (!through) throw must_store{n};
    return lower(base, *through);
}

SINTER_INLINE std::uint32_t kernel_builder::lower_apply(node_id n, const layout& at) {
    const node& v = g_.nodes[n];
    instruction i{.kind = instruction_kind::apply, .operation = v.operation, .type = v.type, .common = v.type};
    dtype types[3]{};
    for (std::uint32_t k = 0; k < v.arg_count; ++k) {
        node_id a = g_.arg(n, static_cast<int>(k));
        types[k] = g_.nodes[a].type;
        i.args.push_back(lower(a, at));
    }
    i.common = v.operation == op::cast ? types[0] : common_type(v.operation, types);
    kernel_.fast = kernel_.fast || v.fast;
    return emit(std::move(i));
}

// A function that returns several values is called once for all of them.
SINTER_INLINE std::uint32_t kernel_builder::lower_invoke(node_id n, const layout& at) {
    const node& v = g_.nodes[n];
    const component c = g_.invoked[v.payload];
    kernel_.fast = kernel_.fast || v.fast;
    instruction call{.kind = instruction_kind::invoke, .type = v.type, .common = v.type};
    for (std::uint32_t k = 0; k < v.arg_count; ++k) {
        node_id a = g_.arg(n, static_cast<int>(k));
        call.args.push_back(c.of->is_whole(k) ? lower_whole(g_.unshaped(a)) : lower(a, at));
    }
    while (call.payload < kernel_.invocations.size() && kernel_.invocations[call.payload] != c.of) ++call.payload;
    if (call.payload == kernel_.invocations.size()) kernel_.invocations.push_back(c.of);
    if (!c.of->is_bundle) return emit(std::move(call));
    std::uint32_t called = 0;
    for (; called < kernel_.body.size(); ++called) {
        const instruction& i = kernel_.body[called];
        if (i.kind == call.kind && i.payload == call.payload && i.args == call.args && is_row_stage(i.stage) == in_row_)
            break;
    }
    if (called == kernel_.body.size()) called = emit(std::move(call));
    return emit(
        {.kind = instruction_kind::component, .type = v.type, .common = v.type, .payload = c.which, .args = {called}});
}

// An array that a function reads where it likes.
SINTER_INLINE std::uint32_t kernel_builder::lower_whole(node_id n) {
    const node& v = g_.nodes[n];
    if (d_.slot_of[n] == decisions::no_slot) throw must_store{n};
    if (is_among_members(n)) throw internal_error("[fuse] a kernel would read what it writes: " + to_text(g_, n));
    std::int64_t size = v.shape.product();
    kernel_.largest_whole = size > kernel_.largest_whole ? size : kernel_.largest_whole;
    for (std::uint32_t i = 0; i < kernel_.body.size(); ++i)
        if (kernel_.body[i].kind == instruction_kind::whole &&
            kernel_.operands[kernel_.body[i].payload].slot == d_.slot_of[n])
            return i;
    const std::uint32_t o = add_operand({d_.slot_of[n], v.type});
    return emit({.kind = instruction_kind::whole, .type = v.type, .common = v.type, .payload = o});
}

SINTER_INLINE place kernel_builder::base_place(node_id n) const {
    if (g_.nodes[n].kind == node_kind::view && d_.slot_of[n] == decisions::no_slot) {
        place p = base_place(g_.arg(n, 0));
        std::optional<layout> l = composed(p.at, g_.layout_of(n));
        if (!l) throw must_store{n};
        return {p.slot, *l};
    }
    if (d_.slot_of[n] == decisions::no_slot) throw must_store{n};
    return {d_.slot_of[n], contiguous(g_.nodes[n].shape)};
}

SINTER_INLINE std::uint32_t kernel_builder::lower_gather(node_id n, const layout& at) {
    const node& v = g_.nodes[n];
    gather_info how = g_.gather_infos[v.payload];
    place base = base_place(g_.arg(n, 0));
    const dims& index_shape = g_.nodes[g_.arg(n, 1)].shape;
    dims index_steps = contiguous_strides(index_shape);
    layout of_base{v.shape, dims::filled(v.shape.size(), 0), base.at.offset};
    layout of_index{v.shape, dims::filled(v.shape.size(), 0), 0};
    for (int i = 0; i < index_shape.size(); ++i) of_index.strides[how.position + i] = index_steps[i];
    int result_axis = 0;
    for (int i = 0; i < base.at.shape.size(); ++i) {
        if (how.axes >> i & 1) continue;
        if (result_axis == how.position) result_axis += index_shape.size();
        of_base.strides[result_axis++] = base.at.strides[i];
    }
    std::optional<layout> base_at = composed(of_base, at), index_at = composed(of_index, at);
    if (!base_at || !index_at) throw must_store{n};
    if (base.at.shape.product() == 0) base_at->offset = 0;
    instruction i{.kind = instruction_kind::gather, .type = v.type, .common = v.type};
    for (std::uint32_t k = 1; k < v.arg_count; ++k) i.args.push_back(lower(g_.arg(n, static_cast<int>(k)), *index_at));
    i.payload = add_access(base.slot, v.type, false, *base_at);
    std::uint32_t self = emit(std::move(i));
    for (int axis = 0; axis < base.at.shape.size(); ++axis)
        if (how.axes >> axis & 1)
            kernel_.indexed.push_back({self, base.at.shape[axis], base.at.strides[axis], axis, n, how.why});
    return self;
}

// A reduction of the same elements that has both a value and its place, or will, with this one; none: as many as there
// are.
SINTER_INLINE std::uint32_t kernel_builder::pair_of(reduction how, std::uint32_t argument, int stage) const {
    std::uint32_t r = 0;
    for (; r < kernel_.reductions.size(); ++r) {
        const reduction_step& x = kernel_.reductions[r];
        if (is_indexed(how) == is_indexed(x.how) || x.argument != argument || x.stage != stage) continue;
        if (limits_.family.combines_pairs && (is_indexed(how) ? value_of(how) == x.how : value_of(x.how) == how)) break;
    }
    return r;
}

// The other half of a pair.
SINTER_INLINE std::uint32_t kernel_builder::lower_beside(std::uint32_t pair, reduction how, dtype type) {
    if (!is_indexed(how))
        return emit({.kind = instruction_kind::extreme, .type = type, .common = type, .payload = pair});
    kernel_.reductions[pair].how = how;
    for (instruction& i : kernel_.body)
        if (i.kind == instruction_kind::result && i.payload == pair) i.kind = instruction_kind::extreme;
    return emit({.kind = instruction_kind::result, .type = type, .common = type, .payload = pair});
}

SINTER_INLINE std::uint32_t kernel_builder::lower_reduce(node_id n, const layout& at) {
    const node& v = g_.nodes[n];
    node_id operand = g_.arg(n, 0);
    const reduce_info& how = g_.reduce_infos[v.payload];
    if (!in_row_ || !(at == row_) || how.axes != axes_ || g_.nodes[operand].shape != shape_) throw must_store{n};
    in_row_ = false;
    std::uint32_t argument = lower(operand, element_);
    in_row_ = true;
    int stage = kernel_.body[argument].stage;
    if (is_row_stage(stage)) ++stage;
    const std::uint32_t pair = pair_of(how.how, argument, stage);
    const bool has_pair = pair < kernel_.reductions.size();
    accumulators_ += (has_pair ? 0 : 1) + (is_indexed(how.how) || is_complex(g_.nodes[operand].type) ? 1 : 0);
    if (accumulators_ > limits_.accumulators) throw must_store{is_among_members(n) ? first_reduced_ : n, true};
    if (has_pair) return lower_beside(pair, how.how, v.type);
    if (kernel_.reductions.empty()) first_reduced_ = n;
    kernel_.reductions.push_back({how.how, argument, g_.nodes[operand].type, static_cast<std::uint8_t>(stage)});
    return emit({.kind = instruction_kind::result,
                 .type = v.type,
                 .common = v.type,
                 .payload = static_cast<std::uint32_t>(kernel_.reductions.size() - 1)});
}

SINTER_INLINE std::uint32_t kernel_builder::lower_scan(node_id n, const layout& at) {
    const node& v = g_.nodes[n];
    node_id operand = g_.arg(n, 0);
    const reduce_info& how = g_.reduce_infos[v.payload];
    if (!kernel_.scans || !(at == element_) || how.axes != axes_ || v.shape != shape_) throw must_store{n};
    std::uint32_t argument = lower(operand, element_);
    if (kernel_.body[argument].stage > 0) throw must_store{operand};
    kernel_.reductions.push_back({how.how, argument, g_.nodes[operand].type});
    return emit({.kind = instruction_kind::result,
                 .type = v.type,
                 .common = v.type,
                 .payload = static_cast<std::uint32_t>(kernel_.reductions.size() - 1)});
}

}  // namespace sinter::inline SINTER_ABI::codegen
