// Bodies of element_operation.hpp.
#pragma once

#include <sinter/codegen/base/dims.hpp>
#include <sinter/distributed/elements/element_operation.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE planned_operands::planned_operands(std::string_view name, distributed::operation_class c,
                                                 codegen::span<const map_operand> operands) {
    std::vector<distributed_ref> values;
    std::vector<double> numbers;
    for (const map_operand& o : operands) {
        values.push_back(o.held());
        numbers.push_back(o.size);
        if (!o.value()) continue;
        close_expression(*o.value());
        session = o.value()->session;
    }
    plan = plan_elements(name, c, values, numbers);
    for (const distributed_ref& v : values) parts.push_back(v ? local_operand(v, plan.shape, plan.result) : handle());
    moves = moves_of(values);
}

// Whether all operands but numbers have parts and lie as one of them does.
inline bool lie_alike(codegen::span<const map_operand> operands, const distributed_value& as) {
    for (const map_operand& o : operands) {
        if (!o.value()) continue;
        const distributed_value& v = *o.value();
        if ((!v.local && !v.open) || v.where.kind == placement_kind::partial) return false;
        if (&v != &as && (v.session != as.session || v.shape != as.shape || v.where != as.where)) return false;
    }
    return true;
}

// Words of operands, and what becomes of them; `input` gives what is read for one that has no words.
template <class Input>
void append_words(recorder& r, const element_words& what, codegen::span<const map_operand> operands, Input input) {
    for (const map_operand& o : operands) {
        if (!o.value()) r.add_scalar(o.number);
        else if (const handle* h = input(o)) r.add_input(*h);
        if (o.converted >= 0) r.add_cast(static_cast<dtype>(o.converted));
    }
    if (!what.is_conversion) r.add_op(what.how);
}

SINTER_INLINE void require_exponent(const element_words& what, codegen::span<const map_operand> operands,
                                    const dims& shape) {
    if (what.how == codegen::op::power && !operands[1].value() && shape.product() != 0)
        if (codegen::is_integer(operands[1].number.type)) require_natural_exponent(operands[1].number);
}

// Operands that do not lie alike are values, which are cut.
SINTER_INLINE distributed_ref apply_planned(const element_words& what, codegen::span<const map_operand> operands) {
    const auto c = what.is_conversion ? distributed::operation_class::map : distributed::class_of(what.how);
    planned_operands p(what.name, c, operands);
    require_exponent(what, operands, p.plan.shape);
    open_ref e = begin_expression();
    e->shape = {};
    for (const handle& part : p.parts)
        if (part) e->shape = codegen::broadcast_shapes(what.name, e->shape, part->shape);
    append_words(e->words, what, operands,
                 [&](const map_operand& o) { return &p.parts[static_cast<std::size_t>(&o - operands.data())]; });
    e->hold_inputs();
    distributed_ref v = make_distributed(p.session, what.result, p.plan.shape, p.plan.result);
    v->begin(std::move(e));
    v->moves = std::move(p.moves);
    if (v->where.kind == placement_kind::partial || !may_stay_open()) close_expression(*v);
    return v;
}

SINTER_INLINE distributed_ref apply_elements(const element_words& what, codegen::span<map_operand> operands) {
    const map_operand* some = operands.data();
    while (!some->value()) ++some;
    const distributed_value& as = *some->value();
    if (!lie_alike(operands, as)) return apply_planned(what, operands);
    require_exponent(what, operands, as.shape);
    bool extends = operands[0].is_open();
    for (const map_operand& o : operands.subspan(1)) extends = extends && o.value() != operands[0].value();
    open_ref fresh = extends ? nullptr : begin_expression();
    open_expression& e = extends ? *as.open : *fresh;
    append_words(e.words, what, operands, [&](const map_operand& o) -> const handle* {
        const distributed_value& v = *o.value();
        if (!v.open) return &v.local;
        if (v.open.get() != &e) v.open->flatten(e.words);
        return nullptr;
    });
    e.hold_inputs();
    if (!extends) e.shape = as.open ? as.open->shape : as.local->shape;
    distributed_ref made = extends ? nullptr : make_distributed(as.session, what.result, as.shape, as.where);
    distributed_value& v = extends ? *operands[0].value() : *made;
    v.type = what.result;
    for (const map_operand& o : operands)
        if (o.value() && !o.value()->moves.empty()) join_moves(v.moves, o.value()->moves);
    if (fresh) v.begin(std::move(fresh));
    if (e.words.codes.size() >= open_expression::most_words || !may_stay_open()) close_expression(v);
    return extends ? operands[0].take() : std::move(made);
}

}  // namespace sinter::inline SINTER_ABI::detail
