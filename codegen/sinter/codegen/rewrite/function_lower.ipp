// Bodies of function_lower.hpp.
#pragma once

#include <sinter/codegen/rewrite/body_reader.hpp>
#include <sinter/codegen/rewrite/body_words.hpp>
#include <sinter/codegen/rewrite/expression_reader.hpp>
#include <sinter/codegen/rewrite/function_lower.hpp>
#include <sinter/codegen/rewrite/simplify.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// Whether a body may have it at its ends; in between such types alone come of such types.
SINTER_INLINE bool is_lowered_type(dtype t) {
    return t == dtype::float32 || t == dtype::float64 || t == dtype::int32 || t == dtype::bool_;
}

SINTER_INLINE std::optional<graph> body_of(const invocation& f) {
    if (!f.call || !f.ranks.empty() || f.traced || !options_of(*f.function).empty()) return std::nullopt;
    for (dtype t : f.parameters)
        if (!is_lowered_type(t)) return std::nullopt;
    for (dtype t : f.results)
        if (!is_lowered_type(t)) return std::nullopt;
    graph g;
    sequence<node_id> arguments;
    for (std::uint32_t i = 0; i < f.parameters.size(); ++i) arguments.push_back(g.add_input(i, f.parameters[i], {}));
    try {
        std::size_t reads = 0;
        sequence<node_id> results = results_of(g, *f.function, arguments, reads);
        require_lowered(results.size() == f.results.size());
        for (std::size_t i = 0; i < results.size(); ++i) {
            node_id r = expression_reader(g, *f.function, {}, reads).converted(results[i], f.results[i]);
            // A result is memory of its own, also where it is an argument.
            g.roots.push_back(g.nodes[r].kind == node_kind::input ? g.add_apply(op::positive, {&r, 1}, {}) : r);
        }
    } catch (const not_lowered&) {
        return std::nullopt;
    }
    g = simplify(g);
    std::size_t operations = 0;
    for (const node& n : g.nodes) operations += n.kind == node_kind::apply;
    if (operations > longest_body) return std::nullopt;
    return g;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
