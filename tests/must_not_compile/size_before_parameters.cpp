// error: sinter: the size goes into the last argument, in braces: normal(loc, scale, {3})
// error: sinter: the size goes into the last argument, in braces: uniform(low, high, {3})
// error: sinter: the size goes into the last argument, in braces: exponential(scale, {3})
// error: sinter: the size goes into the last argument, in braces: poisson(lam, {3})
// error: sinter: the size goes into the last argument, in braces: gamma(shape, scale, {3})
// error: sinter: the size goes into the last argument, in braces: beta(a, b, {3})
// error: sinter: the size goes into the last argument, in braces: triangular(left, mode, right, {3})
// error: sinter: the size goes into the last argument, in braces: laplace(loc, scale, {3})
// error: sinter: the size goes into the last argument, in braces: gumbel(loc, scale, {3})
// error: sinter: the size goes into the last argument, in braces: logistic(loc, scale, {3})
// error: sinter: the size goes into the last argument, in braces: integers(low, high, {3})
// error: sinter: the size goes into the last argument, in braces: randint(low, high, {3})
// error: sinter: the size goes into the last argument, in braces: choice(n, {3})
#include <sinter/sinter.hpp>

void wrong(sinter::array<double> x) {
    using namespace sinter;
    static_cast<void>(random::normal({3}));
    static_cast<void>(random::uniform({3, 2}));
    static_cast<void>(random::exponential<float>({5}));
    static_cast<void>(random::poisson({5}));
    static_cast<void>(random::gamma(2, {3}));
    static_cast<void>(random::beta({1}, {2}));
    static_cast<void>(random::triangular(0, 1, {3}));
    static_cast<void>(random::laplace({3}, 1, {2}));
    static_cast<void>(random::gumbel({}));
    static_cast<void>(random::logistic({x, x}));
    static_cast<void>(random::integers({3}));
    static_cast<void>(random::randint({0}, 5, {3}));
    static_cast<void>(random::choice({3}));
}
