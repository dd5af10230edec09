// Builds the statement of one draw of random numbers, word by word; must not know the distributions.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/ops/scalar.hpp>
#include <sinter/codegen/print/emit.hpp>
#include <sinter/array/printing/digits.hpp>
#include <sinter/random/draw_parameters.hpp>
#include <sinter/runtime/base/functions.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

/// The invocation of a function of scalar_draws.def: its name, cost, the function that fills vectors if it has one, the
/// types of parameters and result, and what calls it.
const codegen::invocation& find_drawing_function(const char* name, double cost, const char* first,
                                                 codegen::sequence<dtype> types, dtype result,
                                                 void (*call)(const void* const* args, void* const* results));

/// A scalar function of scalar_draws.def as kernels and the interpreter call it: of the element's number, seed and
/// stream, and its parameters.
template <auto F>
struct drawing_function;
template <class R, class... P, R (*F)(P...)>
struct drawing_function<F> {
    template <std::size_t... I>
    static void call_with(const void* const* args, void* const* results, std::index_sequence<I...>) {
        auto read = []<class T>(std::type_identity<T>, const void* from) {
            T v;
            std::memcpy(&v, from, sizeof v);
            return v;
        };
        R r = F(read(std::type_identity<P>(), args[I])...);
        std::memcpy(results[0], &r, sizeof r);
    }
    static void call_function(const void* const* args, void* const* results) {
        call_with(args, results, std::index_sequence_for<P...>());
    }

    static const codegen::invocation& make(const char* name, double cost, const char* first) {
        return find_drawing_function(name, cost, first, {dtype_of<P>...}, dtype_of<R>, &call_function);
    }
    static const codegen::invocation& invocation(const char* name, double cost) {
        static const codegen::invocation& found = make(name, cost, nullptr);
        return found;
    }
    /// The same, of which a function that fills vectors of CPUs has most results.
    static const codegen::invocation& invocation(const char* name, double cost, const char* first) {
        static const codegen::invocation& found = make(name, cost, first);
        return found;
    }
};

/// Which numbers a parameter may be.
enum class allowed : std::uint8_t { any, not_negative, positive, probability, positive_probability };

/// Builds one statement from words at the element's own number and from parameters.
struct draw_recorder {
    recorder r = {};
    std::string_view name;
    dtype type;
    codegen::span<const draw_parameter> parameters = {};
    random_source from;
    handle number;
    std::size_t seed_at = 0, guards = 0;
    bool has_seed = false;

    void add_number() {
        r.add_input(number);
        r.add_cast(dtype::uint64);
    }
    void add_seed() {
        if (has_seed) {
            r.add_scalar_again(seed_at);
            r.add_scalar_again(seed_at + 1);
            return;
        }
        has_seed = true;
        seed_at = r.scalars.size();
        add(from.seed);
        add(from.stream);
    }
    template <class T>
    void add(T v) {
        r.add_scalar(codegen::scalar_value::of(v));
    }
    void add_real(double v) {
        if (type == dtype::float32) add(static_cast<float>(v));
        else add(v);
    }
    void add_parameter(std::size_t i) {
        if (!parameters[i].array) return add_real(parameters[i].number);
        r.add_input(parameters[i].array);
        r.add_cast(type);
    }
    void op(codegen::op o) { r.add_op(o); }
    void op(codegen::op single, codegen::op twice) { r.add_op(type == dtype::float32 ? single : twice); }

    void add_word() {
        add_number();
        add_seed();
        op(op::philox_32, op::philox_64);
    }
    // A word of the element's pair: `which` is bitwise_and for its even element's, bitwise_or for its odd one's.
    void add_word_of_pair(codegen::op which) {
        add_number();
        r.add_literal(dtype::uint64, which == op::bitwise_and ? -2 : 1);
        op(which);
        add_seed();
        op(op::philox_32, op::philox_64);
    }
    void add_literal_word(std::int16_t v) { r.add_literal(type == dtype::float32 ? dtype::uint32 : dtype::uint64, v); }

