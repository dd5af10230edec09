// Distributed arrays on ranks that are threads: values beside NumPy's, bits beside those of one rank, messages, faults.
#include <pthread.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sinter/distributed.hpp>
#include <sinter/runtime/distributed/thread_communicator.hpp>
#include <sinter/sinter.hpp>
#include <sstream>
#include <thread>

#include "support/backends.hpp"
#include "support/ranks.hpp"
#include "support/scratch_folder.hpp"

using namespace sinter;
using namespace test_backends;
using namespace test_ranks;

TEST_CASE("maps are local and lazy, and random numbers are those of the whole array") {
    on_every_backend([](const tested_backend& b) {
        on_ranks({1, 3, 4}, [&](distributed::session& s, auto check) {
            random::generator g(3), h(3);
            const array<float> whole = g.normal<float>(0, 1, {37, 5}), w = ones<float>({5, 4}), c{1, 2, 3, 4};
            const auto x = distribute(h.normal<float>(0, 1, {37, 5}), distributed::split(0));
            const auto y = tanh(matmul(x, w) + c) * 2 - where(x(all, slice(4)) > 0, 1.0f, x(all, slice(4)));
            check(s.counters().collectives == 0, "nothing moved");
            check(y.placement() == distributed::split(0), "placement");
            if (b.compiles()) check(sinter::explain(y.local()).library_calls() == 1, "one product");
            const array<float> wanted =
                tanh(matmul(whole, w) + c) * 2 - where(whole(all, slice(4)) > 0, 1.0f, whole(all, slice(4)));
            // Products of other numbers of rows may round in another order, and what follows cancels.
            check(allclose(y.gather(), wanted, {.atol = 1e-5}), "values");
            auto z = x;
            z += 1;
            z *= x;
            check(same_bits(z.gather(), (whole + 1) * whole), "compound assignment");
            check(same_bits(distributed::map([](auto a) { return clip(a, 0, 1); }, x).gather(), clip(whole, 0, 1)),
                  "map");
        });
    });
}

TEST_CASE("ranks draw the same random numbers, also where nobody has seeded, and those of the thread that runs them") {
    random::seed(77);
    const double wanted = random::generator(77).normal<double>(0, 1, {5}).item(3);
    on_ranks({3}, [&](distributed::session&, auto check) {
        const array<double> first = random::normal<double>(0, 1, {5});
        check(first.item(3) == wanted, "the caller's");
    });
    random::generator after(77);
    static_cast<void>(after.normal<double>(0, 1, {5}));
    CHECK(random::default_generator() == after);
    std::vector<double> drawn(3);
    const auto links = distributed::make_thread_communicators(3);
    std::vector<std::thread> threads;
    for (std::size_t r = 0; r < 3; ++r)
        threads.emplace_back([&, r] {
            const distributed::session s(links[r]);
            drawn[r] = random::normal<double>(0, 1, {5}).item(3);
        });
    for (std::thread& t : threads) t.join();
    CHECK(drawn[0] == drawn[1]);
    CHECK(drawn[0] == drawn[2]);
}

TEST_CASE("reductions that wait share one message") {
    on_every_backend([](const tested_backend&) {
        on_ranks({3}, [](distributed::session& s, auto check) {
            const auto x = distribute(numbers(), distributed::split(0));
            const auto a = sum(x), b = mean(x, 0), c = max(x);
            check(s.counters().messages == 0 && a.placement() == distributed::partial(), "nothing moved yet");
            check(is_close(double(a), -2.2857142857142856), "sum");
            check(s.counters().messages == 2 && s.counters().collectives == 1, "one message to each of two ranks");
            check(is_close(b.item(3), 0.019704433497537) && double(c) > 7.1, "the others came with it");
            check(s.counters().collectives == 1, "nothing more");
        });
    });
}

TEST_CASE("a rank that has no elements sends no messages, and takes part in the collective") {
    on_every_backend([](const tested_backend&) {
        on_ranks({3}, [](distributed::session& s, auto check) {
            const array<double> few = arange<double>(2).eval();
            const auto x = distribute(few, distributed::split(0));
            const bool has_some = x.local().size() > 0;
            s.reset_counters();
            check(same_bits(x.gather(), few), "two elements of three ranks");
            const auto moved = s.counters();
            check(moved.collectives == 1 && moved.messages == (has_some ? 2 : 0), "one message to each of two ranks");
            check(moved.bytes_sent == (has_some ? 16 : 0) && moved.bytes_received == (has_some ? 8 : 16), "bytes");
        });
    });
}

