// Views, joined arrays and picked elements against values that NumPy wrote, and what they cost.
#include "support/shapes_golden.hpp"

#include <sinter/analysis/padding.hpp>
#include <sinter/functions/creation.hpp>
#include <sinter/functions/picking.hpp>
#include <sinter/functions/reductions.hpp>
#include <sinter/runtime/report/summary.hpp>

namespace {

using namespace sinter;
using golden::check;
using golden::message_of;
using golden::on_each_backend;
using complex = std::complex<double>;
using numbers = array<std::int64_t>;

/// Every case's operands, in memory or still to be computed.
struct operands {
    numbers v, a, b, c, one;
    array<double> f, e0, e3;
    array<complex> z{complex(1, 2), complex(3, -1)};

    explicit operands(bool stored)
        : v(arange(5)),
          a(reshape(arange(6), {2, 3})),
          b(a + 10),
          c(reshape(arange(24), {2, 3, 4})),
          one{7},
          f(linspace(0, 1, 4)),
          e0(zeros(0)),
          e3(zeros({0, 3})) {
        if (!stored) return;
        for (numbers* x : {&v, &a, &b, &c}) x->eval();
        for (array<double>* x : {&f, &e0, &e3}) x->eval();
    }
};

template <class F>
void with_operands(F f) {
    on_each_backend([&] {
        for (bool stored : {true, false}) {
            CAPTURE(stored);
            const operands o(stored);
            f(o);
        }
    });
}

TEST_CASE("an array has the same elements in another shape or another order of axes") {
    with_operands([](const operands& o) {
        check("reshape", reshape(o.c, {4, -1}));
        check("reshape_of_T", reshape(o.c.T(), {6, 4}));
        check("ravel_T", ravel(o.a.T()));
        check("ravel_T", flatten(transpose(o.a)));
        check("reshape_0", reshape(o.e3, {3, -1}));
        check("reshape_rank0", reshape(o.one, {}));
        check("transpose", transpose(o.c));
        check("transpose_axes", transpose(o.c, {1, -1, 0}));
        check("transpose_axes", permute_dims(o.c, {1, 2, 0}));
        check("swapaxes", swapaxes(o.c, 0, -1));
        check("moveaxis", moveaxis(o.c, 0, -1));
        check("moveaxis_list", moveaxis(o.c, {0, 1}, {-1, -2}));
        check("squeeze", squeeze(o.c(all, slice(1), slice(1))));
        check("squeeze_axis", squeeze(o.c(all, slice(1), slice(1)), -1));
        check("expand_dims", expand_dims(o.a, 1));
        check("expand_dims_list", expand_dims(o.a, {0, -1}));
        check("broadcast_to", broadcast_to(o.a, {2, 2, 3}));
        check("broadcast_column", broadcast_to(o.a(all, slice(1)), {2, 4}));
        check("broadcast_arrays", std::get<1>(broadcast_arrays(o.a(all, slice(1)), o.f(slice(3)))));
        check("atleast_1d", atleast_1d(full<std::int64_t>({}, 3)));
        check("atleast_2d", atleast_2d(o.v));
        check("atleast_3d", atleast_3d(o.v));
        check("atleast_3d_matrix", atleast_3d(o.a));
    });
}

TEST_CASE("an array can be reversed, turned, split and looked at through windows") {
    with_operands([](const operands& o) {
        check("flip", flip(o.c));
        check("flip_axis", flip(o.c, 1));
        check("flip_axes", flip(o.c, {0, -1}));
        check("flip_0", flip(o.e3));
        check("fliplr", fliplr(o.a));
        check("flipud", flipud(o.a));
        check("rot90", rot90(o.a));
        check("rot90_2", rot90(o.a, 2));
        check("rot90_3", rot90(o.a, 3));
        check("rot90_back", rot90(o.c, -1, {1, 2}));
        check("split_1", split(o.c, 2, 2)[1]);
        check("split_at", split(o.v, {1, 3})[1]);
        check("split_past", split(o.v, {3, 9})[1]);
        check("split_last", split(o.v, {3, 9})[2]);
        check("array_split", array_split(o.v, 3)[1]);
        check("array_split_2", array_split(o.v, 3)[2]);
        check("array_split_empty", array_split(o.v, 7)[6]);
        check("windows", sliding_window_view(o.v, 3));
        check("windows_2", sliding_window_view(o.a, {2, 2}));
        check("windows_axis", sliding_window_view(o.c, 2, 1));
        check("windows_axes", sliding_window_view(o.c, {2, 3}, {0, -1}));
        check("diagonal_axes", diagonal(o.c, 1, 1, 2));
        check("diagonal_swapped", diagonal(o.c, 1, 2, 0));
        check("tril_k", tril(o.c, 1));
        check("triu_k", triu(o.c, -1));
        check("complex_flip", flip(o.z));
    });
}

TEST_CASE("views of views and views of pending values read the right elements") {
    with_operands([](const operands& o) {
        check("view_of_view", reshape(o.c.T()(slice(none, none, -1), slice(1, none)), {4, -1})(slice(none, none, 2)));
        check("slice_of_flip", flip(o.c, 2)(all, slice(none, none, -2), slice(1, 3)));
        check("window_of_reshape", sliding_window_view(ravel(o.c), 5)(slice(none, none, 7)));
        check("diag_of_T", diag(o.a.T(), -1));
        check("pending_views", reshape(flip((o.a + 1).T(), 0), {2, 3})(all, slice(none, none, -1)));
        check("pending_broadcast", broadcast_to((o.a * 2)(all, slice(1, 2)), {2, 3}) + 1);
    });
}

TEST_CASE("taking views runs nothing") {
    device_scope on(device::cpu());
    array<double> a = arange<double>(24).eval();
    a = reshape(a, {2, 3, 4}).eval();
    reset_counters();
    array<double> y = reshape(flip(swapaxes(a, 0, 2), 1)(slice(1, none)), {3, 3, 2});
    y = squeeze(split(expand_dims(y, 0), 3, 1)[2]);
    y = broadcast_to(rot90(y), {2, 2, 3});
    array<double> w = diag(sliding_window_view(ravel(a), 3), 1);
    CHECK(w.eval().shape() == dims(2));
    CHECK(swapaxes(a, 0, 1).eval().data() == a.data());
    CHECK(flip(a).eval().data() == a.data() + 23);
    CHECK(counters().launches == 0);
    CHECK(counters().kernels_compiled == 0);
    CHECK(counters().bytes_to_host == 0);
    CHECK(y.shape() == dims(2, 2, 3));
}

TEST_CASE("arrays are put together along an axis") {
    with_operands([](const operands& o) {
        check("concatenate", concatenate({o.a, o.b}));
        check("concatenate", concatenate(std::vector{o.a, o.b}));
        check("concatenate", concatenate(std::tuple(o.a, o.a + 10)));
        check("concatenate_1", concatenate({o.a, o.b}, -1));
        check("concatenate_types", concatenate(std::tuple(o.a, reshape(o.f, {2, 2})), 1));
        check("concatenate_empty", concatenate({o.e0, o.f, o.e0}));
        check("concatenate_one", concatenate({o.a}));
        check("concatenate_views", concatenate({o.a.T(), flip(o.b, 1).T()}));
        check("concatenate_five", concatenate(std::tuple(o.v, o.v + 1, o.v * 2, o.one, flip(o.v))));
        check("stack", stack({o.a, o.b}));
        check("stack_last", stack({o.a, o.b}, -1));
        check("stack_1", stack(std::tuple(o.v, repeat(o.f(slice(1)), 5)), 1));
        check("hstack", hstack({o.a, o.b}));
        check("hstack_vector", hstack({o.v, o.one}));
        check("vstack", vstack(std::tuple(o.v, o.v * 2)));
        check("vstack_matrix", vstack({o.a, o.b}));
        check("dstack", dstack({o.a, o.b}));
        check("dstack_vector", dstack({o.v, o.v}));
        check("column_stack", column_stack(std::tuple(o.v, o.v * o.v)));
        check("column_stack_mixed", column_stack({o.a, numbers{8, 9}}));
        check("append", append(o.a, o.v));
        check("append_axis", append(o.a, o.b, 0));
        check("complex_stack", stack(std::tuple(o.z, array<double>{1.5, 2})));
    });
}

TEST_CASE("each part of a concatenation is computed straight into the result, and what they are made of is read once") {
    device_scope on(device::cpu());
    runtime::backend_scope with(runtime::backend::host);
    array<double> x = arange<double>(1000).eval();
    array<double> y = concatenate(std::tuple(x * 2, sqrt(x), x + 1));
    detail::handle h = detail::as_handle(y);
    runtime::value* root = h.get();
    runtime::plan_summary plan = runtime::summarize({&root, 1});
    CHECK(plan.bytes_written == 3 * 8000);
    CHECK(plan.bytes_read == 8000);
    CHECK(y.item(1004) == 2);
}

TEST_CASE("arrays are repeated, rolled and padded") {
    with_operands([](const operands& o) {
        check("tile", tile(o.v, 2));
        check("tile_2", tile(o.a, {2, 2}));
        check("tile_more", tile(o.v, {2, 1, 2}));
        check("tile_0", tile(o.a, {0, 2}));
        check("tile_few", tile(o.c, 2));
        check("tile_wide", tile(reshape(arange(16), {2, 2, 2, 2, 1}), {2, 1, 2, 2, 3}));
        check("repeat", repeat(o.a, 2));
        check("repeat_axis", repeat(o.a, 3, 0));
        check("repeat_last", repeat(o.c, 2, -1));
        check("repeat_counts", repeat(o.a, {2, 0, 1}, 1));
        check("repeat_0", repeat(o.v, 0));
        check("roll", roll(o.a, 1));
        check("roll_back", roll(o.v, -2));
        check("roll_axis", roll(o.c, 5, 1));
        check("roll_axes", roll(o.c, {1, -1}, {0, 2}));
        check("roll_0", roll(o.e0, 3));
        check("roll_far", roll(o.v, -13));
        check("roll_pending", roll(o.a * o.a, 1, 1) - o.a);
        check("pad", pad(o.a, 1));
        check("pad_pair", pad(o.v, {1, 2}, {.constant_values = 9}));
        check("pad_each", pad(o.a, {{0, 1}, {2, 0}}));
        check("pad_float", pad(o.f, 2, {.constant_values = 0.5}));
        check("pad_edge", pad(o.a, {{2, 1}, {0, 3}}, {.mode = "edge"}));
        check("pad_reflect", pad(o.v, {3, 9}, {.mode = "reflect"}));
        check("pad_reflect_1", pad(o.one, 2, {.mode = "reflect"}));
        check("pad_symmetric", pad(o.v, {7, 12}, {.mode = "symmetric"}));
        check("pad_wrap", pad(o.a, {{1, 3}, {4, 2}}, {.mode = "wrap"}));
        check("pad_empty", pad(o.e0, 2, {.constant_values = 1}));
        check("pad_0", pad(o.a, 0));
        check("pad_pending", pad(o.a + 1, 1) * 2);
        check("complex_pad", pad(o.z, 1));
    });
}

TEST_CASE("elements are inserted and deleted") {
    with_operands([](const operands& o) {
        check("insert", insert(o.v, 2, 9));
        check("insert_end", insert(o.v, 5, numbers{8, 9}));
        check("insert_negative", insert(o.v, -1, 9));
        check("insert_row", insert(o.a, 1, numbers{7, 8, 9}, 0));
        check("insert_column", insert(o.a, 1, numbers{7, 8}, 1));
        check("insert_flat", insert(o.a, 3, 9));
        check("insert_many", insert(o.v, {3, 1, 1}, numbers{10, 20, 30}));
        check("insert_many_columns", insert(o.a, {0, 3}, -1, 1));
        check("insert_list_1", insert(o.a, {1}, numbers{{7}, {8}}, 1));
        check("insert_cast", insert(o.v, 1, 2.75));
        check("delete", delete_(o.v, 1));
        check("delete_last", delete_(o.v, -1));
        check("delete_row", delete_(o.a, 0, 0));
        check("delete_columns", delete_(o.a, {2, 0, 2}, 1));
        check("delete_flat", delete_(o.a, {1, 4}));
        check("delete_many", delete_(arange(40), to_vector(arange(0, 36, 2))));
        check("delete_all", delete_(o.one, 0));
    });
}

TEST_CASE("elements are picked by number and by condition") {
    with_operands([](const operands& o) {
        check("take", take(o.a, {5, 0, -1}));
        check("take_axis", take(o.a, {2, 0}, 1));
        check("take_matrix", take(o.c, {{2, 0}, {-1, 1}}, 1));
        check("take_number", take(o.c, -1, 1));
        check("take_flat_number", take(o.a, 4));
        check("take_0", take(o.v, zeros<std::int64_t>(0)));
        check("take_pending", take(o.a * 3, array<int>{1, 1}, 0));
        check("take_along", take_along_axis(o.a, {{2, 0}, {1, -1}}, 1));
        check("take_along_0", take_along_axis(o.c, {{{1, 0, 1, 0}}}, 0));
        check("compress", compress(array<bool>{true, false, true}, o.a, 1));
        check("compress_short", compress(array<bool>{false, true}, o.v));
        check("compress_flat", compress(array<int>{0, 1, 0, 1}, o.a));
        auto at = nonzero(o.a % 2);
        check("nonzero_0", at[0]);
        check("nonzero_1", at[1]);
        check("flatnonzero", flatnonzero(o.a % 3));
        check("argwhere", argwhere(o.a > 2));
        check("argwhere_none", argwhere(o.a > 9));
        auto place = unravel_index({5, 0, 3}, {2, 3});
        check("unravel_0", place[0]);
        check("unravel_1", place[1]);
        check("ravel_multi", ravel_multi_index(std::tuple(numbers{1, 0, 1}, numbers{2, 0, 0}), {2, 3}));
        CHECK(unravel_index(4, {2, 3})[1].item() == 1);
    });
}

TEST_CASE("what does not fit is named with its shapes") {
    device_scope on(device::cpu());
    const operands o(true);
    CHECK(message_of<shape_error>([&] { concatenate({o.a, ones<std::int64_t>({2, 4})}); }) ==
          "[concatenate] all axes except axis 0 must have the same size: (2, 3) and (2, 4)");
    CHECK(message_of<shape_error>([&] { hstack({o.a, o.b.T()}); }) ==
          "[hstack] all axes except axis 1 must have the same size: (2, 3) and (3, 2)");
    CHECK(message_of<shape_error>([&] { stack({o.a, o.v}); }) ==
          "[stack] all arrays must have the same shape: (2, 3) and (5,)");
    CHECK(message_of<value_error>([&] { concatenate(std::vector<numbers>()); }) ==
          "[concatenate] at least one array is needed");
    CHECK(message_of<value_error>([&] { hstack(std::vector<numbers>()); }) == "[hstack] at least one array is needed");
    CHECK_THROWS_AS(concatenate({full({}, 1), full({}, 2)}), value_error);
    CHECK(message_of<index_error>([&] { concatenate({o.a, o.b}, 2); }) ==
          "[concatenate] axis 2 is out of bounds for an array of 2 dimensions");
    CHECK(message_of<shape_error>([&] { reshape(o.a, {4, -1}); }) == "[reshape] cannot reshape (2, 3) to (4, -1)");
    CHECK(message_of<value_error>([&] { transpose(o.a, 0); }) ==
          "[transpose] axes (0,) do not match an array of shape (2, 3)");
    CHECK(message_of<value_error>([&] { transpose(o.a, {0, -2}); }) == "[transpose] an axis is repeated: (0, -2)");
    CHECK(message_of<value_error>([&] { squeeze(o.a, 0); }) == "[squeeze] axis 0 has a size other than one: (2, 3)");
    CHECK(message_of<shape_error>([&] { broadcast_to(o.a, {3, 3}); }) ==
          "[broadcast_to] shapes do not broadcast: (2, 3) and (3, 3)");
    CHECK(message_of<value_error>([&] { split(o.v, 2); }) ==
          "[split] 5 elements do not divide into 2 equal parts: use array_split");
    CHECK_THROWS_AS(array_split(o.v, 0), value_error);
    CHECK(message_of<value_error>([&] { sliding_window_view(o.v, 6); }) ==
          "[sliding_window_view] a window (6,) does not fit in (5,)");
    CHECK_THROWS_AS(sliding_window_view(o.a, 2), value_error);
    CHECK_THROWS_AS(fliplr(o.v), index_error);
    CHECK_THROWS_AS(rot90(o.v), index_error);
    CHECK_THROWS_AS(moveaxis(o.c, {0, 1}, 0), value_error);
    CHECK_THROWS_AS(tile(o.v, -1), value_error);
    CHECK_THROWS_AS(repeat(o.v, {1, 2}), shape_error);
    CHECK_THROWS_AS(repeat(o.v, -1), value_error);
    CHECK_THROWS_AS(pad(o.v, -1), value_error);
    CHECK_THROWS_AS(pad(o.e0, 1, {.mode = "edge"}), value_error);
    CHECK_THROWS_AS(pad(o.v, 1, {.mode = "mirror"}), value_error);
    CHECK_THROWS_AS(pad(o.v, {{1, 1}, {1, 1}}), value_error);
    CHECK(message_of<index_error>([&] { insert(o.v, 6, 1); }) == "[insert] index 6 is out of bounds for size 5");
    CHECK(message_of<index_error>([&] { delete_(o.v, 5); }) == "[delete_] index 5 is out of bounds for size 5");
    CHECK_THROWS_AS(take(o.v, 5), index_error);
    CHECK_THROWS_AS(to_host(take(o.v, {5})), index_error);
    CHECK_THROWS_AS(take_along_axis(o.a, {0, 1}, 1), value_error);
    CHECK_THROWS_AS(nonzero(full({}, 1)), value_error);
    CHECK_THROWS_AS(unravel_index({6}, {2, 3}), value_error);
    CHECK_THROWS_AS(ravel_multi_index(std::tuple(numbers{0}, numbers{3}), {2, 3}), value_error);
    CHECK_THROWS_AS(compress(o.v > 0, o.a, 1), index_error);
}

}  // namespace
