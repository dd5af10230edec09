// What has been moved from: arrays are empty ones, handles of one thing still are its handles, and what cannot be
// either says so.
#include "support/backends.hpp"

#include <filesystem>
#include <sinter/distributed.hpp>
#include <sinter/plot.hpp>
#include <sinter/sinter.hpp>
#include <sstream>
#include <type_traits>
#include <vector>

using namespace sinter;
using namespace test_backends;

namespace {

array<double> moved_from() {
    array<double> a{1, 2, 3};
    const array<double> b = std::move(a);
    return a;
}

// An array that has just been moved from and one that nobody has touched, for what is done to both.
template <class F>
void check_as_empty(F f) {
    array<double> a{1, 2, 3}, empty;
    const array<double> b = std::move(a);
    CHECK(f(a) == f(empty));
    CHECK(to_vector(b) == std::vector<double>{1, 2, 3});
}

std::string text(const auto& x) {
    std::ostringstream out;
    out << x;
    return out.str();
}

}  // namespace

TEST_CASE("an array that has been moved from is an empty one, whatever it is asked for") {
    on_every_backend([](const tested_backend&) {
        check_as_empty([](auto& a) { return text(a) + repr(a) + text(a.shape()) + text(a.strides()); });
        check_as_empty([](auto& a) { return a.size() + a.ndim() + a.shape(0) + a.nbytes(); });
        check_as_empty([](auto& a) { return a.device() == array<double>().device(); });
        check_as_empty([](auto& a) { return text(a + 1) + text(-a) + text(where(a > 0, a, 1.0)) + text(a + a); });
        check_as_empty([](auto& a) { return double(sum(a)) + double(prod(a)); });
        check_as_empty([](auto& a) { return to_vector(a).size() + to_host(a).size(); });
        check_as_empty([](auto& a) { return text(concatenate({a, array<double>{4}})) + text(a.T()) + text(a.copy()); });
        check_as_empty([](auto& a) { return text(matmul(a, a)) + text(reshape(a, {0, 4})) + text(sort(a)); });
        check_as_empty([](auto& a) { return text(a.eval()) + text(std::move(a).eval()); });
        check_as_empty([](auto& a) { return text(a(slice(0, 2))) + text(a[a > 0]) + text(std::as_const(a)(all)); });
        check_as_empty([](auto& a) { return a.data() == nullptr || a.size() == 0; });
        check_as_empty([](auto& a) { return explain(a + 1).kernels(); });
        check_as_empty([](auto& a) {
            int rows = 0;
            for (auto row : a) rows += static_cast<int>(row.size()) + 1;
            return rows;
        });
        check_as_empty([](auto& a) {
            eval(a, a * 2);
            const array<double> copy = a;
            array<double> moved = std::move(a);
            return text(copy) + text(moved) + text(a);
        });
    });
}

TEST_CASE("an array that has been moved from can be written as an empty one, and assigned to") {
    on_every_backend([](const tested_backend&) {
        check_as_empty([](auto& a) { return text(a += 1); });
        check_as_empty([](auto& a) {
            a.fill(3);
            a(all) = 2;
            a(slice(0, 1)) += 2;
            out(a) = a + 1;
            return text(a);
        });
        array<double> a = moved_from();
        CHECK_THROWS_WITH_AS(a(0) = 1, "[index] index 0 is out of bounds for axis 0 with size 0", index_error);
        CHECK_THROWS_WITH_AS(a.item(), "[item] an array of shape (0,) is not a single number", value_error);
        CHECK_THROWS_AS(max(a).eval(), value_error);
        a = array<double>{5, 6};
        a(0) = 7;
        CHECK(to_vector(a) == std::vector<double>{7, 6});
        array<double> b;
        CHECK(b.size() == 0);
        const array<bool> mask{true, false};
        array<bool> m = mask;
        const array<bool> taken = std::move(m);
        CHECK_FALSE(bool(any(m)));
    });
}

