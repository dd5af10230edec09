// Streams and events: who needs what another stream writes waits for it, memory goes from stream to stream, times are
// measured.
#include "support/backends.hpp"

#include <sinter/fft.hpp>
#include <sinter/linalg.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/sinter.hpp>
#include <thread>

using namespace sinter;
using test_backends::on_every_backend;
using test_backends::tested_backend;

namespace {

/// Something of every kind that a plan may hold: maps, reductions with counted blocks, scans, sorts, updates.
double program(int seed, std::int64_t n) {
    array<double> x = arange<double>(double(n)) * 0.5 + seed;
    array<double> y = cumsum(x - mean(x)) + sum(square(x));
    array<double> z = sort(-y);
    z(slice(0, n / 2)) = z(slice(n - n / 2, n)) * 2.0;
    z += 1.0;
    return max(z).item() + z.item(n / 3) + sum(x).item();
}

}  // namespace

TEST_CASE("arrays written on one stream are read on others, and written again, in the order of the program") {
    on_every_backend([](const tested_backend&) {
        constexpr int n = 10000;  // enough for results to take over memory
        stream a, b;
        array<double> x = arange<double>(n);
        x.eval();
        for (int i = 0; i < 20; ++i) {
            array<double> kept = x;
            {
                stream_scope on(a);
                x = x * 2.0 - arange<double>(n);
                x.eval();
            }
            array<double> y;
            {
                stream_scope on(b);
                y = x + kept;
                y.eval();
            }
            kept = array<double>();
            x += 1.0;  // in place, on the first stream, what b may still be reading
            x.eval();
            {
                stream_scope on(b);
                x -= 1.0;
                x.eval();
                if (i % 3 == 0) CHECK(x.item(7) == 7.0);
            }
            CHECK(y.item(7) == 14.0);
            CHECK(sum(x).item() == 0.5 * n * (n - 1));
        }
    });
}

TEST_CASE("memory that one stream gave back serves another only when nobody uses it any more") {
    on_every_backend([](const tested_backend&) {
        stream a, b;
        array<double> total = zeros<double>({500});
        for (int i = 0; i < 60; ++i) {
            array<double> x;
            {
                stream_scope on(i % 2 ? a : b);
                x = arange<double>(500.0) + double(i);
                x.eval();
            }
            {
                stream_scope on(i % 3 ? a : b);
                total = total + x * x;
                total.eval();
            }
            x = array<double>();  // while the last reader may not have run
            if (i % 7 == 6) memory_pool().trim();
            stream_scope on(i % 2 ? b : a);
            array<double> other = zeros<double>({500}) - 1.0;
            other.eval();
            CHECK(other.item(3) == -1.0);
        }
        double expected = 0;
        for (int i = 0; i < 60; ++i) expected += (3.0 + i) * (3.0 + i);
        CHECK(total.item(3) == expected);
        memory_pool().trim();
    });
}

TEST_CASE("reductions of several streams count their thread blocks apart") {
    on_every_backend([](const tested_backend& backend) {
        const std::int64_t n = backend.is_interpreter() ? 3000 : 300000;
        array<double> x = arange<double>(double(n)) + 1.0;
        x.eval();
        stream streams[3];
        array<double> sums[12];
        for (int i = 0; i < 12; ++i) {
            stream_scope on(streams[i % 3]);
            sums[i] = sum(x * double(i));
            sums[i].eval();
        }
        for (int i = 0; i < 12; ++i) CHECK(sums[i].item() == 0.5 * i * double(n) * double(n + 1));
    });
}

TEST_CASE("reductions, sorts and library calls of two streams do not disturb each other") {
    on_every_backend([](const tested_backend& backend) {
        stream a, b;
        array<double> m = astype<double>(reshape(arange<int64_t>(36 * 36), {36, 36})) / 100.0;
        array<double> near = m + 50.0 * eye<double>(36);
        array<std::complex<double>> spectrum;
        array<double> one[6], two[6];
        const std::int64_t n = backend.is_interpreter() ? 5000 : 70000;
        m.eval();
        near.eval();
        auto compute = [&](array<double>(&to)[6], double by) {
            to[0] = sum(arange<double>(double(n)) * by, 0, keepdims);
            to[1] = matmul(m, near) * by;
            to[2] = linalg::solve(near, m) * by;
            to[3] = real(fft::fft(m)) * by;
            to[4] = sort(-m * by, 1);
            to[5] = cumsum(arange<double>(double(n)) * by);
            eval(to[0], to[1], to[2], to[3], to[4], to[5]);
        };
        for (int round = 0; round < 2; ++round) {
            {
                stream_scope on(a);
                compute(one, 1.0);
            }
            {
                stream_scope on(b);
                compute(two, 2.0);
            }
        }
        for (int i = 0; i < 4; ++i) CHECK(bool(all(two[i] == one[i] * 2.0)));
        CHECK(bool(all(two[4] == one[4] * 2.0)));
        CHECK(bool(all(two[5] == one[5] * 2.0)));
        CHECK(one[0].item(0) == 0.5 * double(n) * double(n - 1));
    });
}

