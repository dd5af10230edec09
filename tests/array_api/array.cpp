// The array itself: its attributes, indices, conversions to Python's numbers, and its exchange over DLPack.
#include "module.hpp"

namespace array_api {

namespace {

using sinter::detail::index_item;

sinter::slice::bound bound_of(nb::handle x) {
    return x.is_none() ? sinter::slice::bound() : sinter::slice::bound(integer_of(x));
}

index_item item_of(nb::handle k) {
    if (k.is_none()) return {.kind = index_item::what::newaxis};
    if (k.is(nb::ellipsis())) return {.kind = index_item::what::ellipsis};
    if (PySlice_Check(k.ptr()))
        return {.kind = index_item::what::slice,
                .range = sinter::slice(bound_of(k.attr("start")), bound_of(k.attr("stop")), bound_of(k.attr("step")))};
    if (PyBool_Check(k.ptr()))
        return {.kind = index_item::what::mask,
                .indices = sinter::detail::record_scalar(scalar_value::of(k.ptr() == Py_True), {})};
    if (nb::isinstance<ndarray>(k)) {
        const handle& h = nb::cast<ndarray&>(k).value;
        const bool is_mask = h->type == dtype::bool_;
        if (!is_mask && !sinter::codegen::is_integer(h->type))
            throw sinter::index_error("[getitem] index arrays hold integers, masks hold bool");
        return {.kind = is_mask ? index_item::what::mask : index_item::what::indices, .indices = h};
    }
    if (!PyIndex_Check(k.ptr())) throw sinter::index_error("[getitem] this is no index");
    return {.kind = index_item::what::number, .number = integer_of(k)};
}

sinter::detail::selection selection_of(const ndarray& x, nb::handle key) {
    std::vector<index_item> items;
    if (nb::isinstance<nb::tuple>(key))
        for (nb::handle each : key) items.push_back(item_of(each));
    else items.push_back(item_of(key));
    return sinter::detail::select(x.value, items);
}

ndarray get(const ndarray& x, nb::handle key) {
    return {sinter::detail::read_selection(x.value, selection_of(x, key))};
}

void set(ndarray& x, nb::handle key, nb::handle value) {
    const dtype type = x.value->type;
    const handle v = operand_beside("setitem", value, type);
    if (sinter::codegen::kind_rank(v->type) > sinter::codegen::kind_rank(type)) throw_undefined("setitem", v->type);
    x.value = sinter::detail::write_selection(x.value, selection_of(x, key), sinter::detail::record_cast(v, type));
}

/// The only element as one of Python's numbers.
nb::object item(const ndarray& x) {
    return visit_any("item", x, []<class T>(const array<T>& e) -> nb::object {
        const T v = e.item();
        PyObject* number = nullptr;
        if constexpr (std::is_same_v<T, bool>) number = PyBool_FromLong(v);
        else if constexpr (std::is_signed_v<T> && std::is_integral_v<T>) number = PyLong_FromLongLong(v);
        else if constexpr (std::is_integral_v<T>) number = PyLong_FromUnsignedLongLong(v);
        else if constexpr (std::is_floating_point_v<T>) number = PyFloat_FromDouble(v);
        else number = PyComplex_FromDoubles(v.real(), v.imag());
        return nb::steal(number);
    });
}

nb::tuple shape_of(const ndarray& x) {
    nb::list out;
    for (std::int64_t n : x.value->shape) out.append(n);
    return nb::tuple(out);
}

/// A kind of tensor of DLPack, and the name of a capsule that owns one, or has given it away.
template <class Tensor, class Layout>
struct capsule_kind {
    const char* name;
    const char* used;

