// The planner of distributed arrays: the table, all placements beside all classes of operations, and blocks.
#include "support/message_of.hpp"
#include <doctest/doctest.h>

#include <cstring>
#include <sinter/codegen/distributed/blocks.hpp>
#include <sinter/codegen/distributed/cyclic.hpp>
#include <sinter/codegen/distributed/rules.hpp>
#include <vector>

using namespace sinter;
using namespace sinter::distributed;
using test_messages::message_of;

TEST_CASE("parts of an axis follow each other, cover it, and are short or empty at the end") {
    for (std::int64_t n : {0, 1, 2, 5, 7, 8, 97})
        for (int ranks : {1, 2, 3, 4, 6, 8, 11}) {
            std::int64_t at = 0;
            for (int r = 0; r < ranks; ++r) {
                const range p = part_of(n, ranks, r);
                CHECK(p.begin == at);
                CHECK(p.size() >= 0);
                CHECK(p.size() <= (n + ranks - 1) / ranks);
                at = p.end;
            }
            CHECK(at == n);
        }
    CHECK(part_of(5, 4, 2) == range{4, 5});
    CHECK(part_of(5, 4, 3) == range{5, 5});
    CHECK(local_shape({7, 3}, split(0), 3, 2) == dims(1, 3));
    CHECK(local_shape({7, 3}, replicated(), 3, 2) == dims(7, 3));
}

TEST_CASE(
    "the table has an action for every class of operations and every placement, and none moves what is everywhere") {
    for (int c = 0; c < operation_classes; ++c)
        for (int k = 0; k < placement_kinds; ++k)
            for (bool along : {false, true}) {
                const auto of = static_cast<operation_class>(c);
                const auto kind = static_cast<placement_kind>(k);
                CAPTURE(to_string(of));
                const action a = rule_of(of, kind, along);
                CHECK_FALSE(to_string(a).empty());
                if (kind == placement_kind::replicated) CHECK(a == action::keep);
                if (kind == placement_kind::block_cyclic)
                    CHECK((a == action::engine) == (of == operation_class::solve));
                if (kind == placement_kind::split && !along && of != operation_class::solve) CHECK(a == action::keep);
            }
    CHECK(rule_of(operation_class::reduce, placement_kind::split, true) == action::combine);
    for (int c = 0; c < operation_classes; ++c)
        for (bool along : {false, true})
            CHECK(rule_of(static_cast<operation_class>(c), placement_kind::mesh, along) ==
                  rule_of(static_cast<operation_class>(c), placement_kind::split, along));
    CHECK(rule_of(operation_class::map, placement_kind::partial, true) == action::resolve);
    CHECK(rule_of(operation_class::add, placement_kind::partial, true) == action::keep);
}

TEST_CASE("operations on elements keep a split, cut what is everywhere and refuse two splits by name") {
    const operand_info rows{{4, 6}, split(0)}, columns{{4, 6}, split(1)}, whole{{4, 6}, replicated()};
    auto plan = [](std::vector<operand_info> o, operation_class c = operation_class::map) {
        return plan_map("add", c, o);
    };
    CHECK(plan({rows, whole}).result == split(0));
    CHECK(plan({whole, columns}).result == split(1));
    CHECK(plan({whole, whole}).result == replicated());
    CHECK(plan({{{6}, split(0)}, whole}).result == split(1));
    CHECK(plan({{{6}, split(0)}, whole}).shape == dims(4, 6));
    CHECK(message_of([&] { plan({rows, columns}); }) ==
          "[add] operands are split along axes 0 and 1 of the result: reshard one of them first");
    CHECK(message_of([&] { plan({{{1, 6}, split(0)}, whole}); }) ==
          "[add] an operand of shape (1, 6) is split along axis 0, which broadcasts: reshard it to replicated first");
    CHECK(message_of([&] { plan({{{4, 1}, mesh()}, {{4, 6}, mesh()}}); }) ==
          "[add] an operand of shape (4, 1) is split along axis 1, which broadcasts: reshard it to replicated first");
    CHECK(message_of([&] { plan({rows, {{5, 6}, replicated()}}); }).find("[add]") == 0);
    CHECK(cut_axis({6}, {4, 6}, 1) == 0);
    CHECK(cut_axis({6}, {4, 6}, 0) == -1);
    CHECK(cut_axis({1, 6}, {4, 6}, 0) == -1);
}

