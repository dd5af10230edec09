// Index errors of a GPU: enqueued work is not waited for, and what depends on a bad index throws when it is read.
#include <doctest/doctest.h>

#include <sinter/sinter.hpp>

using namespace sinter;

TEST_CASE("a gather is not waited for: a bad index is found when what depends on it is read") {
    if (device_count() == 0) return;
    device_scope on(device::cuda(0));
    array<float> x = asarray(std::vector<float>{1, 2, 3}), good = x * 2;
    array<std::int64_t> bad = asarray(std::vector<std::int64_t>{0, 7});
    array<float> wrong = x(bad);
    eval(wrong, good);
    CHECK(to_vector(good) == std::vector<float>{2, 4, 6});
    array<float> dependent = wrong + 1, view = wrong(slice(0, 1)), fine = x + good;
    eval(dependent, fine);
    x = array<float>();
    bad = array<std::int64_t>();
    CHECK(to_vector(fine) == std::vector<float>{3, 6, 9});
    const char* text = "[take] index 7 is out of bounds for axis 0 with size 3";
    CHECK_THROWS_WITH_AS(to_vector(view), text, index_error);
    CHECK_THROWS_WITH_AS(to_vector(dependent), text, index_error);
    CHECK_THROWS_WITH_AS(to_vector(wrong), text, index_error);
    CHECK_THROWS_AS(to_vector(wrong), index_error);
    CHECK_THROWS_AS(static_cast<void>(double(sum(dependent))), index_error);
    CHECK_THROWS_AS(dependent.data(), index_error);
    wrong += good(slice(0, 2));
    CHECK_THROWS_AS(to_vector(wrong), index_error);
    CHECK(to_vector(good) == std::vector<float>{2, 4, 6});
}

TEST_CASE("a long chain of gathers keeps the error of its first link") {
    if (device_count() == 0) return;
    device_scope on(device::cuda(0));
    const array<std::int64_t> order = asarray(std::vector<std::int64_t>{2, 0, 1}),
                              bad = asarray(std::vector<std::int64_t>{2, -4, 1});
    array<float> x = asarray(std::vector<float>{1, 2, 3}), y = std::as_const(x)(bad);
    for (int i = 0; i < 300; ++i) {
        x = std::as_const(x)(order);
        y = std::as_const(y)(order);
        if (i % 2) eval(x, y);
    }
    CHECK(to_vector(x) == std::vector<float>{1, 2, 3});
    CHECK_THROWS_WITH_AS(to_vector(y), "[take] index -4 is out of bounds for axis 0 with size 3", index_error);
}
