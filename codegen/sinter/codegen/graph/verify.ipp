// Bodies of verify.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/graph/graph.hpp>
#include <sinter/codegen/graph/graph_text.hpp>
#include <sinter/codegen/graph/verify.hpp>
#include <sinter/codegen/ops/apply.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/ops/matrix_stack.hpp>

#include <algorithm>

SINTER_COLD_BEGIN

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE bool stays_inside(const layout& l, std::int64_t size) {
    if (l.shape.product() == 0) return true;
    std::int64_t low = l.offset, high = l.offset;
    for (int i = 0; i < l.shape.size(); ++i) {
        std::int64_t reach = l.strides[i] * (l.shape[i] - 1);
        (reach < 0 ? low : high) += reach;
    }
    return low >= 0 && high < size;
}

// How many arguments a node needs, once its payload is known to exist.
SINTER_INLINE std::uint32_t needed_arguments(const graph& g, const node& n) {
    switch (n.kind) {
        case node_kind::apply: return info(n.operation).arity;
        case node_kind::view:
        case node_kind::reduce:
        case node_kind::scan: return 1;
        case node_kind::select: return n.arg_count == 1 ? 1 : 2;
        case node_kind::invoke: return static_cast<std::uint32_t>(g.invoked[n.payload].of->parameters.size());
        case node_kind::update: return 2;
        case node_kind::call: return call_info(n.payload).operands();
        case node_kind::gather: {
            std::uint32_t count = 1;
            for (int axes = g.gather_infos[n.payload].axes; axes; axes &= axes - 1) ++count;
            return count;
        }
        default: return 0;
    }
}

SINTER_INLINE bool has_payload(const graph& g, const node& n) {
    switch (n.kind) {
        case node_kind::scalar: return n.payload < g.scalars.size();
        case node_kind::literal: return n.payload < g.literals.size();
        case node_kind::view:
        case node_kind::update: return n.payload < g.layouts.size();
        case node_kind::reduce:
        case node_kind::scan: return n.payload < g.reduce_infos.size();
        case node_kind::gather: return n.payload < g.gather_infos.size();
        case node_kind::invoke: return n.payload < g.invoked.size() && g.invoked[n.payload].of;
        case node_kind::call:
            return is_routine(n.payload & 255) && call_info(n.payload).result < info(call_info(n.payload).what).results;
        default: return true;
    }
}

SINTER_INLINE const char* find_fault_of_apply(const graph& g, node_id id) {
    const node& n = g.nodes[id];
    dtype types[3]{};
    for (int i = 0; i < static_cast<int>(n.arg_count); ++i) {
        node_id a = g.arg(id, i);
        types[i] = g.nodes[a].type;
        if (!g.is_scalar_like(a) && g.nodes[a].shape != n.shape) return "an argument has another shape";
    }
    if (n.operation == op::cast) return nullptr;
    dtype common = common_type(n.operation, types);
    if (is_half(common) && !computes_on_bits(n.operation)) return "half precision computes in float32";
    for (int i = 0; i < static_cast<int>(n.arg_count); ++i)
        if (operand_type(n.operation, i, common) != types[i]) return "an argument has another type";
    if (!defined_for(n.operation, common)) return "the operation is not defined for the type";
    return result_type(n.operation, common) == n.type ? nullptr : "wrong result type";
}

SINTER_INLINE const char* find_fault_of_view(const graph& g, node_id id) {
    const node& base = g.nodes[g.arg(id, 0)];
    if (g.layout_of(id).shape != g.nodes[id].shape) return "layout and shape differ";
    if (base.type != g.nodes[id].type) return "the view changes the type";
    return stays_inside(g.layout_of(id), base.shape.product()) ? nullptr : "the view reaches outside";
}

SINTER_INLINE const char* find_fault_of_update(const graph& g, node_id id) {
    const node &n = g.nodes[id], &base = g.nodes[g.arg(id, 0)], &value = g.nodes[g.arg(id, 1)];
    if (base.shape != n.shape || base.type != n.type) return "result and base differ";
    if (g.layout_of(id).shape != value.shape && !g.is_scalar_like(g.arg(id, 1)))
        return "value and target differ in shape";
    if (value.type != n.type) return "value and base differ in type";
    return stays_inside(g.layout_of(id), n.shape.product()) ? nullptr : "the update reaches outside";
}

