// The module that Python loads: its types, its errors, and what becomes of Python's numbers, shapes and axes.
#include "module.hpp"

namespace array_api {

using sinter::codegen::kind_rank;

void throw_undefined(std::string_view name, dtype type) {
    throw sinter::type_error("[" + std::string(name) + "] is not defined for " + std::string(to_string(type)));
}

std::optional<scalar_value> number_of(nb::handle x) {
    PyObject* p = x.ptr();
    if (PyBool_Check(p)) return scalar_value::of(p == Py_True);
    if (PyLong_Check(p)) {
        int overflow = 0;
        const long long whole = PyLong_AsLongLongAndOverflow(p, &overflow);
        if (overflow == 0) return scalar_value::of(static_cast<std::int64_t>(whole));
        const unsigned long long natural = PyLong_AsUnsignedLongLong(p);
        if (PyErr_Occurred()) throw nb::python_error();
        return scalar_value::of(static_cast<std::uint64_t>(natural));
    }
    if (PyFloat_Check(p)) return scalar_value::of(PyFloat_AsDouble(p));
    if (PyComplex_Check(p))
        return scalar_value::of(std::complex<double>(PyComplex_RealAsDouble(p), PyComplex_ImagAsDouble(p)));
    return std::nullopt;
}

scalar_value number_beside(std::string_view name, const scalar_value& v, dtype other) {
    dtype to = other;
    if (kind_rank(v.type) > kind_rank(other))
        to = sinter::codegen::is_floating(other) ? sinter::codegen::complex_of(other) : v.type;
    return sinter::detail::checked_number(name, to, v);
}

handle operand_beside(std::string_view name, nb::handle x, dtype other) {
    if (nb::isinstance<ndarray>(x)) return nb::cast<ndarray&>(x).value;
    const std::optional<scalar_value> v = number_of(x);
    if (!v) throw nb::type_error((std::string(name) + " takes arrays and numbers").c_str());
    return sinter::detail::record_scalar(number_beside(name, *v, other), {});
}

std::pair<handle, handle> operands_of(std::string_view name, nb::handle a, nb::handle b) {
    if (nb::isinstance<ndarray>(a)) {
        const handle& x = nb::cast<ndarray&>(a).value;
        return {x, operand_beside(name, b, x->type)};
    }
    if (!nb::isinstance<ndarray>(b)) throw nb::type_error((std::string(name) + " takes an array").c_str());
    const handle& y = nb::cast<ndarray&>(b).value;
    return {operand_beside(name, a, y->type), y};
}

std::vector<ndarray> promoted(const std::vector<ndarray>& arrays) {
    if (arrays.empty()) throw sinter::value_error("[promoted] there is no array");
    dtype common = arrays[0].value->type;
    for (const ndarray& x : arrays) common = sinter::codegen::promote(common, x.value->type);
    std::vector<ndarray> out;
    for (const ndarray& x : arrays) out.push_back({sinter::detail::record_cast(x.value, common)});
    return out;
}

std::int64_t integer_of(nb::handle x, std::int64_t otherwise) {
    if (x.is_none()) return otherwise;
    const nb::object whole = nb::steal(PyNumber_Index(x.ptr()));
    if (!whole.is_valid()) throw nb::python_error();
    int overflow = 0;
    const long long v = PyLong_AsLongLongAndOverflow(whole.ptr(), &overflow);
    constexpr long long most = 1ll << 62;
    return overflow ? overflow * most : v < -most ? -most : v > most ? most : v;
}

dims dims_of(nb::handle x) {
    if (PyIndex_Check(x.ptr())) return dims(integer_of(x));
    dims d;
    for (nb::handle each : x) d.push_back(integer_of(each));
    return d;
}

dtype type_or(nb::handle x, dtype otherwise) { return x.is_none() ? otherwise : nb::cast<type_object&>(x).type; }

std::vector<ndarray> arrays_of(nb::handle x) {
    std::vector<ndarray> out;
    for (nb::handle each : x) out.push_back(nb::cast<ndarray&>(each));
    return out;
}

namespace {

template <std::size_t... I>
sinter::axes first_axes(const dims& d, std::index_sequence<I...>) {
    return sinter::axes(d[static_cast<int>(I)]...);
}

template <std::size_t N = 1>
sinter::axes axes_from(const dims& d) {
    if constexpr (N < sinter::max_rank)
        if (static_cast<int>(N) < d.size()) return axes_from<N + 1>(d);
    return first_axes(d, std::make_index_sequence<N>());
}

}  // namespace

axis_argument axes_of(const ndarray& x, nb::handle axis, bool keep) {
    if (axis.is_none()) return {x, sinter::axes(), keep};
    const dims d = dims_of(axis);
    if (d.empty()) return {{sinter::detail::record_expand_dims(x.value, dims(0))}, sinter::axes(0), false};
    return {x, axes_from(d), keep};
}

nb::tuple tuple_of(const std::vector<ndarray>& arrays) {
    nb::list out;
    for (const ndarray& x : arrays) out.append(x);
    return nb::tuple(out);
}

namespace {

// Python's class for each of sinter's.
void translate(const std::exception_ptr& thrown, void*) {
    try {
        std::rethrow_exception(thrown);
    } catch (const sinter::index_error& e) {
        PyErr_SetString(PyExc_IndexError, e.what());
    } catch (const sinter::type_error& e) {
        PyErr_SetString(PyExc_TypeError, e.what());
    } catch (const sinter::shape_error& e) {
        PyErr_SetString(PyExc_ValueError, e.what());
    } catch (const sinter::value_error& e) {
        PyErr_SetString(PyExc_ValueError, e.what());
    }
}

}  // namespace

NB_MODULE(sinter_array_api_parts, m) {
    // Its types live as long as the process.
    nb::set_leak_warnings(false);
    nb::register_exception_translator(translate);
    nb::class_<type_object>(m, "dtype")
        .def("__eq__",
             [](const type_object& a, nb::handle b) {
                 return nb::isinstance<type_object>(b) && nb::cast<type_object&>(b).type == a.type;
             })
        .def("__hash__", [](const type_object& a) { return static_cast<int>(a.type); })
        .def("__repr__", [](const type_object& a) { return nb::str(std::string(to_string(a.type)).c_str()); });
    define_array(m);
    define_types(m);
    define_creation(m);
    define_elements(m);
    define_shapes(m);
    define_axes(m);
    define_order(m);
    define_linalg(m);
    define_fourier(m);
}

}  // namespace array_api
