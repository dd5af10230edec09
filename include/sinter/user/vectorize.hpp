// Users' scalar functions as functions of arrays: vectorize, and reduce, accumulate and outer with such a function.
#pragma once

#include <sinter/user/function.hpp>
#include <sinter/user/result_parts.hpp>
#include <sinter/array/host.hpp>

namespace sinter::inline SINTER_ABI {

namespace detail {

/// An argument of a scalar function: an array's value, or a number of the parameter's type.
struct function_argument {
    handle array;
    codegen::scalar_value number;
};

/// The results of a scalar function over broadcast arguments (numpy.vectorize); throws shape_error, device_error, and
/// type_error when the function's text names what is ambiguous or unknown.
codegen::sequence<handle> record_invoke(const codegen::invocation& f, codegen::span<const function_argument> args);

/// All elements along an axis combined in pairs of neighbours, which stay in order; the axis has at least one element.
handle record_fold(const codegen::invocation& f, const handle& x, int axis);
/// What the elements up to each one combine to.
handle record_accumulate(const codegen::invocation& f, const handle& x, int axis);
/// Throws value_error: the reduction of no elements has no value.
[[noreturn]] void throw_nothing_to_reduce(const codegen::invocation& f, const dims& shape);

/// A function type taken apart.
template <class S>
struct function_type;
template <class R, class... P>
struct function_type<R(P...)> {
    using result = R;
    using parameters = type_list<std::remove_cvref_t<P>...>;
    static constexpr bool takes_numbers = (element<std::remove_cvref_t<P>> && ...);
    static constexpr bool keeps_arguments =
        ((!std::is_lvalue_reference_v<P> || std::is_const_v<std::remove_reference_t<P>>) && ...);
};
template <class R, class... P>
struct function_type<R (*)(P...)> : function_type<R(P...)> {};
template <class R, class... P>
struct function_type<R (*)(P...) noexcept> : function_type<R(P...)> {};

/// The same of a function that can be vectorized.
template <class S>
struct signature_of : function_type<S> {
    static_assert(function_type<S>::takes_numbers && function_type<S>::keeps_arguments,
                  "sinter: the parameters of a vectorized function are numbers, by value or const reference");
};

/// Tells kernels a structure that functions return, where nothing else does; <sinter/records.hpp> knows.
template <class R>
struct returned_type {
    static void enter() {}
};

/// What a kernel calls, and the interpreter: F with parameters P and result R.
template <class F, class R, class List>
struct bound_function;
template <class F, class R, class... P>
struct bound_function<F, R, type_list<P...>> {
    template <std::size_t... I>
    static void call_with([[maybe_unused]] const void* const* args, void* const* results, std::index_sequence<I...>) {
        R r = static_cast<R>(F::sinter_call(read_element<P>(args[I])...));
        void* const* to = results;
        std::apply([&](auto&... part) { (std::memcpy(*to++, &part, sizeof part), ...); }, parts_of(r));
    }
    static void call(const void* const* args, void* const* results) {
        call_with(args, results, std::index_sequence_for<P...>());
    }
    static const codegen::invocation& invocation() {
        constexpr bool has_types = requires { F::template sinter_pointer<F>(); };
        static const codegen::invocation* found = [] {
            returned_type<R>::enter();
            return &runtime::find_invocation({0,
                                              &F::sinter_definition(),
                                              {dtype_of<P>...},
                                              result_parts<R>::types(),
                                              !element<R>,
                                              !has_types,
                                              &call});
        }();
        return *found;
    }
};

template <class X>
using argument_type = typename std::conditional_t<expression<X>, std::remove_cvref<X>,
                                                  std::type_identity<array<std::remove_cvref_t<X>>>>::type::value_type;

template <class X>
constexpr dtype argument_dtype() {
    if constexpr (expression<X>) return dtype_of<value_type_t<X>>;
    else return dtype_of<std::remove_cvref_t<X>>;
}

/// Whether an argument converts to a parameter as assignment would: within a kind and upward.
template <class X, class P>
constexpr bool converts_to() {
    return codegen::kind_rank(argument_dtype<X>()) <= codegen::kind_rank(dtype_of<P>);
}
/// Whether it does so without losing anything; numbers are weak within their kind.
template <class X, class P>
constexpr bool is_safe_for() {
    if constexpr (!expression<X>) return converts_to<X, P>();
    else return codegen::promote(argument_dtype<X>(), dtype_of<P>) == dtype_of<P>;
}

template <class P, class X>
function_argument make_argument(const X& x) {
    static_assert(converts_to<X, P>(),
                  "sinter: an argument of this function would lose its fraction, its imaginary part or its number: "
                  "convert it with astype");
    if constexpr (expression<X>) {
        return {as_handle(x), {}};
    } else if constexpr (codegen::is_complex(dtype_of<P>) && std::is_arithmetic_v<X>) {
        return {{}, codegen::scalar_value::of(P(static_cast<typename P::value_type>(x)))};
    } else {
        if constexpr (std::is_integral_v<P> && !std::is_same_v<P, bool> && std::is_integral_v<X> &&
                      !std::is_same_v<X, bool> && !std::is_same_v<X, char> && !std::is_same_v<P, char>)
            if (!std::in_range<P>(x)) throw_does_not_fit("vectorize", std::to_string(x), dtype_of<P>);
        return {{}, codegen::scalar_value::of(static_cast<P>(x))};
    }
}

template <class... T, std::size_t... I>
auto arrays_of(const codegen::sequence<handle>& h, type_list<T...>, std::index_sequence<I...>) {
    return std::tuple<array<T>...>{array<T>(h[I])...};
}

/// F as a function of arrays, for one signature.
template <class F, class R, class List>
struct array_function;
template <class F, class R, class... P>
struct array_function<F, R, type_list<P...>> {
    template <class... X>
    static auto call(const X&... x) {
        const function_argument args[] = {make_argument<P>(x)...};
        codegen::sequence<handle> h = record_invoke(bound_function<F, R, type_list<P...>>::invocation(), args);
        if constexpr (element<R>) return array<R>(h[0]);
        else
            return arrays_of(h, typename result_parts<R>::list(),
                             std::make_index_sequence<std::tuple_size_v<typename result_parts<R>::arrays>>());
    }
};

/// The position of the first signature whose parameters take the arguments, preferably without loss; else their number.
template <class... X>
struct choice_for {
    template <class... P>
    static constexpr int fit(type_list<P...>) {
        if constexpr (sizeof...(P) != sizeof...(X)) return 0;
        else return (is_safe_for<X, P>() && ...) ? 2 : (converts_to<X, P>() && ...) ? 1 : 0;
    }
    template <class... S>
    static constexpr std::size_t among() {
        constexpr int fits[] = {fit(typename signature_of<S>::parameters())..., 0};
        for (int wanted : {2, 1})
            for (std::size_t i = 0; i < sizeof...(S); ++i)
                if (fits[i] >= wanted) return i;
        return sizeof...(S);
    }
};

template <class X>
decltype(auto) on_device(const X& x) {
    if constexpr (host_range<X>) return asarray(x);
    else return (x);
}

template <class R>
auto on_host(const R& r) {
    if constexpr (expression<R>) return to_host(r);
    else return std::apply([](const auto&... a) { return std::tuple(to_host(a)...); }, r);
}

template <class X>
concept function_operand = operand<X> || host_range<X>;

/// Whether arguments are records along an axis, and what calls a function with such; <sinter/records.hpp> knows.
template <class X>
inline constexpr bool is_record_array = false;
template <class F>
struct record_caller;

}  // namespace detail

namespace detail {

/// Whether a function takes so many arguments, if it says how many before they are known.
template <class F, std::size_t Count>
inline constexpr bool takes_arguments = true;
template <class F, std::size_t Count>
    requires requires { F::template sinter_pointer<F>(); }
inline constexpr bool takes_arguments<F, Count> =
    signature_of<decltype(F::template sinter_pointer<F>())>::parameters::size == Count;

}  // namespace detail

/// A scalar function as a broadcasting function of arrays, see vectorize.
template <class F, class... S>
class vectorized {
public:
    explicit constexpr vectorized(const F&) {}

