// A short and always equal part of what tests/fuzz does for long.
#include "fuzz/inputs.hpp"

#include <doctest/doctest.h>

TEST_CASE("damaged files of every kind give io_error or elements, and nothing else") {
    const auto seeds = fuzz::read_seeds(SINTER_TEST_DATA);
    REQUIRE(seeds.size() > 150);
    fuzz::counts whole;
    for (const std::string& s : seeds) fuzz::run(s, whole);
    CHECK(whole.accepted > 120);
    std::mt19937 random(20);
    fuzz::counts n;
    for (int i = 0; i < 40000; ++i) fuzz::run(fuzz::make_input(seeds, random), n);
    CHECK(n.inputs[fuzz::npy] > 10000);
    CHECK(n.inputs[fuzz::npz] > 8000);
    CHECK(n.inputs[fuzz::text] > 5000);
    CHECK(n.accepted > 5000);
    CHECK(n.accepted < 35000);
}
