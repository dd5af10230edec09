// The text of a few kernels against committed files, so that a change of the emitters is seen in review.
#include <doctest/doctest.h>

#include <sinter/codegen/print/cuda/emit_cuda.hpp>
#include <sinter/codegen/print/host/emit_host.hpp>
#include <sinter/codegen/fuse/fuse.hpp>
#include <sinter/codegen/print/matrix_lists.hpp>

#include "support/golden_text.hpp"

#include <limits>
#include <span>

using namespace sinter;
using namespace sinter::codegen;

namespace {

node_id apply_to(graph& g, op o, std::initializer_list<node_id> args, const dims& shape) {
    return g.add_apply(o, std::span<const node_id>(args.begin(), args.size()), shape);
}

using golden_text::compare;

void check(const std::string& name, graph& g, std::initializer_list<node_id> roots) {
    g.roots = roots;
    verify(g);
    plan on_gpu = fuse(g, {false, false, false}), on_cpu = fuse(g, {false, false, false}, {.family = host_family});
    REQUIRE(on_gpu.kernels.size() == 1);
    REQUIRE(on_cpu.kernels.size() == 1);
    compare(name + ".cuda", emit_cuda(on_gpu.kernels[0]).text);
    compare(name + ".host", emit_host(on_cpu.kernels[0]).text);
}

}  // namespace

TEST_CASE("the text of a map of half precision") {
    graph g;
    const dims s{1'000'000};
    node_id x = g.add_input(0, dtype::float16, s), y = g.add_input(1, dtype::bfloat16, s);
    node_id product = apply_to(g, op::multiply, {x, x}, s), sum = apply_to(g, op::add, {product, x}, s);
    check("half", g, {sum, g.add_cast(apply_to(g, op::nextafter, {y, y}, s), dtype::int32)});
}

TEST_CASE("the text of a map over contiguous arrays") {
    graph g;
    dims s{1'000'000};
    node_id x = g.add_input(0, dtype::float32, s), mean = g.add_scalar(scalar_value::of(1.5f)),
            sigma = g.add_scalar(scalar_value::of(2.0f)), half = g.add_literal(scalar_value::of(-0.5f));
    node_id z = apply_to(g, op::divide, {apply_to(g, op::subtract, {x, mean}, s), sigma}, s);
    check("gaussian", g,
          {apply_to(g, op::exp, {apply_to(g, op::multiply, {half, apply_to(g, op::square, {z}, s)}, s)}, s)});
}

TEST_CASE("the text of a map of much work whose divisions, roots and logarithms have short forms") {
    graph g;
    dims s{1'000'000};
    node_id price = g.add_input(0, dtype::float32, s), strike = g.add_input(1, dtype::float32, s),
            time = g.add_input(2, dtype::float32, s);
    node_id spread =
        apply_to(g, op::multiply, {g.add_scalar(scalar_value::of(0.2f)), apply_to(g, op::sqrt, {time}, s)}, s);
    node_id d =
        apply_to(g, op::divide, {apply_to(g, op::log, {apply_to(g, op::divide, {price, strike}, s)}, s), spread}, s);
    node_id other = apply_to(g, op::erf, {apply_to(g, op::subtract, {d, spread}, s)}, s);
    check("black_scholes", g, {apply_to(g, op::subtract, {apply_to(g, op::erf, {d}, s), other}, s)});
}

TEST_CASE("a thread takes as many neighbours as keep its text short, and takes them without a loop") {
    constexpr int widths[][2] = {{10, 4}, {40, 4}, {70, 2}, {120, 1}};
    for (const int(&row)[2] : widths) {
        const int operations = row[0], width = row[1];
        graph g;
        dims s{1'000'000};
        node_id x = g.add_input(0, dtype::float32, s), y = x;
        for (int i = 0; i < operations; ++i) y = apply_to(g, i % 2 ? op::multiply : op::add, {y, x}, s);
        g.roots = {y};
        kernel k = fuse(g, {false}).kernels[0];
        CAPTURE(operations);
        CHECK(k.how.vector_width == width);
        const std::string text = emit_cuda(k).text;
        const std::size_t lanes = text.find("for (int l = 0");
        CHECK((lanes == text.npos) == (width == 1));
        if (width > 1) CHECK(text.substr(0, lanes).ends_with("#pragma unroll\n        "));
    }
}

TEST_CASE("the text of a map with a broadcast row and column") {
    graph g;
    dims s{1000, 1024};
    node_id x = g.add_input(0, dtype::float32, s), row = g.add_input(1, dtype::float32, {1024}),
            column = g.add_input(2, dtype::float32, {1000, 1});
    check("broadcast", g, {apply_to(g, op::add, {apply_to(g, op::multiply, {x, row}, s), column}, s)});
}

