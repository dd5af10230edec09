// Bodies of interpret.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/ops/apply.hpp>
#include <sinter/codegen/ops/fourier.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/interpret/interpret.hpp>
#include <sinter/codegen/interpret/interpret_reduce.hpp>
#include <sinter/codegen/interpret/interpret_scan.hpp>
#include <sinter/codegen/interpret/walk.hpp>
#include <sinter/codegen/interpret/loop.hpp>
#include <sinter/codegen/ops/matrix_stack.hpp>
#include <sinter/codegen/kernels/sort/sort.hpp>
#include <sinter/codegen/kernels/sort/count.hpp>
#include <sinter/codegen/kernels/sort/scatter.hpp>
#include <sinter/codegen/kernels/sort/selection.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// What an evaluation knows about a node; values of inputs, scalars and literals lie where they are.
struct node_value {
    const void* data;
    void* owned;
    std::uint32_t uses;  // needed nodes and roots that still read it
};

struct evaluation {
    const graph& g;
    scratch<node_value> values;

    explicit evaluation(const graph& program) : g(program), values(static_cast<std::int64_t>(program.nodes.size())) {}
    ~evaluation() {
        for (std::size_t i = 0; i < g.nodes.size(); ++i) std::free(values.data[i].owned);
    }
    const void* value(node_id id) const { return values.data[id].data; }
};

// Zeroed memory for a node.
SINTER_INLINE void* allocate_value(evaluation& e, node_id id) {
    const node& n = e.g.nodes[id];
    node_value& v = e.values.data[id];
    v.data = v.owned = allocate_zeroed(n.shape.product(), static_cast<std::size_t>(size_of(n.type)));
    return v.owned;
}

SINTER_INLINE void interpret_apply(evaluation& e, node_id id) {
    const node& n = e.g.nodes[id];
    std::int64_t count = n.shape.product(), steps[3];
    const void* args[3];
    dtype types[3]{};
    for (int i = 0; i < static_cast<int>(n.arg_count); ++i) {
        node_id a = e.g.arg(id, i);
        args[i] = e.value(a);
        types[i] = e.g.nodes[a].type;
        steps[i] = e.g.is_scalar_like(a) ? 0 : 1;
    }
    void* out = allocate_value(e, id);
    if (n.operation != op::cast) return apply(n.operation, common_type(n.operation, types), args, steps, out, count);
    if (steps[0] == 1) return convert(types[0], n.type, args[0], out, count);
    scalar_value one;
    convert(types[0], n.type, args[0], one.bytes, 1);
    copy_strided(size_of(n.type), one.bytes, 0, out, 1, count);
}

// Calls the user's function itself, one element at a time.
SINTER_INLINE void interpret_invoke(evaluation& e, node_id id) {
    const node& n = e.g.nodes[id];
    const component& c = e.g.invoked[n.payload];
    std::size_t arity = n.arg_count, results = c.of->results.size();
    sequence<const void*> args(arity);
    sequence<std::int64_t> steps(arity);
    for (std::size_t i = 0; i < arity; ++i) {
        node_id a = e.g.arg(id, static_cast<int>(i));
        args[i] = e.value(a);
        steps[i] = e.g.is_scalar_like(a) || c.of->is_whole(i) ? 0 : size_of(e.g.nodes[a].type);
    }
    std::int64_t count = n.shape.product();
    if (c.of->traced) return interpret_loop(*c.of->traced, c.which, args, steps, allocate_value(e, id), count);
    if (!c.of->call)
        throw device_error(
            joined({"[", c.of->function->name,
                    "] a kernel that is given as text needs a compiler, which the interpreter has not"}));
    sequence<scalar_value> unused(results);
    sequence<void*> out(results);
    for (std::size_t i = 0; i < results; ++i) out[i] = unused[i].bytes;
    char* to = static_cast<char*>(allocate_value(e, id));
    for (std::int64_t i = 0; i < count; ++i, to += size_of(n.type)) {
        out[c.which] = to;
        c.of->call(args.data(), out.data());
        for (std::size_t k = 0; k < arity; ++k) args[k] = static_cast<const char*>(args[k]) + steps[k];
    }
}

