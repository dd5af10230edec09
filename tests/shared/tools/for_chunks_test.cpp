// Arrays part by part, and files larger than the device's memory: values and bits beside those of arrays in memory.
#include <chrono>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sinter/sinter.hpp>
#include <thread>
#include <tuple>

#include "support/backends.hpp"
#include "support/message_of.hpp"
#include "support/ranks.hpp"
#include "support/scratch_folder.hpp"

using namespace sinter;
using namespace test_backends;
using test_messages::message_of;
using test_ranks::same_bits;

namespace {

/// While it lives the device's pool takes no more than so many bytes besides what is used.
class little_memory {
public:
    explicit little_memory(std::int64_t bytes) {
        synchronize();
        memory_pool().trim();
        memory_pool().set_limit(memory_pool().used() + bytes);
    }
    ~little_memory() { memory_pool().set_limit(0); }
    little_memory(const little_memory&) = delete;
    little_memory& operator=(const little_memory&) = delete;
};

/// The parts joined again, with their lengths.
template <class E>
std::pair<array<value_type_t<E>>, std::vector<std::int64_t>> joined(const E& e, int axis, std::int64_t bytes) {
    std::vector<array<value_type_t<E>>> parts;
    std::vector<std::int64_t> lengths;
    for_chunks(e, axis,
               [&](const auto& part) {
                   parts.push_back(part.copy());
                   lengths.push_back(part.shape(axis));
               },
               {.bytes = bytes});
    return {concatenate(parts, axis), lengths};
}

/// Whether results have the shapes and bits of those that were wanted.
template <class... F, class... W>
void check_same_bits(const std::tuple<F...>& found, const std::tuple<W...>& wanted) {
    auto compare = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
        CAPTURE(K);
        const auto got = to_host(std::get<K>(found));
        const auto& want = std::get<K>(wanted);
        CHECK(got.shape() == want.shape());
        CHECK(std::memcmp(got.data(), want.data(), want.size() * sizeof(*want.data())) == 0);
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (compare(std::integral_constant<std::size_t, I>()), ...);
    }(std::index_sequence_for<F...>());
}

array<float> numbers(std::int64_t rows, std::int64_t columns) {
    random::generator g(7);
    return g.normal<float>(1, 2, {rows, columns}).eval();
}

}  // namespace

TEST_CASE("parts of a file, of formulas over it and of arrays in memory are the array's, the last one shorter") {
    on_every_backend([](const tested_backend&) {
        scratch_folder folder;
        const array<float> x = numbers(101, 7), row = numbers(1, 7);
        save(folder.path + "/x.npy", x);
        const array<float> m = load<float>(folder.path + "/x.npy", mapped);
        auto check = [](const auto& e, const auto& wanted, int axis, std::int64_t bytes,
                        const std::vector<std::int64_t>& wanted_lengths) {
            const auto [all_parts, lengths] = joined(e, axis, bytes);
            CHECK(same_bits(all_parts, wanted));
            CHECK(lengths == wanted_lengths);
        };
        check(m, x, 0, 40 * 7 * 4, {40, 40, 21});
        check(m, x, -2, 1, std::vector<std::int64_t>(101, 1));
        check(m, x, 1, 3 * 101 * 4, {3, 3, 1});
        check(m, x, 0, 0, {101});
        check(m * 2 - row, array<float>(x * 2 - row), 0, 64 * 7 * 4, {64, 37});
        check(exp(m(slice(3, 50), slice(1, 6))), array<float>(exp(x(slice(3, 50), slice(1, 6)))), 0, 20 * 5 * 4,
              {20, 20, 7});
        check(reshape(m(slice(1, none)), {50, 2, 7}), reshape(x(slice(1, none)), {50, 2, 7}), 0, 30 * 14 * 4, {30, 20});
        check(astype<double>(m), astype<double>(x), 0, 60 * 7 * 8, {60, 41});
        check(cumsum(m, 0), cumsum(x, 0), 0, 60 * 7 * 4, {60, 41});
        check(x, x, 0, 60 * 7 * 4, {60, 41});
        check(m.T(), x.T(), 1, 60 * 7 * 4, {60, 41});
        int calls = 0;
        for_chunks(zeros({0, 3}), 0, [&](const auto&) { ++calls; });
        CHECK(calls == 0);
        // What reads all of the file meanwhile brings it to the device.
        const array<float> whole = load<float>(folder.path + "/x.npy", mapped);
        std::int64_t right = 0;
        for_chunks(whole, 0,
                   [&](const array<float>& part) {
                       right += count_nonzero(part == whole(slice(right / 7, right / 7 + 10))).item();
                   },
                   {.bytes = 10 * 28});
        CHECK(right == 100 * 7 + 7);
    });
}