SINTER_INLINE const char* find_fault_of_reduce(const graph& g, node_id id) {
    const node &n = g.nodes[id], &operand = g.nodes[g.arg(id, 0)];
    reduction how = g.reduce_infos[n.payload].how;
    std::uint8_t axes = g.reduce_infos[n.payload].axes;
    if (how >= reduction::count_) return "unknown reduction";
    if (axes >> operand.shape.size()) return "a reduced axis does not exist";
    if (kept_shape(operand.shape, axes) != n.shape) return "wrong shape of a reduction";
    const dtype wanted = operand_type(how, operand.type);
    if (operand.type != wanted)
        return wanted == dtype::bool_ ? "the reduction wants bool" : "the reduction wants float64";
    if (is_half(operand.type)) return "half precision computes in float32";
    if (!accepts(how, operand.type)) return "the reduction is not defined for the type";
    return reduce_type(how, operand.type) == n.type ? nullptr : "wrong result type";
}

SINTER_INLINE const char* find_fault_of_scan(const graph& g, node_id id) {
    const node &n = g.nodes[id], &operand = g.nodes[g.arg(id, 0)];
    const reduce_info& how = g.reduce_infos[n.payload];
    if (how.how >= reduction::count_ || running_name(how.how) == "none") return "unknown scan";
    if (how.axes == 0 || how.axes & (how.axes - 1)) return "a scan has one axis";
    if (how.axes >> operand.shape.size()) return "the scanned axis does not exist";
    if (operand.shape != n.shape) return "result and operand of a scan differ in shape";
    if (is_half(operand.type)) return "half precision computes in float32";
    if (!accepts(how.how, operand.type)) return "the scan is not defined for the type";
    return reduce_type(how.how, operand.type) == n.type ? nullptr : "wrong result type";
}

SINTER_INLINE const char* find_fault_of_select(const graph& g, node_id id) {
    const node &n = g.nodes[id], &mask = g.nodes[g.arg(id, 0)];
    if (mask.type != dtype::bool_) return "a mask is not bool";
    if (n.arg_count == 1) return n.type == dtype::int64 && n.shape.empty() ? nullptr : "a count is not an int64";
    const node& value = g.nodes[g.arg(id, 1)];
    if (value.shape != mask.shape) return "mask and value differ in shape";
    return value.type == n.type && n.shape == dims(mask.shape.product()) ? nullptr : "wrong result of a select";
}

SINTER_INLINE const char* find_fault_of_gather(const graph& g, node_id id) {
    const node &n = g.nodes[id], &base = g.nodes[g.arg(id, 0)];
    const gather_info& how = g.gather_infos[n.payload];
    if (how.axes == 0 || how.axes >> base.shape.size()) return "an indexed axis does not exist";
    const dims& index_shape = g.nodes[g.arg(id, 1)].shape;
    for (std::uint32_t i = 1; i < n.arg_count; ++i) {
        const node& index = g.nodes[g.arg(id, static_cast<int>(i))];
        if (!is_integer(index.type)) return "an index is no integer";
        if (index.shape != index_shape) return "index arrays differ in shape";
    }
    dims shape = kept_shape(base.shape, how.axes);
    if (how.position > shape.size()) return "the index axes stand outside the result";
    if (shape.size() + index_shape.size() != n.shape.size()) return "wrong shape of a gather";
    for (int i = 0; i < index_shape.size(); ++i) shape.insert(how.position + i, index_shape[i]);
    if (shape != n.shape) return "wrong shape of a gather";
    return base.type == n.type ? nullptr : "wrong result type";
}

SINTER_INLINE const char* find_fault_of_sort(const graph& g, node_id id) {
    const node &n = g.nodes[id], &x = g.nodes[g.arg(id, 0)];
    if (x.shape != n.shape || n.shape.empty()) return "wrong shape of a sort";
    bool positions = g.call_of(id).what == routine::argsort;
    if (is_half(x.type)) return "half precision computes in float32";
    return n.type == (positions ? dtype::int64 : x.type) ? nullptr : "wrong result type";
}

