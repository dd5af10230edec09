// Reductions whose blocks have elements on several ranks: one rank's bits, few bytes, and calls that are checked.
#include <sinter/distributed.hpp>
#include <sinter/sinter.hpp>

#include "support/backends.hpp"
#include "support/ranks.hpp"

using namespace sinter;
using namespace test_backends;
using namespace test_ranks;

TEST_CASE("reductions of rows and columns whose blocks cross borders of ranks have the bits of one rank") {
    on_every_backend([](const tested_backend& b) {
        for (int p : {1, 2, 3, 4}) {
            if (!b.is_interpreter() && p != 3) continue;
            on_ranks({p}, [&](distributed::session&, auto check) {
                for (const dims& shape : {dims(40961), dims(70001, 2), dims(2, 41003), dims(5000, 1), dims(4095)}) {
                    random::generator g(17);
                    const array<float> whole = g.normal<float>(1, 2, shape);
                    const int axis = shape.size() > 1 && shape[0] == 2 ? 1 : 0;
                    const auto x = distribute(whole, distributed::split(axis));
                    const auto total = sum(x, axis), least = min(x, axis), spread = var(x, axis);
                    const auto place = argmax(x, axis);
                    check(same_bits(total.gather(), sum(whole, axis)), "sum");
                    check(same_bits(least.gather(), min(whole, axis)), "min");
                    check(same_bits(place.gather(), argmax(whole, axis)), "argmax");
                    check(same_bits(spread.gather(), var(whole, axis)), "var");
                    check(same_bits(prod(1 + x / 4096).gather(), prod(1 + whole / 4096)), "prod of all");
                    check(same_bits(nanargmin(x).gather(), nanargmin(whole)), "nanargmin of all");
                    check(same_bits(any(x > 9, axis).gather(), any(whole > 9, axis)), "any");
                    const auto whole_numbers = astype<std::int16_t>(whole * 100);
                    check(same_bits(sum(distribute(whole_numbers, distributed::split(axis)), axis).gather(),
                                    sum(whole_numbers, axis)),
                          "sum of integers");
                }
            });
        }
    });
}

TEST_CASE("a rank passes on less than a block of a long row and gets little else, however many ranks there are") {
    on_ranks({2, 3, 4, 8}, [&](distributed::session& s, auto check) {
        const std::int64_t n = 200'003;
        const array<double> whole = random::generator(3).normal<double>(0, 1, {n});
        const auto x = distribute(whole, distributed::split(0)).eval();
        s.reset_counters();
        const double got = double(sum(x));
        const auto moved = s.counters();
        check(got == double(sum(whole)), "sum");
        check(moved.collectives == 2, "blocks at borders, and the results of all");
        check(moved.bytes_received < 8 * (4096 + n / 4096 + s.ranks()), "bytes");
    });
}

TEST_CASE(
    "ranks that make the same call of arrays of other shapes, types and placements are told so, and do not wait") {
    using distributed::split;
    const auto words_of = [](auto f) {
        return message_of([&] {
            distributed::run(2, [&](distributed::session& s) { f(s.rank()); }, {.timeout = 20, .check = true});
        });
    };
    const std::string end = ": all ranks make the same calls with arrays that are alike";
    CHECK(words_of(
              [](int r) { (void)double(sum(distribute(ones<double>(r == 1 ? dims(3, 4) : dims(4, 3)), split(0)))); }) ==
          "[sum] rank 1 has (3, 4) float64 split(0) along (0, 1), rank 0 (4, 3) float64 split(0) along (0, 1)" + end);
    CHECK(words_of([](int r) {
              const auto x = distribute(ones<double>({4, 4}), split(0));
              sum(x, r).gather();
              sum(x, 1 - r).gather();
          }).find("[gather]") == 0);
    CHECK(words_of([](int r) {
              if (r == 0) distribute(ones<double>({6}), split(0)).gather();
              else distribute(ones<std::int64_t>({6}), split(0)).gather();
          }) == "[gather] rank 1 has (6,) int64 split(0), rank 0 (6,) float64 split(0)" + end);
    CHECK(words_of([](int r) { distribute(ones<double>({6, 6}), split(r)).gather(); }) ==
          "[gather] rank 1 has (6, 6) float64 split(1), rank 0 (6, 6) float64 split(0)" + end);
    CHECK(words_of([](int r) {
              const auto x = distribute(ones<double>({6, 6}), split(0));
              x.reshard(r == 0 ? split(1) : distributed::mesh(2)).eval();
          }).find("[reshard] rank 1 has (6, 6) float64 split(0) to ") == 0);
    CHECK(words_of([](int r) {
              const auto x = distribute(arange<double>(12), split(0));
              (x(slice(1 + r, none)) + 0).eval();
          }).find("rank 1 has (12,) float64 split(0) to ") != std::string::npos);
    CHECK(words_of([](int r) {
              cumsum(distribute(ones<double>({4 + r}), split(0)), 0).eval();
          }).find("[cumsum] rank 1") == 0);
    CHECK(words_of([](int r) {
              const auto x = distribute(ones<double>({4 + r, 3}), split(0));
              matmul(x.T(), x).gather();
              (void)double(sum(x));
          }) ==
          "[sum] rank 1 has (5, 3) float64 split(0) along (0, 1), rank 0 (4, 3) float64 split(0) along (0, 1)" + end);
    CHECK(words_of([](int) { (void)double(mean(distribute(ones<double>({7}), split(0)))); }).empty());
}

