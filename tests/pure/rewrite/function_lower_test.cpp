// Which functions become operations, and which: what C++ and graphs may compute differently stays text.
#include <doctest/doctest.h>

#include "support/invocations.hpp"

#include <sinter/codegen/rewrite/function_lower.hpp>
#include <sinter/codegen/fuse/fuse.hpp>
#include <sinter/codegen/rewrite/simplify.hpp>

#include <string>
#include <utility>
#include <vector>

using namespace sinter;
using namespace sinter::codegen;

namespace {

definition make(definition_kind kind, const char* name, const char* text, const char* type = "") {
    definition d;
    d.kind = kind;
    d.name = name;
    d.text = text;
    d.type = type;
    return d;
}

// What other texts refer to.
struct neighbours {
    definition constant = make(definition_kind::constant, "third", "0.333f", "float"),
               wide = make(definition_kind::constant, "wide", "0.1", "double"),
               helper =
                   make(definition_kind::function, "helper", "(float a, int b) -> float { return a / b - third; }"),
               pairing = make(definition_kind::function, "pairing",
                              "(float a, float b) -> std::tuple<float, float> { return {a + b, a * 2}; }"),
               pointing = make(definition_kind::function, "pointing",
                               "(float a, float b) -> float_pair { return {a + b, a * 2}; }"),
               looping =
                   make(definition_kind::function, "looping", "(float a) -> float { while (a > 1) a /= 2; return a; }");
    definition pair = make(definition_kind::structure, "float_pair", "{ float first = 0.5f, second; }"),
               mixed = make(definition_kind::structure, "mixed", "{ float x; bool is_large; int n = -1; }"),
               grid = make(definition_kind::structure, "grid", "{ float x[2]; }"),
               braced = make(definition_kind::structure, "braced", "{ float x{1}, y; }"),
               nested = make(definition_kind::structure, "nested", "{ float_pair p; float x; }");
    std::optional<graph> body(const std::string& text, sequence<dtype> parameters, sequence<dtype> results) {
        definition f = make(definition_kind::function, "f", text.c_str());
        definition* all[] = {&constant, &wide,  &helper, &pairing, &pointing, &looping,
                             &pair,     &mixed, &grid,   &braced,  &nested,   &f};
        resolve(f, all);
        return body_of(make_invocation(f, std::move(parameters), std::move(results)));
    }
    // Of three floats.
    std::optional<graph> body(const std::string& statements) {
        return body("(float x, float y, float z) -> float { " + statements + " }", sequence<dtype>(3, dtype::float32),
                    {dtype::float32});
    }
    std::string text(const std::string& statements) {
        std::optional<graph> g = body(statements);
        if (!g) return "none";
        verify(*g);
        return to_text(*g);
    }
};

}  // namespace

