// Boundedness: loops, long chains, wide expressions and many shapes compile few kernels and hold bounded memory.
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <random>
#include <utility>
#include <sinter/runtime/compile/kernel_cache.hpp>
#include <sinter/runtime/lazy/plan_table.hpp>
#include <sinter/sinter.hpp>

#include "support/backends.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

template <expression E>
std::vector<value_type_t<E>> values(const E& e) {
    std::vector<value_type_t<E>> v(static_cast<std::size_t>(e.size()));
    detail::read(detail::as_handle(e), v.data());
    return v;
}

std::int64_t new_kernels() { return counters().kernels_compiled + counters().disk_hits; }

enum class loop_kind { plain, prologue, swapped, read, among_locals };

/// A loop whose body has `statements` integer statements over three arrays, and the same in plain C++.
struct loop_program {
    loop_kind kind;
    int statements, iterations;

    template <class State>
    void run(State& a, State& b, State& c) const {
        if (kind == loop_kind::prologue) {
            a = b * 3 + c;
            b = a - c * 5;
            c = c + 1;
            a = a * b;
            b = b + a;
        }
        State* x[3] = {&a, &b, &c};
        for (int i = 0; i < iterations; ++i) {
            for (int s = 0; s < statements; ++s) {
                State &to = *x[s % 3], &from = *x[(s + 1) % 3];
                if (s % 2) to = to + from * 7;
                else to = from * 3 - to;
            }
            if (kind == loop_kind::swapped) std::swap(a, b);
            if (kind == loop_kind::read && i % 10 == 9) read(a);
            if (kind == loop_kind::among_locals) read(a);
        }
    }
    static void read(const array<std::int32_t>& a) { a.item(0); }
    static void read(std::uint32_t) {}
};

struct loop_cost {
    std::int64_t kernels, launches, growth;
};

loop_cost cost_of(const loop_program& p) {
    const std::int64_t n = 50;
    std::vector<std::int32_t> start(static_cast<std::size_t>(n), 1);
    auto fresh = [&](std::int32_t v) {
        start[0] = v;
        return array<std::int32_t>(detail::store(dtype::int32, {n}, start.data()));
    };
    array<std::int32_t> a = fresh(2), b = fresh(3), c = fresh(5);
    std::vector<array<std::int32_t>> locals;
    for (int i = 0; p.kind == loop_kind::among_locals && i < 20; ++i) locals.push_back(b * i + a);
    reset_counters();
    std::int64_t used = counters().pool_used;
    p.run(a, b, c);
    eval(a, b, c);
    loop_cost cost{new_kernels(), counters().launches, counters().pool_peak - used};
    std::uint32_t x = 2, y = 3, z = 5;
    p.run(x, y, z);
    CHECK(static_cast<std::uint32_t>(a.item(0)) == x);
    CHECK(static_cast<std::uint32_t>(b.item(0)) == y);
    CHECK(static_cast<std::uint32_t>(c.item(0)) == z);
    return cost;
}

void check_loops(const tested_backend& backend, loop_kind kind, const std::string& name) {
    const int iterations = is_full() ? 10'000 : 2'000, step = is_full() ? 1 : 4;
    std::string kernels, launches;
    std::int64_t growth = 0;
    for (int s = 1; s <= 20; s = s < 4 ? s + 1 : s + step) {
        CAPTURE(name);
        CAPTURE(s);
        loop_cost c = cost_of({kind, s, iterations});
        kernels += " " + std::to_string(c.kernels);
        launches += " " + std::to_string(c.launches);
        growth = std::max(growth, c.growth);
        CHECK(c.kernels <= 8);
        CHECK(c.growth < 256 * 1024);
        if (s == 3 && kind != loop_kind::read && kind != loop_kind::among_locals)
            CHECK(c.launches * 8 < 3 * iterations);
    }
    MESSAGE(backend.name << ", " << name << ", " << iterations << " iterations: kernels" << kernels << "; launches"
                         << launches << "; memory grows by at most " << growth << " bytes");
}

}  // namespace

TEST_CASE("loops of one to twenty statements compile few kernels and hold bounded memory") {
    on_compiling_backends([](const tested_backend& b) { check_loops(b, loop_kind::plain, "plain"); });
}

TEST_CASE("loops after a prologue compile few kernels and hold bounded memory") {
    on_compiling_backends([](const tested_backend& b) { check_loops(b, loop_kind::prologue, "prologue"); });
}

TEST_CASE("loops that swap two buffers compile few kernels and hold bounded memory") {
    on_compiling_backends([](const tested_backend& b) { check_loops(b, loop_kind::swapped, "swapped"); });
}