TEST_CASE("with one rank there are the kernels of ordinary arrays, and no messages") {
    on_compiling_backends([](const tested_backend&) {
        const distributed::session s(distributed::make_single_communicator());
        const array<float> whole = random::generator(4).normal<float>(0, 1, {2000, 30}).eval();
        const auto x = distribute(whole, distributed::split(0));
        auto launches_of = [](auto f) {
            f();
            reset_counters();
            f();
            return sinter::counters().launches;
        };
        const auto plain = launches_of([&] { return double(mean(tanh(whole * 2) - max(whole, 0))); });
        CHECK(launches_of([&] { return double(mean(tanh(x * 2) - max(x, 0))); }) == plain);
        const auto deviation = launches_of([&] { stddev(whole, 0).eval(); });
        CHECK(launches_of([&] { stddev(x, 0).eval(); }) == deviation);
        const slice head(none, -1), tail(1, none);
        auto change_of = [&](const auto& y) { return double(mean(square(y(tail) - y(head)) + roll(y, 1, 0)(0))); };
        const auto change = launches_of([&] { return change_of(array<float>(whole * 2)); });
        CHECK(launches_of([&] {
                  return change_of((x * 2).reshard(distributed::split(1)).reshard(distributed::split(0)));
              }) == change);
        CHECK(s.counters().collectives == 0);
    });
}

TEST_CASE("products of matrices over the split axis are partial until they are used") {
    on_every_backend([](const tested_backend&) {
        on_ranks({1, 2, 4}, [](distributed::session& s, auto check) {
            const auto x = distribute(numbers(), distributed::split(0));
            const auto gram = matmul(x.T(), x);
            check(gram.placement() == distributed::partial(), "partial");
            check((gram + gram * 2).placement() == distributed::partial(), "linear in the parts");
            check(s.counters().collectives == 0, "nothing moved");
            check((gram + 1).placement() == distributed::replicated(), "combined for what is not linear");
            const auto ones = distribute(sinter::ones<double>({2, 29}), distributed::split(1));
            array<double> first = zeros({29, 2});
            first(0) = array<double>{1, -1};
            const auto signs = matmul(ones, distribute(first, distributed::split(0)));
            check((signs / 4).placement() == distributed::partial() && (signs / 4).item(1, 1) == -0.25, "scaled");
            for (const auto& scaled : {signs * constants::inf, signs / 0.0})
                check(scaled.item(1, 0) == constants::inf && scaled.item(1, 1) == -constants::inf, "parts that are 0");
            const auto integers = distribute(sinter::ones<std::int64_t>({3, 1}), distributed::split(0));
            check((matmul(integers.T(), integers) / 10).item(0, 0) == 0.3, "quotients of integers");
            array<double> g = gram;
            check(is_close(g.item(0, 0), 507.1836734693877) && is_close(g.item(3, 5), -113.22448979591834), "values");
            check(is_close(matmul(x.T(), x).reshard(distributed::split(1)).item(12, 12), 513.1020408163265),
                  "scattered");
            check(allclose(matmul(transpose(x), numbers()).gather(), g), "a replicated operand is cut");
        });
    });
}

TEST_CASE("shifted slices and roll exchange borders, and give NumPy's values") {
    on_every_backend([](const tested_backend&) {
        on_ranks({1, 2, 4, 7}, [](distributed::session& s, auto check) {
            const auto x = distribute(numbers(), distributed::split(0));
            const auto in = slice(1, -1);
            const auto u = x(slice(2, none), in) + x(slice(none, -2), in) + x(in, slice(2, none)) +
                           x(in, slice(none, -2)) - 4 * x(in, in);
            check(u.shape() == dims(27, 11), "shape");
            check(is_close(u.item(11, 4), -28.857142857142858), "stencil");
            const double rolled[] = {roll(x, -7, 0).item(3, 4), roll(x, 31, 0).item(3, 4)};
            check(is_close(rolled[0], -5.857142857142857) && is_close(rolled[1], -3.857142857142857), "roll");
            check(same_bits(x(3).gather(), numbers()(3)) && same_bits(x(all, -1).gather(), numbers()(all, -1)),
                  "numbers");
            check(same_bits(x(newaxis, slice(4, 9), 2).gather(), numbers()(newaxis, slice(4, 9), 2)), "newaxis");
            // The borders of three slices that are shifted, and the rows that the middle one takes from neighbours.
            if (s.ranks() == 2) {
                s.reset_counters();
                const array<double> border = x(slice(1, none)).local();
                check(s.counters().bytes_received <= 13 * 8, "a row at most");
            }
        });
    });
}

