// Bodies of reductions.hpp.
#pragma once

#include <sinter/array/elements.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/creation.hpp>
#include <sinter/functions/reductions.hpp>
#include <sinter/functions/term.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE handle reduce_all(codegen::reduction how, const handle& x, std::uint8_t mask, bool keep) {
    handle r = record_reduce(how, x, mask, keep);
    if (how != codegen::reduction::prod || codegen::kind_rank(x->type) < 2) return r;
    return record_zero_of_overflow(r, record_reduce(how, record_signs(x), mask, keep));
}

SINTER_INLINE codegen::op combining(codegen::reduction how) {
    using codegen::op, codegen::reduction;
    switch (how) {
        case reduction::sum: return op::add;
        case reduction::prod: return op::multiply;
        case reduction::min: return op::minimum;
        case reduction::max: return op::maximum;
        case reduction::nanmin: return op::fmin;
        case reduction::nanmax: return op::fmax;
        default: throw internal_error("[" + std::string(to_string(how)) + "] has no initial value");
    }
}

SINTER_INLINE handle as_condition(std::string_view name, const handle& condition, const dims& shape) {
    return record_broadcast(name, record_cast(condition, dtype::bool_), shape);
}

SINTER_INLINE handle record_neutral(std::string_view name, codegen::reduction how, dtype type,
                                    const std::optional<any_number>& initial) {
    using codegen::reduction;
    const bool has_identity =
        how == reduction::sum || how == reduction::prod || how == reduction::any || how == reduction::all;
    if (!has_identity && !initial) throw value_error("[" + std::string(name) + "] a condition needs an initial value");
    const bool one = how == reduction::prod || how == reduction::all;
    const codegen::scalar_value v =
        has_identity ? converted_number(type, number(one ? 1 : 0)) : checked_number(name, type, initial->value);
    return record_scalar(v, {});
}

SINTER_INLINE handle record_reduce_axes(codegen::reduction how, const handle& x, const axes& a, bool keep,
                                        const reduction_options& o) {
    const std::string_view name = a.name_or(to_string(how));
    const std::uint8_t mask = a.mask(name, x->shape.size());
    if (!o.initial) require_elements(name, how, x->shape, mask);
    if (!o.initial && !o.where.value) return reduce_all(how, x, mask, keep);
    device_scope on(x->where);
    term counted = x;
    if (o.where.value)
        counted =
            choose_where(as_condition(name, o.where.value, x->shape), x, record_neutral(name, how, x->type, o.initial));
    if (!o.initial) return reduce_all(how, counted, mask, keep);
    // Without elements the shape alone matters.
    const bool is_empty = count_reduced(name, x->shape, a) == 0;
    const handle r = reduce_all(is_empty ? codegen::reduction::sum : how, counted, mask, keep);
    const dtype type = codegen::reduce_type(how, x->type);
    const handle first = record_scalar(checked_number(name, type, o.initial->value), {});
    return is_empty ? record_broadcast(name, first, r->shape) : apply_two(combining(how), r, first);
}

SINTER_INLINE term sum_where(const term& x, const term& condition, std::uint8_t mask, bool keep) {
    return record_reduce(codegen::reduction::sum, choose_where(condition, x, constant_like(x, 0)), mask, keep);
}

SINTER_INLINE term count_where(const handle& condition, std::uint8_t mask, bool keep) {
    return record_cast(record_reduce(codegen::reduction::sum, condition, mask, keep), dtype::float64);
}

SINTER_INLINE handle record_mean_where(const handle& wide, const axes& a, bool keep, const handle& given) {
    const std::uint8_t mask = a.mask("mean", wide->shape.size());
    device_scope on(wide->where);
    const handle condition = as_condition(a.name_or("mean"), given, wide->shape);
    return sum_where(wide, condition, mask, keep) / count_where(condition, mask, keep);
}

SINTER_INLINE handle record_variance_where(const handle& wide, const axes& a, bool keep, const handle& given,
                                           double ddof, bool positive) {
    const std::uint8_t mask = a.mask("var", wide->shape.size());
    device_scope on(wide->where);
    const handle condition = as_condition(a.name_or("var"), given, wide->shape);
    const term away = term(wide) - term(record_mean_where(wide, a, true, condition));
    const term squares = sum_where(apply(codegen::op::abs2, away), condition, mask, keep);
    const term n = apply(codegen::op::maximum, count_where(condition, mask, keep) - ddof, 0);
    if (!positive) return squares / n;
    return choose_where(n > 0, squares / n, constant_like(squares, codegen::ieee::quiet_nan));
}

SINTER_INLINE handle record_scan_axis(codegen::reduction how, const handle& x, int axis) {
    handle r = record_scan(how, x, axis);
    if (how != codegen::reduction::prod || codegen::kind_rank(x->type) < 2) return r;
    return record_zero_of_overflow(r, record_scan(how, record_signs(x), axis));
}