TEST_CASE("texts that say the same become the same operations") {
    neighbours n;
    const std::vector<std::vector<std::string>> equal = {
        {"return (x + y) * z;", "const auto s = x + y; return s * z;", "float s = x; s += y; s *= z; return s;",
         "float s, t = z; { s = x + y; } return s * t;", "return static_cast<float>(x + y) * (float)z;"},
        {"return ((x + (y * z)) - y) - z;", "return x + y * z - y - z;", "y = y; return x + y * z - y - z;"},
        {"return ((x - y) < (x / z)) == ((x == y) || ((y != z) && (z > x)));",
         "return x - y < x / z == (x == y || y != z && z > x);"},
        {"return x == (y < z);", "return x == y < z;"},
        {"return x * 10;", "return x * 012;", "return x * 0xA;", "return x * 0x1.4p3f;", "return x * 1'0.0e0f;"},
        {"return x < y ? y * 3 : z;", "if (x < y) x = y; else return z; return x * 3;",
         "if (x < y) return y * 3; x = z; return x;"},
        {"return x / 3;", "return x / 3.0f;", "return x / float(3);", "int n = 3; return x / n;", "return x / 0x3;",
         "return x / +3.f;", "return x / float(1.5 * 2);"},
        {"return x < y ? y : x;", "if (x < y) return y; return x;", "if (x < y) x = y; return x;",
         "if (x < y) { return y; } else { return x; }", "float r; if (x < y) r = y; else r = x; return r;",
         "return std::max(x, y);", "return where(x < y, y, x);"},
        {"return !(x == 0 && -y <= z) ? 1 : x;", "bool b = x == 0 && -y <= z; if (!b) return true; return x;"},
        {"return x / 2 - 0.333f;", "return helper(x, 2);", "return x / 2 - third;"},
        {"return sqrt(abs(x));", "return std::sqrt(std::abs(x));", "return sqrtf(absolute(x));"},
        {"return square(x);", "return pow(x, 2);", "return std::pow(x, 2.0f);", "return powf(x, 2);"},
        {"return pow(x, 5);", "return pow(x, 5.0f);", "return std::pow(x, 5.0f);", "return powf(x, 5);",
         "int n = 5; return pow(x, n);"},
        {"return minimum(maximum(x, 0), 1);", "return clip(x, 0, 1);"},
        {"return (x + y) * (x * 2) - z;", "auto [s, d] = pairing(x, y); return s * d - z;",
         "const auto& [s, d] = pointing(x, y); return s * d - z;",
         "auto [s, d] = std::tuple(x + y, x * 2); s *= d; return s - z;",
         "auto [s, d] = float_pair{x + y, x * 2}; return s * d - z;",
         "auto [s, d] = std::make_pair(x, x); s = s + y; d = d * 2; { auto [d, x] = pairing(z, y); } return s * d - "
         "z;"},
        {"return x * 0.1f;", "return x * float(wide);", "const float c = wide; return x * c;"}};
    for (const auto& texts : equal) {
        CHECK(n.text(texts[0]) != "none");
        for (const std::string& t : texts) CHECK_MESSAGE(n.text(t) == n.text(texts[0]), t);
    }
}

TEST_CASE("what C++ might compute otherwise stays text") {
    neighbours n;
    for (const char* statements : {"return 2.0 * x;",
                                   "return x + pi;",
                                   "return x * wide;",
                                   "double d = x; return d;",
                                   "return double(x);",  // double
                                   "return 1 / 2 * x;",
                                   "int i = x; return i;",
                                   "return x * (2 + 3);",
                                   "int i = 2; i += 1; return i;",  // integers
                                   "unsigned u = 2; return x * u;",
                                   "return x * 2u;",
                                   "return x * 3000000000;",
                                   "return x * 2l;",
                                   "return x * 1.0L;",
                                   "for (int i = 0; i < 3; ++i) x += y; return x;",
                                   "while (x > 1) x /= 2; return x;",
                                   "return looping(x);",  // loops
                                   "float t[2] = {x, y}; return t[0];",
                                   "auto g = [](float a) { return a; }; return g(x);",
                                   "float& r = x; r = y; return x;",
                                   "switch (int(x > 0)) { case 0: return x; default: return y; }",
                                   "x = y = z; return x;",
                                   "return (x = 1, y);",
                                   "float t[2] = {x, y}; auto [a, b] = t; return a * b;",
                                   "auto p = pairing(x, y); auto [a, b] = p; return a + b;",
                                   "return std::get<0>(pairing(x, y));",
                                   "auto [a, b] = std::tuple<float, float>(x, y); return a;",
                                   "float r; if (x > 0) r = x; return r;",
                                   "if (x > 0) { if (y > 0) return z; } return x;",
                                   "static float s = 1; return s * x;",
                                   "if (x < y) x = y; else if (x > z) return z; return x;",
                                   "if (float w = x) return w; return y;",
                                   "++x; return x;",
                                   "return f(x, y, z);",
                                   "return fmaxf(x, y);",
                                   "return std::fmin(x, y);",
                                   "return std::pow(x, 2);",
                                   "return pow(x, 3);",
                                   "return pow(x, 0.5f);",
                                   "return std::pow(x, 5);",
                                   "return powf(x, -1);",  // mathematics
                                   "return pow(x, y);",
                                   "return ::sqrt(x);",
                                   "return std::fma(x, y, z);",
                                   "return ldexp(x, 2);",
                                   "return std::real(x);",
                                   "return std::numeric_limits<float>::max() * x;",
                                   "return std::max<float>(x, 1);",
                                   "return x % 2;",
                                   "return gcd(1, 2) + x;",
                                   "return x > 0 ? log(x) * exp(y) : y;",
                                   "return x > 0 && exp(x) > cos(y) ? x : y;",
                                   "if (x > 0) return x; return erfc(y);",  // dear branches
                                   "if (x > 0) y = tan(x) / cbrt(y); return y;"}) {
        CHECK_MESSAGE(n.text(statements) == "none", statements);
    }
    using t = dtype;
    CHECK_FALSE(n.body("(long x) -> long { return x; }", {t::int64}, {t::int64}));
    CHECK_FALSE(n.body("(auto x) { return x; }", {t::int8}, {t::int8}));
    CHECK_FALSE(n.body("(auto x) { return x < 3; }", {t::int64}, {t::bool_}));
    CHECK_FALSE(n.body("(float& x) -> float { return x; }", {t::float32}, {t::float32}));
    CHECK(n.body("(float const& x) -> float { return x; }", {t::float32}, {t::float32}));
    CHECK_FALSE(n.body("(float x) -> float { return x; }", {t::float64}, {t::float64}));
    CHECK_FALSE(n.body("(double x) -> float { return x; }", {t::float64}, {t::float32}));
    CHECK_FALSE(n.body("(float x) -> std::tuple<float, int> { return {x, x}; }", {t::float32}, {t::float32, t::int32}));
    CHECK(n.body("(double x) { return std::pow(x, 7) + std::pow(x, 2); }", {t::float64}, {t::float64}));
    CHECK(n.body("(auto x, const double& y) { return x < y; }", {t::float64, t::float64}, {t::bool_}));
    CHECK(n.body("(bool a, int n) { return a ? n : -1; }", {t::bool_, t::int32}, {t::int32}));
}

