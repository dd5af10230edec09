// Zeros of both signs, infinities, NaN, subnormal numbers and poles, for which Annex F of C says what functions give,
// on every backend against C's library, the sign of zero included.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <sinter/sinter.hpp>
#include <span>
#include <string>
#include <vector>

#include "support/backends.hpp"

using namespace sinter;
using namespace test_backends;
using codegen::op;

namespace {

template <class T>
struct function_of_c {
    op operation;
    T (*one)(T);
    T (*two)(T, T);
};

#define C_ONE(operation, name) {op::operation, [](T x) { return std::name(x); }, nullptr}
#define C_TWO(operation, name) {op::operation, nullptr, [](T x, T y) { return std::name(x, y); }}

template <class T>
const std::vector<function_of_c<T>>& functions() {
    static const std::vector<function_of_c<T>> table{
        C_ONE(sqrt, sqrt),     C_ONE(cbrt, cbrt),   C_ONE(exp, exp),           C_ONE(exp2, exp2),
        C_ONE(expm1, expm1),   C_ONE(log, log),     C_ONE(log2, log2),         C_ONE(log10, log10),
        C_ONE(log1p, log1p),   C_ONE(sin, sin),     C_ONE(cos, cos),           C_ONE(tan, tan),
        C_ONE(arcsin, asin),   C_ONE(arccos, acos), C_ONE(arctan, atan),       C_ONE(sinh, sinh),
        C_ONE(cosh, cosh),     C_ONE(tanh, tanh),   C_ONE(arcsinh, asinh),     C_ONE(arccosh, acosh),
        C_ONE(arctanh, atanh), C_ONE(erf, erf),     C_ONE(erfc, erfc),         C_ONE(gamma, tgamma),
        C_ONE(lgamma, lgamma), C_ONE(fabs, fabs),   C_ONE(floor, floor),       C_ONE(ceil, ceil),
        C_ONE(trunc, trunc),   C_ONE(rint, rint),   C_TWO(power, pow),         C_TWO(arctan2, atan2),
        C_TWO(hypot, hypot),   C_TWO(fmod, fmod),   C_TWO(copysign, copysign), C_TWO(nextafter, nextafter),
    };
    return table;
}

/// What Annex F names, the ends of the type and of results, and poles of the gamma function.
template <class T>
std::vector<T> special_numbers() {
    using limits = std::numeric_limits<T>;
    std::vector<T> all{T(0),
                       T(0.5),
                       T(1),
                       T(1.5),
                       T(2),
                       T(3),
                       T(4),
                       T(170),
                       limits::infinity(),
                       limits::max(),
                       limits::min(),
                       limits::min() / 2,
                       limits::denorm_min(),
                       limits::epsilon(),
                       T(1e9),
                       T(1.0e15),
                       limits::max() / 2};
    for (std::size_t i = 0, n = all.size(); i < n; ++i) all.push_back(-all[i]);
    all.push_back(limits::quiet_NaN());
    return all;
}

/// Exact where C's result is a zero, an infinity or NaN; else as near as vector functions and CUDA's come.
template <class T>
bool is_as_c_says(T got, T want) {
    if (want != want) return got != got;
    if (want == 0) return got == 0 && std::signbit(got) == std::signbit(want);
    if (std::isinf(want)) return got == want;
    constexpr T near = 16 * std::numeric_limits<T>::epsilon();
    // CUDA's hypot of the largest number is one that rounds to infinity.
    if (std::isinf(got) && std::fabs(want) >= std::numeric_limits<T>::max() * (1 - near))
        return (got > 0) == (want > 0);
    const T size = std::fmax(std::fabs(want), std::numeric_limits<T>::min());
    return std::fabs(got - want) <= near * size;
}

template <class T>
void check_all() {
    const std::vector<T> numbers = special_numbers<T>();
    std::vector<T> x, y;
    for (T a : numbers)
        for (T b : numbers) x.push_back(a), y.push_back(b);
    const auto size = static_cast<std::int64_t>(x.size());
    const detail::handle stored[] = {detail::store(dtype_of<T>, dims(size), x.data()),
                                     detail::store(dtype_of<T>, dims(size), y.data())};
    std::vector<detail::handle> results;
    for (const function_of_c<T>& f : functions<T>())
        results.push_back(detail::record_apply(f.operation, std::span(stored).first(f.one ? 1 : 2)));
    for (std::size_t k = 0; k < results.size(); ++k) {
        const function_of_c<T>& f = functions<T>()[k];
        std::vector<T> got(x.size());
        detail::read(results[k], got.data());
        for (std::size_t i = 0; i < x.size(); ++i) {
            const T want = f.one ? f.one(x[i]) : f.two(x[i], y[i]);
            if (f.one && i % numbers.size() != 0) continue;
            INFO(std::string(codegen::info(f.operation).name), " of ", x[i], " and ", y[i], " gives ", got[i],
                 ", in C ", want);
            CHECK(is_as_c_says(got[i], want));
        }
    }
}

}  // namespace

