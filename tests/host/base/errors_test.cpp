// Every type of error that can be provoked on the CPU, with its exact message.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <sinter/sinter.hpp>
#include <sinter/special.hpp>

#include "support/type_lists.hpp"

using namespace sinter;

namespace {

struct on_cpu {
    device_scope on{device::cpu()};
    runtime::backend_scope use{runtime::backend::interpreter};
};

}  // namespace

TEST_CASE("shape errors name the operation and both shapes") {
    on_cpu scope;
    array<float> a = zeros<float>({3, 4}), b = zeros<float>({5, 6});
    CHECK_THROWS_WITH_AS(a + b, "[add] shapes do not broadcast: (3, 4) and (5, 6)", shape_error);
    CHECK_THROWS_WITH_AS(where(a > 0, a, b), "[where] shapes do not broadcast: (3, 4) and (5, 6)", shape_error);
    CHECK_THROWS_WITH_AS(matmul(a, b), "[matmul] inner dimensions differ: (3, 4) x (5, 6)", shape_error);
    CHECK_THROWS_WITH_AS(reshape(a, {5, 2}), "[reshape] cannot reshape (3, 4) to (5, 2)", shape_error);
    CHECK_THROWS_WITH_AS(reshape(zeros({0}), {0, -1}),
                         "[reshape] any size of axis 1 would fit: cannot reshape (0,) to (0, -1)", shape_error);
    CHECK(reshape(zeros({0, 3}), {3, -1}).shape() == dims(3, 0));
    CHECK_THROWS_WITH_AS(broadcast_to(a, {2, 4}), "[broadcast_to] shapes do not broadcast: (3, 4) and (2, 4)",
                         shape_error);
    CHECK_THROWS_WITH_AS((a(slice(0, 2)) = b), "[assignment] shapes do not broadcast: (5, 6) and (2, 4)", shape_error);
    CHECK_THROWS_WITH_AS((array<int>{{1, 2}, {3}}),
                         "[array] ragged data: an element of shape (1,) beside one of shape (2,)", shape_error);
    CHECK_THROWS_WITH_AS((a[a > -1] = zeros<float>({5})), "[assignment] shapes do not broadcast: (5,) and (12,)",
                         shape_error);
    CHECK_THROWS_WITH_AS(zeros({std::int64_t{1} << 40, std::int64_t{1} << 40}),
                         "[shape] too many elements: (1099511627776, 1099511627776)", shape_error);
    CHECK_THROWS_WITH_AS(zeros({std::int64_t{1} << 62}),
                         "[shape] too many bytes for an array of float64: (4611686018427387904,)", shape_error);
    CHECK_THROWS_WITH_AS(broadcast_to(ones({1}), {std::int64_t{1} << 40, std::int64_t{1} << 40}),
                         "[shape] too many elements: (1099511627776, 1099511627776)", shape_error);
    CHECK_THROWS_WITH_AS(zeros({-1, 3}), "[zeros] a size is negative: (-1, 3)", shape_error);
    CHECK_THROWS_WITH_AS(zeros({0, -1}), "[zeros] a size is negative: (0, -1)", shape_error);
    CHECK_THROWS_WITH_AS(random::normal(0, 1, {-3}), "[normal] a size is negative: (-3,)", shape_error);
    CHECK_THROWS_WITH_AS(reshape(zeros({10}), {std::int64_t{1} << 62, 4, -1}),
                         "[shape] too many elements: (4611686018427387904, 4, 1)", shape_error);
    double number = 1;
    CHECK_THROWS_WITH_AS(asarray(&number, {-1}), "[shape] a size is negative: (-1,)", shape_error);
}

TEST_CASE("errors of a function that consists of others name the one that was called") {
    on_cpu scope;
    const array<double> four{1, 2, 3, 4}, three{1, 2, 3};
    CHECK_THROWS_WITH_AS(trapezoid(four, three), "[trapezoid] shapes do not broadcast: (4,) and (3,)", shape_error);
    CHECK_THROWS_WITH_AS(divmod(four, three), "[divmod] shapes do not broadcast: (4,) and (3,)", shape_error);
    CHECK_THROWS_WITH_AS(special::zeta(four, three), "[zeta] shapes do not broadcast: (4,) and (3,)", shape_error);
    CHECK_THROWS_WITH_AS(ones({-2}), "[ones] a size is negative: (-2,)", shape_error);
    CHECK_THROWS_WITH_AS(empty({2, -2}), "[empty] a size is negative: (2, -2)", shape_error);
    CHECK_THROWS_WITH_AS(full({-2}, 1), "[full] a size is negative: (-2,)", shape_error);
    CHECK_THROWS_WITH_AS(bincount(array<int>{1, 2}, {.weights = three}),
                         "[bincount] weights of shape (3,) do not fit an array of shape (2,)", shape_error);
}

