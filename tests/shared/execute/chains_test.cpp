// Kernels right behind each other: each must see all that those before it wrote, and overwrite nothing they still read.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/sinter.hpp>

#include "support/backends.hpp"
#include "support/stored_arrays.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

using numbers = std::vector<std::int64_t>;

/// Large enough that a GPU is still busy with one kernel while the next could start, and odd.
std::int64_t length_for(const tested_backend& b) {
    const bool real = b.is_cuda() && !b.is_emulated();
    return real ? (1 << 21) + 33 : 4097;
}

/// A step whose first thread blocks read what the last ones of the kernel before wrote.
array<std::int64_t> turned(const array<std::int64_t>& x, std::int64_t i) { return (flip(x) * 3 + i) & 0xffff; }

numbers turned(numbers x, std::int64_t i) {
    std::reverse(x.begin(), x.end());
    for (std::int64_t& v : x) v = (v * 3 + i) & 0xffff;
    return x;
}

std::int64_t sum_of(const numbers& x) { return std::accumulate(x.begin(), x.end(), std::int64_t{0}); }

}  // namespace

TEST_CASE("in a chain, each kernel reads all that the one before wrote") {
    on_every_backend([](const tested_backend& b) {
        array<std::int64_t> x = stored<std::int64_t>({length_for(b)});
        numbers expected = values(x);
        for (int i = 0; i < 40; ++i) {
            x = turned(x, i);
            x.eval();
            expected = turned(expected, i);
        }
        CHECK(values(x) == expected);
    });
}

TEST_CASE("in a chain, memory is overwritten only after it has been read") {
    on_every_backend([](const tested_backend& b) {
        const std::int64_t n = length_for(b);
        array<std::int64_t> x = stored<std::int64_t>({n}), y = zeros<std::int64_t>({n}), z = ones<std::int64_t>({n});
        eval(x, y, z);
        numbers a = values(x), c(std::size_t(n), 1);
        for (int i = 0; i < 40; ++i) {
            y(slice(none, none)) = turned(x, i);
            y.eval();
            x(slice(none, none)) = std::int64_t{i};  // reads nothing, and x is still being read
            x.eval();
            z(slice(none, none)) = flip(y) + flip(z);
            z.eval();
            x += y;
            x.eval();
            numbers was = turned(a, i);
            for (std::size_t k = 0; k < a.size(); ++k) a[k] = was[k] + i;
            std::reverse(was.begin(), was.end());
            std::reverse(c.begin(), c.end());
            for (std::size_t k = 0; k < c.size(); ++k) c[k] += was[k];
        }
        CHECK(values(x) == a);
        CHECK(values(z) == c);
    });
}

TEST_CASE("in a chain, memory that returned to the pool is given away only after it has been read") {
    on_every_backend([](const tested_backend& b) {
        array<std::int64_t> x = stored<std::int64_t>({length_for(b)});
        numbers expected = values(x);
        for (int i = 0; i < 40; ++i) {
            array<std::int64_t> y;
            {
                array<std::int64_t> passing = turned(x, i);
                passing.eval();
                y = turned(passing, 1);
                y.eval();
            }
            array<std::int64_t> other = full<std::int64_t>({x.size()}, -1);  // where `passing` was
            other.eval();
            x = turned(y, 2);
            x.eval();
            expected = turned(turned(turned(expected, i), 1), 2);
        }
        CHECK(values(x) == expected);
    });
}

TEST_CASE("in a chain, reductions and scans see all of it, and their counters are fresh again") {
    on_every_backend([](const tested_backend& b) {
        array<std::int64_t> x = stored<std::int64_t>({length_for(b)});
        numbers expected = values(x);
        for (int i = 0; i < 20; ++i) {
            array<std::int64_t> total = sum(x);
            total.eval();
            array<std::int64_t> later = cumsum(flip(x));
            later.eval();
            array<std::int64_t> largest = max(later);
            largest.eval();
            x = (later + total + largest * 3) & 0xffff;
            x.eval();
            const std::int64_t all = sum_of(expected);
            std::reverse(expected.begin(), expected.end());
            std::partial_sum(expected.begin(), expected.end(), expected.begin());
            const std::int64_t top = *std::max_element(expected.begin(), expected.end());
            for (std::int64_t& v : expected) v = (v + all + top * 3) & 0xffff;
        }
        CHECK(values(x) == expected);
    });
}

TEST_CASE("in a chain, library calls, sorts and updates at positions stand between what is before and after") {
    on_every_backend([](const tested_backend& b) {
        const std::int64_t side = b.is_cuda() && length_for(b) > 4097 ? 1000 : 60;
        array<double> x = stored<double>({side, side});
        array<double> exchange = fliplr(eye<double>(side));
        array<std::int64_t> places = flip(arange<std::int64_t>(side * side));
        eval(x, exchange, places);
        std::vector<double> expected = values(x);
        for (int i = 0; i < 10; ++i) {
            array<double> up = flip(x) + 1;
            up.eval();
            array<double> product = matmul(up, exchange);
            product.eval();
            array<double> sorted = sort(reshape(flip(product), {-1}) * -1.0);
            sorted.eval();
            array<double> scattered = zeros<double>({side * side});
            scattered(places) = flip(sorted) * 2 - std::int64_t{i};
            scattered.eval();
            x = reshape(flip(scattered), {side, side}) - 100.0 * floor(reshape(flip(scattered), {side, side}) / 100.0);
            x.eval();
            for (double& v : expected) v = -(v + 1);
            std::sort(expected.begin(), expected.end());
            for (double& v : expected) v = v * 2 - i, v -= 100.0 * std::floor(v / 100.0);
            // sorted → flip → stored at flipped positions → flip: turned around once.
            std::reverse(expected.begin(), expected.end());
        }
        CHECK(values(x) == expected);
    });
}

TEST_CASE("in a chain of graphs that are launched again, each kernel comes after those before it") {
    on_every_backend([](const tested_backend& b) {
        const std::int64_t n = length_for(b);
        graph step([](auto x, auto i) {
            array<std::int64_t> y = (flip(x) * 3 + i) & 0xffff, total = sum(y);
            array<std::int64_t> z = (flip(y) * 5 + total) & 0xffff, largest = max(z);
            return array<std::int64_t>((flip(z) + largest) & 0xffff);
        });
        array<std::int64_t> x = stored<std::int64_t>({n});
        numbers expected = values(x);
        for (std::int64_t i = 0; i < 20; ++i) {
            x = step(x, i);
            if (i % 4 == 3) x = turned(x, i), x.eval();
            expected = turned(expected, i);
            const std::int64_t total = sum_of(expected);
            std::reverse(expected.begin(), expected.end());
            for (std::int64_t& v : expected) v = (v * 5 + total) & 0xffff;
            const std::int64_t largest = *std::max_element(expected.begin(), expected.end());
            std::reverse(expected.begin(), expected.end());
            for (std::int64_t& v : expected) v = (v + largest) & 0xffff;
            if (i % 4 == 3) expected = turned(expected, i);
        }
        CHECK(values(x) == expected);
    });
}

TEST_CASE("in a chain of tiny kernels, what is read on the host between them is what they wrote") {
    on_every_backend([](const tested_backend&) {
        array<std::int64_t> x = stored<std::int64_t>({33});
        numbers expected = values(x);
        for (int i = 0; i < 200; ++i) {
            x = turned(x, i);
            x.eval();
            expected = turned(expected, i);
            if (i % 5 == 0) CHECK(values(x) == expected);
        }
    });
}
