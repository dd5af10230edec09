// Epilogues of products: which operations become part of a call, which do not, and that the program keeps its meaning.
#include <sinter/codegen/rewrite/epilogue.hpp>
#include <sinter/codegen/fuse/fuse.hpp>

#include "support/interpret_value.hpp"

#include <span>

using namespace interpreter_tests;

namespace {

// x (4, 5) @ w (5, 3), a vector of 8 of which parts are added, and an array of the product's shape.
struct layer {
    graph g;
    node_id x, w, vector, full, product;

    explicit layer(call_info how = routine::matmul, dtype t = dtype::float32, const dims& stack = {},
                   std::int64_t inner = 5) {
        auto of = [&](std::int64_t rows, std::int64_t columns) {
            dims s = stack;
            s.push_back(rows);
            s.push_back(columns);
            return s;
        };
        x = g.add_input(0, t, of(4, inner));
        w = g.add_input(1, t, of(inner, 3));
        vector = g.add_input(2, t, {8});
        full = g.add_input(3, t, of(4, 3));
        node_id matrices[] = {x, w};
        product = g.add_call(how, matrices, t, of(4, 3));
    }
    const dims& shape() const { return g.nodes[product].shape; }
    node_id rows_of(std::int64_t offset = 0, std::int64_t stride = 1) {
        layout l{shape(), shape(), offset};
        for (std::int64_t& s : l.strides) s = 0;
        l.strides[l.strides.size() - 1] = stride;
        return g.add_view(vector, l);
    }
    node_id apply(op o, std::initializer_list<node_id> args) { return apply_to(g, o, args, shape()); }
    graph folded(std::initializer_list<node_id> roots) {
        g.roots = {};
        for (node_id r : roots) g.roots.push_back(r);
        verify(g);
        graph h = fold_epilogues(g);
        verify(h);
        check_values(h);
        return h;
    }

    // The program's values before and after, with what is special among the operands.
    void check_values(const graph& h) const {
        if (g.nodes[product].type != dtype::float32) return;
        std::vector<std::vector<float>> data;
        std::vector<const void*> inputs;
        REQUIRE(g.roots.size() == h.roots.size());
        for (node_id n : {x, w, vector, full})
            data.push_back(uneven<float>(static_cast<std::size_t>(g.nodes[n].shape.product()), n + 1));
        if (!data[0].empty()) data[0][0] = std::nanf("");
        data[2][1] = INFINITY;
        data[3][3] = -0.0f;
        for (const auto& d : data) inputs.push_back(d.data());
        for (std::size_t i = 0; i < g.roots.size(); ++i) {
            const auto before = value_of<float>(g, g.roots[i], inputs), after = value_of<float>(h, h.roots[i], inputs);
            CHECK(before.size() == after.size());
            for (std::size_t e = 0; e < before.size(); ++e)
                CHECK((std::memcmp(&before[e], &after[e], 4) == 0 || (std::isnan(before[e]) && std::isnan(after[e]))));
        }
    }
};

// A node's line.
std::string text_of(const graph& h, node_id n) {
    const std::string all = to_text(h), name = "%" + std::to_string(n) + " = ";
    const std::size_t at = all.find(name);
    return all.substr(at, all.find('\n', at) - at);
}

std::string root_text(const graph& h) { return text_of(h, h.roots[0]); }

bool is_unchanged(layer& l, std::initializer_list<node_id> roots) {
    const graph h = l.folded(roots);
    for (node_id n = 0; n < h.nodes.size(); ++n)
        if (h.nodes[n].kind == node_kind::call && h.call_of(n).packed() != l.g.call_of(l.product).packed())
            return false;
    return true;
}

}  // namespace

