// Expressions of distributed arrays: what has no name yet is continued by the operation behind it, and is the value
// that it would be otherwise.
#include <optional>
#include <sinter/distributed.hpp>
#include <sinter/sinter.hpp>
#include <thread>

#include "support/backends.hpp"
#include "support/dlpack_tensors.hpp"
#include "support/ranks.hpp"

using namespace sinter;
using namespace test_backends;
using namespace test_ranks;

TEST_CASE("expressions have the bits of ordinary ones, whichever operand has no name") {
    on_every_backend([](const tested_backend&) {
        on_ranks({1, 3}, [](distributed::session&, auto check) {
            const array<double> v = numbers(), w = v * 0.5 - 3, row = arange<double>(13);
            for (const auto& where : {distributed::replicated(), distributed::split(0), distributed::split(1)}) {
                const auto x = distribute(v, where), y = distribute(w, where);
                const auto r = distribute(row, distributed::replicated());
                auto is = [&](const auto& got, const auto& wanted, const char* what) {
                    check(got.placement() == where && same_bits(got.gather(), wanted), what);
                };
                is((x * y + 1) * x - y * 0.5, array<double>((v * w + 1) * v - w * 0.5), "the left one");
                is(1 - (2 - x * y), array<double>(1 - (2 - v * w)), "the right one of a number");
                is(x - (y * (x + 1)), array<double>(v - (w * (v + 1))), "the right one of an array");
                is((x + y) / (x * y - 0.25), array<double>((v + w) / (v * w - 0.25)), "both");
                is((r + 1) * (x - 1) + (r - 2), array<double>((row + 1) * (v - 1) + (row - 2)), "what broadcasts");
                is(distributed::where(x - y > 0, x * 2, -y), array<double>(sinter::where(v - w > 0, v * 2, -w)),
                   "three");
                is(astype<std::int32_t>(x * 2) + 1, array<std::int32_t>(astype<std::int32_t>(v * 2) + 1),
                   "a conversion");
                is((astype<float>(x) * 2.5f) * y, array<double>((astype<float>(v) * 2.5f) * w), "types that differ");
            }
        });
    });
}

TEST_CASE("a result with a name is a value, which may be copied, moved, carried on and assigned") {
    on_ranks({1, 2, 4}, [](distributed::session&, auto check) {
        const array<double> v = numbers();
        const auto x = distribute(v, distributed::split(0));
        auto a = x + 1;
        const auto b = a;
        auto c = a * a;
        a = std::move(c) - b;
        c = x;
        const array<double> own = v + 1;
        check(same_bits(a.gather(), array<double>(own * own - own)), "moved");
        check(same_bits(b.gather(), own) && same_bits(c.gather(), v), "copied, and assigned anew");
        auto&& named = x * 3;
        const auto twice = named + named;
        check(same_bits(twice.gather(), array<double>(v * 3 + v * 3)), "bound to a reference");
        auto sum = x * 0;
        array<double> wanted = v * 0;
        for (int i = 0; i < 100; ++i) {
            sum = std::move(sum) + x * i;
            wanted = wanted + v * i;
        }
        check(same_bits(sum.gather(), wanted), "longer than one statement");
    });
}

TEST_CASE("what operations refuse is refused when they are written, on ranks without elements too") {
    on_ranks({1, 3}, [](distributed::session&, auto check) {
        const auto x = distribute(ones<std::int32_t>({2}), distributed::split(0));
        check(message_of([&] { static_cast<void>(power(x + 1, -2)); }) ==
                  "[power] integers have no negative integer powers: -2",
              "a power");
        check(message_of([&] { static_cast<void>(x * 2 + 3000000000); }) == "[add] 3000000000 does not fit in int32",
              "a number");
        const auto rows = distribute(ones({4, 3}), distributed::split(0));
        const auto columns = distribute(ones({4, 3}), distributed::split(1));
        check(message_of([&] { static_cast<void>(exp(rows * 2) + exp(columns)); }) ==
                  message_of([&] { static_cast<void>(rows + columns); }),
              "placements");
        check(message_of([&] { static_cast<void>(exp(rows) * distribute(ones({5}), distributed::replicated())); }) ==
                  "[multiply] shapes do not broadcast: (4, 3) and (5,)",
              "shapes");
    });
}

