// Prints a program as C++.
#include "program.hpp"

#include <sinter/codegen/ops/apply.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>

#include "../matrix/table.hpp"
#include "functions.hpp"
#include "run.hpp"

namespace random_programs {

namespace {

std::string type_name(dtype t) {
    switch (t) {
        case dtype::bool_: return "bool";
        case dtype::float16: return "half";
        case dtype::bfloat16: return "bfloat16";
        case dtype::float32: return "float";
        case dtype::float64: return "double";
        case dtype::complex64: return "std::complex<float>";
        case dtype::complex128: return "std::complex<double>";
        default: return "std::" + std::string(to_string(t)) + "_t";
    }
}

std::string real_text(double v) {
    if (std::isnan(v)) return "NAN";
    if (std::isinf(v)) return v > 0 ? "INFINITY" : "-INFINITY";
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", v);
    return text;
}

std::string number_text(dtype type, const unsigned char* bytes) {
    if (codegen::kind_of(type) == 'u' && codegen::size_of(type) == 8) {
        std::uint64_t v;
        std::memcpy(&v, bytes, 8);
        return std::to_string(v) + "u";
    }
    if (codegen::kind_rank(type) < 2) {
        std::int64_t v;
        codegen::convert(type, dtype::int64, bytes, &v, 1);
        return std::to_string(v);
    }
    double parts[2];
    codegen::convert(type, dtype::complex128, bytes, parts, 1);
    if (codegen::is_complex(type)) return "{" + real_text(parts[0]) + ", " + real_text(parts[1]) + "}";
    return real_text(parts[0]);
}

std::string shape_text(const dims& d) {
    std::string s = "{";
    for (std::int64_t n : d) s += (s.size() > 1 ? ", " : "") + std::to_string(n);
    return s + "}";
}

// Below zero: a loop's turn and the parts of its state.
std::string name(int v) {
    if (v == -1) return "turn";
    return v < 0 ? "s" + std::to_string(-2 - v) : "v" + std::to_string(v);
}

std::string items_text(const std::vector<item>& items) {
    std::string s = "(";
    for (const item& i : items) {
        if (s.size() > 1) s += ", ";
        auto bound = [&](int k) { return i.given[k] ? std::to_string(i.value[k]) : std::string("none"); };
        switch (i.kind) {
            case item::what::number: s += std::to_string(i.value[0]); break;
            case item::what::newaxis: s += "newaxis"; break;
            case item::what::ellipsis: s += "ellipsis"; break;
            case item::what::indices: s += name(i.variable); break;
            case item::what::range:
                s += !i.given[0] && !i.given[1] && !i.given[2]
                         ? "all"
                         : "slice(" + bound(0) + ", " + bound(1) + (i.given[2] ? ", " + bound(2) : "") + ")";
        }
    }
    return s + ")";
}

std::string scalar_text(const token& t) {
    return type_name(t.type) + "(" + number_text(t.type, number_of(t).bytes) + ")";
}

std::string expression_text(const std::vector<token>& tokens) {
    std::vector<std::string> stack;
    for (const token& t : tokens) switch (t.kind) {
            case token::what::input: stack.push_back(name(t.variable)); break;
            case token::what::scalar: stack.push_back(scalar_text(t)); break;
            case token::what::cast: stack.back() = "astype<" + type_name(t.type) + ">(" + stack.back() + ")"; break;
            case token::what::apply: {
                auto n = static_cast<std::size_t>(codegen::info(t.operation).arity);
                std::string s = codegen::info(t.operation).name + std::string("(");
                for (std::size_t i = stack.size() - n; i < stack.size(); ++i)
                    s += (i > stack.size() - n ? ", " : "") + stack[i];
                stack.resize(stack.size() - n);
                stack.push_back(s + ")");
            }
        }
    return stack.empty() ? "" : stack.back();
}

std::string function_text(const statement& s) {
    const called_function& f = function_at(s.style);
    const codegen::invocation& made = f.invocation();
    std::string list;
    std::size_t parameter = f.reads_whole ? 1 : 0;
    for (const token& t : s.tokens) {
        const dtype type = made.parameters[parameter++];
        const std::string x = t.kind == token::what::scalar
                                  ? scalar_text(t)
                                  : "astype<" + type_name(type) + ">(" + name(t.variable) + ")";
        list += (list.empty() ? "" : ", ") + x;
    }
    if (f.reads_whole)
        return "map_index(dims(" + name(s.tokens[0].variable) + ".size()), " + f.name + ", reshape(" + list +
               ", {-1}))";
    const std::string call = std::string("vectorize(") + f.name + ")(" + list + ")";
    return made.is_bundle ? "std::get<" + std::to_string(s.which) + ">(" + call + ")" : call;
}

std::string made_text(const statement& s) {
    const std::string v = name(s.variables[0]);
    return "[&] { using T = std::conditional_t<std::is_same_v<value_type_t<decltype(" + v +
           ")>, float>, float, double>; " + "const array<T> x = astype<T>(" + v + "); return array<T>(astype<T>(" +
           matrix::makers(dtype::float64)[static_cast<std::size_t>(s.style)].text + ")); }()";
}

std::string loop_text(const statement& s) {
    const int count = static_cast<int>(s.bodies.size());
    std::string parameters = "auto turn", bodies, start;
    for (int i = 0; i < count; ++i) {
        parameters += ", auto " + name(-2 - i);
        bodies += (i ? ", " : "") + expression_text(s.bodies[static_cast<std::size_t>(i)]);
        start += ", " + name(s.variables[static_cast<std::size_t>(i)]);
    }
    const std::string head = "[&]([[maybe_unused]] " + parameters + ") { return ";
    const std::string turns = s.style == 1 ? "array<int>(bitwise_and(astype<int>(" + name(s.variables.back()) + "), 7))"
                                           : std::to_string(s.axis);
    std::string call;
    if (s.style == 2)
        call = "while_loop(" + head + "turn < " + turns + " && " + expression_text(s.tokens) + "; }, " + head +
               "std::tuple(turn + 1, " + bodies + "); }, 0" + start + ")";
    else
        call = "for_loop(" + turns + ", " + head + (count > 1 ? "std::tuple(" + bodies + ")" : bodies) + "; }" + start +
               ")";
    if (s.style < 2 && count == 1) return call;
    return "std::get<" + std::to_string(s.which + (s.style == 2)) + ">(" + call + ")";
}

std::string data_text(const statement& s) {
    std::int64_t n = s.shape.product();
    std::vector<unsigned char> bytes = make_data(s.type, s.shape, s.seed, s.style);
    std::string list;
    for (std::int64_t i = 0; i < n && i < 64; ++i)
        list += (i ? ", " : "") + number_text(s.type, bytes.data() + i * codegen::size_of(s.type));
    if (n > 64)
        list +=
            " /* and so on: make_data(style " + std::to_string(s.style) + ", seed " + std::to_string(s.seed) + ") */";
    return "reshape(array<" + type_name(s.type) + ">{" + list + "}, " + shape_text(s.shape) + ")";
}

std::string random_text(const statement& s) {
    std::string seed = "(random::seed(" + std::to_string(s.seed) + "u), random::";
    static constexpr const char* names[] = {"random", "standard_normal", "integers"};
    std::string range = s.style < 2 ? "" : codegen::kind_of(s.type) == 'u' ? "0, 20, " : "-9, 11, ";
    return seed + names[s.style] + "<" + type_name(s.type) + ">(" + range + shape_text(s.shape) + "))";
}

std::string axes_text(std::uint8_t axes) {
    std::string s = "{";
    for (int i = 0; i < max_rank; ++i)
        if (axes >> i & 1) s += (s.size() > 1 ? ", " : "") + std::to_string(i);
    return s + "}";
}

std::string value_text(const statement& s) {
    std::string x = s.variables.empty() ? "" : name(s.variables[0]);
    switch (s.what) {
        case kind::data: return data_text(s);
        case kind::full: return "full(" + shape_text(s.shape) + ", " + scalar_text(s.tokens[0]) + ")";
        case kind::index:
            return "astype<" + type_name(s.type) + ">(reshape(arange(dims" + shape_text(s.shape) + ".product()), " +
                   shape_text(s.shape) + "))";
        case kind::random: return random_text(s);
        case kind::expression: return expression_text(s.tokens);
        case kind::function: return function_text(s);
        case kind::made: return made_text(s);
        case kind::loop: return loop_text(s);
        case kind::cast: return "astype<" + type_name(s.type) + ">(" + x + ")";
        case kind::select:
        case kind::take: return "std::as_const(" + x + ")" + items_text(s.items);
        case kind::mask_read: return "std::as_const(" + x + ")[" + name(s.variables[1]) + "]";
        case kind::transpose: return "transpose(" + x + ", " + shape_text(s.shape) + ")";
        case kind::reshape: return "reshape(" + x + ", " + shape_text(s.shape) + ")";
        case kind::broadcast: return "broadcast_to(" + x + ", " + shape_text(s.shape) + ")";
        case kind::reduce:
            return std::string(codegen::to_string(s.how)) + "(" + x + ", " + axes_text(s.axes) +
                   (s.keepdims ? ", keepdims)" : ")");
        case kind::scan:
            return std::string(codegen::running_name(s.how)) + "(" + x + ", " + std::to_string(s.axis) + ")";
        case kind::concatenate: {
            std::string list;
            for (int v : s.variables) list += (list.empty() ? "" : ", ") + name(v);
            return "concatenate(std::tuple(" + list + "), " + std::to_string(s.axis) + ")";
        }
        case kind::matmul: return "matmul(" + x + ", " + name(s.variables[1]) + ")";
        case kind::copy_handle: return x;
        case kind::copy: return x + ".copy()";
        default: return "";
    }
}

std::string line_of(const statement& s) {
    std::string x = s.variables.empty() ? "" : name(s.variables[0]);
    auto right = [&](std::size_t k) {
        return s.variables.size() > k ? name(s.variables[k]) : scalar_text(s.tokens[0]);
    };
    // A number alone would have to fit in the array's type.
    auto assigned = [&](std::size_t k) {
        return s.variables.size() > k ? name(s.variables[k]) : "full({}, " + right(k) + ")";
    };
    switch (s.what) {
        case kind::update: return x + items_text(s.items) + " = " + assigned(1);
        case kind::compound_update: {
            std::string part = x + items_text(s.items);
            return "{ auto updated = array(" + std::string(codegen::info(s.operation).name) + "(" + part + ", " +
                   right(1) + ")); " + part + " = updated; }";
        }
        case kind::overlap_update: {
            std::string from = x + items_text(s.other_items), to = x + items_text(s.items);
            return to + " = " + from + (s.style ? " + " + to : "");
        }
        case kind::mask_update: return x + "[" + name(s.variables[1]) + "] = " + assigned(2);
        case kind::fill: return x + ".fill(" + scalar_text(s.tokens[0]) + ")";
        case kind::drop: return x + " = {}";
        case kind::read: return "(void)to_vector(" + x + ")";
        case kind::read_item: return "(void)std::as_const(" + x + ").item(/* some place */)";
        case kind::print: return "(void)repr(" + x + ")";
        case kind::eval:
        case kind::explain: {
            std::string list;
            for (int v : s.variables) list += (list.empty() ? "" : ", ") + name(v);
            return s.what == kind::eval ? "eval(" + list + ")" : "(void)explain(" + list + ")";
        }
        default: return "";
    }
}

// The text of every function that is called, each definition once.
std::string definitions_of(const program& p) {
    std::string all;
    for (const statement& s : p.statements) {
        if (s.what != kind::function) continue;
        std::string_view text = function_at(s.style).text;
        while (!text.empty()) {
            const std::string line(text.substr(0, text.find('\n') + 1));
            if (all.find(line) == std::string::npos) all += line;
            text.remove_prefix(line.size());
        }
    }
    return all.empty() ? all : all + "\n";
}

}  // namespace

std::string to_cpp(const program& p) {
    std::string text = "// program " + std::to_string(p.number) + " of seed " + std::to_string(p.seed) +
                       (p.same_backend ? ", compared on one backend\n" : "\n") +
                       "#include <sinter/sinter.hpp>\nusing namespace sinter;\n\n" + definitions_of(p) +
                       "int main() {\n";
    machine m(mode::eager, p.same_backend);
    std::vector<char> known;
    std::vector<int> again;
    for (int i = 0; i < static_cast<int>(p.statements.size()); ++i) {
        const statement& s = p.statements[static_cast<std::size_t>(i)];
        if (p.loop_times > 1 && i == p.loop_begin && p.loop_end > p.loop_begin)
            text += "    for (int i = 0; i < " + std::to_string(p.loop_times) + "; ++i) {\n";
        bool done = m.execute(s, i);
        std::string line = value_text(s);
        if (line.empty()) line = line_of(s);
        else {
            auto t = static_cast<std::size_t>(s.target);
            if (t >= known.size()) known.resize(t + 1, 0);
            if (done && !known[t])
                line = "array<" + type_name(m.variables[t].type) + "> " + name(s.target) + " = " + line;
            else line = name(s.target) + " = " + line;
            known[t] = known[t] || done;
        }
        text += (done ? "    " : "    // not applicable: ") + line + ";\n";
        if (p.loop_times > 1 && i + 1 == p.loop_end && p.loop_end > p.loop_begin) text += "    }\n";
    }
    text += p.reads_together ? "    // all live variables are evaluated together, then read from the last\n"
                             : "    // live variables are read from the last\n";
    return text + "}\n";
}

}  // namespace random_programs
