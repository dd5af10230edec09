// Loops written over expressions, which each element goes through for itself or whole arrays do: while_loop and
// for_loop.
#pragma once

#include <sinter/codegen/base/owner.hpp>
#include <sinter/user/vectorize.hpp>

namespace sinter::inline SINTER_ABI {

namespace detail {

/// A loop while it is recorded: the state's arrays have no values.
class loop_recorder {
public:
    /// Throws device_error.
    loop_recorder(const char* name, codegen::span<const function_argument> initial, codegen::span<const dtype> types);
    ~loop_recorder();
    loop_recorder(const loop_recorder&) = delete;
    loop_recorder& operator=(const loop_recorder&) = delete;

    const handle& state(std::size_t which) const { return states_[which]; }
    /// The first part of the state, counted up by one.
    handle next_turn() const;
    /// The last state. Where all is computed element by element it is pending, of each element, and the parts of the
    /// state broadcast; else the loop runs now, `turns` times if that is given, or in each turn of the loop around it,
    /// and throws shape_error where a turn changes the shape of a part.
    codegen::sequence<handle> finish(handle condition, codegen::sequence<handle> next,
                                     const function_argument* turns = nullptr);

private:
    struct recording;
    class whole_loop;
    void require_same_shapes(const handle& condition, const codegen::sequence<handle>& next,
                             const function_argument* turns) const;
    codegen::sequence<handle> run_whole(handle condition, codegen::sequence<handle> next,
                                        const function_argument* turns);

    const char* name_;
    codegen::owner<recording> recording_;
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

/// What a turn leaves of the state; a body may change the arrays that it is given.
template <class Types, class Body, class... T>
codegen::sequence<handle> turn_of(const Body& body, Types results, std::tuple<T...> state) {
    return next_states(results, std::apply(body, state));
}

template <class Condition, class... T>
handle condition_of(const Condition& condition, const std::tuple<T...>& state) {
    auto go = std::apply(condition, state);
    static_assert(expression_of<decltype(go), bool>, "sinter: the condition of a loop is an expression of bool");
    return as_handle(go);
}

}  // namespace detail

/// Repeats state = body(state…) while condition(state…) holds, and returns the last state as a tuple, or as an array
/// where the state is one. Condition and body are called once, with arrays that stand for the state and have no value
/// yet; what they read from outside, random numbers that they draw among it, is the same in each turn. The parts of the
/// state keep their first types: what the body returns, a tuple or one expression, converts as in an assignment. At
/// most eight parts.
///
/// Where both compute each element from the elements at the same place, by operators, functions, vectorized functions
/// and other loops, each element goes round by itself (jax.vmap of jax.lax.while_loop), all in one kernel, and the
/// parts of the state broadcast.
///
/// Where one of them reduces, scans, moves or indexes what depends on the state, or calls a routine for it, the loop is
/// one over whole arrays (jax.lax.while_loop): the condition is one bool, a part keeps its shape, and the values are
/// those of the same statements in a loop in C++, bit for bit. It runs at once, each turn as a step of a `graph`, and
/// reads one bool a turn; where turns are kernels alone, a GPU goes round by itself after the first few, up to 4096
/// turns between two bools that are read (drivers of CUDA 12.4 and later). In the body of another loop it runs in each
/// turn of that, over what the turn has computed; the outer loop's turns are then no steps.
///
/// Throws type_error when the state is read in the condition or the body, directly or by a function whose result's
/// shape depends on the data (nonzero, unique, masks as indices), and when what depends on the state is kept outside;
/// of a loop over whole arrays shape_error when the condition is not one bool or a turn changes a part's shape,
/// value_error inside a step of a `graph` and for more turns than an int64 counts; shape_error, device_error.
template <class Condition, class Body, detail::operand... S>
auto while_loop(const Condition& condition, const Body& body, const S&... state) {
    static_assert(sizeof...(S) >= 1 && sizeof...(S) <= 8, "sinter: a loop has one to eight values as its state");
    using types = detail::type_list<detail::state_element<S>...>;
    const detail::function_argument initial[] = {detail::make_argument<detail::state_element<S>>(state)...};
    const dtype kinds[] = {dtype_of<detail::state_element<S>>...};
    detail::loop_recorder r("while_loop", initial, kinds);
    auto arrays = [&] { return detail::state_arrays(r, types(), std::index_sequence_for<S...>()); };
    detail::handle go = detail::condition_of(condition, arrays());
    codegen::sequence<detail::handle> next = detail::turn_of(body, types(), arrays());
    codegen::sequence<detail::handle> last = r.finish(std::move(go), std::move(next));
    if constexpr (sizeof...(S) == 1) return std::get<0>(detail::arrays_of(last, types(), std::index_sequence<0>()));
    else return detail::arrays_of(last, types(), std::index_sequence_for<S...>());
}

/// Repeats state = body(state…) n times (jax.lax.fori_loop); n is a whole number, or an array of them: each element's
/// own, or, of a loop over whole arrays, of no axis. A body that takes one parameter more gets the number of the turn
/// first, from 0 on and of n's type. At most seven parts; else see while_loop. A loop over whole arrays reads nothing
/// but n.
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
    auto arrays = [&] { return detail::state_arrays(r, types(), std::make_index_sequence<sizeof...(S) + 1>()); };
    detail::handle go = detail::as_handle(std::get<0>(arrays()) < n);
    auto one_turn = [&](array<index>& i, auto&... parts) {
        if constexpr (std::is_invocable_v<const Body&, array<index>&, decltype(parts)...>) return body(i, parts...);
        else return body(parts...);
    };
    using results = detail::type_list<detail::state_element<S>...>;
    codegen::sequence<detail::handle> next = detail::turn_of(one_turn, results(), arrays()), states;
    states.push_back(r.next_turn());
    states.append(next.begin(), next.end());
    next.clear();
    const detail::function_argument turns = detail::make_argument<index>(n);
    codegen::sequence<detail::handle> found = r.finish(std::move(go), std::move(states), &turns),
                                      last(found.begin() + 1, found.end());
    if constexpr (sizeof...(S) == 1) return std::get<0>(detail::arrays_of(last, results(), std::index_sequence<0>()));
    else return detail::arrays_of(last, results(), std::index_sequence_for<S...>());
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/user/loops.ipp>
#endif
