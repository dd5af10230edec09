// Loops that each element goes through for itself, written over expressions: while_loop and for_loop.
#pragma once

#include <sinter/user/vectorize.hpp>

namespace sinter::inline SINTER_ABI {

namespace detail {

/// A loop while it is recorded: the state's arrays have no values.
class loop_recorder {
public:
    /// Parts of the state broadcast to a common shape; throws shape_error and device_error.
    loop_recorder(const char* name, std::span<const function_argument> initial, std::span<const dtype> types);
    ~loop_recorder();
    loop_recorder(const loop_recorder&) = delete;
    loop_recorder& operator=(const loop_recorder&) = delete;

    const handle& state(std::size_t which) const { return states_[which]; }
    /// The first part of the state, counted up by one.
    handle next_turn() const;
    /// The last state of each element. `next` converts to the state's types.
    codegen::sequence<handle> finish(const handle& condition, std::span<const handle> next);

private:
    struct recording;
    std::unique_ptr<recording> recording_;
    codegen::sequence<handle> states_;
};

template <class X>
using state_element = typename codegen::cpp_type<argument_dtype<X>()>::type;

/// What a turn leaves of one part of the state, as an array of the state's type.
template <class T, class X>
handle next_state(const X& x) {
    static_assert(operand<X>, "sinter: the body of a loop returns expressions and numbers");
    if constexpr (operand<X>) {
        static_assert(converts_to<X, T>(),
                      "sinter: the body of a loop would lose the fraction, the imaginary part or the number of a "
                      "part of its state: give the state the type that the body computes, or convert with astype");
        if constexpr (expression<X>) return record_cast(as_handle(x), dtype_of<T>);
        else return record_scalar(make_argument<T>(x).number, {});
    }
}

template <class... T, class X>
codegen::sequence<handle> next_states(type_list<T...>, const X& x) {
    static_assert(sizeof...(T) == 1, "sinter: the body of a loop returns as many values as the state has");
    if constexpr (sizeof...(T) == 1) return {next_state<T...>(x)};
    else return {};
}
template <class... T, class... X>
codegen::sequence<handle> next_states(type_list<T...>, const std::tuple<X...>& x) {
    static_assert(sizeof...(T) == sizeof...(X), "sinter: the body of a loop returns as many values as the state has");
    if constexpr (sizeof...(T) == sizeof...(X))
        return std::apply([](const auto&... part) { return codegen::sequence<handle>{next_state<T>(part)...}; }, x);
    else return {};
}

template <class... T, std::size_t... I>
auto state_arrays(const loop_recorder& r, type_list<T...>, std::index_sequence<I...>) {
    return std::tuple<array<T>...>{array<T>(r.state(I))...};
}

template <class Condition, class... T>
handle condition_of(const Condition& condition, const std::tuple<T...>& state) {
    auto go = std::apply(condition, state);
    static_assert(expression_of<decltype(go), bool>, "sinter: the condition of a loop is an expression of bool");
    return as_handle(go);
}

}  // namespace detail

/// Repeats, for each element by itself, state = body(state…) while condition(state…) holds (jax.vmap of
/// jax.lax.while_loop), all in one kernel. Condition and body are called once, with arrays that stand for the state and
/// have no value yet; they may use whatever computes each element from the elements at the same place: operators,
/// functions, vectorized functions, other loops, and arrays and numbers from outside. The parts of the state broadcast
/// and keep their first types: what the body returns, a tuple or one expression, converts as in an assignment. Returns
/// the last state as a tuple, or as an array where the state is one. At most eight parts. Throws type_error when a turn
/// would reduce, move or index what depends on the state, or read it; shape_error.
template <class Condition, class Body, detail::operand... S>
auto while_loop(const Condition& condition, const Body& body, const S&... state) {
    static_assert(sizeof...(S) >= 1 && sizeof...(S) <= 8, "sinter: a loop has one to eight values as its state");
    using types = detail::type_list<detail::state_element<S>...>;
    const detail::function_argument initial[] = {detail::make_argument<detail::state_element<S>>(state)...};
    const dtype kinds[] = {dtype_of<detail::state_element<S>>...};
    detail::loop_recorder r("while_loop", initial, kinds);
    auto arrays = detail::state_arrays(r, types(), std::index_sequence_for<S...>());
    detail::handle go = detail::condition_of(condition, arrays);
    codegen::sequence<detail::handle> last = r.finish(go, detail::next_states(types(), std::apply(body, arrays)));
    if constexpr (sizeof...(S) == 1) return std::get<0>(detail::arrays_of(last, types(), std::index_sequence<0>()));
    else return detail::arrays_of(last, types(), std::index_sequence_for<S...>());
}

/// Repeats, for each element by itself, state = body(state…) n times (jax.vmap of jax.lax.fori_loop), in one kernel; n
/// is a whole number, or an array of them, each element's own. A body that takes one parameter more gets the number of
/// the turn first, from 0 on and of n's type. At most seven parts; else see while_loop.
template <detail::operand N, class Body, detail::operand... S>
auto for_loop(const N& n, const Body& body, const S&... state) {
    static_assert(sizeof...(S) >= 1 && sizeof...(S) <= 7,
                  "sinter: a counted loop has one to seven values as its state");
    using index = detail::state_element<N>;
    static_assert(std::integral<index> && !std::same_as<index, bool>, "sinter: the number of turns of a loop is whole");
    using types = detail::type_list<index, detail::state_element<S>...>;
    const detail::function_argument initial[] = {detail::make_argument<index>(index(0)),
                                                 detail::make_argument<detail::state_element<S>>(state)...};
    const dtype kinds[] = {dtype_of<index>, dtype_of<detail::state_element<S>>...};
    detail::loop_recorder r("for_loop", initial, kinds);
    auto arrays = detail::state_arrays(r, types(), std::make_index_sequence<sizeof...(S) + 1>());
    const array<index>& turn = std::get<0>(arrays);
    detail::handle go = detail::as_handle(turn < n);
    auto next = std::apply(
        [&](const array<index>& i, const auto&... parts) {
            if constexpr (std::is_invocable_v<const Body&, const array<index>&, decltype(parts)...>)
                return body(i, parts...);
            else return body(parts...);
        },
        arrays);
    codegen::sequence<detail::handle> states{r.next_turn()};
    for (const detail::handle& h : detail::next_states(detail::type_list<detail::state_element<S>...>(), next))
        states.push_back(h);
    codegen::sequence<detail::handle> found = r.finish(go, states), last(found.begin() + 1, found.end());
    using results = detail::type_list<detail::state_element<S>...>;
    if constexpr (sizeof...(S) == 1) return std::get<0>(detail::arrays_of(last, results(), std::index_sequence<0>()));
    else return detail::arrays_of(last, results(), std::index_sequence_for<S...>());
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/user/loops.ipp>
#endif
