// The laziness contract: what is stored, computed, kept and thrown when, shown by counters and explain.
#include <cmath>
#include <sinter/sinter.hpp>

#include "support/backends.hpp"
#include "support/stored_arrays.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

/// What `body` adds to the counters.
template <class Body>
counters_t counted(Body body) {
    counters_t before = counters();
    body();
    counters_t after = counters();
    after.kernels_compiled -= before.kernels_compiled;
    after.launches -= before.launches;
    after.library_calls -= before.library_calls;
    after.bytes_to_host -= before.bytes_to_host;
    after.bytes_to_device -= before.bytes_to_device;
    after.cache_hits -= before.cache_hits;
    after.disk_hits -= before.disk_hits;
    return after;
}

/// Kernels that were new to the process: compiled, or found on disk.
std::int64_t new_kernels(const counters_t& c) { return c.kernels_compiled + c.disk_hits; }

}  // namespace

TEST_CASE("assignment only records") {
    on_compiling_backends([](const tested_backend&) {
        array<float> x = stored<float>({1000});
        counters_t c = counted([&] {
            array<float> y = exp(x) + 1;
            array<float> z = sum(y);
            y = y * 2;
            z += 1;
        });
        CHECK(c.launches == 0);
        CHECK(new_kernels(c) == 0);
        CHECK(c.bytes_to_host == 0);
    });
}

TEST_CASE("twenty named locals are one kernel that reads its inputs once") {
    on_compiling_backends([](const tested_backend&) {
        const std::int64_t n = 10007;
        array<float> x = stored<float>({n}, 0.01), y = stored<float>({n}, 0.02, 1);
        std::vector<array<float>> names{x * y};
        for (int i = 1; i < 20; ++i) names.push_back(names.back() * 0.5f + (i % 2 ? x : y));
        array<float> result = names.back() - x;
        explanation e = explain(result);
        CHECK(e.kernels() == 1);
        CHECK(e.bytes_read() == 2 * 4 * n);
        CHECK(e.bytes_written() == 4 * n);
        counters_t c = counted([&] { result.eval(); });
        CHECK(c.launches == 1);
        CHECK(new_kernels(c) <= 1);
    });
}

TEST_CASE("values that nobody reads stay formulas, however often something else is read") {
    on_every_backend([](const tested_backend&) {
        const array<float> x = stored<float>({10007}, 0.01);
        std::vector<array<float>> unread;
        array<float> t = x;
        for (int i = 0; i < 20; ++i) unread.push_back(t = sqrt(t + float(i)) * 0.5f);
        const std::int64_t before = counters().pool_used;
        for (int i = 0; i < 8; ++i) {
            const array<float> later = unread[3] + float(i);
            CHECK(sum(x * float(i)).item() == doctest::Approx(i * sum(x).item()));
        }
        CHECK(counters().pool_used - before < 4096);
        CHECK(array_equal(unread[4], sqrt(unread[3] + 4.0f) * 0.5f));
    });
}

