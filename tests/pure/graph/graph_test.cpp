// Construction, printing and checking of graphs.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <span>
#include <sinter/codegen/graph/graph.hpp>

using namespace sinter;
using namespace sinter::codegen;

namespace {

node_id apply_to(graph& g, op o, std::initializer_list<node_id> args, const dims& shape) {
    return g.add_apply(o, std::span<const node_id>(args.begin(), args.size()), shape);
}

// What verify says about a graph, without the node it names.
std::string fault_of(const graph& g) {
    try {
        verify(g);
    } catch (const internal_error& e) {
        std::string text = e.what();
        CHECK(text.rfind("[verify] ", 0) == 0);
        return text.substr(9, text.find(": ") - 9);
    }
    return "";
}

// One node of every kind; the ids are the order below.
enum : node_id { x, fraction, row, number, memory, sum, turned, total, picked, written, product };
graph one_of_each() {
    graph g;
    g.add_input(0, dtype::float32, {3, 4});
    g.add_scalar(scalar_value::of(0.5f));
    g.add_literal(scalar_value::of(2.5f));
    g.add_index({3});
    g.add_empty(dtype::float32, {3, 4});
    apply_to(g, op::add, {x, fraction}, {3, 4});
    g.add_view(sum, transposed(contiguous({3, 4}), {1, 0}));
    g.add_reduce(reduction::sum, sum, 2);
    node_id indices[] = {number};
    g.add_gather(sum, indices, {1, 0});
    g.add_update(memory, row, sliced(contiguous({3, 4}), 0, 2, -1, 2));
    node_id matrices[] = {x, turned};
    g.add_call(routine::matmul, matrices, dtype::float32, {3, 3});
    g.roots = {total, picked, written, product};
    return g;
}

}  // namespace

TEST_CASE("a graph is printed one node a line") {
    CHECK(to_text(one_of_each()) ==
          "%0 = input 0 : float32 (3, 4)\n"
          "%1 = scalar 0 : float32 ()\n"
          "%2 = literal 2.5 : float32 ()\n"
          "%3 = index : int64 (3,)\n"
          "%4 = empty : float32 (3, 4)\n"
          "%5 = add(%0, %1) : float32 (3, 4)\n"
          "%6 = view(%5) offset 0 strides (1, 4) : float32 (4, 3)\n"
          "%7 = sum(%5) axes 1 : float32 (3,)\n"
          "%8 = gather(%5, %3) axes 0 position 0 : float32 (3, 4)\n"
          "%9 = update(%4, %2) offset 8 strides (-4, 1) : float32 (3, 4)\n"
          "%10 = matmul(%0, %6) : float32 (3, 3)\n"
          "roots %7 %8 %9 %10\n");
}

TEST_CASE("literals are printed with the digits that give them back") {
    graph g;
    g.add_literal(scalar_value::of(0.1f));
    g.add_literal(scalar_value::of(0.1));
    g.add_literal(scalar_value::of(1.0 / 3));
    g.add_literal(scalar_value::of(-HUGE_VAL));
    g.add_literal(scalar_value::of(std::int8_t{-5}));
    g.add_literal(scalar_value::of(~std::uint64_t{0}));
    g.add_literal(scalar_value::of(true));
    g.add_literal(scalar_value::of(std::complex<double>(1, -2.5)));
    CHECK(
        to_text(g) ==
        "%0 = literal 0.1 : float32 ()\n%1 = literal 0.1 : float64 ()\n%2 = literal 0.33333333333333331 : float64 ()\n"
        "%3 = literal -inf : float64 ()\n%4 = literal -5 : int8 ()\n%5 = literal 18446744073709551615 : uint64 ()\n"
        "%6 = literal 1 : bool ()\n%7 = literal (1, -2.5) : complex128 ()\nroots\n");
}

TEST_CASE("equal nodes are one node") {
    graph g;
    node_id a = g.add_input(0, dtype::int32, {5}), b = g.add_input(1, dtype::int32, {5});
    CHECK(apply_to(g, op::add, {a, b}, {5}) == apply_to(g, op::add, {a, b}, {5}));
    CHECK(apply_to(g, op::add, {a, b}, {5}) != apply_to(g, op::add, {b, a}, {5}));
    CHECK(g.add_literal(scalar_value::of(1)) == g.add_literal(scalar_value::of(1)));
    CHECK(g.add_literal(scalar_value::of(0.0)) != g.add_literal(scalar_value::of(-0.0)));
    CHECK(g.add_scalar(scalar_value::of(1)) != g.add_scalar(scalar_value::of(1)));
    CHECK(g.add_empty(dtype::int32, {5}) != g.add_empty(dtype::int32, {5}));
    CHECK(g.add_view(a, contiguous({5})) == a);
    verify(g);
}

