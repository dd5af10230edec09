// The text of users' scalar functions: its words, what its names mean, how kernels spell it, and what a graph checks.
#include <doctest/doctest.h>

#include "support/invocations.hpp"

#include <sinter/codegen/print/cuda/emit_cuda.hpp>
#include <sinter/codegen/print/host/emit_host.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/functions/function_names.hpp>
#include <sinter/codegen/fuse/fuse.hpp>
#include <sinter/runtime/compile/nvrtc.hpp>

#include <string>
#include <vector>

using namespace sinter;
using namespace sinter::codegen;

namespace {

definition make(definition_kind kind, const char* place, const char* name, const char* text, const char* type = "",
                const char* file = "a.cpp") {
    definition d;
    d.kind = kind;
    d.place = place;
    d.name = name;
    d.text = text;
    d.type = type;
    d.file = file;
    return d;
}

std::vector<std::string> names_of(const char* text) {
    std::vector<std::string> names;
    for (const spelt_name& n : names_in(tokens_of(text))) names.push_back(n.text);
    return names;
}

std::string lines_of(const char* text) {
    sequence<token> tokens = tokens_of(text);
    sequence<std::string> words;
    for (const token& t : tokens) words.push_back(std::string(t.text));
    return to_lines(words, tokens, 0);
}

const definition* meant_by(const definition& d, const char* name) {
    for (const reference& r : d.references)
        if (r.spelling == name) return r.to;
    return nullptr;
}

}  // namespace

TEST_CASE("text is cut into words, numbers, strings and symbols") {
    std::vector<std::string> words;
    for (const token& t : tokens_of("a->b(1.5e-3f, \"x \\\" y\", '\\'')+0x1.8p+2;"))
        words.push_back(std::string(t.text));
    CHECK(words == std::vector<std::string>{"a", "->", "b", "(", "1.5e-3f", ",", "\"x \\\" y\"", ",", "'\\''", ")", "+",
                                            "0x1.8p+2", ";"});
}

TEST_CASE("names are found with their namespaces, members and keywords are not") {
    CHECK(names_of("return ::a::b(x.y, p->z) + std::min<int>(c, 1);") ==
          std::vector<std::string>{"::a::b", "x", "p", "std::min", "c"});
    CHECK(names_of("(float x) -> polar { return {f(x)}; }") == std::vector<std::string>{"x", "polar", "f", "x"});
}

TEST_CASE("what a text declares itself is told from what it uses") {
    std::vector<std::string> declared;
    for (const std::string& s : names_declared_in(
             tokens_of("(float x, const int& n) { int a = n, b[2]; auto [c, d] = f(x * e); return a * b[0] + g; }")))
        declared.push_back(s);
    CHECK(declared == std::vector<std::string>{"x", "n", "a", "b", "c", "d"});
}

TEST_CASE("code on one line is broken after statements and indented by blocks") {
    CHECK(lines_of("(int x) -> int { if (x < 0) { x = -x; } else return 1; int t[2] = {1, 2}; for (int i = 0; i < x; "
                   "++i) x += t[0]; return x; }") ==
          "(int x) -> int {\n    if (x < 0) {\n        x = -x;\n    } else return 1;\n    int t[2] = {1, 2};\n"
          "    for (int i = 0; i < x; ++i) x += t[0];\n    return x;\n}\n");
}

TEST_CASE("shorter names that a text gives itself are spelt out up to the end of their block") {
    CHECK(without_usings("{ using a::f, b::g; return f(x) + g(y.f) + c::f(p->g); }") ==
          "{  return a::f(x) + b::g(y.f) + c::f(p->g); }");
    CHECK(without_usings("{ { using std::max; x = max(x, y); } x = max(x, y); }") ==
          "{ {  x = std::max(x, y); } x = max(x, y); }");
    CHECK(without_usings("{ namespace s = a::b; using namespace c; return s::f(x) + g(x); }") ==
          "{   return a::b::f(x) + g(x); }");
    CHECK(without_usings("{ using std::swap; { using b::swap; swap(x, y); } swap(x, y); }") ==
          "{  {  b::swap(x, y); } std::swap(x, y); }");
    CHECK(without_usings("{ using real = double; return real(x); }") == "{ using real = double; return real(x); }");
    CHECK(without_usings("{ using a::f; float f = x; return f; }") == "{  float f = x; return f; }");
}

