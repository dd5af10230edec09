// Functions of axes: sums and what is made of them, extrema, running sums and differences.
#include "module.hpp"

namespace array_api {

namespace {

/// A function over axes, which are kept if asked.
template <char... Kinds, class F>
ndarray over_axes(std::string_view name, const ndarray& x, nb::handle axis, bool keep, F&& f) {
    const axis_argument a = axes_of(x, axis, keep);
    sinter::detail::keep_axes kept;
    kept.given = a.keep;
    return visit<Kinds...>(name, a.x, [&](const auto& e) { return f(e, a.over, kept); });
}

/// A sum or product of the elements' own type or of another.
template <class F, class G>
ndarray total(std::string_view name, const ndarray& x, nb::handle axis, nb::handle type, bool keep, F&& own,
              G&& other) {
    if (type.is_none()) return over_axes<'b', 'i', 'u', 'f', 'c'>(name, x, axis, keep, own);
    const ndarray y{sinter::detail::record_cast(x.value, type_or(type, x.value->type))};
    return over_axes<'b', 'i', 'u', 'f', 'c'>(name, y, axis, keep, other);
}

/// A running sum or product, with its first value before it if asked.
template <class F, class G>
ndarray running(std::string_view name, const ndarray& x, nb::handle axis, nb::handle type, std::optional<int> first,
                F&& own, G&& other) {
    const std::int64_t a = axis.is_none() ? 0 : integer_of(axis);
    if (axis.is_none() && x.value->shape.size() != 1) throw sinter::value_error("[cumulative] an axis is needed");
    const ndarray sums = type.is_none()
                             ? visit_any(name, x, [&](const auto& e) { return own(e, a); })
                             : visit_type<'b', 'i', 'u', 'f', 'c'>(name, type_or(type, dtype::float64),
                                                                   [&]<class T>(T) { return other(as<T>(x), a); });
    if (!first) return sums;
    return visit_any(name, sums, [&]<class T>(const array<T>& e) {
        dims shape = e.shape();
        shape[sinter::codegen::normalize_axis(name, a, e.ndim())] = 1;
        const array<T> before = sinter::full<T>(shape, static_cast<T>(static_cast<float>(*first)));
        return sinter::concatenate(std::vector<array<T>>{before, e}, a);
    });
}

ndarray diff(const ndarray& x, std::int64_t axis, std::int64_t n, nb::handle prepend, nb::handle append) {
    return visit_any("diff", x, [&]<class T>(const array<T>& e) {
        sinter::diff_options o{.n = n, .axis = axis};
        if (!prepend.is_none()) o.prepend = sinter::detail::any_operand(as<T>(nb::cast<ndarray&>(prepend)));
        if (!append.is_none()) o.append = sinter::detail::any_operand(as<T>(nb::cast<ndarray&>(append)));
        return sinter::diff(e, o);
    });
}

}  // namespace

#define ARRAY_API_SUM(name)                                                                                         \
    m.def(#name, [](const ndarray& x, nb::handle axis, nb::handle type, bool keep) {                                \
        return total(                                                                                               \
            #name, x, axis, type, keep, [](const auto& e, const auto& a, auto k) { return sinter::name(e, a, k); }, \
            []<class T>(const array<T>& e, const auto& a, auto k) { return sinter::name<T>(e, a, k); });            \
    });
#define ARRAY_API_SCAN(name, function, start)                                                                  \
    m.def(#name, [](const ndarray& x, nb::handle axis, nb::handle type, bool initial) {                        \
        const std::optional<int> first = initial ? std::optional<int>(start) : std::nullopt;                   \
        return running(                                                                                        \
            #name, x, axis, type, first, [](const auto& e, std::int64_t a) { return sinter::function(e, a); }, \
            []<class T>(const array<T>& e, std::int64_t a) { return sinter::function<T>(e, a); });             \
    });
#define ARRAY_API_REDUCTION(name, ...)                                                                             \
    m.def(#name, [](const ndarray& x, nb::handle axis, bool keep) {                                                \
        return over_axes<__VA_ARGS__>(#name, x, axis, keep,                                                        \
                                      [](const auto& e, const auto& a, auto k) { return sinter::name(e, a, k); }); \
    });

void define_axes(nb::module_& m) {
    ARRAY_API_SUM(sum)
    ARRAY_API_SUM(prod)
    ARRAY_API_SCAN(cumulative_sum, cumsum, 0)
    ARRAY_API_SCAN(cumulative_prod, cumprod, 1)
    m.def("diff", diff);
    ARRAY_API_REDUCTION(max, 'i', 'u', 'f')
    ARRAY_API_REDUCTION(min, 'i', 'u', 'f')
    ARRAY_API_REDUCTION(argmax, 'i', 'u', 'f')
    ARRAY_API_REDUCTION(argmin, 'i', 'u', 'f')
    ARRAY_API_REDUCTION(all, 'b', 'i', 'u', 'f', 'c')
    ARRAY_API_REDUCTION(any, 'b', 'i', 'u', 'f', 'c')
    ARRAY_API_REDUCTION(count_nonzero, 'b', 'i', 'u', 'f', 'c')
    ARRAY_API_REDUCTION(mean, 'f', 'c')
    m.def("var", [](const ndarray& x, nb::handle axis, double correction, bool keep) {
        return over_axes<'f', 'c'>("var", x, axis, keep, [&](const auto& e, const auto& a, auto k) {
            return sinter::var(e, a, k, {.ddof = correction});
        });
    });
    m.def("std", [](const ndarray& x, nb::handle axis, double correction, bool keep) {
        return over_axes<'f', 'c'>("std", x, axis, keep, [&](const auto& e, const auto& a, auto k) {
            return sinter::stddev(e, a, k, {.ddof = correction});
        });
    });
}
#undef ARRAY_API_SUM
#undef ARRAY_API_SCAN
#undef ARRAY_API_REDUCTION

}  // namespace array_api
