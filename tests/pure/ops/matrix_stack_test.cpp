// Stacks of products: where one stride suffices, which matrices meet, what a plan takes as it lies, and what ends a
// call.
#include <doctest/doctest.h>

#include <sinter/codegen/rewrite/epilogue.hpp>
#include <sinter/codegen/fuse/fuse.hpp>
#include <sinter/codegen/ops/matrix_stack.hpp>

#include <vector>

using namespace sinter;
using namespace sinter::codegen;

namespace {

// A product of stacks, each operand a view of an input.
struct stacks {
    graph g;
    node_id product;

    stacks(const layout& a, const layout& b, const dims& shape, dtype type = dtype::float32,
           call_info how = routine::matmul) {
        node_id operands[] = {g.add_view(g.add_input(0, type, {1000}), a), g.add_view(g.add_input(1, type, {1000}), b)};
        product = g.add_call(how, operands, type, shape);
        g.roots = {product};
        verify(g);
    }
    std::size_t copies() const { return fuse(g, {false, false}).kernels.size(); }
};

}  // namespace

TEST_CASE("one stride leads through stacks that repeat along the same axes") {
    CHECK(has_one_stride({5, 4}, {5, 3}, {3, 4}));
    CHECK(has_one_stride({2, 3, 5, 4}, {2, 3, 5, 3}, {2, 3, 3, 4}));
    CHECK(has_one_stride({2, 3, 5, 4}, {2, 3, 5, 3}, {1, 1, 3, 4}));
    CHECK(has_one_stride({2, 1, 5, 4}, {2, 1, 5, 3}, {1, 1, 3, 4}));
    CHECK(has_one_stride({2, 1, 3, 5, 4}, {1, 1, 1, 5, 3}, {2, 1, 3, 3, 4}));
    CHECK_FALSE(has_one_stride({2, 3, 5, 4}, {2, 1, 5, 3}, {1, 3, 3, 4}));
    CHECK_FALSE(has_one_stride({2, 3, 5, 4}, {2, 3, 5, 3}, {2, 1, 3, 4}));
    CHECK_FALSE(has_one_stride({2, 3, 5, 4}, {1, 3, 5, 3}, {2, 3, 3, 4}));
    CHECK(is_repeated(3, 3, 1));
    CHECK(is_repeated(0, 1, 0));
    CHECK_FALSE(is_repeated(3, 1, 1));
    CHECK_FALSE(is_repeated(3, 2, 3));
}

TEST_CASE("matrices of the product name those of an operand") {
    std::vector<std::int64_t> left, right;
    for (std::int64_t i = 0; i < 12; ++i) {
        left.push_back(matrix_of_operand({2, 3, 2, 5, 4}, {2, 1, 2, 5, 3}, i));
        right.push_back(matrix_of_operand({2, 3, 2, 5, 4}, {1, 3, 1, 3, 4}, i));
    }
    CHECK(left == std::vector<std::int64_t>{0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3});
    CHECK(right == std::vector<std::int64_t>{0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2});
}

TEST_CASE("what tensor cores read is listed where matrices are multiples of 16 bytes") {
    CHECK(is_listable(dtype::float32, precision::highest, 5, 3, 7));
    CHECK(is_listable(dtype::complex128, precision::highest, 1, 1, 1));
    CHECK_FALSE(is_listable(dtype::float16, precision::highest, 5, 3, 7));
    CHECK(is_listable(dtype::bfloat16, precision::highest, 8, 8, 25));
    CHECK_FALSE(is_listable(dtype::float16, precision::highest, 4, 4, 3));
    CHECK(is_listable(dtype::float16, precision::highest, 4, 4, 2));
    CHECK_FALSE(is_listable(dtype::float32, precision::tf32, 2, 1, 2));
    CHECK(is_listable(dtype::float32, precision::bf16, 2, 2, 2));
    CHECK_FALSE(is_listable(dtype::complex64, precision::tf32, 1, 2, 3));
    CHECK(is_listable(dtype::complex64, precision::tf32, 2, 1, 2));
}

TEST_CASE("a plan takes stacks that repeat along different axes as they lie") {
    const layout left{{2, 1, 8, 4}, {32, 0, 4, 1}, 0}, right{{1, 3, 4, 8}, {0, 32, 8, 1}, 0};
    const dims shape{2, 3, 8, 8};
    CHECK(stacks(left, right, shape).copies() == 0);
    CHECK(stacks({{2, 1, 8, 4}, {32, 0, 1, 8}, 0}, right, shape).copies() == 0);
    // Gaps between matrices and rows, backwards; but no gaps in rows.
    CHECK(stacks({{2, 1, 8, 4}, {-101, 0, 9, 1}, 200}, right, shape).copies() == 0);
    CHECK(stacks({{2, 1, 8, 4}, {101, 0, 9, 2}, 0}, right, shape).copies() == 1);
    const call_info rounded(routine::matmul, precision::tf32);
    CHECK(stacks({{2, 1, 8, 4}, {100, 0, 9, 1}, 4}, right, shape, dtype::float32, rounded).copies() == 0);
    CHECK(stacks({{2, 1, 8, 4}, {101, 0, 9, 1}, 4}, right, shape, dtype::float32, rounded).copies() == 1);
    CHECK(stacks({{2, 1, 8, 4}, {100, 0, 9, 1}, 2}, right, shape, dtype::float32, rounded).copies() == 1);
    CHECK(stacks({{2, 1, 8, 4}, {100, 0, 9, 1}, 0}, right, shape, dtype::float16).copies() == 1);
    // With one stride gaps must be equal.
    CHECK(stacks({{2, 3, 8, 4}, {96, 32, 4, 1}, 0}, {{1, 1, 4, 8}, {0, 0, 8, 1}, 0}, shape).copies() == 0);
    CHECK(stacks({{2, 3, 8, 4}, {100, 32, 4, 1}, 0}, {{1, 1, 4, 8}, {0, 0, 8, 1}, 0}, shape).copies() == 1);
    CHECK(stacks({{2, 3, 8, 4}, {100, 32, 4, 1}, 0}, {{2, 1, 4, 8}, {32, 0, 8, 1}, 0}, shape).copies() == 0);
    CHECK(stacks({{2, 1, 8, 4}, {32, 7, 4, 1}, 0}, {{1, 1, 4, 8}, {0, 0, 8, 1}, 0}, {2, 1, 8, 8}).copies() == 0);
}

TEST_CASE("nothing that follows a product of listed matrices becomes part of its call") {
    stacks s({{2, 1, 8, 4}, {32, 0, 4, 1}, 0}, {{1, 3, 4, 8}, {0, 32, 8, 1}, 0}, {2, 3, 8, 8});
    const node_id rectified[] = {s.product}, number = s.g.add_scalar(scalar_value::of(0.5f));
    const node_id scaled[] = {s.product, number}, added[] = {s.product, s.g.add_input(2, dtype::float32, {2, 3, 8, 8})};
    for (node_id root :
         {s.g.add_apply(op::relu, rectified, {2, 3, 8, 8}), s.g.add_apply(op::multiply, scaled, {2, 3, 8, 8}),
          s.g.add_apply(op::add, added, {2, 3, 8, 8})}) {
        s.g.roots = {root};
        const graph h = fold_epilogues(s.g);
        CHECK(h.nodes[h.roots[0]].kind == node_kind::apply);
    }
}