SINTER_INLINE const char* find_fault_of_selection(const graph& g, node_id id) {
    const node &n = g.nodes[id], &x = g.nodes[g.arg(id, 0)];
    if (x.shape.empty() || n.shape.size() != x.shape.size()) return "wrong shape of a selection";
    for (int i = 0; i + 1 < n.shape.size(); ++i)
        if (n.shape[i] != x.shape[i]) return "wrong shape of a selection";
    if (is_half(x.type)) return "half precision computes in float32";
    if (is_complex(x.type)) return "a selection is not defined for the type";
    if (g.call_of(id).what == routine::topk)
        return n.type == dtype::int64 && n.shape.back() <= x.shape.back() ? nullptr : "wrong result of topk";
    const node& ranks = g.nodes[g.arg(id, 1)];
    if (ranks.type != dtype::int64 || ranks.shape != dims(n.shape.back())) return "wrong ranks of order statistics";
    return n.type == x.type ? nullptr : "wrong result type";
}

SINTER_INLINE const char* find_fault_of_scatter(const graph& g, node_id id) {
    const node &n = g.nodes[id], &base = g.nodes[g.arg(id, 0)], &values = g.nodes[g.arg(id, 1)],
               &at = g.nodes[g.arg(id, 2)];
    if (base.shape != n.shape || base.type != n.type) return "result and base differ";
    if (is_half(n.type) && g.call_of(id).what != routine::scatter) return "half precision computes in float32";
    const int rank = at.shape.size();
    std::int64_t width = 1;
    for (int i = rank; i < values.shape.size(); ++i) width *= values.shape[i];
    if (values.shape.size() < rank || !std::equal(at.shape.begin(), at.shape.end(), values.shape.begin()))
        return "values and positions differ in shape";
    if (width == 0 || base.shape.product() % width != 0) return "the base is not made of rows as long as the values'";
    if (g.call_of(id).has(call_info::indices)) {
        if (kind_rank(at.type) != 1 || at.type == dtype::uint64) return "an index is no integer that int64 holds";
    } else if (at.type != dtype::int64) {
        return "a position is no int64";
    }
    return values.type == n.type ? nullptr : "value and base differ in type";
}

SINTER_INLINE const char* find_fault_of_count(const graph& g, node_id id) {
    const node &n = g.nodes[id], &base = g.nodes[g.arg(id, 0)], &x = g.nodes[g.arg(id, 1)];
    if (base.shape != n.shape || base.type != n.type) return "result and base differ";
    if (n.type != dtype::int64 || n.shape.size() != 1) return "counts are no int64 vector";
    if (g.call_of(id).what == routine::bincount)
        return kind_rank(x.type) < 2 && (n.shape[0] >= 2 || !g.call_of(id).has(call_info::ends))
                   ? nullptr
                   : "what is counted is no integer";
    const node& edges = g.nodes[g.arg(id, 2)];
    if (is_half(x.type) || is_complex(x.type)) return "the histogram is not defined for the type";
    return edges.type == dtype::float64 && edges.shape == dims(n.shape[0] + 1) ? nullptr : "wrong edges of bins";
}

SINTER_INLINE const char* find_fault_of_linalg(const graph& g, node_id id) {
    const node &n = g.nodes[id], &base = g.nodes[g.arg(id, 0)];
    sequence<dims> shapes;
    for (node_id a : g.args(id)) shapes.push_back(g.nodes[a].shape);
    const call_info c = g.call_of(id);
    if (const char* misfit = find_misfit(c, shapes)) return misfit;
    if (real_of(base.type) != dtype::float32 && real_of(base.type) != dtype::float64)
        return "the routine is not defined for the type";
    for (node_id a : g.args(id))
        if (g.nodes[a].type != base.type && g.nodes[a].type != dtype::int32) return "operands differ in type";
    return n.type == result_type(c, base.type) && n.shape == result_shape(c, base.shape) ? nullptr
                                                                                         : "wrong result of a routine";
}

