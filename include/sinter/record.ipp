// Bodies of record.hpp.
#pragma once

#include <sinter/codegen/apply.hpp>
#include <sinter/format.hpp>
#include <sinter/record.hpp>
#include <sinter/runtime/copy.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE void throw_does_not_fit(std::string_view operation, const std::string& number, dtype type) {
    throw value_error("[" + std::string(operation) + "] " + number + " does not fit in " + std::string(to_string(type)));
}

SINTER_INLINE void require_natural_exponent(const codegen::scalar_value& exponent) {
    std::int64_t n = 0;
    codegen::convert(exponent.type, dtype::int64, exponent.bytes, &n, 1);
    if (codegen::kind_of(exponent.type) == 'i' && n < 0)
        throw value_error("[power] integers have no negative integer powers: " + std::to_string(n));
}

SINTER_INLINE device device_of(std::string_view operation, std::span<runtime::value* const> inputs) {
    if (inputs.empty()) return runtime::current_device();
    for (runtime::value* v : inputs)
        if (!(v->where == inputs[0]->where))
            throw device_error("[" + std::string(operation) + "] arrays live on different devices: " +
                               to_string(inputs[0]->where) + " and " + to_string(v->where) + ": move one with a.to(device)");
    return inputs[0]->where;
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
    static thread_local recorder_of_thread r;
    if (!r.own) r.own = new recorder;
    r.own->codes.clear();
    r.own->inputs.clear();
    r.own->scalars.clear();
    return *r.own;
}

SINTER_INLINE handle record(const recorder& r, dtype type, const dims& shape) {
    device where = device_of("expression", r.inputs);
    return runtime::make_pending(type, shape, where, r.codes, r.inputs, r.scalars);
}

SINTER_INLINE handle record_apply(codegen::op o, std::span<const handle> operands) {
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
        throw type_error("[" + std::string(codegen::info(o).name) + "] is not defined for " + std::string(to_string(common)));
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

SINTER_INLINE handle record_single(runtime::statement_kind kind, dtype type, const dims& shape,
                                   codegen::sequence<runtime::value*> inputs, const layout& where) {
    runtime::statement s;
    s.kind = kind;
    device d = device_of("view", inputs);
    s.inputs = std::move(inputs);
    s.where = where;
    return runtime::make_pending(type, shape, d, std::move(s));
}

SINTER_INLINE handle record_view(const handle& base, const layout& how) {
    if (codegen::is_contiguous(how) && how.shape == base->shape) return base;
    std::lock_guard lock(runtime::runtime_lock());
    if (base->is_stored()) {
        if (auto at = codegen::composed(base->at, how)) return runtime::make_stored(base->type, how.shape, base->memory, *at);
    } else if (base->pending && base->pending->kind == runtime::statement_kind::view) {
        if (auto at = codegen::composed(base->pending->where, how))
            return record_single(runtime::statement_kind::view, base->type, how.shape, base->pending->inputs, *at);
    }
    return record_single(runtime::statement_kind::view, base->type, how.shape, {base.get()}, how);
}

SINTER_INLINE handle record_broadcast(std::string_view operation, const handle& base, const dims& shape) {
    if (base->shape == shape) return base;
    if (codegen::broadcast_shapes(operation, base->shape, shape) != shape)
        throw shape_error("[" + std::string(operation) + "] cannot broadcast " + to_string(base->shape) + " to " +
                          to_string(shape));
    return record_view(base, codegen::broadcasted(codegen::contiguous(base->shape), shape));
}

SINTER_INLINE handle record_reshape(const handle& base, const dims& shape) {
    dims to = shape;
    std::int64_t size = base->shape.product();
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
        to[unknown] = known > 0 ? size / known : 0;
    }
    if (to.product() != size)
        throw shape_error("[reshape] cannot reshape " + to_string(base->shape) + " to " + to_string(shape));
    return record_view(base, codegen::contiguous(to));
}

SINTER_INLINE handle record_index(const dims& shape) {
    return record_single(runtime::statement_kind::index, dtype::int64, shape, {}, {});
}