TEST_CASE("sums' parts are added and scaled as they are, and combined before anything else") {
    const operand_info parts{{3}, partial()}, whole{{3}, replicated()}, rows{{3}, split(0)},
        largest{{3}, partial(codegen::reduction::max)};
    auto keeps = [](operation_class c, std::vector<operand_info> o) {
        const map_plan p = plan_map("f", c, o);
        CHECK(p.resolve != (p.result == partial()));
        return !p.resolve;
    };
    CHECK(keeps(operation_class::add, {parts, parts}));
    CHECK(keeps(operation_class::add, {parts}));
    CHECK_FALSE(keeps(operation_class::add, {parts, whole}));
    CHECK_FALSE(keeps(operation_class::add, {parts, rows}));
    const operand_info factor{{}, replicated(), true, true}, integers{{3}, partial(), false};
    CHECK(keeps(operation_class::add, {integers, integers}));
    CHECK(keeps(operation_class::scale, {parts, factor}));
    CHECK(keeps(operation_class::scale, {factor, parts}));
    CHECK_FALSE(keeps(operation_class::scale, {parts, whole}));
    CHECK_FALSE(keeps(operation_class::scale, {integers, factor}));
    CHECK_FALSE(keeps(operation_class::scale, {parts, parts}));
    CHECK(keeps(operation_class::quotient, {parts, factor}));
    CHECK_FALSE(keeps(operation_class::quotient, {parts, whole}));
    CHECK_FALSE(keeps(operation_class::quotient, {factor, parts}));
    CHECK_FALSE(keeps(operation_class::quotient, {integers, factor}));
    CHECK_FALSE(keeps(operation_class::map, {parts}));
    CHECK_FALSE(keeps(operation_class::add, {largest, largest}));
    CHECK_FALSE(keeps(operation_class::scale, {largest, whole}));
}

TEST_CASE("matrix products are local, partial sums, or name the engine that they need") {
    auto plan = [](const dims& a, placement pa, const dims& b, placement pb) {
        return plan_product("matmul", {a, pa}, {b, pb});
    };
    CHECK(plan({4, 5}, split(0), {5, 6}, replicated()).result == split(0));
    CHECK(plan({4, 5}, replicated(), {5, 6}, split(1)).result == split(1));
    CHECK(plan({4, 5}, split(1), {5, 6}, split(0)).result == partial());
    CHECK(plan({4, 5}, split(1), {5, 6}, replicated()).cut_b == 0);
    CHECK(plan({4, 5}, replicated(), {5, 6}, split(0)).cut_a == 1);
    CHECK(plan({4, 5}, split(0), {5}, replicated()).result == split(0));
    CHECK(plan({5}, replicated(), {5, 6}, split(1)).result == split(0));
    CHECK(plan({5}, split(0), {5}, split(0)).result == partial());
    CHECK(plan({2, 4, 5}, split(0), {5, 6}, replicated()).result == split(0));
    CHECK(plan({2, 4, 5}, split(0), {2, 5, 6}, replicated()).cut_b == 0);
    CHECK(plan({2, 4, 5}, split(0), {1, 5, 6}, replicated()).cut_b == -1);
    CHECK(plan({4, 5}, replicated(), {3, 5, 6}, split(2)).result == split(2));
    CHECK(plan({1, 4, 5}, split(0), {1, 5, 6}, split(0)).result == split(0));
    CHECK(plan({1, 4, 5}, split(0), {5, 6}, replicated()).result == split(0));
    const std::string broadcasts = " is split along axis 0, which broadcasts: reshard it to replicated first";
    CHECK(message_of([&] { plan({1, 4, 5}, split(0), {3, 5, 6}, replicated()); }) ==
          "[matmul] an operand of shape (1, 4, 5)" + broadcasts);
    CHECK(message_of([&] { plan({3, 4, 5}, split(0), {1, 5, 6}, split(0)); }) ==
          "[matmul] an operand of shape (1, 5, 6)" + broadcasts);
    CHECK(message_of([&] { plan({7, 3, 4, 5}, replicated(), {1, 5, 6}, split(0)); }) ==
          "[matmul] an operand of shape (1, 5, 6)" + broadcasts);
}

