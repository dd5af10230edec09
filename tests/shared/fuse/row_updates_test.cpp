// Reductions assigned to parts of arrays: in the kernel that reduces where nothing is in the way, and as if one by one
// anywhere.
#include "support/backends.hpp"
#include "support/stored_arrays.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

using numbers = array<std::int64_t>;

/// Arrays that a case reads and changes.
struct state {
    numbers a = stored<std::int64_t>({6}, 3, 1), x = stored<std::int64_t>({4097}),
            m = stored<std::int64_t>({5, 33}, 1, 7), n = stored<std::int64_t>({5, 33}, 2);
    std::vector<numbers> results;
};

/// Runs the case as it is and with every assignment evaluated before the next; `settle` does that.
template <class Case>
void check_case(Case body) {
    on_every_backend([&](const tested_backend&) {
        state lazy, eager;
        body(lazy, [](auto&...) {});
        body(eager, [](auto&... v) { (v.eval(), ...); });
        REQUIRE(lazy.results.size() == eager.results.size());
        for (std::size_t i = 0; i < lazy.results.size(); ++i) {
            CAPTURE(i);
            CHECK(values(lazy.results[i]) == values(eager.results[i]));
        }
    });
}

/// Launches of what a call records and evaluates.
template <class Call>
std::int64_t launches_of(Call call) {
    synchronize();
    const std::int64_t before = counters().launches;
    call();
    return counters().launches - before;
}

}  // namespace

TEST_CASE("reductions assigned to elements one after the other share kernels with what is computed from them") {
    on_compiling_backends([](const tested_backend&) {
        for (int n : {5, 8}) {  // a kernel takes ten of them
            array<double> x = stored<double>({4097}), means = stored<double>({n + 1});
            CHECK(launches_of([&] {
                      for (int i = 0; i < n; ++i) means(n - i) = sum(where(x > i, x, 0.0)) / count_nonzero(x > i);
                      means.eval();
                  }) == (n + 4) / 5);
            for (int i = 0; i < n; ++i) {
                double total = 0, count = 0;
                for (double v : values(x)) {
                    total += v > i ? v : 0;
                    count += v > i;
                }
                CHECK(means.item(n - i) == doctest::Approx(total / count).epsilon(1e-14));
            }
        }
    });
}

TEST_CASE("sums of rows are assigned to a part of an array by the kernel that sums") {
    on_compiling_backends([](const tested_backend&) {
        numbers m = stored<std::int64_t>({5, 33}), a = stored<std::int64_t>({12}, 0, 4);
        CHECK(launches_of([&] {
                  a(slice(10, 0, -2)) = sum(m, 1) + 1;
                  a.eval();
              }) == 1);
        const std::vector<std::int64_t> sums = values(sum(m, 1)), got = values(a);
        for (std::size_t i = 0; i < 12; ++i) CHECK(got[i] == (i % 2 == 0 && i > 0 ? sums[(10 - i) / 2] + 1 : 4));
    });
}

TEST_CASE("an array that is reduced may get the result") {
    check_case([](state& s, auto settle) {
        s.a(0) = sum(s.a);
        settle(s.a);
        s.a(1) = max(s.a);
        settle(s.a);
        s.a(2) += sum(s.a) * s.a(3);
        s.results = {s.a};
    });
}

TEST_CASE("a later assignment of a reduction to the same elements wins") {
    check_case([](state& s, auto settle) {
        s.a(1) = sum(s.x);
        settle(s.a);
        s.a(1) = max(s.x);
        settle(s.a);
        s.a(slice(0, 5)) = sum(s.m, 1);
        settle(s.a);
        s.a(slice(1, 6)) = sum(s.n, 1);
        settle(s.a);
        s.a(slice(none, none, -1)) = s.a;
        s.results = {s.a};
    });
}

TEST_CASE("an assignment of a reduction may read what earlier ones assigned") {
    check_case([](state& s, auto settle) {
        s.a(0) = sum(s.x);
        settle(s.a);
        s.a(1) = sum(s.x) + s.a(0);
        settle(s.a);
        s.a(2) = sum(s.x * s.a(1));
        settle(s.a);
        s.a(3) = 5;
        settle(s.a);
        s.a(4) = max(s.x) - s.a(3);
        s.results = {s.a};
    });
}

TEST_CASE("who holds the old value keeps it when a reduction is assigned") {
    check_case([](state& s, auto settle) {
        numbers before = s.a, view = s.a(slice(0, 2));
        s.a(0) = sum(s.x);
        settle(s.a);
        numbers between = s.a;
        s.a(1) = min(s.x);
        settle(s.a);
        s.results = {s.a, before, view, between, numbers(sum(before)), numbers(s.a + between)};
    });
}

TEST_CASE("what else reads the array sees it before or after a reduction is assigned") {
    check_case([](state& s, auto settle) {
        numbers early = sum(s.a * 2), doubled = s.a + s.a;
        s.a(2) = sum(s.x);
        settle(s.a, early);
        numbers late = sum(s.a * 2);
        s.a(slice(1, 6)) = max(s.m, 1);
        settle(s.a, late);
        s.results = {s.a, early, late, doubled, numbers(s.m + 1)};
    });
}

TEST_CASE("reductions assigned to new, empty and absent elements") {
    check_case([](state& s, auto settle) {
        numbers fresh = zeros<std::int64_t>({7}), open = empty<std::int64_t>({2});
        fresh(3) = sum(s.x);
        settle(fresh);
        fresh(slice(0, 5, 2)) = sum(s.m(slice(0, 3)), 1);
        settle(fresh);
        open(0) = sum(s.x);
        settle(open);
        open(1) = sum(s.x(slice(0, 0)));
        settle(open);
        fresh(slice(2, 2)) = sum(s.m(slice(0, 0)), 1);
        s.results = {fresh, open};
    });
}

TEST_CASE("a loop that assigns reductions to elements settles to kernels that it finds in every later run") {
    on_compiling_backends([](const tested_backend& b) {
        const int count = 203;
        array<double> x = stored<double>({40'000}), y = stored<double>({40'000}, 0.5);
        auto run = [&] {
            array<double> rings = zeros({count});
            for (int i = 0; i < count; ++i) {
                array<bool> inside = x >= i % 90 && x < i % 90 + 5;
                rings(i) = sum(where(inside, y, 0.0)) / count_nonzero(inside);
            }
            return values(rings);
        };
        reset_counters();
        const std::vector<double> first = run();
        const std::int64_t compiled = counters().kernels_compiled + counters().disk_hits;
        MESSAGE(b.name << ": " << compiled << " kernels, " << counters().launches << " launches");
        CHECK(compiled <= 6);
        for (int again = 0; again < 2; ++again) {
            reset_counters();
            CHECK(run() == first);
            CHECK(counters().kernels_compiled + counters().disk_hits == 0);
            CHECK(counters().launches < count / 3);
        }
    });
}
