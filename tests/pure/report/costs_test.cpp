// Counted arithmetic, advice and drawings of plans.
#include <doctest/doctest.h>

#include <map>
#include <set>
#include <span>
#include <sinter/codegen/report/costs.hpp>
#include <sinter/codegen/report/dot.hpp>
#include <sinter/codegen/report/hints.hpp>
#include <sinter/codegen/fuse/fuse.hpp>

using namespace sinter;
using namespace sinter::codegen;

namespace {

node_id apply_to(graph& g, op o, std::initializer_list<node_id> args, const dims& shape) {
    return g.add_apply(o, std::span<const node_id>(args.begin(), args.size()), shape);
}

plan plan_of(graph& g, std::initializer_list<node_id> roots) {
    g.roots = roots;
    verify(g);
    return fuse(g, {false, false, false, false});
}

std::string all_hints(graph& g, std::initializer_list<node_id> roots) {
    std::string s;
    const plan p = plan_of(g, roots);
    for (const std::string& h : hints_of(g, p)) s += h + "\n";
    return s;
}

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Every edge of a drawing joins nodes that it declares, once; what is declared, by name.
std::set<std::string> checked_nodes(const std::string& dot) {
    std::set<std::string> declared, used;
    int depth = 0;
    for (std::size_t at = 0; at < dot.size();) {
        const std::size_t end = dot.find('\n', at);
        const std::string line = dot.substr(at, end - at);
        at = end + 1;
        for (char c : line) depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        if (const std::size_t arrow = line.find(" -> "); arrow != line.npos) {
            used.insert(line.substr(0, arrow));
            used.insert(line.substr(arrow + 4, line.size() - arrow - 5));
        } else if (line.find(" [label=") != line.npos || line.find(" [shape=box3d") != line.npos) {
            CHECK(declared.insert(line.substr(0, line.find(" ["))).second);
        }
    }
    CHECK(depth == 0);
    for (const std::string& name : used) {
        CAPTURE(name);
        CHECK(declared.count(name) == 1);
    }
    return declared;
}

}  // namespace

TEST_CASE("a map counts the cost of its operations for each element") {
    graph g;
    const dims s{31, 33};
    node_id x = g.add_input(0, dtype::float32, s), y = g.add_input(1, dtype::float32, s);
    const plan p = plan_of(g, {apply_to(g, op::multiply, {apply_to(g, op::exp, {x}, s), y}, s)});
    REQUIRE(p.kernels.size() == 1);
    const arithmetic a = arithmetic_of(p.kernels[0]);
    CHECK(a.all == (info(op::exp).cost + info(op::multiply).cost) * 31 * 33);
    CHECK(a.float64 == 0);
}

TEST_CASE("float64 and complex operations are told apart and counted") {
    graph g;
    const dims s{7};
    node_id x = g.add_input(0, dtype::float64, s), z = g.add_input(1, dtype::complex128, s),
            n = g.add_input(2, dtype::int32, s);
    const plan p = plan_of(
        g, {apply_to(g, op::add, {x, x}, s), apply_to(g, op::multiply, {z, z}, s), apply_to(g, op::add, {n, n}, s)});
    REQUIRE(p.kernels.size() == 1);
    CHECK(arithmetic_of(p.kernels[0]).float64 == 7 * 5);
    CHECK(arithmetic_of(p.kernels[0]).all == 7 * 6);
}

TEST_CASE("what a reduction computes per row is counted once per row") {
    graph g;
    const dims s{10, 100};
    node_id x = g.add_input(0, dtype::float32, s);
    node_id total = g.add_reduce(reduction::sum, x, 2);
    const plan p = plan_of(g, {apply_to(g, op::exp, {total}, {10})});
    REQUIRE(p.kernels.size() == 1);
    CHECK(arithmetic_of(p.kernels[0]).all == 10 * 100 + 10 * info(op::exp).cost);
    CHECK(arithmetic_of(p.kernels[0]).float64 == 10 * 100);
}

