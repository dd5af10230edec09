// Generators of cuRAND: known values of cuRAND's and CuPy's, where a generator stands, integers, errors.
#include <algorithm>
#include <cmath>
#include <sinter/runtime/library/libraries.hpp>
#include <sinter/sinter.hpp>
#include <sstream>

#include "support/backends.hpp"

using namespace sinter;
using namespace test_backends;

using random::curand;

namespace {

/// Runs a body on every backend where cuRAND is found.
template <class Body>
void with_curand(Body body) {
    if (!runtime::curand_library()) {
        MESSAGE("no cuRAND here: ", runtime::curand_library().why());
        return;
    }
    on_every_backend(body);
}

constexpr curand::kind quick_kinds[] = {curand::xorwow, curand::mtgp32, curand::philox4_32_10};

template <class T>
bool are_near(const array<T>& x, const std::vector<double>& want, double most) {
    const std::vector<T> got = to_vector(x);
    if (got.size() != want.size()) return false;
    for (std::size_t i = 0; i < want.size(); ++i)
        if (!(std::abs(static_cast<double>(got[i]) - want[i]) <= most)) return false;
    return true;
}

/// CuPy's rule for integers of at most `most`, from words of a generator of its own.
template <class Word>
std::vector<Word> integers_by_rule(curand& words, std::size_t n, Word most) {
    std::vector<Word> drawn = to_vector(words.bits<Word>({n}));
    const Word wanted = static_cast<Word>(most + 1);
    if ((wanted & (wanted - 1)) == 0) {
        for (Word& w : drawn) w &= most;
        return drawn;
    }
    const Word limit = static_cast<Word>(~Word{0} - (~Word{0} % wanted + 1) % wanted);
    std::vector<std::size_t> missing;
    for (std::size_t i = 0; i < n; ++i)
        if (drawn[i] > limit) missing.push_back(i);
    while (!missing.empty()) {
        std::vector<std::size_t> left = missing;
        for (Word w : to_vector(words.bits<Word>({std::max<std::size_t>(2 * missing.size(), 1024)})))
            if (w <= limit && !left.empty()) {
                drawn[left.front()] = w;
                left.erase(left.begin());
            }
        missing = left;
    }
    for (Word& w : drawn) w %= wanted;
    return drawn;
}

}  // namespace

TEST_CASE("XORWOW gives cuRAND's words, uniform, normal and Poisson numbers") {
    with_curand([](const tested_backend& b) {
        curand g(curand::xorwow, 0);
        CHECK(g.device().is_cuda() == b.is_cuda());
        CHECK(to_vector(g.bits({8})) == std::vector<std::uint32_t>{3179217846, 3955638199, 167591721, 4161663997,
                                                                   3973448494, 1917059131, 2866113984, 472148682});
        CHECK(to_vector(curand(curand::xorwow, 0).bits<std::uint64_t>({2})) ==
              std::vector<std::uint64_t>{3955638199ull << 32 | 3179217846, 4161663997ull << 32 | 167591721});
        CHECK(to_vector(curand(curand::xorwow, 0, {.ordering = curand::legacy}).bits({3})) ==
              std::vector<std::uint32_t>{3179217846, 3955638199, 167591721});
        CHECK(to_vector(curand(curand::xorwow, 0, {.ordering = curand::seeded}).bits({3})) ==
              std::vector<std::uint32_t>{3179217846, 556161208, 2690511793});
        CHECK(to_vector(curand(curand::xorwow, 0).poisson(4.5, {9})) ==
              std::vector<std::int64_t>{3, 2, 9, 1, 2, 5, 4, 8, 5});
        CHECK(are_near(curand(curand::xorwow, 0).lognormal(0, 1, {4}),
                       {2.91835938980552, 2.030878942365707, 2.4458041758383384, 0.42023967937311285}, 2e-14));
        CHECK(to_vector(curand().random({2, 3})) == std::vector<double>{0.4384508447184235, 0.4603647022031429,
                                                                        0.25021470801764173, 0.49474376776163326,
                                                                        0.05301112371680522, 0.33769925803063167});
        CHECK(g.normal(0, 1, {2, 0}).shape() == dims(2, 0));
        CHECK(g.random().shape() == dims());
    });
}

TEST_CASE("MTGP32 and Philox begin with what cuRAND gives for seed 42") {
    with_curand([](const tested_backend&) {
        CHECK(curand(curand::mtgp32, 42).random().item() == 0.7332280417904258);
        CHECK(curand(curand::philox4_32_10, 42).random().item() == 0.46858679418029187);
    });
}