TEST_CASE("structures in braces are several results") {
    neighbours n;
    using t = dtype;
    auto text = [&](const std::string& function, sequence<dtype> results) {
        std::optional<graph> g = n.body("(float x, float y) " + function, {t::float32, t::float32}, std::move(results));
        return g ? to_text(*g) : "none";
    };
    const std::string pair = text("-> std::tuple<float, float> { return {x + y, x * 2}; }", {t::float32, t::float32});
    CHECK(pair != "none");
    for (const char* same :
         {"-> float_pair { return {x + y, x * 2}; }", "-> float_pair { return float_pair{x + y, x * 2}; }",
          "{ return float_pair{x + y, x * 2}; }"})
        CHECK_MESSAGE(text(same, {t::float32, t::float32}) == pair, same);
    CHECK(text("-> mixed { if (x < y) return {x, x > 3, 7}; return mixed{y, true, -7}; }",
               {t::float32, t::bool_, t::int32}) ==
          text("-> std::tuple<float, bool, int> { if (x < y) return {x, x > 3, 7}; return {y, true, -7}; }",
               {t::float32, t::bool_, t::int32}));
    for (const char* other :
         {"-> float_pair { return {x}; }", "-> float_pair { return {}; }",
          "-> float_pair { float_pair p = {x, y}; return p; }", "-> float_pair { return float_pair(x, y); }",
          "-> braced { return {x, y}; }", "{ return braced{x, y}; }"})
        CHECK_MESSAGE(text(other, {t::float32, t::float32}) == "none", other);
    CHECK(text("-> grid { return {x, y}; }", {t::float32, t::float32}) == "none");
    CHECK(text("-> nested { return {{x, y}, x}; }", {t::float32, t::float32, t::float32}) == "none");
    CHECK(text("-> mixed { return {x, y, 2}; }", {t::float32, t::bool_, t::int32}) != "none");
    CHECK(text("-> mixed { return {x, true, x}; }", {t::float32, t::bool_, t::int32}) == "none");
}