TEST_CASE("npbench's hdiff as published is one kernel") {
    on_compiling_backends([](const tested_backend&) {
        const std::int64_t I = 19, J = 23, K = 17;
        array<double> in_field = stored<double>({I + 4, J + 4, K}, 0.013), coeff = stored<double>({I, J, K}, 0.001);
        using s = slice;
        array lap = 4.0 * in_field(s(1, I + 3), s(1, J + 3), all) -
                    (in_field(s(2, I + 4), s(1, J + 3), all) + in_field(s(0, I + 2), s(1, J + 3), all) +
                     in_field(s(1, I + 3), s(2, J + 4), all) + in_field(s(1, I + 3), s(0, J + 2), all));
        array res1 = lap(s(1, none), s(1, J + 1), all) - lap(s(none, -1), s(1, J + 1), all);
        array flx = where(
            res1 * (in_field(s(2, I + 3), s(2, J + 2), all) - in_field(s(1, I + 2), s(2, J + 2), all)) > 0, 0, res1);
        array res2 = lap(s(1, I + 1), s(1, none), all) - lap(s(1, I + 1), s(none, -1), all);
        array fly = where(
            res2 * (in_field(s(2, I + 2), s(2, J + 3), all) - in_field(s(2, I + 2), s(1, J + 2), all)) > 0, 0, res2);
        array<double> out =
            in_field(s(2, I + 2), s(2, J + 2), all) - coeff * (flx(s(1, none), all, all) - flx(s(none, -1), all, all) +
                                                               fly(all, s(1, none), all) - fly(all, s(none, -1), all));
        explanation e = explain(out);
        CHECK(e.kernels() == 1);
        CHECK(e.bytes_read() > 2 * 8 * I * J * K);
        CHECK(e.bytes_read() <= 8 * ((I + 4) * (J + 4) * K + I * J * K));
        CHECK(e.bytes_written() == 8 * I * J * K);

        std::vector<double> x = values(in_field), k = values(coeff), got = values(out);
        auto at = [&](std::int64_t i, std::int64_t j, std::int64_t l) {
            return x[static_cast<std::size_t>((i * (J + 4) + j) * K + l)];
        };
        auto laplacian = [&](std::int64_t i, std::int64_t j, std::int64_t l) {
            return 4.0 * at(i, j, l) - (at(i + 1, j, l) + at(i - 1, j, l) + at(i, j + 1, l) + at(i, j - 1, l));
        };
        auto flux = [&](std::int64_t i, std::int64_t j, std::int64_t l, std::int64_t di, std::int64_t dj) {
            double r = laplacian(i + di, j + dj, l) - laplacian(i, j, l);
            return r * (at(i + di, j + dj, l) - at(i, j, l)) > 0 ? 0.0 : r;
        };
        int wrong = 0;
        for (std::int64_t i = 0; i < I; ++i)
            for (std::int64_t j = 0; j < J; ++j)
                for (std::int64_t l = 0; l < K; ++l) {
                    double want = at(i + 2, j + 2, l) - k[static_cast<std::size_t>((i * J + j) * K + l)] *
                                                            (flux(i + 2, j + 2, l, 1, 0) - flux(i + 1, j + 2, l, 1, 0) +
                                                             flux(i + 2, j + 2, l, 0, 1) - flux(i + 2, j + 1, l, 0, 1));
                    wrong += !(std::fabs(got[static_cast<std::size_t>((i * J + j) * K + l)] - want) < 1e-12);
                }
        CHECK(wrong == 0);
    });
}

TEST_CASE("Black-Scholes with five named locals moves three inputs and two outputs") {
    on_compiling_backends([](const tested_backend&) {
        const std::int64_t n = 4099;
        array<float> price = stored<float>({n}, 1, 10), strike = stored<float>({n}, 0.7, 20),
                     years = stored<float>({n}, 0.02, 0.25);
        const float rate = 0.02f, volatility = 0.3f;
        array<float> root = sqrt(years);
        array<float> d1 = (log(price / strike) + (rate + 0.5f * volatility * volatility) * years) / (volatility * root);
        array<float> d2 = d1 - volatility * root;
        array<float> n1 = ndtr(d1), n2 = ndtr(d2);
        array<float> discounted = strike * exp(-rate * years);
        array<float> call = price * n1 - discounted * n2;
        array<float> put = discounted * (1 - n2) - price * (1 - n1);
        explanation e = explain(call, put);
        CHECK(e.kernels() == 1);
        CHECK(e.bytes_read() == 3 * 4 * n);
        CHECK(e.bytes_written() == 2 * 4 * n);
        counters_t c = counted([&] { eval(call, put); });
        CHECK(c.launches == 1);
        float parity = call.item(5) - put.item(5),
              want = price.item(5) - strike.item(5) * std::exp(-rate * years.item(5));
        CHECK(parity == doctest::Approx(want).epsilon(1e-4));
    });
}

TEST_CASE("what an expression captured never changes when its array is assigned later") {
    on_every_backend([](const tested_backend&) {
        array<float> x{1, 2, 3};
        auto formula = x + 10;
        array<float> pending = x * 2, alias = x;
        x = x * 100;
        CHECK(values(array<float>(formula)) == std::vector<float>{11, 12, 13});
        CHECK(values(pending) == std::vector<float>{2, 4, 6});
        CHECK(values(alias) == std::vector<float>{1, 2, 3});
        CHECK(values(x) == std::vector<float>{100, 200, 300});

        array<float> a{0, 1, 2, 3, 4, 5};
        array<float> before = a(slice(1, 4)), sum_before = sum(a);
        a(slice(1, 4)) = -1;
        CHECK(values(before) == std::vector<float>{1, 2, 3});
        CHECK(sum_before.item() == 15);
        CHECK(values(a) == std::vector<float>{0, -1, -1, -1, 4, 5});
        a += a(slice(none, none, -1));
        CHECK(values(a) == std::vector<float>{5, 3, -2, -2, 3, 5});
    });
}

