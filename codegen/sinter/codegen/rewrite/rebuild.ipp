// Bodies of rebuild.hpp.
#pragma once

#include <sinter/codegen/ops/apply.hpp>
#include <sinter/codegen/rewrite/rebuild.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE node_id copied(const graph& g, node_id id, graph& h, span<const node_id> args) {
    const node& n = g.nodes[id];
    switch (n.kind) {
        case node_kind::input: return h.add_input(n.payload, n.type, n.shape);
        case node_kind::scalar: return h.add_scalar(g.scalars[n.payload], g.scalar_origins[n.payload]);
        case node_kind::literal: return h.add_literal(g.literals[n.payload]);
        case node_kind::index: return h.add_index(n.shape);
        case node_kind::empty: return h.add_empty(n.type, n.shape);
        case node_kind::apply:
            return n.operation == op::cast ? h.add_cast(args[0], n.type) : h.add_apply(n.operation, args, n.shape);
        case node_kind::view: return h.add_view(args[0], g.layout_of(id));
        case node_kind::reduce:
            return h.add_reduce(g.reduce_infos[n.payload].how, args[0], g.reduce_infos[n.payload].axes);
        case node_kind::scan: return h.add_scan(g.reduce_infos[n.payload].how, args[0], g.reduce_infos[n.payload].axes);
        case node_kind::select: return args.size() == 1 ? h.add_count(args[0]) : h.add_select(args[0], args[1]);
        case node_kind::gather: return h.add_gather(args[0], args.subspan(1), g.gather_infos[n.payload]);
        case node_kind::update: return h.add_update(args[0], args[1], g.layout_of(id));
        case node_kind::invoke: return h.add_invoke(g.invoked[n.payload], args, n.shape);
        case node_kind::call: return h.add_call(g.call_of(id), args, n.type, n.shape);
    }
    throw internal_error("[simplify] unknown kind of node");
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
