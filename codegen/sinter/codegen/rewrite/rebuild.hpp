// Graphs made of the nodes of others.
#pragma once

#include <utility>
#include <sinter/codegen/base/span.hpp>
#include <sinter/codegen/graph/graph.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// A node of g added to h over arguments that h has already.
node_id copied(const graph& g, node_id id, graph& h, span<const node_id> args);

/// What the roots need, each node passed through `build`.
template <class Build>
graph rebuilt(const graph& g, Build build) {
    // A needed node has a name, 0 until it is built.
    sequence<node_id> names(g.nodes.size(), no_node), args;
    for (node_id r : g.roots) names[r] = 0;
    for (std::size_t i = g.nodes.size(); i-- > 0;)
        if (names[i] != no_node)
            for (node_id a : g.args(static_cast<node_id>(i))) names[a] = 0;
    graph h;
    for (node_id id = 0; id < g.nodes.size(); ++id) {
        if (names[id] == no_node) continue;
        args.clear();
        for (node_id a : g.args(id)) args.push_back(names[a]);
        h.adds_fast = g.nodes[id].fast;
        names[id] = build(g, id, h, args);
    }
    h.adds_fast = false;
    for (node_id r : g.roots) h.roots.push_back(names[r]);
    return h;
}

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/rewrite/rebuild.ipp>
#endif
