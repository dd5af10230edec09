// Bodies of vector_draws.hpp.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/array/constants.hpp>
#include <sinter/functions/picking.hpp>
#include <sinter/functions/term.hpp>
#include <sinter/random/vector_draws.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE void require_vector(std::string_view name, const dims& shape) {
    if (shape.size() != 1 || shape[0] == 0)
        throw shape_error("[" + std::string(name) + "] the parameters are not a vector of some: " + to_string(shape));
}

SINTER_INLINE std::uint64_t streams_of_vector(std::string_view name, const dims& parameters) {
    if (parameters.empty() || parameters.back() == 0)
        throw shape_error("[" + std::string(name) +
                          "] there are no parameters along an axis: " + to_string(parameters));
    return static_cast<std::uint64_t>(parameters.back());
}

// The j-th of k along the last axis.
SINTER_INLINE term element_of_last(const handle& x, std::int64_t j) {
    const int axis = x->shape.size() - 1;
    return record_squeeze(record_part(x, axis, j, j + 1), dims(axis));
}

// Sums from each element to the last.
SINTER_INLINE term sums_to_end(std::string_view name, const handle& x) {
    const dims last(x->shape.size() - 1);
    const handle sums = record_scan(codegen::reduction::sum, record_flip(name, x, last), x->shape.size() - 1);
    return record_flip(name, sums, last);
}

// Each element is a beta distributed share of what those before it have left.
SINTER_INLINE handle record_dirichlet(const handle& given, const draw_shape& size, random_source from) {
    require_vector("dirichlet", given->shape);
    device_scope on(given->where);
    const std::int64_t k = given->shape[0];
    dims shape = size.with("dirichlet", {});
    shape.push_back(k);
    const term alpha = record_cast(given, dtype::float64), sums = sums_to_end("dirichlet", alpha);
    const handle none = constant_like(alpha, 0), all = constant_like(alpha, 1);
    const term least = record_reduce(codegen::reduction::min, alpha, 1, true);
    const term whole = choose_where(least >= 0, all, constant_like(alpha, constants::nan));
    const term last = choose_where(term(record_part(sums, 0, 0, 1)) == 0, none, all);
    if (k == 1) return record_broadcast("dirichlet", whole * last, shape);
    const term mine = record_part(alpha, 0, 0, k - 1), rest = record_part(sums, 0, 1, k);
    const draw_parameter p[] = {{mine}, {rest}};
    const int axis = shape.size() - 1;
    dims one = shape, fewer = shape;
    one[axis] = 1;
    fewer[axis] = k - 1;
    const term drawn = record_draws(named<distribution::beta>(), dtype::float64, p, draw_shape(fewer), from);
    const term shares = choose_where(mine == 0, none, choose_where(rest == 0, all, drawn));
    const handle left[] = {record_scalar(number(1.0), one), record_scan(codegen::reduction::prod, 1 - shares, axis)},
                 taken[] = {shares, record_broadcast("dirichlet", last, one)};
    return term(record_concatenate("dirichlet", left, dtype::float64, axis)) *
           term(record_concatenate("dirichlet", taken, dtype::float64, axis)) * whole;
}

// Whether parameters of multinomial are such, with an axis of one at the end; NaN is no probability.
SINTER_INLINE term are_possible(const handle& n, const term& p) {
    const std::uint8_t last = static_cast<std::uint8_t>(1 << (p.shape().size() - 1));
    const term probable = term(record_reduce(codegen::reduction::min, p, last, true)) >= 0;
    if (!n) return probable;
    dims wide = n->shape;
    wide.push_back(1);
    return probable && term(record_reshape(n, wide)) >= 0;
}

// Each count is binomial of the trials and the probability that those before it have left.
SINTER_INLINE handle record_multinomial(const draw_parameter& n, const handle& pvals, const draw_shape& size,
                                        random_source from) {
    device_scope on(pvals->where);
    const handle p = record_cast(pvals, dtype::float64);
    const int axis = p->shape.size() - 1;
    const std::int64_t k = p->shape[axis];
    dims stack = p->shape;
    stack.erase(axis);
    if (n.array) stack = codegen::broadcast_shapes("multinomial", stack, n.array->shape);
    else if (n.whole < 0) throw value_error("[multinomial] n is negative: " + std::to_string(n.whole));
    const dims shape = size.with("multinomial", stack);
    term left = n.array ? record_cast(n.array, dtype::int64) : record_scalar(number(n.whole), shape);
    term probability = record_scalar(number(1.0), {});
    codegen::sequence<handle> counts;
    for (std::int64_t j = 0; j < k - 1; ++j, ++from.stream) {
        const term mine = element_of_last(p, j);
        const term share = apply(op::minimum, apply(op::fmax, mine / probability, 0), 1);
        const draw_parameter each[] = {{left}, {share}};
        const term count = record_draws(named<distribution::binomial>(), dtype::int64, each, draw_shape(shape), from);
        counts.push_back(count);
        left = left - count;
        probability = probability - mine;
    }
    counts.push_back(record_broadcast("multinomial", left, shape));
    const term drawn = record_stack("multinomial", counts, dtype::int64, -1);
    return choose_where(are_possible(n.array, p), drawn, constant_like(drawn, -1));
}

// Each count is hypergeometric of what those before it have left.
SINTER_INLINE handle record_multivariate_hypergeometric(const handle& given, std::int64_t nsample,
                                                        const draw_shape& size, random_source from) {
    constexpr const char* name = "multivariate_hypergeometric";
    require_vector(name, given->shape);
    if (nsample < 0) throw value_error("[" + std::string(name) + "] nsample is negative: " + std::to_string(nsample));
    device_scope on(given->where);
    const handle colors = record_cast(given, dtype::int64);
    const term rest = sums_to_end(name, colors);
    const std::int64_t k = colors->shape[0];
    const dims shape = size.with(name, {});
    const term sum = element_of_last(rest, 0), least = record_reduce(codegen::reduction::min, colors, 1, false);
    const term enough = least >= 0 && sum >= record_scalar(number(nsample), {}) && sum < 2e9;
    term left = record_scalar(number(nsample), shape);
    codegen::sequence<handle> counts;
    for (std::int64_t j = 0; j < k - 1; ++j, ++from.stream) {
        const draw_parameter each[] = {{element_of_last(colors, j)}, {element_of_last(rest, j + 1)}, {left}};
        const term count =
            record_draws(named<distribution::hypergeometric>(), dtype::int64, each, draw_shape(shape), from);
        counts.push_back(count);
        left = left - count;
    }
    counts.push_back(left);
    const term drawn = record_stack(name, counts, dtype::int64, -1);
    return choose_where(enough, drawn, constant_like(drawn, -1));
}

SINTER_INLINE handle record_permuted(const handle& x, int axis, random_source from) {
    device_scope on(x->where);
    const handle words = record_reshape(record_words(dtype::uint64, x->shape.product(), from), x->shape);
    return record_take_along(x, record_sort({codegen::routine::argsort, codegen::call_info::spread}, words, axis),
                             axis);
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