TEST_CASE("parts of arrays in memory are views, which move nothing") {
    on_every_backend([](const tested_backend& b) {
        const array<float> x = numbers(64, 7);
        const std::int64_t used = counters().pool_used;
        for_chunks(x, 0, [&](const array<float>& part) { CHECK(part.shape() == dims(16, 7)); }, {.bytes = 16 * 28});
        CHECK(counters().pool_used == used);
        scratch_folder folder;
        save(folder.path + "/x.npy", x);
        const array<float> m = load<float>(folder.path + "/x.npy", mapped);
        std::int64_t most = 0;
        for_chunks(m, 0, [&](const array<float>&) { most = std::max(most, counters().pool_used - used); },
                   {.bytes = 16 * 28});
        CHECK(most <= (b.is_cuda() ? 2 * 512 : 0));
    });
}

TEST_CASE("reductions of a file larger than the device's memory have the bits of the array in memory") {
    on_every_backend([](const tested_backend& b) {
        scratch_folder folder;
        const std::int64_t n = b.is_interpreter() ? 2011 : 20011;
        const std::string path = folder.path + "/x.npy";
        array<float> x = numbers(n, 8), first_axis = numbers(n * 8, 1);
        save(path, x);
        auto all_of = [](const array<float>& y) {
            const auto flat = reshape(y, {-1});
            return std::tuple(array<float>(sum(y)), array<float>(sum(y, 0)), array<float>(sum(y, 1)),
                              array<float>(mean(y)), array<float>(var(y, 0)), array<float>(stddev(y)),
                              array<std::int64_t>(argmax(y)), array<std::int64_t>(argmin(y, 0)),
                              array<float>(max(y, 1)), array<bool>(any(y > 8.5f, 0)), array<float>(sum(flat * flat)),
                              array<float>(prod(y * 0.01f, 0)), array<double>(var(astype<double>(y), 0)),
                              array<float>(sum(square(y - mean(y, 0)) * y)), array<std::int64_t>(count_nonzero(y > 1)));
        };
        const auto in_memory = all_of(x);
        eval(in_memory);
        const auto wanted = std::apply([](const auto&... w) { return std::tuple(to_host(w)...); }, in_memory);
        const array<float> scaled = ((x - mean(x, 0)) / stddev(x, 0)).eval();
        const auto wanted_scaled = to_host(scaled);
        {
            const little_memory few(n * 8 * 4 * 3 / 4);
            const auto found = all_of(load<float>(path, mapped));
            eval(found);
            check_same_bits(found, wanted);
            const array<float> y = load<float>(path, mapped);
            std::vector<float> got;
            for_chunks((y - mean(y, 0)) / stddev(y, 0), 0, [&](const array<float>& part) {
                const std::vector<float> own = to_vector(part);
                got.insert(got.end(), own.begin(), own.end());
            });
            CHECK(std::memcmp(got.data(), wanted_scaled.data(), got.size() * sizeof(float)) == 0);
            CHECK(got.size() == wanted_scaled.size());
            if (b.is_cuda())
                CHECK_THROWS_WITH_AS(
                    sort(y, 0).eval(),
                    doctest::Contains("of an array that lies in a file for_chunks takes parts that fit"),
                    out_of_memory);
        }
        CHECK(same_bits(load<float>(path, mapped), x));
    });
}

