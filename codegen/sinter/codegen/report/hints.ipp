// Bodies of hints.hpp: one rule after another, each of which looks at graph and plan and adds sentences.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/report/costs.hpp>
#include <sinter/codegen/report/hints.hpp>
#include <sinter/codegen/functions/function_tokens.hpp>
#include <sinter/codegen/graph/graph_text.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

/// Looks for what may be done better.
struct hint_finder {
    const graph& g;
    const plan& p;
    sequence<std::string> found = {};

    static std::string kernel_text(std::size_t k) { return joined({"kernel ", k + 1}); }
    std::string array_text(node_id n) const {
        return joined(
            {"the ", to_string(g.nodes[n].type), " ", operation_text(g, n), " of shape ", to_string(g.nodes[n].shape)});
    }
    static bool is_float32(dtype t) { return kind_rank(t) > 1 && !is_float64(t); }

    /// Whether what goes in and what is asked for is at most float32, and something is. Reductions, which stand in for
    /// what is computed from them, are no matter: those of float32 are in float64 on purpose.
    bool is_float32_program() const {
        bool any = false, wide = false;
        auto look = [&](node_id n) {
            any = any || is_float32(g.nodes[n].type);
            wide = wide || is_float64(g.nodes[n].type);
        };
        for (node_id n = 0; n < g.nodes.size(); ++n)
            if (g.nodes[n].kind == node_kind::input) look(n);
        for (node_id r : g.roots)
            if (g.nodes[r].kind != node_kind::reduce && g.nodes[r].kind != node_kind::scan) look(r);
        return any && !wide;
    }
    node_id behind_views(node_id n) const {
        while (g.nodes[n].kind == node_kind::view) n = g.arg(n, 0);
        return n;
    }
    bool is_cast(node_id n) const { return g.nodes[n].kind == node_kind::apply && g.nodes[n].operation == op::cast; }
    /// By node: whether it is computed from integers in memory; ranges of numbers are the library's own.
    sequence<char> nodes_of_integers() const {
        sequence<char> from(g.nodes.size(), 0);
        for (node_id n = 0; n < g.nodes.size(); ++n) {
            from[n] = g.nodes[n].kind == node_kind::input && kind_rank(g.nodes[n].type) < 2;
            for (node_id a : g.args(n)) from[n] = from[n] || from[a];
        }
        return from;
    }
    /// Why an operation that nobody asked to be in float64 is; empty when somebody did.
    std::string accident_of(node_id n, const sequence<char>& of_integers) const {
        bool number = false, single = false, other = false;
        node_id whole = n;
        const bool chooses = info(g.nodes[n].operation).typing == rule::select;
        for (std::uint32_t i = chooses ? 1 : 0; i < g.nodes[n].arg_count; ++i) {
            node_id a = behind_views(g.arg(n, static_cast<int>(i)));
            const node_id from = is_cast(a) ? behind_views(g.arg(a, 0)) : a;
            if (g.is_scalar_like(a)) number = true;
            else if (kind_rank(g.nodes[from].type) < 2 && of_integers[from]) whole = from;
            else if (is_cast(a) && is_float32(g.nodes[from].type)) single = true;
            else other = true;
        }
        if (whole != n && !other)
            return joined({"an operand is ", to_string(g.nodes[whole].type),
                           ", which meets numbers and other types in float64; astype<float> avoids it"});
        if (number && !other)
            return std::string(single || chooses ? "a number in it is a double, as 0.5 is; 0.5f avoids it" : "");
        return "";
    }
    bool computes_in_float64(node_id n) const {
        const node& v = g.nodes[n];
        if (v.kind != node_kind::apply || is_cast(n)) return false;
        dtype types[3]{};
        for (std::uint32_t i = 0; i < v.arg_count; ++i) types[i] = g.nodes[g.arg(n, static_cast<int>(i))].type;
        return is_float64(operand_type(v.operation, info(v.operation).typing == rule::select ? 1 : 0,
                                       common_type(v.operation, types)));
    }
    void look_for_float64() {
        if (!is_float32_program()) return;
        const sequence<char> of_integers = nodes_of_integers();
        for (node_id n = 0; n < g.nodes.size(); ++n) {
            const std::string why = computes_in_float64(n) ? accident_of(n, of_integers) : "";
            if (!why.empty())
                return found.push_back("float64 arithmetic in a float32 program: " + operation_text(g, n) + ": " + why);
        }
    }

