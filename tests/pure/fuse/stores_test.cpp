// What a plan stores so that a later kernel need not compute it again.
#include <doctest/doctest.h>

#include <algorithm>
#include <sinter/codegen/fuse/fuse.hpp>

using namespace sinter;
using namespace sinter::codegen;

namespace {

constexpr std::int64_t rows = 37;

// Turns of a loop that subtracts from a vector what a matrix makes of it, as conjugate gradients do.
struct turns {
    graph g;
    dims vector{rows}, square{rows, rows};
    node_id matrix = g.add_input(0, dtype::float64, square);
    sequence<node_id> rests;

    node_id apply(op o, node_id a, node_id b, const dims& shape) {
        const node_id args[] = {a, b};
        return g.add_apply(o, args, shape);
    }
    node_id product(node_id v) {
        const layout each{square, {0, 1}};
        return g.add_reduce(reduction::sum, apply(op::multiply, matrix, g.add_view(v, each), square), 2);
    }
    explicit turns(int count) {
        node_id rest = g.add_input(1, dtype::float64, vector), direction = g.add_input(2, dtype::float64, vector);
        for (int i = 0; i < count; ++i) {
            const node_id changed = product(direction);
            const node_id length = g.add_reduce(reduction::sum, apply(op::multiply, direction, changed, vector), 1);
            const node_id each = g.add_view(length, layout{vector, {0}});
            rest = apply(op::subtract, rest, apply(op::multiply, each, changed, vector), vector);
            rests.push_back(rest);
            direction = apply(op::add, rest, direction, vector);
        }
        g.roots = {rest, direction};
        verify(g);
    }
};

bool stores(const plan& p, node_id n) {
    return std::any_of(p.stored.begin(), p.stored.end(), [&](const stored_value& s) { return s.node == n; });
}

}  // namespace

TEST_CASE("each turn of a loop stores what the next reads, rather than reading what all before it have read") {
    const turns t(5);
    const plan p = fuse(t.g, {false, false, false});
    for (node_id n : t.rests) CHECK(stores(p, n));
    std::size_t most = 0;
    for (const kernel& k : p.kernels) most = std::max(most, k.operands.size());
    CHECK(most < 9);
}

TEST_CASE("what a kernel computes and reads again itself is not stored, nor what is made of one array") {
    graph g;
    const dims s{rows};
    const node_id x = g.add_input(0, dtype::float64, s), y = g.add_input(1, dtype::float64, s);
    const auto apply = [&](op o, node_id a, node_id b) {
        const node_id args[] = {a, b};
        return g.add_apply(o, args, s);
    };
    const node_id both = apply(op::subtract, x, y);
    const node_id total = g.add_reduce(reduction::sum, apply(op::multiply, both, both), 1);
    const layout each{s, {0}};
    g.roots = {apply(op::multiply, both, g.add_view(total, each))};
    verify(g);
    CHECK(!stores(fuse(g, {false, false}), both));
}