SINTER_INLINE handle record_empty(dtype type, const dims& shape) {
    return record_single(runtime::statement_kind::empty, type, shape, {}, {});
}

SINTER_INLINE handle record_reduce(codegen::reduction how, const handle& x, std::uint8_t axes, bool keepdims) {
    bool has_identity = how == codegen::reduction::sum || how == codegen::reduction::prod ||
                        how == codegen::reduction::any || how == codegen::reduction::all;
    std::int64_t reduced = 1;
    for (int i = 0; i < x->shape.size(); ++i)
        if (axes >> i & 1) reduced *= x->shape[i];
    if (!has_identity && reduced == 0)
        throw value_error("[" + std::string(to_string(how)) + "] an array of shape " + to_string(x->shape) +
                          " has no element to reduce");
    handle operand = how == codegen::reduction::any || how == codegen::reduction::all ? record_cast(x, dtype::bool_) : x;
    runtime::statement s;
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
    s.kind = runtime::statement_kind::scan;
    s.inputs = {x.get()};
    s.reduce = {how, static_cast<std::uint8_t>(1 << axis)};
    return runtime::make_pending(codegen::reduce_type(how, x->type), x->shape, x->where, std::move(s));
}

SINTER_INLINE handle record_gather(const handle& base, std::span<const handle> indices, codegen::gather_info how) {
    runtime::statement s;
    s.kind = runtime::statement_kind::gather;
    s.inputs = {base.get()};
    dims index_shape;
    for (const handle& i : indices) index_shape = codegen::broadcast_shapes("take", index_shape, i->shape);
    codegen::sequence<handle> same;
    for (const handle& i : indices) same.push_back(record_broadcast("take", i, index_shape));
    for (const handle& i : same) s.inputs.push_back(i.get());
    s.gather = how;
    dims shape = codegen::kept_shape(base->shape, how.axes);
    for (int i = 0; i < index_shape.size(); ++i) shape.insert(how.position + i, index_shape[i]);
    device where = device_of("take", s.inputs);
    return runtime::make_pending(base->type, shape, where, std::move(s));
}

SINTER_INLINE handle record_update(const handle& base, const handle& value, const layout& where) {
    handle v = record_broadcast("assignment", record_cast(value, base->type), where.shape);
    return record_single(runtime::statement_kind::update, base->type, base->shape, {base.get(), v.get()}, where);
}

// Whether the last axis is the one along which memory is contiguous, or will be once the value is stored. The answer is
// the same before and after evaluation, so that a product's bits do not depend on when its operands are computed.
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

SINTER_INLINE handle record_matmul(const handle& a, const handle& b) {
    // A product with a vector moves the matrix once: what is computed for it is fused with it, and with what follows.
    if (a->shape.size() == 1 ? b->shape.size() < 2 || walks_rows(*b) : b->shape.size() == 1 && walks_rows(*a))
        return record_products(a, b);
    auto fail = [&](const char* what) {
        throw shape_error("[matmul] " + std::string(what) + ": " + to_string(a->shape) + " x " + to_string(b->shape));
    };
    if (a->shape.empty() || b->shape.empty()) fail("an operand has no axes");
    handle x = a->shape.size() == 1 ? record_reshape(a, {1, a->shape[0]}) : a;
    handle y = b->shape.size() == 1 ? record_reshape(b, {b->shape[0], 1}) : b;
    int p = x->shape.size(), q = y->shape.size();
    if (x->shape[p - 1] != y->shape[q - 2]) fail("inner dimensions differ");
    auto batch_of = [](const dims& s) {
        dims d = s;
        d.erase(d.size() - 1);
        d.erase(d.size() - 1);
        return d;
    };
    dims batch = codegen::broadcast_shapes("matmul", batch_of(x->shape), batch_of(y->shape)), shape = batch;
    auto with = [&](std::int64_t rows, std::int64_t columns) {
        dims d = batch;
        d.push_back(rows);
        d.push_back(columns);
        return d;
    };
    shape = with(x->shape[p - 2], y->shape[q - 1]);
    x = record_broadcast("matmul", x, with(x->shape[p - 2], x->shape[p - 1]));
    y = record_broadcast("matmul", y, with(y->shape[q - 2], y->shape[q - 1]));
    runtime::statement s;
    s.kind = runtime::statement_kind::call;
    s.routine = codegen::routine::matmul;
    s.inputs = {x.get(), y.get()};
    device where = device_of("matmul", s.inputs);
    handle c = runtime::make_pending(a->type, shape, where, std::move(s));
    if (a->shape.size() == 1) shape.erase(shape.size() - 2);
    if (b->shape.size() == 1) shape.erase(shape.size() - 1);
    return record_view(c, codegen::contiguous(shape));
}

