// Bodies of graph.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/ops/apply.hpp>
#include <sinter/codegen/graph/graph.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE std::uint64_t mix_hash(std::uint64_t h, std::uint64_t v) {
    h = (h ^ v) * 0x9E3779B97F4A7C15ull;
    return h ^ (h >> 29);
}

// What a node's payload says about its value: not for whom a call is made, which is one for all that make it.
SINTER_INLINE std::uint32_t meaning_of_payload(const node& n) {
    return n.kind == node_kind::call ? call_info(n.payload).nameless().packed() : n.payload;
}

SINTER_INLINE std::uint64_t graph::hash(const node& n, span<const node_id> operands) const {
    std::uint64_t h = static_cast<std::uint64_t>(n.fast) << 32 | static_cast<std::uint64_t>(n.kind) << 24 |
                      static_cast<std::uint64_t>(n.operation) << 8 | static_cast<std::uint64_t>(n.type);
    h = mix_hash(h, meaning_of_payload(n));
    for (std::int64_t v : n.shape) h = mix_hash(h, static_cast<std::uint64_t>(v));
    for (node_id a : operands) h = mix_hash(h, a);
    return h;
}

SINTER_INLINE node_id graph::intern(node n, span<const node_id> operands) {
    n.fast = adds_fast && (n.kind == node_kind::apply || n.kind == node_kind::invoke);
    if (nodes.size() * 2 >= table_.size()) {
        table_.assign(table_.empty() ? 64 : table_.size() * 4, ~node_id{0});
        for (node_id i = 0; i < nodes.size(); ++i) {
            std::size_t at = hash(nodes[i], args(i)) & (table_.size() - 1);
            while (table_[at] != ~node_id{0}) at = (at + 1) & (table_.size() - 1);
            table_[at] = i;
        }
    }
    const std::uint32_t meaning = meaning_of_payload(n);
    std::size_t at = hash(n, operands) & (table_.size() - 1);
    for (; table_[at] != ~node_id{0}; at = (at + 1) & (table_.size() - 1)) {
        const node& m = nodes[table_[at]];
        if (m.kind == n.kind && m.operation == n.operation && m.type == n.type && m.fast == n.fast &&
            meaning_of_payload(m) == meaning && m.shape == n.shape && m.arg_count == operands.size() &&
            (operands.empty() || std::memcmp(edges.data() + m.first_arg, operands.data(), operands.size_bytes()) == 0))
            return table_[at];
    }
    n.first_arg = static_cast<std::uint32_t>(edges.size());
    n.arg_count = static_cast<std::uint32_t>(operands.size());
    edges.append(operands.begin(), operands.end());
    table_[at] = static_cast<node_id>(nodes.size());
    nodes.push_back(n);
    return table_[at];
}

template <class T>
std::uint32_t intern_payload(sequence<T>& list, const T& value) {
    for (std::size_t i = list.size(); i-- > 0 && list.size() - i < 64;)
        if (list[i] == value) return static_cast<std::uint32_t>(i);
    list.push_back(value);
    return static_cast<std::uint32_t>(list.size() - 1);
}

SINTER_INLINE node_id graph::add_input(std::uint32_t slot, dtype type, const dims& shape) {
    return intern({.kind = node_kind::input, .type = type, .payload = slot, .shape = shape}, {});
}

SINTER_INLINE node_id graph::add_scalar(const scalar_value& value) { return add_scalar_of(add_scalar_slot(value)); }

SINTER_INLINE std::uint32_t graph::add_scalar_slot(const scalar_value& value) {
    auto slot = static_cast<std::uint32_t>(scalars.size());
    scalars.push_back(value);
    scalar_origins.push_back({slot, {}});
    return slot;
}

SINTER_INLINE node_id graph::add_scalar_of(std::uint32_t slot) {
    return intern({.kind = node_kind::scalar, .type = scalars[slot].type, .payload = slot, .shape = {}}, {});
}

SINTER_INLINE node_id graph::add_scalar(const scalar_value& value, const scalar_origin& origin) {
    scalars.push_back(value);
    scalar_origins.push_back(origin);
    return intern({.kind = node_kind::scalar,
                   .type = value.type,
                   .payload = static_cast<std::uint32_t>(scalars.size() - 1),
                   .shape = {}},
                  {});
}

SINTER_INLINE node_id graph::add_literal(const scalar_value& value) {
    return intern(
        {.kind = node_kind::literal, .type = value.type, .payload = intern_payload(literals, value), .shape = {}}, {});
}

SINTER_INLINE node_id graph::add_index(const dims& shape) {
    return intern({.kind = node_kind::index, .type = dtype::int64, .shape = shape}, {});
}

SINTER_INLINE node_id graph::add_empty(dtype type, const dims& shape) {
    // Two empty arrays are two arrays: the payload keeps them apart.
    return intern(
        {.kind = node_kind::empty, .type = type, .payload = static_cast<std::uint32_t>(nodes.size()), .shape = shape},
        {});
}

