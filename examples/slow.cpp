// Four reasons why a program is slow on a GPU, each with what explain says of it and the line that avoids it:
// arithmetic in float64 that nobody asked for, elements read far apart, an array read by several kernels, and a result
// stored on the way; draws the times before and after as an SVG file.
#include <cstdio>
#include <sinter/plot.hpp>
#include <sinter/sinter.hpp>

using namespace sinter;

namespace {

std::vector<double> before, after;  ///< microseconds

/// The shortest of several runs.
template <class E>
double microseconds(const E& e) {
    double least = 1e300;
    for (int i = 0; i < 7; ++i) least = std::min(least, 1e6 * explain(e, measured).measured());
    return least;
}

/// Prints what explain has to say of two ways to the same result; whether it has a hint for the first and none for the
/// second.
template <class Slow, class Fast>
bool compare(const char* reason, const Slow& slow, const Fast& fast) {
    std::printf("%s\n", reason);
    for (const std::string& hint : explain(slow).hints()) std::printf("  hint: %s\n", hint.c_str());
    const auto a = explain(slow), b = explain(fast);
    before.push_back(microseconds(slow)), after.push_back(microseconds(fast));
    std::printf("  %lld kernels, %.0f MB and %.0f us; mended %lld kernels, %.0f MB and %.0f us\n\n",
                static_cast<long long>(a.kernels()), 1e-6 * double(a.bytes_read() + a.bytes_written()), before.back(),
                static_cast<long long>(b.kernels()), 1e-6 * double(b.bytes_read() + b.bytes_written()), after.back());
    return !explain(slow).hints().empty() && explain(fast).hints().size() < explain(slow).hints().size();
}

}  // namespace

int main() {
    random::seed(4);
    array<float> x = random::normal<float>(0, 1, {2048, 2048}).eval();
    array<int> counts = random::integers<int>(0, 100, {2048, 2048}).eval();
    array<float> pairs = random::normal<float>(0, 1, {1 << 22, 2}).eval();
    array<float> parts = array<float>(pairs.T()).copy();
    array<std::int64_t> few = arange<std::int64_t>(0, 2048, 64).eval();
    bool found = true;

    found &= compare("1. Integers meet 0.5 in float64, and floats go along: convert them first",
                     x + astype<float>(counts * 0.5), x + astype<float>(counts) * 0.5f);
    found &= compare("2. Coordinates in turn, x y x y, are read apart: keep all x and then all y",
                     hypot(pairs(all, 0), pairs(all, 1)), hypot(parts(0), parts(1)));
    found &=
        compare("3. A whole array is read for its mean and again for what follows: a row stays where it is computed",
                x - mean(x), x - mean(x, 1, keepdims));
    found &= compare("4. All rows are computed and stored before some are picked: pick them first",
                     take(exp(x) * x, few, 0), exp(take(x, few, 0)) * take(x, few, 0));

    plot::figure f({.title = "four reasons", .xlabel = "reason", .ylabel = "microseconds", .ylog = true});
    array<double> reasons{1, 2, 3, 4};
    f.line(reasons, asarray(before), {.label = "slow", .marker = true});
    f.line(reasons, asarray(after), {.label = "mended", .marker = true});
    f.save("slow.svg");
    if (!x.device().is_cuda())
        std::printf("These are times of a CPU, to which the first and the third matter little.\n");
    return found ? 0 : 1;
}
