// Loops that were traced: what a turn reads as in a kernel, and the interpreter over elements that stop at different
// turns.
#include <doctest/doctest.h>

#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/interpret/loop.hpp>

#include <string>

using namespace sinter;
using namespace sinter::codegen;

namespace {

// a, b = b, a + b while a < limit
loop fibonacci(dtype type) {
    loop l;
    l.inputs = {type, type, type};
    l.states = 2;
    graph& g = l.turn;
    node_id in[3];
    for (std::uint32_t s = 0; s < 3; ++s) in[s] = g.add_input(s, type, {});
    const node_id compared[] = {in[0], in[2]}, added[] = {in[0], in[1]};
    g.roots = {g.add_apply(op::less, compared, {}), in[1], g.add_apply(op::add, added, {})};
    verify(g);
    return l;
}

}  // namespace

TEST_CASE("a traced loop is a function that computes all of the next state before it changes any") {
    const definition f = function_of(fibonacci(dtype::float32), "grow");
    CHECK(f.text ==
          "(float x0, float x1, float x2) {while (x0 < x2) {const float next0 = x1;const float next1 = x0 + x1;x0 = "
          "next0;x1 = next1;}"
          " return std::tuple<float, float>(x0, x1);}");
    CHECK(f.resolved);
    CHECK(f.cost >= expensive_function);
    const std::string wrapped = function_of(fibonacci(dtype::int32), "grow").text;
    CHECK(wrapped.find("(int)((unsigned int)x0 + (unsigned int)x1)") != std::string::npos);
}

TEST_CASE("what condition and next state share is computed once") {
    loop l = fibonacci(dtype::float32);
    graph& g = l.turn;
    const node_id sum = g.roots[2], limit = g.add_input(2, dtype::float32, {}), compared[] = {sum, limit};
    g.roots[0] = g.add_apply(op::less, compared, {});
    const std::string text = function_of(l, "grow").text;
    CHECK(text.find("while (true) {const float t") != std::string::npos);
    CHECK(text.find(" = x0 + x1;if (!(t") != std::string::npos);
    CHECK(text.find("x0 + x1", text.find("x0 + x1") + 1) == std::string::npos);
}

TEST_CASE("the interpreter lets each element stop for itself") {
    const loop l = fibonacci(dtype::int32);
    const int a = 0, b = 1, limits[] = {0, 1, 100, 22, 2};
    const void* const args[] = {&a, &b, limits};
    const std::int64_t steps[] = {0, 0, sizeof(int)};
    int first[5], second[5];
    interpret_loop(l, 0, args, steps, first, 5);
    interpret_loop(l, 1, args, steps, second, 5);
    const int expected[] = {0, 1, 144, 34, 2}, next[] = {1, 1, 233, 55, 3};
    for (int i = 0; i < 5; ++i) {
        CHECK(first[i] == expected[i]);
        CHECK(second[i] == next[i]);
    }
    interpret_loop(l, 0, args, steps, first, 0);
}

TEST_CASE("an operation that functions do not have is named") {
    loop l;
    l.inputs = {dtype::uint64};
    l.states = 1;
    graph& g = l.turn;
    const node_id x = g.add_input(0, dtype::uint64, {}), three[] = {x, x, x},
                  compared[] = {x, g.add_literal(scalar_value::of(std::uint64_t{5}))};
    g.roots = {g.add_apply(op::less, compared, {}), g.add_cast(g.add_apply(op::philox_64, three, {}), dtype::uint64)};
    CHECK_THROWS_WITH_AS(function_of(l, "draw"),
                         "[draw] a loop over elements does not have philox_64: compute it before the loop", type_error);
}
