// Bodies of folding.hpp.
#pragma once

#include <sinter/codegen/ops/apply.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/rewrite/folding.hpp>

SINTER_COLD_BEGIN

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE bool is_exact(op o, dtype common) {
    const dtype operand = operand_type(o, info(o).typing == rule::select ? 1 : 0, common);
    if (kind_rank(operand) < 2) return true;
    if (is_floating(operand)) return info(o).cost <= 6 && o != op::rsqrt;
    switch (o) {
        case op::add:
        case op::subtract:
        case op::negative:
        case op::where:
        case op::equal:
        case op::not_equal:
        case op::isnan:
        case op::isinf:
        case op::isfinite:
        case op::real:
        case op::imag:
        case op::conj: return true;
        default: return false;
    }
}

SINTER_INLINE scalar_value applied(op o, dtype common, const scalar_value* args) {
    static constexpr std::int64_t steps[3] = {};
    scalar_value converted[3], result;
    const void* from[3];
    for (int i = 0; i < info(o).arity; ++i) {
        converted[i].type = operand_type(o, i, common);
        convert(args[i].type, converted[i].type, args[i].bytes, converted[i].bytes, 1);
        from[i] = converted[i].bytes;
    }
    result.type = result_type(o, common);
    apply(o, common, from, steps, result.bytes, 1);
    return result;
}

SINTER_INLINE node_id folded(graph& h, op o, span<const node_id> args) {
    static constexpr std::int64_t steps[3] = {};
    const void* values[3];
    dtype types[3]{};
    for (std::size_t i = 0; i < args.size(); ++i) {
        if (h.nodes[args[i]].kind != node_kind::literal) return no_node;
        values[i] = h.literals[h.nodes[args[i]].payload].bytes;
        types[i] = h.nodes[args[i]].type;
    }
    dtype common = common_type(o, types);
    if (!is_exact(o, common)) return no_node;
    scalar_value result;
    result.type = result_type(o, common);
    apply(o, common, values, steps, result.bytes, 1);
    return h.add_literal(result);
}

SINTER_INLINE double real_value(const graph& g, node_id id) {
    const node& n = g.nodes[id];
    const scalar_value& v = (n.kind == node_kind::literal ? g.literals : g.scalars)[n.payload];
    double parts[2] = {};
    convert(v.type, dtype::complex128, v.bytes, parts, 1);
    return parts[1] == 0 && ieee::fabs(parts[0]) <= 0x1p53 ? parts[0] : ieee::quiet_nan;
}

SINTER_INLINE node_id folded_or_added(graph& h, op o, span<const node_id> args, const dims& shape) {
    node_id r = folded(h, o, args);
    return r != no_node ? r : h.add_apply(o, args, shape);
}

SINTER_INLINE bool has_simpler_power(double exponent) {
    return exponent == -1 || exponent == -0.5 || exponent == 0.5 || exponent == 1 || exponent == 2 || exponent == 3 ||
           exponent == 4;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_IEEE_END

SINTER_COLD_END