TEST_CASE("statements of distributed arrays have the label of the block where they are written") {
    on_compiling_backends([](const tested_backend&) {
        const distributed::session s(distributed::make_single_communicator());
        const auto x = distribute(arange<float>(101), distributed::split(0));
        x.eval();
        std::optional<distributed::array<float>> inside;
        {
            profiler::label block("advect");
            inside.emplace(exp(x) * 2 - 0.4375f);
        }
        const auto outside = exp(x) * 3 - 0.4375f;
        profiler::label other("project");
        CHECK(sinter::explain(inside->local()).steps()[0].label == "advect");
        CHECK(sinter::explain(outside.local()).steps()[0].label.empty());
    });
}

TEST_CASE("memory of others is read where an expression of it is written") {
    on_every_backend([](const tested_backend&) {
        const distributed::session s(distributed::make_single_communicator());
        test_tensors::producer p(std::vector<float>{1, 2, 3}, {2, 32, 1}, {3});
        const auto x = distribute(from_dlpack<float>(&p.versioned), distributed::split(0));
        const auto y = x * 2 + 1;
        const std::vector<float> later{7, 8, 9};
        runtime::copy_to_device(runtime::current_device(), p.memory->data, later.data(), sizeof(float) * 3);
        CHECK(to_vector(y.gather()) == std::vector<float>{3, 5, 7});
    });
}

TEST_CASE("several threads may read an expression with a name, as the thread sanitizer sees") {
    const distributed::session s(distributed::make_single_communicator());
    const auto x = distribute(arange<double>(9), distributed::split(0));
    for (int turn = 0; turn < 50; ++turn) {
        const auto y = (x * 2 + 1) * x - turn;
        array<double> first, second;
        std::thread other([&] { second = y.local(); });
        first = y.local();
        other.join();
        CHECK(same_bits(first, second));
        CHECK(first(1).item() == 3 - turn);
    }
}

TEST_CASE("an array that is given away on both sides of an operation stands on both") {
    on_ranks({1, 3}, [](distributed::session&, auto check) {
        const array<double> v = numbers();
        for (const auto& where : {distributed::replicated(), distributed::split(0), distributed::mesh()}) {
            auto stored = distribute(v, where), open = distribute(v, where) * 2, first = open + 1, last = open - 1;
            check(same_bits((std::move(stored) + std::move(stored)).gather(), array<double>(v + v)), "a stored one");
            check(same_bits((std::move(open) * std::move(open)).gather(), array<double>((v * 2) * (v * 2))),
                  "an expression");
            check(same_bits((std::move(first) + first).gather(), array<double>((v * 2 + 1) * 2)), "on the left");
            check(same_bits((last + std::move(last)).gather(), array<double>((v * 2 - 1) * 2)), "on the right");
        }
        auto gram = sum(distribute(v, distributed::split(0)), 0);
        check(same_bits((std::move(gram) * std::move(gram)).gather(), array<double>(square(sum(v, 0)))), "a sum");
    });
}

TEST_CASE("shapes and indices that do not fit are refused in the words of ordinary arrays") {
    on_ranks({1, 2, 3}, [](distributed::session&, auto check) {
        const array<double> v = numbers();
        auto alike = [&](const char* what, auto f) {
            const std::string wanted = message_of([&] { f(v); });
            for (const auto& where : {distributed::replicated(), distributed::split(0), distributed::mesh()})
                check(!wanted.empty() && message_of([&] { f(distribute(v, where)); }) == wanted, what);
        };
        alike("a size", [](const auto& x) { static_cast<void>(reshape(x, {5, 5})); });
        alike("two that are open", [](const auto& x) { static_cast<void>(reshape(x, {-1, -1})); });
        alike("one that may be any", [](const auto& x) { static_cast<void>(reshape(x(slice(0, 0)), {-1, 0})); });
        alike("too many indices", [](const auto& x) { static_cast<void>(x(0, 0, 0)); });
        alike("two ellipses", [](const auto& x) { static_cast<void>(x(ellipsis, ellipsis)); });
        alike("no step", [](const auto& x) { static_cast<void>(x(slice(none, none, 0))); });
        alike("no points", [](const auto& x) { static_cast<void>(fft::fft(x(slice(0, 0)).T())); });
        alike("matrices", [](const auto& x) { static_cast<void>(matmul(x, x)); });
        alike("stacks", [](const auto& x) { static_cast<void>(matmul(reshape(x, {29, 13, 1}), ones({3, 1, 2}))); });
    });
}
