// Bodies of explain.hpp.
#pragma once

#include <sinter/explain.hpp>

namespace sinter::inline SINTER_ABI {

SINTER_INLINE std::string explanation::source() const {
    std::string s;
    for (const std::string& k : summary_.sources) s += (s.empty() ? "" : "\n") + k;
    return s;
}

SINTER_INLINE std::string explanation::text() const {
    auto count = [](std::int64_t n, const char* one) { return std::to_string(n) + " " + one + (n == 1 ? "" : "s"); };
    std::string s = count(summary_.kernels, "kernel");
    if (summary_.library_calls) s += ", " + count(summary_.library_calls, "library call");
    s += ": " + std::to_string(summary_.bytes_read) + " bytes read, " + std::to_string(summary_.bytes_written) +
         " bytes written" + (summary_.cached ? ", compiled before" : "") +
         (summary_.packed ? ", " + std::to_string(summary_.packed) + " in a pack\n" : "\n");
    for (const std::string& step : summary_.steps) s += "  " + step + "\n";
    return s;
}

// The lines of the program's text are the nodes; what they name in parentheses are the edges.
SINTER_INLINE std::string explanation::dot() const {
    std::string s = "digraph sinter {\n    node [shape=box];\n";
    std::string_view rest = summary_.graph;
    while (!rest.empty()) {
        std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        std::size_t equals = line.find(" = ");
        if (line.empty() || line[0] != '%' || equals == std::string_view::npos) continue;
        std::string id(line.substr(1, equals - 1));
        s += "    n" + id + " [label=\"" + std::string(line.substr(equals + 3)) + "\"];\n";
        for (std::size_t at = line.find('%', equals); at != std::string_view::npos; at = line.find('%', at + 1)) {
            std::size_t end = line.find_first_not_of("0123456789", at + 1);
            s += "    n" + std::string(line.substr(at + 1, end - at - 1)) + " -> n" + id + ";\n";
        }
    }
    return s + "}\n";
}

SINTER_INLINE std::ostream& operator<<(std::ostream& out, const explanation& e) { return out << e.text(); }

namespace detail {

SINTER_INLINE explanation explain_values(std::span<const handle> values) {
    codegen::sequence<runtime::value*> roots;
    for (const handle& h : values) roots.push_back(h.get());
    return explanation(runtime::summarize(roots));
}

}  // namespace detail
}  // namespace sinter::inline SINTER_ABI
