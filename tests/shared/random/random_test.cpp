// Random numbers: known words of Philox, the same bits on every backend, and the moments of each distribution.
#include <cmath>
#include <cstring>
#include <sinter/codegen/ops/apply.hpp>
#include <sinter/sinter.hpp>
#include <span>

#include "support/backends.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

/// The same expression computed by the interpreter on the CPU, the oracle for every other backend.
template <class Make>
auto by_interpreter(Make make) {
    device_scope on(device::cpu());
    runtime::backend_scope use(runtime::backend::interpreter);
    return to_vector(make());
}

template <class Make>
void check_same_bits(const char* what, Make make) {
    CAPTURE(what);
    random::seed(42);
    auto got = to_vector(make());
    random::seed(42);
    auto want = by_interpreter(make);
    CHECK(got == want);
}

/// Numbers of words from `first` on, and the seed and the stream that draw them.
struct drawn_words {
    std::vector<std::uint64_t> numbers;
    std::uint64_t seed, stream;

    drawn_words(std::uint64_t first, std::size_t n, std::uint64_t s, std::uint64_t t) : seed(s), stream(t) {
        for (std::size_t i = 0; i < n; ++i) numbers.push_back(first + i);
    }
    detail::handle recorded(codegen::op draw) const {
        const detail::handle operands[] = {
            detail::store(dtype::uint64, {static_cast<std::int64_t>(numbers.size())}, numbers.data()),
            detail::record_scalar(codegen::scalar_value::of(seed), {}),
            detail::record_scalar(codegen::scalar_value::of(stream), {})};
        return detail::record_apply(draw, operands);
    }
    template <class W>
    std::vector<W> words(codegen::op draw) const {
        std::vector<W> w(numbers.size());
        const void* operands[] = {numbers.data(), &seed, &stream};
        const std::int64_t steps[] = {1, 0, 0};
        codegen::apply(draw, dtype::uint64, operands, steps, w.data(), static_cast<std::int64_t>(w.size()));
        return w;
    }
    template <class W>
    void check(codegen::op draw) const {
        std::vector<W> got(numbers.size());
        detail::read(recorded(draw), got.data());
        CHECK(got == words<W>(draw));
    }
};

}  // namespace

