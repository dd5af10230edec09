// Bodies of record.hpp.
#pragma once

#include <sinter/codegen/ops/apply.hpp>
#include <sinter/array/record.hpp>
#include <sinter/runtime/compile/row_printers.hpp>
#include <sinter/runtime/execute/calls.hpp>

#include <mutex>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE void throw_does_not_fit(std::string_view operation, const std::string& number, dtype type) {
    throw value_error("[" + std::string(operation) + "] " + number + " does not fit in " +
                      std::string(to_string(type)));
}

SINTER_INLINE void require_natural_exponent(const codegen::scalar_value& exponent) {
    std::int64_t n = 0;
    codegen::convert(exponent.type, dtype::int64, exponent.bytes, &n, 1);
    if (codegen::kind_of(exponent.type) == 'i' && n < 0)
        throw value_error("[power] integers have no negative integer powers: " + std::to_string(n));
}

[[noreturn]] SINTER_INLINE void throw_different_devices(std::string_view operation, device a, device b) {
    throw device_error("[" + std::string(operation) + "] arrays live on different devices: " + to_string(a) + " and " +
                       to_string(b) + ": move one with a.to(device)");
}

SINTER_INLINE device device_of(std::string_view operation, codegen::span<runtime::value* const> inputs) {
    if (inputs.empty()) return runtime::current_device();
    const device first = inputs[0]->where;
    for (runtime::value* v : inputs.subspan(1))
        if (!(v->where == first)) throw_different_devices(operation, first, v->where);
    return first;
}

SINTER_INLINE void recorder::add_input(const handle& h) {
    constexpr std::size_t compared = 16;
    std::size_t i = inputs.size() > compared ? inputs.size() - compared : 0;
    while (i < inputs.size() && inputs[i] != h.get()) ++i;
    codes.push_back({runtime::code::what::input, 0, static_cast<std::uint16_t>(i)});
    if (i == inputs.size()) inputs.push_back(h.get());
}

/// A thread's recorder; objects that are destroyed after it may still record, and get one that lives on.
struct recorder_of_thread {
    recorder* own = nullptr;
    ~recorder_of_thread() { delete std::exchange(own, nullptr); }
};

SINTER_INLINE recorder& fresh_recorder() {
    static thread_local recorder_of_thread of_thread;
    if (!of_thread.own) of_thread.own = new recorder;
    recorder& r = *of_thread.own;
    r.codes.clear();
    r.inputs.clear();
    r.scalars.clear();
    r.has_moved_from = false;
    return r;
}

// A formula has the shape that its arrays had when it was written down: one of them has no elements any more.
SINTER_INLINE void require_empty(const dims& shape) {
    if (shape.product() != 0)
        throw value_error("[expression] a formula of shape " + to_string(shape) +
                          " has been moved to another one, or an array in it, and has no value");
}

SINTER_INLINE handle record(const recorder& r, dtype type, const dims& shape) {
    if (r.has_moved_from) [[unlikely]]
        require_empty(shape);
    device where = device_of("expression", r.inputs);
    return runtime::make_pending(type, shape, where, r.codes, r.inputs, r.scalars);
}

SINTER_INLINE handle record_apply(codegen::op o, codegen::span<const handle> operands) {
    recorder r;
    dtype types[3]{};
    dims shape;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        r.add_input(operands[i]);
        types[i] = operands[i]->type;
        shape = codegen::broadcast_shapes(codegen::info(o).name, shape, operands[i]->shape);
    }
    dtype common = codegen::common_type(o, types);
    if (!codegen::defined_for(o, common))
        throw type_error("[" + std::string(codegen::info(o).name) + "] is not defined for " +
                         std::string(to_string(common)));
    r.add_op(o);
    return record(r, codegen::result_type(o, common), shape);
}

SINTER_INLINE handle record_cast(const handle& x, dtype type) {
    if (x->type == type) return x;
    recorder r;
    r.add_input(x);
    r.add_cast(type);
    return record(r, type, x->shape);
}

SINTER_INLINE handle record_scalar(const codegen::scalar_value& v, const dims& shape) {
    recorder r;
    r.add_scalar(v);
    return record(r, v.type, shape);
}

// The lock is held.
SINTER_INLINE handle record_view_of(runtime::value* base, const layout& how) {
    return runtime::make_pending(runtime::statement_kind::view, base->type, how.shape, base->where, {&base, 1}, how);
}