TEST_CASE("the text of a map of bytes whose neighbours go on in the next row") {
    graph g;
    const dims s{1031, 1021};
    node_id x = g.add_input(0, dtype::uint8, s), row = g.add_input(1, dtype::uint8, {1021});
    check("joined_rows", g, {apply_to(g, op::add, {x, row}, s)});
}

TEST_CASE("the text of a map with a transposed operand") {
    graph g;
    dims s{1000, 1000};
    node_id x = g.add_input(0, dtype::float32, s), t = g.add_view(x, transposed(contiguous(s), {1, 0}));
    check("transposed", g, {apply_to(g, op::add, {x, t}, s)});
}

TEST_CASE("the text of a small map over views") {
    graph g;
    node_id x = g.add_input(0, dtype::int32, {6, 5, 4});
    node_id t = g.add_view(x, transposed(sliced(contiguous({6, 5, 4}), 0, 5, -2, 3), {2, 1, 0}));
    check("views", g, {apply_to(g, op::add, {t, g.add_index({4, 5, 3})}, {4, 5, 3})});
}

TEST_CASE("the text of a stencil") {
    graph g;
    const dims s{999, 499}, inner{997, 497};
    node_id x = g.add_input(0, dtype::float64, s), sum = g.add_scalar(scalar_value::of(0.5));
    for (const dims& first : {dims{1, 1}, dims{1, 0}, dims{1, 2}, dims{2, 1}, dims{0, 1}}) {
        const layout at = sliced(sliced(contiguous(s), 0, first[0], 1, inner[0]), 1, first[1], 1, inner[1]);
        sum = apply_to(g, op::add, {sum, g.add_view(x, at)}, inner);
    }
    check("stencil", g, {sum});
}

TEST_CASE("the text of a stencil of three axes") {
    graph g;
    const dims s{102, 129, 131}, inner{100, 127, 129};
    node_id x = g.add_input(0, dtype::float32, s), sum = g.add_scalar(scalar_value::of(0.5f));
    for (const dims& first : {dims{1, 1, 1}, dims{0, 1, 1}, dims{1, 0, 1}, dims{1, 1, 2}}) {
        layout at = contiguous(s);
        for (int axis = 0; axis < 3; ++axis) at = sliced(at, axis, first[axis], 1, inner[axis]);
        sum = apply_to(g, op::add, {sum, g.add_view(x, at)}, inner);
    }
    check("stencil_of_three_axes", g, {sum});
}

TEST_CASE("the text of a map whose operands lie along one axis each") {
    graph g;
    const dims s{2000, 1024};
    node_id p = g.add_input(0, dtype::float32, {2000, 2}), q = g.add_input(1, dtype::float32, {1024, 2});
    node_id rows = g.add_view(p, layout{s, {2, 0}, 1}), columns = g.add_view(q, layout{s, {0, 2}, 1});
    check("outer", g, {apply_to(g, op::square, {apply_to(g, op::subtract, {rows, columns}, s)}, s)});
}

TEST_CASE("the text of a map that reads backwards") {
    graph g;
    const dims s{1000, 1024};
    node_id x = g.add_input(0, dtype::float32, s), t = g.add_view(x, layout{s, {1024, -1}, 1023});
    check("reversed", g, {apply_to(g, op::add, {x, t}, s)});
}