TEST_CASE("a named part is a value of the moment when it was made") {
    on_every_backend([](const tested_backend&) {
        array<int> a{1, 2, 3, 4};
        auto part = a(slice(0, 2));
        a(slice(0, 2)) = 9;
        array<int> read = part;
        CHECK(values(read) == std::vector<int>{1, 2});
        CHECK(values(a) == std::vector<int>{9, 9, 3, 4});
        array<int> b = a;
        b(0) = 7;
        CHECK(a.item(0) == 9);
        CHECK(b.item(0) == 7);
    });
}

TEST_CASE("a cheap value is computed for its first reader and stored for its second") {
    on_compiling_backends([](const tested_backend&) {
        const std::int64_t n = 5003;
        array<float> x = stored<float>({n}, 0.01);
        array<float> shared = x * 3 + 1;
        array<float> first = shared + x;
        first.eval();
        array<float> second = shared - x;
        explanation e = explain(second);
        CHECK(e.kernels() == 1);
        CHECK(e.bytes_written() == 2 * 4 * n);
        second.eval();
        array<float> third = shared * shared;
        CHECK(explain(third).bytes_read() == 4 * n);
        CHECK(explain(third).bytes_written() == 4 * n);
    });
}

TEST_CASE("what is expensive is computed once, however many want it") {
    on_compiling_backends([](const tested_backend&) {
        array<double> x = stored<double>({40, 50}, 0.01);
        array<double> total = sum(x, 1);
        array<double> a = total + 1, b = total * 2;
        a.eval();
        counters_t c = counted([&] { b.eval(); });
        CHECK(c.launches == 1);
        CHECK(explain(total).bytes_read() < 2 * 8 * 40 * 50);
        c = counted([&] { values(total); });
        CHECK(c.launches == 0);

        array<double> m = stored<double>({8, 8}, 0.1);
        array<double> product = matmul(m, m);
        array<double> p = product + 1, q = product * 2;
        c = counted([&] {
            p.eval();
            q.eval();
        });
        CHECK(c.library_calls == 1);
    });
}

TEST_CASE("what nobody can name any more is never computed") {
    on_compiling_backends([](const tested_backend&) {
        array<float> x = stored<float>({1009});
        counters_t c = counted([&] {
            for (int i = 0; i < 100; ++i) array<float> dropped = exp(x) * sum(x) + static_cast<float>(i);
            array<float> y = exp(x);
            y = x + 1;
            y.eval();
            synchronize();
        });
        CHECK(c.launches == 1);
    });
}

TEST_CASE("constants, ranges and random numbers stay symbolic until they are read themselves") {
    on_compiling_backends([](const tested_backend&) {
        const std::int64_t n = 3001;
        array<float> x = stored<float>({n});
        array<double> u = random::random<double>({n});
        array<float> range = arange<float>(static_cast<float>(n)), one = full({n}, 1.0f);
        array<float> r = x + range(slice(none, none, -1)) * one;
        CHECK(explain(r).bytes_read() == 4 * n);
        array<double> v = u(slice(none, none, -1)) + 1;
        CHECK(explain(v).bytes_read() == 0);
        r.eval();
        v.eval();
        array<float> again = x - range;
        CHECK(explain(again).bytes_written() == 4 * n);
        std::vector<double> drawn = values(u), shown = values(v);
        int wrong = 0;
        for (std::size_t i = 0; i < drawn.size(); ++i) wrong += shown[i] != drawn[drawn.size() - 1 - i] + 1;
        CHECK(wrong == 0);
    });
}

TEST_CASE("reductions repeat bit for bit, whatever they are fused with") {
    on_every_backend([](const tested_backend&) {
        array<float> x = random::random<float>({333, 77}) * 1000.0f;
        x.eval();
        float alone = sum(x).item();
        for (int i = 0; i < 5; ++i) CHECK(sum(x).item() == alone);
        array<float> product = x * 1.0f;
        array<float> s = sum(product);
        array<float> m = max(product), other = sum(product * 2.0f);
        eval(m, s, other);
        CHECK(s.item() == alone);
        CHECK(other.item() == 2 * alone);
        array<float> rows = sum(x, 1), columns = sum(x, 0);
        std::vector<float> r = values(rows), c = values(columns);
        CHECK(values(sum(x(all, all) + 0.0f, 1)) == r);
        CHECK(values(sum(x.copy(), 0)) == c);
        CHECK(values(sum(x.T(), 0)) == r);
    });
}