SINTER_INLINE handle record_view(const handle& base, const layout& how) {
    if (codegen::is_contiguous(how) && how.shape == base->shape) return base;
    std::lock_guard lock(runtime::runtime_lock());
    if (base->is_stored()) {
        if (auto at = codegen::composed(base->at, how))
            return runtime::make_stored(base->type, how.shape, base->memory, *at);
    } else if (base->pending && base->pending->kind == runtime::statement_kind::view) {
        if (auto at = codegen::composed(base->pending->where, how))
            return record_view_of(base->pending->inputs[0], *at);
    }
    return record_view_of(base.get(), how);
}

SINTER_INLINE handle record_broadcast(std::string_view operation, const handle& base, const dims& shape) {
    if (base->shape == shape) return base;
    codegen::require_fills(operation, base->shape, shape);
    return record_view(base, codegen::broadcasted(codegen::contiguous(base->shape), shape));
}

SINTER_INLINE dims reshaped(const dims& from, const dims& shape) {
    dims to = shape;
    const std::int64_t size = from.product();
    int unknown = -1;
    for (int i = 0; i < to.size(); ++i) {
        if (to[i] >= 0) continue;
        if (to[i] != -1) throw value_error("[reshape] a size is negative: " + to_string(shape));
        if (unknown >= 0) throw value_error("[reshape] only one axis may be -1: " + to_string(shape));
        unknown = i;
        to[i] = 1;
    }
    if (unknown >= 0) {
        std::int64_t known = to.product();
        if (known == 0)
            throw shape_error("[reshape] any size of axis " + std::to_string(unknown) + " would fit: cannot reshape " +
                              to_string(from) + " to " + to_string(shape));
        to[unknown] = size / known;
    }
    if (to.product() != size)
        throw shape_error("[reshape] cannot reshape " + to_string(from) + " to " + to_string(shape));
    return to;
}

SINTER_INLINE handle record_reshape(const handle& base, const dims& shape) {
    return record_view(base, codegen::contiguous(reshaped(base->shape, shape)));
}

SINTER_INLINE handle record_without_inputs(runtime::statement_kind kind, dtype type, const dims& shape) {
    const device where = runtime::current_device();
    std::lock_guard lock(runtime::runtime_lock());
    return runtime::make_pending(kind, type, shape, where, {}, {});
}

SINTER_INLINE handle record_index(const dims& shape) {
    return record_without_inputs(runtime::statement_kind::index, dtype::int64, shape);
}

SINTER_INLINE handle record_empty(dtype type, const dims& shape) {
    return record_without_inputs(runtime::statement_kind::empty, type, shape);
}

SINTER_INLINE void require_elements(std::string_view operation, codegen::reduction how, const dims& shape,
                                    std::uint8_t axes) {
    std::int64_t reduced = 1;
    for (int i = 0; i < shape.size(); ++i)
        if (axes >> i & 1) reduced *= shape[i];
    if (!codegen::has_identity(how) && reduced == 0)
        throw value_error("[" + std::string(operation) + "] an array of shape " + to_string(shape) +
                          " has no element to reduce");
}

SINTER_INLINE handle record_reduce(codegen::reduction how, const handle& x, std::uint8_t axes, bool keepdims) {
    require_elements(to_string(how), how, x->shape, axes);
    handle operand = record_cast(x, codegen::operand_type(how, x->type));
    runtime::statement s;
    runtime::use_row_printers();
    s.kind = runtime::statement_kind::reduce;
    s.inputs = {operand.get()};
    s.reduce = {how, axes};
    handle r = runtime::make_pending(codegen::reduce_type(how, operand->type), codegen::kept_shape(x->shape, axes),
                                     operand->where, std::move(s));
    if (!keepdims) return r;
    dims shape = x->shape;
    for (int i = 0; i < shape.size(); ++i)
        if (axes >> i & 1) shape[i] = 1;
    return record_view(r, codegen::contiguous(shape));
}

SINTER_INLINE handle record_scan(codegen::reduction how, const handle& x, int axis) {
    runtime::statement s;
    runtime::use_row_printers();
    s.kind = runtime::statement_kind::scan;
    s.inputs = {x.get()};
    s.reduce = {how, static_cast<std::uint8_t>(1 << axis)};
    return runtime::make_pending(codegen::reduce_type(how, x->type), x->shape, x->where, std::move(s));
}

SINTER_INLINE void require_indexable(std::string_view operation, std::int64_t size, int axis, const dims& indices) {
    if (size == 0 && indices.product() > 0)
        throw index_error("[" + std::string(operation) + "] indices of shape " + to_string(indices) +
                          " are out of bounds for axis " + std::to_string(axis) + " with size 0");
}