TEST_CASE("only functions that the host has and that nothing else surrounds become operations") {
    definition d = make(definition_kind::function, "f", "(float x) -> float { return x * 2; }"),
               before = make(definition_kind::preamble, "p", "");
    definition* all[] = {&d};
    resolve(d, all);
    invocation f = make_invocation(d, {dtype::float32}, {dtype::float32});
    CHECK(body_of(f));
    const auto call = std::exchange(f.call, nullptr);
    CHECK_FALSE(body_of(f));
    f.call = call;
    f.ranks = {0};
    CHECK_FALSE(body_of(f));
    f.ranks.clear();
    before.options.push_back("--fmad=true");
    d.references.push_back({"", &before});
    CHECK_FALSE(body_of(f));
}

TEST_CASE("long functions stay text, and so do those that call each other often") {
    neighbours n;
    std::string sum = "x", doubling = "float a0 = x + y;";
    for (std::size_t i = 0; i < longest_body; ++i) sum += " + " + std::to_string(i + 2) + ".5f";
    CHECK(n.body("return " + sum + ";"));
    CHECK_FALSE(n.body("return " + sum + " + y;"));
    for (int i = 0; i < 60; ++i)
        doubling += " float a" + std::to_string(i + 1) + " = a" + std::to_string(i) + " * a" + std::to_string(i) + ";";
    std::optional<graph> shared = n.body(doubling + " return a60;");
    REQUIRE(shared);
    CHECK(shared->nodes.size() == 63);

    // Each calls the one before twice: the fifth has few operations, the fortieth would be read for ever.
    std::vector<std::string> names, texts;
    for (int i = 0; i < 40; ++i) {
        const std::string before = "link" + std::to_string(i - 1);
        names.push_back("link" + std::to_string(i));
        texts.push_back(i == 0 ? "(float x) -> float { return x * x; }"
                               : "(float x) -> float { return " + before + "(x) * " + before + "(x); }");
    }
    std::vector<definition> chain;
    sequence<definition*> all;
    for (int i = 0; i < 40; ++i) chain.push_back(make(definition_kind::function, names[i].c_str(), texts[i].c_str()));
    for (definition& d : chain) all.push_back(&d);
    for (definition* d : all) resolve(*d, all);
    CHECK(body_of(make_invocation(chain[4], {dtype::float32}, {dtype::float32})));
    CHECK_FALSE(body_of(make_invocation(chain[39], {dtype::float32}, {dtype::float32})));
}

TEST_CASE("a lowered function is in a graph what is written out, of the shapes of its operands") {
    neighbours n;
    definition f = make(definition_kind::function, "f",
                        "(float x, float y) -> std::tuple<float, float> { float s = exp(y); return {x * s, s + 2}; }");
    definition* all[] = {&f};
    resolve(f, all);
    invocation call = make_invocation(f, {dtype::float32, dtype::float32}, {dtype::float32, dtype::float32});
    std::optional<graph> body = body_of(call);
    REQUIRE(body);
    call.body = &*body;
    graph g, h;
    for (graph* each : {&g, &h}) {
        each->add_input(0, dtype::float64, {5, 1});
        each->add_input(1, dtype::float32, {7});
    }
    node_id args[] = {0, 1};
    for (std::uint32_t which : {0u, 1u})
        g.roots.push_back(g.add_broadcast(g.add_invoke({&call, which}, args, {5, 7}), {5, 7}));
    node_id x = h.add_cast(0, dtype::float32), y = 1, s = h.add_apply(op::exp, {&y, 1}, {7});
    node_id product[] = {x, s};
    h.roots.push_back(h.add_apply(op::multiply, product, {5, 7}));
    node_id sum[] = {s, h.add_literal(scalar_value::of(2.0f))};
    h.roots.push_back(h.add_broadcast(h.add_apply(op::add, sum, {7}), {5, 7}));
    verify(g);
    CHECK(to_text(simplify(g)) == to_text(simplify(h)));
    // Of numbers alone, operations belong to the call's kernel.
    graph k;
    node_id numbers[] = {k.add_scalar(scalar_value::of(1.5f)), k.add_scalar(scalar_value::of(2.5f))};
    node_id r = k.add_invoke({&call, 1}, numbers, {100'000});
    CHECK(k.nodes[r].shape == dims{100'000});
    k.roots.push_back(r);
    CHECK(fuse(simplify(k), {false}).kernels.size() == 1);
}
