// Bodies of draws.hpp.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/random/draw_recorder.hpp>
#include <sinter/random/draws.hpp>
#include <sinter/random/rarer_draws.hpp>
#include <sinter/random/sparse_choice.hpp>
#include <sinter/functions/ordering.hpp>
#include <sinter/functions/scans.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE dims draw_shape::with(std::string_view operation, const dims& of_parameters) const {
    if (!given_) return of_parameters;
    if (codegen::broadcast_shapes(operation, of_parameters, codegen::require_sizes(operation, shape_)) != shape_)
        throw shape_error("[" + std::string(operation) + "] parameters of shape " + to_string(of_parameters) +
                          " do not broadcast to " + to_string(shape_));
    return shape_;
}

SINTER_INLINE void record_triangular(draw_recorder& w) {
    for (std::size_t i : {std::size_t{0}, std::size_t{1}}) {
        const draw_parameter &a = w.parameters[i], &b = w.parameters[i + 1];
        if (!a.array && !b.array && a.number > b.number)
            w.fail(std::string(i ? "mode is above right: " : "left is above mode: ") + number_text(a.number) + " and " +
                   number_text(b.number));
    }
    if (!w.parameters[0].array && !w.parameters[2].array && w.parameters[0].number == w.parameters[2].number)
        w.fail("left is right: " + number_text(w.parameters[0].number));
    auto difference = [&](std::size_t a, std::size_t b) {
        w.add_parameter(a);
        w.add_parameter(b);
        w.op(op::subtract);
    };
    // u (right - left) <= mode - left ? left + sqrt(u (mode - left)(right - left)) : right - sqrt((1 - u)(right -
    // mode)(right - left))
    w.add_uniform();
    difference(2, 0);
    w.op(op::multiply);
    difference(1, 0);
    w.op(op::less_equal);
    for (bool left : {true, false}) {
        w.add_parameter(left ? 0 : 2);
        if (!left) w.add_real(1);
        w.add_uniform();
        if (!left) w.op(op::subtract);
        difference(left ? 1 : 2, left ? 0 : 1);
        w.op(op::multiply);
        difference(2, 0);
        w.op(op::multiply);
        w.op(op::sqrt);
        w.op(left ? op::add : op::subtract);
    }
    w.op(op::where);
}

SINTER_INLINE void record_reals(draw_recorder& w, distribution which) {
    using d = distribution;
    bool has_scale =
        which == d::normal || which == d::laplace || which == d::logistic || which == d::gumbel || which == d::cauchy;
    if (has_scale) w.require(1, "scale", allowed::not_negative);
    switch (which) {
        case d::uniform:
            w.add_parameter(0);
            w.add_parameter(1);
            w.add_parameter(0);
            w.op(op::subtract);
            w.add_uniform();
            w.op(op::multiply);
            return w.op(op::add);
        case d::standard_normal: return w.add_normal();
        case d::normal: return w.add_located([&] { w.add_normal(); });
        case d::lognormal:
            w.require(1, "sigma", allowed::not_negative);
            w.add_located([&] { w.add_normal(); });
            return w.op(op::portable_exp);
        case d::standard_exponential: return w.add_exponential();
        case d::exponential:
            w.require(0, "scale", allowed::not_negative);
            w.add_parameter(0);
            w.add_exponential();
            return w.op(op::multiply);
        case d::laplace: return w.add_located([&] { w.add_two_sided(); });
        case d::logistic: return w.add_located([&] { w.add_logistic(); });
        case d::gumbel:
            return w.add_located([&] {
                w.add_exponential();
                w.op(op::portable_log);
                w.op(op::negative);
            });
        case d::standard_cauchy: return w.add_tangent();
        case d::cauchy: return w.add_located([&] { w.add_tangent(); });
        case d::pareto:
            w.require(0, "a", allowed::positive);
            w.add_exponential();
            w.add_parameter(0);
            w.op(op::divide);
            return w.op(op::portable_expm1);
        case d::weibull:
            w.require(0, "a", allowed::not_negative);
            // Of an infinite shape all numbers are one, of the shape zero NumPy's are zero.
            w.add_parameter(0);
            w.add_real(0);
            w.op(op::equal);
            w.add_real(0);
            w.add_exponential();
            w.op(op::portable_log);
            w.add_parameter(0);
            w.op(op::divide);
            w.op(op::portable_exp);
            return w.op(op::where);
        case d::rayleigh:
            w.require(0, "scale", allowed::not_negative);
            w.add_parameter(0);
            w.add_exponential();
            w.add_real(2);
            w.op(op::multiply);
            w.op(op::sqrt);
            return w.op(op::multiply);
        default: return record_triangular(w);
    }
}