TEST_CASE("a vector and relu after a product become part of its call, from either side") {
    for (bool swapped : {false, true}) {
        layer l;
        const node_id rows = l.rows_of();
        const node_id sum = swapped ? l.apply(op::add, {rows, l.product}) : l.apply(op::add, {l.product, rows});
        const graph h = l.folded({l.apply(op::multiply, {l.apply(op::relu, {sum}), l.full})});
        CHECK(to_text(h) ==
              "%0 = input 0 : float32 (4, 5)\n"
              "%1 = input 1 : float32 (5, 3)\n"
              "%2 = input 2 : float32 (8,)\n"
              "%3 = input 3 : float32 (4, 3)\n"
              "%4 = view(%2) offset 0 strides (1,) : float32 (3,)\n"
              "%5 = matmul + bias + relu(%0, %1, %4) : float32 (4, 3)\n"
              "%6 = multiply(%5, %3) : float32 (4, 3)\n"
              "roots %6\n");
    }
}

TEST_CASE("an array after a product becomes what the call adds to, then relu comes") {
    layer l;
    const graph h = l.folded({l.apply(op::relu, {l.apply(op::add, {l.full, l.product})})});
    CHECK(root_text(h) == "%3 = matmul_add + relu(%2, %0, %1) : float32 (4, 3)");
    layer wide(routine::matmul, dtype::float64);
    CHECK(root_text(wide.folded({wide.apply(op::add, {wide.product, wide.full})})) ==
          "%3 = matmul_add(%2, %0, %1) : float64 (4, 3)");
}

TEST_CASE("gelu_tanh becomes part of the call of a product in tf32 or bf16, after a vector or an array or neither") {
    for (precision p : {precision::tf32, precision::bf16}) {
        const std::string in = " in " + std::string(to_string(p));
        layer vector({routine::matmul, p}), array({routine::matmul, p}),
            neither({routine::matmul, p}, dtype::float32, {2, 3});
        CHECK(root_text(vector.folded(
                  {vector.apply(op::gelu_tanh, {vector.apply(op::add, {vector.rows_of(), vector.product})})})) ==
              "%4 = matmul" + in + " + bias + gelu_tanh(%0, %1, %3) : float32 (4, 3)");
        CHECK(root_text(
                  array.folded({array.apply(op::gelu_tanh, {array.apply(op::add, {array.product, array.full})})})) ==
              "%3 = matmul_add" + in + " + gelu_tanh(%2, %0, %1) : float32 (4, 3)");
        CHECK(root_text(neither.folded({neither.apply(op::gelu_tanh, {neither.product})})) ==
              "%2 = matmul" + in + " + gelu_tanh(%0, %1) : float32 (2, 3, 4, 3)");
    }
}

TEST_CASE("gelu_tanh stays behind a product that is not in reduced precision, and gelu behind any") {
    layer full, parts({routine::matmul, precision::tf32x3}), half(routine::matmul, dtype::float16),
        wide(routine::matmul, dtype::float64), other({routine::matmul, precision::tf32}),
        both({routine::matmul, precision::tf32}), used({routine::matmul, precision::tf32});
    for (layer* l : {&full, &parts, &half, &wide}) CHECK(is_unchanged(*l, {l->apply(op::gelu_tanh, {l->product})}));
    CHECK(is_unchanged(other, {other.apply(op::gelu, {other.product})}));
    CHECK(is_unchanged(used, {used.product, used.apply(op::gelu_tanh, {used.product})}));
    // With a vector the call ends before it, and after relu too.
    layer biased;
    graph h = biased.folded({biased.apply(op::gelu_tanh, {biased.apply(op::add, {biased.product, biased.rows_of()})})});
    CHECK(to_text(h).find("= matmul + bias(") != std::string::npos);
    CHECK(h.nodes[h.roots[0]].operation == op::gelu_tanh);
    h = both.folded({both.apply(op::gelu_tanh, {both.apply(op::relu, {both.product})})});
    CHECK(to_text(h).find("= matmul in tf32 + relu(") != std::string::npos);
    CHECK(h.nodes[h.roots[0]].operation == op::gelu_tanh);
}