TEST_CASE("threads whose bytes differ are told so without a check, and read nothing that is not there") {
    const auto words_of = [](auto f) {
        return message_of([&] { distributed::run(3, [&](distributed::session& s) { f(s.rank()); }, {.timeout = 20}); });
    };
    const auto is_told = [](const std::string& words) {
        return words.find(" bytes, not ") != std::string::npos &&
               words.find("all ranks make the same calls with arrays that are alike") != std::string::npos;
    };
    const auto rows = [](int r) { return distribute(ones<double>({r == 1 ? 900'001 : 3, 3}), distributed::split(0)); };
    CHECK(is_told(words_of([&](int r) { cumsum(rows(r), 0).gather(); })));
    CHECK(is_told(words_of([&](int r) { rows(r).gather(); })));
}

TEST_CASE(
    "threads whose calls differ are told so without a check: nobody waits for ever, nor reads what is not there") {
    using distributed::session;
    const auto told_where_rank_0 = [](auto f) {
        const std::string words = message_of([&] {
            distributed::run(3,
                             [&](session& s) {
                                 const auto x = distribute(ones<double>({9, 3}), distributed::split(0));
                                 if (s.rank() == 0) return f(s);
                                 x.gather();
                                 x.gather();
                             },
                             {.timeout = 20});
        });
        return words.find(" meets ") != std::string::npos &&
               words.find(": all ranks make the same calls in the same order") != std::string::npos;
    };
    CHECK(told_where_rank_0([](session& s) { s.barrier(); }));
    CHECK(told_where_rank_0([](session& s) { s.link().split(0); }));
    CHECK(told_where_rank_0([](session& s) {
        char byte = 0;
        s.link().broadcast(&byte, 1, 0);
    }));
}

TEST_CASE("functions of whole lines have the bits of one rank where a rank has one column") {
    on_every_backend([](const tested_backend& b) {
        const array<double> whole = (arange<double>(3000) * 37 % 101 - 50) / 7;
        on_ranks({b.is_interpreter() ? 2 : 3, 3}, [&](distributed::session&, auto check) {
            for (const dims& shape : {dims(1000, 3), dims(1000, 3, 1), dims(7, 3)}) {
                const array<double> m = reshape(whole(slice(0, shape.product())), shape);
                const auto x = distribute(m, distributed::split(1));
                check(same_bits(trapezoid(x, 0.3, 0).gather(), trapezoid(m, 0.3, 0)), "trapezoid");
                check(same_bits(unwrap(x, 0).gather(), unwrap(m, 0)), "unwrap");
                check(same_bits(quantile(x, {0.1, 0.7}, 0).gather(), quantile(m, {0.1, 0.7}, 0)), "quantiles");
                check(same_bits(median(x, 0, keepdims).gather(), median(m, 0, keepdims)), "median");
            }
        });
    });
}

TEST_CASE("lines without elements have medians that are not a number, as of ordinary arrays, and no quantiles") {
    on_ranks({1, 3}, [](distributed::session&, auto check) {
        const array<double> m = zeros({0, 4});
        for (const auto& where : {distributed::replicated(), distributed::split(1)}) {
            const auto x = distribute(m, where);
            check(same_bits(isnan(median(x, 0)).gather(), ones<bool>({4})), "median");
            check(same_bits(isnan(nanmedian(x, 0)).gather(), ones<bool>({4})), "nanmedian");
            check(same_bits(isnan(nanquantile(x, 0.5, 0)).gather(), ones<bool>({4})), "nanquantile");
            check(message_of([&] { static_cast<void>(quantile(x, 0.5, 0)); }) ==
                      message_of([&] { static_cast<void>(quantile(m, 0.5, 0)); }),
                  "quantile");
        }
    });
}