SINTER_INLINE void record_rejections(draw_recorder& w, distribution which) {
    using d = distribution;
    using namespace codegen::scalar;
    constexpr double expensive = codegen::expensive_function, cheap = 200;
    switch (which) {
        case d::standard_gamma:
        case d::gamma:
            w.require(0, "shape", allowed::not_negative);
            if (which == d::standard_gamma) return w.add_gamma(0, 1);
            w.require(1, "scale", allowed::not_negative);
            w.add_parameter(1);
            w.add_gamma(0, 1);
            return w.op(op::multiply);
        case d::chisquare:
            w.require(0, "df", allowed::positive);
            w.add_real(2);
            w.add_gamma(0, 0.5);
            return w.op(op::multiply);
        case d::standard_t: {
            // A normal number over the root of a chisquare's mean; the latter from the second stream.
            w.require(0, "df", allowed::positive);
            w.add_normal();
            w.add_parameter(0);
            w.add_real(0.5);
            w.op(op::multiply);
            w.begin_call_of_next_stream();
            w.add_parameter(0);
            w.add_real(0.5);
            w.op(op::multiply);
            w.end_call(w.gamma_function(0, 0.5));
            w.op(op::divide);
            w.op(op::sqrt);
            return w.op(op::multiply);
        }
        case d::beta:
            w.require(0, "a", allowed::positive);
            w.require(1, "b", allowed::positive);
            w.begin_call();
            w.add_parameter(0);
            w.add_parameter(1);
            return w.end_call(w.type == dtype::float32
                                  ? drawing_function<&beta_draw<float>>::invocation("beta_draw", expensive)
                                  : drawing_function<&beta_draw<double>>::invocation("beta_draw", expensive));
        case d::poisson:
            w.require(0, "lam", allowed::not_negative);
            if (!w.parameters[0].array && !(w.parameters[0].number <= 9.223372006484771e18))
                w.fail("lam is too large: " + number_text(w.parameters[0].number));
            w.begin_call();
            w.add_double_parameter(0);
            return w.end_call(drawing_function<&poisson_count>::invocation("poisson_count", expensive));
        case d::binomial:
            w.require(0, "n", allowed::not_negative);
            w.require(1, "p", allowed::probability);
            w.begin_call();
            w.add_whole_parameter(0);
            w.add_double_parameter(1);
            return w.end_call(drawing_function<&binomial_count>::invocation("binomial_count", expensive));
        default:
            w.require(0, "p", allowed::positive_probability);
            w.begin_call();
            w.add_double_parameter(0);
            return w.end_call(drawing_function<&geometric_count>::invocation("geometric_count", cheap));
    }
}

SINTER_INLINE const char* name_of(distribution which) {
    constexpr const char* names[] = {
#define SINTER_DISTRIBUTION(parameters, type, name, ...) #name,
#include <sinter/random/distributions.def>
#undef SINTER_DISTRIBUTION
    };
    return names[static_cast<int>(which)];
}

SINTER_INLINE handle record_draws(const named_distribution& d, dtype type,
                                  codegen::span<const draw_parameter> parameters, const draw_shape& size,
                                  random_source from) {
    if (codegen::is_half(type))
        return record_cast(record_draws(d, codegen::widened(type), parameters, size, from), type);
    dims shape;
    device where = runtime::current_device();
    for (const draw_parameter& p : parameters) {
        if (!p.array) continue;
        shape = codegen::broadcast_shapes(name_of(d.which), shape, p.array->shape);
        where = p.array->where;
    }
    shape = size.with(name_of(d.which), shape);
    device_scope on(where);
    if (d.compound) return record_cast(d.compound(d.which, parameters, shape, from), type);
    draw_recorder w{
        .name = name_of(d.which), .type = type, .parameters = parameters, .from = from, .number = record_index(shape)};
    d.record(w, d.which);
    w.end_guards();
    if (codegen::is_integer(type) && type != dtype::int64) w.r.add_cast(type);
    return record(w.r, type, shape);
}

// Numbers below one that a type of half precision holds: as rounded ones some would be one.
SINTER_INLINE handle record_short_uniform(dtype type, const dims& shape, random_source from) {
    const int digits =
        type == dtype::float16 ? std::numeric_limits<half>::digits : std::numeric_limits<bfloat16>::digits;
    const handle scale = record_scalar(codegen::scalar_value::of(static_cast<float>(1 << digits)), {}),
                 step = record_scalar(codegen::scalar_value::of(1 / static_cast<float>(1 << digits)), {});
    const handle scaled[] = {record_uniform(dtype::float32, shape, from), scale};
    const handle whole = record_apply(op::multiply, scaled), steps[] = {record_apply(op::floor, {&whole, 1}), step};
    return record_cast(record_apply(op::multiply, steps), type);
}

SINTER_INLINE handle record_uniform(dtype type, const dims& shape, random_source from) {
    if (codegen::is_half(type)) return record_short_uniform(type, shape, from);
    draw_recorder w{.name = "random", .type = type, .from = from, .number = record_index(shape)};
    w.add_uniform();
    return record(w.r, type, shape);
}

// Words of 64 bits; a bound of at most 2^32 is met by one of them but for a part of 2^-32.
SINTER_INLINE handle record_integers(dtype type, std::int64_t low, std::uint64_t span, const dims& shape,
                                     random_source from) {
    draw_recorder w{.name = "integers", .type = type, .from = from, .number = record_index(shape)};
    if (span == 0 || span > std::uint64_t{1} << 32) {
        w.begin_call();
        w.add(low);
        w.add(span);
        w.end_call(drawing_function<&codegen::scalar::integer_from>::invocation("integer_from", 200));
    } else {
        w.add_number();
        w.add_seed();
        w.op(op::philox_64);
        w.add(span);
        w.op(op::scaled_word);
        w.add(static_cast<std::uint64_t>(low));
        w.op(op::add);
        w.r.add_cast(dtype::int64);
    }
    w.r.add_cast(type);
    return record(w.r, type, shape);
}

