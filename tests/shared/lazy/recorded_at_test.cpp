// Late errors name the lines that recorded what failed, on every backend; compiled with debug information.
#include <doctest/doctest.h>

#include <cstdint>
#include <sinter/linalg.hpp>
#include <sinter/sinter.hpp>
#include <string>

#include "support/backends.hpp"
#include "support/message_of.hpp"

using namespace sinter;
using namespace test_backends;
using namespace test_messages;

namespace {

/// Statements keep where they are recorded while this lives, as in a debug build.
class kept_places {
public:
    kept_places() { runtime::places_are_kept.store(true); }
    ~kept_places() { runtime::places_are_kept.store(before_); }
    kept_places(const kept_places&) = delete;
    kept_places& operator=(const kept_places&) = delete;

private:
    bool before_ = runtime::places_are_kept.load();
};

std::string at(int line) { return "at recorded_at_test.cpp:" + std::to_string(line); }

const std::string bad_index = "[take] index 9 is out of bounds for axis 0 with size 3";
const std::string bad_root = "[cholesky] the matrix is not positive definite: leading minor of order 1";

array<double> rooted(const array<double>& m) { return linalg::cholesky(m) * 2.0; }
constexpr int line_of_rooted = __LINE__ - 1;

}  // namespace

TEST_CASE("an error that comes late names the line of the statement that it is of, not the line of the read") {
    on_every_backend([](const tested_backend&) {
        const kept_places kept;
        const array<double> x{1, 2, 3};
        array<double> late = take(x, array<int>{9});
        const int line = __LINE__ - 1;
        array<double> sum_of_it = sum(late * 2.0 + 1.0);
        CHECK_THROWS_WITH_AS(to_vector(sum_of_it), (bad_index + " (recorded " + at(line) + ")").c_str(), index_error);
        array<double> root = rooted(-eye(3)), use = root + 1.0;
        CHECK_THROWS_WITH_AS(to_vector(use), (bad_root + " (recorded " + at(line_of_rooted) + ")").c_str(),
                             linalg_error);
        CHECK(message_of([&] { to_vector(use); }) == bad_root + " (recorded " + at(line_of_rooted) + ")");
    });
}

TEST_CASE("a statement that ran long before the read, or was never read itself, is named too") {
    on_every_backend([](const tested_backend&) {
        const kept_places kept;
        array<double> late = array<double>{1, 2, 3}[array<int>{9}];
        const int line = __LINE__ - 1;
        for (int i = 0; i < 300; ++i) late = late + 1.0;
        CHECK(message_of([&] { to_vector(late); }) == bad_index + " (recorded " + at(line) + ")");
    });
}

TEST_CASE("where several statements may have failed all of them are named, three at most") {
    on_every_backend([](const tested_backend&) {
        const kept_places kept;
        const array<double> x{1, 2, 3};
        const array<int> wrong{9, 0, 0};
        array<double> a = take(x, wrong);
        array<double> b = take(a, wrong);
        array<double> c = take(b, wrong);
        const int line = __LINE__ - 3;
        array<double> d = take(c, wrong);
        CHECK(message_of([&] { to_vector(d); }) ==
              bad_index + " (recorded " + at(line) + ", " + at(line + 1) + ", " + at(line + 2) + ", and elsewhere)");
    });
}

TEST_CASE("a label is named in release builds as well, and nothing is where nothing is known") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{1, 2, 3};
        array<double> plain = take(x, array<int>{9}), named;
        {
            profiler::label l("advect");
            named = take(x, array<int>{9}) * 2.0;
        }
        CHECK(message_of([&] { to_vector(plain); }) == bad_index);
        CHECK(message_of([&] { to_vector(named); }) == bad_index + " (recorded in advect)");
        const kept_places kept;
        profiler::label l("again");
        array<double> both = take(x, array<int>{9}) * 2.0;
        CHECK(message_of([&] { to_vector(both); }) == bad_index + " (recorded " + at(__LINE__ - 1) + ", in again)");
    });
}

TEST_CASE("an error that somebody holds stays as it is when what depends on the failed value is read") {
    on_every_backend([](const tested_backend&) {
        array<double> failed = take(array<double>{1, 2, 3}, array<int>{9});
        CHECK(message_of([&] { to_vector(failed); }) == bad_index);
        profiler::label l("innocent");
        array<double> use = failed + 1.0;
        try {
            to_vector(failed);
        } catch (const index_error& held) {
            const char* const text = held.what();
            CHECK(message_of([&] { to_vector(use); }) == bad_index);
            CHECK(held.what() == text);
            CHECK(held.what() == bad_index);
        }
        CHECK(message_of([&] { to_vector(failed); }) == bad_index);
    });
}

TEST_CASE("a statement in the body of a loop over whole arrays is named by its own line and label") {
    on_every_backend([](const tested_backend&) {
        const kept_places kept;
        const array<double> x{1, 2, 3};
        int line = 0;
        profiler::label around("around");
        auto body = [&](const array<double>& s) {
            profiler::label l("body");
            line = __LINE__ + 1;
            return array<double>(take(s, array<int>{0, 1, 2}) + take(s, array<int>(astype<int>(s) + 1)));
        };
        const std::string message = message_of([&] { to_vector(for_loop(1, body, x)); });
        CAPTURE(message);
        CHECK(message.ends_with("(recorded " + at(line) + ", in body)"));
    });
}

TEST_CASE("values are the same where statements keep their lines") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{1, 2, 3};
        auto computed = [&] { return to_vector(cumsum(take(x, array<int>{2, 0}) * 2.0)); };
        const std::vector<double> before = computed();
        const kept_places kept;
        CHECK(computed() == before);
        CHECK(before == std::vector<double>{6, 8});
    });
}
