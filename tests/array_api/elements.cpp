// Functions of elements: the table of operations, and the few that have other operands.
#include "module.hpp"

namespace array_api {

namespace {

using sinter::codegen::op;

/// A row of the table of operations, of one or two operands.
void define_operation(nb::module_& m, const char* name, op what) {
    const int arity = sinter::codegen::info(what).arity;
    if (arity == 1)
        m.def(name, [what](const ndarray& x) { return ndarray{sinter::detail::record_apply(what, {&x.value, 1})}; });
    if (arity == 2)
        m.def(name, [name, what](nb::handle a, nb::handle b) {
            const auto [x, y] = operands_of(name, a, b);
            const handle both[] = {x, y};
            return ndarray{sinter::detail::record_apply(what, both)};
        });
}

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
    return visit_any("where", both[0],
                     [&]<class T>(const array<T>& e) { return sinter::where(as<bool>(condition), e, as<T>(both[1])); });
}

}  // namespace

void define_elements(nb::module_& m) {
#define SINTER_OP(name, ...) define_operation(m, #name, op::name);
#define SINTER_ALIAS(alias, name) define_operation(m, #alias, op::name);
#include <sinter/codegen/ops/aliases.def>
#include <sinter/codegen/ops/ops.def>
#undef SINTER_OP
#undef SINTER_ALIAS
    m.def("round", [](const ndarray& x) {
        return visit<'i', 'u', 'f', 'c'>("round", x, [](const auto& e) { return sinter::round(e); });
    });
    m.def("clip", clip);
    m.def("where", where);
}

}  // namespace array_api
