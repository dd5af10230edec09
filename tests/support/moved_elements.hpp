// Views, copies, picks and masks hold the elements themselves; must not know what these are.
#pragma once

#include <doctest/doctest.h>

#include <sinter/sinter.hpp>
#include <vector>

/// Compares with an array of shape (256, 256): holds(v, i) says whether v is its element i.
template <class T, class Holds>
struct moved_elements {
    sinter::array<T> x;
    Holds holds;

    /// Whether element i of `got` is x's element index(i).
    template <class Index>
    void check(const sinter::array<T>& got, Index index) const {
        const std::vector<T> moved = to_vector(got);
        int wrong = 0;
        for (std::size_t i = 0; i < moved.size(); ++i) wrong += !holds(moved[i], index(static_cast<int>(i)));
        CHECK(wrong == 0);
    }

    void check_all() const {
        using namespace sinter;
        check(x.copy(), [](int i) { return i; });
        check(+x, [](int i) { return i; });
        check(flip(ravel(x)), [](int i) { return 65535 - i; });
        check(x.T().copy(), [](int i) { return i % 256 * 256 + i / 256; });
        check(x(slice(none, none, 2), slice(1, none)).copy(), [](int i) { return i / 255 * 512 + i % 255 + 1; });
        check(where(ones<bool>({256, 256}), x, flip(x)), [](int i) { return i; });
        check(concatenate(std::tuple(x(slice(0, 1)), x(slice(128, none)))),
              [](int i) { return i < 256 ? i : i + 127 * 256; });
        check(take(ravel(x), array<std::int64_t>{3, 65535, 32769}), [](int i) {
            return i == 0 ? 3 : i == 1 ? 65535 : 32769;
        });
        check(ravel(x)[arange(65536) % 3 == 0], [](int i) { return 3 * i; });
    }
};

template <class T, class Holds>
moved_elements(sinter::array<T>, Holds) -> moved_elements<T, Holds>;
