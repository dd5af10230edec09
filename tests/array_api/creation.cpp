// Arrays made of Python's numbers and nested lists of them, of ranges and of patterns.
#include "module.hpp"

#include <cstring>

namespace array_api {

namespace {

/// The numbers of nested lists in row-major order, and their shape.
struct nested_numbers {
    std::vector<scalar_value> numbers;
    dims shape;

    void add(nb::handle x, int depth) {
        if (nb::isinstance<nb::list>(x) || nb::isinstance<nb::tuple>(x)) {
            const auto size = static_cast<std::int64_t>(nb::len(x));
            if (depth == shape.size()) shape.push_back(size);
            if (shape[depth] != size) throw sinter::shape_error("[asarray] ragged data");
            for (nb::handle each : x) add(each, depth + 1);
            return;
        }
        if (depth != shape.size()) throw sinter::shape_error("[asarray] ragged data");
        if (nb::isinstance<ndarray>(x)) numbers.push_back(sinter::detail::read_item(nb::cast<ndarray&>(x).value, {}));
        else if (const std::optional<scalar_value> v = number_of(x)) numbers.push_back(*v);
        else throw nb::type_error("asarray takes arrays, numbers and nested lists of numbers");
    }

    dtype common() const {
        dtype t = numbers.empty() ? dtype::float64 : numbers[0].type;
        for (const scalar_value& v : numbers) {
            const bool is_natural = sinter::codegen::is_integer(t) && v.type == dtype::uint64;
            t = is_natural ? dtype::uint64 : sinter::codegen::promote(t, v.type);
        }
        return t;
    }
};

ndarray from_numbers(nb::handle data, nb::handle type) {
    nested_numbers n;
    n.add(data, 0);
    const dtype t = type_or(type, n.common());
    const auto size = static_cast<std::size_t>(sinter::codegen::size_of(t));
    std::vector<unsigned char> bytes(n.numbers.size() * size);
    for (std::size_t i = 0; i < n.numbers.size(); ++i)
        std::memcpy(bytes.data() + i * size, sinter::detail::checked_number("asarray", t, n.numbers[i]).bytes, size);
    return {sinter::detail::store(t, n.shape, bytes.data())};
}

ndarray full(nb::handle shape, nb::handle value, nb::handle type) {
    if (nb::isinstance<ndarray>(value)) {
        const handle& h = nb::cast<ndarray&>(value).value;
        const handle cast = sinter::detail::record_cast(h, type_or(type, h->type));
        return {sinter::detail::record_broadcast("full", cast, dims_of(shape))};
    }
    const std::optional<scalar_value> v = number_of(value);
    if (!v) throw nb::type_error("full takes a number");
    const scalar_value number = sinter::detail::checked_number("full", type_or(type, v->type), *v);
    return {sinter::detail::record_scalar(number, dims_of(shape))};
}

ndarray arange(nb::handle start, nb::handle stop, nb::handle step, nb::handle type) {
    const nb::object zero = nb::int_(0);
    const nb::handle ends[] = {stop.is_none() ? nb::handle(zero) : start, stop.is_none() ? start : stop, step};
    std::vector<scalar_value> v;
    for (nb::handle each : ends) {
        const std::optional<scalar_value> number = number_of(each);
        if (!number) throw nb::type_error("arange takes numbers");
        v.push_back(*number);
    }
    const auto holds = [&](dtype t) { return v[0].type == t || v[1].type == t || v[2].type == t; };
    const bool is_whole = !holds(dtype::float64);
    return visit_type<'i', 'u', 'f'>(
        "arange", type_or(type, is_whole ? dtype::int64 : dtype::float64), [&]<class T>(T) {
            const auto of = [&]<class N>(N) {
                const auto as = [&](int i) {
                    return sinter::detail::converted_number(dtype_of<N>, v[i]).template as<N>();
                };
                return sinter::arange<T>(as(0), as(1), as(2));
            };
            return !is_whole ? of(0.0) : holds(dtype::uint64) ? of(std::uint64_t{}) : of(std::int64_t{});
        });
}

ndarray linspace(nb::handle start, nb::handle stop, std::int64_t count, nb::handle type, bool endpoint) {
    const std::optional<scalar_value> a = number_of(start), b = number_of(stop);
    if (!a || !b) throw nb::type_error("linspace takes numbers");
    const bool is_complex = a->type == dtype::complex128 || b->type == dtype::complex128;
    return visit_type<'i', 'u', 'f', 'c'>(
        "linspace", type_or(type, is_complex ? dtype::complex128 : dtype::float64), [&]<class T>(T) {
            using N = std::conditional_t<sinter::codegen::is_complex(dtype_of<T>), std::complex<double>, double>;
            const auto as = [](const scalar_value& v) {
                return sinter::detail::converted_number(dtype_of<N>, v).template as<N>();
            };
            return sinter::linspace<T>(as(*a), as(*b), count, {.endpoint = endpoint});
        });
}

std::vector<ndarray> meshgrid(const std::vector<ndarray>& arrays, std::string_view indexing) {
    const int n = static_cast<int>(arrays.size());
    dims grid = dims::filled(n, 0);
    for (int i = 0; i < n; ++i)
        grid[sinter::detail::mesh_axis(i, n, indexing)] = sinter::detail::mesh_size(arrays[i].value->shape);
    std::vector<ndarray> out;
    for (int i = 0; i < n; ++i)
        out.push_back({sinter::detail::record_along(arrays[i].value, grid, sinter::detail::mesh_axis(i, n, indexing))});
    return out;
}

}  // namespace

void define_creation(nb::module_& m) {
    m.def("from_numbers", from_numbers);
    m.def("copied", [](const ndarray& x) { return ndarray{sinter::detail::copied(x.value)}; });
    m.def("full", full);
    m.def("empty", [](nb::handle shape, nb::handle type) {
        return ndarray{sinter::detail::record_empty(type_or(type, dtype::float64), dims_of(shape))};
    });
    m.def("zeros", [](nb::handle shape, nb::handle type) {
        return visit_type<'b', 'i', 'u', 'f', 'c'>("zeros", type_or(type, dtype::float64),
                                                   [&]<class T>(T) { return sinter::zeros<T>(dims_of(shape)); });
    });
    m.def("ones", [](nb::handle shape, nb::handle type) {
        return visit_type<'b', 'i', 'u', 'f', 'c'>("ones", type_or(type, dtype::float64),
                                                   [&]<class T>(T) { return sinter::ones<T>(dims_of(shape)); });
    });
    m.def("arange", arange);
    m.def("linspace", linspace);
    m.def("eye", [](std::int64_t rows, nb::handle columns, nb::handle k, nb::handle type) {
        return visit_type<'b', 'i', 'u', 'f', 'c'>("eye", type_or(type, dtype::float64), [&]<class T>(T) {
            return sinter::eye<T>(rows, integer_of(columns, rows), integer_of(k));
        });
    });
    m.def("tril", [](const ndarray& x, nb::handle k) {
        return visit_any("tril", x, [&](const auto& e) { return sinter::tril(e, integer_of(k)); });
    });
    m.def("triu", [](const ndarray& x, nb::handle k) {
        return visit_any("triu", x, [&](const auto& e) { return sinter::triu(e, integer_of(k)); });
    });
    m.def("meshgrid",
          [](nb::handle arrays, const char* indexing) { return tuple_of(meshgrid(arrays_of(arrays), indexing)); });
}

}  // namespace array_api
