// Scalar functions of an element's indices that read arrays where they like: map_index and array_view.
#pragma once

#include <sinter/user/vectorize.hpp>

namespace sinter::inline SINTER_ABI {

namespace detail {
[[noreturn]] void throw_outside(codegen::span<const std::int64_t> index, codegen::span<const std::int64_t> extents);
}

/// An array that a scalar function may read at any index: `a(i, j)`. Negative indices do not count from the end. As in
/// C++, kernels do not check that an index is inside; the interpreter (SINTER_BACKEND=interpreter) and plain calls
/// throw index_error.
template <class T, int Rank>
class array_view {
    static_assert(Rank >= 1 && Rank <= max_rank, "sinter: an array_view has one to eight axes");

public:
    using value_type = T;
    static constexpr int rank = Rank;

    /// Row-major elements.
    template <class... N>
        requires(sizeof...(N) == Rank)
    array_view(const T* data, N... extents) : data_(data), extents_{static_cast<std::int64_t>(extents)...} {}

    template <class... I>
        requires(std::integral<I> && ...)
    T operator()(I... i) const {
        static_assert(sizeof...(I) == Rank, "sinter: an array_view takes an index for each axis");
        const std::int64_t at[] = {static_cast<std::int64_t>(i)...};
        std::int64_t number = 0;
        for (int axis = 0; axis < Rank; ++axis) {
            if (at[axis] < 0 || at[axis] >= extents_[axis]) detail::throw_outside(at, extents_);
            number = number * extents_[axis] + at[axis];
        }
        return data_[number];
    }
    long shape(int axis) const { return extents_[axis]; }

private:
    const T* data_;
    std::int64_t extents_[static_cast<std::size_t>(Rank)];
};

namespace detail {

template <class P>
struct is_view : std::false_type {};
template <class T, int Rank>
struct is_view<array_view<T, Rank>> : std::true_type {
    using element = T;
    static constexpr int rank = Rank;
};

/// How many arguments of a kernel's call a parameter takes: a view is followed by its extents.
template <class P>
constexpr std::size_t words_of() {
    if constexpr (is_view<P>::value) return 1 + P::rank;
    else return 1;
}

template <class P>
P read_parameter(const void* const* from) {
    if constexpr (is_view<P>::value) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return P(static_cast<const typename P::value_type*>(from[0]), read_element<std::int64_t>(from[1 + I])...);
        }(std::make_index_sequence<P::rank>());
    } else {
        return read_element<P>(from[0]);
    }
}

/// What a kernel calls, and the interpreter: F with parameters P of which some are views.
template <class F, class R, class List>
struct bound_map;
template <class F, class R, class... P>
struct bound_map<F, R, type_list<P...>> {
    template <std::size_t... I>
    static void call_with(const void* const* args, void* const* results, std::index_sequence<I...>) {
        constexpr std::size_t words[] = {words_of<P>()...};
        std::size_t first[sizeof...(P)] = {}, at = 0;
        for (std::size_t i = 0; i < sizeof...(P); at += words[i++]) first[i] = at;
        R r = static_cast<R>(F::sinter_call(read_parameter<P>(args + first[I])...));
        void* const* to = results;
        std::apply([&](auto&... part) { (std::memcpy(*to++, &part, sizeof part), ...); }, parts_of(r));
    }
    static void call(const void* const* args, void* const* results) {
        call_with(args, results, std::index_sequence_for<P...>());
    }

    template <class X>
    static void add(codegen::invocation& f) {
        if constexpr (is_view<X>::value) {
            f.parameters.push_back(dtype_of<typename X::value_type>);
            f.ranks.push_back(X::rank);
            for (int axis = 0; axis < X::rank; ++axis) add<std::int64_t>(f);
        } else {
            f.parameters.push_back(dtype_of<X>);
            f.ranks.push_back(0);
        }
    }
    static const codegen::invocation& invocation() {
        static const codegen::invocation* found = [] {
            returned_type<R>::enter();
            codegen::invocation f{0, &F::sinter_definition(), {}, result_parts<R>::types(), !element<R>, false, &call};
            (add<P>(f), ...);
            return &runtime::find_invocation(std::move(f));
        }();
        return *found;
    }
};

/// The arguments of a call over all indices of a shape.
class map_arguments {
public:
    map_arguments(const char* function, const dims& shape, int indices);
    void add(const function_argument& number_or_elements) { arguments_.push_back(number_or_elements); }
    /// An array and its extents; throws shape_error when it has another rank.
    void add_whole(const handle& array, dtype type, int rank);
    /// The results, of the shape; throws shape_error when elements do not broadcast to it.
    codegen::sequence<handle> call(const codegen::invocation& f) const;

private:
    std::string function_;
    dims shape_;
    codegen::sequence<function_argument> arguments_;
};

template <class P, class X>
void add_argument(map_arguments& to, const X& x) {
    if constexpr (is_view<P>::value) {
        static_assert(expression<X>, "sinter: an array_view is given an array or an expression");
        if constexpr (expression<X>) {
            static_assert(converts_to<X, typename P::value_type>(),
                          "sinter: the elements of an array do not convert to what its "
                          "array_view has: convert them with astype");
            to.add_whole(as_handle(x), dtype_of<typename P::value_type>, P::rank);
        }
    } else {
        to.add(make_argument<P>(x));
    }
}

template <class F, class R, class... P, class... X>
auto map_over(const F&, const dims& shape, type_list<P...> parameters, const X&... x) {
    constexpr std::size_t indices = sizeof...(P) - sizeof...(X);
    map_arguments args(F::sinter_definition().name.c_str(), shape, static_cast<int>(indices));
    using all = std::tuple<P...>;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        static_assert((std::integral<std::tuple_element_t<I, all>> && ...),
                      "sinter: the function of map_index takes whole numbers as indices first");
    }(std::make_index_sequence<indices>());
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (add_argument<std::tuple_element_t<indices + I, all>>(args, x), ...);
    }(std::index_sequence_for<X...>());
    codegen::sequence<handle> h = args.call(bound_map<F, R, decltype(parameters)>::invocation());
    if constexpr (element<R>) return array<R>(h[0]);
    else
        return arrays_of(h, typename result_parts<R>::list(),
                         std::make_index_sequence<std::tuple_size_v<typename result_parts<R>::arrays>>());
}

}  // namespace detail

/// f(i, j, …, arguments…) at every index of a shape, by a SINTER_FUNCTION whose first parameters are the indices. Of
/// the others an `array_view<float, 2>` may be read at any index and takes an array, which is computed before; a number
/// takes a number, or the elements of an array that broadcasts to the shape, at the same place. Fuses with what
/// computes those and what uses the results, as vectorize does. Throws shape_error when the shape or an array has
/// another number of axes than the function.
template <detail::scalar_function F, detail::operand... X>
auto map_index(const dims& shape, const F& f, const X&... arguments) {
    static_assert(
        requires { F::template sinter_pointer<F>(); },
        "sinter: the function of map_index says which types its parameters have");
    using type = detail::function_type<decltype(F::template sinter_pointer<F>())>;
    static_assert(type::keeps_arguments,
                  "sinter: the function of map_index takes its parameters by value or const reference");
    static_assert(type::parameters::size > sizeof...(X),
                  "sinter: the function of map_index takes indices, and then each of the arguments");
    return detail::map_over<F, std::remove_cvref_t<typename type::result>>(f, shape, typename type::parameters(),
                                                                           arguments...);
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/user/map_index.ipp>
#endif