    /// Arrays and expressions give arrays; host ranges without an array give host_arrays; numbers alone the plain call.
    /// A function that returns a tuple or structure gives a tuple. Throws shape_error.
    template <detail::function_operand... X>
    auto operator()(const X&... x) const {
        if constexpr (sizeof...(S) == 0 && !detail::takes_arguments<F, sizeof...(X)>)
            return detail::count_of_arguments<X...>();
        else if constexpr ((expression<X> || ...)) return call(detail::on_device(x)...);
        else if constexpr ((detail::host_range<X> || ...)) return detail::on_host(call(detail::on_device(x)...));
        else return F::sinter_call(x...);
    }
    /// A record_array among the arguments is a parameter of the record's type; a record that is returned makes one.
    template <class... X>
        requires(detail::is_record_array<X> || ...)
    auto operator()(const X&... x) const {
        return detail::record_caller<F>::call(x...);
    }

private:
    template <class... X>
    static auto call(const X&... x) {
        if constexpr (sizeof...(S) > 0) {
            constexpr std::size_t which = detail::choice_for<X...>::template among<S...>();
            static_assert(which < sizeof...(S), "sinter: no signature of this function takes arguments of these types");
            if constexpr (which >= sizeof...(S)) return detail::stand_in<X...>();
            else return call_as<detail::signature_of<std::tuple_element_t<which, std::tuple<S*...>>>>(x...);
        } else if constexpr (requires { F::template sinter_pointer<F>(); }) {
            return call_as<detail::signature_of<decltype(F::template sinter_pointer<F>())>>(x...);
        } else {
            using R = std::remove_cvref_t<decltype(F::sinter_call(
                std::declval<typename codegen::cpp_type<detail::argument_dtype<X>()>::type>()...))>;
            return call_as<detail::signature_of<R(typename codegen::cpp_type<detail::argument_dtype<X>()>::type...)>>(
                x...);
        }
    }
    template <class Signature, class... X>
    static auto call_as(const X&... x) {
        return detail::array_function<F, std::remove_cvref_t<typename Signature::result>,
                                      typename Signature::parameters>::call(x...);
    }
};

/// A SINTER_FUNCTION as a function of arrays that broadcasts (numpy.vectorize, numba.vectorize) and runs in the same
/// kernel as what computes its arguments and what uses its results; without loops it becomes operations, see
/// codegen::body_of. Arguments convert as in assignments. Signatures, `vectorize<long(long, long), double(double,
/// double)>(f)`, fix the types: the first one that takes the arguments counts.
template <class... S, detail::scalar_function F>
constexpr vectorized<F, S...> vectorize(const F& f) {
    return vectorized<F, S...>(f);
}
/// A SINTER_FUNCTION as a function of arrays that broadcasts (numpy.vectorize, numba.vectorize) and runs in the same
/// kernel as what computes its arguments and what uses its results.
template <class... S, class F>
    requires(!detail::scalar_function<F>)
detail::lambda_as_function<F> vectorize(const F&);

namespace detail {

/// What F combines: two numbers of one type to a third.
template <class F>
struct combination {
    static_assert(
        requires { F::template sinter_pointer<F>(); },
        "sinter: a function that combines elements says which type its parameters have");
    using signature = signature_of<decltype(F::template sinter_pointer<F>())>;
    using type = std::remove_cvref_t<typename signature::result>;
    static_assert(std::same_as<typename signature::parameters, type_list<type, type>>,
                  "sinter: a function that combines elements takes two numbers and returns one, all of one type");
    static const codegen::invocation& invocation() {
        return bound_function<F, type, type_list<type, type>>::invocation();
    }
    template <class E>
    static handle operand(const E& e) {
        static_assert(converts_to<E, type>(),
                      "sinter: the elements do not convert to what this function combines: convert them with astype");
        return record_cast(as_handle(e), dtype_of<type>);
    }
};

}  // namespace detail

/// The elements along an axis combined by a SINTER_FUNCTION of two numbers (numpy.frompyfunc's reduce). The function is
/// taken to be associative: neighbours combine in a tree that depends on the extent alone, and never change places.
/// Without elements the result is the identity, or value_error is thrown.
template <detail::scalar_function F, expression E>
auto reduce(const F&, const E& e, int axis = 0) {
    using T = typename detail::combination<F>::type;
    const codegen::invocation& f = detail::combination<F>::invocation();
    axis = codegen::normalize_axis("reduce", axis, e.ndim());
    if (e.shape()[axis] == 0) detail::throw_nothing_to_reduce(f, e.shape());
    return array<T>(detail::record_fold(f, detail::combination<F>::operand(e), axis));
}
/// The elements along an axis combined by a SINTER_FUNCTION of two numbers (numpy.frompyfunc's reduce).
template <detail::scalar_function F, expression E, detail::operand I>
auto reduce(const F& f, const E& e, int axis, const I& identity) {
    using T = typename detail::combination<F>::type;
    axis = codegen::normalize_axis("reduce", axis, e.ndim());
    if (e.shape()[axis] != 0) return reduce(f, e, axis);
    return array<T>(detail::record_scalar(detail::make_argument<T>(identity).number,
                                          codegen::kept_shape(e.shape(), static_cast<std::uint8_t>(1 << axis))));
}

/// What the elements up to each one along an axis combine to (numpy.frompyfunc's accumulate); see reduce.
template <detail::scalar_function F, expression E>
auto accumulate(const F&, const E& e, int axis = 0) {
    using T = typename detail::combination<F>::type;
    axis = codegen::normalize_axis("accumulate", axis, e.ndim());
    return array<T>(
        detail::record_accumulate(detail::combination<F>::invocation(), detail::combination<F>::operand(e), axis));
}

/// A function of every element of a with every element of b: the shape is a's, then b's (numpy.frompyfunc's outer).
template <detail::scalar_function F, expression A, expression B>
auto outer(const F& f, const A& a, const B& b) {
    dims shape = a.shape();
    for (int i = 0; i < b.ndim(); ++i) shape.push_back(1);
    return vectorize(f)(array<value_type_t<A>>(detail::record_reshape(detail::as_handle(a), shape)), b);
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/user/vectorize.ipp>
#endif
