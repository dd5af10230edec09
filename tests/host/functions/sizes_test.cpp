// Sizes that are sums and products of others: what int64 or the host's memory does not hold throws errors of sinter.
#include <doctest/doctest.h>

#include <sinter/sinter.hpp>

using namespace sinter;

namespace {

constexpr std::int64_t most = INT64_MAX, half_of_most = std::int64_t{1} << 62;

struct on_cpu {
    device_scope on{device::cpu()};
    runtime::backend_scope use{runtime::backend::interpreter};
};

}  // namespace

TEST_CASE("a size that is a sum throws where it exceeds int64") {
    on_cpu scope;
    const array<std::int8_t> long_one = broadcast_to(ones<std::int8_t>({1}), {half_of_most});
    CHECK_THROWS_WITH_AS(pad(ones({3}), most), "[pad] too many elements: 9223372036854775807 + 9223372036854775807",
                         shape_error);
    CHECK_THROWS_WITH_AS(pad(ones({3}), {{most, 0}}), "[pad] too many elements: 3 + 9223372036854775807", shape_error);
    CHECK_THROWS_WITH_AS(concatenate({long_one, long_one, long_one}),
                         "[concatenate] too many elements: 4611686018427387904 + 4611686018427387904", shape_error);
    CHECK_THROWS_AS(append(long_one, long_one), shape_error);
    CHECK_THROWS_WITH_AS(bincount(array<std::int64_t>{0, most}),
                         "[bincount] too many elements: 9223372036854775807 + 1", shape_error);
    CHECK_THROWS_WITH_AS(histogram(arange(5.0), most), "[histogram] too many elements: 9223372036854775807 + 1",
                         shape_error);
    CHECK_THROWS_WITH_AS(diag(ones({2}), most), "[diag] too many elements: 2 + 9223372036854775807", shape_error);
    CHECK_THROWS_AS(diag(ones({2}), INT64_MIN), shape_error);
    CHECK_THROWS_WITH_AS(repeat(ones({2}), std::vector<std::int64_t>{most, 1}),
                         "[repeat] too many elements: 9223372036854775807 + 1", shape_error);
    CHECK(pad(ones({3}), {{1, 2}}).shape() == dims(6));
    CHECK(diag(ones({2}), -3).shape() == dims(5, 5));
}

TEST_CASE("a size that is a product throws where it exceeds int64") {
    on_cpu scope;
    CHECK_THROWS_AS(tile(ones({4}), {half_of_most}), shape_error);
    CHECK_THROWS_AS(repeat(ones({4}), half_of_most), shape_error);
    CHECK_THROWS_WITH_AS(detail::record_repeat(ones({4}).get_handle(), half_of_most, 0),
                         "[repeat] too many elements: 4 * 4611686018427387904", shape_error);
}

TEST_CASE("what the host has no memory for throws out_of_memory, before it takes any") {
    on_cpu scope;
    random::generator g(1);
    const std::int64_t many = std::int64_t{1} << 50;
    CHECK_THROWS_AS(g.bytes(most), shape_error);
    CHECK_THROWS_WITH_AS(g.bytes(most - 3),
                         "[bytes] out of memory: 9223372036854775807 elements of 1 bytes wanted on the host",
                         out_of_memory);
    CHECK_THROWS_AS(g.bytes(many), out_of_memory);
    CHECK_THROWS_AS(g.spawn(many), out_of_memory);
    CHECK_THROWS_AS(g.spawn(most), out_of_memory);
    CHECK(g == random::generator(1));
    CHECK_THROWS_AS(repeat(ones({2}), std::vector<std::int64_t>{many, many}), out_of_memory);
    CHECK_THROWS_AS(to_vector(broadcast_to(ones<std::int8_t>({1}), {half_of_most})), out_of_memory);
    CHECK_THROWS_AS(to_host(broadcast_to(ones<std::int8_t>({1}), {most})), out_of_memory);
    CHECK_THROWS_AS(host_array<double>(dims(half_of_most)), out_of_memory);
}

TEST_CASE("differences taken more often than there are elements end with none") {
    on_cpu scope;
    CHECK(diff(ones({3}), 2).shape() == dims(1));
    CHECK(diff(ones({3}), 3).shape() == dims(0));
    CHECK(diff(ones({2, 3}), 4'000'000'000'000'000'000, 0).shape() == dims(0, 3));
}
