// Arrays of more than 2^31 elements, where 32-bit element numbers would wrap; on a GPU with the memory, else with
// SINTER_TEST_FULL=1.
#include "support/backends.hpp"

#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/sinter.hpp>

#include <cstdlib>
#include <cstring>

using namespace sinter;
using test_backends::tested_backend;

namespace {

constexpr std::int64_t size = (std::int64_t{1} << 31) + 1;  // 3 * 715827883

bool is_worthwhile(const tested_backend& b) {
    if (!b.compiles()) return false;
    if (!b.is_cuda()) return is_full() && runtime::pool_capacity(device::cpu()) > std::int64_t{12} << 30;
    return !b.is_emulated() && runtime::pool_capacity(device::cuda(0)) > std::int64_t{12} << 30;
}

template <class Body>
void on_large_backends(Body body) {
    test_backends::on_compiling_backends([&](const tested_backend& b) {
        if (!is_worthwhile(b)) return;
        MESSAGE(b.name << ": arrays of " << size << " elements are tested");
        body();
    });
}

/// Element i is i modulo 101.
array<std::int8_t> make_pattern() {
    array<std::int8_t> x = astype<std::int8_t>(arange(size) % 101);
    x.eval();
    return x;
}

std::int64_t value_at(std::int64_t i) { return i % 101; }

// The sum of elements first, first + step, … , count of them.
std::int64_t sum_of(std::int64_t first, std::int64_t step, std::int64_t count) {
    std::int64_t period = 0, rest = 0;
    for (std::int64_t k = 0; k < 101; ++k) {
        period += value_at(first + k * step);
        if (k < count % 101) rest += value_at(first + k * step);
    }
    return count / 101 * period + rest;
}

}  // namespace

TEST_CASE("maps, views and reductions of 2^31 + 1 elements reach every one of them") {
    on_large_backends([] {
        array<std::int8_t> x = make_pattern();
        CHECK(x.item(size - 1) == value_at(size - 1));
        CHECK(x.item(std::int64_t{1} << 31) == value_at(std::int64_t{1} << 31));
        array<std::int8_t> y = x + std::int8_t{1};
        y.eval();
        CHECK(y.item(size - 1) == value_at(size - 1) + 1);
        CHECK(item(sum<std::int64_t>(x)) == sum_of(0, 1, size));
        CHECK(item(argmax(y == std::int8_t{101})) == 100);
        array<std::int8_t> backwards = x(slice(none, none, -1)) - x;
        backwards.eval();
        CHECK(backwards.item(0) == value_at(size - 1));
        CHECK(backwards.item(size - 1) == -value_at(size - 1));
        CHECK(item(sum<std::int64_t>(backwards)) == 0);
    });
}

TEST_CASE("rows and columns of an array of 2^31 + 1 elements are reduced apart") {
    on_large_backends([] {
        const std::int64_t n = size / 3;
        array<std::int8_t> x = reshape(make_pattern(), {3, n});
        array<std::int64_t> rows = sum<std::int64_t>(x, 1), columns = sum<std::int64_t>(x, 0);
        eval(rows, columns);
        for (std::int64_t i = 0; i < 3; ++i) CHECK(rows.item(i) == sum_of(i * n, 1, n));
        for (std::int64_t j : {std::int64_t{0}, std::int64_t{4097}, n - 1})
            CHECK(columns.item(j) == value_at(j) + value_at(n + j) + value_at(2 * n + j));
        CHECK(item(sum(columns)) == sum_of(0, 1, size));
        array<std::int8_t> tall = x.T();
        CHECK(item(sum<std::int64_t>(tall(slice(none, none, 7), 2))) == sum_of(2 * n, 7, (n + 6) / 7));
    });
}

TEST_CASE("a slice beyond element 2^31 is written in place") {
    on_large_backends([] {
        array<std::int8_t> x = make_pattern();
        x(slice(size - 3, none)) = std::int8_t{-5};
        CHECK(x.item(size - 1) == -5);
        CHECK(x.item(size - 3) == -5);
        CHECK(x.item(size - 4) == value_at(size - 4));
        CHECK(item(sum<std::int64_t>(x)) == sum_of(0, 1, size - 3) - 15);
    });
}
