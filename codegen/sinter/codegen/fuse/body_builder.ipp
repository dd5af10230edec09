// Bodies of body_builder.hpp.
#pragma once

#include <sinter/codegen/fuse/body_builder.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE void body_builder::note_computed(node_id n) {
    const auto next = static_cast<std::uint32_t>(kernel_.nodes.size());
    if (computed_.add(n, next) == next) kernel_.nodes.push_back(n);
}

SINTER_INLINE std::uint32_t body_builder::layout_number(const layout& at) {
    for (std::size_t i = 0; i < layouts_.size(); ++i)
        if (layouts_[i] == at) return static_cast<std::uint32_t>(i);
    layouts_.push_back(at);
    return static_cast<std::uint32_t>(layouts_.size() - 1);
}

SINTER_INLINE std::uint32_t body_builder::add_operand(const operand& o) {
    kernel_.operands.push_back(o);
    return static_cast<std::uint32_t>(kernel_.operands.size() - 1);
}

// The reduced axes of what is read or written once per result do not move it.
SINTER_INLINE layout body_builder::over_space(layout at) const {
    while (at.shape.size() < kernel_.space.size()) {
        at.shape.push_back(kernel_.space[at.shape.size()]);
        at.strides.push_back(0);
    }
    return at;
}

SINTER_INLINE std::uint32_t body_builder::add_number(const layout& at) {
    const access a{access::own_number, over_space(at)};
    for (std::size_t i = 0; i < kernel_.accesses.size(); ++i)
        if (kernel_.accesses[i] == a) return static_cast<std::uint32_t>(i);
    ++numbers_;
    kernel_.accesses.push_back(a);
    return static_cast<std::uint32_t>(kernel_.accesses.size() - 1);
}