TEST_CASE(
    "products of matrices that lie in two directions are an engine's, and lie as the operand whose axis they keep") {
    auto plan = [](const dims& a, placement pa, const dims& b, placement pb) {
        return plan_product("matmul", {a, pa}, {b, pb});
    };
    const dims a{4, 5}, b{5, 6};
    CHECK(plan(a, split(0), b, split(1)).engine);
    CHECK(plan(a, split(0), b, split(1)).result == split(0));
    CHECK(plan(a, split(0), b, split(0)).result == split(0));
    CHECK(plan(a, split(1), b, split(1)).result == split(1));
    CHECK(plan(a, block_cyclic(2), b, split(1)).result == block_cyclic(2));
    CHECK(plan(a, replicated(), b, block_cyclic(2)).engine);
    CHECK_FALSE(plan(a, split(1), b, split(0)).engine);
    CHECK(message_of([&] { plan({2, 4, 5}, split(1), {5, 6}, split(1)); }).find("[matmul] of operands of shapes") == 0);
    CHECK(message_of([&] {
              plan_product("matmul", {a, split(0), false}, {b, split(1), false});
          }).find("reshard one of them to replicated") != std::string::npos);
}

TEST_CASE("operations on elements keep blocks that are dealt out alike, and refuse what lies otherwise beside them") {
    const operand_info blocks{{4, 6}, block_cyclic(2)}, number{{}, replicated()};
    auto plan = [](std::vector<operand_info> o) { return plan_map("add", operation_class::map, o); };
    CHECK(plan({blocks, blocks, number}).result == block_cyclic(2));
    for (const operand_info& other : {operand_info{{4, 6}, block_cyclic(3)}, operand_info{{4, 6}, split(0)},
                                      operand_info{{6}, replicated()}, operand_info{{4, 6}, partial()}})
        CHECK(message_of([&] { plan({blocks, other}); }).find("[add] an operand of shape") == 0);
}

TEST_CASE("blocks that are dealt out over a grid are the elements of one rank each, as many as ScaLAPACK counts") {
    for (int ranks : {1, 2, 3, 4, 6, 8, 12}) CHECK(grid_of(ranks).rows * grid_of(ranks).columns == ranks);
    CHECK(grid_of(8).rows == 2);
    CHECK(grid_of(4).rows == 2);
    CHECK(cyclic_count(10, 3, 0, 2) == 6);
    CHECK(cyclic_count(10, 3, 1, 2) == 4);
    for (const dims& shape : {dims(1, 1), dims(7, 5), dims(5, 12), dims(0, 3)})
        for (int ranks : {1, 3, 4, 6})
            for (std::int64_t block : {1, 2, 3, 64}) {
                std::vector<int> owners(static_cast<std::size_t>(shape.product()));
                for (int r = 0; r < ranks; ++r) {
                    const auto rows = elements_of(shape, block_cyclic(block), ranks, r, 0);
                    const auto columns = elements_of(shape, block_cyclic(block), ranks, r, 1);
                    CHECK(local_shape(shape, block_cyclic(block), ranks, r) ==
                          dims(static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(columns.size())));
                    for (std::int64_t i : rows)
                        for (std::int64_t j : columns) ++owners[static_cast<std::size_t>(i * shape[1] + j)];
                }
                for (int o : owners) CHECK(o == 1);
            }
    const common_elements both = in_common({1, 3, 4, 9}, {0, 3, 9, 10});
    CHECK(both.first == std::vector<std::int64_t>{1, 3});
    CHECK(both.second == std::vector<std::int64_t>{1, 2});
}