TEST_CASE("a single row or column of a product has no activation in its call") {
    for (bool is_row : {false, true})
        for (op o : {op::relu, op::gelu_tanh}) {
            graph g;
            const dims shape = is_row ? dims{1, 3} : dims{4, 1};
            const node_id matrices[] = {g.add_input(0, dtype::float32, {shape[0], 5}),
                                        g.add_input(1, dtype::float32, {5, shape[1]})};
            const node_id product = g.add_call({routine::matmul, precision::tf32}, matrices, dtype::float32, shape);
            g.roots = {apply_to(g, o, {product}, shape)};
            const graph h = fold_epilogues(g);
            CHECK(h.nodes[h.roots[0]].operation == o);
        }
}

TEST_CASE("epilogues keep the precision, stacks share a vector, and a part of a vector is one") {
    layer l({routine::matmul, precision::tf32}, dtype::float32, {2, 3});
    const graph h = l.folded({l.apply(op::add, {l.product, l.rows_of(5)})});
    CHECK(root_text(h) == "%4 = matmul in tf32 + bias(%0, %1, %3) : float32 (2, 3, 4, 3)");
    CHECK(text_of(h, 3) == "%3 = view(%2) offset 5 strides (1,) : float32 (3,)");
}

TEST_CASE("the sum of two products is added up by the second call") {
    layer l;
    node_id others[] = {l.g.add_input(4, dtype::float32, {4, 2}), l.g.add_input(5, dtype::float32, {2, 3})};
    const node_id other = l.g.add_call(routine::matmul, others, dtype::float32, {4, 3});
    l.g.roots = {l.apply(op::add, {l.product, other})};
    const graph h = fold_epilogues(l.g);
    verify(h);
    const plan p = fuse(h, {false, false, false, false, false, false});
    CHECK(p.kernels.empty());
    CHECK(p.calls.size() == 2);
    CHECK(p.copies.empty());
    CHECK(p.calls[1].results[0] == p.calls[0].results[0]);
}

TEST_CASE("a product is added in the memory of an array that nothing else reads") {
    for (bool consumable : {false, true}) {
        layer l;
        const graph h = l.folded({l.apply(op::add, {l.full, l.product})});
        const plan p = fuse(h, {false, false, false, consumable});
        CHECK(p.kernels.empty());
        CHECK(p.copies.empty());
        REQUIRE(p.calls.size() == 1);
        CHECK((p.calls[0].results[0] == p.calls[0].args[0].slot) == consumable);
        // Not where the product reads it too.
        graph g;
        node_id c = g.add_input(0, dtype::float32, {3, 3}), matrices[] = {c, c};
        const node_id square = g.add_call(routine::matmul, matrices, dtype::float32, {3, 3});
        g.roots = {apply_to(g, op::add, {c, square}, {3, 3})};
        const plan q = fuse(fold_epilogues(g), {consumable});
        CHECK(q.calls[0].results[0] != q.calls[0].args[0].slot);
    }
}

TEST_CASE("what something else needs, and what a library would do otherwise, stays behind the product") {
    layer used;
    const node_id sum = used.apply(op::add, {used.product, used.rows_of()});
    CHECK(is_unchanged(used, {sum, used.apply(op::exp, {used.product})}));
    layer root;
    CHECK(is_unchanged(root, {root.product, root.apply(op::relu, {root.product})}));
    layer twice;
    CHECK(is_unchanged(twice, {twice.apply(op::add, {twice.product, twice.product})}));
    layer strided;
    CHECK(is_unchanged(strided, {strided.apply(op::add, {strided.product, strided.rows_of(0, 2)})}));
    layer reversed;
    CHECK(is_unchanged(reversed, {reversed.apply(op::add, {reversed.product, reversed.rows_of(7, -1)})}));
    layer columns;
    const node_id column = columns.g.add_view(columns.vector, {{4, 3}, {1, 0}, 0});
    CHECK(is_unchanged(columns, {columns.apply(op::add, {columns.product, column})}));
    layer computed;
    const node_id exps = computed.apply(op::exp, {computed.full});
    CHECK(is_unchanged(computed, {computed.apply(op::add, {computed.product, exps})}));
    layer scaled;
    CHECK(is_unchanged(scaled, {scaled.apply(op::multiply, {scaled.product, scaled.full})}));
    layer gelu;
    CHECK(is_unchanged(gelu, {gelu.apply(op::gelu, {gelu.product})}));
    layer number;
    CHECK(is_unchanged(number, {number.apply(op::add, {number.product, number.g.add_scalar(scalar_value::of(2.0f))})}));
    layer parts({routine::matmul, precision::tf32x3});
    CHECK(is_unchanged(parts, {parts.apply(op::relu, {parts.apply(op::add, {parts.product, parts.rows_of()})})}));
    layer nothing(routine::matmul, dtype::float32, {}, 0);
    CHECK(is_unchanged(nothing,
                       {nothing.apply(op::relu, {nothing.apply(op::add, {nothing.product, nothing.rows_of()})})}));
    layer wide(routine::matmul, dtype::float64);
    CHECK(is_unchanged(wide, {wide.apply(op::relu, {wide.apply(op::add, {wide.product, wide.rows_of()})})}));
    layer complex(routine::matmul, dtype::complex64);
    CHECK(is_unchanged(complex, {complex.apply(op::add, {complex.product, complex.full})}));
}

