// Reductions of whole numbers of few bytes over so many elements that threads combine several blocks of their order
// before they meet.
#include <algorithm>
#include <limits>
#include <sinter/sinter.hpp>

#include "support/backends.hpp"
#include "support/type_lists.hpp"

using namespace sinter;
using namespace test_backends;
using namespace test_types;

namespace {

// Small numbers, and the ends of types of few bytes, at places that no block's length divides.
template <class T>
array<T> numbers(std::int64_t count) {
    const array<std::int64_t> i = arange<std::int64_t>(count);
    if constexpr (std::is_same_v<T, bool>) {
        return i % 3 != 1;
    } else {
        constexpr bool few_bytes = sizeof(T) <= 2;
        const std::int64_t most = few_bytes ? static_cast<std::int64_t>(std::numeric_limits<T>::max()) : 1 << 20;
        const std::int64_t least = few_bytes ? static_cast<std::int64_t>(std::numeric_limits<T>::lowest()) : 0;
        const array<std::int64_t> few = (i * 7919) % 7;
        return astype<T>(where(i % 1013 == 5, most, where(i % 101 == 7, least, few)));
    }
}

template <class T>
void check_count(std::int64_t count) {
    CAPTURE(count);
    const array<T> x = numbers<T>(count).eval();
    std::int64_t total = 0;
    T most = false;
    for (T y : to_vector(x)) {
        total += static_cast<std::int64_t>(y);
        most = std::max(most, y);
    }
    CHECK(static_cast<std::int64_t>(sum(x).item()) == total);
    CHECK(max(x).item() == most);
}

}  // namespace

TEST_CASE("sums of whole numbers of few bytes are exact where blocks of the order lie side by side in a lane") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t count : {1, 3, 1023, 1025, 4095, 4097, 70001}) {
            for_each_type(integer_types, [&]<class T>() { check_count<T>(count); });
            check_count<bool>(count);
        }
    });
    on_compiling_backends([](const tested_backend&) {
        // More than 1024 blocks of 4096: some lanes of the next level have two, the last of them in part.
        check_count<std::int8_t>(4096 * 1024 + 3 * 4096 + 777);
        check_count<std::uint16_t>(4096 * 1024 + 1);
    });
}
