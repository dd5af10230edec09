// Errors of reductions of distributed arrays: whose name they have.
#include "support/backends.hpp"

#include <sinter/distributed.hpp>
#include <string>

using namespace sinter;

TEST_CASE("errors of reductions of distributed arrays name the function that was called") {
    distributed::run(2, [](distributed::session&) {
        const array<double> whole = arange<double>(7);
        const auto x = distribute(whole, distributed::split(0));
        auto message = [](auto f) -> std::string {
            try {
                f();
            } catch (const error& e) {
                return e.what();
            }
            return "";
        };
        CHECK(message([&] { distributed::amax(x, 7); }).find("[amax] axis 7") == 0);
        CHECK(message([&] { distributed::count_nonzero(x, {7}); }).find("[count_nonzero] axis 7") == 0);
        CHECK(message([&] { distributed::mean(x, 7); }).find("[mean] axis 7") == 0);
        CHECK(message([&] { distributed::stddev(x, 7); }).find("[stddev] axis 7") == 0);
        const array<bool> other = ones<bool>({3});
        CHECK(message([&] { distributed::stddev(x, {.where = other}); }).find("[stddev]") == 0);
        CHECK(message([&] { distributed::nanmin(x, {.where = whole > 0}); }).find("[nanmin] a condition") == 0);
    });
}
