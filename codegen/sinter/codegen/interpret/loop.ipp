// Bodies of loop.hpp.
#pragma once

#include <algorithm>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/functions/function_names.hpp>
#include <sinter/codegen/print/emit.hpp>
#include <sinter/codegen/print/function_text.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/interpret/interpret.hpp>
#include <sinter/codegen/interpret/loop.hpp>
#include <sinter/codegen/interpret/walk.hpp>
#include <sinter/codegen/rewrite/simplify.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

/// Writes a turn's values as C++ over named variables, each where it is first needed.
class loop_writer {
public:
    loop_writer(const loop& l, const std::string& name)
        : name_(name), l_(l), g_(l.turn), uses_(g_.nodes.size(), 0), written_(g_.nodes.size(), 0) {
        for (node_id r : g_.roots) ++uses_[r];
        const sequence<char> needed = behind(g_.roots);
        for (std::size_t n = g_.nodes.size(); n-- > 0;)
            if (needed[n])
                for (node_id a : g_.args(static_cast<node_id>(n))) ++uses_[a];
        name_deep(needed);
    }

    std::string text() {
        std::string condition = root(g_.roots[0]), head = std::move(lines_);
        lines_.clear();
        for (std::uint32_t s = 0; s < l_.states; ++s)
            if (!is_unchanged(s)) next(s);
        for (std::uint32_t s = 0; s < l_.states; ++s)
            if (!is_unchanged(s)) lines_ += joined({input(s), " = next", s, ";"});
        std::string turn = std::string(head.empty() ? "while (" : "while (true) {") + head +
                           (head.empty() ? "" : "if (!(") + condition + (head.empty() ? ") {" : ")) break;");
        return joined({"(", parameters(), ") {", turn, lines_, "} return ", result(), ";}"});
    }

    const sequence<reference>& references() const { return references_; }

private:
    static std::string cast_to(dtype t) { return joined({"(", type_text(t), ")"}); }
    // Without the parentheses around all of it.
    static std::string bare(const std::string& s) {
        int depth = 0;
        for (std::size_t i = 0; i < s.size(); ++i) {
            depth += (s[i] == '(') - (s[i] == ')');
            if (depth == 0 && i + 1 < s.size()) return s;
        }
        return s.size() > 2 && s[0] == '(' ? s.substr(1, s.size() - 2) : s;
    }
    static std::string input(std::uint32_t slot) { return std::string("x") + std::to_string(slot); }
    static std::string name(node_id n) { return std::string("t") + std::to_string(n); }

    bool is_unchanged(std::uint32_t s) const {
        const node& n = g_.nodes[g_.roots[1 + s]];
        return n.kind == node_kind::input && n.payload == s;
    }
    std::string parameters() const {
        std::string s;
        for (std::uint32_t i = 0; i < l_.inputs.size(); ++i)
            s += joined({i ? ", " : "", type_text(l_.inputs[i]), " ", input(i)});
        return s;
    }
    std::string result() const {
        if (l_.states == 1) return input(0);
        std::string types = "std::tuple<", values = ">(";
        for (std::uint32_t s = 0; s < l_.states; ++s) {
            types.append(s ? ", " : "").append(type_text(l_.inputs[s]));
            values.append(s ? ", " : "").append(input(s));
        }
        return joined({types, values, ")"});
    }
    void next(std::uint32_t s) {
        std::string v = root(g_.roots[1 + s]);
        lines_ += joined({"const ", type_text(l_.inputs[s]), " next", s, " = ", v, ";"});
    }

    // What the roots are computed from, with themselves.
    sequence<char> behind(span<const node_id> roots) const {
        sequence<char> needed(g_.nodes.size(), 0);
        for (node_id r : roots) needed[r] = 1;
        for (std::size_t n = g_.nodes.size(); n-- > 0;)
            if (needed[n])
                for (node_id a : g_.args(static_cast<node_id>(n))) needed[a] = 1;
        return needed;
    }

    // Expressions as deep as compilers nest them without complaint have a name, behind which the next begins.
    void name_deep(const sequence<char>& needed) {
        constexpr int deepest = 64;
        sequence<int> depth(g_.nodes.size(), 0);
        for (node_id n = 0; n < g_.nodes.size(); ++n) {
            for (node_id a : g_.args(n)) depth[n] = std::max(depth[n], depth[a] + 1);
            if (!needed[n] || depth[n] < deepest) continue;
            depth[n] = 0;
            uses_[n] = std::max(uses_[n], 2);
            deep_.push_back(n);
        }
    }

    std::string root(node_id n) {
        if (!deep_.empty()) {
            const sequence<char> needed = behind({&n, 1});
            for (node_id d : deep_)
                if (needed[d]) value(d);
        }
        return bare(value(n));
    }