SINTER_INLINE const char* find_fault_of_fourier(const graph& g, node_id id) {
    const node &n = g.nodes[id], &base = g.nodes[g.arg(id, 0)];
    const call_info c = g.call_of(id);
    if (const char* misfit = find_misfit(c, {&base.shape, 1})) return misfit;
    const dtype part = real_of(base.type);
    if (part != dtype::float16 && part != dtype::float32 && part != dtype::float64)
        return "the transform is not defined for the type";
    if (is_complex(base.type) == (c.what == routine::rfft)) return "the transform is not defined for the type";
    return n.type == result_type(c, base.type) && n.shape == result_shape(c, base.shape)
               ? nullptr
               : "wrong result of a transform";
}

SINTER_INLINE const char* find_fault_of_factor(const graph& g, node_id id) {
    const call_info c = g.call_of(id);
    const node& n = g.nodes[id];
    if (!c.has_factor()) return nullptr;
    if (c.what != routine::matmul || c.has(call_info::bias) || c.last() != activation::none ||
        c.in() == precision::tf32x3)
        return "a product with a factor has something else";
    if (n.type != dtype::float32 && n.type != dtype::float64) return "the type has no factors";
    const node_id factor = g.arg(id, static_cast<int>(n.arg_count) - 1);
    if (!g.is_scalar_like(factor)) return "a factor is no number";
    return g.nodes[factor].type == n.type ? nullptr : "factor and product differ in type";
}

SINTER_INLINE const char* find_fault_of_contract(const graph& g, node_id id) {
    const node &n = g.nodes[id], &a = g.nodes[g.arg(id, 0)], &b = g.nodes[g.arg(id, 1)];
    if (a.type != n.type || b.type != n.type) return "operands and product differ in type";
    if (kind_rank(n.type) < 2) return "the type has no contractions";
    const precision in = g.call_of(id).in();
    if (in != precision::highest && real_of(n.type) != dtype::float32) return "the type has one precision only";
    if (in == precision::bf16 && is_complex(n.type)) return "the type has no such precision";
    const int rank = n.shape.size();
    if (a.shape.size() != b.shape.size() || a.shape.size() <= rank) return "nothing is summed over";
    for (int i = 0; i < rank; ++i)
        if (!is_repeated(n.shape[i], a.shape[i], b.shape[i])) return "operands do not fit";
    for (int i = rank; i < a.shape.size(); ++i)
        if (a.shape[i] != b.shape[i]) return "inner dimensions differ";
    return nullptr;
}

SINTER_INLINE const char* find_fault_of_call(const graph& g, node_id id) {
    const routine what = g.call_of(id).what;
    if (is_scatter(what)) return find_fault_of_scatter(g, id);
    if (is_count(what)) return find_fault_of_count(g, id);
    if (is_selection(what)) return find_fault_of_selection(g, id);
    if (is_linalg(what)) return find_fault_of_linalg(g, id);
    if (is_fourier(what)) return find_fault_of_fourier(g, id);
    if (what == routine::contract) return find_fault_of_contract(g, id);
    if (!is_product(what)) return find_fault_of_sort(g, id);
    const int first = first_matrix(what);
    const node &n = g.nodes[id], &a = g.nodes[g.arg(id, first)], &b = g.nodes[g.arg(id, first + 1)];
    if (first && (g.nodes[g.arg(id, 0)].shape != n.shape || g.nodes[g.arg(id, 0)].type != n.type))
        return "result and base differ";
    if (g.call_of(id).in() != precision::highest && real_of(n.type) != dtype::float32)
        return "the type has one precision only";
    if (a.type != n.type || b.type != n.type) return "operands and product differ in type";
    if (const char* fault = find_fault_of_factor(g, id)) return fault;
    int rank = n.shape.size();
    if (g.call_of(id).has(call_info::bias)) {
        const node& bias = g.nodes[g.arg(id, first + 2)];
        if (bias.type != n.type || bias.shape != dims(n.shape.back())) return "bias and product differ";
    }
    if (!has_call(g.call_of(id).last(), g.call_of(id).in(), n.type))
        return "the operation is not defined for the type and precision";
    if (rank < 2 || a.shape.size() != rank || b.shape.size() != rank) return "matrices of different ranks";
    for (int i = 0; i < rank - 2; ++i)
        if (!is_repeated(n.shape[i], a.shape[i], b.shape[i])) return "stacks of different shapes";
    bool fits = a.shape[rank - 1] == b.shape[rank - 2] && n.shape[rank - 2] == a.shape[rank - 2] &&
                n.shape[rank - 1] == b.shape[rank - 1];
    return fits ? nullptr : "matrices do not fit";
}