    /// The first word in a function's text that makes C++ compute in double; "" when there is none.
    static std::string double_word(const definition& d) {
        if (d.kind == definition_kind::constant) return d.type == "double" ? d.name : "";
        const sequence<token> tokens = tokens_of(d.text);
        bool own_pi = false;
        for (const std::string& s : names_declared_in(tokens)) own_pi = own_pi || s == "pi";
        for (const token& t : tokens) {
            if (t.kind == token_kind::name && (t.text == "double" || (t.text == "pi" && !own_pi)))
                return std::string(t.text);
            if (t.kind != token_kind::number) continue;
            const bool hex = t.text.starts_with("0x") || t.text.starts_with("0X");
            const bool fraction = t.text.find_first_of(hex ? ".pP" : ".eE") != t.text.npos;
            if (fraction && !is_one_of(t.text.substr(t.text.size() - 1), {"f", "F"})) return std::string(t.text);
        }
        for (const reference& r : d.references) {
            std::string word = r.to->kind == definition_kind::preamble ? "" : double_word(*r.to);
            if (!word.empty()) return word + (r.to->kind == definition_kind::constant ? "" : " in " + r.to->name);
        }
        return "";
    }
    void look_for_float64_in_functions() {
        sequence<const invocation*> seen;
        for (node_id n = 0; n < g.nodes.size(); ++n) {
            if (g.nodes[n].kind != node_kind::invoke) continue;
            const invocation& f = g.invocation_of(n);
            bool again = f.traced || has_float64(f), any = false;
            for (const invocation* s : seen) again = again || s == &f;
            for (dtype t : f.results) any = any || is_float32(t);
            if (again || !any) continue;
            seen.push_back(&f);
            if (std::string word = double_word(*f.function); !word.empty())
                found.push_back("float64 arithmetic in a function of float32: " + f.function->name + " has " + word +
                                ", which is a double");
        }
    }

    void look_for_repeated_reads() {
        for (node_id n = 0; n < g.nodes.size(); ++n) {
            if (g.nodes[n].kind != node_kind::input || g.nodes[n].shape.product() < 2) continue;
            std::string readers;
            int count = 0;
            std::int64_t bytes = 0, most = 0;
            for (std::size_t k = 0; k < p.kernels.size(); ++k)
                for (std::size_t o = 0; o < p.kernels[k].operands.size(); ++o) {
                    const operand& of = p.kernels[k].operands[o];
                    if (of.written || p.slots[of.slot].input != static_cast<std::int32_t>(g.nodes[n].payload)) continue;
                    const std::int64_t moved = bytes_moved(p, p.kernels[k], o);
                    if (moved <= size_of(of.type)) continue;
                    readers.append(count++ ? ", " : "").append(std::to_string(k + 1));
                    bytes += moved;
                    most = std::max(most, moved);
                }
            if (count > 1)
                found.push_back(array_text(n) + " is read by kernels " + readers + ": " + std::to_string(bytes - most) +
                                " bytes more than once");
        }
    }