    static Tensor* of(PyObject* c, const char* n) { return static_cast<Tensor*>(PyCapsule_GetPointer(c, n)); }
    static const Layout& layout(Tensor* t) { return *reinterpret_cast<const Layout*>(t); }
};
constexpr capsule_kind<DLManagedTensorVersioned, sinter::detail::dlpack_versioned> versioned{"dltensor_versioned",
                                                                                             "used_dltensor_versioned"};
constexpr capsule_kind<DLManagedTensor, sinter::detail::dlpack_managed> unversioned{"dltensor", "used_dltensor"};

template <auto& Kind>
void drop_capsule(PyObject* c) {
    if (!PyCapsule_IsValid(c, Kind.name)) return;
    auto* tensor = Kind.of(c, Kind.name);
    if (const auto drop = Kind.layout(tensor).deleter) drop(tensor);
}

nb::object to_capsule(const ndarray& x, nb::handle max_version, nb::handle copy) {
    const sinter::dlpack_options o{.copy = !copy.is_none() && nb::cast<bool>(copy)};
    if (!max_version.is_none() && nb::cast<int>(max_version[0]) >= 1)
        return nb::steal(
            PyCapsule_New(sinter::detail::export_versioned(x.value, o), versioned.name, drop_capsule<versioned>));
    return nb::steal(
        PyCapsule_New(sinter::detail::export_unversioned(x.value, o), unversioned.name, drop_capsule<unversioned>));
}

dtype type_of(const sinter::detail::dlpack_type& t) {
    for (int i = 0; i < sinter::dtype_count; ++i) {
        const auto candidate = static_cast<dtype>(i);
        const char kind = sinter::codegen::kind_of(candidate);
        const int code = kind == 'b'   ? sinter::detail::dlpack_bool
                         : kind == 'i' ? sinter::detail::dlpack_int
                         : kind == 'u' ? sinter::detail::dlpack_uint
                         : kind == 'f' ? sinter::detail::dlpack_float
                                       : sinter::detail::dlpack_complex;
        if (candidate != dtype::bfloat16 && code == t.code && sinter::codegen::size_of(candidate) * 8 == t.bits)
            return candidate;
    }
    throw sinter::type_error("[from_dlpack] no type of the standard's has " + std::to_string(t.bits) + " bits");
}

template <auto& Kind>
ndarray taken(PyObject* c) {
    auto* tensor = Kind.of(c, Kind.name);
    ndarray x{sinter::detail::import_tensor(tensor, type_of(Kind.layout(tensor).tensor.type))};
    PyCapsule_SetName(c, Kind.used);
    return x;
}

ndarray from_capsule(nb::handle capsule, nb::handle copy) {
    const ndarray x = PyCapsule_IsValid(capsule.ptr(), versioned.name) ? taken<versioned>(capsule.ptr())
                                                                       : taken<unversioned>(capsule.ptr());
    return !copy.is_none() && nb::cast<bool>(copy) ? ndarray{sinter::detail::copied(x.value)} : x;
}

}  // namespace

void define_array(nb::module_& m) {
    nb::class_<ndarray>(m, "array")
        .def_prop_ro("dtype", [](const ndarray& x) { return type_object{x.value->type}; })
        .def_prop_ro("device", [](const ndarray&) { return "cpu"; })
        .def_prop_ro("ndim", [](const ndarray& x) { return x.value->shape.size(); })
        .def_prop_ro("size", [](const ndarray& x) { return x.value->shape.product(); })
        .def_prop_ro("shape", shape_of)
        .def_prop_ro("T",
                     [](const ndarray& x) {
                         if (x.value->shape.size() != 2) throw sinter::value_error("[T] is of matrices");
                         return ndarray{sinter::detail::transposed_all(x.value)};
                     })
        .def_prop_ro("mT", [](const ndarray& x) { return ndarray{sinter::detail::transposed_last(x.value)}; })
        .def("assign", [](ndarray& x, const ndarray& y) { x.value = y.value; })
        .def("__repr__", [](const ndarray& x) { return sinter::detail::text_of(x.value, true); });
    m.def("getitem", get);
    m.def("setitem", set);
    m.def("item", item);
    m.def("to_capsule", to_capsule);
    m.def("from_capsule", from_capsule);
}

}  // namespace array_api
