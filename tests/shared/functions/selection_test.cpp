// Elements picked by masks: order and positions at awkward sizes, what is fused, and what is copied to the host.
#include "support/backends.hpp"

#include <sinter/sinter.hpp>

using namespace sinter;
using namespace test_backends;

namespace {

// Multiples of 1/4 in no order.
template <class T>
array<T> mixed(std::int64_t n) {
    return array<T>(astype<T>((arange<std::int64_t>(n) * 7919 % 1009 - 504) / 4.0)).eval();
}

template <class T>
void check_selection(std::int64_t n, double bound) {
    CAPTURE(n);
    const array<T> x = mixed<T>(n);
    std::vector<T> all = to_vector(x), wanted;
    std::vector<std::int64_t> positions;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (static_cast<double>(all[i]) > bound) {
            wanted.push_back(all[i]);
            positions.push_back(static_cast<std::int64_t>(i));
        }
    array<bool> mask = astype<double>(x) > bound;
    CHECK(to_vector(x[mask]) == wanted);
    CHECK(to_vector(compress(mask, x)) == wanted);
    CHECK(to_vector(nonzero(mask)[0]) == positions);
    CHECK(to_vector(flatnonzero(mask)) == positions);
    array<T> y = x;
    y[mask] = array<T>(x[mask]) + T(1);
    std::vector<T> put = all;
    for (std::int64_t p : positions)
        put[static_cast<std::size_t>(p)] = static_cast<T>(put[static_cast<std::size_t>(p)] + T(1));
    CHECK(to_vector(y) == put);
}

// Which counts on a bool of its own to be 0 or 1.
SINTER_FUNCTION(power_of_two, (bool picked)->int { return 1 << picked; })

}  // namespace

TEST_CASE("what is selected after waiting for the device is one kernel as before") {
    on_compiling_backends([](const tested_backend&) {
        const array<float> x = mixed<float>(1009);
        for (int i = 0; i < 3; ++i) {
            synchronize();
            const counters_t before = counters();
            array<float> y = x[x > 40];
            y.eval();
            CHECK(counters().launches - before.launches == 1);
        }
    });
}

TEST_CASE("few elements of a large array are selected and copied: the mask is not computed by itself") {
    on_compiling_backends([](const tested_backend&) {
        const array<float> x = mixed<float>(300'007);
        for (int i = 0; i < 2; ++i) {
            const counters_t before = counters();
            array<float> y = x[x > 120];
            CHECK(counters().launches - before.launches == 2);
            CHECK(y.size() == 7136);
            CHECK(all(y > 120).item());
        }
        const array<bool> mask = x > 120;
        CHECK(array<float>(x[mask]).size() == sum(astype<std::int64_t>(mask)).item());
    });
}

TEST_CASE("masks pick elements of every size and amount in order") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t n : {0, 1, 2, 31, 33, 1023, 4097, 20'003}) check_selection<float>(n, 0.5);
        for (double bound : {-1000.0, 1000.0, 120.0, -120.0}) check_selection<double>(9001, bound);
        check_selection<std::int8_t>(4097, 3);
        check_selection<std::uint64_t>(1023, 3);
        // More than the host writes in one part, with parts that hold nothing.
        check_selection<float>(100'003, 100);
        array<std::int64_t> i = arange<std::int64_t>(100'003);
        CHECK(array_equal(i[i >= 99'000 || i < 5],
                          concatenate({arange<std::int64_t>(5), arange<std::int64_t>(99'000, 100'003)})));
    });
}

TEST_CASE("masks of several axes, of rows, of views and of 16-byte elements") {
    on_every_backend([](const tested_backend&) {
        array<double> m = reshape(mixed<double>(6000), {60, 100});
        const array<double> t = m.T(), back = m(slice(none, none, -1), slice(none, none, 2));
        std::vector<double> wanted;
        for (int j = 0; j < 100; ++j)
            for (int i = 0; i < 60; ++i)
                if (m.item(i, j) < 0) wanted.push_back(m.item(i, j));
        CHECK(to_vector(t[t < 0]) == wanted);
        wanted.clear();
        for (int i = 59; i >= 0; --i)
            for (int j = 0; j < 100; j += 2)
                if (m.item(i, j) > 50) wanted.push_back(m.item(i, j));
        CHECK(to_vector(back[back > 50]) == wanted);
        std::vector<array<std::int64_t>> at = nonzero(m > 100);
        CHECK(array_equal(m(at[0], at[1]), std::as_const(m)[m > 100]));
        CHECK(array_equal(argwhere(m > 100), stack({at[0], at[1]}, 1)));
        array<bool> rows = m(all, 0) > 0;
        CHECK(array_equal(std::as_const(m)[rows], take(m, nonzero(rows)[0], 0)));
        array<std::complex<double>> z = astype<std::complex<double>>(m) * std::complex<double>(0, 1);
        CHECK(array_equal(imag(array<std::complex<double>>(z[m > -100])), std::as_const(m)[m > -100]));
        CHECK(array<double>(zeros({3, 0})[zeros({3, 0}) > 1]).shape() == dims(0));
    });
}

TEST_CASE("a sum of masks is a mask: true and true pick an element once, and a function of the user's gets true") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t n : {5, 129, 100'003}) {
            const array<bool> a = arange<std::int64_t>(n) % 3 == 0, b = arange<std::int64_t>(n) % 2 == 0;
            const array<std::int64_t> i = arange<std::int64_t>(n);
            CHECK(array_equal(i[a + b], i[a || b]));
            CHECK(array_equal(i[a + a], i[a]));
            CHECK(array_equal(nonzero(a + a * b)[0], nonzero(a)[0]));
            CHECK(array_equal(vectorize(power_of_two)(a + a), vectorize(power_of_two)(a)));
            CHECK(sum(a + b).item() == sum(a || b).item());
            CHECK(array_equal(cumsum(a + a), cumsum(a)));
        }
    });
}

TEST_CASE("a selection is one kernel with what makes its mask and its values, and copies a number to the host") {
    on_every_backend([](const tested_backend& b) {
        if (!b.compiles()) return;
        const array<float> x = mixed<float>(100'000);
        reset_counters();
        array<float> y = compress(x * x > 900.0f, exp(x) + 1);
        CHECK(counters().launches == 1);
        if (b.is_cuda()) CHECK(counters().bytes_to_host == 8);
        CHECK(y.size() > 50'000);
        reset_counters();
        nonzero(reshape(x, {100, 1000}) > 0);
        CHECK(counters().launches == 1);
        if (b.is_cuda()) CHECK(counters().bytes_to_host == 8);
        reset_counters();
        array<float> w = x;
        w[x < 0] = 0.0f;
        w.eval();
        CHECK(counters().launches == 1);
        CHECK(counters().bytes_to_host == 0);
    });
}

TEST_CASE("a small selection of a large array does not keep memory for all") {
    on_every_backend([](const tested_backend& b) {
        if (!b.compiles()) return;
        const array<double> x = mixed<double>(1'000'000);
        std::int64_t before = counters().pool_used;
        array<double> few = x[x > 125], most = x[x > -120];
        CHECK(counters().pool_used - before < 10'000'000);
        CHECK(few.size() * 4 < x.size());
        CHECK(all(few > 125).item());
        CHECK(most.size() + count_nonzero(x <= -120).item() == x.size());
    });
}