TEST_CASE("random::cupy gives the numbers of cupy.random") {
    with_curand([](const tested_backend&) {
        random::cupy::seed(0);
        array<double> x = random::cupy::rand(6), y = random::cupy::randn(3);
        CHECK(to_vector(x) == std::vector<double>{0.4384508447184235, 0.4603647022031429, 0.25021470801764173,
                                                  0.49474376776163326, 0.05301112371680522, 0.33769925803063167});
        CHECK(are_near(y, {-0.35715994842746307, -1.311972371840806, -0.10686045709032574}, 4e-15));
        CHECK(y.shape() == dims(3));
        random::cupy::seed(0);
        CHECK(to_vector(random::cupy::rand<float>(4)) ==
              std::vector<float>{0.74021935f, 0.9209938f, 0.03902049f, 0.9689629f});
        random::cupy::seed(0);
        CHECK(to_vector(random::cupy::randint(0, 10, {8})) == std::vector<std::int64_t>{6, 9, 1, 7, 4, 1, 4, 2});
        random::cupy::seed(0);
        CHECK(to_vector(random::cupy::randint<std::uint8_t>(256, {4})) == std::vector<std::uint8_t>{182, 183, 41, 253});
        random::cupy::seed(0);
        CHECK(to_vector(random::cupy::permutation(8)) == std::vector<std::int64_t>{6, 0, 1, 4, 3, 2, 7, 5});
        random::cupy::seed(0);
        CHECK(are_near(random::cupy::normal(5, 2, {4}),
                       {7.142043211150854, 6.41693735176247, 6.788747950244747, 3.266139869403811}, 4e-15));
        random::cupy::seed(0);
        CHECK(to_vector(random::cupy::uniform(-3, 3, {4})) ==
              std::vector<double>{-0.36929493168945904, -0.23781178678114256, -1.4987117518941497,
                                  -0.031537393430200455});
        random::cupy::seed(0);
        CHECK(to_vector(random::cupy::permutation(array<int>{0, 10, 20, 30, 40, 50, 60, 70})) ==
              std::vector<int>{60, 0, 10, 40, 30, 20, 70, 50});
        CHECK(random::cupy::random_sample({2, 2}).shape() == dims(2, 2));
    });
}

TEST_CASE("an odd number of normal numbers draws one more") {
    with_curand([](const tested_backend&) {
        for (curand::kind k : quick_kinds)
            for (std::int64_t n : {1, 3, 4097}) {
                curand odd(k, 5), even(k, 5);
                const array<float> a = odd.normal<float>(0, 1, {n}), b = even.normal<float>(0, 1, {n + 1});
                CHECK(to_vector(a) == to_vector(array<float>(b(slice(n)))));
                CHECK(to_vector(odd.lognormal(0, 1, {n})) ==
                      to_vector(array<double>(even.lognormal(0, 1, {n + 1})(slice(n)))));
                CHECK(to_vector(odd.bits({9})) == to_vector(even.bits({9})));
            }
    });
}

TEST_CASE("integers are masked words, or remainders of those below the last whole multiple") {
    with_curand([](const tested_backend&) {
        auto compare = [](std::uint64_t most, std::size_t n) {
            CAPTURE(most);
            curand g(curand::philox4_32_10, 11), words(curand::philox4_32_10, 11);
            const auto got = to_vector(g.integers<std::uint64_t>(0u, most + 1, {n}));
            if (most <= ~std::uint32_t{0}) {
                const auto want = integers_by_rule<std::uint32_t>(words, n, static_cast<std::uint32_t>(most));
                CHECK(std::vector<std::uint64_t>(want.begin(), want.end()) == got);
            } else {
                CHECK(integers_by_rule<std::uint64_t>(words, n, most) == got);
            }
            CHECK(to_vector(g.bits({5})) == to_vector(words.bits({5})));
        };
        for (std::size_t n : {1, 5, 3001}) {
            compare(9, n);
            compare(255, n);
            // About half of all words are refused.
            compare(std::uint64_t{1} << 31, n);
            compare(std::uint64_t{1} << 63, n);
            compare(~std::uint32_t{0}, n);
            compare(std::uint64_t{1} << 40, n);
        }
        curand g(curand::xorwow, 3), same(curand::xorwow, 3);
        CHECK(to_vector(g.integers(7, 8, {3})) == std::vector<std::int64_t>{7, 7, 7});
        CHECK(g.integers(5, {0}).shape() == dims(0));
        CHECK(to_vector(g.bits({4})) == to_vector(same.bits({4})));
        const auto wide = to_vector(
            g.integers(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(), {100}));
        CHECK(std::any_of(wide.begin(), wide.end(), [](std::int64_t x) { return x < 0; }));
        for (std::int8_t x : to_vector(g.integers<std::int8_t>(-128, -120, {50}))) CHECK((x >= -128 && x < -120));
    });
}