TEST_CASE("what is the same for all elements is counted once") {
    graph g;
    const dims s{1000};
    node_id x = g.add_input(0, dtype::float32, s), total = g.add_input(1, dtype::float64, {});
    node_id root = g.add_cast(apply_to(g, op::sqrt, {total}, {}), dtype::float32);
    const plan p = plan_of(g, {apply_to(g, op::multiply, {x, g.add_broadcast(root, s)}, s)});
    REQUIRE(p.kernels.size() == 1);
    CHECK(arithmetic_of(p.kernels[0]).float64 == info(op::sqrt).cost);
    CHECK(arithmetic_of(p.kernels[0]).all == 1000 * info(op::multiply).cost + info(op::sqrt).cost + 1);
}

TEST_CASE("broadcast operands are moved once") {
    graph g;
    const dims s{50, 60};
    node_id x = g.add_input(0, dtype::float32, s), v = g.add_input(1, dtype::float32, {60});
    const plan p = plan_of(g, {apply_to(g, op::add, {x, g.add_broadcast(v, s)}, s)});
    REQUIRE(p.kernels.size() == 1);
    std::int64_t read = 0;
    for (std::size_t o = 0; o < p.kernels[0].operands.size(); ++o)
        if (!p.kernels[0].operands[o].written) read += bytes_moved(p, p.kernels[0], o);
    CHECK(read == 4 * (50 * 60 + 60));
}

TEST_CASE("what several views share is moved once") {
    graph g;
    const dims s{1000}, inner{998};
    node_id x = g.add_input(0, dtype::float32, s), sum = g.add_view(x, sliced(contiguous(s), 0, 0, 1, 998));
    for (std::int64_t first : {1, 2})
        sum = apply_to(g, op::add, {sum, g.add_view(x, sliced(contiguous(s), 0, first, 1, 998))}, inner);
    const plan p = plan_of(g, {sum});
    REQUIRE(p.kernels.size() == 1);
    CHECK(p.kernels[0].operands.size() == 4);
    std::int64_t read = 0, written = 0;
    for (std::size_t o = 0; o < 4; ++o)
        (p.kernels[0].operands[o].written ? written : read) += bytes_moved(p, p.kernels[0], o);
    CHECK(read == 4 * 1000);
    CHECK(written == 4 * 998);
}

TEST_CASE("an integer that makes a float32 program compute in float64 is named") {
    graph g;
    const dims s{100};
    node_id x = g.add_input(0, dtype::float32, s), n = g.add_input(1, dtype::int32, s),
            half = g.add_literal(scalar_value::of(0.5));
    node_id scaled = apply_to(g, op::multiply, {n, half}, s);
    const std::string h = all_hints(g, {apply_to(g, op::add, {x, g.add_cast(scaled, dtype::float32)}, s)});
    CAPTURE(h);
    CHECK(mentions(h, "float64 arithmetic in a float32 program: multiply: an operand is int32"));
}

TEST_CASE("a double that meets float32 is named, and one that was asked for is not") {
    const dims s{100};
    for (bool asked : {false, true}) {
        graph g;
        node_id x = g.add_input(0, dtype::float32, s), half = g.add_literal(scalar_value::of(0.5));
        node_id scaled = apply_to(g, op::multiply, {x, half}, s);
        const std::string h = all_hints(g, {asked ? scaled : g.add_cast(scaled, dtype::float32)});
        CAPTURE(h);
        CHECK(mentions(h, "float64 arithmetic in a float32 program: multiply: a number in it is a double") == !asked);
    }
}

TEST_CASE("a mean of float32, which is summed in float64, gets no hint") {
    graph g;
    const dims s{100};
    node_id x = g.add_input(0, dtype::float32, s), count = g.add_scalar(scalar_value::of(100.0));
    node_id total = g.add_reduce(reduction::sum, g.add_cast(x, dtype::float64), 1);
    node_id mean = g.add_cast(apply_to(g, op::divide, {total, count}, {}), dtype::float32);
    const std::string h = all_hints(g, {mean});
    CAPTURE(h);
    CHECK_FALSE(mentions(h, "float64"));
}

