// Bodies of interpret.hpp; reductions are in interpret_reduce.ipp.
#pragma once

#include <sinter/codegen/apply.hpp>
#include <sinter/codegen/interpret.hpp>
#include <sinter/codegen/interpret_reduce.ipp>

#include <cstdlib>
#include <memory>

namespace sinter::inline SINTER_ABI::codegen {

struct free_memory {
    void operator()(void* p) const { std::free(p); }
};

// What an evaluation has computed so far; values of inputs, scalars and literals lie where they are.
struct evaluation {
    const graph& g;
    std::vector<std::uint32_t> uses;  // by node: needed nodes and roots that still read it
    std::vector<std::unique_ptr<void, free_memory>> memory;
    std::vector<const void*> values;
};

// Zeroed memory for a node.
SINTER_INLINE void* allocate_value(evaluation& e, node_id id) {
    const node& n = e.g.nodes[id];
    std::size_t count = static_cast<std::size_t>(n.shape.product());
    void* p = std::calloc(count ? count : 1, static_cast<std::size_t>(size_of(n.type)));
    if (!p)
        throw out_of_memory("[interpreter] no memory for " + std::string(to_string(n.type)) + " " + to_string(n.shape));
    e.memory[id].reset(p);
    e.values[id] = p;
    return p;
}

SINTER_INLINE void interpret_apply(evaluation& e, node_id id) {
    const node& n = e.g.nodes[id];
    std::int64_t count = n.shape.product(), steps[3];
    const void* args[3];
    dtype types[3];
    for (int i = 0; i < static_cast<int>(n.arg_count); ++i) {
        node_id a = e.g.arg(id, i);
        args[i] = e.values[a];
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

SINTER_INLINE void interpret_view(evaluation& e, node_id id) {
    const node& n = e.g.nodes[id];
    layout_cursor at(e.g.layout_of(id));
    void* out = allocate_value(e, id);
    copy_from_view(at, e.values[e.g.arg(id, 0)], size_of(n.type), out, n.shape.product());
}

SINTER_INLINE void interpret_update(evaluation& e, node_id id) {
    const node& n = e.g.nodes[id];
    int size = size_of(n.type);
    char* out = static_cast<char*>(allocate_value(e, id));
    copy_strided(size, e.values[e.g.arg(id, 0)], 1, out, 1, n.shape.product());
    const layout& where = e.g.layout_of(id);
    const char* value = static_cast<const char*>(e.values[e.g.arg(id, 1)]);
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
SINTER_INLINE void add_index_offsets(const evaluation& e, node_id index, int axis, std::int64_t extent,
                                     std::int64_t stride, std::vector<std::int64_t>& offsets) {
    std::int64_t count = static_cast<std::int64_t>(offsets.size());
    std::vector<std::int64_t> numbers(offsets.size());
    dtype type = e.g.nodes[index].type;
    convert(type, dtype::int64, e.values[index], numbers.data(), count);
    for (std::size_t j = 0; j < offsets.size(); ++j) {
        std::int64_t v = numbers[j];
        if (v >= extent || v < -extent || (v < 0 && kind_of(type) == 'u'))
            throw index_error("[take] index " +
                              (kind_of(type) == 'u' ? std::to_string(static_cast<std::uint64_t>(v)) : std::to_string(v)) +
                              " is out of bounds for axis " + std::to_string(axis) + " with size " + std::to_string(extent));
        offsets[j] += (v < 0 ? v + extent : v) * stride;
    }
}

SINTER_INLINE void interpret_gather(evaluation& e, node_id id) {
    const node& n = e.g.nodes[id];
    const gather_info& how = e.g.gather_infos[n.payload];
    const dims& shape = e.g.nodes[e.g.arg(id, 0)].shape;
    dims strides = contiguous_strides(shape);
    std::vector<std::int64_t> offsets(static_cast<std::size_t>(e.g.nodes[e.g.arg(id, 1)].shape.product()));
    layout before, after;  // the axes that stay, on either side of the index arrays' axes
    int next = 1;
    for (int i = 0; i < shape.size(); ++i) {
        if (how.axes >> i & 1) {
            add_index_offsets(e, e.g.arg(id, next++), i, shape[i], strides[i], offsets);
            continue;
        }
        layout& side = before.shape.size() < how.position ? before : after;
        side.shape.push_back(shape[i]);
        side.strides.push_back(strides[i]);
    }
    int size = size_of(n.type);
    const char* base = static_cast<const char*>(e.values[e.g.arg(id, 0)]);
    char* out = static_cast<char*>(allocate_value(e, id));
    std::int64_t outer = before.shape.product(), inner = after.shape.product();
    if (n.shape.product() == 0) return;
    layout_cursor at(before);
    for (std::int64_t i = 0; i < outer; ++i, at.advance(1))
        for (std::int64_t offset : offsets) {
            layout_cursor part(after);
            copy_from_view(part, base + (at.offset + offset) * size, size, out, inner);
            out += inner * size;
        }
}

SINTER_INLINE void interpret_index(evaluation& e, node_id id) {
    std::int64_t count = e.g.nodes[id].shape.product();
    std::int64_t* out = static_cast<std::int64_t*>(allocate_value(e, id));
    for (std::int64_t i = 0; i < count; ++i) out[i] = i;
}

SINTER_INLINE void interpret_call(evaluation& e, node_id id, call_function call) {
    std::vector<const void*> args;
    for (node_id a : e.g.args(id)) args.push_back(e.values[a]);
    call(e.g, id, args.data(), allocate_value(e, id));
}

SINTER_INLINE void interpret_node(evaluation& e, node_id id, std::span<const void* const> inputs, call_function call) {
    const node& n = e.g.nodes[id];
    switch (n.kind) {
        case node_kind::input: e.values[id] = inputs[n.payload]; return;
        case node_kind::scalar: e.values[id] = e.g.scalars[n.payload].bytes; return;
        case node_kind::literal: e.values[id] = e.g.literals[n.payload].bytes; return;
        case node_kind::index: return interpret_index(e, id);
        case node_kind::empty: allocate_value(e, id); return;
        case node_kind::apply: return interpret_apply(e, id);
        case node_kind::view: return interpret_view(e, id);
        case node_kind::reduce: {
            node_id operand = e.g.arg(id, 0);
            return reduce(e.g.reduce_infos[n.payload], e.g.nodes[operand], e.values[operand], n, allocate_value(e, id));
        }
        case node_kind::gather: return interpret_gather(e, id);
        case node_kind::update: return interpret_update(e, id);
        case node_kind::call: return interpret_call(e, id, call);
    }
}

SINTER_INLINE void interpret(const graph& g, std::span<const void* const> inputs, std::span<void* const> outputs,
                             call_function call) {
    std::size_t count = g.nodes.size();
    evaluation e{g, std::vector<std::uint32_t>(count), {}, std::vector<const void*>(count)};
    e.memory.resize(count);
    for (node_id r : g.roots) ++e.uses[r];
    for (std::size_t i = count; i-- > 0;)
        if (e.uses[i])
            for (node_id a : g.args(static_cast<node_id>(i))) ++e.uses[a];
    for (node_id id = 0; id < count; ++id) {
        if (!e.uses[id]) continue;
        interpret_node(e, id, inputs, call);
        for (node_id a : g.args(id))
            if (--e.uses[a] == 0) e.memory[a].reset();
    }
    // A root that is an input may lie where another root is about to be written.
    for (node_id r : g.roots) {
        if (g.nodes[r].kind != node_kind::input || e.memory[r]) continue;
        const void* from = e.values[r];
        copy_strided(size_of(g.nodes[r].type), from, 1, allocate_value(e, r), 1, g.nodes[r].shape.product());
    }
    for (std::size_t i = 0; i < g.roots.size(); ++i) {
        const node& n = g.nodes[g.roots[i]];
        copy_strided(size_of(n.type), e.values[g.roots[i]], 1, outputs[i], 1, n.shape.product());
    }
}

template <class A>
void multiply_matrices(dtype type, const char* a, const char* b, char* out, std::int64_t m, std::int64_t k,
                       std::int64_t n) {
    std::vector<A> left(static_cast<std::size_t>(m * k)), right(static_cast<std::size_t>(k * n));
    std::vector<A> row(static_cast<std::size_t>(n));
    convert(type, wide_type<A>, a, left.data(), m * k);
    convert(type, wide_type<A>, b, right.data(), k * n);
    for (std::int64_t i = 0; i < m; ++i) {
        row.assign(row.size(), A{});
        for (std::int64_t x = 0; x < k; ++x)
            for (std::int64_t j = 0; j < n; ++j) {
                A& sum = row[static_cast<std::size_t>(j)];
                sum = sum + left[static_cast<std::size_t>(i * k + x)] * right[static_cast<std::size_t>(x * n + j)];
            }
        convert(wide_type<A>, type, row.data(), out + i * n * size_of(type), n);
    }
}

SINTER_INLINE void call_reference(const graph& g, node_id id, const void* const* args, void* out) {
    const node& n = g.nodes[id];
    const dims& left = g.nodes[g.arg(id, 0)].shape;
    int rank = n.shape.size(), size = size_of(n.type);
    std::int64_t rows = n.shape[rank - 2], columns = n.shape[rank - 1], inner = left.back(), stack = 1;
    for (int i = 0; i < rank - 2; ++i) stack *= n.shape[i];
    for (std::int64_t s = 0; s < stack; ++s) {
        const char* a = static_cast<const char*>(args[0]) + s * rows * inner * size;
        const char* b = static_cast<const char*>(args[1]) + s * inner * columns * size;
        char* to = static_cast<char*>(out) + s * rows * columns * size;
        if (is_complex(n.type)) multiply_matrices<scalar::complex<double>>(n.type, a, b, to, rows, inner, columns);
        else if (is_floating(n.type)) multiply_matrices<double>(n.type, a, b, to, rows, inner, columns);
        else multiply_matrices<std::uint64_t>(n.type, a, b, to, rows, inner, columns);
    }
}

}  // namespace sinter::inline SINTER_ABI::codegen
