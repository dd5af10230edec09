// Other shapes of the same elements, arrays put together, and elements picked by their numbers.
#include "module.hpp"

namespace array_api {

namespace {

template <class F>
ndarray joined(std::string_view name, nb::handle arrays, F&& f) {
    const std::vector<ndarray> parts = promoted(arrays_of(arrays));
    return visit_any(name, parts[0], [&]<class T>(const array<T>&) {
        std::vector<array<T>> typed;
        for (const ndarray& x : parts) typed.push_back(as<T>(x));
        return f(typed);
    });
}

ndarray concat(nb::handle arrays, nb::handle axis) {
    return joined("concat", arrays, [&]<class T>(std::vector<array<T>>& parts) {
        if (axis.is_none())
            for (array<T>& x : parts) x = sinter::ravel(x);
        return sinter::concatenate(parts, integer_of(axis));
    });
}

std::vector<ndarray> broadcast_arrays(const std::vector<ndarray>& arrays) {
    dims shape;
    for (const ndarray& x : arrays)
        shape = sinter::codegen::broadcast_shapes("broadcast_arrays", shape, x.value->shape);
    std::vector<ndarray> out;
    for (const ndarray& x : arrays)
        out.push_back(visit_any("broadcast_arrays", x, [&](const auto& e) { return sinter::broadcast_to(e, shape); }));
    return out;
}

ndarray repeat(const ndarray& x, nb::handle repeats, nb::handle axis) {
    return visit_any("repeat", x, [&]<class T>(const array<T>& e) -> array<T> {
        if (!nb::isinstance<ndarray>(repeats)) {
            const std::int64_t n = integer_of(repeats);
            return axis.is_none() ? sinter::repeat(e, n) : sinter::repeat(e, n, integer_of(axis));
        }
        std::vector<std::int64_t> times =
            sinter::to_vector(sinter::ravel(as<std::int64_t>(nb::cast<ndarray&>(repeats))));
        if (times.size() == 1)
            return axis.is_none() ? sinter::repeat(e, times[0]) : sinter::repeat(e, times[0], integer_of(axis));
        return axis.is_none() ? sinter::repeat(e, times) : sinter::repeat(e, times, integer_of(axis));
    });
}

ndarray take(const ndarray& x, const ndarray& indices, nb::handle axis) {
    return visit_any("take", x, [&]<class T>(const array<T>& e) {
        if (axis.is_none() && e.ndim() != 1) throw sinter::value_error("[take] an axis is needed");
        return sinter::take(e, as<std::int64_t>(indices), integer_of(axis));
    });
}

std::vector<ndarray> unstack(const ndarray& x, std::int64_t axis) {
    std::vector<ndarray> out;
    const int a = sinter::codegen::normalize_axis("unstack", axis, x.value->shape.size());
    for (std::int64_t i = 0; i < x.value->shape[a]; ++i)
        out.push_back(visit_any("unstack", x, [&](const auto& e) { return sinter::take(e, i, a); }));
    return out;
}

}  // namespace

void define_shapes(nb::module_& m) {
    m.def("broadcast_arrays", [](nb::handle arrays) { return tuple_of(broadcast_arrays(arrays_of(arrays))); });
    m.def("broadcast_to", [](const ndarray& x, nb::handle shape) {
        return visit_any("broadcast_to", x, [&](const auto& e) { return sinter::broadcast_to(e, dims_of(shape)); });
    });
    m.def("concat", concat);
    m.def("stack", [](nb::handle arrays, std::int64_t axis) {
        return joined("stack", arrays, [&](const auto& parts) { return sinter::stack(parts, axis); });
    });
    m.def("unstack", [](const ndarray& x, std::int64_t axis) { return tuple_of(unstack(x, axis)); });
    m.def("expand_dims", [](const ndarray& x, nb::handle axis) {
        return visit_any("expand_dims", x, [&](const auto& e) { return sinter::expand_dims(e, dims_of(axis)); });
    });
    m.def("squeeze", [](const ndarray& x, nb::handle axis) {
        return visit_any("squeeze", x, [&](const auto& e) { return sinter::squeeze(e, dims_of(axis)); });
    });
    m.def("flip", [](const ndarray& x, nb::handle axis) {
        return visit_any("flip", x, [&](const auto& e) {
            return axis.is_none() ? sinter::flip(e) : sinter::flip(e, dims_of(axis));
        });
    });
    m.def("moveaxis", [](const ndarray& x, nb::handle from, nb::handle to) {
        return visit_any("moveaxis", x, [&](const auto& e) { return sinter::moveaxis(e, dims_of(from), dims_of(to)); });
    });
    m.def("permute_dims", [](const ndarray& x, nb::handle axes) {
        return visit_any("permute_dims", x, [&](const auto& e) { return sinter::permute_dims(e, dims_of(axes)); });
    });
    m.def("matrix_transpose",
          [](const ndarray& x) { return visit_any("matrix_transpose", x, [](const auto& e) { return e.mT(); }); });
    m.def("repeat", repeat);
    m.def("reshape", [](const ndarray& x, nb::handle shape) {
        return visit_any("reshape", x, [&](const auto& e) { return sinter::reshape(e, dims_of(shape)); });
    });
    m.def("roll", [](const ndarray& x, nb::handle shift, nb::handle axis) {
        return visit_any("roll", x, [&](const auto& e) {
            return axis.is_none() ? sinter::roll(e, integer_of(shift)) : sinter::roll(e, dims_of(shift), dims_of(axis));
        });
    });
    m.def("tile", [](const ndarray& x, nb::handle times) {
        return visit_any("tile", x, [&](const auto& e) { return sinter::tile(e, dims_of(times)); });
    });
    m.def("take", take);
    m.def("take_along_axis", [](const ndarray& x, const ndarray& indices, std::int64_t axis) {
        return visit_any("take_along_axis", x,
                         [&](const auto& e) { return sinter::take_along_axis(e, as<std::int64_t>(indices), axis); });
    });
}

}  // namespace array_api