TEST_CASE("a mesh has each element of a matrix on one rank, and keeps what is mapped beside what is everywhere") {
    for (int ranks : {1, 2, 3, 4, 6, 8})
        for (const placement& p : {mesh(), mesh(1), mesh(ranks)})
            for (const dims& shape : {dims(7, 5), dims(0, 3), dims(1, 9)}) {
                std::int64_t all = 0;
                for (int r = 0; r < ranks; ++r) {
                    const auto rows = elements_of(shape, p, ranks, r, 0), columns = elements_of(shape, p, ranks, r, 1);
                    CHECK(local_shape(shape, p, ranks, r) ==
                          dims(static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(columns.size())));
                    all += static_cast<std::int64_t>(rows.size() * columns.size());
                }
                CHECK(all == shape.product());
            }
    CHECK(part_along({7, 5}, mesh(2), 4, 3, 0) == range{4, 7});
    CHECK(part_along({7, 5}, mesh(2), 4, 3, 1) == range{3, 5});
    const operand_info a{{7, 5}, mesh(2)}, row{{5}, replicated()}, sums{{7, 5}, partial()};
    const operand_info both[] = {a, row}, parts[] = {a, sums};
    CHECK(plan_map("add", operation_class::add, both).result == mesh(2));
    CHECK(plan_map("add", operation_class::add, parts).resolve);
}

TEST_CASE("operands of one mesh lie alike axis by axis, and what one direction has alike is cut for it") {
    auto plan = [](std::vector<operand_info> o) { return plan_map("add", operation_class::map, o).result; };
    const operand_info matrix{{7, 5}, mesh(2)}, row{{5}, mesh(2, no_axis, 0)}, column{{7, 1}, mesh(2, 0, no_axis)},
        turned{{7, 5}, mesh(2, 1, 0)}, rows{{7, 5}, split(0)};
    CHECK(plan({matrix, row}) == mesh(2));
    CHECK(plan({column, row}) == mesh(2));
    CHECK(plan({row, row}) == mesh(2, no_axis, 0));
    CHECK(plan({{{3, 7, 5}, mesh(2, 1, 2)}, matrix}) == mesh(2, 1, 2));
    for (const operand_info& other : {turned, rows, operand_info{{7, 5}, mesh(3)}})
        CHECK(message_of([&] { plan({matrix, other}); }) ==
              "[add] an operand of shape (7, 5) that is " + to_string(other.where) +
                  " beside one that is mesh(2): reshard one of them first");
    CHECK(to_string(turned.where) == "mesh(2, 1, 0)");
    CHECK(to_string(row.where) == "mesh(2, no_axis, 0)");
}

TEST_CASE("of what the ranks of a row or a column have alike each element comes from one of them") {
    for (int ranks : {1, 4, 6})
        for (const placement& p : {replicated(), split(0), mesh(), mesh(0, no_axis, 0), mesh(0, 0, no_axis)})
            for (int to = 0; to < ranks; ++to) {
                std::int64_t elements = 0;
                for (int from = 0; from < ranks; ++from)
                    if (is_source(p, ranks, from, to)) elements += local_shape({7, 5}, p, ranks, from).product();
                CHECK(elements == 35);
                CHECK(is_source(p, ranks, to, to));
            }
    CHECK(part_box({7, 5}, mesh(2, 1, 0), 4, 1).shape() == dims(3, 3));
    CHECK(renamed(mesh(2), [](int axis) { return axis == 0 ? no_axis : axis - 1; }) == mesh(2, no_axis, 0));
    CHECK(renamed(mesh(2, 0, no_axis), [](int) { return no_axis; }) == replicated());
    CHECK(checked("f", mesh(2, -1, -2), 3, 4) == mesh(2, 2, 1));
    CHECK(message_of([] { checked("f", mesh(2, 1, -1), 2, 4); }) == "[f] mesh(2, 1, 1) splits axis 1 twice");
    CHECK(message_of([] { checked("f", mesh(), 1, 4); }) == "[f] mesh() splits axis 1 of an array of 1 axis");
}