    /// Elements between neighbours of an access as a kernel's threads, or loops, walk over it; 0 when that is no
    /// matter.
    static std::int64_t step_of(const kernel& k, const access& a, std::size_t number) {
        if (a.operand == access::own_number || k.operands[static_cast<std::size_t>(a.operand)].written ||
            k.space.empty())
            return 0;
        if (transposed_step(k, static_cast<std::uint32_t>(number)) != 0) return 0;
        const bool columns = k.reduces() && k.tree == reduce_tree::columns && k.kept > 0;
        const int axis = columns ? k.kept - 1 : k.space.size() - 1;
        const std::int64_t step = a.at.strides[axis] < 0 ? -a.at.strides[axis] : a.at.strides[axis];
        return k.space[axis] > 1 && step > 1 ? step : 0;
    }
    void look_for_strided_reads() {
        for (std::size_t k = 0; k < p.kernels.size(); ++k)
            for (std::size_t a = 0; a < p.kernels[k].accesses.size(); ++a) {
                const access& of = p.kernels[k].accesses[a];
                const std::int64_t step = step_of(p.kernels[k], of, a);
                if (step == 0) continue;
                const operand& o = p.kernels[k].operands[static_cast<std::size_t>(of.operand)];
                found.push_back(kernel_text(k) + " reads " + std::string(to_string(o.type)) + " elements " +
                                std::to_string(step * size_of(o.type)) +
                                " bytes apart, which moves more bytes than it uses; a contiguous copy, or the other "
                                "order of axes, avoids it");
                return;
            }
    }

    bool reads(std::size_t kernel, node_id n) const {
        for (node_id own : p.kernels[kernel].nodes)
            for (node_id a : g.args(own)) {
                while (a != n && g.nodes[a].kind == node_kind::view) a = g.arg(a, 0);
                if (a == n) return true;
            }
        return false;
    }
    static const char* text_of(store_reason why) {
        switch (why) {
            case store_reason::indexed: return "it is read at any place, by index or by a function of whole arrays";
            case store_reason::across: return "tiles turn what its reduction would read across";
            case store_reason::recomputed: return "computing it again at each of its uses would cost more";
            case store_reason::options:
                return "a function with compiler options or a loop of its own has a kernel of its own";
            case store_reason::fast_math: return "what fast_math computes shares no kernel with exact arithmetic";
            case store_reason::size: return "a kernel with it would be too large";
            case store_reason::layout: return "it is read in an order in which it cannot be computed";
            default: return "";
        }
    }
    // Results of reductions, operands of library calls and what is asked for have to be stored.
    void look_for_cuts() {
        for (const stored_value& s : p.stored) {
            const std::string why = text_of(s.why);
            std::size_t by = 0;
            while (by < p.kernels.size() && !computes(p.kernels[by], s.node)) ++by;
            const bool is_small = g.nodes[s.node].shape.product() < 2;
            if (why.empty() || is_small || by == p.kernels.size()) continue;
            bool is_read = false;
            for (std::size_t k = 0; k < p.kernels.size(); ++k) is_read = is_read || (k != by && reads(k, s.node));
            if (is_read)
                found.push_back(kernel_text(by) + " stores " + operation_text(g, s.node) + " of shape " +
                                to_string(g.nodes[s.node].shape) + " for what follows: " + why);
        }
    }
    std::string predecessors(std::size_t kernel) const {
        std::string list;
        for (const stored_value& s : p.stored) {
            std::size_t by = 0;
            while (by < p.kernels.size() && !computes(p.kernels[by], s.node)) ++by;
            if (by == kernel || !reads(kernel, s.node)) continue;
            list.append(list.empty() ? "" : ", ").append(operation_text(g, s.node));
            if (by < p.kernels.size()) list.append(" of ").append(kernel_text(by));
        }
        return list;
    }

    sequence<std::string> find() {
        look_for_float64();
        look_for_float64_in_functions();
        look_for_repeated_reads();
        look_for_strided_reads();
        look_for_cuts();
        return std::move(found);
    }
};

SINTER_INLINE std::string predecessors_of(const graph& g, const plan& p, std::size_t kernel) {
    return hint_finder{.g = g, .p = p}.predecessors(kernel);
}

SINTER_INLINE sequence<std::string> hints_of(const graph& g, const plan& p) {
    return hint_finder{.g = g, .p = p}.find();
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