TEST_CASE("loops that read every tenth time compile few kernels and hold bounded memory") {
    on_compiling_backends([](const tested_backend& b) { check_loops(b, loop_kind::read, "read"); });
}

TEST_CASE("loops that read each time, among values that nobody reads, compile few kernels and hold bounded memory") {
    on_compiling_backends([](const tested_backend& b) { check_loops(b, loop_kind::among_locals, "among locals"); });
}

TEST_CASE("loops that assign at two places between reads, or at one of two, compile few kernels") {
    on_compiling_backends([](const tested_backend&) {
        const auto count = [](auto turn) {
            array<double> x = ones<double>({5}), other = ones<double>({5});
            eval(x, other);
            reset_counters();
            for (int i = 0; i < 60; ++i) turn(x, other, i);
            return new_kernels();
        };
        using doubles = array<double>;
        CHECK(count([](doubles& x, doubles&, int) {
                  x = x * 0.5 + 0.1;
                  sum(x).item();
                  x = x * x - 0.1;
                  sum(x).item();
              }) <= 8);
        CHECK(count([](doubles& x, doubles&, int i) {
                  if (i % 2) x = x * 0.5 + 0.1;
                  else x = sin(x);
                  sum(x).item();
              }) <= 8);
        CHECK(count([](doubles& x, doubles& y, int) {
                  const doubles g = y + x;
                  x = x * 0.5 + g * 0.1;
                  sum(x).item();
                  x = x + y;
                  sum(g).item();
              }) <= 8);
    });
}

TEST_CASE("a loop with in-place updates of slices compiles few kernels and holds bounded memory") {
    on_compiling_backends([](const tested_backend& b) {
        array<double> u = zeros<double>({34, 34});
        u(0) = 1.0;
        u.eval();
        reset_counters();
        std::int64_t used = counters().pool_used;
        const slice inner(1, -1), low(none, -2), high(2, none);
        for (int i = 0; i < 1000; ++i)
            u(inner, inner) = 0.25 * (u(low, inner) + u(high, inner) + u(inner, low) + u(inner, high));
        double middle = u.item(16, 16);
        MESSAGE(b.name << ": " << new_kernels() << " kernels, " << counters().launches << " launches, memory grows by "
                       << counters().pool_peak - used);
        CHECK(new_kernels() <= 8);
        CHECK(counters().pool_peak - used < 64 * u.nbytes());
        CHECK(middle == doctest::Approx(0.25).epsilon(0.05));
    });
}

TEST_CASE("ten lazily chained Jacobi steps neither explode nor store every step") {
    on_compiling_backends([](const tested_backend& b) {
        const std::int64_t n = 120;
        std::vector<float> start(static_cast<std::size_t>(n * n));
        for (std::size_t i = 0; i < start.size(); ++i) start[i] = static_cast<float>(i * 7 % 101) * 0.01f;
        array<float> u(detail::store(dtype::float32, {n, n}, start.data()));
        const slice inner(1, -1), low(none, -2), high(2, none);
        for (int i = 0; i < 10; ++i)
            u = 0.2f * (u(inner, inner) + u(low, inner) + u(high, inner) + u(inner, low) + u(inner, high));
        explanation e = explain(u);
        std::int64_t kernels = new_kernels();
        std::vector<float> got = values(u);
        MESSAGE(b.name << ": " << e.kernels() << " kernels, " << new_kernels() - kernels << " new");
        CHECK(e.kernels() >= 2);
        CHECK(e.kernels() <= 9);
        CHECK(new_kernels() - kernels <= e.kernels());
        std::vector<float> x = start, y;
        for (std::int64_t m = n; m > n - 20; m -= 2) {
            auto at = [&](std::int64_t i, std::int64_t j) { return x[static_cast<std::size_t>(i * m + j)]; };
            y.clear();
            for (std::int64_t i = 1; i < m - 1; ++i)
                for (std::int64_t j = 1; j < m - 1; ++j)
                    y.push_back(0.2f * (at(i, j) + at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1)));
            x = y;
        }
        int wrong = 0;
        for (std::size_t i = 0; i < x.size(); ++i) wrong += !(std::fabs(x[i] - got[i]) < 1e-5f);
        CHECK(wrong == 0);
    });
}