TEST_CASE("Fourier transforms along the split axis exchange axes") {
    on_every_backend([](const tested_backend&) {
        on_ranks({1, 3}, [](distributed::session&, auto check) {
            const auto f = fft::fft2(distribute(numbers(), distributed::split(0)));
            const std::complex<double> a = f.item(3, 5), b = f.item(28, 12);
            check(std::abs(a - std::complex<double>(-3.69093767782309, -4.449054727650619)) < 1e-11, "an element");
            check(std::abs(b - std::complex<double>(-38.84700834238507, -3.592865781193293)) < 1e-11, "the last one");
            check(f.placement() == distributed::split(0), "placement");
            check(allclose(real(fft::ifft2(f)).gather(), numbers()), "and back");
            const array<double> cube = reshape(numbers()(slice(24), slice(10)), {4, 6, 10});
            const auto of_cube = fft::fftn(distribute(cube, distributed::split(1)));
            check(allclose(of_cube.gather(), fft::fftn(cube)), "along all axes");
            check(allclose(real(fft::ifftn(of_cube)).gather(), cube), "and back from all");
        });
    });
}

TEST_CASE("files are read and written in parts") {
    on_every_backend([](const tested_backend&) {
        const scratch_folder folder;
        const std::string path = folder.path + "/x.npy", fortran = folder.path + "/f.npy";
        save(path, numbers());
        for (int axis : {0, 1})
            on_ranks({1, 4}, [&](distributed::session& s, auto check) {
                const auto x = load<double>(path, distributed::split(axis));
                check(x.placement() == distributed::split(axis), "placement");
                check(same_bits(x.gather(), numbers()), "read");
                save(fortran, x * 2);
                check(same_bits(sinter::load<double>(fortran), numbers() * 2), "written");
                s.barrier();
            });
        std::filesystem::create_directory(folder.path + "/taken.npy");
        CHECK(message_of([&] {
                  distributed::run(2, [&](distributed::session&) {
                      save(folder.path + "/taken", distribute(numbers(), distributed::split(0)));
                  });
              }).find("[save] rank 0 cannot write") == 0);
        CHECK_FALSE(std::filesystem::exists(folder.path + "/taken.npy.part"));
        CHECK(message_of([&] {
                  distributed::run(2, [&](distributed::session&) {
                      save("/nowhere/at/all.npy", distribute(numbers(), distributed::split(0)));
                  });
              }) == "[save] rank 0 cannot write /nowhere/at/all.npy: No such file or directory");
        CHECK(message_of([&] {
                  distributed::run(2, [&](distributed::session&) { load<int>(path, distributed::split(0)); });
              }).find("[load]") == 0);
    });
}

TEST_CASE("printing and explain speak on one rank, of placements, messages and kernels") {
    on_every_backend([](const tested_backend&) {
        std::string text[2], told[2];
        distributed::run(2, [&](distributed::session& s) {
            const auto x = distribute(numbers(), distributed::split(0));
            std::ostringstream out, explained;
            out << x(slice(2), slice(2));
            const auto total = sum(x);
            explained << explain(total);
            text[s.rank()] = out.str();
            told[s.rank()] = explained.str();
        });
        CHECK(text[0] == "[[-7.14285714 -1.85714286]\n [ 3.85714286 -5.28571429]]");
        CHECK(text[1].empty());
        CHECK(told[1].empty());
        CHECK(told[0].find("() float64, replicated over 2 ranks (threads)") == 0);
        CHECK(told[0].find("all_gather for sum: ") != std::string::npos);
    });
}

