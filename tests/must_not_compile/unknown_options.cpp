// error: no matching function for call to 'sum
// error: no matching function for call to 'mean
// error: no matching function for call to 'max
// error: no matching function for call to 'prod
// error: sinter: var takes axes in braces, var(x, {0, 1}), and keepdims and other options behind them
// error: no matching function for call to 'stddev
// error: no matching function for call to 'quantile
// error: sinter: write flip(x, axis)
// error: no matching function for call to 'fftshift
// error: no matching function for call to 'norm
#include <sinter/sinter.hpp>

void wrong(sinter::array<double> x) {
    using namespace sinter;
    static_cast<void>(sum(x, {.of = 1}));
    static_cast<void>(mean(x, {.of = 0}));
    static_cast<void>(max(x, {.initial = 0}, keepdims));
    static_cast<void>(prod(x, 1, {.of = 0}));
    static_cast<void>(var(x, {.axis = 1}));
    static_cast<void>(stddev(x, {.ddof = 1}, keepdims));
    static_cast<void>(quantile(x, {.q = 0}));
    static_cast<void>(flip(x, {.axis = 0}));
    static_cast<void>(fft::fftshift(x, {.axis = 0}));
    static_cast<void>(linalg::norm(x, 2, {.axis = 1}));
}
