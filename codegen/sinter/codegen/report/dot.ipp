// Bodies of dot.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/report/costs.hpp>
#include <sinter/codegen/report/dot.hpp>
#include <sinter/codegen/graph/graph_text.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

/// Draws a plan: nodes of the drawing are a value in the kernel that computes it, `k0_5`, a call, `c0`, and inputs,
/// `n3`.
struct dot_writer {
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    const graph& g;
    const plan& p;
    std::string text = {};
    sequence<std::uint32_t> kernel_of = {};  ///< by node: the first kernel that computes it
    sequence<std::uint32_t> call_of = {};    ///< by node: the call that it is a result of

    static std::string quoted(std::string_view s) {
        std::string q = "\"";
        for (char c : s) {
            if (c == '"' || c == '\\') q += '\\';
            if (c == '\n') q += "\\n";
            else q += c;
        }
        return q + "\"";
    }
    static std::string name_in(std::uint32_t kernel, node_id n) {
        return std::string("k").append(std::to_string(kernel)).append("_").append(std::to_string(n));
    }

    static std::string call_name(std::uint32_t call) { return std::string("c").append(std::to_string(call)); }
    static std::string own_name(node_id n) { return std::string("n").append(std::to_string(n)); }

    std::string label(node_id n) const {
        return joined({operation_text(g, n), "\n", to_string(g.nodes[n].type), " ", to_string(g.nodes[n].shape)});
    }
    void add_node(const std::string& name, node_id n) {
        bool is_root = false;
        for (node_id r : g.roots) is_root = is_root || r == n;
        const bool is_input = g.nodes[n].kind == node_kind::input;
        text += joined({name, " [label=", quoted(label(n)), is_input ? ", style=filled, fillcolor=\"#dddddd\"" : "",
                        is_root ? ", peripheries=2" : "", g.is_scalar_like(n) ? ", shape=plaintext" : "", "];\n"});
    }

    void find_owners() {
        kernel_of.assign(g.nodes.size(), none);
        call_of.assign(g.nodes.size(), none);
        for (std::uint32_t k = 0; k < p.kernels.size(); ++k)
            for (node_id n : p.kernels[k].nodes)
                if (kernel_of[n] == none) kernel_of[n] = k;
        for (std::uint32_t c = 0; c < p.calls.size(); ++c)
            for (node_id n : p.calls[c].nodes) call_of[n] = c;
    }
    /// Where a value comes from that is not computed in place: an input, a kernel, a call, through views of them; or
    /// "".
    std::string origin(node_id n) const {
        while (call_of[n] == none && kernel_of[n] == none && g.nodes[n].kind == node_kind::view) n = g.arg(n, 0);
        if (call_of[n] != none) return call_name(call_of[n]);
        if (kernel_of[n] != none) return name_in(kernel_of[n], n);
        return g.nodes[n].kind == node_kind::input ? own_name(n) : "";
    }

    void add_kernel(std::uint32_t number) {
        const kernel& k = p.kernels[number];
        text +=
            joined({"subgraph cluster_", number, " {\nlabel=",
                    quoted("kernel " + std::to_string(number + 1) + ": " + name_of(k) + " over " + to_string(k.space)),
                    ";\nstyle=\"rounded,filled\"; fillcolor=\"#eef4ff\"; color=\"#5577aa\";\n"});
        for (node_id n : k.nodes) add_node(name_in(number, n), n);
        text += "}\n";
        for (node_id n : k.nodes)
            for (node_id a : g.args(n)) {
                std::string from = computes(k, a) ? name_in(number, a) : origin(a);
                if (!from.empty()) text += joined({from, " -> ", name_in(number, n), ";\n"});
            }
    }
    void add_call(std::uint32_t number) {
        const library_call& c = p.calls[number];
        bool is_root = false;
        for (node_id r : g.roots)
            for (node_id n : c.nodes) is_root = is_root || r == n;
        const std::string name = call_name(number);
        text += joined({name, " [shape=box3d, style=filled, fillcolor=\"#fff2dd\", label=",
                        quoted(to_string(c.call) + "\nto " + to_string(c.shape)), is_root ? ", peripheries=2" : "",
                        "];\n"});
        for (node_id a : g.args(c.nodes[0]))
            if (std::string from = origin(a); !from.empty()) text += joined({from, " -> ", name, ";\n"});
    }
    // Views of memory that are asked for are computed by nobody.
    void add_root(node_id n) {
        if (g.nodes[n].kind != node_kind::view || kernel_of[n] != none || call_of[n] != none) return;
        add_node(own_name(n), n);
        if (std::string from = origin(n); !from.empty()) text += joined({from, " -> ", own_name(n), ";\n"});
    }

    std::string write() {
        find_owners();
        text =
            "digraph sinter {\nnode [shape=box, fontname=\"sans-serif\", fontsize=10];\nfontname=\"sans-serif\"; "
            "fontsize=11;\n";
        for (node_id n = 0; n < g.nodes.size(); ++n)
            if (g.nodes[n].kind == node_kind::input) add_node(own_name(n), n);
        for (std::uint32_t k = 0; k < p.kernels.size(); ++k) add_kernel(k);
        for (std::uint32_t c = 0; c < p.calls.size(); ++c) add_call(c);
        for (std::size_t r = 0; r < g.roots.size(); ++r) {
            bool again = false;
            for (std::size_t e = 0; e < r; ++e) again = again || g.roots[e] == g.roots[r];
            if (!again) add_root(g.roots[r]);
        }
        return text + "}\n";
    }
};

SINTER_INLINE std::string to_dot(const graph& g, const plan& p) { return dot_writer{.g = g, .p = p}.write(); }

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