SINTER_INLINE handle record_integers(std::string_view operation, dtype type, const draw_parameter& low,
                                     const draw_parameter& high, const draw_shape& size, random_source from) {
    const draw_parameter bounds[] = {low, high};
    dims shape;
    device where = runtime::current_device();
    for (const draw_parameter& p : bounds) {
        if (!p.array) continue;
        if (codegen::kind_rank(p.array->type) > 1)
            throw type_error("[" + std::string(operation) + "] bounds are integers, not " +
                             std::string(to_string(p.array->type)));
        shape = codegen::broadcast_shapes(operation, shape, p.array->shape);
        where = p.array->where;
    }
    shape = size.with(operation, shape);
    device_scope on(where);
    draw_recorder w{
        .name = "integers", .type = type, .parameters = bounds, .from = from, .number = record_index(shape)};
    w.begin_call();
    w.add_whole_parameter(0);
    w.add_whole_parameter(1);
    w.end_call(drawing_function<&codegen::scalar::integer_between>::invocation("integer_between", 200));
    w.r.add_cast(type);
    return record(w.r, type, shape);
}

SINTER_INLINE void throw_empty_range(std::string_view operation, const std::string& low, const std::string& high) {
    throw value_error("[" + std::string(operation) + "] low is not below high: " + low + " and " + high);
}

SINTER_INLINE handle record_words(dtype type, std::int64_t n, random_source from) {
    draw_recorder w{.name = "words", .type = type, .from = from, .number = record_index(dims(n))};
    w.add_number();
    w.add_seed();
    w.op(type == dtype::uint32 ? op::philox_32 : op::philox_64);
    return record(w.r, type, dims(n));
}

// Sorting random words; equal ones, which words of 64 bits hardly have, keep their order.
SINTER_INLINE handle record_permutation(std::int64_t n, random_source from) {
    if (n < 0) throw value_error("[permutation] the number of elements is negative: " + std::to_string(n));
    return record_sort({codegen::routine::argsort, codegen::call_info::spread}, record_words(dtype::uint64, n, from),
                       0);
}

SINTER_INLINE handle store_probabilities(const std::vector<double>& p, bool of_floats) {
    double sum = 0;
    for (double each : p) sum += each;
    if (ieee::is_nan(sum)) throw value_error("[choice] probabilities contain NaN");
    for (std::size_t i = 0; i < p.size(); ++i)
        if (p[i] < 0)
            throw value_error("[choice] probabilities are not non-negative: " + number_text(p[i]) + " at " +
                              std::to_string(i));
    const double epsilon = of_floats ? 0x1p-23 : 0x1p-52;
    if ((sum - 1) * (sum - 1) > epsilon)
        throw value_error("[choice] probabilities do not sum to 1 but to " + number_text(sum));
    return store(dtype::float64, dims(p.size()), p.data());
}

SINTER_INLINE handle record_choice(std::int64_t n, const dims& shape, bool replace, const handle& p,
                                   random_source from) {
    std::int64_t count = shape.product();
    if (count > 0 && n <= 0)
        throw value_error("[choice] cannot choose " + std::to_string(count) + " of " + std::to_string(n) + " elements");
    if (p && p->shape != dims(n))
        throw value_error("[choice] p is not one probability for each of " + std::to_string(n) +
                          " elements: " + to_string(p->shape));
    if (!replace && count > n)
        throw value_error("[choice] cannot choose " + std::to_string(count) + " of " + std::to_string(n) +
                          " elements without replacement");
    if (count == 0) return record_scalar(number(std::int64_t{0}), shape);
    if (!replace && !p && is_sparse_choice(n, count))
        return record_reshape(record_sparse_choice(n, count, from), shape);
    if (!replace) {
        // The first to arrive, where each element waits for an exponential time of the rate p.
        handle order;
        if (p) {
            const handle wait[] = {
                record_draws(named<distribution::standard_exponential>(), dtype::float64, {}, dims(n), from), p};
            order = record_sort(codegen::routine::argsort, record_apply(op::divide, wait), 0);
        } else order = record_permutation(n, from);
        return record_reshape(record_part(order, 0, 0, count), shape);
    }
    if (!p) return record_integers(dtype::int64, 0, static_cast<std::uint64_t>(n), shape, from);
    handle sums = record_scan(codegen::reduction::sum, p, 0);
    const handle scaled[] = {record_uniform(dtype::float64, shape, from),
                             record_reshape(record_part(sums, 0, n - 1, n), {})};
    handle at = record_searchsorted(sums, record_apply(op::multiply, scaled), true);
    const handle inside[] = {at, record_scalar(number(n - 1), {})};
    return record_apply(op::minimum, inside);
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