TEST_CASE("what is not distributed throws on all ranks alike and says what to do") {
    const auto thrown = [](auto f) {
        return message_of([&] {
            distributed::run(3, [&](distributed::session&) { f(distribute(numbers(), distributed::split(0))); });
        });
    };
    CHECK(thrown([](auto x) { sort(x, 0); }) == "[sort] not distributed along axis 0: reshard or gather first");
    CHECK(thrown([](auto x) { x + x.reshard(distributed::split(1)); }).find("[add] operands are split") == 0);
    CHECK(thrown([](auto x) { x(slice(none, none, 2)); }).find("[slice] steps of 2") == 0);
    CHECK(thrown([](auto x) { x(29); }).find("[index] index 29 is out of bounds") == 0);
    CHECK(thrown([](auto x) { reshape(x, {13, 29}); }).find("[reshape]") == 0);
    CHECK(thrown([](auto x) { sum(x.reshard(distributed::block_cyclic(2))); }) ==
          "[sum] not of an array that is block_cyclic(2): reshard to split or replicated first");
    CHECK(thrown([](auto x) { linalg::qr(x); }) ==
          "[qr] a matrix over ranks needs ScaLAPACK, which needs processes of MPI; these are threads: gather first");
    CHECK(thrown([](auto x) { matmul(x, ones({7, 2})); }) == "[matmul] inner dimensions differ: (29, 13) x (7, 2)");
    CHECK(thrown([](auto x) { max(x(slice(0, 0))); }).find("[max]") == 0);
    CHECK(thrown([](auto) { matmul(distribute(ones({1, 2, 2}), distributed::split(0)), ones({2, 2, 2})); }) ==
          "[matmul] an operand of shape (1, 2, 2) is split along axis 0, which broadcasts: reshard it to replicated "
          "first");
    CHECK(message_of([] { distribute(numbers(), distributed::split(0)); }) ==
          "[distribute] there is no session: construct a distributed::session before");
}

TEST_CASE("a rank that throws or skips a call ends the others, by name and in time") {
    CHECK(message_of([] {
              distributed::run(4, [](distributed::session& s) {
                  if (s.rank() == 2) throw value_error("[mine] no");
                  static_cast<void>(double(sum(distribute(numbers(), distributed::split(0)))));
              });
          }) == "[run] rank 2 threw: [mine] no");
    const std::string late = message_of([] {
        distributed::run(3,
                         [](distributed::session& s) {
                             if (s.rank() != 1)
                                 static_cast<void>(double(sum(distribute(numbers(), distributed::split(0)))));
                         },
                         {.timeout = 0.2});
    });
    CHECK(late.find("[sum] all_gather: rank ") != std::string::npos);
    CHECK(late.find("for rank 1") != std::string::npos);
    std::string again;
    CHECK(message_of([&] {
              distributed::run(2, [&](distributed::session& s) {
                  if (s.rank() == 1) throw value_error("[mine] no");
                  const auto total = sum(distribute(numbers(), distributed::split(0)));
                  static_cast<void>(message_of([&] { static_cast<void>(double(total)); }));
                  again = message_of([&] { static_cast<void>(double(total)); });
              });
          }) == "[run] rank 1 threw: [mine] no");
    CHECK(again == "[sum] the call that was to combine this result has failed before");
}

#ifdef __GLIBC__
TEST_CASE("ranks of which no threads can be made are told") {
    pthread_attr_t usual, endless;
    REQUIRE(pthread_getattr_default_np(&usual) == 0);
    REQUIRE(pthread_getattr_default_np(&endless) == 0);
    pthread_attr_setstacksize(&endless, std::size_t{1} << 47);
    pthread_setattr_default_np(&endless);
    const std::string told = message_of([] { distributed::run(4, [](distributed::session&) {}); });
    pthread_setattr_default_np(&usual);
    CHECK(told.find("[run] 4 ranks need as many threads, of which 0 could be made: ") == 0);
    on_ranks({2}, [](distributed::session&, auto check) { check(true, "threads again"); });
}
#endif

TEST_CASE("messages between ranks, and groups of them") {
    on_ranks({1, 4}, [](distributed::session& s, auto check) {
        const int next = (s.rank() + 1) % s.ranks(), last = (s.rank() + s.ranks() - 1) % s.ranks();
        const std::string mine(static_cast<std::size_t>(3 + s.rank()), static_cast<char>('a' + s.rank()));
        s.link().send(mine.data(), 3 + s.rank(), next);
        std::string got(static_cast<std::size_t>(3 + last), '.');
        s.link().recv(got.data(), 3 + last, last);
        check(got == std::string(static_cast<std::size_t>(3 + last), static_cast<char>('a' + last)), "send and recv");
        const auto half = s.link().split(s.rank() % 2);
        check(half->size() == (s.ranks() == 1 ? 1 : 2) && half->rank() == s.rank() / 2, "split");
        const std::vector<std::int64_t> sizes(static_cast<std::size_t>(half->size()), 1);
        std::string all(sizes.size(), '.');
        half->all_gather(mine.data(), sizes, all.data());
        check(all[0] == (s.rank() % 2 ? 'b' : 'a'), "a group's all_gather");
    });
}