SINTER_INLINE handle record_gather(const handle& base, codegen::span<const handle> indices, codegen::gather_info how) {
    runtime::statement s;
    s.kind = runtime::statement_kind::gather;
    s.inputs = {base.get()};
    const std::string_view name = codegen::indexing_function(how.why);
    dims index_shape;
    for (const handle& i : indices) index_shape = codegen::broadcast_shapes(name, index_shape, i->shape);
    for (int axis = 0; axis < base->shape.size(); ++axis)
        if (how.axes >> axis & 1) require_indexable(name, base->shape[axis], axis, index_shape);
    codegen::sequence<handle> same;
    for (const handle& i : indices) same.push_back(record_broadcast(name, i, index_shape));
    for (const handle& i : same) s.inputs.push_back(i.get());
    s.gather = how;
    dims shape = codegen::kept_shape(base->shape, how.axes);
    for (int i = 0; i < index_shape.size(); ++i) shape.insert(how.position + i, index_shape[i]);
    device where = device_of(name, s.inputs);
    return runtime::make_pending(base->type, shape, where, std::move(s));
}

SINTER_INLINE handle record_update(const handle& base, const handle& value, const layout& where) {
    handle made;
    if (value->type != base->type || value->shape != where.shape)
        made = record_broadcast("assignment", record_cast(value, base->type), where.shape);
    const handle& v = made ? made : value;
    runtime::value* const inputs[] = {base.get(), v.get()};
    const device on = device_of("view", inputs);
    std::lock_guard lock(runtime::runtime_lock());
    return runtime::make_pending(runtime::statement_kind::update, base->type, base->shape, on, inputs, where);
}

SINTER_INLINE bool walks_rows(const runtime::value& v) {
    const runtime::value* base = &v;
    layout at = codegen::contiguous(v.shape);
    while (base->pending && base->pending->kind == runtime::statement_kind::view) {
        std::optional<layout> through = codegen::composed(base->pending->where, at);
        if (!through) return true;
        at = *through;
        base = base->pending->inputs[0];
    }
    if (!base->pending) {
        std::optional<layout> through = codegen::composed(base->at, at);
        if (!through) return true;
        at = *through;
    }
    int r = at.shape.size();
    return at.shape[r - 1] == 1 || std::abs(at.strides[r - 1]) <= std::abs(at.strides[r - 2]);
}

SINTER_INLINE dims stack_of(const dims& shape) {
    dims s = shape;
    s.resize(s.size() - 2);
    return s;
}

SINTER_INLINE dims of_stack(const dims& stack, std::int64_t rows, std::int64_t columns) {
    dims s = stack;
    s.push_back(rows);
    s.push_back(columns);
    return s;
}

SINTER_INLINE dims broadcast_stacks(std::string_view operation, const dims& a, const dims& b) {
    const std::optional<dims> stack = codegen::common_shape(stack_of(a), stack_of(b));
    if (!stack) codegen::throw_no_broadcast(operation, a, b);
    return *stack;
}

SINTER_INLINE handle record_widened(const handle& x) { return record_cast(x, codegen::widened(x->type)); }

SINTER_INLINE handle record_of_rows(const codegen::call_info& how, const handle& x, int axis, std::int64_t count,
                                    dtype type, const handle& other) {
    const int last = x->shape.size() - 1;
    dims order;
    for (int i = 0; i <= last; ++i) order.push_back(i == axis ? last : i == last ? axis : i);
    const handle rows = record_view(x, codegen::transposed(codegen::contiguous(x->shape), order));
    runtime::statement s;
    runtime::use_calls();
    s.kind = runtime::statement_kind::call;
    s.call = how;
    s.inputs = {rows.get()};
    if (other) s.inputs.push_back(other.get());
    dims shape = rows->shape;
    shape[last] = count;
    const handle made = runtime::make_pending(type, shape, x->where, std::move(s));
    return record_view(made, codegen::transposed(codegen::contiguous(shape), order));
}

SINTER_INLINE handle record_sort(const codegen::call_info& how, const handle& x, int axis) {
    const dtype type = how.what == codegen::routine::argsort ? dtype::int64 : x->type;
    return record_of_rows(how, x, axis, x->shape[axis], type);
}

SINTER_INLINE handle contiguous_copy(const handle& x) {
    recorder r;
    r.add_input(x);
    r.add_op(codegen::op::positive);
    return record(r, x->type, x->shape);
}

}  // namespace sinter::inline SINTER_ABI::detail
