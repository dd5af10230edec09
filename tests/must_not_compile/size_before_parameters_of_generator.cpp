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
    random::generator g(1);
    static_cast<void>(g.normal({3}));
    static_cast<void>(g.uniform({3, 2}));
    static_cast<void>(g.exponential<float>({5}));
    static_cast<void>(g.poisson({5}));
    static_cast<void>(g.gamma(2, {3}));
    static_cast<void>(g.beta({1}, {2}));
    static_cast<void>(g.triangular(0, 1, {3}));
    static_cast<void>(g.laplace({3}, 1, {2}));
    static_cast<void>(g.gumbel({}));
    static_cast<void>(g.logistic({x, x}));
    static_cast<void>(g.integers({3}));
    static_cast<void>(g.randint({0}, 5, {3}));
    static_cast<void>(g.choice({3}));
}
