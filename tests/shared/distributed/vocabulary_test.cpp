// Every reduction and every function of lines that ordinary arrays have, of distributed ones: right along each axis, or
// an error that says what to do.
#include <fstream>
#include <set>
#include <sinter/distributed.hpp>
#include <sinter/sinter.hpp>
#include <sstream>

#include "support/backends.hpp"
#include "support/ranks.hpp"

using namespace sinter;
using namespace test_backends;
using namespace test_ranks;

namespace {

/// What holds of a function along the axis that is split: the bits of one rank, values up to rounding, or an error.
enum class along { exact, close, refused };

template <class E>
auto of_all(const E& x, int axis) {
    return all(x, axis);
}
template <class T>
auto of_all(const distributed::array<T>& x, int axis) {
    return distributed::all(x, axis);
}

/// Calls back with each function's name, what holds of it, and the function of an array, ordinary or distributed, and
/// an axis.
template <class Call>
void for_each_function(Call call) {
#define CASE(name, holds, ...) \
    call(#name, along::holds, [](const auto& x, [[maybe_unused]] int axis) { return __VA_ARGS__; });
    CASE(sum, exact, sum(x, axis))
    CASE(prod, exact, prod(x * 0.25f, axis, keepdims))
    CASE(min, exact, min(x, axis))
    CASE(max, exact, max(x, {axis}))
    CASE(amin, exact, amin(x, axis))
    CASE(amax, exact, amax(x, axis))
    CASE(nanmin, exact, nanmin(x, axis))
    CASE(nanmax, exact, nanmax(x, axis))
    CASE(any, exact, any(x > 2, axis))
    CASE(all, exact, of_all(x > -2, axis))
    CASE(argmin, exact, argmin(x, axis))
    CASE(argmax, exact, argmax(x, axis))
    CASE(nanargmin, exact, nanargmin(x, axis))
    CASE(nanargmax, exact, nanargmax(x, axis))
    CASE(count_nonzero, exact, count_nonzero(x > 0, axis))
    CASE(mean, exact, mean(x, axis, keepdims))
    CASE(average, exact, average(x, {axis}))
    CASE(var, exact, var(x, axis))
    CASE(stddev, exact, stddev(x, axis, {.ddof = 1}))
    CASE(ptp, exact, ptp(x, axis))
    CASE(nansum, exact, nansum(x, axis))
    CASE(nanprod, exact, nanprod(x * 0.25f, axis))
    CASE(nanmean, exact, nanmean(x, axis))
    CASE(nanvar, exact, nanvar(x, axis))
    CASE(nanstd, exact, nanstd(x, axis))
    CASE(softmax, exact, softmax(x, axis))
    CASE(log_softmax, exact, log_softmax(x, {axis}))
    CASE(logsumexp, exact, logsumexp(x, axis))
    CASE(cumsum, close, cumsum(x, axis))
    CASE(cumprod, close, cumprod(1 + x / 64, axis))
    CASE(cummin, exact, cummin(x, axis))
    CASE(cummax, exact, cummax(x, axis))
    CASE(nancumsum, close, nancumsum(x, axis))
    CASE(nancumprod, close, nancumprod(1 + x / 64, axis))
    CASE(sort, refused, sort(x, axis))
    CASE(argsort, refused, argsort(x, {.axis = axis, .descending = true}))
    CASE(partition, refused, sort(partition(x, 1, axis), axis))
    CASE(argpartition, refused, sort(argpartition(x, 1, axis), axis))
    CASE(diff, refused, diff(x, 1, axis))
    CASE(trapezoid, refused, trapezoid(x, 0.5, axis))
    CASE(unwrap, refused, unwrap(x, axis))
    CASE(median, refused, median(x, axis))
    CASE(nanmedian, refused, nanmedian(x, {axis}, keepdims))
    CASE(quantile, refused, quantile(x, 0.3, axis))
    CASE(percentile, refused, percentile(x, {25, 75}, axis))
    CASE(nanquantile, refused, nanquantile(x, 0.3, axis, keepdims))
    CASE(nanpercentile, refused, nanpercentile(x, std::vector<double>{25, 75}, axis, keepdims))
#undef CASE
}

/// Functions of these headers that want elements from anywhere, whose results have another size for each rank, or that
/// have no axis: `gather` is for them.
const std::set<std::string> of_whole_arrays{"unique",      "unique_counts", "unique_inverse", "unique_all",
                                            "topk",        "searchsorted",  "ediff1d",        "sort_complex",
                                            "array_equal", "allclose",      "nan_to_num"};

/// Public functions whose first operand is an array, as a header of sinter's declares them.
std::set<std::string> functions_of(const std::string& header) {
    std::ifstream in(std::string(SINTER_TEST_ROOT) + "/include/sinter/" + header);
    std::set<std::string> names;
    bool is_private = false;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("namespace detail")) is_private = true;
        if (line.starts_with("}")) is_private = is_private && line.find("detail") == std::string::npos;
        const std::size_t macro = line.find("_FUNCTION"), open = line.find('(');
        const std::size_t function = line.find("auto "), operand = line.find("(const E&");
        if (is_private || open == std::string::npos) continue;
        if (line.starts_with("SINTER_") && macro < open)
            names.insert(line.substr(open + 1, line.find_first_of(",)", open) - open - 1));
        else if (function < operand && operand != std::string::npos && line[0] != ' ')
            names.insert(line.substr(function + 5, operand - function - 5));
    }
    return names;
}

}  // namespace