TEST_CASE("a name that a block, a lambda or a structure declares hides a shorter name there, and nowhere else") {
    CHECK(without_usings("{ using a::f; y = f(x); { float f = 2; y *= f; } return y + f(1); }") ==
          "{  y = a::f(x); { float f = 2; y *= f; } return y + a::f(1); }");
    CHECK(without_usings("{ using a::f; auto g = [](float f) { return f; }; return g(f(x)); }") ==
          "{  auto g = [](float f) { return f; }; return g(a::f(x)); }");
    CHECK(without_usings("{ using a::f; return h([](float f) { return f; }, f(x)); }") ==
          "{  return h([](float f) { return f; }, a::f(x)); }");
    CHECK(without_usings("{ using a::first; struct pair { float first, second; } p{first(x), 1}; return p.first; }") ==
          "{  struct pair { float first, second; } p{a::first(x), 1}; return p.first; }");
    CHECK(without_usings("{ using a::i; for (int i = 0; i < n; ++i) y += i; return y + i; }") ==
          "{  for (int i = 0; i < n; ++i) y += i; return y + a::i; }");
    CHECK(without_usings("(float f) -> float { { using a::f; x = f(x); } return f; }") ==
          "(float f) -> float { {  x = a::f(x); } return f; }");
}

TEST_CASE("a shorter name that stands for another shorter name means what that one means") {
    CHECK(without_usings("{ namespace s = a::b; using s::f; return f(x); }") == "{   return a::b::f(x); }");
    CHECK(without_usings("{ namespace s = std; namespace n = s::numbers; return n::e + ::n::e; }") ==
          "{   return std::numbers::e + ::n::e; }");
}

TEST_CASE("the namespaces around a definition are read from both compilers' names") {
    CHECK(place_of("static const sinter::definition& a::b::f_sinter_function::sinter_definition()",
                   "f_sinter_function") == "a::b");
    CHECK(place_of("static const definition &a::(anonymous namespace)::f_sinter_function::sinter_definition()",
                   "f_sinter_function") == "a::{anonymous}");
    CHECK(place_of("static const int& f_sinter_function::sinter_definition()", "f_sinter_function") == "");
}

TEST_CASE("names mean the nearest definition outward, else the only one, else nothing or an error") {
    using k = definition_kind;
    definition far = make(k::constant, "", "c", "1", "int"),
               near = make(k::constant, "a::{anonymous}", "c", "2", "int"),
               other = make(k::constant, "z::y", "d", "3", "int"), twin = make(k::constant, "x", "e", "4", "int"),
               twin_2 = make(k::constant, "y", "e", "5", "int"),
               here = make(k::constant, "w", "e", "5", "int", "b.cpp");
    definition f = make(k::function, "a::b", "f", "(int x) -> int { return c + ::c + y::d + exp(x) + f(x); }");
    sequence<definition*> all{&far, &near, &other, &twin, &twin_2, &f};
    resolve(f, all);
    CHECK(meant_by(f, "c") == &near);
    CHECK(meant_by(f, "::c") == &far);
    CHECK(meant_by(f, "y::d") == &other);
    CHECK(meant_by(f, "exp") == nullptr);
    CHECK(f.cost >= expensive_function);
    definition g = make(k::function, "b", "g", "(int x) -> int { return e; }");
    CHECK_THROWS_WITH_AS(resolve(g, all), "[b::g] e could be any of: x::e, y::e", type_error);
    definition h = make(k::function, "b", "h", "(int x) -> int { return e; }", "", "b.cpp");
    all.push_back(&here);
    resolve(h, all);
    CHECK(meant_by(h, "e") == &here);
    definition local = make(k::function, "b", "local", "(int e) -> int { return e; }");
    resolve(local, all);
    CHECK(local.references.empty());
    definition unknown = make(k::function, "", "unknown", "(int x) -> int { return printf(x); }");
    CHECK_THROWS_AS(resolve(unknown, all), type_error);
    CHECK_FALSE(unknown.resolved);
}