SINTER_INLINE std::uint32_t body_builder::add_access(std::uint32_t slot, dtype type, bool written, const layout& at) {
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

SINTER_INLINE bool body_builder::can_store(node_id n) const {
    node_kind k = g_.nodes[n].kind;
    return d_.slot_of[n] == decisions::no_slot &&
           (g_.is_inlined(n) || k == node_kind::reduce || k == node_kind::scan || k == node_kind::view);
}

// What to store when the kernel grows too large: a finished value that holds a good part of it, else the middle of the
// path that led here.
SINTER_INLINE node_id body_builder::choose_cut() const {
    if (largest_size_ && largest_size_ * 4 >= kernel_.body.size()) return largest_;
    for (std::size_t i = path_.size() / 2; i < path_.size(); ++i)
        if (can_store(path_[i])) return path_[i];
    for (std::size_t i = path_.size() / 2; i-- > 0;)
        if (can_store(path_[i])) return path_[i];
    return largest_size_ ? largest_ : path_.front();
}

// At most what a launch will pass: axes may be merged later, but also padded.
SINTER_INLINE std::size_t body_builder::parameter_bytes() const {
    int kept = kernel_.kept, reduced = kernel_.space.size() - kernel_.kept, axes = padded_rank(kept);
    if (has_rows_) axes += padded_rank(reduced);
    std::size_t rank = static_cast<std::size_t>(axes < max_rank ? axes : max_rank + 1);
    return 8 * kernel_.operands.size() + 16 * kernel_.scalars.size() + 16 * kernel_.reductions.size() + 8 * rank +
           8 * (kernel_.accesses.size() * rank + numbers_) + 16 * kernel_.indexed.size() + 8;
}

SINTER_INLINE std::uint32_t body_builder::emit(instruction i) {
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

SINTER_INLINE bool body_builder::is_among_members(node_id n) const {
    for (node_id m : members_)
        if (m == n) return true;
    return false;
}

SINTER_INLINE bool body_builder::is_member(node_id n, const layout& at) const {
    return at == (in_row_ ? row_ : element_) && is_among_members(n);
}

// Whether a layout over the space reads the same element all along a row: the row's own.
SINTER_INLINE bool body_builder::is_row(const layout& at) const {
    if (at.offset != row_.offset) return false;
    for (int i = 0; i < at.shape.size(); ++i) {
        std::int64_t step = i < kernel_.kept ? row_.strides[i] : 0;
        if (at.shape[i] > 1 && at.strides[i] != step) return false;
    }
    return true;
}

// Whether a value that stands in each row comes from reductions that this kernel computes.
SINTER_INLINE bool body_builder::needs_row_results(node_id n) const {
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

SINTER_INLINE std::uint32_t body_builder::lower(node_id n, const layout& at) {
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

SINTER_INLINE std::uint32_t body_builder::lower_new(node_id n, const layout& at) {
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

SINTER_INLINE std::uint32_t body_builder::lower_load(node_id n, const layout& at) {
    const node& v = g_.nodes[n];
    std::uint32_t a = add_access(d_.slot_of[n], v.type, false, at);
    return emit({.kind = instruction_kind::load, .type = v.type, .common = v.type, .payload = a});
}

SINTER_INLINE std::uint32_t body_builder::lower_view(node_id n, const layout& at) {
    node_id base = g_.arg(n, 0);
    if (g_.is_scalar_like(base)) return lower(base, at);
    // composed() needs the numbering of the view's own shape, which `at` refers to.
    std::optional<layout> through = composed(g_.layout_of(n), at);
    if (through) return lower(base, *through);
    if (const std::optional<dims> finer = split_axes(g_.layout_of(n).shape, at); may_split_ && finer) {
        const std::optional<layout> split = reshaped(at, *finer);
        if (split && composed(g_.layout_of(n), *split)) throw must_split{n, *finer};
    }
    throw must_store{n};
}

SINTER_INLINE std::uint32_t body_builder::lower_apply(node_id n, const layout& at) {
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
SINTER_INLINE std::uint32_t body_builder::lower_invoke(node_id n, const layout& at) {
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
SINTER_INLINE std::uint32_t body_builder::lower_whole(node_id n) {
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

SINTER_INLINE place body_builder::base_place(node_id n) const {
    if (g_.nodes[n].kind == node_kind::view && d_.slot_of[n] == decisions::no_slot) {
        place p = base_place(g_.arg(n, 0));
        std::optional<layout> l = composed(p.at, g_.layout_of(n));
        if (!l) throw must_store{n};
        return {p.slot, *l};
    }
    if (d_.slot_of[n] == decisions::no_slot) throw must_store{n};
    return {d_.slot_of[n], contiguous(g_.nodes[n].shape)};
}

SINTER_INLINE std::uint32_t body_builder::lower_gather(node_id n, const layout& at) {
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
SINTER_INLINE std::uint32_t body_builder::pair_of(reduction how, std::uint32_t argument, int stage) const {
    std::uint32_t r = 0;
    for (; r < kernel_.reductions.size(); ++r) {
        const reduction_step& x = kernel_.reductions[r];
        if (is_indexed(how) == is_indexed(x.how) || x.argument != argument || x.stage != stage) continue;
        if (limits_.family.combines_pairs && (is_indexed(how) ? value_of(how) == x.how : value_of(x.how) == how)) break;
    }
    return r;
}

// The other half of a pair.
SINTER_INLINE std::uint32_t body_builder::lower_beside(std::uint32_t pair, reduction how, dtype type) {
    if (!is_indexed(how))
        return emit({.kind = instruction_kind::extreme, .type = type, .common = type, .payload = pair});
    kernel_.reductions[pair].how = how;
    for (instruction& i : kernel_.body)
        if (i.kind == instruction_kind::result && i.payload == pair) i.kind = instruction_kind::extreme;
    return emit({.kind = instruction_kind::result, .type = type, .common = type, .payload = pair});
}

SINTER_INLINE std::uint32_t body_builder::lower_reduce(node_id n, const layout& at) {
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

SINTER_INLINE std::uint32_t body_builder::lower_scan(node_id n, const layout& at) {
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

SINTER_COLD_END