SINTER_INLINE handle record_products(const handle& a, const handle& b) {
    int p = a->shape.size(), q = b->shape.size();
    if (p == 0 || q == 0)
        throw shape_error("[matmul] an operand has no axes: " + to_string(a->shape) + " x " + to_string(b->shape));
    if (a->shape.back() != b->shape[q == 1 ? 0 : q - 2])
        throw shape_error("[matmul] inner dimensions differ: " + to_string(a->shape) + " x " + to_string(b->shape));
    // (…, m, k, 1) * (…, 1, k, n), summed over k; a vector lacks the axis m or n.
    dims left = a->shape, right = b->shape;
    if (q > 1) left.push_back(1);
    if (p > 1 && q > 1) right.insert(q - 2, 1);
    handle pair[] = {record_view(a, codegen::contiguous(left)), record_view(b, codegen::contiguous(right))};
    handle products = record_apply(codegen::op::multiply, pair);
    auto axis = static_cast<std::uint8_t>(1 << (products->shape.size() - (q > 1 ? 2 : 1)));
    auto how = a->type == dtype::bool_ ? codegen::reduction::any : codegen::reduction::sum;
    return record_cast(record_reduce(how, products, axis, false), a->type);
}

SINTER_INLINE handle record_sort(codegen::routine how, const handle& x, int axis) {
    int last = x->shape.size() - 1;
    dims order;
    for (int i = 0; i <= last; ++i) order.push_back(i == axis ? last : i == last ? axis : i);
    handle rows = record_view(x, codegen::transposed(codegen::contiguous(x->shape), order));
    runtime::statement s;
    s.kind = runtime::statement_kind::call;
    s.routine = how;
    s.inputs = {rows.get()};
    dtype type = how == codegen::routine::argsort ? dtype::int64 : x->type;
    handle sorted = runtime::make_pending(type, rows->shape, x->where, std::move(s));
    return record_view(sorted, codegen::transposed(codegen::contiguous(rows->shape), order));
}

template <class Run>
void on_values(std::span<const handle> values, Run run) {
    if (values.size() == 1) {
        runtime::value* root = values[0].get();
        return run(std::span<runtime::value* const>(&root, 1));
    }
    codegen::sequence<runtime::value*> roots;
    for (const handle& h : values) roots.push_back(h.get());
    run(std::span<runtime::value* const>(roots));
}

SINTER_INLINE void evaluate(std::span<const handle> values) {
    on_values(values, [](std::span<runtime::value* const> roots) { runtime::evaluate(roots); });
}

SINTER_INLINE void compute(std::span<const handle> values) {
    on_values(values, [](std::span<runtime::value* const> roots) { runtime::compute(roots); });
}

// A value's elements at [offset, offset + count) of its memory, in host memory.
SINTER_INLINE void read_memory(const handle& x, std::int64_t offset, std::int64_t count, void* to) {
    auto size = static_cast<std::size_t>(codegen::size_of(x->type));
    if (count == 0) return;
    runtime::copy_to_host(to, x->where, static_cast<const char*>(x->memory->data) + static_cast<std::size_t>(offset) * size,
                          static_cast<std::size_t>(count) * size);
    runtime::require_valid(*x);
}

SINTER_INLINE handle contiguous_copy(const handle& x) {
    recorder r;
    r.add_input(x);
    r.add_op(codegen::op::positive);
    return record(r, x->type, x->shape);
}