TEST_CASE("a formula that has been moved from says so when it is read") {
    on_every_backend([](const tested_backend&) {
        const array<double> a{1, 2, 3}, b{4, 5, 6};
        auto e = a + b;
        auto f = std::move(e);
        CHECK(to_vector(f) == std::vector<double>{5, 7, 9});
        CHECK_THROWS_WITH_AS(
            to_vector(e),
            "[expression] a formula of shape (3,) has been moved to another one, or an array in it, and has no value",
            value_error);
        CHECK_THROWS_AS(sum(e * 2).eval(), value_error);
        CHECK(to_vector(a + b) == std::vector<double>{5, 7, 9});
    });
}

TEST_CASE("a part that has become an array is read again, or empty") {
    on_every_backend([](const tested_backend&) {
        array<double> a{1, 2, 3};
        auto part = a(slice(1, 3));
        const array<double> first = std::move(part);
        CHECK(text(part) == text(first));
        auto element = a(1);
        CHECK(element.item() == 2);
        const array<double> second = std::move(element);
        CHECK(second.item() == 2);
        CHECK(element.size() == 0);
    });
}

TEST_CASE("an array that has been moved from is saved as an empty one") {
    on_every_backend([](const tested_backend&) {
        const std::string path = (std::filesystem::temp_directory_path() / "sinter_moved_from.npy").string();
        save(path, moved_from());
        CHECK(load<double>(path).shape() == dims(0));
        std::filesystem::remove(path);
    });
}

TEST_CASE("moving an array cannot throw and takes its value along") {
    static_assert(std::is_nothrow_move_constructible_v<array<double>>);
    static_assert(std::is_nothrow_move_assignable_v<array<double>>);
    static_assert(std::is_nothrow_move_constructible_v<npz_file> && std::is_nothrow_move_constructible_v<stream>);
    array<double> a{1, 2};
    const auto* value = a.get_handle().get();
    const array<double> b = std::move(a);
    CHECK(b.get_handle().get() == value);
}

TEST_CASE("files, figures, streams and events that have been moved from are what their copies are") {
    const std::string path = (std::filesystem::temp_directory_path() / "sinter_moved_from.npz").string();
    savez(path, {{"x", array<double>{1, 2}}});
    {
        npz_file file = loadz(path);
        const npz_file other = std::move(file);
        CHECK(file.names() == other.names());
        CHECK(to_vector(file.get<double>("x")) == std::vector<double>{1, 2});
    }
    std::filesystem::remove(path);
    plot::figure drawn;
    plot::figure same = std::move(drawn);
    drawn.line(array<double>{0, 1}, array<double>{1, 0});
    stream s;
    const stream t = std::move(s);
    CHECK(s.query());
    CHECK(s.where() == t.where());
    event e;
    const event f = std::move(e);
    CHECK(e.query());
}

TEST_CASE("random generators and steps that have been moved from work on") {
    random::generator g(7);
    const random::generator h = std::move(g);
    CHECK(g == h);
    CHECK(g.random({3}).size() == 3);
    graph step([](const array<double>& x) { return x + 1; });
    auto other = std::move(step);
    CHECK(to_vector(other(array<double>{1})) == std::vector<double>{2});
    CHECK(to_vector(step(array<double>{2})) == std::vector<double>{3});
}

TEST_CASE("a distributed array that has been moved from says so until it is assigned one") {
    distributed::session s;
    auto a = distributed::distribute(array<double>{1, 2}, distributed::replicated());
    auto b = std::move(a);
    const char* said = "[distributed] this array's value has been moved to another one: assign one to it first";
    CHECK_THROWS_WITH_AS(a.shape(), said, value_error);
    CHECK_THROWS_WITH_AS(text(a), said, value_error);
    CHECK_THROWS_WITH_AS(a.gather(), said, value_error);
    CHECK_THROWS_WITH_AS(a + 1, said, value_error);
    CHECK_THROWS_WITH_AS(std::move(a) + 1, said, value_error);
    CHECK_THROWS_WITH_AS(a(0) = 1, said, value_error);
    CHECK_THROWS_WITH_AS(auto c = a, said, value_error);
    std::swap(a, b);
    CHECK(to_vector(a.gather()) == std::vector<double>{1, 2});
}