TEST_CASE("the text of a map that takes rows at positions") {
    graph g;
    node_id x = g.add_input(0, dtype::float32, {100, 128}), i = g.add_input(1, dtype::int64, {10'000});
    check("take_rows", g, {apply_to(g, op::negative, {g.add_gather(x, {&i, 1}, {1, 0})}, {10'000, 128})});
}

TEST_CASE("the text of a kernel that finds its numbers in memory") {
    graph g;
    const dims s{1000};
    node_id x = g.add_input(0, dtype::float32, s), share = g.add_scalar(scalar_value::of(0.5f)),
            y = g.add_scalar(scalar_value::of(3.0f));
    g.roots = {apply_to(g, op::divide, {apply_to(g, op::multiply, {x, share}, s), y}, s)};
    plan p = fuse(g, {false});
    p.kernels[0].scalars_in_memory = true;
    compare("scalars_in_memory.cuda", scalar_writer_cuda().text + "\n" + emit_cuda(p.kernels[0]).text);
}

TEST_CASE("the text of what multiplies a product by a number") {
    compare("scale_float64.cuda", scaling_cuda(dtype::float64).text);
}

TEST_CASE("the text of what lists the matrices of a product") {
    compare("matrix_lists.cuda", matrix_lists_cuda().text);
}

TEST_CASE("the text of a read at indices") {
    graph g;
    node_id x = g.add_input(0, dtype::float64, {100, 40}), i = g.add_input(1, dtype::int64, {7});
    check("take", g, {g.add_gather(x, {&i, 1}, {1, 0})});
}

TEST_CASE("the text of random numbers") {
    graph g;
    dims s{100'000};
    node_id seed = g.add_scalar(scalar_value::of(std::uint64_t{1})),
            stream = g.add_scalar(scalar_value::of(std::uint64_t{2}));
    node_id words = apply_to(g, op::philox_32, {g.add_cast(g.add_index(s), dtype::uint64), seed, stream}, s);
    check("random", g, {apply_to(g, op::unit_float, {words}, s)});
}

TEST_CASE("the text of a reduction of long rows") {
    graph g;
    dims s{100, 100'000};
    node_id x = g.add_input(0, dtype::float32, s);
    node_id sum = g.add_reduce(reduction::sum, apply_to(g, op::square, {x}, s), 2);
    check("norm_of_rows", g, {apply_to(g, op::sqrt, {sum}, {100})});
}

TEST_CASE("the text of a sum of bytes, whose blocks threads combine by themselves") {
    graph g;
    check("sum_of_bytes", g, {g.add_reduce(reduction::sum, g.add_input(0, dtype::int8, {10, 10'000'000}), 2)});
}

TEST_CASE("the text of a reduction of short rows") {
    graph g;
    node_id x = g.add_input(0, dtype::float32, {10'000, 10});
    check("argmax_of_rows", g, {g.add_reduce(reduction::argmax, x, 2)});
}

TEST_CASE("the text of the greatest elements and their places") {
    graph g;
    node_id x = g.add_input(0, dtype::float32, {3'000'000});
    check("max_and_argmax", g, {g.add_reduce(reduction::max, x, 1), g.add_reduce(reduction::argmax, x, 1)});
}

TEST_CASE("the text of a reduction of columns") {
    graph g;
    node_id x = g.add_input(0, dtype::complex64, {5000, 300});
    check("sum_of_columns", g, {g.add_reduce(reduction::sum, x, 1)});
    graph h;
    x = h.add_input(0, dtype::int8, {5000, 300});
    check("sum_of_narrow_columns", h, {h.add_reduce(reduction::sum, x, 1)});
}

TEST_CASE("the text of a softmax of columns that a thread has to itself, or eight") {
    for (dims s : {dims{3, 200'000}, dims{100, 3000}}) {
        graph h;
        node_id x = h.add_input(0, dtype::float32, s);
        auto along = [&](node_id row) { return h.add_view(row, {s, {0, 1}, 0}); };
        node_id e =
            apply_to(h, op::exp, {apply_to(h, op::subtract, {x, along(h.add_reduce(reduction::max, x, 1))}, s)}, s);
        h.roots = {apply_to(h, op::divide, {e, along(h.add_reduce(reduction::sum, e, 1))}, s)};
        verify(h);
        plan p = fuse(h, {false});
        REQUIRE(p.kernels.size() == 1);
        compare(s[0] == 3 ? "softmax_of_short_columns.cuda" : "softmax_of_columns.cuda", emit_cuda(p.kernels[0]).text);
    }
}

TEST_CASE("the text of distances from the sums of columns so short and many that a thread has several") {
    graph g;
    const dims s{3, 2'000'003};
    node_id x = g.add_input(0, dtype::float32, s),
            along = g.add_view(g.add_reduce(reduction::sum, x, 1), {s, {0, 1}, 0});
    g.roots = {apply_to(g, op::subtract, {x, along}, s)};
    verify(g);
    plan p = fuse(g, {false});
    REQUIRE(p.kernels.size() == 1);
    compare("distances_of_short_columns.cuda", emit_cuda(p.kernels[0]).text);
}

TEST_CASE("the text of distances from the first element of rows and columns") {
    graph g, h;
    node_id x = g.add_cast(g.add_input(0, dtype::float32, {100, 100'000}), dtype::float64);
    node_id sum = g.add_reduce(reduction::first, x, 2);
    check("squares_of_rows", g, {sum, g.add_reduce(reduction::squares_from_first, x, 2)});
    node_id y = h.add_cast(h.add_input(0, dtype::float32, {5000, 300}), dtype::float64);
    sum = h.add_reduce(reduction::first, y, 1);
    check("squares_of_columns", h, {sum, h.add_reduce(reduction::squares_from_first, y, 1)});
    graph i;
    node_id z = i.add_cast(i.add_input(0, dtype::float32, {100'000, 20}), dtype::float64);
    sum = i.add_reduce(reduction::first, z, 2);
    check("squares_of_many_short_rows", i, {sum, i.add_reduce(reduction::squares_from_first, z, 2)});
}

TEST_CASE("the text of distances, rows of an outer product of which a thread has several") {
    graph g;
    const dims shape = {1000, 700, 16};
    const node_id x = g.add_view(g.add_input(0, dtype::float32, {1000, 16}), {shape, {16, 0, 1}, 0}),
                  c = g.add_view(g.add_input(1, dtype::float32, {700, 16}), {shape, {0, 16, 1}, 0});
    const node_id d = apply_to(g, op::subtract, {x, c}, shape);
    check("distances", g, {g.add_reduce(reduction::sum, apply_to(g, op::multiply, {d, d}, shape), 4)});
}

TEST_CASE("the text of a softmax of rows that stay in registers") {
    struct rows {
        const char* name;
        dims shape;
    };
    for (const auto& [name, s] : {rows{"softmax_of_short_rows", {1000, 100}},
                                  {"softmax_of_rows", {1000, 4000}},
                                  {"softmax_of_many_short_rows", {100'000, 20}},
                                  {"softmax_of_unaligned_short_rows", {100'000, 50}},
                                  {"softmax_of_striped_short_rows", {1000, 301}},
                                  {"softmax_of_few_rows", {30, 1000}}}) {
        graph h;
        node_id x = h.add_input(0, dtype::float32, s);
        const auto along = [&h, &s = s](node_id row) { return h.add_view(row, {s, {1, 0}, 0}); };
        node_id e =
            apply_to(h, op::exp, {apply_to(h, op::subtract, {x, along(h.add_reduce(reduction::max, x, 2))}, s)}, s);
        node_id y = apply_to(h, op::divide, {e, along(h.add_reduce(reduction::sum, e, 2))}, s);
        check(name, h, {y});
    }
}

namespace {

kernel_source long_rows(graph& h, node_id root) {
    h.roots = {root};
    verify(h);
    plan p =
        fuse(h, {false},
             {.recompute = 128, .row_length = std::numeric_limits<std::int64_t>::max(), .family = data_center_family});
    REQUIRE(p.kernels.size() == 1);
    return emit_cuda(p.kernels[0]);
}

}  // namespace

TEST_CASE("the text of a softmax of rows that a thread block holds in shared memory, or a cluster of them") {
    for (std::int64_t length : {20001, 50257}) {
        graph h;
        const dims s{1000, length};
        node_id x = h.add_input(0, dtype::float32, s);
        auto along = [&](node_id row) { return h.add_view(row, {s, {1, 0}, 0}); };
        node_id e =
            apply_to(h, op::exp, {apply_to(h, op::subtract, {x, along(h.add_reduce(reduction::max, x, 2))}, s)}, s);
        node_id y = apply_to(h, op::divide, {e, along(h.add_reduce(reduction::sum, e, 2))}, s);
        compare(length < 30000 ? "softmax_of_resident_rows.cuda" : "softmax_of_rows_of_clusters.cuda",
                long_rows(h, y).text);
    }
}

TEST_CASE("a cluster has begun before its first results arrive, in whatever stage that is, if there are any") {
    const dims s{1000, 50257};
    for (bool joins : {true, false}) {
        graph h;
        node_id x = h.add_input(0, dtype::float32, s);
        auto along = [&](node_id row) { return h.add_view(row, {s, {1, 0}, 0}); };
        node_id first = h.add_cast(h.add_reduce(reduction::first, h.add_cast(x, dtype::float64), 2), dtype::float32);
        node_id y = apply_to(h, op::subtract, {x, along(first)}, s);
        if (joins) y = apply_to(h, op::subtract, {y, along(h.add_reduce(reduction::max, y, 2))}, s);
        const std::string text = long_rows(h, y).text;
        const std::size_t begun = text.find("wait_for_cluster();", text.find("extern \"C\"")),
                          expected = text.find("expect(&barriers[0]");
        CHECK((expected != text.npos) == joins);
        CHECK((begun < expected) == joins);
        CHECK(text.find("barriers[1];") != text.npos);
    }
}

TEST_CASE("the text of a scan of long rows") {
    graph g;
    node_id x = g.add_input(0, dtype::float32, {1'000'000});
    check("cumsum", g, {g.add_scan(reduction::sum, x, 1)});
}

TEST_CASE("the text of a scan of columns, and of few of them") {
    for (std::int64_t columns : {20'000, 8}) {
        graph g;
        node_id x = g.add_input(0, dtype::float32, {20'000, columns});
        check(columns == 8 ? "cumsum_of_few_columns" : "cumsum_of_columns", g, {g.add_scan(reduction::sum, x, 1)});
    }
}

TEST_CASE("the text of a selection") {
    graph g;
    dims s{1'000'000};
    node_id x = g.add_input(0, dtype::float32, s), half = g.add_literal(scalar_value::of(0.5f));
    check("select", g, {g.add_select(apply_to(g, op::greater, {x, half}, s), x)});
}