TEST_CASE("index errors name the index, the axis and its size") {
    on_cpu scope;
    array<float> a = zeros<float>({3, 4});
    CHECK_THROWS_WITH_AS(a(0, 4), "[index] index 4 is out of bounds for axis 1 with size 4", index_error);
    CHECK_THROWS_WITH_AS(a.item(3, 0), "[item] index 3 is out of bounds for axis 0 with size 3", index_error);
    CHECK_THROWS_WITH_AS(a.item(3), "[item] 1 indices for an array of 2 dimensions", index_error);
    CHECK_THROWS_WITH_AS(a(1, 2, 3), "[index] 3 indices for an array of 2 dimensions", index_error);
    CHECK_THROWS_WITH_AS(a(array<int>{5}).eval(), "[take] index 5 is out of bounds for axis 0 with size 3",
                         index_error);
    CHECK_THROWS_AS(sum(a, 2), index_error);
    CHECK_THROWS_AS(a.shape(2), index_error);
}

TEST_CASE("value errors name the value") {
    on_cpu scope;
    array<std::uint8_t> u = zeros<std::uint8_t>({3});
    CHECK_THROWS_WITH_AS(u + 300, "[add] 300 does not fit in uint8", value_error);
    CHECK_THROWS_WITH_AS(max(zeros({0})), "[max] an array of shape (0,) has no element to reduce", value_error);
    CHECK_THROWS_WITH_AS(zeros({3}).item(), "[item] an array of shape (3,) is not a single number", value_error);
    CHECK_THROWS_WITH_AS(sum(zeros({3, 3}), {1, -1}), "[sum] axis -1 is given twice", value_error);
    CHECK_THROWS_WITH_AS(zeros({3})(slice(none, none, 0)), "[slice] the step is zero", value_error);
    CHECK_THROWS_WITH_AS(reshape(zeros({4}), {-1, -1}), "[reshape] only one axis may be -1: (-1, -1)", value_error);
    CHECK_THROWS_WITH_AS(reshape(zeros({10}), {2, -5}), "[reshape] a size is negative: (2, -5)", value_error);
    CHECK_THROWS_WITH_AS((array<std::uint8_t>{1, 300}), "[array] 300 does not fit in uint8", value_error);
    CHECK_THROWS_WITH_AS(full<std::uint8_t>({2}, -1), "[full] -1 does not fit in uint8", value_error);
    CHECK_THROWS_WITH_AS((u(0) = 300), "[assignment] 300 does not fit in uint8", value_error);
    CHECK_THROWS_WITH_AS(unravel_index(array<int>{1, 9}, {2, 3}),
                         "[unravel_index] an index is out of bounds for size 6: from 1 to 9", value_error);
    CHECK_THROWS_WITH_AS(random::normal(0, -1, {3}), "[normal] scale is negative: -1", value_error);
    CHECK_THROWS_WITH_AS(zeros({3}).mT(), "[mT] an array of shape (3,) has fewer than two axes", value_error);
    CHECK_THROWS_WITH_AS(random::integers<int>(5, 5, {1}), "[integers] low is not below high: 5 and 5", value_error);
    CHECK_THROWS_AS(device::cuda(-1), value_error);
}

