// Views against brute force: the elements that random chains of slices, transposes, broadcasts and reshapes show.
#include <doctest/doctest.h>

#include <random>
#include <sinter/codegen/base/layout.hpp>
#include <span>
#include <vector>

using namespace sinter;
using namespace sinter::codegen;

namespace {

// The base's element number that each element of a view is, row-major.
std::vector<std::int64_t> elements(const layout& l) {
    std::vector<std::int64_t> out;
    if (l.shape.product() == 0) return out;
    dims index = dims::filled(l.shape.size(), 0);
    for (;;) {
        std::int64_t at = l.offset;
        for (int k = 0; k < l.shape.size(); ++k) at += index[k] * l.strides[k];
        out.push_back(at);
        int k = l.shape.size() - 1;
        while (k >= 0 && ++index[k] == l.shape[k]) index[k--] = 0;
        if (k < 0) return out;
    }
}

std::vector<std::int64_t> elements_through(const layout& outer, const layout& inner) {
    auto base = elements(outer);
    auto out = elements(inner);
    for (auto& e : out) e = base.at(static_cast<std::size_t>(e));
    return out;
}

struct random_views {
    std::mt19937 engine;
    int below(int n) { return static_cast<int>(engine() % static_cast<unsigned>(n)); }

    dims shape() {
        dims s;
        for (int k = below(5); k > 0; --k) s.push_back(below(12) == 0 ? 0 : 1 + below(5));
        return s;
    }
    layout slice(const layout& l) {
        if (l.shape.empty()) return l;
        int axis = below(l.shape.size());
        auto n = static_cast<int>(l.shape[axis]);
        if (n == 0) return l;
        int step = (1 + below(3)) * (below(2) ? 1 : -1), start = below(n);
        int most = step > 0 ? (n - 1 - start) / step : start / -step;
        return sliced(l, axis, start, step, below(15) == 0 ? 0 : 1 + below(most + 1));
    }
    layout transpose(const layout& l) {
        dims order;
        for (int k = 0; k < l.shape.size(); ++k) order.insert(below(k + 1), k);
        return transposed(l, order);
    }
    layout flip(const layout& l) {
        if (l.shape.empty()) return l;
        int axis = below(l.shape.size());
        return l.shape[axis] == 0 ? l : sliced(l, axis, l.shape[axis] - 1, -1, l.shape[axis]);
    }
    layout broadcast(const layout& l) {
        dims s = l.shape;
        for (int k = 0; k < s.size(); ++k)
            if (s[k] == 1 && below(2)) s[k] = 1 + below(4);
        if (s.size() < 6 && below(2)) s.insert(0, 1 + below(3));
        return broadcasted(l, s);
    }
    dims other_shape(std::int64_t n) {
        dims s;
        while (n > 1 && s.size() < 6) {
            std::int64_t d = 1 + below(static_cast<int>(n));
            while (n % d) --d;
            s.push_back(s.size() == 5 ? n : d);
            n /= s.back();
        }
        if (n > 1) s[s.size() - 1] *= n;
        return s;
    }
    layout view(const layout& l) {
        switch (below(4)) {
            case 0: return slice(l);
            case 1: return transpose(l);
            case 2: return flip(l);
            default: return broadcast(l);
        }
    }
    layout views_of(const dims& shape) {
        layout l = contiguous(shape);
        for (int k = below(5); k > 0; --k) l = view(l);
        return l;
    }
};

}  // namespace

TEST_CASE("a shape is made of integers, of a vector of them or of a span") {
    const std::vector<int> sizes{2, 3, 5};
    const std::vector<std::uint8_t> one{7};
    CHECK(dims(sizes) == dims(2, 3, 5));
    CHECK(dims(std::span<const int>(sizes.data(), 2)) == dims(2, 3));
    CHECK(dims(one) == dims(7));
    CHECK(dims(std::vector<std::int64_t>()) == dims());
    CHECK_THROWS_AS(dims(std::vector<std::int64_t>(9, 1)), shape_error);
}

TEST_CASE("views show the elements that NumPy's slicing, transposing and broadcasting show") {
    layout l = contiguous({3, 4});
    CHECK(elements(transposed(l, {1, 0})) == std::vector<std::int64_t>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11});
    CHECK(elements(sliced(l, 1, 3, -2, 2)) == std::vector<std::int64_t>{3, 1, 7, 5, 11, 9});
    CHECK(elements(broadcasted(sliced(l, 0, 1, 1, 1), {2, 4})) == std::vector<std::int64_t>{4, 5, 6, 7, 4, 5, 6, 7});
    CHECK(is_contiguous(l));
    CHECK(is_contiguous(contiguous({0, 3})));
    CHECK_FALSE(is_contiguous(transposed(l, {1, 0})));
    CHECK(is_contiguous(transposed(contiguous({1, 5}), {1, 0})));
}