TEST_CASE(
    "functions of zeros, infinities, NaN, subnormal numbers and poles give what C's library does, zeros with their "
    "sign") {
    on_every_backend([](const tested_backend&) {
        check_all<float>();
        check_all<double>();
    });
}

TEST_CASE("special functions keep their digits at the ends of their arguments") {
    struct expected {
        op operation;
        double x, value;
    };
    const double infinity = std::numeric_limits<double>::infinity();
    const expected table[] = {
        {op::ndtr, -12.75, 1.5587262888811992081e-37},
        {op::ndtr, -35.5, 2.4576915406619369141e-276},
        {op::erfcinv, 0x1p-1074, 27.213293210812948815},
        {op::erfcinv, 3e-320, 27.052870245520249007},
        {op::ndtri, 0x1p-1074, -38.467405617144346249},
        {op::digamma, -0x1p-1000, 0x1p1000},
        {op::i0, 1e308, infinity},
        {op::i1, -1e308, -infinity},
        {op::j0, infinity, 0},
        {op::j0, 7.5, 0.26633965788037839686},
        {op::j1, 100.25, -0.069620284679609713787},
        {op::j1, -1e5, -0.0018467575628825677164},
    };
    on_every_backend([&](const tested_backend&) {
        for (const expected& e : table) {
            const detail::handle x[] = {detail::store(dtype::float64, dims(1), &e.x)};
            double got = 0;
            detail::read(detail::record_apply(e.operation, x), &got);
            INFO(codegen::info(e.operation).name, " of ", e.x, " gives ", got, " and not ", e.value);
            CHECK((got == e.value || std::fabs(got - e.value) <= 16 * 0x1p-52 * std::fabs(e.value)));
        }
    });
}

TEST_CASE("numbers become the nearest integer toward zero that a type has, and what is no number becomes zero") {
    on_every_backend([](const tested_backend&) {
        const auto check = [](auto type, auto from) {
            using integer = decltype(type);
            using number = decltype(from);
            constexpr auto least = static_cast<double>(std::numeric_limits<integer>::min()),
                           most = static_cast<double>(std::numeric_limits<integer>::max());
            std::vector<number> x;
            for (double end : {least, 0.0, most})
                for (double beside : {-70000.0, -1.5, -1.0, -0.5, -0.0, 0.5, 0.75, 1.0, 1.5, 70000.0})
                    x.push_back(static_cast<number>(end + beside));
            x.insert(x.end(),
                     {static_cast<number>(INFINITY), static_cast<number>(-INFINITY), static_cast<number>(NAN)});
            std::vector<integer> expected;
            for (number v : x)
                expected.push_back(
                    std::isnan(v) ? integer(0)
                                  : static_cast<integer>(std::trunc(std::clamp(static_cast<double>(v), least, most))));
            CHECK(to_vector(astype<integer>(asarray(x))) == expected);
        };
        check(std::int8_t(), 0.0f), check(std::uint8_t(), 0.0f), check(std::int16_t(), 0.0f);
        check(std::uint16_t(), 0.0f);
        check(std::int8_t(), 0.0), check(std::uint8_t(), 0.0), check(std::int16_t(), 0.0), check(std::uint16_t(), 0.0);
        check(std::int32_t(), 0.0);
    });
}