    // A value as an operand: a name, or an expression that needs no parentheses around it.
    std::string value(node_id n) {
        const node& v = g_.nodes[n];
        if (v.kind == node_kind::input) return input(v.payload);
        if (v.kind == node_kind::literal) return literal_text(g_.literals[v.payload]);
        if (v.kind == node_kind::invoke && g_.invoked[v.payload].of->is_bundle) return component_of(n);
        if (uses_[n] < 2) return computed(n);
        if (!written_[n]) {
            std::string s = bare(computed(n));
            lines_ += joined({"const ", type_text(v.type), " ", name(n), " = ", s, ";"});
            written_[n] = 1;
        }
        return name(n);
    }

    std::string computed(node_id n) {
        const node& v = g_.nodes[n];
        if (v.kind == node_kind::invoke) return call(n);
        if (v.kind != node_kind::apply) throw internal_error("[loop] a turn is not elementwise: " + to_text(g_, n));
        sequence<std::string> args;
        for (node_id a : g_.args(n)) args.push_back(value(a));
        dtype first = g_.nodes[g_.arg(n, 0)].type;
        if (v.operation == op::cast) return joined({"(", cast_text(first, v.type, args[0]), ")"});
        // Of integers abs2 is the square that wraps.
        const bool is_square = v.operation == op::square || (v.operation == op::multiply && args[0] == args[1]);
        if (is_square && is_integer(first) && is_integer(v.type)) return joined({"abs2(", bare(args[0]), ")"});
        if (std::string s = infix(v, first, args); !s.empty()) return s;
        const op_info& o = info(v.operation);
        if (o.typing == rule::rounding && kind_rank(first) < 2) return args[0];
        if (operation_named(o.name) != v.operation)
            throw type_error(
                joined({"[", name_, "] a loop over elements does not have ", o.name, ": compute it before the loop"}));
        std::string s = o.typing == rule::count ? cast_to(v.type) : "";
        s += joined({o.name, "(", bare(args[0])});
        for (std::size_t i = 1; i < args.size(); ++i) s += ", " + bare(args[i]);
        return s + ")";
    }

    // Operations that mean in C++ what they mean for arrays.
    static std::string infix(const node& v, dtype type, const sequence<std::string>& args) {
        std::string sign;
        switch (v.operation) {
            case op::add: sign = " + "; break;
            case op::subtract: sign = " - "; break;
            case op::multiply: sign = " * "; break;
            case op::less: sign = " < "; break;
            case op::less_equal: sign = " <= "; break;
            case op::greater: sign = " > "; break;
            case op::greater_equal: sign = " >= "; break;
            case op::equal: sign = " == "; break;
            case op::not_equal: sign = " != "; break;
            case op::logical_and: sign = " && "; break;
            case op::logical_or: sign = " || "; break;
            case op::logical_not: return joined({"(!", args[0], ")"});
            default: return "";
        }
        if (is_complex(type)) return "";
        if (v.type == dtype::bool_ && type != dtype::bool_) return joined({"(", args[0], sign, args[1], ")"});
        if (type == dtype::bool_)
            return info(v.operation).typing == rule::logical ? "(" + args[0] + sign + args[1] + ")" : "";
        if (is_floating(type)) return joined({"(", args[0], sign, args[1], ")"});
        // Integers wrap.
        std::string to = type_text(type),
                    wide = kind_of(type) == 'i' && size_of(type) >= 4 ? "(unsigned " + to + ")" : "";
        return joined({"((", to, ")(", wide, args[0], sign, wide, args[1], "))"});
    }

    std::string call(node_id n) {
        const invocation& f = *g_.invoked[g_.nodes[n].payload].of;
        std::string spelling;
        for (const reference& r : references_)
            if (r.to->identity == f.function->identity) spelling = r.spelling;
        if (spelling.empty()) {
            spelling = "call" + std::to_string(references_.size());
            references_.push_back({spelling, f.function});
        }
        std::string s = spelling + "(";
        for (std::uint32_t i = 0; i < f.parameters.size(); ++i) {
            dtype t = f.parameters[i];
            std::string a = value(g_.arg(n, static_cast<int>(i)));
            bool is_long = f.is_generic && is_integer(t) && size_of(t) == 8;
            s += (i ? ", " : "") + std::string(!is_long ? "" : t == dtype::int64 ? "(long)" : "(unsigned long)") + a;
        }
        return s + ")";
    }