TEST_CASE("a thousand random shapes of one broadcast expression compile at most twelve kernels") {
    on_compiling_backends([](const tested_backend& b) {
        std::mt19937 random(12345);
        auto below = [&](int n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
        reset_counters();
        int wrong = 0;
        for (int round = 0; round < 1000; ++round) {
            int rank = 1 + static_cast<int>(below(6));
            dims shape;
            for (int i = 0; i < rank; ++i) {
                const std::int64_t sizes[] = {0, 1, 2, 3, 4, 5, 7};
                shape.push_back(below(12) == 0 ? 0 : sizes[1 + below(rank > 4 ? 3 : 6)]);
            }
            // An operand broadcasts along some axes, lacks leading ones, and lies transposed or sliced in memory.
            auto operand = [&](double seed) {
                dims own = shape;
                for (std::int64_t& v : own)
                    if (below(4) == 0) v = 1;
                while (own.size() > 0 && below(5) == 0) own.erase(0);
                bool transposes = below(3) == 0, slices = below(3) == 0;
                dims memory;
                for (int i = 0; i < own.size(); ++i)
                    memory.push_back(own[transposes ? own.size() - 1 - i : i] * (slices ? 2 : 1));
                std::vector<double> data(static_cast<std::size_t>(memory.product()));
                for (std::size_t i = 0; i < data.size(); ++i) data[i] = seed + 0.25 * static_cast<double>(i % 31);
                array<double> a(detail::store(dtype::float64, memory, data.data()));
                if (slices)
                    for (int i = 0; i < own.size(); ++i) {
                        codegen::layout all = codegen::contiguous(a.shape());
                        std::int64_t n = a.shape(i) / 2;
                        a = array<double>(
                            detail::record_view(a.get_handle(), codegen::sliced(all, i, n ? 2 * n - 1 : 0, -2, n)));
                    }
                return transposes ? a.T() : a;
            };
            array<double> x = operand(1), y = operand(2), z = operand(3);
            array<double> r = (x * 2.0 + y) / (z * z + 1.0);
            std::vector<double> got = values(r);
            std::vector<double> vx = values(broadcast_to(x, r.shape()).copy()),
                                vy = values(broadcast_to(y, r.shape()).copy()),
                                vz = values(broadcast_to(z, r.shape()).copy());
            for (std::size_t i = 0; i < got.size(); ++i)
                wrong += got[i] != (vx[i] * 2.0 + vy[i]) / (vz[i] * vz[i] + 1.0);
        }
        CHECK(wrong == 0);
        // Reading the operands takes kernels of its own: one copy per class of layouts.
        MESSAGE(b.name << ": " << new_kernels() << " kernels, copies included");
        CHECK(new_kernels() <= 16);
    });
}

TEST_CASE("a thousand random shapes evaluated alone compile at most twelve kernels") {
    on_compiling_backends([](const tested_backend& b) {
        std::mt19937 random(99);
        auto below = [&](int n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
        reset_counters();
        for (int round = 0; round < 1000; ++round) {
            int rank = 1 + static_cast<int>(below(6));
            dims shape;
            for (int i = 0; i < rank; ++i) shape.push_back(below(10) == 0 ? 0 : 1 + below(rank > 4 ? 3 : 6));
            auto operand = [&] {
                dims own = shape;
                for (std::int64_t& v : own)
                    if (below(4) == 0) v = 1;
                while (own.size() > 0 && below(5) == 0) own.erase(0);
                bool transposes = below(3) == 0, slices = below(3) == 0;
                dims memory;
                for (int i = 0; i < own.size(); ++i)
                    memory.push_back(own[transposes ? own.size() - 1 - i : i] * (slices ? 2 : 1));
                std::vector<float> data(static_cast<std::size_t>(memory.product()), 1.5f);
                array<float> a(detail::store(dtype::float32, memory, data.data()));
                if (slices)
                    for (int i = 0; i < own.size(); ++i) {
                        codegen::layout all = codegen::contiguous(a.shape());
                        a = array<float>(
                            detail::record_view(a.get_handle(), codegen::sliced(all, i, 0, 2, a.shape(i) / 2)));
                    }
                return transposes ? a.T() : a;
            };
            array<float> x = operand(), y = operand(), z = operand();
            array<float> r = (x + y) * 0.5f - exp(z);
            r.eval();
        }
        MESSAGE(b.name << ": " << new_kernels() << " kernels for 1000 shapes");
        CHECK(new_kernels() <= 12);
    });
}

TEST_CASE("an expression of ten thousand nodes is computed in several kernels") {
    on_every_backend([](const tested_backend&) {
        std::vector<double> start{0.5, 1.5, 2.5};
        array<double> x(detail::store(dtype::float64, {3}, start.data()));
        detail::recorder r;
        r.add_input(x.get_handle());
        for (int i = 0; i < 5000; ++i) {
            r.add_input(x.get_handle());
            r.add_op(i % 2 ? codegen::op::add : codegen::op::subtract);
        }
        array<double> y(detail::record(std::move(r), dtype::float64, {3}));
        CHECK(values(y) == start);
    });
}

TEST_CASE("chains of thousands of pending statements are computed") {
    on_every_backend([](const tested_backend&) {
        array<double> x{1, 2, 3}, y = x;
        for (int i = 0; i < 20'000; ++i) y = y * 0.5 + x;
        CHECK(values(y) == std::vector<double>{2, 4, 6});
    });
}

TEST_CASE("an expression of two hundred inputs is computed in several kernels") {
    on_every_backend([](const tested_backend&) {
        std::vector<array<float>> inputs;
        for (int i = 0; i < 200; ++i) inputs.push_back(array<float>{static_cast<float>(i), static_cast<float>(2 * i)});
        detail::recorder r;
        r.add_input(inputs[0].get_handle());
        for (std::size_t i = 1; i < inputs.size(); ++i) {
            r.add_input(inputs[i].get_handle());
            r.add_op(codegen::op::add);
        }
        array<float> one_statement(detail::record(std::move(r), dtype::float32, {2}));
        CHECK(values(one_statement) == std::vector<float>{19900, 39800});
        array<float> chained = inputs[0];
        for (std::size_t i = 1; i < inputs.size(); ++i) chained = chained + inputs[i];
        CHECK(values(chained) == std::vector<float>{19900, 39800});
        // A balanced tree has no long path to cut.
        std::vector<array<float>> level = inputs;
        while (level.size() > 1) {
            std::vector<array<float>> next;
            for (std::size_t i = 0; i + 1 < level.size(); i += 2) next.push_back(level[i] * 1.0f + level[i + 1]);
            if (level.size() % 2) next.push_back(level.back());
            level = next;
        }
        CHECK(values(level[0]) == std::vector<float>{19900, 39800});
    });
}

TEST_CASE("two hundred values are evaluated together") {
    on_every_backend([](const tested_backend&) {
        array<float> x{1, 2, 3};
        std::vector<runtime::handle> all;
        for (int i = 0; i < 200; ++i) all.push_back(detail::as_handle(array<float>(x * static_cast<float>(i))));
        detail::evaluate(all);
        std::vector<float> v(3);
        detail::read(all[150], v.data());
        CHECK(v == std::vector<float>{150, 300, 450});
    });
}

namespace {

/// One of 2^12 expressions, each with a kernel of its own.
template <class T>
T one_of_many(int number, T x, const T& y) {
    for (int b = 0; b < 12; ++b) x = number >> b & 1 ? T(x + y) : T(x * y);
    return x;
}

std::int64_t mappings_of_kernels() {
    std::ifstream maps("/proc/self/maps");
    std::int64_t n = 0;
    for (std::string line; std::getline(maps, line);) n += line.find("sinter-kernel") != line.npos;
    return n;
}

}  // namespace

TEST_CASE("kernels that have not run for long are unloaded, and come back when they are wanted") {
    const std::size_t most = std::exchange(runtime::most_loaded_kernels, 12);
    on_compiling_backends([](const tested_backend& b) {
        const array<double> x{1, 0.5, -2}, y{1.5, 0.25, 0.75};
        const auto check = [&](int number) {
            const array<double> r = one_of_many(number, x, y);
            for (std::int64_t i = 0; i < 3; ++i) CHECK(r.item(i) == one_of_many<double>(number, x.item(i), y.item(i)));
            return r;
        };
        const array<double> held = check(5);
        const std::size_t before = runtime::loaded_kernels();
        for (int i = 0; i < 60; ++i) {
            check(64 * i + 7);
            check(4095);  // stays in use
            CHECK(runtime::loaded_kernels() <= before + 30);
        }
        if (!b.is_cuda()) CHECK(mappings_of_kernels() <= 4 * static_cast<std::int64_t>(before + 30));
        reset_counters();
        check(4095);
        CHECK(new_kernels() == 0);
        check(7);
        CHECK(new_kernels() > 0);
        CHECK(explain(held).kernels() == 1);
        CHECK(held.item(0) == one_of_many<double>(5, 1, 1.5));
    });
    runtime::most_loaded_kernels = most;
}

TEST_CASE("a million statements in a loop hold bounded memory") {
    on_every_backend([](const tested_backend& b) {
        const int count = b.is_interpreter() && !is_full() ? 100'000 : 1'000'000;
        array<float> x{0, 1};
        reset_counters();
        std::int64_t used = counters().pool_used;
        for (int i = 0; i < count; ++i) x += 1.0f;
        CHECK(x.item(0) == static_cast<float>(count));
        CHECK(counters().pool_peak - used < 1 << 20);
        if (b.compiles()) {
            MESSAGE(b.name << ": " << new_kernels() << " kernels, " << counters().launches << " launches");
            CHECK(new_kernels() <= 8);
        }
    });
}
