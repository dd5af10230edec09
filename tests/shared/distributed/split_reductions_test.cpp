// Reductions of distributed arrays on ranks that are threads: values beside NumPy's, bits beside those of one rank.
#include <cmath>
#include <cstring>
#include <sinter/distributed.hpp>
#include <sinter/sinter.hpp>

#include "support/backends.hpp"
#include "support/ranks.hpp"

using namespace sinter;
using namespace test_backends;
using namespace test_ranks;

TEST_CASE("reductions of a split array are NumPy's, on any number of ranks") {
    on_every_backend([](const tested_backend&) {
        on_ranks({1, 2, 3, 5}, [](distributed::session&, auto check) {
            const auto x = distribute(numbers(), distributed::split(0));
            check(is_close(double(sum(x)), -2.2857142857142856), "sum");
            check(is_close(double(mean(x)), -0.0060629026146267525), "mean");
            check(is_close(double(var(x)), 17.385228222535982), "var");
            check(is_close(double(var(x, {.ddof = 1})), 17.431465531638473), "var, ddof");
            check(is_close(stddev(x, 1).item(2), 4.057520251993664), "stddev of rows");
            check(is_close(mean(x, 0).item(3), 0.019704433497537), "mean of columns");
            check(is_close(double(prod(1 + x / 100)), 0.7038868949965751), "prod");
            check(argmin(x).item() == 0 && argmax(x).item() == 30, "positions");
            check(argmin(x, 0).item(1) == 14 && argmax(x, 1).item(3) == 10, "positions along axes");
            check(is_close(double(min(x)), -7.142857142857143) && is_close(max(x, 1).item(2), 7.14285714285714),
                  "extrema");
            check(bool(any(x > 7)) && bool(distributed::all(x > -8)) && !bool(distributed::all(x > 0)), "any, all");
            check(count_nonzero(x == 0).item() == 4, "count_nonzero");
            check(is_close(cumsum(x, 0).item(-1, 1), 11.428571428571432), "cumsum along the split axis");
            check(is_close(cumsum(x, 1).item(28, 12), -5.142857142857142), "cumsum along the other");
        });
    });
}

TEST_CASE("means, variances, extrema and products have the same bits on any number of ranks") {
    on_every_backend([](const tested_backend& b) {
        on_ranks({1, 2, 3, 4}, [&](distributed::session&, auto check) {
            random::generator g(11);
            // More than a block of rows, and of columns; the interpreter takes fewer.
            const std::int64_t n = b.is_interpreter() ? 601 : 4 * 4096 + 77;
            const array<float> whole = g.normal<float>(3, 2, {n, 3});
            for (int axis : {0, 1}) {
                const auto x = distribute(whole, distributed::split(axis));
                check(same_bits(mean(x).gather(), mean(whole)), "mean");
                check(same_bits(sum(x, 0).gather(), sum(whole, 0)), "sum of columns");
                check(same_bits(sum(x, 1, keepdims).gather(), sum(whole, 1, keepdims)), "sum of rows");
                check(same_bits(stddev(x).gather(), stddev(whole)), "stddev");
                check(same_bits(var(x, 0).gather(), var(whole, 0)), "var of columns");
                check(same_bits(var(x.astype<double>(), 0).gather(), var(astype<double>(whole), 0)), "var of doubles");
                check(same_bits(prod(x * 0.3f, 0).gather(), prod(whole * 0.3f, 0)), "prod");
                check(same_bits(argmax(x).gather(), argmax(whole)), "argmax");
                check(same_bits(argmin(x, 0).gather(), argmin(whole, 0)), "argmin");
                check(same_bits(max(x, 0).gather(), max(whole, 0)), "max");
            }
        });
    });
}

TEST_CASE(
    "reductions that leave NaN out have the bits of an ordinary array's, and extrema of sums are those of the sums") {
    on_every_backend([](const tested_backend& b) {
        for (int p : {1, 2, 3, 4}) {
            if (!b.is_interpreter() && p != 3) continue;
            on_ranks({p}, [&](distributed::session& s, auto check) {
                const std::int64_t n = b.is_interpreter() ? 61 : 601;
                random::generator g(12);
                const array<float> drawn = g.normal<float>(3, 2, {n, 3});
                const array<float> whole =
                    where(drawn > 5 || arange<float>(n)(all, newaxis) < 2, constants::nan, drawn);
                for (const auto& where : {distributed::split(0), distributed::split(1), distributed::mesh()}) {
                    const auto x = distribute(whole, where);
                    check(same_bits(nansum(x).gather(), nansum(whole)), "nansum");
                    check(same_bits(nanprod(x, 0).gather(), nanprod(whole, 0)), "nanprod");
                    check(same_bits(nanmean(x, 1).gather(), nanmean(whole, 1)),
                          "nanmean of rows, of which two have nothing");
                    check(same_bits(nanmean(x, {0, 1}, keepdims).gather(), nanmean(whole, {0, 1}, keepdims)),
                          "nanmean");
                    check(same_bits(nanvar(x, 0).gather(), nanvar(whole, 0)), "nanvar");
                    check(same_bits(nanstd(x, 1, {}, {.ddof = 2}).gather(), nanstd(whole, 1, {}, {.ddof = 2})),
                          "nanstd");
                    check(same_bits(nanargmin(x, 0).gather(), nanargmin(whole, 0)), "nanargmin");
                    check(same_bits(nanargmax(x, 1).gather(), nanargmax(whole, 1)), "nanargmax, -1 where all are NaN");
                    check(
                        same_bits(ptp(x).gather(), ptp(whole)) && same_bits(ptp(x * 2, 0).gather(), ptp(whole * 2, 0)),
                        "ptp");
                    check(message_of([&] { distributed::nanmean(x, 7); }).find("[nanmean] axis 7") == 0, "whose error");
                }
                const auto x = distribute(numbers(), distributed::split(0));
                const auto spread = ptp(x, 1), gram = matmul(x.T(), x);
                const array<double> product = gram;
                check(same_bits(max(gram, 0).gather(), max(product, 0)), "the largest of partial sums");
                check(same_bits(sum(max(x, 0)).gather(), sum(max(numbers(), 0))), "the sum of partial extrema");
                check(same_bits(min(sum(x, 0)).gather(), min(sum(numbers(), 0))), "the least of sums that wait");
                check(same_bits(maximum(gram, -gram).gather(), maximum(product, -product)), "element by element");
                check(same_bits(reshape(gram, {13 * 13}).gather(), reshape(product, {-1})), "in another shape");
                check(same_bits(max(x).gather() - min(x).gather(), ptp(numbers())) && spread.shape() == dims(29),
                      "shapes");
                s.reset_counters();
                check(double(ptp(x)) == double(ptp(numbers())), "ptp");
                check(s.counters().collectives == (s.ranks() > 1 ? 1 : 0), "both extrema in one message");
            });
        }
    });
}