TEST_CASE("every reduction and every function of lines has its distributed form, or is named as one of whole arrays") {
    std::set<std::string> tested = of_whole_arrays;
    for_each_function([&](const char* name, along, auto) { tested.insert(name); });
    for (const char* header : {"functions/reductions.hpp", "functions/nan_functions.hpp", "functions/softmax.hpp",
                               "functions/scans.hpp", "functions/ordering.hpp", "analysis/quantiles.hpp"}) {
        const std::set<std::string> names = functions_of(header);
        INFO(header);
        CHECK(!names.empty());
        for (const std::string& name : names) {
            INFO(name);
            CHECK(tested.count(name) == 1);
        }
    }
}

TEST_CASE("reductions and functions of lines are those of an ordinary array along each axis, or say what to do") {
    on_every_backend([](const tested_backend& b) {
        on_ranks({1, 2, 3, 4}, [&](distributed::session& s, auto check) {
            if (!b.is_interpreter() && s.ranks() != 3) return;
            random::generator g(12);
            const array<float> whole = g.normal<float>(0, 1, {521, 3});
            const array<float> holes = where(whole > 1.5f, constants::nan, whole);
            int number = 0;
            for_each_function([&](const std::string& name, along holds, auto f) {
                if (++number % 6 != 0 && !b.is_interpreter()) return;
                const array<float>& values = name.starts_with("nan") ? holes : whole;
                for (int axis : {0, 1})
                    for (int split : {0, 1}) {
                        const auto x = distribute(values, distributed::split(split));
                        const std::string what = name + " along " + std::to_string(axis);
                        if (holds == along::refused && axis == split) {
                            check(message_of([&] { f(x, axis); }) == "[" + name + "] not distributed along axis " +
                                                                         std::to_string(axis) +
                                                                         ": reshard or gather first",
                                  (what + " is refused").c_str());
                            continue;
                        }
                        const auto parts = f(x, axis).gather();
                        const auto wanted = f(values, axis);
                        const bool is_close = holds == along::close && axis == split;
                        check(
                            is_close ? allclose(parts, wanted, {.rtol = 1e-5, .atol = 1e-4}) : same_bits(parts, wanted),
                            what.c_str());
                    }
            });
        });
    });
}

