// error: sinter: sum takes axes in braces, sum(x, {0, 1}), and keepdims and other options behind them
// error: sinter: prod takes axes in braces, prod(x, {0, 1}), and keepdims and other options behind them
// error: sinter: min takes axes in braces, min(x, {0, 1}), and keepdims and other options behind them
// error: sinter: max takes axes in braces, max(x, {0, 1}), and keepdims and other options behind them
// error: sinter: amin takes axes in braces, amin(x, {0, 1}), and keepdims and other options behind them
// error: sinter: amax takes axes in braces, amax(x, {0, 1}), and keepdims and other options behind them
// error: sinter: any takes axes in braces, any(x, {0, 1}), and keepdims and other options behind them
// error: sinter: argmin takes axes in braces, argmin(x, {0, 1}), and keepdims behind them, no options by name
// error: sinter: argmax takes axes in braces, argmax(x, {0, 1}), and keepdims behind them, no options by name
// error: sinter: mean takes axes in braces, mean(x, {0, 1}), and keepdims and other options behind them
// error: sinter: median takes axes in braces, median(x, {0, 1}), and keepdims behind them, no options by name
// error: sinter: count_nonzero takes axes in braces, count_nonzero(x, {0, 1}), and keepdims behind them, no options by name
// error: sinter: ptp takes axes in braces, ptp(x, {0, 1}), and keepdims behind them, no options by name
// error: sinter: all takes axes in braces, all(x, {0, 1}), and keepdims and other options behind them
// error: sinter: quantile takes axes in braces, quantile(x, q, {0, 1})
// error: sinter: percentile takes axes in braces, percentile(x, q, {0, 1})
#include <sinter/sinter.hpp>

void wrong(sinter::array<double> x) {
    using namespace sinter;
    static_cast<void>(sum(x, {.axis = 0}));
    static_cast<void>(prod(x, {.dtype = dtype::float64}));
    static_cast<void>(min(x, {.keepdims = true}));
    static_cast<void>(max(x, {.axis = 1, .keepdims = true}));
    static_cast<void>(amin(x, {.out = x}));
    static_cast<void>(amax(x, {.axis = 1}));
    static_cast<void>(any(x, {.dtype = dtype::float64}));
    static_cast<void>(argmin(x, {.axis = 0}));
    static_cast<void>(argmax(x, {.out = x}));
    static_cast<void>(mean(x, {.keepdims = true}));
    static_cast<void>(median(x, {.axis = 1, .keepdims = true}));
    static_cast<void>(count_nonzero(x, {.keepdims = keepdims}));
    static_cast<void>(ptp(x, {.axis = 1}));
    static_cast<void>(all(x, {.axis = 0}));
    static_cast<void>(quantile(x, 0.5, {.axis = 0}));
    static_cast<void>(percentile(x, 25, {.axis = 1}));
}