TEST_CASE("an array and a vector are not both added by a call, whichever comes first") {
    for (bool vector_first : {false, true}) {
        layer l;
        const node_id inner = l.apply(op::add, {l.product, vector_first ? l.rows_of() : l.full});
        const node_id outer = l.apply(op::add, {inner, vector_first ? l.full : l.rows_of()});
        const graph h = l.folded({l.apply(op::relu, {outer})});
        CHECK(h.nodes[h.roots[0]].operation == op::relu);
        CHECK(to_text(h).find(vector_first ? "= matmul + bias(" : "= matmul_add(") != std::string::npos);
    }
}

TEST_CASE("what comes after relu stays behind the call") {
    layer l;
    const node_id rectified = l.apply(op::relu, {l.product});
    const graph h = l.folded(
        {l.apply(op::relu, {l.apply(op::add, {rectified, l.rows_of()})}), l.apply(op::add, {l.full, l.rows_of()})});
    CHECK(h.nodes[h.roots[0]].operation == op::relu);
    CHECK(h.nodes[h.arg(h.roots[0], 0)].operation == op::add);
    CHECK(to_text(h).find("= matmul + relu(") != std::string::npos);
}

TEST_CASE(
    "a number times a product becomes its call's factor, from either side, where the result is in memory at any rate") {
    for (bool swapped : {false, true}) {
        layer l;
        const node_id half = l.g.add_scalar(scalar_value::of(0.3f));
        const node_id scaled =
            swapped ? l.apply(op::multiply, {half, l.product}) : l.apply(op::multiply, {l.product, half});
        CHECK(to_text(l.folded({scaled})) ==
              "%0 = input 0 : float32 (4, 5)\n"
              "%1 = input 1 : float32 (5, 3)\n"
              "%2 = scalar 0 : float32 ()\n"
              "%3 = matmul * factor(%0, %1, %2) : float32 (4, 3)\n"
              "roots %3\n");
    }
    layer third({routine::matmul, precision::tf32}, dtype::float32, {2, 3});
    const node_id literal = third.g.add_literal(scalar_value::of(1 / 3.0f));
    const graph h = third.folded({third.apply(op::multiply, {third.product, literal})});
    CHECK(root_text(h) == "%3 = matmul in tf32 * factor(%0, %1, %2) : float32 (2, 3, 4, 3)");
    CHECK(text_of(h, 2) == "%2 = literal 0.333333343 : float32 ()");
    layer wide(routine::matmul, dtype::float64);
    const node_id number = wide.g.add_scalar(scalar_value::of(0.3));
    CHECK(root_text(wide.folded({wide.apply(op::multiply, {wide.product, number})})) ==
          "%3 = matmul * factor(%0, %1, %2) : float64 (4, 3)");
}