TEST_CASE("operands are converted and broadcast") {
    graph g;
    node_id a = g.add_input(0, dtype::int32, {2, 1}), b = g.add_input(1, dtype::float32, {3});
    node_id r = apply_to(g, op::divide, {a, b}, {2, 3});
    g.roots = {r};
    verify(g);
    CHECK(g.nodes[r].type == dtype::float64);
    CHECK(to_text(g) ==
          "%0 = input 0 : int32 (2, 1)\n%1 = input 1 : float32 (3,)\n%2 = cast(%0) : float64 (2, 1)\n"
          "%3 = view(%2) offset 0 strides (1, 0) : float64 (2, 3)\n%4 = cast(%1) : float64 (3,)\n"
          "%5 = view(%4) offset 0 strides (0, 1) : float64 (2, 3)\n%6 = divide(%3, %5) : float64 (2, 3)\nroots %6\n");
    CHECK_THROWS_WITH_AS(apply_to(g, op::bitwise_and, {b, b}, {3}), "[bitwise_and] is not defined for float32",
                         type_error);
}

TEST_CASE("integers are summed in 64 bits and extrema keep their type") {
    CHECK(reduce_type(reduction::sum, dtype::int8) == dtype::int64);
    CHECK(reduce_type(reduction::sum, dtype::bool_) == dtype::int64);
    CHECK(reduce_type(reduction::prod, dtype::uint16) == dtype::uint64);
    CHECK(reduce_type(reduction::sum, dtype::complex64) == dtype::complex64);
    CHECK(reduce_type(reduction::max, dtype::uint8) == dtype::uint8);
    CHECK(reduce_type(reduction::argmax, dtype::float32) == dtype::int64);
    CHECK(accumulator_type(reduction::sum, dtype::float32) == dtype::float64);
    CHECK(kept_shape({2, 3, 4, 5}, 0b0101) == dims{3, 5});
}

TEST_CASE("a graph with a node of every kind has no fault") { CHECK(fault_of(one_of_each()) == ""); }

TEST_CASE("verify names every planted fault") {
    struct planted {
        const char* fault;
        std::function<void(graph&)> plant;
    };
    auto type = [](node_id n, dtype t) { return [=](graph& g) { g.nodes[n].type = t; }; };
    auto shape = [](node_id n, dims s) { return [=](graph& g) { g.nodes[n].shape = s; }; };
    auto arg = [](node_id n, int i, node_id a) {
        return [=](graph& g) { g.edges[g.nodes[n].first_arg + static_cast<unsigned>(i)] = a; };
    };
    auto payload = [](node_id n) { return [=](graph& g) { g.nodes[n].payload = 77; }; };
    const planted list[] = {
        {"unknown kind of node", [](graph& g) { g.nodes[x].kind = static_cast<node_kind>(99); }},
        {"unknown type", type(x, static_cast<dtype>(99))},
        {"unknown operation", [](graph& g) { g.nodes[sum].operation = static_cast<op>(250); }},
        {"the payload is missing", payload(fraction)},
        {"the payload is missing", payload(row)},
        {"the payload is missing", payload(turned)},
        {"the payload is missing", payload(total)},
        {"the payload is missing", payload(picked)},
        {"the payload is missing", payload(written)},
        {"the payload is missing", payload(product)},
        {"arguments are missing", [](graph& g) { g.nodes[sum].first_arg = 1000; }},
        {"an argument comes after its user", arg(sum, 0, total)},
        {"an argument comes after its user", arg(sum, 0, sum)},
        {"wrong number of arguments", [](graph& g) { g.nodes[sum].arg_count = 1; }},
        {"wrong number of arguments", [](graph& g) { g.nodes[total].arg_count = 0; }},
        {"wrong number of arguments", [](graph& g) { g.gather_infos[0].axes = 3; }},
        {"a scalar has axes", shape(fraction, {1})},
        {"a scalar's value has another type", type(row, dtype::float64)},
        {"an index array is not int64", type(number, dtype::int32)},
        {"an argument has another shape", shape(sum, {4, 3})},
        {"an argument has another shape", arg(sum, 1, number)},
        {"an argument has another type",
         [](graph& g) {
             g.nodes[fraction].type = dtype::int32;
             g.scalars[0].type = dtype::int32;
         }},
        {"the operation is not defined for the type", [](graph& g) { g.nodes[sum].operation = op::bitwise_or; }},
        {"wrong result type", type(sum, dtype::float64)},
        {"layout and shape differ", shape(turned, {3, 4})},
        {"the view changes the type", type(turned, dtype::int32)},
        {"the view reaches outside", [](graph& g) { g.layouts[0].offset = 1; }},
        {"the view reaches outside", [](graph& g) { g.layouts[0].strides[0] = -1; }},
        {"result and base differ", shape(written, {4, 3})},
        {"value and target differ in shape", arg(written, 1, x)},
        {"value and base differ in type",
         [](graph& g) {
             g.nodes[row].type = dtype::int32;
             g.literals[0].type = dtype::int32;
         }},
        {"the update reaches outside", [](graph& g) { g.layouts[1].offset = 0; }},
        {"unknown reduction", [](graph& g) { g.reduce_infos[0].how = static_cast<reduction>(99); }},
        {"a reduced axis does not exist", [](graph& g) { g.reduce_infos[0].axes = 4; }},
        {"wrong shape of a reduction", shape(total, {4})},
        {"the reduction wants bool", [](graph& g) { g.reduce_infos[0].how = reduction::any; }},
        {"wrong result type", [](graph& g) { g.reduce_infos[0].how = reduction::argmin; }},
        {"an indexed axis does not exist", [](graph& g) { g.gather_infos[0].axes = 4; }},
        {"an index is no integer", [](graph& g) { g.edges[g.nodes[picked].first_arg + 1] = x; }},
        {"the index axes stand outside the result", [](graph& g) { g.gather_infos[0].position = 2; }},
        {"wrong shape of a gather", [](graph& g) { g.gather_infos[0].axes = 2; }},
        {"wrong shape of a gather", shape(picked, {3, 4, 1})},
        {"wrong result type", type(picked, dtype::int32)},
        {"operands and product differ in type", type(product, dtype::int32)},
        {"matrices of different ranks", shape(product, {3, 3, 3})},
        {"matrices do not fit", arg(product, 1, x)},
        {"a root does not exist", [](graph& g) { g.roots.push_back(100); }},
    };
    for (const planted& p : list) {
        graph g = one_of_each();
        p.plant(g);
        CHECK(fault_of(g) == p.fault);
    }
}