SINTER_INLINE void interpret_view(evaluation& e, node_id id) {
    const node& n = e.g.nodes[id];
    layout_cursor at(e.g.layout_of(id));
    void* out = allocate_value(e, id);
    copy_from_view(at, e.value(e.g.arg(id, 0)), size_of(n.type), out, n.shape.product());
}

SINTER_INLINE void interpret_update(evaluation& e, node_id id) {
    const node& n = e.g.nodes[id];
    int size = size_of(n.type);
    char* out = static_cast<char*>(allocate_value(e, id));
    copy_strided(size, e.value(e.g.arg(id, 0)), 1, out, 1, n.shape.product());
    const layout& where = e.g.layout_of(id);
    const char* value = static_cast<const char*>(e.value(e.g.arg(id, 1)));
    std::int64_t step = e.g.is_scalar_like(e.g.arg(id, 1)) ? 0 : 1, left = where.shape.product();
    for (layout_cursor at(where); left > 0;) {
        std::int64_t run = at.run();
        copy_strided(size, value, step, out + at.offset * size, at.step(), run);
        value += step * run * size;
        left -= run;
        at.advance(run);
    }
}

// Adds an index array's share to each element's offset into the base.
SINTER_INLINE void add_index_offsets(const evaluation& e, node_id index, purpose why, int axis, std::int64_t extent,
                                     std::int64_t stride, std::int64_t* offsets) {
    std::int64_t count = e.g.nodes[index].shape.product();
    scratch<std::int64_t> numbers(count);
    bool is_unsigned = kind_of(e.g.nodes[index].type) == 'u';
    convert(e.g.nodes[index].type, dtype::int64, e.value(index), numbers.data, count);
    for (std::int64_t j = 0; j < count; ++j) {
        std::int64_t v = numbers.data[j];
        if (v >= extent || v < -extent || (v < 0 && is_unsigned)) {
            std::string text = is_unsigned ? std::to_string(static_cast<std::uint64_t>(v)) : std::to_string(v);
            throw index_error(joined({"[", indexing_function(why), "] index ", text, " is out of bounds for axis ",
                                      axis, " with size ", extent}));
        }
        offsets[j] += (v < 0 ? v + extent : v) * stride;
    }
}

SINTER_INLINE void interpret_gather(evaluation& e, node_id id) {
    const node& n = e.g.nodes[id];
    char* out = static_cast<char*>(allocate_value(e, id));
    if (n.shape.product() == 0) return;
    const gather_info& how = e.g.gather_infos[n.payload];
    const dims& shape = e.g.nodes[e.g.arg(id, 0)].shape;
    dims strides = contiguous_strides(shape);
    std::int64_t count = e.g.nodes[e.g.arg(id, 1)].shape.product();
    scratch<std::int64_t> offsets(count);
    layout before, after;  // the axes that stay, on either side of the index arrays' axes
    int next = 1;
    for (int i = 0; i < shape.size(); ++i) {
        if (how.axes >> i & 1) {
            add_index_offsets(e, e.g.arg(id, next++), how.why, i, shape[i], strides[i], offsets.data);
            continue;
        }
        layout& side = before.shape.size() < how.position ? before : after;
        side.shape.push_back(shape[i]);
        side.strides.push_back(strides[i]);
    }
    int size = size_of(n.type);
    const char* base = static_cast<const char*>(e.value(e.g.arg(id, 0)));
    std::int64_t outer = before.shape.product(), inner = after.shape.product();
    layout_cursor at(before);
    for (std::int64_t i = 0; i < outer; ++i, at.advance(1))
        for (std::int64_t j = 0; j < count; ++j, out += inner * size) {
            layout_cursor part(after);
            copy_from_view(part, base + (at.offset + offsets.data[j]) * size, size, out, inner);
        }
}

