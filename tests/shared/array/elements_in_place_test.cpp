// Elements that loops read and write one after another: values stay values, and host memory is written in place.
#include "support/backends.hpp"

#include <sinter/sinter.hpp>
#include <vector>

using namespace sinter;
using namespace test_backends;

TEST_CASE("a loop over elements gives what the same loop over a vector gives") {
    on_every_backend([](const tested_backend&) {
        array<double> x = linspace(-1, 1, 37).eval(), pending = zeros<double>({37});
        std::vector<double> v = to_vector(x), p(37);
        for (int i = 1; i < 37; ++i) {
            x(i) = x(i - 1) * 0.5 + x(i) / 3 - 1;
            v[i] = v[i - 1] * 0.5 + v[i] / 3 - 1;
            x(-i) += 2;
            v[37 - i] += 2;
            if (x(i) > 0) x(0) = x(i);
            if (v[i] > 0) v[0] = v[i];
            pending(i) = pending(i - 1) + x(i);
            p[i] = p[i - 1] + v[i];
        }
        CHECK(to_vector(x) == v);
        CHECK(to_vector(pending) == p);
    });
}

TEST_CASE("values that were read before an element changed keep what they saw") {
    on_every_backend([](const tested_backend&) {
        array<float> x = reshape(arange<float>(12), {3, 4}).eval();
        array<float> copy = x, row = x(1), element = x(1, 2), doubled = x * 2.0f;
        auto formula = x(1, 2) + 1.0f;
        x(1, 2) = 100.0f;
        x(1, 2) = formula;
        x(1, 2) = formula;
        x(2, 3) *= x(1, 2);
        CHECK(copy.item(1, 2) == 6);
        CHECK(row.item(2) == 6);
        CHECK(element.item() == 6);
        CHECK(doubled.item(1, 2) == 12);
        CHECK(x.item(1, 2) == 7);
        CHECK(x.item(2, 3) == 77);
    });
}

TEST_CASE("elements of transposes and of parts are those of their own memory") {
    on_every_backend([](const tested_backend&) {
        array<std::int32_t> x = reshape(arange<std::int32_t>(15), {3, 5}).eval();
        array<std::int32_t> t = x.T(), part = x(slice(none, none, -2), slice(1, none, 2));
        t(4, 1) = -1;
        part(0, 1) += 50;
        CHECK(to_vector(x) == to_vector(reshape(arange<std::int32_t>(15), {3, 5})));
        CHECK(t.item(4, 1) == -1);
        CHECK(t.item(1, 2) == 11);
        CHECK(part.item(0, 1) == 63);
        CHECK(part.item(1, 1) == 3);
        t(1, 2) = part(0, 1);
        CHECK(t.item(1, 2) == 63);
    });
}

TEST_CASE("an address that is known outside keeps the elements that it was given for") {
    on_every_backend([](const tested_backend& b) {
        if (b.is_cuda()) return;
        array<double> x = arange<double>(5).eval();
        const double* const address = x.data();
        x(2) = 9;
        CHECK(address[2] == 2);
        CHECK(x.item(2) == 9);
    });
}

TEST_CASE("elements convert as an assignment does, and indices outside throw") {
    on_every_backend([](const tested_backend&) {
        array<std::complex<float>> z = zeros<std::complex<float>>({3}).eval();
        array<half> h = ones<half>({3}).eval();
        array<std::uint8_t> u = full({3}, std::uint8_t{200}).eval();
        z(1) = h(0) * half(2049.0f);
        u(2) += u(1);
        CHECK(z.item(1) == std::complex<float>(2048, 0));
        CHECK(u.item(2) == 144);
        CHECK_THROWS_WITH_AS(z(3) = h(0), "[index] index 3 is out of bounds for axis 0 with size 3", index_error);
        CHECK_THROWS_AS(u(0) = 300, value_error);
        CHECK(u.item(0) == 200);
    });
}

TEST_CASE("a number written in place takes no kernel, and one that many arrays share is copied first") {
    on_every_backend([](const tested_backend& b) {
        if (!b.is_host()) return;
        array<double> x = arange<double>(1000).eval();
        reset_counters();
        for (int i = 1; i < 1000; ++i) x(i) = x(i - 1) + 1;
        CHECK(x.item(999) == 999);
        CHECK(counters().launches == 0);
        array<double> y = x;
        x(0) = -1;
        CHECK(y.item(0) == 0);
        CHECK(x.item(0) == -1);
    });
}

TEST_CASE("an element that is read at several places is written at one") {
    on_every_backend([](const tested_backend&) {
        array<double> m = broadcast_to(array<double>{1, 2, 3}, {2, 3});
        m(0, 0) = 9;
        CHECK(array_equal(m, array<double>{{9, 2, 3}, {1, 2, 3}}));
        array<double> w = sliding_window_view(array<double>{1, 2, 3, 4}, {2});
        w(0, 1) = 7;
        CHECK(array_equal(w, array<double>{{1, 7}, {2, 3}, {3, 4}}));
        array<float> part = reshape(arange<float>(24), {2, 3, 4})(all, slice(none, none, -2), slice(1, 3)).eval();
        part(1, 0, 1) = -1;
        CHECK(part.item(1, 0, 1) == -1);
        CHECK(part.item(1, 1, 1) == 14);
    });
}

// The most memory that a statement needs beyond what was in use before it.
template <class Statement>
std::int64_t extra_bytes(Statement run) {
    reset_counters();
    const std::int64_t used = counters().pool_used;
    run();
    return counters().pool_peak - used;
}

TEST_CASE("assigning and adding at an array of indices copies the base only where its old values are held") {
    on_compiling_backends([](const tested_backend&) {
        array<double> x = arange<double>(200'003).eval();
        const array<std::int64_t> at = array<std::int64_t>{7, -1, 7, 100'001}.eval();
        const array<double> v = array<double>{10, 20, 30, 40}.eval();
        CHECK(extra_bytes([&] {
                  x(at) = v;
                  x.eval();
              }) < x.nbytes() / 8);
        CHECK(extra_bytes([&] {
                  x(at) += v;
                  x.eval();
              }) < x.nbytes() / 8);
        CHECK(to_vector(take(x, at)) == std::vector<double>{60, 40, 60, 80});
        CHECK(x.item(6) == 6);
        const array<double> held = x;
        CHECK(extra_bytes([&] {
                  x(at) = 0.0;
                  x.eval();
              }) >= x.nbytes());
        CHECK(held.item(7) == 60);
        CHECK(x.item(7) == 0);
    });
}

TEST_CASE("an assignment at a bad index spoils nothing that was computed of the base before") {
    on_every_backend([](const tested_backend&) {
        array<double> x = (arange<double>(20'011) * 2.0).eval();
        const array<std::int64_t> good = array<std::int64_t>{3, 5}.eval(), bad = array<std::int64_t>{4, 20'011}.eval();
        array<double> before = x + 1.0;
        x(good) = -1.0;
        array<double> between = x + 1.0;
        x(bad) = 9.0;
        array<double> behind = x + 1.0;
        CHECK_THROWS_AS(to_vector(behind), index_error);
        CHECK_THROWS_AS(to_vector(x), index_error);
        CHECK(before.item(4) == 9);
        CHECK(between.item(3) == 0);
        CHECK(between.item(4) == 9);
    });
}