SINTER_INLINE bool is_row_major(const runtime::value& v) {
    layout l = v.at;
    l.offset = 0;
    return codegen::is_contiguous(l);
}

SINTER_INLINE void read(const handle& x, void* to) {
    handle h = x;
    evaluate({&h, 1});
    if (!is_row_major(*h)) {
        h = contiguous_copy(x);
        evaluate({&h, 1});
    }
    read_memory(h, h->at.offset, h->shape.product(), to);
}

SINTER_INLINE handle store(dtype type, const dims& shape, const void* from) {
    runtime::check_shape(type, shape);
    device where = runtime::current_device();
    std::size_t bytes = static_cast<std::size_t>(shape.product()) * static_cast<std::size_t>(codegen::size_of(type));
    runtime::buffer_ref memory = runtime::allocate_buffer(where, bytes);
    if (bytes) runtime::copy_to_device(where, memory->data, from, bytes);
    return runtime::make_stored(type, shape, std::move(memory), codegen::contiguous(shape));
}

SINTER_INLINE codegen::scalar_value read_item(const handle& x, std::span<const std::int64_t> at) {
    std::int64_t number = 0;
    if (at.empty() && x->shape.product() != 1)
        throw value_error("[item] an array of shape " + to_string(x->shape) + " is not a single number");
    if (!at.empty() && static_cast<int>(at.size()) != x->shape.size())
        throw index_error("[item] " + std::to_string(at.size()) + " indices for an array of " +
                          std::to_string(x->shape.size()) + " dimensions");
    evaluate({&x, 1});
    number = x->at.offset;
    for (std::size_t i = 0; i < at.size(); ++i) {
        std::int64_t n = x->shape[static_cast<int>(i)], k = at[i] < 0 ? at[i] + n : at[i];
        if (k < 0 || k >= n)
            throw index_error("[item] index " + std::to_string(at[i]) + " is out of bounds for axis " + std::to_string(i) +
                              " with size " + std::to_string(n));
        number += k * x->at.strides[static_cast<int>(i)];
    }
    codegen::scalar_value v;
    v.type = x->type;
    read_memory(x, number, 1, v.bytes);
    return v;
}

// The elements that a summarised array shows, axis by axis.
SINTER_INLINE void read_shown(const handle& x, const dims& shown, int axis, std::int64_t offset, char*& to) {
    const layout& at = x->at;
    if (axis == at.shape.size()) {
        read_memory(x, offset, 1, to);
        to += codegen::size_of(x->type);
        return;
    }
    std::int64_t n = at.shape[axis], edge = shown[axis] == n ? n : shown[axis] / 2;
    for (std::int64_t i = 0; i < shown[axis]; ++i)
        read_shown(x, shown, axis + 1, offset + (i < edge ? i : n - shown[axis] + i) * at.strides[axis], to);
}

SINTER_INLINE std::string text_of(const handle& x, bool repr) {
    evaluate({&x, 1});
    print_options options = get_printoptions();
    dims shown = shown_shape(x->shape, options);
    codegen::sequence<char> data(static_cast<std::size_t>(shown.product() * codegen::size_of(x->type)) + 1);
    if (shown == x->shape) read(x, data.data());
    else {
        char* to = data.data();
        read_shown(x, shown, 0, x->at.offset, to);
    }
    return format_array(x->type, x->shape, data.data(), repr, options);
}

SINTER_INLINE void* address_of(const handle& x) {
    evaluate({&x, 1});
    std::lock_guard lock(runtime::runtime_lock());
    x->memory->exported = true;
    // Whoever gets the address does not know our stream, which other streams do not wait for.
    runtime::host_synchronize(x->where);
    runtime::require_valid(*x);
    return static_cast<char*>(x->memory->data) + x->at.offset * codegen::size_of(x->type);
}

SINTER_INLINE dims strides_of(const handle& x) {
    std::lock_guard lock(runtime::runtime_lock());
    dims s = x->is_stored() ? x->at.strides : codegen::contiguous_strides(x->shape);
    for (std::int64_t& v : s) v *= codegen::size_of(x->type);
    return s;
}

}  // namespace sinter::inline SINTER_ABI::detail