TEST_CASE("skip(k) passes what drawing k words passes, whatever was drawn before") {
    with_curand([](const tested_backend&) {
        for (curand::kind k : quick_kinds)
            for (std::int64_t n : {0, 1, 4097, 1'048'577}) {
                CAPTURE(int(k));
                CAPTURE(n);
                curand g(k, 7), h(k, 7);
                g.skip(n);
                h.bits({n}).eval();
                CHECK(to_vector(g.random({5001})) == to_vector(h.random({5001})));
                g.skip(n);
                h.bits({n}).eval();
                CHECK(to_vector(g.normal(0, 1, {6})) == to_vector(h.normal(0, 1, {6})));
            }
        CHECK_THROWS_WITH_AS(curand().skip(-1), "[skip] the number of words is negative: -1", value_error);
    });
}

TEST_CASE("a state brings a generator back to where it was") {
    with_curand([](const tested_backend&) {
        for (curand::kind k : quick_kinds) {
            CAPTURE(int(k));
            curand g(k, 9);
            g.bits({5}).eval();
            g.random({10001}).eval();
            g.random<float>({3}).eval();
            g.poisson(4.5, {2}).eval();
            g.normal(0, 1, {7}).eval();
            g.normal<float>(0, 1, {9001}).eval();
            g.skip(3);
            const random::curand_state s = g.state();
            CHECK(s.drawn.size() == 6);
            const auto words = to_vector(g.bits({5000}));
            const auto reals = to_vector(g.random({77}));
            curand other(s);
            CHECK(other.state() == s);
            CHECK(to_vector(other.bits({5000})) == words);
            CHECK(to_vector(other.random({77})) == reals);
            g.set_state(s);
            CHECK(to_vector(g.bits({5000})) == words);

            std::stringstream text;
            text << s;
            random::curand_state read;
            text >> read;
            CHECK(read == s);
        }
        random::curand_state kept;
        CHECK_THROWS_AS(std::istringstream("9 0 1 0") >> kept, value_error);
        CHECK_THROWS_AS(std::istringstream("0 0 1 1 4 5") >> kept, value_error);
        curand g(curand::xorwow, 1);
        const random::curand_state moved = [&] {
            curand h = std::move(g);
            h.bits({3}).eval();
            return h.state();
        }();
        CHECK(moved.drawn == std::vector<random::curand_state::draws>{{random::curand_state::draws::what::words, 3}});
    });
}

// A CPU takes a second to begin with MRG32K3A, and several with MT19937.
TEST_CASE("MRG32K3A and MT19937 begin with cuRAND's numbers, skip, and come back by their states") {
    if (!runtime::curand_library()) return;
    const backend_selection on(usable_backends().back());
    for (auto [kind, first] :
         {std::pair(curand::mrg32k3a, 0.23143686665461985), std::pair(curand::mt19937, 0.37454011442605406)}) {
        curand g(kind, 42);
        CHECK(g.random().item() == first);
        curand h(g.state());
        g.skip(5);
        h.bits({5}).eval();
        CHECK(to_vector(g.bits({4})) == to_vector(h.bits({4})));
    }
}

TEST_CASE("a generator that is seeded again is as one that is made with the seed") {
    with_curand([](const tested_backend&) {
        for (curand::kind k : quick_kinds) {
            CAPTURE(static_cast<int>(k));
            curand g(k, 1), fresh(k, 2);
            g.random({4097}).eval();
            g.bits({3}).eval();
            g.seed(2);
            CHECK(g.state() == fresh.state());
            CHECK(to_vector(g.random({33})) == to_vector(fresh.random({33})));
        }
    });
}