SINTER_INLINE void interpret_select(evaluation& e, node_id id) {
    const node& n = e.g.nodes[id];
    const node& mask = e.g.nodes[e.g.arg(id, 0)];
    const bool* set = static_cast<const bool*>(e.value(e.g.arg(id, 0)));
    const char* from = n.arg_count == 1 ? nullptr : static_cast<const char*>(e.value(e.g.arg(id, 1)));
    char* to = static_cast<char*>(allocate_value(e, id));
    std::size_t size = static_cast<std::size_t>(size_of(n.type));
    std::int64_t count = 0;
    for (std::int64_t i = 0, last = mask.shape.product(); i < last; ++i) {
        if (!set[i]) continue;
        if (from)
            std::memcpy(to + static_cast<std::size_t>(count) * size, from + static_cast<std::size_t>(i) * size, size);
        ++count;
    }
    if (!from) std::memcpy(to, &count, sizeof count);
}

SINTER_INLINE void interpret_index(evaluation& e, node_id id) {
    std::int64_t count = e.g.nodes[id].shape.product();
    std::int64_t* out = static_cast<std::int64_t*>(allocate_value(e, id));
    for (std::int64_t i = 0; i < count; ++i) out[i] = i;
}

SINTER_INLINE void interpret_call(evaluation& e, node_id id, call_function call) {
    scratch<const void*> args(e.g.nodes[id].arg_count);
    for (std::uint32_t i = 0; i < e.g.nodes[id].arg_count; ++i)
        args.data[i] = e.value(e.g.arg(id, static_cast<int>(i)));
    call(e.g, id, args.data, allocate_value(e, id));
}

SINTER_INLINE row_functions row_reference() { return {reduce, scan}; }

SINTER_INLINE void interpret_rows(evaluation& e, node_id id, decltype(row_functions::reduce) compute) {
    if (!compute) throw internal_error("[interpret] a reduction or a scan without what computes it: " + to_text(e.g));
    const node& n = e.g.nodes[id];
    const node_id operand = e.g.arg(id, 0);
    compute(e.g.reduce_infos[n.payload], e.g.nodes[operand], e.value(operand), n, allocate_value(e, id));
}

SINTER_INLINE void interpret_node(evaluation& e, node_id id, span<const void* const> inputs, call_function call,
                                  const row_functions& rows) {
    const node& n = e.g.nodes[id];
    const void*& value = e.values.data[id].data;
    switch (n.kind) {
        case node_kind::input: value = inputs[n.payload]; return;
        case node_kind::scalar: value = e.g.scalars[n.payload].bytes; return;
        case node_kind::literal: value = e.g.literals[n.payload].bytes; return;
        case node_kind::index: return interpret_index(e, id);
        case node_kind::empty: allocate_value(e, id); return;
        case node_kind::apply: return interpret_apply(e, id);
        case node_kind::view: return interpret_view(e, id);
        case node_kind::reduce: return interpret_rows(e, id, rows.reduce);
        case node_kind::scan: return interpret_rows(e, id, rows.scan);
        case node_kind::select: return interpret_select(e, id);
        case node_kind::gather: return interpret_gather(e, id);
        case node_kind::update: return interpret_update(e, id);
        case node_kind::call: return interpret_call(e, id, call);
        case node_kind::invoke: return interpret_invoke(e, id);
    }
}

SINTER_INLINE void interpret(const graph& g, span<const void* const> inputs, span<void* const> outputs,
                             call_function call, row_functions rows) {
    const subnormal_scope exact;
    evaluation e(g);
    node_value* values = e.values.data;
    for (node_id r : g.roots) ++values[r].uses;
    for (std::size_t i = g.nodes.size(); i-- > 0;)
        if (values[i].uses)
            for (node_id a : g.args(static_cast<node_id>(i))) ++values[a].uses;
    for (node_id id = 0; id < g.nodes.size(); ++id) {
        if (!values[id].uses) continue;
        interpret_node(e, id, inputs, call, rows);
        for (node_id a : g.args(id)) {
            if (--values[a].uses) continue;
            std::free(values[a].owned);
            values[a].owned = nullptr;
        }
    }
    // A root that is an input may lie where another root is about to be written.
    for (node_id r : g.roots) {
        if (g.nodes[r].kind != node_kind::input || values[r].owned) continue;
        const void* from = values[r].data;
        copy_strided(size_of(g.nodes[r].type), from, 1, allocate_value(e, r), 1, g.nodes[r].shape.product());
    }
    for (std::size_t i = 0; i < g.roots.size(); ++i) {
        const node& n = g.nodes[g.roots[i]];
        copy_strided(size_of(n.type), e.value(g.roots[i]), 1, outputs[i], 1, n.shape.product());
    }
}

