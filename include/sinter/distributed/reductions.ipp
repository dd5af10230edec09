// Bodies of reductions.hpp.
#pragma once

#include <sinter/distributed/moving.hpp>
#include <sinter/distributed/reductions.hpp>
#include <sinter/functions/term.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE distributed_ref reduce_distributed(codegen::reduction how, const distributed_ref& v, std::uint8_t mask,
                                                 bool keep) {
    distributed_ref product = record_distributed_reduce(how, v, mask, keep);
    if (how != codegen::reduction::prod || codegen::kind_rank(v->type) < 2) return product;
    const distributed_ref signs = make_distributed(v->session, v->shape, v->where, record_signs(v->local), v->moves);
    const dtype type = product->type;
    return make_derived({std::move(product), record_distributed_reduce(how, signs, mask, keep)}, type,
                        [](codegen::span<const handle> h) { return record_zero_of_overflow(h[0], h[1]); });
}

// A condition beside a value, both as the operation on elements that chooses by it has them.
struct value_with_condition {
    handle value, condition;
    distributed::map_plan plan;
    std::vector<std::string> moves;

    value_with_condition(std::string_view name, const distributed_ref& v, const any_distributed& where) {
        distributed_ref operands[] = {v, where.of(v->session)};
        codegen::require_fills(name, operands[1]->shape, v->shape);
        const double numbers[] = {0, 0};
        plan = plan_elements(name, distributed::operation_class::map, operands, numbers);
        value = local_operand(operands[0], plan.shape, plan.result);
        const handle given = record_cast(local_operand(operands[1], plan.shape, plan.result), dtype::bool_);
        condition = record_broadcast(name, given, value->shape);
        moves = moves_of(operands);
    }
};

SINTER_INLINE distributed_ref record_distributed_condition(std::string_view name, const distributed_ref& v,
                                                           const any_distributed& where) {
    value_with_condition both(name, v, where);
    return make_distributed(v->session, v->shape, both.plan.result, std::move(both.condition), std::move(both.moves));
}

// The value with what changes no result in place of elements that do not count.
SINTER_INLINE distributed_ref with_neutral(std::string_view name, const distributed_ref& v,
                                           const any_distributed& where, const handle& neutral) {
    value_with_condition both(name, v, where);
    const term counted = choose_where(both.condition, both.value, neutral);
    return make_distributed(v->session, v->shape, both.plan.result, counted.value, std::move(both.moves));
}

SINTER_INLINE distributed_ref record_distributed_reduce_axes(codegen::reduction how, const distributed_ref& v,
                                                             const axes& a, bool keep,
                                                             const distributed::reduction_options& o) {
    const std::string_view name = a.name_or(to_string(how));
    const std::uint8_t mask = a.mask(name, v->shape.size());
    if (!o.initial) require_elements(name, how, v->shape, mask);
    distributed_ref counted = v;
    if (o.where.is_given()) {
        const handle neutral = record_neutral(name, how, v->type, o.initial);
        counted = with_neutral(name, v, o.where, neutral);
    }
    if (!o.initial) return reduce_distributed(how, counted, mask, keep);
    // Without elements the shape alone matters.
    const bool is_empty = count_reduced(name, v->shape, a) == 0;
    const dtype type = codegen::reduce_type(how, v->type);
    const codegen::scalar_value initial = checked_number(name, type, o.initial->value);
    return make_derived({reduce_distributed(is_empty ? codegen::reduction::sum : how, counted, mask, keep)}, type,
                        [how, is_empty, initial](codegen::span<const handle> h) {
                            const device_scope on(h[0]->where);
                            const handle first = record_scalar(initial, {});
                            if (is_empty) return record_broadcast(to_string(how), first, h[0]->shape);
                            return apply_two(combining(how), h[0], first);
                        });
}

SINTER_INLINE distributed_ref record_distributed_weights(const distributed_ref& weights, const dims& shape,
                                                         const axes& a) {
    const auto to = layout_of_weights(weights->shape, shape, a);
    if (!to) return weights;
    return record_distributed_reshape(record_distributed_transpose(weights, to->order), to->shape);
}

}  // namespace sinter::inline SINTER_ABI::detail
