// Bodies of rarer_draws.hpp.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/array/constants.hpp>
#include <sinter/functions/term.hpp>
#include <sinter/random/draws.hpp>
#include <sinter/random/rarer_draws.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

// The rarer ones that are one statement.
SINTER_INLINE void record_rarer(draw_recorder& w, distribution which) {
    using d = distribution;
    using namespace codegen::scalar;
    constexpr double expensive = codegen::expensive_function, cheap = 300;
    auto call_reals = [&](const codegen::invocation& f) {
        w.begin_call();
        w.add_double_parameter(0);
        w.add_double_parameter(1);
        w.end_call(f);
        w.r.add_cast(w.type);
    };
    switch (which) {
        case d::power:
            w.require(0, "a", allowed::positive);
            w.add_exponential();
            w.add_parameter(0);
            w.op(op::divide);
            w.op(op::negative);
            return w.op(op::portable_exp);
        case d::vonmises:
            w.require(1, "kappa", allowed::not_negative);
            return call_reals(drawing_function<&vonmises_draw>::invocation("vonmises_draw", expensive));
        case d::wald:
            w.require(0, "mean", allowed::positive);
            w.require(1, "scale", allowed::positive);
            return call_reals(drawing_function<&wald_draw>::invocation("wald_draw", cheap));
        case d::zipf:
            if (!w.parameters[0].array && !(w.parameters[0].number > 1))
                w.fail("a is not above 1: " + number_text(w.parameters[0].number));
            w.begin_call();
            w.add_double_parameter(0);
            return w.end_call(drawing_function<&zipf_count>::invocation("zipf_count", expensive));
        case d::logseries:
            w.require(0, "p", allowed::probability);
            if (!w.parameters[0].array && w.parameters[0].number == 1) w.fail("p is not below 1: 1");
            w.begin_call();
            w.add_double_parameter(0);
            return w.end_call(drawing_function<&logseries_count>::invocation("logseries_count", cheap));
        default: break;
    }
    constexpr const char* names[] = {"ngood", "nbad", "nsample"};
    for (std::size_t i = 0; i < 3; ++i) w.require(i, names[i], allowed::not_negative);
    const auto& p = w.parameters;
    if (!p[0].array && !p[1].array && !p[2].array && p[2].number > p[0].number + p[1].number)
        w.fail("nsample is above ngood + nbad: " + std::to_string(p[2].whole));
    if (!p[0].array && !p[1].array && p[0].number + p[1].number >= 2e9)
        w.fail("ngood + nbad is not below 2e9: " + std::to_string(p[0].whole) + " and " + std::to_string(p[1].whole));
    w.begin_call();
    for (std::size_t i = 0; i < 3; ++i) w.add_whole_parameter(i);
    w.end_call(drawing_function<&hypergeometric_count>::invocation("hypergeometric_count", expensive));
}

// Those that are made of numbers of others, in float64, each from a stream of its own.
SINTER_INLINE handle record_compound(distribution which, codegen::span<const draw_parameter> parameters,
                                     const dims& shape, random_source from) {
    using d = distribution;
    draw_recorder w{
        .name = name_of(which), .type = dtype::float64, .parameters = parameters, .from = from, .number = {}};
    auto require = [&](std::size_t i, const char* parameter, allowed what) {
        if (!parameters[i].array) w.require(i, parameter, what);
    };
    auto given = [&](std::size_t i) -> term {
        if (parameters[i].array) return record_cast(parameters[i].array, dtype::float64);
        return term(record_scalar(number(parameters[i].number), {}));
    };
    auto draw_of = [&](const named_distribution& one, dtype type, const term& parameter) -> term {
        const draw_parameter p{parameter.value};
        const term drawn = record_draws(one, type, {&p, 1}, draw_shape(shape), from);
        ++from.stream;
        return record_cast(drawn, dtype::float64);
    };
    auto chisquares = [&](const term& df) { return draw_of(named<d::standard_gamma>(), dtype::float64, df * 0.5) * 2; };
    auto around = [&](std::size_t df, std::size_t nonc) {
        const term own = given(df), more = draw_of(named<d::poisson>(), dtype::int64, given(nonc) * 0.5);
        const term drawn = chisquares(own + more * 2);
        return choose_where(own > 0 && more >= 0, drawn, constant_like(drawn, constants::nan));
    };
    require(0,
            which == d::negative_binomial      ? "n"
            : which == d::noncentral_chisquare ? "df"
                                               : "dfnum",
            allowed::positive);
    if (which == d::negative_binomial) {
        require(1, "p", allowed::positive_probability);
        const term mean = draw_of(named<d::standard_gamma>(), dtype::float64, given(0)) * ((1 - given(1)) / given(1));
        return draw_of(named<d::poisson>(), dtype::int64, mean);
    }
    if (which == d::noncentral_chisquare) {
        require(1, "nonc", allowed::not_negative);
        return around(0, 1);
    }
    require(1, "dfden", allowed::positive);
    if (which == d::noncentral_f) require(2, "nonc", allowed::not_negative);
    const term above = which == d::f ? chisquares(given(0)) : around(0, 2);
    return above / given(0) / (chisquares(given(1)) / given(1));
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