TEST_CASE("a random stream is assigned when it is recorded, not when it is computed") {
    on_every_backend([](const tested_backend&) {
        random::seed(17);
        array<double> a = random::random<double>({5}), b = random::random<double>({5});
        std::vector<double> vb = values(b), va = values(a);
        random::seed(17);
        array<double> c = random::random<double>({5}).eval(), d = random::random<double>({5}).eval();
        CHECK(values(c) == va);
        CHECK(values(d) == vb);
        CHECK(va != vb);
        random::seed(17);
        { array<double> dropped = random::random<double>({7}); }
        CHECK(values(random::random<double>({5})) == vb);
        array<double> twice = b + b;
        CHECK(values(twice)[3] == 2 * vb[3]);
    });
}

TEST_CASE("filling an array row by row moves at most twice its bytes") {
    on_compiling_backends([](const tested_backend& b) {
        for (const dims& shape : {dims(200, 256, 8), dims(2000, 4096, 8)}) {
            array<float> a = zeros<float>(shape);
            array<float> row = stored<float>({shape[1], shape[2]}, 0.5);
            a.eval();
            reset_counters();
            std::int64_t used = counters().pool_used, bytes = a.nbytes(), written = 0;
            for (std::int64_t i = 0; i < shape[0]; ++i) {
                a(i) = row + static_cast<float>(i);
                if (i == shape[0] / 2) written = explain(a).bytes_written();
            }
            explanation tail = explain(a);
            a.eval();
            counters_t c = counters();
            MESSAGE(b.name << ": " << to_string(shape) << ": " << c.launches << " launches, " << new_kernels(c)
                           << " kernels, peak " << c.pool_peak - used << " beyond " << used << " bytes");
            CHECK(c.pool_peak - used < bytes / 8 + (1 << 20));
            CHECK(c.pool_used == used);
            CHECK(c.launches <= 2 * shape[0]);
            CHECK(new_kernels(c) <= 8);
            // Each launch writes one row and reads one: what a flush writes is what it has pending.
            CHECK(written <= bytes);
            CHECK(tail.bytes_read() + tail.bytes_written() <= 2 * bytes);
            CHECK(a.item(shape[0] - 1, 2, 3) == row.item(2, 3) + static_cast<float>(shape[0] - 1));
            CHECK(a.item(0, 2, 3) == row.item(2, 3));
        }
    });
}

TEST_CASE("eval at any place changes no bit") {
    on_every_backend([](const tested_backend&) {
        auto program = [](bool evaluates) {
            random::seed(5);
            array<float> x = random::uniform<float>(-1, 1, {37, 11});
            if (evaluates) x.eval();
            array<float> y = exp(-x * x) * 0.7f + x / 3;
            if (evaluates) y.eval();
            array<float> m = mean(y, 1, keepdims);
            if (evaluates) m.eval();
            array<float> z = (y - m) * (y - m);
            if (evaluates) z.eval();
            y(slice(3, 9)) = z(slice(4, 10)) * y(slice(3, 9)) + x(slice(3, 9));
            if (evaluates) y.eval();
            return values(array<float>(sum(y * z, 0)));
        };
        CHECK(program(false) == program(true));
    });
}

TEST_CASE("explain tells without computing, and of a computed array how it was made") {
    on_compiling_backends([](const tested_backend&) {
        array<float> x = stored<float>({101});
        array<float> y = tanh(x) * 0.37f;
        (void)explain(y).text();  // the first text measures the CPU, with kernels of its own
        counters_t c = counted([&] {
            explanation e = explain(y);
            CHECK(e.kernels() == 1);
            CHECK(e.bytes_read() == 404);
            CHECK(e.bytes_written() == 404);
            CHECK(e.source().find("tanh") != std::string::npos);
            CHECK(e.dot().find("digraph") == 0);
            CHECK(e.text().find("1 kernel") == 0);
        });
        CHECK(c.launches == 0);
        CHECK(new_kernels(c) == 0);
        y.eval();
        CHECK(explain(y).kernels() == 1);
        CHECK(explain(y).bytes_read() == 404);
        CHECK(explain(tanh(x) * 0.37f).cached());
    });
}

TEST_CASE("a slice of a symbolic array that is read twice stores the slice only") {
    on_every_backend([](const tested_backend&) {
        array<double> x = arange<double>(2'000'000);
        std::int64_t used = counters().pool_used;
        for (int i = 0; i < 4; ++i) CHECK(x(slice(i, i + 2)).item(1) == i + 1);
        CHECK(counters().pool_used - used < 1'000'000);
        std::vector<array<double>> many;
        for (int i = 0; i < 300; ++i) many.push_back(zeros({100'000}));
        array<double> y = x(slice(10)) + 1;
        for (int i = 0; i < 300; ++i) y += 1;
        CHECK(y.item(0) == 301);
        CHECK(counters().pool_used - used < 1'000'000);
    });
}