namespace {

/// Numbers beyond both ends of an integer type, and what has no whole part.
template <class T, class Write>
void check_refused(const char* operation, Write write) {
    constexpr T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    auto refused = [&](auto number, const std::string& text) {
        const std::string message =
            "[" + std::string(operation) + "] " + text + " does not fit in " + std::string(to_string(dtype_of<T>));
        CHECK_THROWS_WITH_AS(write(number), message.c_str(), value_error);
    };
    if constexpr (sizeof(T) < 8) {
        refused(std::int64_t{low} - 1, std::to_string(std::int64_t{low} - 1));
        refused(std::int64_t{high} + 1, std::to_string(std::int64_t{high} + 1));
    } else if constexpr (std::is_signed_v<T>) {
        refused(std::uint64_t{high} + 1, "9223372036854775808");
    } else {
        refused(-1, "-1");
        refused(std::numeric_limits<std::int64_t>::min(), "-9223372036854775808");
    }
}
template <class T, class Write>
void check_refused_floating(const char* operation, Write write) {
    check_refused<T>(operation, write);
    const double end = std::ldexp(1.0, std::numeric_limits<T>::digits);
    const double below = std::is_signed_v<T> ? std::nextafter(-end - 1, -inf) : -1.0;
    for (double number : {std::nan(""), inf, -inf, end, below, 1e300}) CHECK_THROWS_AS(write(number), value_error);
    CHECK_THROWS_AS(write(std::numeric_limits<float>::infinity()), value_error);
}

template <class T>
void check_numbers_written() {
    constexpr T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    array<T> x{1, 2, 3};
    const std::vector<T> before = to_vector(x);
    check_refused<T>("fill", [&](auto number) { x.fill(number); });
    check_refused<T>("fill", [&](auto number) { x(slice(1, 3)).fill(number); });
    check_refused<T>("assignment", [&](auto number) { x(0) = number; });
    check_refused<T>("out", [&](auto number) { out(x) = number; });
    check_refused_floating<T>("insert", [&](auto number) { insert(x, 0, number); });
    check_refused_floating<T>("insert", [&](auto number) { insert(x, {0, 2}, number); });
    check_refused_floating<T>("pad", [&](auto number) { pad(x, 1, {.constant_values = number}); });
    check_refused_floating<T>("pad", [&](auto number) { pad(zeros<T>({0}), 1, {.constant_values = number}); });
    check_refused_floating<T>("full", [&](auto number) { full_like(x, number); });
    CHECK(to_vector(x) == before);

    for (T end : {low, high}) {
        CHECK(to_vector(insert(x, 0, end)) == std::vector<T>{end, 1, 2, 3});
        CHECK(to_vector(pad(x, 1, {.constant_values = end})) == std::vector<T>{end, 1, 2, 3, end});
        CHECK(to_vector(pad(x, 1, {.mode = "edge", .constant_values = std::nan("")})) == std::vector<T>{1, 1, 2, 3, 3});
        CHECK(to_vector(full_like(x, end)) == std::vector<T>(3, end));
        CHECK(to_vector(full_like(x, static_cast<double>(low))) == std::vector<T>(3, low));
        CHECK(to_vector(insert(x, 3, 2.75)) == std::vector<T>{1, 2, 3, 2});
        array<T> y = x;
        y.fill(end);
        CHECK(to_vector(y) == std::vector<T>(3, end));
        y(slice(0, 2)).fill(true);
        CHECK(to_vector(y) == std::vector<T>{1, 1, end});
    }
}

}  // namespace

TEST_CASE("an integer that elements do not hold throws wherever it is written, and changes nothing") {
    on_cpu scope;
    test_types::for_each_type(test_types::integer_types, []<class T>() { check_numbers_written<T>(); });
}

TEST_CASE("type errors name the operation and the dtype") {
    on_cpu scope;
    array<float> a = zeros<float>({3});
    const detail::handle pair[] = {a.get_handle(), a.get_handle()};
    CHECK_THROWS_WITH_AS(detail::record_apply(codegen::op::bitwise_and, pair),
                         "[bitwise_and] is not defined for float32", type_error);
}

TEST_CASE("files that are missing or malformed give io_error with their path") {
    on_cpu scope;
    try {
        load<float>("/no/such/file.npy");
        FAIL("nothing was thrown");
    } catch (const io_error& e) {
        CHECK(std::string(e.what()).find("[load]") == 0);
        CHECK(std::string(e.what()).find("/no/such/file.npy") != std::string::npos);
    }
}

TEST_CASE("memory that cannot be had gives out_of_memory and nothing is lost") {
    on_cpu scope;
    array<float> a{1, 2, 3};
    array<double> huge = zeros({std::int64_t{1} << 46});
    CHECK_THROWS_AS(huge.eval(), out_of_memory);
    CHECK((a + 1).eval().item(2) == 4);
    CHECK_THROWS_AS(huge.eval(), out_of_memory);
}

TEST_CASE("a CUDA device that does not exist gives device_error with the reason") {
    if (device_count() > 0) return;
    try {
        device::cuda(0);
        FAIL("nothing was thrown");
    } catch (const device_error& e) {
        CHECK(std::string(e.what()).size() > 20);
    }
}

TEST_CASE("every error is an error, and a std::runtime_error") {
    CHECK(std::is_base_of_v<error, shape_error>);
    CHECK(std::is_base_of_v<error, device_error>);
    CHECK(std::is_base_of_v<std::runtime_error, error>);
    CHECK_THROWS_AS(throw index_error("x"), error);
}
