// What the parts of the module share: arrays of any type, the choice of their type, and Python's numbers; must not know
// which functions there are.
#pragma once

#include <sinter/sinter.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nb = nanobind;

/// None is an argument as any other.
template <>
struct nanobind::detail::has_arg_defaults<nanobind::handle> : std::true_type {};

namespace array_api {

using sinter::array;
using sinter::dims;
using sinter::dtype;
using sinter::dtype_of;
using sinter::codegen::scalar_value;
using sinter::detail::handle;

/// A type of elements as an object of Python's.
struct type_object {
    dtype type;
};

/// An array of any of the standard's types, to whose parts Python assigns.
struct ndarray {
    handle value;
};

/// A function's result as Python has it: of an array or an expression the array.
template <class R>
auto wrapped(R&& r) {
    if constexpr (sinter::expression<R>) return ndarray{sinter::detail::as_handle(array<sinter::value_type_t<R>>(r))};
    else return std::forward<R>(r);
}

[[noreturn]] void throw_undefined(std::string_view name, dtype type);

/// Calls f with a zero of a type, if that is of one of these kinds; throws type_error otherwise.
template <char... Kinds, class F>
auto visit_type(std::string_view name, dtype type, F&& f) {
#define ARRAY_API_CASE(T)                                                                                \
    case dtype_of<T>:                                                                                    \
        if constexpr (((sinter::codegen::kind_of(dtype_of<T>) == Kinds) || ...)) return wrapped(f(T())); \
        break;
    switch (type) {
        ARRAY_API_CASE(bool)
        ARRAY_API_CASE(std::int8_t)
        ARRAY_API_CASE(std::int16_t)
        ARRAY_API_CASE(std::int32_t)
        ARRAY_API_CASE(std::int64_t)
        ARRAY_API_CASE(std::uint8_t)
        ARRAY_API_CASE(std::uint16_t)
        ARRAY_API_CASE(std::uint32_t)
        ARRAY_API_CASE(std::uint64_t)
        ARRAY_API_CASE(float)
        ARRAY_API_CASE(double)
        ARRAY_API_CASE(std::complex<float>)
        ARRAY_API_CASE(std::complex<double>)
        default: break;
    }
#undef ARRAY_API_CASE
    throw_undefined(name, type);
}

/// The same with an array of the value's own type.
template <char... Kinds, class F>
auto visit(std::string_view name, const ndarray& x, F&& f) {
    return visit_type<Kinds...>(name, x.value->type, [&]<class T>(T) { return f(array<T>(x.value)); });
}

template <class F>
auto visit_any(std::string_view name, const ndarray& x, F&& f) {
    return visit<'b', 'i', 'u', 'f', 'c'>(name, x, f);
}

/// An array as one of elements of type T, which it has or is converted to.
template <class T>
array<T> as(const ndarray& x) {
    return array<T>(sinter::detail::record_cast(x.value, dtype_of<T>));
}

/// One of Python's numbers; none for what is no number, OverflowError for an integer of more than 64 bits.
std::optional<scalar_value> number_of(nb::handle x);
/// The number in the type in which it stands beside elements of another: theirs, unless that is of a lower kind.
scalar_value number_beside(std::string_view name, const scalar_value& v, dtype other);
/// An array, or a number beside elements of a type, as an array; throws TypeError for anything else.
handle operand_beside(std::string_view name, nb::handle x, dtype other);
/// Two operands of which one at least is an array.
std::pair<handle, handle> operands_of(std::string_view name, nb::handle a, nb::handle b);
/// Arrays in their common type.
std::vector<ndarray> promoted(const std::vector<ndarray>& arrays);

/// An integer, where there is none the default; one of more than 62 bits as the nearest of these.
std::int64_t integer_of(nb::handle x, std::int64_t otherwise = 0);
/// One integer, or a sequence of them.
dims dims_of(nb::handle x);
/// A type where one is given.
dtype type_or(nb::handle x, dtype otherwise);
std::vector<ndarray> arrays_of(nb::handle x);

/// Along which axes a function goes; of none at all it is along a new one of size one.
struct axis_argument {
    ndarray x;
    sinter::axes over;
    bool keep;
};
axis_argument axes_of(const ndarray& x, nb::handle axis, bool keep);

nb::tuple tuple_of(const std::vector<ndarray>& arrays);

void define_array(nb::module_& m);
void define_creation(nb::module_& m);
void define_elements(nb::module_& m);
void define_shapes(nb::module_& m);
void define_axes(nb::module_& m);
void define_order(nb::module_& m);
void define_linalg(nb::module_& m);
void define_fourier(nb::module_& m);
void define_types(nb::module_& m);

}  // namespace array_api
