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

// Rows of `count` elements, each of which begins where four can be loaded at once.
template <class T>
void check_rows(std::int64_t count) {
    CAPTURE(count);
    const std::int64_t rows = 3, width = (count + 3) / 4 * 4;
    const array<T> base = reshape(numbers<T>(rows * width), {rows, width}).eval(), x = base(all, slice(0, count));
    const std::vector<T> all_of = to_vector(base);
    const array<std::int64_t> sums = sum<std::int64_t>(x, 1);
    const array<T> largest = max(x, 1);
    for (std::int64_t row = 0; row < rows; ++row) {
        std::int64_t total = 0;
        T most = std::numeric_limits<T>::lowest();
        for (std::int64_t i = 0; i < count; ++i) {
            const T y = all_of[static_cast<std::size_t>(row * width + i)];
            total += static_cast<std::int64_t>(y);
            most = std::max(most, y);
        }
        CHECK(sums(row).item() == total);
        CHECK(largest(row).item() == most);
    }
}

}  // namespace

TEST_CASE("rows of bytes are summed in blocks of several of the order's, whatever is left of a row") {
    on_compiling_backends([](const tested_backend&) {
        for (std::int64_t count : {4097, 4100, 8193, 12289, 16384, 16385, 16386, 16387, 32764, 40003, 65536 + 5}) {
            check_rows<std::int8_t>(count);
            check_rows<std::uint8_t>(count);
            check_rows<std::int16_t>(count);
        }
        // More than 1024 blocks of 16384: some lanes of the next level have two, the last of them in part.
        check_count<std::int8_t>(16384 * 1024 + 3 * 16384 + 776);
    });
}

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
