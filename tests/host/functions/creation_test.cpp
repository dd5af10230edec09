// Arrays made from numbers, and their way to and from host memory, against values that NumPy wrote.
#include "support/shapes_golden.hpp"

#include <array>
#include <list>
#include <span>
#include <sinter/functions/creation.hpp>
#include <sinter/runtime/lazy/evaluate.hpp>
#include <sinter/runtime/report/summary.hpp>

namespace {

using namespace sinter;
using golden::check;
using golden::message_of;
using golden::on_each_backend;
using complex = std::complex<double>;

TEST_CASE("constants have the shape, type and value that was asked for") {
    on_each_backend([] {
        check("zeros", zeros({2, 3}));
        check("zeros_int", zeros<int>(4));
        check("ones_0", ones<float>({0, 2}));
        check("ones_rank0", ones({}));
        check("full_int", full({2, 2}, 7));
        check("full_complex", full(2, complex(1, -2)));
        array<std::int64_t> a{{0, 1, 2}, {3, 4, 5}};
        check("zeros_like", zeros_like(a + 1));
        check("full_like", full_like(linspace(0, 1, 4), 3));
        CHECK(empty<float>({3, 5}).eval().shape() == dims(3, 5));
        CHECK(empty_like<int>(a).dtype() == dtype::int32);
        CHECK(ones_like(a).item(1, 2) == 1);
        CHECK(full<float>({1}, 2).dtype() == dtype::float32);
    });
}

TEST_CASE("arange counts as NumPy's does, in both directions and with fractions") {
    on_each_backend([] {
        check("arange", arange(5));
        check("arange_0", arange(0));
        check("arange_1", arange(1));
        check("arange_negative_stop", arange(-3));
        check("arange_start", arange(2, 9));
        check("arange_step", arange(1, 10, 3));
        check("arange_down", arange(10, 0, -3));
        check("arange_wrong_way", arange(5, 2));
        check("arange_float", arange(0.5, 4, 0.5));
        check("arange_f32", arange<float>(3));
        check("arange_inexact", arange(0.0, 1.0, 0.1));
        check("arange_mixed", arange(0, 2, 0.5));
        check("arange_u8", arange<std::uint8_t>(250, 256));
        CHECK(arange(3.0f).dtype() == dtype::float32);
        CHECK(arange(std::size_t(3)).dtype() == dtype::int64);
        constexpr std::int64_t low = std::numeric_limits<std::int64_t>::min(),
                               high = std::numeric_limits<std::int64_t>::max();
        CHECK(arange(low, high, high).size() == 3);
    });
    CHECK(message_of<value_error>([] { arange(0, 5, 0); }) == "[arange] the step is zero");
    CHECK_THROWS_AS(arange(0.0, INFINITY), value_error);
    CHECK_THROWS_AS(arange(0.0, NAN), value_error);
}

TEST_CASE("evenly spaced numbers end exactly where they should") {
    on_each_backend([] {
        check("linspace", linspace(0, 1, 7));
        check("linspace_default", linspace(-1, 1));
        check("linspace_0", linspace(0, 1, 0));
        check("linspace_1", linspace(3, 5, 1));
        check("linspace_down", linspace(5, -5, 11));
        check("linspace_open", linspace(0, 1, 5, {.endpoint = false}));
        check("linspace_int", linspace<std::int64_t>(-3, 10, 5));
        check("linspace_f32", linspace<float>(0, 1, 6));
        check("linspace_complex", linspace<complex>(0, complex(1, 2), 5));
        check("logspace", logspace(0, 3, 7));
        check("logspace_base", logspace(0, 4, 5, {.base = 2}));
        check("geomspace", geomspace(1, 1000, 7));
        check("geomspace_negative", geomspace(-1, -256, 9));
        for (int n : {2, 3, 50, 999}) CHECK(linspace(0.1, 0.7, n).item(n - 1) == 0.7);
        CHECK(geomspace(3, 7, 11).item(10) == 7);
    });
    CHECK(message_of<value_error>([] { linspace(0, 1, -1); }) == "[linspace] the number of samples is negative: -1");
    CHECK_THROWS_AS(geomspace(0, 1), value_error);
    CHECK_THROWS_AS(geomspace(-1, 1), value_error);
}

TEST_CASE("matrices of a pattern are ones and zeros, or parts of a matrix, in the right places") {
    on_each_backend([] {
        array<std::int64_t> a{{0, 1, 2}, {3, 4, 5}};
        check("eye", eye(3));
        check("eye_wide", eye(2, 4, 1));
        check("eye_low", eye(4, 3, -2));
        check("eye_0", eye(0));
        check("eye_int", eye<int>(2));
        check("identity", identity(2));
        check("tri", tri(3));
        check("tri_wide", tri(3, 5, 1));
        check("tri_low", tri<int>(3, 3, -1));
        check("tril", tril(a));
        check("triu", triu(a));
        check("tril_vector", tril(arange(5)));
        check("diag_vector", diag(arange(5)));
        check("diag_up", diag(arange(5), 2));
        check("diag_down", diag(arange(5), -1));
        check("diag_matrix", diag(a));
        check("diag_matrix_up", diag(a, 1));
        check("diag_matrix_down", diag(a, -1));
        check("diag_outside", diag(a, 5));
        check("diag_empty", diag(zeros(0)));
        check("vander", vander(arange(5)));
        check("vander_n", vander(linspace(0, 1, 4), 3));
        check("vander_up", vander(arange(5), 4, {.increasing = true}));
        CHECK(to_vector(vander(array<std::uint8_t>{2, 3}, 8)) ==
              std::vector<std::int64_t>{128, 64, 32, 16, 8, 4, 2, 1, 2187, 729, 243, 81, 27, 9, 3, 1});
        CHECK(to_vector(vander(array<bool>{true, false}, 2)) == std::vector<std::int64_t>{1, 1, 0, 1});
        CHECK(vander(array<std::uint64_t>{2}, 2).dtype() == dtype::float64);
        CHECK(vander(array<float>{2}, 2).dtype() == dtype::float32);
        check("fused", eye(3) * arange(3) + ones({3, 3}));
    });
    CHECK(message_of<value_error>([] { diag(zeros({2, 2, 2})); }) ==
          "[diag] an array of shape (2, 2, 2) is neither a vector nor a matrix");
}

TEST_CASE("grids give each point its coordinates") {
    on_each_backend([] {
        array x = arange(5);
        array y = linspace(0, 1, 4);
        auto [xx, yy] = meshgrid(x, y);
        check("meshgrid_x", xx);
        check("meshgrid_y", yy);
        check("meshgrid_ij", std::get<0>(meshgrid(x, y, {.indexing = "ij"})));
        check("meshgrid_3", std::get<1>(meshgrid(x, y, array<std::int64_t>{7})));
        check("meshgrid_1", std::get<0>(meshgrid(x)));
        check("meshgrid_0", std::get<0>(meshgrid(x, zeros(0))));
        check("indices", indices({2, 3}));
        check("indices_3", indices({2, 1, 3}));
        check("indices_1", indices({4}));
        check("from_function", from_function<double>({3, 4}, [](auto i, auto j) { return i * 10 + j; }));
        check("from_function_1", from_function<double>(5, [](const auto& i) { return i * i; }));
        CHECK(from_function<int>({2, 2}, [](auto, auto) { return 3.0; }).item(1, 1) == 3);
    });
    CHECK_THROWS_AS(meshgrid(zeros({2, 2}), zeros(2)), value_error);
    CHECK_THROWS_AS(meshgrid(zeros(2), zeros(2), {.indexing = "yx"}), value_error);
    CHECK(message_of<value_error>([] {
              from_function<float>({2, 2, 2}, [](const array<std::int64_t>& i) { return i; });
          }) == "[from_function] the function does not take one argument for each axis of (2, 2, 2)");
}

TEST_CASE("constants, ranges and grids are never stored: what uses them is one kernel") {
    on_each_backend([] {
        array<double> x = arange<double>(12);
        array grid = eye(12) + x;
        auto [xx, yy] = meshgrid(x, linspace(0, 1, 12));
        array y = (grid * xx - yy) * full({12, 12}, 0.25) + tril(ones({12, 12}));
        detail::handle h = detail::as_handle(y);
        runtime::value* root = h.get();
        runtime::plan_summary plan = runtime::summarize({&root, 1});
        CHECK(plan.kernels == 1);
        CHECK(plan.bytes_read == 0);
        CHECK(plan.bytes_written == 12 * 12 * 8);
        double expected = (0 + 5.0) * 5 - 3.0 / 11;
        CHECK(y.item(3, 5) == doctest::Approx(expected * 0.25));
    });
}

TEST_CASE("other lengths and other numbers reuse the kernels of a range") {
    device_scope on(device::cpu());
    runtime::backend_scope with(runtime::backend::host);
    auto total = [](int n, double first, double last) {
        array<double> v = linspace(first, last, n) * arange<double>(n);
        return to_vector(v).back();
    };
    total(10, 0, 1);
    reset_counters();
    CHECK(total(11, 0.5, 3) == 30);
    CHECK(total(1001, 2, 8) == 8000);
    CHECK(counters().kernels_compiled == 0);
    CHECK(counters().disk_hits == 0);
}

TEST_CASE("host memory becomes an array and comes back") {
    device_scope on(device::cpu());
    std::vector<float> v{1, 2, 3, 4, 5, 6};
    array<float> a = asarray(v, {2, 3});
    host_array<float> h = to_host(a * 2);
    CHECK(h.shape() == dims(2, 3));
    CHECK(h(1, 0) == 8);
    CHECK(h(-1, -1) == 12);
    CHECK(std::vector<float>(h.begin(), h.end()) == std::vector<float>{2, 4, 6, 8, 10, 12});
    host_array<float> copy = h;
    copy(0, 0) = 7;
    CHECK(h(0, 0) == 2);
    CHECK(asnumpy(a)(0, 2) == 3);
    CHECK(to_vector(asarray(std::list<int>{3, 1, 2})) == std::vector<int>{3, 1, 2});
    CHECK(to_vector(asarray<double>(std::array<int, 2>{3, 1})) == std::vector<double>{3, 1});
    CHECK(to_vector(asarray(std::vector<bool>{true, false})) == std::vector<bool>{true, false});
    CHECK(asarray(v.data() + 1, {2, 2}).item(1, 1) == 5);
    CHECK(asarray(std::vector<int>{}).shape() == dims(0));
    std::array<float, 6> to;
    copy_to(a.T(), to);
    CHECK(to == std::array<float, 6>{1, 4, 2, 5, 3, 6});
    std::vector<float> part(3);
    copy_to(a(1), std::span(part));
    CHECK(part == std::vector<float>{4, 5, 6});
    CHECK(item(full({1, 1}, 4)) == 4);
    auto [low, high] = items(full({}, 2.5), full({1}, 3));
    CHECK(low == 2.5);
    CHECK(high == 3);
    CHECK(to_host(zeros({0, 3})).size() == 0);
    CHECK(to_host(zeros({})).data()[0] == 0);
}

TEST_CASE("sizes and indices that do not fit are named") {
    device_scope on(device::cpu());
    std::vector<int> v{1, 2, 3};
    CHECK(message_of<shape_error>([&] { asarray(v, {2, 2}); }) ==
          "[asarray] 3 elements do not fill an array of shape (2, 2)");
    CHECK(message_of<shape_error>([&] { copy_to(zeros<int>({2, 2}), v); }) ==
          "[copy_to] 3 elements do not fill an array of shape (2, 2)");
    auto h = to_host(zeros({2, 3}));
    CHECK(message_of<index_error>([&] { h(2, 0); }) == "[host_array] no element at (2, 0) of an array of shape (2, 3)");
    CHECK_THROWS_AS(h(1), index_error);
}

}  // namespace