TEST_CASE("draws are one call of the library each, at once, and stored") {
    with_curand([](const tested_backend&) {
        curand g(curand::philox4_32_10, 1);
        reset_counters();
        array<float> a = g.normal<float>(0, 1, {1000});
        array<std::uint32_t> w = g.bits({10});
        array<double> u = g.uniform(2, 3, {10});
        CHECK(counters().library_calls == 3);
        const auto first = to_vector(w);
        CHECK(to_vector(w) == first);
        CHECK(to_vector(a) == to_vector(array<float>(curand(curand::philox4_32_10, 1).normal<float>(0, 1, {1000}))));
        CHECK(double(min(u)) >= 2);
        CHECK(double(max(u)) < 3);
    });
}

TEST_CASE("draws on several streams follow each other as on one") {
    with_curand([](const tested_backend&) {
        curand g(curand::xorwow, 4), alone(curand::xorwow, 4);
        stream streams[3];
        for (int i = 0; i < 9; ++i) {
            array<std::uint32_t> x;
            {
                stream_scope on(streams[i % 3]);
                x = g.bits({100'001});
                if (i == 4) g.skip(10);
            }
            CHECK(to_vector(x) == to_vector(alone.bits({100'001})));
            if (i == 4) alone.bits({10}).eval();
        }
    });
}

TEST_CASE("what cuRAND cannot draw is said") {
    with_curand([](const tested_backend&) {
        curand g(curand::xorwow, 0);
        CHECK_THROWS_WITH_AS(g.normal(0, -1, {2}), "[normal] scale is negative: -1", value_error);
        CHECK_THROWS_WITH_AS(g.lognormal(0, -1, {2}), "[lognormal] sigma is negative: -1", value_error);
        CHECK_THROWS_WITH_AS(g.poisson(0, {2}), "[poisson] lam is not above 0 and at most 400000: 0", value_error);
        CHECK_THROWS_AS(g.integers(3, 3, {2}), value_error);
        CHECK_THROWS_AS(g.integers<std::int8_t>(0, 300, {2}), value_error);
        CHECK_THROWS_AS(g.random({-1}), shape_error);
        CHECK_THROWS_AS(g.permutation(-1), value_error);
        CHECK_THROWS_WITH_AS(curand(curand::philox4_32_10, 0, {.ordering = curand::seeded}),
                             "[curand] curandSetGeneratorOrdering: an argument is out of range", device_error);
        graph step([&](const array<float>& x) { return array<float>(x + g.random<float>({3})); });
        CHECK_THROWS_AS(step(zeros<float>({3})), value_error);
    });
}

TEST_CASE("scrambled points of Sobol are cuRAND's words, unscrambled ones those without cuRAND") {
    with_curand([](const tested_backend&) {
        const std::vector<std::uint64_t> words{0xcbec24cb4a34b53d, 0xf31ffcc124b00b42, 0x342953b2bffed00f,
                                               0xf0c66aeee581f7a1, 0x25e0a670fae68301, 0x3006d327f868d9bb,
                                               0xb281865155e5dbb6, 0x7cc9b925bcc58983, 0x7cc3b7fec725313d,
                                               0xb7bf6c8e7778542c, 0x4dca1d493e61f676, 0xbcb054ecef646dd9};
        std::vector<double> wide, narrow;
        std::vector<float> single;
        for (std::uint64_t w : words) {
            wide.push_back(static_cast<double>(w >> 11) * 0x1p-53);
            narrow.push_back(static_cast<double>(w >> 32) * 0x1p-32);
            single.push_back(static_cast<float>(w >> 40) * 0x1p-24f);
        }
        CHECK(to_vector(random::sobol(3, 4, {.scramble = true, .skip = 1000})) == wide);
        CHECK(to_vector(random::sobol<float>(3, 4, {.scramble = true, .skip = 1000})) == single);
        CHECK(to_vector(random::sobol(3, 4, {.scramble = true, .bits = 32, .skip = 1000})) == narrow);
        CHECK(to_vector(random::sobol(70, 1024, {.bits = 32, .skip = 3})) == to_vector(random::sobol(70, 1024, 3)));
        CHECK(to_vector(array<double>(random::sobol(70, 1025)(all, slice(1024)))) ==
              to_vector(random::sobol(70, 1024)));
        CHECK(random::sobol(3, 20000).shape() == dims(3, 20000));
        CHECK_THROWS_WITH_AS(random::sobol(1, 20001), "[sobol] the number of dimensions is above 20000: 20001",
                             value_error);
    });
}