TEST_CASE("initial values, conditions and weights of reductions are those of ordinary arrays over a split axis") {
    on_every_backend([](const tested_backend& b) {
        on_ranks({1, 2, 3, 4}, [&](distributed::session& s, auto check) {
            if (!b.is_interpreter() && s.ranks() != 3) return;
            random::generator g(12);
            const array<float> whole = g.normal<float>(0, 1, {521, 3});
            const array<bool> mask = whole > 0;
            const array<bool> rows = arange(521)(all, newaxis) % 3 == 1;
            const array<double> weights = arange<double>(521);
            for (const auto& p : {distributed::split(0), distributed::split(1), distributed::mesh()}) {
                const auto x = distribute(whole, p);
                const auto counted = x > 0;
                check(same_bits(sum(x, 0, {.initial = 2.5, .where = counted}).gather(),
                                sum(whole, 0, {.initial = 2.5, .where = mask})),
                      "sum of what is positive");
                check(same_bits(prod(x, {.where = rows}).gather(), prod(whole, {.where = rows})), "prod of some rows");
                check(same_bits(max(x, 1, keepdims, {.initial = -9, .where = counted}).gather(),
                                max(whole, 1, keepdims, {.initial = -9, .where = mask})),
                      "max of what is positive");
                check(same_bits(nanmin(x, {.initial = 7}).gather(), nanmin(whole, {.initial = 7})), "nanmin, initial");
                check(same_bits(any(x > 1, 0, {.where = counted}).gather(), any(whole > 1, 0, {.where = mask})), "any");
                check(
                    same_bits(distributed::all(x > 1, 0, {.where = mask}).gather(), all(whole > 1, 0, {.where = mask})),
                    "all, where a condition is replicated");
                check(same_bits(mean(x, 0, {.where = counted}).gather(), mean(whole, 0, {.where = mask})), "mean");
                check(same_bits(var(x, {.ddof = 1, .where = rows}).gather(), var(whole, {.ddof = 1, .where = rows})),
                      "var");
                check(same_bits(nanstd(x, 0, {.where = counted}).gather(), nanstd(whole, 0, {.where = mask})),
                      "nanstd");
                check(same_bits(sum<double>(x, 0).gather(), sum<double>(whole, 0)), "sum in float64");
                check(same_bits(average(x, 0, weights).gather(), average(whole, 0, weights)), "average");
                check(same_bits(average(x, {0, 1}, astype<double>(x)).gather(),
                                average(whole, {0, 1}, astype<double>(whole))),
                      "average by weights that are distributed");
                check(isclose(x, whole + 1e-9f).shape() == whole.shape() && allclose(x, whole) &&
                          array_equal(x, whole) && !array_equal(x, whole + 1),
                      "comparisons");
                const auto columns = distribute(array<float>(zeros<float>({0, 3})), p);
                check(same_bits(max(columns, 0, {.initial = 3}).gather(), max(zeros<float>({0, 3}), 0, {.initial = 3})),
                      "no elements, initial");
            }
            const auto x = distribute(whole, distributed::split(0));
            const auto w = distribute(weights, distributed::split(0));
            check(same_bits(average(x, 0, w).gather(), average(whole, 0, weights)),
                  "average by a vector that is split");
            check(message_of([&] { max(x, 0, {.where = x > 0}); }) == "[max] a condition needs an initial value",
                  "an extremum of what counts");
            check(message_of([&] { mean(x, {.where = zeros<bool>({2, 3})}); }).find("[mean]") == 0, "shapes");
            const auto line = distribute(weights, distributed::split(0));
            check(allclose(cumsum(line), cumsum(weights)), "a running sum of all");
            const array<double> overflows = array<double>{1e300, 1e300, 0, -2};
            check(same_bits(cumprod(distribute(overflows, distributed::split(0)), 0).gather(), cumprod(overflows, 0)),
                  "a running product that overflows before a zero");
        });
    });
}