    // A function that returns several values is called once for all of them.
    std::string component_of(node_id n) {
        const component& c = g_.invoked[g_.nodes[n].payload];
        node_id first = 0;
        auto same = [&](node_id m) {
            return g_.nodes[m].kind == node_kind::invoke && g_.invoked[g_.nodes[m].payload].of == c.of &&
                   std::equal(g_.args(m).begin(), g_.args(m).end(), g_.args(n).begin(), g_.args(n).end());
        };
        while (!same(first)) ++first;
        if (!written_[first]) {
            std::string s = call(n);
            lines_ += joined({"const auto [", result_names(*c.of, name(first)), "] = ", s, ";"});
            written_[first] = 1;
        }
        return joined({name(first), "_", c.which});
    }

    const std::string& name_;
    const loop& l_;
    const graph& g_;
    sequence<int> uses_;
    sequence<char> written_;
    sequence<node_id> deep_;  ///< written before what they are behind
    sequence<reference> references_;
    std::string lines_;
};

SINTER_INLINE definition function_of(const loop& l, const std::string& name) {
    loop_writer w(l, name);
    definition d;
    d.name = name;
    d.text = w.text();
    d.references = w.references();
    d.identity = "sinter::" + d.name + d.text;
    d.cost = expensive_function;
    for (const reference& r : d.references) {
        d.identity += joined({r.spelling, "{", r.to->identity, "}"});
        d.cost += r.to->cost;
    }
    d.resolved = true;
    return d;
}

/// The elements of a loop that still run, one behind the other.
struct running_elements {
    sequence<std::string> inputs;      ///< bytes, by slot
    sequence<std::int64_t> positions;  ///< of the elements among all
};

// One graph for another number of elements.
SINTER_INLINE void resize(graph& g, std::int64_t count) {
    for (node_id n = 0; n < g.nodes.size(); ++n)
        if (!g.is_scalar_like(n)) g.nodes[n].shape = dims(count);
}

[[noreturn]] SINTER_INLINE void no_routine(const graph& g, node_id, const void* const*, void*) {
    throw internal_error("[loop] a routine in a loop of single elements: " + to_text(g));
}

SINTER_INLINE void compute(graph& g, const running_elements& e, const sequence<void*>& outputs) {
    sequence<const void*> inputs;
    for (const std::string& s : e.inputs) inputs.push_back(s.data());
    std::int64_t count = static_cast<std::int64_t>(e.positions.size());
    resize(g, count);
    if (count == 0) return;
    interpret(g, inputs, outputs, no_routine, {});
    for (std::size_t i = 0; i < outputs.size(); ++i)
        if (node_id r = g.roots[i]; g.is_scalar_like(r))
            copy_strided(size_of(g.nodes[r].type), outputs[i], 0, outputs[i], 1, count);
}

// Keeps the elements that go on; of those that stop the wanted part of the state is written to its place.
SINTER_INLINE void keep(running_elements& e, const sequence<dtype>& types, const std::string& goes_on,
                        std::uint32_t which, char* out) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < e.positions.size(); ++i) {
        auto size = [&](std::size_t slot) { return static_cast<std::size_t>(size_of(types[slot])); };
        if (!goes_on[i]) {
            std::memcpy(out + static_cast<std::size_t>(e.positions[i]) * size(which),
                        e.inputs[which].data() + i * size(which), size(which));
            continue;
        }
        if (kept < i)
            for (std::size_t s = 0; s < types.size(); ++s)
                std::memcpy(e.inputs[s].data() + kept * size(s), e.inputs[s].data() + i * size(s), size(s));
        e.positions[kept++] = e.positions[i];
    }
    e.positions.resize(kept);
}

SINTER_INLINE void interpret_loop(const loop& l, std::uint32_t which, span<const void* const> args,
                                  span<const std::int64_t> steps, void* out, std::int64_t count) {
    graph condition = l.turn, turn = l.turn;
    condition.roots.resize(1);
    turn.roots = sequence<node_id>();
    turn.roots.append(l.turn.roots.begin() + 1, l.turn.roots.end());
    running_elements e;
    for (std::size_t s = 0; s < args.size(); ++s) {
        std::size_t size = static_cast<std::size_t>(size_of(l.inputs[s]));
        e.inputs.push_back(std::string(static_cast<std::size_t>(count) * size, '\0'));
        for (std::int64_t i = 0; i < count; ++i)
            std::memcpy(e.inputs[s].data() + static_cast<std::size_t>(i) * size,
                        static_cast<const char*>(args[s]) + i * steps[s], size);
    }
    for (std::int64_t i = 0; i < count; ++i) e.positions.push_back(i);
    std::string goes_on(static_cast<std::size_t>(count), '\0');
    sequence<void*> state(l.states);
    while (true) {
        compute(condition, e, {goes_on.data()});
        keep(e, l.inputs, goes_on, which, static_cast<char*>(out));
        if (e.positions.empty()) return;
        for (std::uint32_t s = 0; s < l.states; ++s) state[s] = e.inputs[s].data();
        compute(turn, e, state);
    }
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_IEEE_END