SINTER_INLINE node_id graph::add_cast(node_id operand, dtype type) {
    if (nodes[operand].type == type) return operand;
    if (is_scalar_like(operand)) {
        bool literal = nodes[operand].kind == node_kind::literal;
        std::uint32_t at = nodes[operand].payload;
        const scalar_value& from = (literal ? literals : scalars)[at];
        scalar_value to;
        to.type = type;
        convert(from.type, type, from.bytes, to.bytes, 1);
        if (literal) return add_literal(to);
        scalar_origin origin = scalar_origins[at];
        origin.types += static_cast<char>(type);
        for (std::uint32_t slot = 0; slot < scalars.size(); ++slot)
            if (scalar_origins[slot] == origin) return add_scalar_of(slot);
        return add_scalar(to, origin);
    }
    return intern({.kind = node_kind::apply, .operation = op::cast, .type = type, .shape = nodes[operand].shape},
                  {&operand, 1});
}

SINTER_INLINE node_id graph::add_apply(op o, span<const node_id> operands, const dims& shape) {
    dtype types[3]{};
    for (std::size_t i = 0; i < operands.size(); ++i) types[i] = nodes[operands[i]].type;
    dtype common = common_type(o, types);
    if (!defined_for(o, common))
        throw type_error(joined({"[", info(o).name, "] is not defined for ", to_string(common)}));
    // Half precision: each operation in float32, rounded once. What a kernel or a plan is made of never sees its
    // arithmetic.
    const dtype given = common;
    if (is_half(common) && !computes_on_bits(o)) common = widened(common);
    node_id converted[3];
    for (std::size_t i = 0; i < operands.size(); ++i) {
        converted[i] = add_cast(add_cast(operands[i], operand_type(o, static_cast<int>(i), given)),
                                operand_type(o, static_cast<int>(i), common));
        if (!is_scalar_like(converted[i])) converted[i] = add_broadcast(converted[i], shape);
    }
    const node_id n = intern({.kind = node_kind::apply, .operation = o, .type = result_type(o, common), .shape = shape},
                             {converted, operands.size()});
    return add_cast(n, result_type(o, given));
}

SINTER_INLINE node_id graph::add_view(node_id operand, const layout& how) {
    if (is_contiguous(how) && how.shape == nodes[operand].shape) return operand;
    return intern({.kind = node_kind::view,
                   .type = nodes[operand].type,
                   .payload = intern_payload(layouts, how),
                   .shape = how.shape},
                  {&operand, 1});
}

SINTER_INLINE node_id graph::add_broadcast(node_id operand, const dims& shape) {
    if (nodes[operand].shape == shape) return operand;
    return add_view(operand, broadcasted(contiguous(nodes[operand].shape), shape));
}

SINTER_INLINE node_id graph::add_combining(node_kind kind, reduction how, node_id operand, std::uint8_t axes) {
    const node& of = nodes[operand];
    if (const dtype type = of.type; is_half(type))
        return add_cast(add_combining(kind, how, add_cast(operand, widened(type)), axes), reduce_type(how, type));
    return intern({.kind = kind,
                   .type = reduce_type(how, of.type),
                   .payload = intern_payload(reduce_infos, reduce_info{how, axes}),
                   .shape = kind == node_kind::scan ? of.shape : kept_shape(of.shape, axes)},
                  {&operand, 1});
}

SINTER_INLINE node_id graph::add_reduce(reduction how, node_id operand, std::uint8_t axes) {
    return add_combining(node_kind::reduce, how, operand, axes);
}

SINTER_INLINE node_id graph::add_scan(reduction how, node_id operand, std::uint8_t axes) {
    return add_combining(node_kind::scan, how, operand, axes);
}

SINTER_INLINE node_id graph::add_select(node_id mask, node_id value) {
    node_id operands[2] = {mask, value};
    return intern({.kind = node_kind::select, .type = nodes[value].type, .shape = dims(nodes[mask].shape.product())},
                  operands);
}

SINTER_INLINE node_id graph::add_count(node_id mask) {
    return intern({.kind = node_kind::select, .type = dtype::int64, .shape = {}}, {&mask, 1});
}

SINTER_INLINE node_id graph::add_gather(node_id base, span<const node_id> indices, gather_info how) {
    sequence<node_id> operands{base};
    operands.append(indices.begin(), indices.end());
    dims shape = kept_shape(nodes[base].shape, how.axes);
    const dims& index_shape = nodes[indices[0]].shape;
    for (int i = 0; i < index_shape.size(); ++i) shape.insert(how.position + i, index_shape[i]);
    return intern({.kind = node_kind::gather,
                   .type = nodes[base].type,
                   .payload = intern_payload(gather_infos, how),
                   .shape = shape},
                  operands);
}

SINTER_INLINE node_id graph::add_update(node_id base, node_id value, const layout& where) {
    node_id operands[2] = {base, add_cast(value, nodes[base].type)};
    return intern({.kind = node_kind::update,
                   .type = nodes[base].type,
                   .payload = intern_payload(layouts, where),
                   .shape = nodes[base].shape},
                  operands);
}

