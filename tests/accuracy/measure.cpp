// The rows of references.def as functions that compare; bodies of measure.hpp.
#include "measure.hpp"

#include <limits>

#include "reference.hpp"

// Functions of C's names are here those of wide.
namespace wide {
namespace {

using namespace accuracy;
using sinter::codegen::op;

template <class T>
double error_of(T got, T want, T scale, const format& f) {
    constexpr double without_bound = std::numeric_limits<double>::infinity();
    if (got != got || want != want) return (got != got) == (want != want) ? 0 : without_bound;
    const T limit = power_of_two<T>(f.largest) * 2, rounds_to_infinity = limit - power_of_two<T>(f.largest - f.digits);
    T size = fabs(want);
    if (is_infinite(got)) {
        if ((got > 0) != (want > 0)) return without_bound;
        if (size >= rounds_to_infinity) return 0;
        got = got > 0 ? limit : -limit;
    }
    if (size > limit) want = want > 0 ? limit : -limit, size = limit;
    if (scale > size) size = scale;
    int exponent = exponent_of(size);
    exponent = exponent < f.least ? f.least : exponent > f.largest ? f.largest : exponent;
    return static_cast<double>(fabs(got - want) * power_of_two<T>(f.digits - 1 - exponent));
}

/// What the next wider type finds to be the largest error is computed again in the wider one of the two.
template <class Row, class T, class Wider, class S>
worst measure(const chunk<S>& c, worst known) {
    auto at = [&]<class W>(std::int64_t i, W) {
        const W x = c.x[i], y = c.y ? c.y[i] : S(0);
        return error_of<W>(c.results[i], Row::value(x, y), Row::scale(x, y), c.of);
    };
    for (std::int64_t i = 0; i < c.count; ++i) {
        double error = at(i, T());
        if (!(error > known.error)) continue;
        if (!std::is_same_v<T, Wider>) error = at(i, Wider());
        if (error > known.error)
            known = {error, static_cast<double>(c.x[i]), c.y ? static_cast<double>(c.y[i]) : 0.0,
                     static_cast<double>(c.results[i])};
    }
    return known;
}

enum class depth { plain, deep };
#define EXACT(name)
#define REFERENCE(name, how, size, ...)                              \
    struct row_##name {                                              \
        template <class T>                                           \
        static T value([[maybe_unused]] T x, [[maybe_unused]] T y) { \
            return __VA_ARGS__;                                      \
        }                                                            \
        template <class T>                                           \
        static T scale([[maybe_unused]] T x, [[maybe_unused]] T y) { \
            return size;                                             \
        }                                                            \
    };
#include "references.def"
#undef REFERENCE

template <depth D, class T, class U>
using in = std::conditional_t<D == depth::deep, U, T>;

const reference table[] = {
#define REFERENCE(name, how, ...)                                                                                \
    {op::name, depth::how == depth::deep, measure<row_##name, in<depth::how, double, long double>, long double>, \
     measure<row_##name, in<depth::how, long double, widest>, widest>},
#include "references.def"
#undef REFERENCE
};

}  // namespace
}  // namespace wide

namespace accuracy {

const reference* find_reference(sinter::codegen::op o) {
    for (const reference& r : wide::table)
        if (r.operation == o) return &r;
    return nullptr;
}

bool is_exact(sinter::codegen::op o) {
#undef EXACT
#define REFERENCE(...)
#define EXACT(name) \
    if (o == sinter::codegen::op::name) return true;
#include "references.def"
#undef REFERENCE
#undef EXACT
    return false;
}

}  // namespace accuracy
