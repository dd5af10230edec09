// Functions of elements: those of the table of operations by their names, and the few that have other operands.
#include "module.hpp"

#include <array>

namespace array_api {

namespace {

using sinter::codegen::op;

struct named_operation {
    const char* name;
    op what;
};

constexpr named_operation unary[] = {
    {"abs", op::absolute},      {"acos", op::arccos},       {"acosh", op::arccosh}, {"asin", op::arcsin},
    {"asinh", op::arcsinh},     {"atan", op::arctan},       {"atanh", op::arctanh}, {"bitwise_invert", op::invert},
    {"ceil", op::ceil},         {"conj", op::conj},         {"cos", op::cos},       {"cosh", op::cosh},
    {"exp", op::exp},           {"expm1", op::expm1},       {"floor", op::floor},   {"imag", op::imag},
    {"isfinite", op::isfinite}, {"isinf", op::isinf},       {"isnan", op::isnan},   {"log", op::log},
    {"log1p", op::log1p},       {"log2", op::log2},         {"log10", op::log10},   {"logical_not", op::logical_not},
    {"negative", op::negative}, {"positive", op::positive}, {"real", op::real},     {"reciprocal", op::reciprocal},
    {"sign", op::sign},         {"signbit", op::signbit},   {"sin", op::sin},       {"sinh", op::sinh},
    {"square", op::square},     {"sqrt", op::sqrt},         {"tan", op::tan},       {"tanh", op::tanh},
    {"trunc", op::trunc},
};

constexpr named_operation binary[] = {
    {"add", op::add},
    {"atan2", op::arctan2},
    {"bitwise_and", op::bitwise_and},
    {"bitwise_left_shift", op::left_shift},
    {"bitwise_or", op::bitwise_or},
    {"bitwise_right_shift", op::right_shift},
    {"bitwise_xor", op::bitwise_xor},
    {"copysign", op::copysign},
    {"divide", op::divide},
    {"equal", op::equal},
    {"floor_divide", op::floor_divide},
    {"greater", op::greater},
    {"greater_equal", op::greater_equal},
    {"hypot", op::hypot},
    {"less", op::less},
    {"less_equal", op::less_equal},
    {"logaddexp", op::logaddexp},
    {"logical_and", op::logical_and},
    {"logical_or", op::logical_or},
    {"logical_xor", op::logical_xor},
    {"maximum", op::maximum},
    {"minimum", op::minimum},
    {"multiply", op::multiply},
    {"nextafter", op::nextafter},
    {"not_equal", op::not_equal},
    {"pow", op::power},
    {"remainder", op::remainder},
    {"subtract", op::subtract},
};

ndarray clip(const ndarray& x, nb::handle low, nb::handle high) {
    return visit<'i', 'u', 'f'>("clip", x, [&]<class T>(const array<T>& e) {
        auto bound = [&](nb::handle b) { return as<T>({operand_beside("clip", b, dtype_of<T>)}); };
        if (low.is_none() && high.is_none()) return e;
        if (low.is_none()) return array<T>(sinter::clip(e, sinter::none, bound(high)));
        if (high.is_none()) return array<T>(sinter::clip(e, bound(low), sinter::none));
        return array<T>(sinter::clip(e, bound(low), bound(high)));
    });
}

ndarray where(const ndarray& condition, nb::handle a, nb::handle b) {
    const auto [x, y] = operands_of("where", a, b);
    const std::vector<ndarray> both = promoted({{x}, {y}});
    return visit<'b', 'i', 'u', 'f', 'c'>("where", both[0], [&]<class T>(const array<T>& e) {
        return sinter::where(as<bool>(condition), e, as<T>(both[1]));
    });
}

}  // namespace

void define_elements(nb::module_& m) {
    for (const named_operation& f : unary)
        m.def(f.name,
              [what = f.what](const ndarray& x) { return ndarray{sinter::detail::record_apply(what, {&x.value, 1})}; });
    for (const named_operation& f : binary)
        m.def(f.name, [f](nb::handle a, nb::handle b) {
            const auto [x, y] = operands_of(f.name, a, b);
            const handle both[] = {x, y};
            return ndarray{sinter::detail::record_apply(f.what, both)};
        });
    m.def("round", [](const ndarray& x) {
        return visit<'i', 'u', 'f', 'c'>("round", x, [](const auto& e) { return sinter::round(e); });
    });
    m.def("clip", clip);
    m.def("where", where);
}

}  // namespace array_api