TEST_CASE("reshaping keeps the order of elements or says that strides cannot express it") {
    random_views random{std::mt19937(7)};
    int expressed = 0, refused = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        layout l = random.views_of(random.shape());
        dims shape = random.other_shape(l.shape.product());
        auto r = reshaped(l, l.shape.product() == 0 ? dims{0, 3} : shape);
        if (!r) {
            CHECK_FALSE(is_contiguous(l));
            ++refused;
            continue;
        }
        ++expressed;
        if (elements(*r) != elements(l)) FAIL_CHECK(to_string(l.shape) << " to " << to_string(shape));
    }
    CHECK(expressed > 5000);
    CHECK(refused > 1000);
}

TEST_CASE("reshaping finds strides whenever there are some") {
    random_views random{std::mt19937(11)};
    for (int trial = 0; trial < 20000; ++trial) {
        layout l = random.views_of(random.shape());
        if (l.shape.product() == 0) continue;
        dims shape = random.other_shape(l.shape.product());
        if (reshaped(l, shape)) continue;
        // The only candidate: strides read off the first step along each axis.
        auto e = elements(l);
        dims steps = contiguous_strides(shape), strides = steps;
        for (int k = 0; k < shape.size(); ++k)
            strides[k] = shape[k] > 1 ? e[static_cast<std::size_t>(steps[k])] - e[0] : 0;
        if (elements(layout{shape, strides, e[0]}) == e)
            FAIL_CHECK(to_string(l.shape) << " strides " << to_string(l.strides) << " to " << to_string(shape));
    }
}

TEST_CASE("composition of slices, transposes, flips and broadcasts always has strides, and the right ones") {
    random_views random{std::mt19937(3)};
    for (int trial = 0; trial < 40000; ++trial) {
        layout outer = random.views_of(random.shape());
        layout inner = random.views_of(outer.shape);
        auto c = composed(outer, inner);
        if (!c) {
            FAIL_CHECK("none for " << to_string(outer.shape) << to_string(outer.strides) << " through "
                                   << to_string(inner.shape) << to_string(inner.strides) << inner.offset);
            continue;
        }
        if (c->shape != inner.shape || elements(*c) != elements_through(outer, inner))
            FAIL_CHECK("wrong for " << to_string(outer.shape) << to_string(outer.strides) << outer.offset << " through "
                                    << to_string(inner.shape) << to_string(inner.strides) << inner.offset);
    }
}

TEST_CASE(
    "composition with reshapes in the chain is right or refused, and reshapes of contiguous views are never refused") {
    random_views random{std::mt19937(5)};
    int refused = 0;
    for (int trial = 0; trial < 40000; ++trial) {
        layout outer = random.views_of(random.shape());
        layout inner = contiguous(outer.shape);
        for (int k = 1 + random.below(4); k > 0; --k) {
            std::int64_t n = inner.shape.product();
            if (n == 0 || random.below(2)) inner = random.view(inner);
            else if (auto r = reshaped(inner, random.other_shape(n))) inner = *r;
        }
        auto c = composed(outer, inner);
        if (!c) {
            CHECK_FALSE(is_contiguous(outer));
            ++refused;
            continue;
        }
        if (c->shape != inner.shape || elements(*c) != elements_through(outer, inner))
            FAIL_CHECK("wrong for " << to_string(outer.shape) << to_string(outer.strides) << outer.offset << " through "
                                    << to_string(inner.shape) << to_string(inner.strides) << inner.offset);
    }
    CHECK(refused < 20000);
}

TEST_CASE("axes that are split where a repeated array's lie are read through strides") {
    // repeat(repeat(x, 3, 0), 2, 1) of x of shape (5, 4): what is repeated first is (5, 3, 4), seen as (15, 4).
    const layout first{{5, 3, 4}, {4, 0, 1}, 0}, second{{15, 4, 2}, {4, 1, 0}, 0};
    CHECK_FALSE(composed(first, second));
    const auto finer = split_axes(first.shape, second);
    REQUIRE(finer);
    CHECK(*finer == dims{5, 3, 4, 2});
    const auto split = reshaped(second, *finer);
    REQUIRE(split);
    const auto through = composed(first, *split);
    REQUIRE(through);
    CHECK(elements(*through) == elements_through(first, second));
    CHECK_FALSE(split_axes({15, 4}, second));
    // Backwards; and a part that begins within a repeated element.
    const layout flipped{{15, 4}, {-4, 1}, 56};
    const auto backwards = split_axes(first.shape, flipped);
    REQUIRE(backwards);
    const auto read = composed(first, *reshaped(flipped, *backwards));
    REQUIRE(read);
    CHECK(elements(*read) == elements_through(first, flipped));
    const layout within{{12, 4}, {4, 1}, 4};
    const auto parts = split_axes(first.shape, within);
    REQUIRE(parts);
    CHECK_FALSE(composed(first, *reshaped(within, *parts)));
    // No more axes than arrays may have.
    const layout many{{2, 2, 2, 2, 2, 2, 2, 4}, {256, 128, 64, 32, 16, 8, 4, 1}, 0};
    CHECK_FALSE(split_axes({128, 2, 2}, many));
}