TEST_CASE("elements, rows, columns and slices of a file larger than the device's memory are read alone") {
    on_every_backend([](const tested_backend& b) {
        scratch_folder folder;
        const std::string path = folder.path + "/x.npy";
        const array<float> x = numbers(b.is_interpreter() ? 2011 : 20011, 8);
        save(path, x);
        auto all_of = [](const array<float>& y) {
            const auto back = y(slice(none, none, -1));
            return std::tuple(array<float>(y(5, 3)), array<float>(y(77)),
                              array<float>(y(slice(10, 21, 2), slice(1, 5))), array<float>(y(all, 3)),
                              array<float>(y(all, slice(none, none, -3))), array<float>(back(slice(2, 9))),
                              array<float>(exp(y)(5)), array<float>((y * 2 - y(0))(slice(-7, none), 2)),
                              array<float>(sum(y(slice(3, 3)), 0)), array<float>(y(7) + y(9) * y(all, 1).item(4)),
                              array<float>(mean(y(slice(40, 60)), 1)), array<float>(max(y(all, 2))),
                              array<float>(reshape(y, {-1})(slice(100, 131))));
        };
        const auto in_memory = all_of(x);
        eval(in_memory);
        const auto wanted = std::apply([](const auto&... w) { return std::tuple(to_host(w)...); }, in_memory);
        const little_memory few(x.nbytes() * 3 / 4);
        const auto found = all_of(load<float>(path, mapped));
        check_same_bits(found, wanted);
        if (!b.is_cuda()) return;
        const array<float> m = load<float>(path, mapped);
        reset_counters();
        CHECK(m(5, 3).item() == *std::get<0>(wanted).data());
        CHECK(exp(m)(5).eval().shape() == dims(8));
        CHECK(counters().bytes_to_device <= 4 + 8 * 4);
    });
}

TEST_CASE("results of each element and running sums of a file larger than the device's memory are computed in parts") {
    on_every_backend([](const tested_backend& b) {
        scratch_folder folder;
        const std::string path = folder.path + "/x.npy";
        // Many groups of the order of columns.
        const auto compare = [&](const auto& x, double memory, auto f) {
            using T = value_type_t<std::remove_cvref_t<decltype(x)>>;
            save(path, x);
            const auto wanted = [&] {
                const device_scope on(device::cpu());
                return to_host(f(load<T>(path)));
            }();
            std::optional<little_memory> few;  // on the CPU files are mapped, and limit nothing
            if (b.is_cuda()) few.emplace(static_cast<std::int64_t>(memory * static_cast<double>(x.nbytes())));
            const auto found = f(load<T>(path, mapped)).eval();
            few.reset();
            const auto got = to_host(found);
            CHECK(got.shape() == wanted.shape());
            CHECK(std::memcmp(got.data(), wanted.data(), wanted.size() * sizeof(*wanted.data())) == 0);
        };
        const std::int64_t rows = b.is_interpreter() ? 999 : 160003;
        const array<float> x = numbers(rows, 2);
        compare(x, 0.75, [](const auto& y) { return array<bool>(y > 1); });
        compare(x, 1.9, [](const auto& y) { return array<float>(y * 2 - 1); });
        compare(x, 1.9, [](const auto& y) { return array<float>(cumsum(y, 0)); });
        compare(x, 1.9, [](const auto& y) { return array<float>(max(cummin(y * 2, 0), 0)); });
        // Halves are summed as float32 are, and rounded twice.
        const array<std::int64_t> row = arange<std::int64_t>(rows)(sinter::all, newaxis);
        const array<float> values = where(row == 0, 2048.0f, where(row == 1, 1.0f, where(row == 600, 0.5f / 4096, 0)));
        const array<sinter::half> halves = astype<sinter::half>(values + zeros<float>({1, 2})).eval();
        compare(halves, 0.75, [](const auto& y) { return array<sinter::half>(sum(y, 0)); });
        if (!b.is_cuda()) return;
        const auto compare_chunks = [&]<class T>(const array<T>& y) {
            save(path, y);
            const auto wanted = [&] {
                const device_scope on(device::cpu());
                return to_host(cumsum(load<T>(path), 0));
            }();
            std::int64_t at = 0;
            for_chunks(cumsum(load<T>(path, mapped), 0), 0,
                       [&](const array<T>& part) {
                           const std::vector<T> own = to_vector(part);
                           CHECK(std::memcmp(own.data(), wanted.data() + at * 2, own.size() * sizeof(T)) == 0);
                           at += part.shape(0);
                       },
                       {.bytes = 9000 * 2 * sizeof(T)});
            CHECK(at == rows);
        };
        compare_chunks(x);
        compare_chunks(halves);
    });
}