TEST_CASE("an input that two kernels read, and one that is read across its rows, are named") {
    graph g;
    const dims s{40, 50};
    node_id x = g.add_input(0, dtype::float32, s);
    node_id wide = g.add_view(x, {{20, 25}, {100, 2}, 0});
    const std::string h = all_hints(g, {apply_to(g, op::exp, {x}, s), apply_to(g, op::exp, {wide}, {20, 25})});
    CAPTURE(h);
    CHECK(mentions(h, "the float32 input 0 of shape (40, 50) is read by kernels 1, 2: 2000 bytes more than once"));
    CHECK(mentions(h, "kernel 2 reads float32 elements 8 bytes apart"));
    graph one;
    x = one.add_input(0, dtype::float32, s);
    CHECK(all_hints(one, {apply_to(one, op::exp, {x}, s)}).empty());
}

TEST_CASE("a cut that is no reduction's says why") {
    graph g;
    const dims s{100};
    node_id x = g.add_input(0, dtype::float32, s), i = g.add_input(1, dtype::int64, {7});
    node_id y = apply_to(g, op::exp, {x}, s);
    const node_id indices[] = {i};
    const std::string h = all_hints(g, {g.add_gather(y, indices, {1, 0})});
    CAPTURE(h);
    CHECK(mentions(h, "kernel 1 stores exp of shape (100,) for what follows: it is read at any place, by index"));
}

TEST_CASE("a drawing has a box per kernel and every edge joins what it declares") {
    graph g;
    const dims s{8, 8};
    node_id x = g.add_input(0, dtype::float32, s), half = g.add_scalar(scalar_value::of(0.5f));
    node_id scaled = apply_to(g, op::multiply, {x, half}, s);
    const node_id both[] = {scaled, x};
    node_id product = g.add_call(call_info(routine::matmul), both, dtype::float32, s);
    node_id shifted = apply_to(g, op::add, {product, g.add_view(scaled, transposed(contiguous(s), {1, 0}))}, s);
    node_id corner = g.add_view(product, {{4}, {9}, 0});
    const plan p = plan_of(g, {shifted, corner});
    const std::string dot = to_dot(g, p);
    CAPTURE(dot);
    const std::set<std::string> nodes = checked_nodes(dot);
    CHECK(p.kernels.size() == 2);
    for (std::size_t k = 0; k < p.kernels.size(); ++k)
        CHECK(mentions(dot, "subgraph cluster_" + std::to_string(k) + " {"));
    CHECK_FALSE(mentions(dot, "cluster_2"));
    CHECK(nodes.count("n" + std::to_string(x)) == 1);
    CHECK(nodes.count("c0") == 1);
    CHECK(nodes.count("k0_" + std::to_string(scaled)) == 1);
    CHECK(nodes.count("k1_" + std::to_string(shifted)) == 1);
    CHECK(nodes.count("n" + std::to_string(corner)) == 1);
    CHECK(predecessors_of(g, p, 0).empty());
    CHECK(predecessors_of(g, p, 1) == "multiply of kernel 1, matmul");
    CHECK(mentions(dot, "c0 -> n" + std::to_string(corner) + ";"));
    CHECK(mentions(dot, "k0_" + std::to_string(scaled) + " -> c0;"));
}

TEST_CASE("drawings of an update and of a selection join what they declare") {
    graph g;
    const dims s{10};
    node_id x = g.add_input(0, dtype::float32, s);
    node_id part = g.add_view(x, {{5}, {1}, 5});
    node_id updated = g.add_update(x, apply_to(g, op::exp, {part}, {5}), {{5}, {1}, 0});
    node_id mask = apply_to(g, op::greater, {updated, g.add_literal(scalar_value::of(0.0f))}, s);
    node_id picked = g.add_select(mask, updated);
    const plan p = plan_of(g, {updated, picked, g.add_count(mask)});
    const std::string dot = to_dot(g, p);
    CAPTURE(dot);
    const std::set<std::string> nodes = checked_nodes(dot);
    CHECK(nodes.count("k0_" + std::to_string(updated)) == 1);
    CHECK(nodes.count("k1_" + std::to_string(picked)) == 1);
}