TEST_CASE("a product is scaled by its own call where a call, an update or a read at indices takes it from memory") {
    auto is_scaled = [](layer& l, node_id root) {
        const std::string text = to_text(l.folded({root}));
        return text.find("= matmul * factor(") != std::string::npos && text.find("multiply") == std::string::npos;
    };
    auto scaled = [](layer& l) { return l.apply(op::multiply, {l.product, l.g.add_scalar(scalar_value::of(0.3f))}); };
    layer sorted, reshaped, sorted_later, updated, indexed;
    node_id n = scaled(sorted);
    CHECK(is_scaled(sorted, sorted.g.add_call(routine::sort, {&n, 1}, dtype::float32, {4, 3})));
    CHECK(is_scaled(reshaped, reshaped.g.add_view(scaled(reshaped), contiguous({2, 6}))));
    n = sorted_later.g.add_view(scaled(sorted_later), contiguous({2, 6}));
    CHECK(is_scaled(sorted_later, sorted_later.g.add_call(routine::sort, {&n, 1}, dtype::float32, {2, 6})));
    n = updated.g.add_scalar(scalar_value::of(1.0f));
    CHECK(is_scaled(updated, updated.g.add_update(scaled(updated), n, {{2}, {3}, 1})));
    const node_id at = indexed.g.add_index({2});
    CHECK(is_scaled(indexed, indexed.g.add_gather(scaled(indexed), {&at, 1}, {1, 0})));
}

TEST_CASE("a number times a product stays behind the call where a kernel follows at any rate or bits would change") {
    auto number = [](layer& l) { return l.g.add_scalar(scalar_value::of(0.3f)); };
    auto scaled = [&](layer& l) { return l.apply(op::multiply, {l.product, number(l)}); };
    layer added, shared, also_read, reduced, transposed, used, parts({routine::matmul, precision::tf32x3});
    CHECK(is_unchanged(added, {added.apply(op::add, {scaled(added), added.rows_of()})}));
    CHECK(is_unchanged(shared, {shared.apply(op::add, {scaled(shared), shared.full})}));
    const node_id twice = scaled(also_read);
    CHECK(is_unchanged(also_read, {twice, also_read.apply(op::exp, {twice})}));
    CHECK(is_unchanged(reduced, {reduced.g.add_reduce(reduction::sum, scaled(reduced), 2)}));
    CHECK(is_unchanged(transposed, {transposed.g.add_view(scaled(transposed), {{3, 4}, {1, 3}, 0})}));
    CHECK(is_unchanged(used, {scaled(used), used.product}));
    CHECK(is_unchanged(parts, {scaled(parts)}));
    layer nothing(routine::matmul, dtype::float32, {}, 0), complex(routine::matmul, dtype::complex64);
    CHECK(is_unchanged(nothing, {scaled(nothing)}));
    const node_id i = complex.g.add_scalar(scalar_value::of(std::complex<float>(0, 1)));
    CHECK(is_unchanged(complex, {complex.apply(op::multiply, {complex.product, i})}));
    // Behind an epilogue, or before one.
    layer biased, rectified, summed, later;
    const node_id sum = biased.apply(op::add, {biased.product, biased.rows_of()});
    graph h = biased.folded({biased.apply(op::multiply, {sum, number(biased)})});
    CHECK(to_text(h).find("= matmul + bias(") != std::string::npos);
    CHECK(h.nodes[h.roots[0]].operation == op::multiply);
    h = rectified.folded(
        {rectified.apply(op::multiply, {rectified.apply(op::relu, {rectified.product}), number(rectified)})});
    CHECK(to_text(h).find("= matmul + relu(") != std::string::npos);
    CHECK(h.nodes[h.roots[0]].operation == op::multiply);
    h = summed.folded(
        {summed.apply(op::multiply, {summed.apply(op::add, {summed.product, summed.full}), number(summed)})});
    CHECK(to_text(h).find("= matmul_add(") != std::string::npos);
    CHECK(h.nodes[h.roots[0]].operation == op::multiply);
    CHECK(is_unchanged(later, {later.apply(op::relu, {scaled(later)})}));
}