TEST_CASE("a column of more than 4096 blocks has the same bits on any number of ranks") {
    on_compiling_backends([](const tested_backend&) {
        std::vector<float> first;
        for (int p : {1, 2, 3}) {
            std::vector<float> own;
            distributed::run(p, [&](distributed::session& s) {
                random::generator g(5);
                const auto x = distribute(g.random<float>({512 * 4096 + 1000, 2}), distributed::split(0));
                const std::vector<float> got = to_vector(mean(x, 0).gather());
                if (s.is_root()) own = got;
            });
            if (first.empty()) first = own;
            CHECK(own == first);
        }
        CHECK(first.at(0) == doctest::Approx(0.5).epsilon(1e-3));
    });
}

TEST_CASE("rows of several groups of blocks have the same bits on any number of ranks, wherever those are cut") {
    on_compiling_backends([](const tested_backend& b) {
        // A minute there, of kernels that other tests run.
        if (b.is_emulated()) return;
        const std::int64_t n = 3 * 4096 * 4096 + 12345;
        const array<float> whole = sin(arange<float>(n) * 0.37f) + 1e-3f;
        const array<std::int32_t> numbers = astype<std::int32_t>(whole * 1e9f);
        const array<double> two = reshape(astype<double>(whole(slice(0, n / 2 * 2))), {2, n / 2});
        eval(whole, numbers, two);
        on_ranks({2, 3}, [&](distributed::session& s, auto check) {
            const auto x = distribute(whole, distributed::split(0));
            check(same_bits(sum(x).gather(), sum(whole)), "a sum");
            check(same_bits(prod(1 + x * 1e-6f).gather(), prod(1 + whole * 1e-6f)), "a product");
            check(same_bits(argmax(x).gather(), argmax(whole)), "an index");
            const auto k = distribute(numbers, distributed::split(0));
            const auto least = min(k);
            const auto total = sum(k);
            check(same_bits(least.gather(), min(numbers)) && same_bits(total.gather(), sum(numbers)), "of integers");
            if (s.ranks() == 2)
                check(same_bits(mean(distribute(two, distributed::split(1)), 1).gather(), mean(two, 1)), "of two rows");
        });
    });
}

TEST_CASE("sums of negative zeros over ranks are zero, as those of one rank") {
    on_ranks({1, 3}, [](distributed::session&, auto check) {
        for (const dims& shape : {dims(5), dims(9000), dims(700, 2), dims(3, 1)}) {
            const auto x = distribute(-zeros<float>(shape), distributed::split(0));
            for (const axes& a : {axes(0), axes()}) {
                check(!bool(any(signbit(sum(x, a).gather()))), "a sum");
                check(!bool(any(signbit(mean(x, a).gather()))), "a mean");
            }
        }
    });
}

TEST_CASE("sums of halves over ranks are rounded by way of float32, as those of one rank") {
    on_every_backend([](const tested_backend&) {
        on_ranks({1, 2, 3}, [](distributed::session&, auto check) {
            auto compare = [&]<class T>(T, float large, float small) {
                for (std::int64_t other : {2, 600, 4096, 8190, 12300})
                    for (int columns : {1, 2}) {
                        const array<std::int64_t> at = arange<std::int64_t>(12345)(all, newaxis);
                        const array<float> values =
                            where(at == 0, large, where(at == 1, 1.0f, where(at == other, small, 0.0f)));
                        const array<T> whole = astype<T>(values + zeros<float>({1, columns})).eval();
                        const auto x = distribute(whole, distributed::split(0));
                        check(same_bits(sum(x, 0).gather(), sum(whole, 0)), "sum");
                        check(same_bits(cumsum(x, 0).gather(), cumsum(whole, 0)), "cumsum");
                    }
            };
            compare(sinter::half(), 2048, 1.0f / 8192);
            compare(bfloat16(), 256, 1.0f / 131072);
        });
    });
}