SINTER_INLINE std::optional<dims> graph::common_shape(std::string_view operation, span<const node_id> operands) const {
    std::optional<dims> common;
    for (node_id n : operands)
        if (!is_scalar_like(n)) common = broadcast_shapes(operation, common.value_or(dims()), nodes[n].shape);
    return common;
}

SINTER_INLINE node_id graph::add_body(component c, span<const node_id> operands, const dims& shape) {
    const graph& body = *c.of->body;
    sequence<node_id> names, args;
    for (node_id id = 0; id < body.nodes.size(); ++id) {
        const node& n = body.nodes[id];
        if (n.kind != node_kind::apply) {
            names.push_back(n.kind == node_kind::input ? add_cast(operands[n.payload], n.type)
                                                       : add_literal(body.literals[n.payload]));
            continue;
        }
        args.clear();
        for (node_id a : body.args(id)) args.push_back(names[a]);
        // Of numbers alone it has the call's shape: what has a shape of its own may be stored in a kernel of its own.
        names.push_back(n.operation == op::cast
                            ? add_cast(args[0], n.type)
                            : add_apply(n.operation, args, common_shape(c.of->function->name, args).value_or(shape)));
    }
    return names[body.roots[c.which]];
}

SINTER_INLINE node_id graph::add_invoke(component c, span<const node_id> operands, const dims& shape) {
    if (c.of->body) return add_body(c, operands, shape);
    sequence<node_id> converted;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        node_id n = add_cast(operands[i], c.of->parameters[i]);
        if (c.of->is_whole(i)) {
            converted.push_back(n);
            continue;
        }
        converted.push_back(is_scalar_like(n) ? n : add_broadcast(n, shape));
    }
    return intern({.kind = node_kind::invoke,
                   .type = c.of->results[c.which],
                   .payload = intern_payload(invoked, c),
                   .shape = shape},
                  converted);
}

SINTER_INLINE node_id graph::add_call(const call_info& c, span<const node_id> operands, dtype type, const dims& shape) {
    // Sorting half precision, or combining what meets in a scatter, is that of float32; others have routines of their
    // own.
    if (is_half(nodes[operands[0]].type) && !has_precision(c.what) && !is_fourier(c.what) &&
        c.what != routine::scatter) {
        sequence<node_id> wide;
        for (node_id n : operands) wide.push_back(add_cast(n, widened(nodes[n].type)));
        return add_cast(add_call(c, wide, widened(type), shape), type);
    }
    return intern({.kind = node_kind::call, .type = type, .payload = c.packed(), .shape = shape}, operands);
}

SINTER_INLINE void append_key(std::string& s, const void* from, std::size_t bytes) {
    s.append(static_cast<const char*>(from), bytes);
}

SINTER_INLINE void append_key(std::string& s, const dims& d) {
    s += static_cast<char>(d.size());
    append_key(s, d.begin(), sizeof(std::int64_t) * static_cast<std::size_t>(d.size()));
}

SINTER_INLINE void append_key(std::string& s, const layout& l) {
    append_key(s, l.shape);
    append_key(s, l.strides);
    append_key(s, &l.offset, sizeof l.offset);
}

SINTER_INLINE std::string structure_key(const graph& g) {
    std::string s;
    s.reserve(64 * g.nodes.size());
    bool any_power = false;
    for (const node& n : g.nodes) {
        s += {static_cast<char>(n.kind), static_cast<char>(n.operation), static_cast<char>(n.type),
              static_cast<char>(n.arg_count), static_cast<char>(n.fast)};
        append_key(s, &n.payload, sizeof n.payload);
        append_key(s, n.shape);
        append_key(s, g.edges.data() + n.first_arg, sizeof(node_id) * n.arg_count);
        any_power = any_power || (n.kind == node_kind::apply && n.operation == op::power);
    }
    for (const layout& l : g.layouts) append_key(s, l);
    for (const scalar_value& v : g.literals) append_key(s, v.bytes, sizeof v.bytes);
    if (any_power)
        for (const scalar_value& v : g.scalars) append_key(s, v.bytes, sizeof v.bytes);
    // Of equal scalars one is converted, and which it is follows from their values.
    for (const scalar_origin& o : g.scalar_origins) {
        if (o.types.empty()) continue;
        append_key(s, &o.slot, sizeof o.slot);
        s += o.types;
    }
    for (const reduce_info& r : g.reduce_infos) s += {static_cast<char>(r.how), static_cast<char>(r.axes)};
    for (const gather_info& i : g.gather_infos)
        s += {static_cast<char>(i.axes), static_cast<char>(i.position), static_cast<char>(i.why)};
    for (const component& c : g.invoked) {
        append_key(s, &c.of->number, sizeof c.of->number);
        append_key(s, &c.which, sizeof c.which);
    }
    append_key(s, g.roots.data(), sizeof(node_id) * g.roots.size());
    return s;
}

SINTER_COLD_END

SINTER_INLINE dims kept_shape(const dims& shape, std::uint8_t axes) {
    dims kept;
    for (int i = 0; i < shape.size(); ++i)
        if (!(axes >> i & 1)) kept.push_back(shape[i]);
    return kept;
}

}  // namespace sinter::inline SINTER_ABI::codegen