    void add_uniform() {
        add_word();
        op(op::unit_float, op::unit_double);
    }
    void add_exponential() {
        add_word();
        op(op::exponential_float, op::exponential_double);
    }
    // sqrt(-2 log(1 - u)) cos(2π v - parity π/2): even elements are the cosine, odd ones the sine of their pair.
    void add_normal() {
        add_word_of_pair(op::bitwise_and);
        op(op::normal_radius_float, op::normal_radius_double);
        add_word_of_pair(op::bitwise_or);
        add_number();
        if (type == dtype::float32) r.add_cast(dtype::uint32);
        op(op::normal_cosine_float, op::normal_cosine_double);
        op(op::multiply);
    }
    // The tangent of an angle that is no multiple of a quarter turn.
    void add_tangent() {
        for (std::int16_t parity : {std::int16_t{1}, std::int16_t{0}}) {
            add_word();
            add_literal_word(1);
            op(op::bitwise_or);
            add_literal_word(parity);
            op(op::normal_cosine_float, op::normal_cosine_double);
        }
        op(op::divide);
    }
    // An exponential number, its sign the word's first bit.
    void add_two_sided() {
        add_word();
        add_literal_word(1);
        op(op::left_shift);
        add_literal_word(1);
        op(op::bitwise_or);
        op(op::exponential_float, op::exponential_double);
        add_word();
        add_literal_word(type == dtype::float32 ? 31 : 63);
        op(op::right_shift);
        r.add_cast(type);
        add_real(-2);
        op(op::multiply);
        add_real(1);
        op(op::add);
        op(op::multiply);
    }
    // log(v / (1 - v)): the words of v and 1 - v are each other's complement.
    void add_logistic() {
        add_word();
        op(op::invert);
        op(op::exponential_float, op::exponential_double);
        add_word();
        op(op::exponential_float, op::exponential_double);
        op(op::subtract);
    }
    // loc + scale x, of an x that is there.
    template <class Add>
    void add_located(Add add_standard) {
        add_parameter(0);
        add_parameter(1);
        add_standard();
        op(op::multiply);
        op(op::add);
    }

    [[noreturn]] void fail(const std::string& what) const { throw value_error("[" + std::string(name) + "] " + what); }
    // Refuses a number, and lets an array's elements that are not allowed turn the result to NaN.
    SINTER_COMPARES void require(std::size_t i, const char* parameter, allowed what) {
        if (parameters[i].array) return guard(i, what);
        double v = parameters[i].number;
        std::string is = std::string(parameter) + " is ", shown = number_text(v);
        if (what == allowed::not_negative && v < 0) fail(is + "negative: " + shown);
        if (what == allowed::positive && v <= 0) fail(is + "not positive: " + shown);
        if (what == allowed::probability && !(v >= 0 && v <= 1)) fail(is + "not between 0 and 1: " + shown);
        if (what == allowed::positive_probability && !(v > 0 && v <= 1))
            fail(is + "not above 0 and at most 1: " + shown);
    }
    void guard(std::size_t i, allowed what) {
        if (what == allowed::any || codegen::is_integer(type)) return;
        add_parameter(i);
        add_real(0);
        op(what == allowed::positive ? op::greater : op::greater_equal);
        ++guards;
    }
    void end_guards() {
        for (; guards > 0; --guards) {
            add_real(ieee::quiet_nan);
            op(op::where);
        }
    }

    // A number by a scalar function, whose parameters follow: in the distribution's type, as double, or as int64.
    void begin_call() {
        r.add_input(number);
        add_seed();
    }
    void begin_call_of_next_stream() {
        r.add_input(number);
        r.add_scalar_again(seed_at);
        add(from.stream + 1);
    }
    void add_double_parameter(std::size_t i) {
        if (!parameters[i].array) return add(parameters[i].number);
        r.add_input(parameters[i].array);
        r.add_cast(dtype::float64);
    }
    void add_whole_parameter(std::size_t i) {
        if (!parameters[i].array) return add(parameters[i].whole);
        r.add_input(parameters[i].array);
        r.add_cast(dtype::int64);
    }
    void end_call(const codegen::invocation& f) { r.add_invoke({&f, 0}); }
    // What is multiplied below a shape of one costs as much as several attempts, and takes each element by itself.
    template <class T>
    SINTER_COMPARES const codegen::invocation& gamma_function_of(std::size_t shape, double factor) const {
        constexpr double cost = codegen::expensive_function;
        using function = drawing_function<&codegen::scalar::standard_gamma<T>>;
        const bool is_small = !parameters[shape].array && parameters[shape].number * factor < 1;
        if (number->where.is_cuda() || is_small) return function::invocation("standard_gamma", cost);
        return function::invocation("standard_gamma", cost, "first_gamma");
    }
    const codegen::invocation& gamma_function(std::size_t shape, double factor) const {
        return type == dtype::float32 ? gamma_function_of<float>(shape, factor)
                                      : gamma_function_of<double>(shape, factor);
    }
    // Gamma numbers of a parameter times a factor.
    void add_gamma(std::size_t shape, double factor) {
        begin_call();
        add_parameter(shape);
        if (factor != 1) {
            add_real(factor);
            op(op::multiply);
        }
        end_call(gamma_function(shape, factor));
    }
};

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END

#if SINTER_HEADER_ONLY
#include <sinter/random/draw_recorder.ipp>
#endif
