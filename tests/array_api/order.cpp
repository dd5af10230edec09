// Sorting, searching and different values.
#include "module.hpp"

namespace array_api {

namespace {

ndarray searchsorted(const ndarray& sorted, nb::handle values, const char* side, nb::handle sorter) {
    const ndarray v{operand_beside("searchsorted", values, sorted.value->type)};
    const std::vector<ndarray> both = promoted({sorted, v});
    if (side != std::string_view("left") && side != std::string_view("right"))
        throw sinter::value_error("[searchsorted] side is left or right");
    return visit<'i', 'u', 'f'>("searchsorted", both[0], [&]<class T>(const array<T>& e) {
        sinter::searchsorted_options o{side == std::string_view("right") ? sinter::side::right : sinter::side::left};
        if (!sorter.is_none()) o.sorter = sinter::detail::any_array(as<std::int64_t>(nb::cast<ndarray&>(sorter)));
        return sinter::searchsorted(e, as<T>(both[1]), o);
    });
}

// To the standard no NaN is another.
constexpr sinter::unique_options each_nan{.equal_nan = false};

template <class E>
ndarray one(const E& e) {
    return wrapped(e);
}

}  // namespace

void define_order(nb::module_& m) {
    m.def("sort", [](const ndarray& x, std::int64_t axis, bool descending, bool stable) {
        return visit<'b', 'i', 'u', 'f'>("sort", x, [&](const auto& e) {
            return sinter::sort(e, {.axis = axis, .descending = descending, .stable = stable});
        });
    });
    m.def("argsort", [](const ndarray& x, std::int64_t axis, bool descending, bool stable) {
        return visit<'b', 'i', 'u', 'f'>("argsort", x, [&](const auto& e) {
            return sinter::argsort(e, {.axis = axis, .descending = descending, .stable = stable});
        });
    });
    m.def("searchsorted", searchsorted);
    m.def("nonzero", [](const ndarray& x) {
        if (x.value->shape.empty()) throw sinter::value_error("[nonzero] an array without axes has no positions");
        return visit_any("nonzero", x, [](const auto& e) {
            std::vector<ndarray> out;
            for (const auto& positions : sinter::nonzero(e)) out.push_back(one(positions));
            return tuple_of(out);
        });
    });
    m.def("unique_values", [](const ndarray& x) {
        return visit_any("unique_values", x, [](const auto& e) { return sinter::unique(e, each_nan); });
    });
    m.def("unique_counts", [](const ndarray& x) {
        return visit_any("unique_counts", x, [](const auto& e) {
            const auto u = sinter::unique_counts(e, each_nan);
            return tuple_of({one(u.values), one(u.counts)});
        });
    });
    m.def("unique_inverse", [](const ndarray& x) {
        return visit_any("unique_inverse", x, [](const auto& e) {
            const auto u = sinter::unique_inverse(e, each_nan);
            return tuple_of({one(u.values), one(u.inverse_indices)});
        });
    });
    m.def("unique_all", [](const ndarray& x) {
        return visit_any("unique_all", x, [](const auto& e) {
            const auto u = sinter::unique_all(e, each_nan);
            return tuple_of({one(u.values), one(u.indices), one(u.inverse_indices), one(u.counts)});
        });
    });
}

}  // namespace array_api