TEST_CASE("words are Philox4x32-10 of Random123's known answers on every backend") {
    on_every_backend([](const tested_backend&) {
        auto word = [](std::uint64_t index, std::uint64_t seed, std::uint64_t stream) {
            auto operand = [](std::uint64_t v) { return detail::store(dtype::uint64, {1}, &v); };
            const detail::handle args[] = {operand(index), operand(seed), operand(stream)};
            std::uint64_t got = 0, want = 0;
            detail::read(detail::record_apply(codegen::op::philox_64, args), &got);
            const void* from[] = {&index, &seed, &stream};
            const std::int64_t steps[3] = {};
            codegen::apply(codegen::op::philox_64, dtype::uint64, from, steps, &want, 1);
            CHECK(got == want);
            return got;
        };
        // The counter and the key are zero: 6627e8d5 e169c58d bc57ac4c 9b00dbd8.
        std::uint64_t first = word(0, 0, 0), second = word(1, 0, 0);
        std::uint32_t words[] = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(first >> 32),
                                 static_cast<std::uint32_t>(second), static_cast<std::uint32_t>(second >> 32)};
        std::uint32_t known[] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
        for (std::uint32_t k : known) {
            bool found = false;
            for (std::uint32_t w : words) found = found || w == k;
            CHECK(found);
        }
        for (std::uint64_t i : {2ull, 1'000'000'007ull, ~0ull}) word(i, 12345678901234567ull, i / 3);
    });
}

TEST_CASE("the same seed gives the same bits on every backend") {
    on_every_backend([](const tested_backend&) {
        check_same_bits("float", [] { return random::random<float>({1237}); });
        check_same_bits("double", [] { return random::random<double>({11, 113}); });
        check_same_bits("uniform", [] { return random::uniform<double>(-3, 5, {1237}); });
        check_same_bits("integers", [] { return random::integers<std::int64_t>(-7, 1000, {1237}); });
        check_same_bits("bytes", [] { return random::integers<std::uint8_t>(0, 255, {1237}); });
        check_same_bits("wide", [] {
            return random::integers<std::int64_t>(std::numeric_limits<std::int64_t>::min(),
                                                  std::numeric_limits<std::int64_t>::max(), {101});
        });
        check_same_bits("a view",
                        [] { return array<double>(random::random<double>({40, 30}).T()(slice(none, none, -3))); });
    });
}

TEST_CASE("normal numbers are the same bits on every backend") {
    on_every_backend([](const tested_backend&) {
        check_same_bits("float", [] { return random::standard_normal<float>({10'007}); });
        check_same_bits("double", [] { return random::standard_normal<double>({10'007}); });
        check_same_bits("scaled", [] { return random::normal<float>(3, 2, {17, 31}); });
    });
}

TEST_CASE("the radius of a normal number is the same bits on every backend, for the ends of its words too") {
    std::vector<std::uint32_t> words = {0,         1,         255,       256,         511,        ~0u,
                                        ~0u - 255, ~0u - 256, ~0u - 511, 0x80000000u, 0x7fffffffu};
    for (std::uint32_t i = 1; words.size() < (1 << 15) + 7; ++i) words.push_back(i * 0x9E3779B9u >> (i % 24));
    std::vector<std::uint32_t> few(words.begin(), words.begin() + 11);
    auto radii = [](const std::vector<std::uint32_t>& from) {
        std::vector<float> want(from.size());
        const void* operand[] = {from.data()};
        const std::int64_t step[] = {1};
        codegen::apply(codegen::op::normal_radius_float, dtype::uint32, operand, step, want.data(),
                       static_cast<std::int64_t>(from.size()));
        return want;
    };
    on_every_backend([&](const tested_backend&) {
        for (const std::vector<std::uint32_t>& from : {few, words}) {
            const detail::handle operand[] = {
                detail::store(dtype::uint32, {static_cast<std::int64_t>(from.size())}, from.data())};
            std::vector<float> got(from.size()), want = radii(from);
            detail::read(detail::record_apply(codegen::op::normal_radius_float, operand), got.data());
            CHECK(std::memcmp(got.data(), want.data(), got.size() * sizeof(float)) == 0);
        }
    });
}

TEST_CASE("blocks of words that follow each other are those drawn one by one, where their counter's halves end too") {
    on_every_backend([](const tested_backend&) {
        for (std::uint64_t first : {0ull, 5ull, (1ull << 33) - 101, (1ull << 34) - 222, 0ull - 333})
            for (std::size_t n : {1, 7, 31, 333}) {
                CAPTURE(first);
                CAPTURE(n);
                const drawn_words w(first, n, 0x123456789abcdefull, (7ull << 48) + 0x90000001ull);
                w.check<std::uint64_t>(codegen::op::philox_64);
                w.check<std::uint32_t>(codegen::op::philox_32);
            }
    });
}

TEST_CASE("doubles of random words are the same bits on every backend, for the ends of their halves too") {
    std::vector<std::uint64_t> words = {
        0, 1, ~0ull, 1ull << 63, (1ull << 63) - 1, 0xb504f333f9de6484, 0xb504f333f9de6485};
    for (int bit : {10, 11, 12, 31, 32, 33, 52, 53, 54, 61, 62})
        for (std::uint64_t away : {0ull - 1, 0ull, 1ull}) {
            words.push_back((1ull << bit) + away);
            words.push_back(~words.back());
        }
    for (std::uint64_t i = 1; words.size() < 1003; ++i) words.push_back(i * 0x9E3779B97F4A7C15ull >> (i % 50));
    const drawn_words drawn(3, words.size(), 42, 1);
    std::vector<std::uint64_t> others = drawn.words<std::uint64_t>(codegen::op::philox_64);
    for (std::size_t i = 0; i < words.size(); ++i) others[i] ^= words[i];
    const std::int64_t n = static_cast<std::int64_t>(words.size());
    on_every_backend([&](const tested_backend&) {
        for (codegen::op o : {codegen::op::unit_double, codegen::op::exponential_double,
                              codegen::op::normal_radius_double, codegen::op::normal_cosine_double})
            for (std::uint64_t odd : {0, 1}) {
                const detail::handle both[] = {drawn.recorded(codegen::op::philox_64),
                                               detail::store(dtype::uint64, {n}, others.data())};
                const detail::handle operands[] = {detail::record_apply(codegen::op::bitwise_xor, both),
                                                   detail::record_scalar(codegen::scalar_value::of(odd), {})};
                const std::size_t arity = o == codegen::op::normal_cosine_double ? 2 : 1;
                std::vector<double> got(words.size()), want(words.size());
                detail::read(detail::record_apply(o, std::span(operands, arity)), got.data());
                const void* from[] = {words.data(), &odd};
                const std::int64_t steps[] = {1, 0};
                codegen::apply(o, dtype::uint64, from, steps, want.data(), n);
                CAPTURE(codegen::info(o).name);
                CHECK(std::memcmp(got.data(), want.data(), got.size() * sizeof(double)) == 0);
            }
    });
}

TEST_CASE("neighbours that share a block of random words draw the words that they draw alone") {
    on_every_backend([](const tested_backend& b) {
        if (b.is_interpreter()) return;
        for (std::int64_t n : {40'000, 40'003}) {
            check_same_bits("float", [n] { return random::random<float>({n}); });
            check_same_bits("double", [n] { return random::random<double>({n}); });
            check_same_bits("normal float", [n] { return random::standard_normal<float>({n}); });
            check_same_bits("normal double", [n] { return random::standard_normal<double>({n}); });
            check_same_bits("bytes", [n] { return random::integers<std::int8_t>(-100, 100, {n}); });
            check_same_bits("from an odd number on",
                            [n] { return array<float>(random::standard_normal<float>({n})(slice(5, none))); });
            check_same_bits("from a multiple of four on",
                            [n] { return array<float>(random::standard_normal<float>({n})(slice(8, none))); });
            check_same_bits("both precisions", [n] {
                return array<double>(random::standard_normal<float>({n}) + random::random<double>({n}));
            });
            check_same_bits("its mean", [n] { return array<float>(mean(random::standard_normal<float>({n}))); });
        }
        check_same_bits("columns of rows",
                        [] { return array<float>(random::standard_normal<float>({300, 164})(all, slice(4, 160))); });
        check_same_bits("odd rows",
                        [] { return array<float>(random::standard_normal<float>({300, 163})(all, slice(4, 160))); });
        check_same_bits("largest of rows",
                        [] { return array<float>(max(random::standard_normal<float>({40, 5000}), 1)); });
        check_same_bits("largest of odd rows",
                        [] { return array<double>(max(random::standard_normal<double>({40, 4097}), 1)); });
        check_same_bits("largest of short rows",
                        [] { return array<float>(max(random::standard_normal<float>({500, 100}), 1)); });
        check_same_bits("largest of columns",
                        [] { return array<float>(max(random::standard_normal<float>({5000, 44}), 0)); });
    });
}

TEST_CASE("uniform numbers have the moments of their distribution and stay in range") {
    on_every_backend([](const tested_backend& b) {
        random::seed(7);
        const std::int64_t n = b.is_interpreter() ? 100'000 : 2'000'000;
        const double s = 5 / std::sqrt(double(n));
        array<double> u = random::random<double>({n});
        array<float> f = random::uniform<float>(-2, 6, {n});
        CHECK(mean(u).item() == doctest::Approx(0.5).epsilon(s));
        CHECK(var(u).item() == doctest::Approx(1.0 / 12).epsilon(s));
        CHECK(min(u).item() >= 0);
        CHECK(max(u).item() < 1);
        CHECK(double(mean(f).item()) == doctest::Approx(2).epsilon(s * 3));
        CHECK(min(f).item() >= -2);
        CHECK(max(f).item() <= 6);
        array<double> neighbours = (u(slice(1, none)) - 0.5) * (u(slice(none, -1)) - 0.5);
        CHECK(std::fabs(mean(neighbours).item()) < s / 12);
    });
}

TEST_CASE("normal numbers have the moments of their distribution") {
    on_every_backend([](const tested_backend& b) {
        random::seed(8);
        const std::int64_t n = b.is_interpreter() ? 100'000 : 2'000'000;
        const double s = 5 / std::sqrt(double(n));
        array<double> x = random::standard_normal<double>({n});
        CHECK(std::fabs(mean(x).item()) < s);
        CHECK(var(x).item() == doctest::Approx(1).epsilon(s * 1.5));
        CHECK(std::fabs(mean(x * x * x).item()) < s * 4);
        CHECK(mean(square(square(x))).item() == doctest::Approx(3).epsilon(s * 10));
        array<double> pairs = x(slice(0, none, 2)) * x(slice(1, none, 2));
        CHECK(std::fabs(mean(pairs).item()) < 2 * s);
        CHECK(double(mean(random::normal<float>(3, 2, {n})).item()) == doctest::Approx(3).epsilon(s * 2));
    });
}

TEST_CASE("integers are spread evenly over their range") {
    on_every_backend([](const tested_backend&) {
        random::seed(9);
        const std::int64_t n = 60'000;
        array<int> x = random::integers<int>(-3, 3, {n});
        CHECK(min(x).item() == -3);
        CHECK(max(x).item() == 2);
        for (int v = -3; v < 3; ++v) CHECK(std::fabs(double(count_nonzero(x == v).item()) - 10'000) < 500);
        CHECK_THROWS_AS(random::integers<int>(3, 3, {2}), value_error);
    });
}

TEST_CASE("each call draws from a stream of its own, and a seed starts them anew") {
    on_every_backend([](const tested_backend&) {
        random::seed(1);
        array<double> a = random::random<double>({100}), b = random::random<double>({100});
        random::seed(1);
        array<double> c = random::random<double>({100});
        random::seed(2);
        array<double> d = random::random<double>({100});
        CHECK(to_vector(a) == to_vector(c));
        CHECK(to_vector(a) != to_vector(b));
        CHECK(to_vector(a) != to_vector(d));
        CHECK(random::random<float>({0, 3}).size() == 0);
    });
}