TEST_CASE("equal text with other constants is another function") {
    using k = definition_kind;
    definition c = make(k::constant, "a", "c", "1", "int"), d = make(k::constant, "b", "c", "2", "int");
    definition f = make(k::function, "a", "f", "() { return c; }"), g = make(k::function, "b", "f", "() { return c; }");
    sequence<definition*> all{&c, &d, &f, &g};
    resolve(f, all);
    resolve(g, all);
    CHECK(f.identity != g.identity);
}

TEST_CASE("a graph with functions is printed, keyed and checked") {
    definition f = make(definition_kind::function, "", "f", "(float x, int n) -> float { return x * n; }");
    definition* all[] = {&f};
    resolve(f, all);
    invocation call = make_invocation(f, {dtype::float32, dtype::int32}, {dtype::float32}), other = call;
    other.number = 1;
    graph g;
    node_id x = g.add_input(0, dtype::float64, {2, 3}), n = g.add_scalar(scalar_value::of(4));
    node_id args[] = {x, n};
    node_id y = g.add_invoke({&call, 0}, args, {2, 3});
    CHECK(g.add_invoke({&call, 0}, args, {2, 3}) == y);
    g.roots.push_back(y);
    verify(g);
    CHECK(to_text(g).find("f(%") != std::string::npos);
    CHECK(g.nodes[g.arg(y, 0)].type == dtype::float32);
    graph h = g;
    h.invoked[0].of = &other;
    CHECK(structure_key(g) != structure_key(h));
    h.nodes[y].type = dtype::float64;
    CHECK_THROWS_AS(verify(h), internal_error);
    h = g;
    h.invoked[0].which = 1;
    CHECK_THROWS_AS(verify(h), internal_error);
}

TEST_CASE("the text of functions compiles on every architecture") {
    using k = definition_kind;
    definition s = make(k::structure, "", "pair_of", "{ float a; complex<float> b; }");
    definition c = make(k::constant, "n", "factor", "2.5f", "float");
    definition f = make(
        k::function, "n", "f",
        "(float x, int n) -> std::tuple<float, std::complex<float>, bool> { pair_of p{x, {x, 1}}; float t[2] = {1, 2}; "
        "for (int i = 0; i < n; ++i) p.b *= std::polar(t[i % 2], x); std::swap(p.a, t[0]); "
        "auto g = [&](float v) { return std::min(v, sqrtf(v)) + pow(v, 2) + std::numeric_limits<float>::max(); }; "
        "return {g(exp(x)) * factor + abs(p.b) + clip(x, 0, 1) + round(x) + gamma(x), p.b * 2.0f / conj(p.b), "
        "isnan(x)}; }");
    sequence<definition*> all{&s, &c, &f};
    resolve(f, all);
    invocation call =
        make_invocation(f, {dtype::float32, dtype::int32}, {dtype::float32, dtype::complex64, dtype::bool_});
    graph g;
    node_id args[] = {g.add_input(0, dtype::float32, {100'000}), g.add_scalar(scalar_value::of(3))};
    for (std::uint32_t i = 0; i < 3; ++i) g.roots.push_back(g.add_invoke({&call, i}, args, {100'000}));
    plan on_gpu = fuse(g, {false}), on_cpu = fuse(g, {false}, {.family = host_family});
    REQUIRE(on_gpu.kernels.size() == 1);
    REQUIRE(on_cpu.kernels.size() == 1);
    std::string text = emit_cuda(on_gpu.kernels[0]).text, host = emit_host(on_cpu.kernels[0]).text;
    CHECK(text.find("functions::f(") == text.rfind("functions::f("));
    CHECK(host.find("functions::f(") == host.rfind("functions::f("));
    CHECK(text.find("SINTER") == std::string::npos);
    std::string why;
    if (!runtime::nvrtc_available(&why)) return;
    for (auto [major, minor] : {std::pair(7, 5), std::pair(8, 0), std::pair(9, 0), std::pair(10, 0)}) {
        std::string problem;
        try {
            runtime::compile_cuda(text, major, minor);
        } catch (const compile_error& e) {
            problem = e.what();
        }
        CHECK(problem == "");
    }
}