TEST_CASE("events are reached in order, measure time, and refuse what has none") {
    on_every_backend([](const tested_backend& backend) {
        event begin, end, never;
        CHECK(begin.query());
        begin.synchronize();
        CHECK_THROWS_WITH_AS((void)elapsed(begin, end), "[event] elapsed: the first event has not been recorded",
                             value_error);
        begin.record();
        CHECK_THROWS_WITH_AS((void)elapsed(begin, end), "[event] elapsed: the second event has not been recorded",
                             value_error);
        array<double> x = cumsum(arange<double>(20000.0));
        end.record();
        end.synchronize();
        CHECK(end.query());
        CHECK(begin.query());
        CHECK(elapsed(begin, end) >= 0.0f);
        CHECK(elapsed(end, begin) <= 0.0f);
        CHECK(x.item(3) == 6.0);
        CHECK((begin.native() != nullptr) == backend.is_cuda());
        stream s;
        s.wait(never);
        event after;
        {
            stream_scope on(s);
            x = x + 1.0;
            after.record();
        }
        stream other;
        other.wait(after);
        event last;
        last.record(other);
        last.synchronize();
        CHECK(after.query());
        CHECK(elapsed(begin, last) >= 0.0f);
        CHECK(s.query());
        s.synchronize();
        CHECK(s.where() == runtime::current_device());
        CHECK((s.native() != nullptr) == backend.is_cuda());
    });
}

TEST_CASE("a scope of a stream runs what was recorded before it and inside it") {
    test_backends::on_compiling_backends([](const tested_backend&) {
        array<float> x = arange<float>(100.0f) + 0.0f;
        x.eval();
        stream s;
        array<float> before = sqrt(x), inside;
        reset_counters();
        {
            stream_scope on(s);
            CHECK(counters().launches == 1);
            inside = x * x;
            CHECK(counters().launches == 1);
        }
        CHECK(counters().launches == 2);
        CHECK(before.item(9) == 3.0f);
        CHECK(inside.item(9) == 81.0f);
        graph step([&](const array<float>& v) {
            CHECK_THROWS_AS(stream_scope on(s), value_error);
            event e;
            CHECK_THROWS_AS(e.record(), value_error);
            return array<float>(sum(v * 2.0f) + v);
        });
        for (int i = 0; i < 3; ++i) {
            stream_scope on(s);
            CHECK(step(x).item(1) == 9901.0f);
            stream other;
            stream_scope there(other);
            CHECK(step(x).item(2) == 9902.0f);
        }
    });
}

TEST_CASE("a bad index of one stream is thrown where the value is read on another") {
    on_every_backend([](const tested_backend&) {
        stream a, b;
        array<int64_t> at = {1, 7, 2};
        array<double> x = arange<double>(5.0) + 1.0, y;
        try {
            stream_scope on(a);
            y = take(x, at);
            y.eval();
        } catch (const index_error&) {
        }
        stream_scope on(b);
        array<double> z = y + 1.0;
        CHECK_THROWS_AS((void)z.item(0), index_error);
        CHECK(array<double>(x + 1.0).item(4) == 6.0);
    });
}