SINTER_INLINE const char* find_fault_of_invoke(const graph& g, node_id id) {
    const node& n = g.nodes[id];
    const component& c = g.invoked[n.payload];
    if (c.which >= c.of->results.size()) return "the function has fewer results";
    for (int i = 0; i < static_cast<int>(n.arg_count); ++i) {
        node_id a = g.arg(id, i);
        if (c.of->is_whole(static_cast<std::size_t>(i))) {
            if (g.nodes[a].shape.size() != c.of->ranks[static_cast<std::size_t>(i)])
                return "a whole array has another rank";
        } else if (!g.is_scalar_like(a) && g.nodes[a].shape != n.shape) return "an argument has another shape";
        if (g.nodes[a].type != c.of->parameters[static_cast<std::size_t>(i)]) return "an argument has another type";
    }
    return c.of->results[c.which] == n.type ? nullptr : "wrong result type";
}

// The reason why a node is malformed, or nullptr.
SINTER_INLINE const char* find_fault(const graph& g, node_id id) {
    const node& n = g.nodes[id];
    if (n.kind > node_kind::invoke) return "unknown kind of node";
    if (static_cast<int>(n.type) >= dtype_count) return "unknown type";
    if (n.kind == node_kind::apply && n.operation >= op::count_) return "unknown operation";
    if (!has_payload(g, n)) return "the payload is missing";
    if (std::uint64_t{n.first_arg} + n.arg_count > g.edges.size()) return "arguments are missing";
    for (node_id a : g.args(id))
        if (a >= id) return "an argument comes after its user";
    if (n.arg_count != needed_arguments(g, n)) return "wrong number of arguments";
    switch (n.kind) {
        case node_kind::scalar:
        case node_kind::literal:
            if (!n.shape.empty()) return "a scalar has axes";
            return (n.kind == node_kind::scalar ? g.scalars : g.literals)[n.payload].type == n.type
                       ? nullptr
                       : "a scalar's value has another type";
        case node_kind::index: return n.type == dtype::int64 ? nullptr : "an index array is not int64";
        case node_kind::apply: return find_fault_of_apply(g, id);
        case node_kind::view: return find_fault_of_view(g, id);
        case node_kind::update: return find_fault_of_update(g, id);
        case node_kind::reduce: return find_fault_of_reduce(g, id);
        case node_kind::scan: return find_fault_of_scan(g, id);
        case node_kind::select: return find_fault_of_select(g, id);
        case node_kind::gather: return find_fault_of_gather(g, id);
        case node_kind::call: return find_fault_of_call(g, id);
        case node_kind::invoke: return find_fault_of_invoke(g, id);
        default: return nullptr;
    }
}

// A malformed node, as far as it can be printed without reading what is missing.
SINTER_INLINE std::string faulty_text(const graph& g, node_id id) {
    const node& n = g.nodes[id];
    bool is_readable = n.kind <= node_kind::invoke && static_cast<int>(n.type) < dtype_count &&
                       (n.kind != node_kind::apply || n.operation < op::count_) && has_payload(g, n) &&
                       ((n.kind != node_kind::reduce && n.kind != node_kind::scan) ||
                        g.reduce_infos[n.payload].how < reduction::count_) &&
                       std::uint64_t{n.first_arg} + n.arg_count <= g.edges.size();
    return is_readable ? to_text(g, id) : "%" + std::to_string(id);
}

SINTER_INLINE void verify(const graph& g) {
    for (node_id id = 0; id < g.nodes.size(); ++id)
        if (const char* fault = find_fault(g, id))
            throw internal_error(joined({"[verify] ", fault, ": ", faulty_text(g, id)}));
    for (node_id r : g.roots)
        if (r >= g.nodes.size()) throw internal_error(joined({"[verify] a root does not exist: %", r}));
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_IEEE_END

SINTER_COLD_END