// sums += factor * row
template <class A>
void add_product(char* sums, const char* factor, const char* row, std::int64_t n) {
    A f, r, s;
    std::memcpy(&f, factor, sizeof f);
    for (std::int64_t j = 0; j < n; ++j, sums += sizeof s, row += sizeof r) {
        std::memcpy(&r, row, sizeof r);
        std::memcpy(&s, sums, sizeof s);
        s = s + f * r;
        std::memcpy(sums, &s, sizeof s);
    }
}

// out = base + a @ b, the product rounded before it is added; without a base the product alone.
SINTER_INLINE void multiply_matrices(dtype type, const void* base, const void* a, const void* b, char* out,
                                     std::int64_t m, std::int64_t k, std::int64_t n) {
    dtype wide = is_complex(type) ? dtype::complex128 : is_floating(type) ? dtype::float64 : dtype::uint64;
    auto add = is_complex(type)    ? add_product<scalar::complex<double>>
               : is_floating(type) ? add_product<double>
                                   : add_product<std::uint64_t>;
    std::int64_t size = size_of(wide);
    scratch<char> left(m * k * size), right(k * n * size), sums(n * size), product(n * size);
    convert(type, wide, a, left.data, m * k);
    convert(type, wide, b, right.data, k * n);
    const std::int64_t row = n * size_of(type);
    for (std::int64_t i = 0; i < m; ++i, out += row) {
        std::memset(sums.data, 0, static_cast<std::size_t>(n * size));
        for (std::int64_t x = 0; x < k; ++x)
            add(sums.data, left.data + (i * k + x) * size, right.data + x * n * size, n);
        convert(wide, type, sums.data, out, n);
        if (!base) continue;
        scratch<char> one(size);
        const std::int32_t number = 1;
        convert(dtype::int32, wide, &number, one.data, 1);
        convert(type, wide, out, product.data, n);
        convert(type, wide, static_cast<const char*>(base) + i * row, sums.data, n);
        add(sums.data, one.data, product.data, n);
        convert(wide, type, sums.data, out, n);
    }
}

// What a product's call does besides multiplying, row by row; `last` is its last operand.
SINTER_INLINE void finish_rows(const call_info& c, dtype type, const void* last, char* out, std::int64_t rows,
                               std::int64_t columns) {
    const std::int64_t row = columns * size_of(type), steps[2] = {1, c.has_factor() ? 0 : 1};
    for (std::int64_t i = 0; i < rows; ++i, out += row) {
        const void* args[2] = {out, last};
        if (c.has_factor()) apply(op::multiply, type, args, steps, out, columns);
        if (c.has(call_info::bias)) apply(op::add, type, args, steps, out, columns);
        if (c.last() != activation::none) apply(operation_of(c.last()), type, args, steps, out, columns);
    }
}

// Element by element: what is summed of both operands as a product of a row and a column.
SINTER_INLINE void contract_reference(const graph& g, node_id id, const void* const* args, char* out) {
    const node& n = g.nodes[id];
    const int rank = n.shape.size(), size = size_of(n.type);
    layout of[2] = {contiguous(g.nodes[g.arg(id, 0)].shape), contiguous(g.nodes[g.arg(id, 1)].shape)};
    std::int64_t first[2], inner = 1;
    for (int i = rank; i < of[0].shape.size(); ++i) inner *= of[0].shape[i];
    for (std::int64_t at = 0, count = n.shape.product(); at < count; ++at, out += size) {
        for (int k = 0; k < 2; ++k) {
            first[k] = 0;
            std::int64_t rest = at;
            for (int i = rank; i-- > 0; rest /= n.shape[i])
                if (of[k].shape[i] > 1) first[k] += rest % n.shape[i] * of[k].strides[i];
        }
        multiply_matrices(n.type, nullptr, static_cast<const char*>(args[0]) + first[0] * size,
                          static_cast<const char*>(args[1]) + first[1] * size, out, 1, inner, 1);
    }
}