TEST_CASE("a plan names a product's factor and gives it no memory") {
    layer l;
    const node_id unused = l.g.add_scalar(scalar_value::of(7.0f)), number = l.g.add_scalar(scalar_value::of(0.3f));
    graph h = l.folded({l.apply(op::multiply, {l.product, number}), l.apply(op::add, {l.full, unused})});
    plan p = fuse(h, {false, false, false, false});
    REQUIRE(p.calls.size() == 1);
    CHECK(p.kernels.size() == 1);
    CHECK(p.calls[0].args.size() == 2);
    REQUIRE(p.calls[0].factor_scalar < h.scalars.size());
    CHECK(h.scalars[p.calls[0].factor_scalar].as<float>() == 0.3f);
    layer wide(routine::matmul, dtype::float64);
    h = wide.folded({wide.apply(op::multiply, {wide.g.add_literal(scalar_value::of(0.7)), wide.product})});
    p = fuse(h, {false, false, false, false});
    REQUIRE(p.calls.size() == 1);
    CHECK(p.kernels.empty());
    CHECK(p.calls[0].factor_scalar == library_call::no_scalar);
    CHECK(p.calls[0].factor == 0.7);
}

TEST_CASE("verify knows what a factor is, and that nothing goes with it") {
    auto fault = [](call_info c, scalar_value number, bool is_array) {
        graph g;
        node_id a = g.add_input(0, dtype::float32, {4, 4}), x = is_array ? a : g.add_scalar(number);
        const call_info scaled = c.with(call_info::factor);
        const node_id operands[] = {a, a, a, x};
        g.roots = {g.add_call(scaled, std::span(operands).last(scaled.operands()), dtype::float32, {4, 4})};
        verify(g);
    };
    const scalar_value one = scalar_value::of(1.0f), wide = scalar_value::of(1.0);
    CHECK_NOTHROW(fault(routine::matmul, one, false));
    CHECK_THROWS_WITH_AS(fault(routine::matmul, one, true), doctest::Contains("a factor is no number"), internal_error);
    CHECK_THROWS_WITH_AS(fault(routine::matmul, wide, false), doctest::Contains("factor and product differ"),
                         internal_error);
    const call_info rectified = call_info(routine::matmul).with(activation::relu),
                    parts(routine::matmul, precision::tf32x3);
    for (call_info c : {call_info(routine::matmul_add), rectified, parts})
        CHECK_THROWS_WITH_AS(fault(c, one, false), doctest::Contains("a product with a factor has something"),
                             internal_error);
}

TEST_CASE("verify knows which products end in an activation") {
    auto fault = [](activation last, precision in, dtype t) {
        graph g;
        const node_id a = g.add_input(0, t, {4, 4}), matrices[] = {a, a};
        g.roots = {g.add_call(call_info(routine::matmul, in).with(last), matrices, t, {4, 4})};
        verify(g);
    };
    CHECK_NOTHROW(fault(activation::relu, precision::highest, dtype::float32));
    CHECK_NOTHROW(fault(activation::gelu_tanh, precision::bf16, dtype::float32));
    const char* message = "the operation is not defined for the type and precision";
    CHECK_THROWS_WITH_AS(fault(activation::gelu_tanh, precision::highest, dtype::float32), doctest::Contains(message),
                         internal_error);
    CHECK_THROWS_WITH_AS(fault(activation::gelu_tanh, precision::tf32x3, dtype::float32), doctest::Contains(message),
                         internal_error);
    for (dtype t : {dtype::float64, dtype::float16, dtype::complex64})
        CHECK_THROWS_WITH_AS(fault(activation::relu, precision::highest, t), doctest::Contains(message),
                             internal_error);
}

TEST_CASE("verify knows the operands of epilogues") {
    graph g;
    node_id a = g.add_input(0, dtype::float32, {4, 5}), b = g.add_input(1, dtype::float32, {5, 3}),
            v = g.add_input(2, dtype::float32, {4});
    node_id operands[] = {a, b, v};
    g.roots = {g.add_call(call_info(routine::matmul).with(call_info::bias), operands, dtype::float32, {4, 3})};
    CHECK_THROWS_WITH_AS(verify(g), doctest::Contains("bias and product differ"), internal_error);
    g.nodes[g.roots[0]].arg_count = 2;
    CHECK_THROWS_WITH_AS(verify(g), doctest::Contains("wrong number of arguments"), internal_error);
}