TEST_CASE("bytes of a file that several values use are read once") {
    on_every_backend([](const tested_backend& b) {
        if (!b.is_cuda()) return;
        scratch_folder folder;
        const array<float> x = numbers(20011, 8);
        save(folder.path + "/x.npy", x);
        const double all_sums = sum(x * 2).item(), largest = max(x).item();
        const little_memory few(x.nbytes() * 3 / 4);
        const array<float> m = load<float>(folder.path + "/x.npy", mapped);
        reset_counters();
        const array<float> s = sum(m * 2), most = max(m), first = mean(m, 0);
        eval(s, most, first);
        CHECK(counters().bytes_to_device < x.nbytes() * 5 / 4);
        CHECK(s.item() == all_sums);
        CHECK(most.item() == largest);
        reset_counters();
        const array<float> a = exp(m);
        for_chunks(a + m, 0, [](const array<float>&) {}, {.bytes = 1000 * 32});
        CHECK(counters().bytes_to_device < x.nbytes() * 5 / 4);
    });
}

TEST_CASE("reductions are computed again, or told to need more, where there is no memory for their results") {
    on_every_backend([](const tested_backend& b) {
        if (!b.is_cuda()) return;
        scratch_folder folder;
        const std::string path = folder.path + "/x.npy";
        const array<std::int8_t> x = astype<std::int8_t>(reshape(arange<int>(59 * 510), {59, 510}) % 7);
        save(path, x);
        const std::vector<double> wanted = to_vector(array<double>(var(x, 0)));
        for (std::int64_t bytes = 18000; bytes <= 40000; bytes += 1000) {
            CAPTURE(bytes);
            const little_memory few(bytes);
            const array<double> v = var(load<std::int8_t>(path, mapped), 0);
            try {
                v.eval();
            } catch (const out_of_memory&) {
                continue;
            }
            memory_pool().set_limit(0);
            CHECK(to_vector(v) == wanted);
        }
    });
}

TEST_CASE("while a part is worked on the next one is read") {
    on_every_backend([](const tested_backend& b) {
        if (!b.is_cuda()) return;
        scratch_folder folder;
        save(folder.path + "/x.npy", numbers(96, 16));
        const std::int64_t part = 32 * 16 * 4;
        int number = 0;
        reset_counters();
        for_chunks(load<float>(folder.path + "/x.npy", mapped), 0,
                   [&](const array<float>&) {
                       const std::int64_t wanted = std::min(++number + 1, 3) * part;
                       for (int i = 0; i < 5000 && counters().bytes_to_device < wanted; ++i)
                           std::this_thread::sleep_for(std::chrono::milliseconds(1));
                       CHECK(counters().bytes_to_device == wanted);
                   },
                   {.bytes = part});
        CHECK(number == 3);
    });
}

TEST_CASE("what for_chunks cannot do is told, and what its function throws ends it") {
    on_every_backend([](const tested_backend& b) {
        const array<float> x = numbers(9, 4);
        auto nothing = [](const auto&) {};
        CHECK(message_of([&] { for_chunks(x, 2, nothing); }).find("[for_chunks] axis 2") == 0);
        CHECK(message_of([&] { for_chunks(x, 0, nothing, {.bytes = -1}); }) == "[for_chunks] a part of -1 bytes");
        int calls = 0;
        CHECK(message_of([&] {
                  for_chunks(x, 0,
                             [&](const auto&) {
                                 if (++calls == 2) throw value_error("[mine] enough");
                             },
                             {.bytes = 32});
              }) == "[mine] enough");
        CHECK(calls == 2);
        if (!b.is_cuda()) return;
        scratch_folder folder;
        const std::string path = folder.path + "/x.npy";
        save(path, x);
        const array<float> m = load<float>(path, mapped);
        std::filesystem::resize_file(path, 128 + 5 * 16);
        CHECK(message_of([&] { for_chunks(m, 0, nothing, {.bytes = 32}); }).find("became shorter") !=
              std::string::npos);
    });
}