SINTER_INLINE void call_reference(const graph& g, node_id id, const void* const* args, void* out) {
    const node& n = g.nodes[id];
    const routine what = g.call_of(id).what;
    if (is_linalg(what)) throw internal_error("[interpret] a linear algebra routine is the caller's: " + to_text(g));
    if (is_fourier(what)) {
        const node& base = g.nodes[g.arg(id, 0)];
        return fourier_reference(g.call_of(id), base.type, base.shape, args[0], out);
    }
    if (what == routine::sort || what == routine::argsort)
        return sort_reference(sort_task_of(what, g.nodes[g.arg(id, 0)].type, n.shape), args[0], out);
    if (is_selection(what)) {
        const node& x = g.nodes[g.arg(id, 0)];
        const selection_task t = selection_task_of(g.call_of(id), x.type, x.shape, n.shape.back());
        if (what == routine::topk) return topk_reference(t, args[0], static_cast<std::int64_t*>(out));
        return order_statistics_reference(t, args[0], static_cast<const std::int64_t*>(args[1]), out);
    }
    if (is_scatter(what)) {
        copy_strided(size_of(n.type), args[0], 1, out, 1, n.shape.product());
        const std::int64_t count = g.nodes[g.arg(id, 2)].shape.product(),
                           width = count > 0 ? g.nodes[g.arg(id, 1)].shape.product() / count : 1;
        const std::int64_t* positions = static_cast<const std::int64_t*>(args[2]);
        sequence<std::int64_t> of_indices;
        if (g.call_of(id).has(call_info::indices) && count > 0 && width > 0) {
            of_indices.resize(static_cast<std::size_t>(count), 0);
            positions_of_indices(g.nodes[g.arg(id, 2)].type, args[2], count, n.shape.product() / width,
                                 of_indices.data());
            positions = of_indices.data();
        }
        return scatter_reference(g.call_of(id), n.type, n.shape, args[1], positions, count, width, out);
    }
    if (is_count(what)) {
        const node& x = g.nodes[g.arg(id, 1)];
        copy_strided(size_of(n.type), args[0], 1, out, 1, n.shape.product());
        return count_reference(g.call_of(id), x.type, args[1], x.shape.product(),
                               n.arg_count > 2 ? static_cast<const double*>(args[2]) : nullptr, n.shape.product(),
                               static_cast<std::int64_t*>(out));
    }
    if (what == routine::contract) return contract_reference(g, id, args, static_cast<char*>(out));
    const int first = first_matrix(what);
    int rank = n.shape.size(), size = size_of(n.type);
    std::int64_t rows = n.shape[rank - 2], columns = n.shape[rank - 1], inner = g.nodes[g.arg(id, first)].shape.back();
    std::int64_t stack = 1;
    for (int i = 0; i < rank - 2; ++i) stack *= n.shape[i];
    auto matrix = [&](int operand, std::int64_t s) {
        const dims& own = g.nodes[g.arg(id, operand)].shape;
        return static_cast<const char*>(args[operand]) +
               matrix_of_operand(n.shape, own, s) * own[rank - 2] * own[rank - 1] * size;
    };
    for (std::int64_t s = 0; s < stack; ++s)
        multiply_matrices(n.type, first ? static_cast<const char*>(args[0]) + s * rows * columns * size : nullptr,
                          matrix(first, s), matrix(first + 1, s), static_cast<char*>(out) + s * rows * columns * size,
                          rows, inner, columns);
    finish_rows(g.call_of(id), n.type, args[n.arg_count - 1], static_cast<char*>(out), stack * rows, columns);
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_IEEE_END
