// Bodies of graph_text.hpp.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/ops/apply.hpp>
#include <sinter/codegen/graph/graph.hpp>
#include <sinter/codegen/graph/graph_text.hpp>
#include <sinter/codegen/ops/ieee.hpp>

SINTER_COLD_BEGIN

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE std::string to_text(const layout& l) {
    return joined({"offset ", l.offset, " strides ", to_string(l.strides)});
}

SINTER_INLINE std::string axes_text(std::uint8_t axes) {
    std::string s;
    for (int i = 0; i < max_rank; ++i)
        if (axes >> i & 1) s += (s.empty() ? "" : ", ") + std::to_string(i);
    return s;
}

// A number with the fewest of 6, 9 or 17 digits that give it back.
SINTER_INLINE std::string number_text(double v, bool is_single) {
    char text[32];
    for (int digits : {6, 9, 17}) {
        std::snprintf(text, sizeof text, "%.*g", digits, v);
        double back = std::strtod(text, nullptr);
        if (back == v || (is_single && static_cast<float>(back) == static_cast<float>(v))) break;
    }
    return text;
}

SINTER_INLINE std::string value_text(const scalar_value& v) {
    scalar_value wide;
    if (kind_of(v.type) == 'i') {
        convert(v.type, dtype::int64, v.bytes, wide.bytes, 1);
        return std::to_string(wide.as<std::int64_t>());
    }
    if (kind_rank(v.type) < 2) {
        convert(v.type, dtype::uint64, v.bytes, wide.bytes, 1);
        return std::to_string(wide.as<std::uint64_t>());
    }
    double parts[2];
    convert(v.type, dtype::complex128, v.bytes, parts, 1);
    bool is_single = real_of(v.type) != dtype::float64;
    std::string re = number_text(parts[0], is_single);
    return is_complex(v.type) ? "(" + re + ", " + number_text(parts[1], is_single) + ")" : re;
}

SINTER_INLINE std::string operation_text(const graph& g, node_id id) {
    const node& n = g.nodes[id];
    switch (n.kind) {
        case node_kind::input: return joined({"input ", n.payload});
        case node_kind::scalar: return joined({"scalar ", n.payload});
        case node_kind::literal: return "literal " + value_text(g.literals[n.payload]);
        case node_kind::index: return "index";
        case node_kind::empty: return "empty";
        case node_kind::apply: return info(n.operation).name;
        case node_kind::view: return "view";
        case node_kind::reduce: return std::string(to_string(g.reduce_infos[n.payload].how));
        case node_kind::scan: return std::string(running_name(g.reduce_infos[n.payload].how));
        case node_kind::select: return n.arg_count == 1 ? "count" : "select";
        case node_kind::gather: return "gather";
        case node_kind::update: return "update";
        case node_kind::invoke: return name_of(g.invoked[n.payload]);
        case node_kind::call: {
            call_info c = g.call_of(id);
            return to_string(c) + (c.result ? "." + std::to_string(c.result) : "");
        }
    }
    return "?";
}

SINTER_INLINE std::string to_text(const graph& g, node_id id) {
    const node& n = g.nodes[id];
    std::string s = joined({"%", id, n.fast ? " = fast " : " = ", operation_text(g, id)});
    if (n.arg_count) {
        s += "(";
        for (std::uint32_t i = 0; i < n.arg_count; ++i)
            s += (i ? ", %" : "%") + std::to_string(g.arg(id, static_cast<int>(i)));
        s += ")";
    }
    if (n.kind == node_kind::view || n.kind == node_kind::update) s += " " + to_text(g.layout_of(id));
    if (n.kind == node_kind::call && is_fourier(g.call_of(id).what))
        s += (g.call_of(id).has(call_info::inverse) ? " inverse axes " : " axes ") + axes_text(g.call_of(id).axes);
    if (n.kind == node_kind::reduce) s += " axes " + axes_text(g.reduce_infos[n.payload].axes);
    if (n.kind == node_kind::scan) s += " axis " + axes_text(g.reduce_infos[n.payload].axes);
    if (n.kind == node_kind::gather)
        s += joined(
            {" axes ", axes_text(g.gather_infos[n.payload].axes), " position ", g.gather_infos[n.payload].position});
    return joined({s, " : ", to_string(n.type), " ", to_string(n.shape)});
}

SINTER_INLINE std::string to_text(const graph& g) {
    std::string s;
    for (node_id i = 0; i < g.nodes.size(); ++i) s += to_text(g, i) + "\n";
    s += "roots";
    for (node_id r : g.roots) s += joined({" %", r});
    return s + "\n";
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_IEEE_END

SINTER_COLD_END
