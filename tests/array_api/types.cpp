// The types of elements: their limits, their kinds, and which of them go together.
#include "module.hpp"

#include <limits>

namespace array_api {

namespace {

dtype type_of(nb::handle x) {
    return nb::isinstance<ndarray>(x) ? nb::cast<ndarray&>(x).value->type : nb::cast<type_object&>(x).type;
}

bool is_of_kind(dtype type, std::string_view kind) {
    using namespace sinter::codegen;
    if (kind == "bool") return type == dtype::bool_;
    if (kind == "signed integer") return kind_of(type) == 'i';
    if (kind == "unsigned integer") return kind_of(type) == 'u';
    if (kind == "integral") return is_integer(type);
    if (kind == "real floating") return is_floating(type);
    if (kind == "complex floating") return is_complex(type);
    if (kind == "numeric") return type != dtype::bool_;
    throw sinter::value_error("[isdtype] this is no kind: " + std::string(kind));
}

bool isdtype(dtype type, nb::handle kind) {
    if (nb::isinstance<nb::str>(kind)) return is_of_kind(type, nb::cast<std::string_view>(nb::str(kind)));
    if (nb::isinstance<type_object>(kind)) return nb::cast<type_object&>(kind).type == type;
    for (nb::handle each : kind)
        if (isdtype(type, each)) return true;
    return false;
}

type_object result_type(nb::handle operands) {
    std::optional<dtype> common;
    for (nb::handle x : operands)
        if (!number_of(x)) common = common ? sinter::codegen::promote(*common, type_of(x)) : type_of(x);
    if (!common) throw sinter::value_error("[result_type] there is neither an array nor a type");
    for (nb::handle x : operands)
        if (const std::optional<scalar_value> v = number_of(x)) common = number_beside("result_type", *v, *common).type;
    return {*common};
}

nb::tuple finfo(nb::handle x) {
    return visit_type<'f', 'c'>("finfo", type_of(x), []<class T>(T) {
        constexpr dtype real = sinter::codegen::real_of(dtype_of<T>);
        using R = typename sinter::codegen::cpp_type<real>::type;
        using limits = std::numeric_limits<R>;
        const auto number = [](R v) { return static_cast<double>(v); };
        return nb::make_tuple(sinter::codegen::size_of(real) * 8, number(limits::epsilon()), number(limits::max()),
                              number(limits::lowest()), number(limits::min()), type_object{real});
    });
}

nb::tuple iinfo(nb::handle x) {
    return visit_type<'i', 'u'>("iinfo", type_of(x), []<class T>(T) {
        using limits = std::numeric_limits<T>;
        return nb::make_tuple(sizeof(T) * 8, limits::max(), limits::min(), type_object{dtype_of<T>});
    });
}

}  // namespace

void define_types(nb::module_& m) {
    m.def("dtype_named", [](std::string_view name) {
        for (int i = 0; i < sinter::dtype_count; ++i)
            if (to_string(static_cast<dtype>(i)) == name) return type_object{static_cast<dtype>(i)};
        throw sinter::type_error("[dtype] no type has this name: " + std::string(name));
    });
    m.def("astype", [](const ndarray& x, const type_object& to) {
        if (sinter::codegen::is_complex(x.value->type) && !sinter::codegen::is_complex(to.type))
            throw sinter::type_error("[astype] complex to real: take real or imag");
        return visit_type<'b', 'i', 'u', 'f', 'c'>("astype", to.type, [&]<class T>(T) { return as<T>(x); });
    });
    m.def("can_cast", [](nb::handle from, const type_object& to) {
        return sinter::codegen::promote(type_of(from), to.type) == to.type;
    });
    m.def("result_type", result_type);
    m.def("isdtype", [](const type_object& type, nb::handle kind) { return isdtype(type.type, kind); });
    m.def("finfo", finfo);
    m.def("iinfo", iinfo);
}

}  // namespace array_api