TEST_CASE("a reshape keeps a split that is the outer factor and refuses others") {
    CHECK(plan_reshape({{12, 5}, split(0)}, {12, 5, 1}, 4) == split(0));
    CHECK(plan_reshape({{12, 5}, split(0)}, {60}, 4) == split(0));
    CHECK(plan_reshape({{3, 12}, split(1)}, {3, 12, 1}, 4) == split(1));
    CHECK(plan_reshape({{60}, split(0)}, {12, 5}, 4) == split(0));
    CHECK(plan_reshape({{7, 5}, replicated()}, {35}, 4) == replicated());
    CHECK(message_of([] { plan_reshape({{10, 6}, split(0)}, {6, 10}, 4); }) ==
          "[reshape] from (10, 6) to (6, 10) does not keep the parts of axis 0: reshard or gather first");
    CHECK(message_of([] { plan_reshape({{3, 12}, split(1)}, {36}, 4); }).find("[reshape]") == 0);
    CHECK(plan_reshape({{12, 6}, mesh(2)}, {4, 3, 1, 6}, 4) == mesh(2, 0, 3));
    CHECK(plan_reshape({{12, 6, 5}, mesh(2)}, {12, 30}, 4) == mesh(2));
    for (const auto& shapes : {std::pair{dims(12, 6), dims(72)}, std::pair{dims(1, 3), dims(3)}})
        CHECK(message_of([&] {
                  plan_reshape({shapes.first, mesh(1)}, shapes.second, 1);
              }).find("does not keep the parts") != std::string::npos);
}

TEST_CASE("what has no placement says what to do") {
    CHECK(message_of([] { plan_axes("sort", operation_class::line, split(0), 1); }) ==
          "[sort] not distributed along axis 0: reshard or gather first");
    CHECK(plan_axes("sort", operation_class::line, split(0), 2) == action::keep);
    CHECK(plan_axes("solve", operation_class::solve, split(0), 3) == action::engine);
    CHECK(message_of([] { plan_axes("sum", operation_class::reduce, block_cyclic(64), 3); }) ==
          "[sum] not of an array that is block_cyclic(64): reshard to split or replicated first");
    CHECK(message_of([] { checked("load", split(2), 2, 4); }).find("[load]") == 0);
    CHECK(message_of([] {
              checked("load", block_cyclic(64), 1, 4);
          }).find("block_cyclic(64) is a placement of matrices") != std::string::npos);
    CHECK(message_of([] { checked("load", block_cyclic(0), 2, 4); }).find("[load]") == 0);
    CHECK(checked("load", split(-1), 2, 4) == split(1));
}

TEST_CASE("blocks that ranks have in parts combine to the bits of a sum in one place") {
    using codegen::reduce_tree;
    for (std::int64_t n : {1, 511, 512, 513, 5000, 40961}) {
        // Sums in which every order differs.
        std::vector<double> x(static_cast<std::size_t>(n));
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i * 7919 % 1009) / 977 + 1e-9 * double(i);
        double wanted = 0;
        for (int ranks : {1, 2, 3, 7}) {
            const block_reduction how{codegen::reduction::sum, reduce_tree::rows, dtype::float64,
                                      dtype::float64,          dtype::float64,    n};
            std::vector<std::vector<double>> bodies(static_cast<std::size_t>(ranks));
            std::vector<block_contribution> all;
            for (int r = 0; r < ranks; ++r) {
                block_contribution c{cut_at_blocks(part_of(n, ranks, r), block_size(how.tree))};
                const block_pieces& p = c.pieces;
                CHECK(p.head.size() + p.body.size() + p.tail.size() == part_of(n, ranks, r).size());
                auto at = [&](std::int64_t i) { return reinterpret_cast<const char*>(x.data() + i); };
                for (std::int64_t b = p.body.begin; b < p.body.end; b += block_size(how.tree)) {
                    // One block alone is a reduction of its elements.
                    const block_contribution one{{{b, b + block_size(how.tree)}, {}, {}}, at(b)};
                    double result = 0;
                    combine_blocks(how, {&one, 1}, 1, reinterpret_cast<char*>(&result));
                    bodies[static_cast<std::size_t>(r)].push_back(result);
                }
                c.head = at(p.head.begin);
                c.body = reinterpret_cast<const char*>(bodies[static_cast<std::size_t>(r)].data());
                c.tail = at(p.tail.begin);
                all.push_back(c);
            }
            double result = 0;
            combine_blocks(how, all, 1, reinterpret_cast<char*>(&result));
            if (ranks == 1) wanted = result;
            CHECK(std::memcmp(&result, &wanted, sizeof result) == 0);
            long double exact = 0;
            for (double v : x) exact += v;
            CHECK(result == doctest::Approx(static_cast<double>(exact)).epsilon(1e-12));
        }
    }
}
