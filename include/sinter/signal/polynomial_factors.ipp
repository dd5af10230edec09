// Bodies of polynomial_factors.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/signal/polynomial_factors.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::signal::detail {

namespace ieee = codegen::ieee;

// Roots that lie together are known to a root of the rounding's error only, so that it wants to be small.
#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 finest;
inline constexpr double finest_epsilon = 0x1p-112;
#else
using finest = long double;
inline constexpr double finest_epsilon = static_cast<double>(__LDBL_EPSILON__);
#endif

SINTER_COMPARES inline finest magnitude(finest v) { return v < 0 ? -v : v; }

// Of numbers near 1: double's root has half of the digits after one step, all after two.
SINTER_COMPARES inline finest root_of(finest v) {
    finest r = std::sqrt(static_cast<double>(v));
    for (int turn = 0; turn < 3 && r > 0; ++turn) r = (r + v / r) / 2;
    return r;
}

SINTER_INLINE long double exact_sum(const wide_numbers& v) {
    finest s = 0;
    for (long double x : v) s += x;
    return static_cast<long double>(s);
}

/// A matrix without elements below those next to its diagonal, whose eigenvalues are taken off at its end.
class hessenberg {
public:
    explicit hessenberg(const wide_numbers& a) : n_(a.size() - 1), h_(n_ * n_, 0) {
        for (std::size_t j = 0; j < n_; ++j) at(0, j) = -static_cast<finest>(a[j + 1]);
        for (std::size_t i = 1; i < n_; ++i) at(i, i - 1) = 1;
    }
    /// The factors 1 + a1 z^-1 + a2 z^-2 of its eigenvalues; none where they are not found.
    std::vector<wide_numbers> factors() {
        std::vector<wide_numbers> all;
        std::size_t end = n_;
        for (int turn = 0; end > 0;) {
            const std::size_t first = block_before(end), size = end - first;
            if (size <= 2) {
                all.push_back(factor_at(first, size));
                end = first;
                turn = 0;
            } else {
                // Equal poles part by rounding alone, after as many turns as a number has bits, or some times so many.
                if (++turn > 400) return {};
                step(first, end, turn % 40 == 0);
            }
        }
        return all;
    }

private:
    finest& at(std::size_t i, std::size_t j) { return h_[i * n_ + j]; }

    // Where the block that ends there begins, above which nothing is left; what nearly is nothing is forgotten.
    SINTER_COMPARES std::size_t block_before(std::size_t end) {
        std::size_t i = end - 1;
        for (; i > 0; --i) {
            const finest around = magnitude(at(i, i)) + magnitude(at(i - 1, i - 1));
            if (magnitude(at(i, i - 1)) > finest_epsilon * around) continue;
            at(i, i - 1) = 0;
            break;
        }
        return i;
    }

    wide_numbers factor_at(std::size_t i, std::size_t size) {
        if (size == 1) return {1, static_cast<long double>(-at(i, i))};
        const finest trace = at(i, i) + at(i + 1, i + 1);
        const finest determinant = at(i, i) * at(i + 1, i + 1) - at(i, i + 1) * at(i + 1, i);
        return {1, static_cast<long double>(-trace), static_cast<long double>(determinant)};
    }

    // The bulge of both shifts at once, chased along the block [first, end).
    void step(std::size_t first, std::size_t end, bool is_exceptional) {
        const std::size_t p = end - 2, q = end - 1;
        finest trace = at(p, p) + at(q, q), determinant = at(p, p) * at(q, q) - at(p, q) * at(q, p);
        if (is_exceptional) {
            const finest away = magnitude(at(q, p)) + magnitude(at(p, p - 1));
            trace = away + away / 2;
            determinant = away * away;
        }
        finest bulge[3] = {at(first, first) * at(first, first) + at(first, first + 1) * at(first + 1, first) -
                               trace * at(first, first) + determinant,
                           at(first + 1, first) * (at(first, first) + at(first + 1, first + 1) - trace),
                           at(first + 1, first) * at(first + 2, first + 1)};
        for (std::size_t k = first; k + 1 < end; ++k) {
            const std::size_t height = std::min<std::size_t>(3, end - k);
            reflect(bulge, height, k, first, end);
            for (std::size_t i = 0; i < 3; ++i) bulge[i] = k + 1 + i < end ? at(k + 1 + i, k) : finest(0);
        }
    }

    // Makes a vector's elements but the first nothing, by a reflection of rows and columns from k on.
    SINTER_COMPARES void reflect(const finest (&x)[3], std::size_t height, std::size_t k, std::size_t first,
                                 std::size_t end) {
        finest most = 0, square = 0, v[3] = {};
        for (std::size_t i = 0; i < height; ++i) most = std::max(most, magnitude(x[i]));
        if (!(most > 0)) return;
        for (std::size_t i = 0; i < height; ++i) {
            v[i] = x[i] / most;
            square += v[i] * v[i];
        }
        const finest length = root_of(square);
        v[0] += v[0] < 0 ? -length : length;
        finest norm = 0;
        for (std::size_t i = 0; i < height; ++i) norm += v[i] * v[i];
        const finest twice = 2 / norm;
        for (std::size_t j = k > first ? k - 1 : first; j < end; ++j) {
            finest dot = 0;
            for (std::size_t i = 0; i < height; ++i) dot += v[i] * at(k + i, j);
            for (std::size_t i = 0; i < height; ++i) at(k + i, j) -= twice * dot * v[i];
        }
        for (std::size_t j = first; j < std::min(k + 4, end); ++j) {
            finest dot = 0;
            for (std::size_t i = 0; i < height; ++i) dot += v[i] * at(j, k + i);
            for (std::size_t i = 0; i < height; ++i) at(j, k + i) -= twice * dot * v[i];
        }
    }

    std::size_t n_;
    std::vector<finest> h_;
};

SINTER_INLINE polynomial_factors factors_of(const wide_numbers& a) {
    std::size_t count = a.size();
    while (count > 1 && a[count - 1] == 0) --count;
    const auto is_finite = [](long double v) { return ieee::is_finite(static_cast<double>(v)); };
    if (count > most_parted || !codegen::all_of(a.begin(), a.end(), is_finite)) return {};
    const wide_numbers rest(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(count));
    if (count == 1) return {true};
    if (count <= 3) return {true, {rest}};
    std::vector<wide_numbers> all = hessenberg(rest).factors();
    return {!all.empty(), std::move(all)};
}

}  // namespace sinter::inline SINTER_ABI::signal::detail

SINTER_IEEE_END