SINTER_INLINE handle record_signs(const handle& x) {
    const dtype type = codegen::real_of(x->type);
    recorder r;
    if (codegen::is_complex(x->type)) {
        r.add_input(x);
        r.add_cast(dtype::bool_);
        r.add_cast(type);
    } else {
        r.add_literal(type, 1);
        r.add_input(x);
        r.add_op(codegen::op::copysign);
    }
    r.add_input(x);
    r.add_input(x);
    r.add_op(codegen::op::subtract);
    if (codegen::is_complex(x->type)) r.add_op(codegen::op::abs2);
    r.add_op(codegen::op::add);
    return record(r, type, x->shape);
}

SINTER_INLINE handle record_zero_of_overflow(const handle& product, const handle& signs) {
    recorder r;
    r.add_input(product);
    r.add_op(codegen::op::isnan);
    r.add_input(signs);
    if (codegen::is_complex(product->type)) {
        r.add_literal(signs->type, 0);
        r.add_op(codegen::op::equal);
        r.add_op(codegen::op::logical_and);
        r.add_literal(product->type, 0);
    } else {
        r.add_literal(signs->type, 0);
        r.add_op(codegen::op::multiply);
    }
    r.add_input(product);
    r.add_op(codegen::op::where);
    return record(r, product->type, product->shape);
}

SINTER_INLINE std::int64_t count_reduced(std::string_view operation, const dims& shape, const axes& a) {
    std::uint8_t mask = a.mask(operation, shape.size());
    std::int64_t n = 1;
    for (int i = 0; i < shape.size(); ++i)
        if (mask >> i & 1) n *= shape[i];
    return n;
}

SINTER_INLINE std::optional<weights_layout> layout_of_weights(const dims& own, const dims& shape, const axes& a) {
    const dims over = a.list("average", shape.size());
    if (own == shape) return {};
    bool fits = own.size() == over.size();
    for (int i = 0; fits && i < own.size(); ++i) fits = own[i] == shape[static_cast<int>(over[i])];
    if (!fits)
        throw shape_error("[average] weights of shape " + to_string(own) + " fit neither " + to_string(shape) +
                          " nor its axes " + to_string(over));
    weights_layout to;
    for (int axis = 0; axis < shape.size(); ++axis) {
        to.shape.push_back(1);
        for (int i = 0; i < over.size(); ++i)
            if (over[i] == axis) {
                to.order.push_back(i);
                to.shape[axis] = shape[axis];
            }
    }
    return to;
}

SINTER_INLINE handle record_weights(const handle& weights, const dims& shape, const axes& a) {
    const auto to = layout_of_weights(weights->shape, shape, a);
    if (!to) return weights;
    return record_reshape(record_view(weights, codegen::transposed(codegen::contiguous(weights->shape), to->order)),
                          to->shape);
}

SINTER_INLINE recorded_average record_average(const handle& wide, dtype result, const axes& a, const handle& given,
                                              bool keep) {
    const auto sum = [&](const handle& h) { return term(record_reduce_axes(codegen::reduction::sum, h, a, keep)); };
    if (given && codegen::floating_of(codegen::promote(result, codegen::floating_of(given->type))) != result &&
        codegen::is_floating(given->type))
        throw type_error("[average] weights of " + std::string(to_string(given->type)) + " are more than " +
                         std::string(to_string(result)) + ": write average(x, axis, weights)");
    device_scope on(wide->where);
    const handle weights = given ? record_cast(record_weights(given, wide->shape, a), wide->type)
                                 : record_scalar(converted_number(wide->type, number(1.0)), {});
    const handle whole = record_broadcast("average", weights, wide->shape);
    const term total = sum(whole);
    return {record_cast(sum(term(wide) * term(whole)) / total, result), record_cast(total, result)};
}

SINTER_INLINE handle record_variance_about(const handle& wide, const axes& a, bool keep, const variance_options& o,
                                           const handle& condition, bool positive) {
    device_scope on(wide->where);
    reduction_options options;
    options.where.value = condition;
    const auto sum = [&](const handle& h) {
        return term(record_reduce_axes(codegen::reduction::sum, h, a, keep, options));
    };
    const handle ones = record_scalar(number(1.0), wide->shape);
    const handle away = apply(codegen::op::abs2, term(wide) - term(record_cast(o.mean.value, wide->type)));
    const term count = sum(ones) - o.taken_off();
    const term variance = sum(away) / apply(codegen::op::maximum, count, 0.0);
    return positive ? choose_where(count > 0, variance, constant_like(variance, codegen::ieee::quiet_nan)) : variance;
}

SINTER_INLINE array<double> squares_from_mean(const array<double>& x, const axes& a, bool keep, double count,
                                              bool to_narrow) {
    const array<double> total = reduce_as<codegen::reduction::sum, void>(x, a, keep);
    const array<double> offset = total - reduce_as<codegen::reduction::first, void>(x, a, keep) * count;
    const array<double> squared = offset * offset;
    const array<double> common = to_narrow ? over<float>(squared, count) : over<double>(squared, count);
    return maximum(reduce_as<codegen::reduction::squares_from_first, void>(x, a, keep) - common, 0.0);
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