TEST_CASE("verify compares the axes of stacks and the shapes of index arrays") {
    graph g;
    node_id a = g.add_input(0, dtype::float32, {2, 3, 4}), b = g.add_input(1, dtype::float32, {3, 4, 5});
    node_id matrices[] = {a, b};
    g.add_call(routine::matmul, matrices, dtype::float32, {2, 3, 5});
    CHECK(fault_of(g) == "stacks of different shapes");
    auto fault_of_contraction = [](const dims& left, const dims& right, const dims& sums, dtype type) {
        graph c;
        node_id operands[] = {c.add_input(0, dtype::float32, left), c.add_input(1, dtype::float32, right)};
        c.add_call(routine::contract, operands, type, sums);
        return fault_of(c);
    };
    CHECK(fault_of_contraction({2, 1, 4}, {1, 3, 4}, {2, 3}, dtype::float32) == "");
    CHECK(fault_of_contraction({2, 1, 4}, {1, 3, 5}, {2, 3}, dtype::float32) == "inner dimensions differ");
    CHECK(fault_of_contraction({2, 1, 4}, {2, 3, 4}, {2, 1}, dtype::float32) == "operands do not fit");
    CHECK(fault_of_contraction({2, 1}, {1, 3}, {2, 3}, dtype::float32) == "nothing is summed over");
    CHECK(fault_of_contraction({2, 1, 4}, {1, 3, 4}, {2, 3}, dtype::float64) == "operands and product differ in type");
    graph h;
    node_id base = h.add_input(0, dtype::float32, {6, 7});
    node_id indices[] = {h.add_index({3}), h.add_index({4})};
    h.add_gather(base, indices, {3, 0});
    CHECK(fault_of(h) == "index arrays differ in shape");
    graph c;
    c.add_reduce(reduction::max, c.add_input(0, dtype::complex64, {2}), 1);
    CHECK(fault_of(c) == "the reduction is not defined for the type");
}

TEST_CASE("empty views lie inside everything") {
    graph g;
    node_id a = g.add_input(0, dtype::float32, {0, 4});
    g.add_view(a, layout{{0, 4}, {4, 1}, 12});
    CHECK(fault_of(g) == "");
}

TEST_CASE("a chain of 20,000 nodes is built, checked and printed") {
    graph g;
    node_id v = g.add_input(0, dtype::float32, {3}), one = g.add_scalar(scalar_value::of(1.f));
    for (int i = 0; i < 20000; ++i) v = apply_to(g, op::add, {v, one}, {3});
    g.roots = {v};
    CHECK(g.nodes.size() == 20002);
    verify(g);
    CHECK(to_text(g).size() > 400000);
}

TEST_CASE("graphs that convert another of their numbers are others, and those with other numbers are not") {
    auto converting = [](int which, double first) {
        graph g;
        const node_id x = g.add_input(0, dtype::int32, {5});
        const node_id numbers[] = {g.add_scalar(scalar_value::of(first)), g.add_scalar(scalar_value::of(3.0))};
        g.roots = {apply_to(g, op::add, {x, g.add_cast(numbers[which], dtype::int32)}, {5})};
        return structure_key(g);
    };
    CHECK(converting(0, 2.0) != converting(1, 2.0));
    CHECK(converting(1, 2.0) == converting(1, 7.0));
}
