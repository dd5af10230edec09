// How many points transforms take that may take more than they have to.
#include <doctest/doctest.h>

#include <sinter/codegen/ops/fourier.hpp>

using namespace sinter;
using namespace sinter::codegen;

namespace {

bool is_smooth(std::int64_t n) {
    for (std::int64_t factor : {2, 3, 5})
        while (n % factor == 0) n /= factor;
    return n == 1;
}

}  // namespace

TEST_CASE(
    "a fast length is even, a product of twos, threes and fives, and at most a power of two from what is needed") {
    for (std::int64_t least = 2; least < 5000; ++least) {
        const std::int64_t n = fast_length(least);
        CAPTURE(least);
        CHECK(n >= least);
        CHECK(n < 2 * least);
        CHECK(n % 2 == 0);
        CHECK(is_smooth(n));
    }
    CHECK(fast_length(0) == 1);
    CHECK(fast_length(1) == 1);
}

TEST_CASE("a power of two is its own fast length") {
    for (std::int64_t n = 2; n <= std::int64_t{1} << 40; n *= 2) CHECK(fast_length(n) == n);
}

TEST_CASE("a fast length has many twos where they cost few points") {
    CHECK(fast_length(10009999) == 10485760);  // 2^21 * 5, not 10077696 = 6^9
    CHECK(fast_length(59049) == 65536);        // not 3^10
    CHECK(fast_length(15625) == 16384);        // not 5^6
}
