// Which members a function returns as it got them: the words that say so, and those that leave a doubt.
#include <doctest/doctest.h>

#include <sinter/codegen/functions/kept_members.hpp>

using namespace sinter::codegen;

namespace {

bool keeps_member(const std::string& text, std::size_t parameter, const char* member) {
    return returns_parameter(text, parameter) && use_of_member(text, parameter, member) != member_use::any;
}

bool keeps_v(const char* body) { return keeps_member("(state p, float dt) -> state " + std::string(body), 0, "v"); }

}  // namespace

TEST_CASE("members that are only read, or not named, are kept") {
    for (const char* body :
         {"{ return p; }", "{ p.x = p.x + dt * p.v; return p; }", "{ p.x += -p.v; p.w = exp(dt + p.v); return p; }",
          "{ if (p.v > 0 && p.n <= 3 && dt<p.v) ++p.n; return p; }", "{ float v = p.v; v = 3; p.x = v; return p; }",
          "{ if (p.v == 3) return p; p.x = p.v ? 1 : 2; return p; }", "{ q.v = 3; p.vv = 3; return p; }",
          "{ p.x = dt * float(p.v) + sqrt(p.v) + pow(p.v, 2); return p; }",
          "{ p.n = table[p.n + int(1 * p.v)]; /* p.v = 3; */ return p; }"}) {
        CAPTURE(body);
        CHECK(keeps_v(body));
    }
    CHECK(keeps_member("(float dt, const std::pair<int, float>& q, const state& p)->state{ p.x = dt; return p; }", 2,
                       "v"));
    CHECK(!keeps_member("(float dt, state p)->state{ p.x = dt; return p; }", 0, "v"));
    CHECK(!keeps_member("(state q, state p)->state{ p.x = q.x; return p; }", 0, "v"));
    CHECK(keeps_member("(state q, state p)->state{ p.x = q.x; return p; }", 1, "v"));
}

TEST_CASE("members that are written, or might be, are not kept") {
    for (const char* body : {"{ p.v = 3; return p; }",
                             "{ p . v=3; return p; }",
                             "{ p.v += 3; return p; }",
                             "{ p.n = p.v >>= 1; return p; }",
                             "{ p.v++; return p; }",
                             "{ --p.v; return p; }",
                             "{ p.x = p.v = 3; return p; }",
                             "{ p.v.real(3); return p; }",
                             "{ (p.v) = 3; return p; }",
                             "{ (dt, p.v) = 3; return p; }",
                             "{ (dt ? p.x : p.v) = 3; return p; }",
                             "{ (dt ? p.v : p.x) = 3; return p; }",
                             "{ change(p.v); return p; }",
                             "{ change(p.v, dt); return p; }",
                             "{ change(dt, p.v); return p; }",
                             "{ holder{p.v, 1}.a = 3; return p; }",
                             "{ p.v[0] = 3; return p; }",
                             "{ std::swap(p.v, p.x); return p; }",
                             "{ a.exp(p.v); return p; }",
                             "{ auto a{p.v}; return p; }"}) {
        CAPTURE(body);
        CHECK(!keeps_v(body));
    }
}

TEST_CASE("references, other names of the parameter and other results leave a doubt") {
    for (const char* body :
         {"{ float& v = p.v; v = 3; return p; }", "{ auto&& v = p.v; v = 3; return p; }", "{ change(p); return p; }",
          "{ auto f = [&] { return p; }; return p; }", "{ state q = p; return q; }", "{ state p = other; return p; }",
          "{ p = other; return p; }", "{ return {p.x, p.v}; }", "{ if (dt > 0) return other; return p; }",
          "{ auto [a, b] = p; return p; }", "{ r.p.v = 3; return p; }", "{ decltype(auto) v = (p.v); return p; }",
          "{}"}) {
        CAPTURE(body);
        CHECK(!keeps_v(body));
    }
}

TEST_CASE("members that are not named are not used, unless the whole structure goes on to others") {
    const std::string energy = "(const state& p) -> double { return p.m * p.v * p.v / 2; }";
    CHECK(use_of_member(energy, 0, "x") == member_use::unused);
    CHECK(use_of_member(energy, 0, "v") == member_use::kept);
    CHECK(!returns_parameter(energy, 0));
    CHECK(use_of_member("(state p) -> state { p.v = 1; return p; }", 0, "x") == member_use::unused);
    CHECK(use_of_member("(state p) -> double { return energy(p); }", 0, "x") == member_use::any);
    CHECK(use_of_member("(state p) -> double { state q = p; return q.x; }", 0, "x") == member_use::any);
    CHECK(use_of_member("(state p) -> double { auto& [x, v] = p; return x; }", 0, "x") == member_use::any);
}