TEST_CASE("pinned vectors are copied both ways while the host goes on") {
    on_every_backend([](const tested_backend&) {
        stream s;
        stream_scope on(s);
        pinned_vector<float> in(5000, 1.0f), back(5000);
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = float(i);
        event copied, done;
        array<float> x = asarray(in);
        copied.record();
        copied.synchronize();
        for (float& v : in) v = -1.0f;
        copy_to(x * 2.0f, back, done);
        done.synchronize();
        CHECK(back[4999] == 9998.0f);
        CHECK(bool(all(x == arange<float>(5000.0f))));
        CHECK_THROWS_AS(copy_to(x, pinned_vector<float>(3), done), shape_error);
        std::vector<float> pageable(5000);
        copy_to(x + 1.0f, pageable, done);
        CHECK(pageable[10] == 11.0f);
        pinned_vector<int> none;
        CHECK(asarray(none).shape(0) == 0);
        copy_to(asarray(none), none, done);
        for (int i = 0; i < 10; ++i) {  // memory that goes while copies are under way
            pinned_vector<double> v(3000, double(i));
            array<double> a = asarray(v), b = a * 2.0;
            copy_to(b, v, done);
            done.synchronize();
            CHECK(v[2999] == 2.0 * i);
            pinned_vector<double> gone(3000, 5.0 + i);
            array<double> kept = asarray(gone);
            gone = pinned_vector<double>();
            CHECK(kept.item(2999) == 5.0 + i);
        }
        array<int64_t> bad = {9};
        CHECK_THROWS_AS(copy_to(take(x, bad * 1000), pinned_vector<float>(1), done), index_error);
    });
}

TEST_CASE("a memory pool tells what it holds, keeps to a limit and gives back what it kept") {
    on_every_backend([](const tested_backend&) {
        const memory_pool_reference pool = memory_pool();
        synchronize();
        pool.trim();
        const std::int64_t before = pool.used(), all = pool.limit();
        CHECK(pool.held() == before);
        pool.reset_peak();
        {
            array<double> x = arange<double>(1 << 17) + 1.0;
            x.eval();
            CHECK(pool.used() == before + (1 << 20));
            CHECK(pool.peak() >= pool.used());
        }
        CHECK(pool.used() == before);
        CHECK(pool.held() >= before + (1 << 20));
        CHECK(pool.peak() >= before + (1 << 20));
        pool.set_limit(before + (1 << 21));
        CHECK(pool.limit() == before + (1 << 21));
        try {
            array<double> small = arange<double>(1 << 17) + 1.0;
            small.eval();
            array<double> large = arange<double>(1 << 19) + 1.0;
            CHECK_THROWS_WITH_AS(large.eval(), doctest::Contains(("of " + std::to_string(before + (1 << 21))).c_str()),
                                 out_of_memory);
            CHECK(small.item(5) == 6.0);
            pool.set_limit(0);
            CHECK(large.item(1 << 18) == double((1 << 18) + 1));
        } catch (...) {
            pool.set_limit(0);
            throw;
        }
        CHECK(pool.limit() == all);
        CHECK_THROWS_AS(pool.set_limit(-1), value_error);
        pool.trim();
        CHECK(pool.held() == pool.used());
        CHECK(memory_pool(device::cpu()).limit() > 0);
    });
}

TEST_CASE("eight threads with a stream each compute two hundred small programs") {
    on_every_backend([](const tested_backend& backend) {
        constexpr int threads = 8, different = 5;
        const int programs = backend.is_interpreter() ? 20 : 200;
        double expected[different];
        for (int i = 0; i < different; ++i) expected[i] = program(i, 100 + 37 * i);
        array<double> shared = arange<double>(300.0) + 1.0;
        shared.eval();
        std::atomic<int> wrong{0};
        std::vector<std::thread> team;
        for (int t = 0; t < threads; ++t)
            team.emplace_back([&, t] {
                test_backends::backend_selection here(backend);
                stream own;
                stream_scope on(own);
                try {
                    for (int i = 0; i < programs; ++i) {
                        const int which = (i + t) % different;
                        wrong += program(which, 100 + 37 * which) != expected[which];
                        array<double> mine = shared * double(t);
                        wrong += mine.item(299) != 300.0 * t;
                    }
                } catch (const error& e) {
                    MESSAGE(e.what());
                    ++wrong;
                }
            });
        for (std::thread& t : team) t.join();
        CHECK(wrong == 0);
    });
}

TEST_CASE("threads hand arrays to each other across their streams") {
    on_every_backend([](const tested_backend& backend) {
        array<double> x = zeros<double>({400}) + 1.0;
        x.eval();
        for (int round = 0; round < 12; ++round) {
            std::thread([&] {
                test_backends::backend_selection here(backend);
                stream own;
                stream_scope on(own);
                x = x * 2.0 - 1.0 + arange<double>(400.0) * 0.0;
                x += 1.0;
                x.eval();
            }).join();
        }
        CHECK(x.item(399) == 4096.0);
    });
}
