// Functions of structures over record arrays: vectorize(step)(p, dt), one kernel that moves columns. It uses Boost.
#pragma once

#include <sinter/codegen/functions/kept_members.hpp>
#include <sinter/records/record_array.hpp>
#include <sinter/records/structure_text.hpp>
#include <sinter/user/vectorize.hpp>

#if __has_include(<boost/hana/accessors.hpp>)

namespace sinter::inline SINTER_ABI::detail {

template <class R>
inline constexpr bool is_record_array<record_array<R>> = true;

/// A parameter as the numbers that it is made of.
template <class P>
struct flat {
    using numbers = type_list<P>;
    static void enter() {}
    static std::string words(int& number, std::string& parameters) {
        const std::string name = std::string("a").append(std::to_string(number++));
        parameters += (parameters.empty() ? "" : ", ") + kernel_spelling<P>() + " " + name;
        return name;
    }
    template <std::size_t From, class All>
    static P gather(const All& all) {
        return std::get<From>(all);
    }
};
template <record_structure R>
struct flat<R> {
    template <std::size_t... I>
    static type_list<member_type<R, I>...> list(std::index_sequence<I...>);
    using numbers = decltype(list(member_numbers<R>()));
    static_assert(member_count<R> == count_parts<R>(),
                  "sinter: functions of records need structures all of whose members, eight at most, Boost.Hana knows");

    static void enter() { enter_structure<R>(member_numbers<R>()); }
    static std::string words(int& number, std::string& parameters) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            std::string all = "{";
            ((all += (I ? ", " : "") + flat<member_type<R, I>>::words(number, parameters)), ...);
            return all + "}";
        }(member_numbers<R>());
    }
    template <std::size_t From, class All>
    static R gather(const All& all) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return R{std::get<From + I>(all)...};
        }(member_numbers<R>());
    }
};

template <class... A, class... B>
type_list<A..., B...> operator+(type_list<A...>, type_list<B...>);

/// F with each record among its parameters taken apart into its members.
template <class F, class Result, class Parameters, class Numbers>
struct function_of_members;
template <class F, class Result, class... P, class... N>
struct function_of_members<F, Result, type_list<P...>, type_list<N...>> {
    using sinter_scalar_function = function_of_members;
    static Result of_numbers(N...);
    template <class G>
    static auto sinter_pointer() -> decltype(&G::of_numbers);

    static Result sinter_call(N... n) {
        const std::tuple<N...> all(n...);
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            constexpr std::size_t sizes[] = {flat<P>::numbers::size...};
            constexpr auto from = [](std::size_t i) constexpr {
                std::size_t sum = 0;
                for (std::size_t k = 0; k < i; ++k) sum += sizes[k];
                return sum;
            };
            return F::sinter_call(flat<P>::template gather<from(I)>(all)...);
        }(std::index_sequence_for<P...>());
    }
    static const codegen::definition& sinter_definition() {
        static const codegen::definition& d = [&]() -> const codegen::definition& {
            (flat<P>::enter(), ...);
            returned_type<Result>::enter();
            const codegen::definition& f = F::sinter_definition();
            std::string parameters, arguments;
            int number = 0;
            ((arguments += (arguments.empty() ? "" : ", ") + flat<P>::words(number, parameters)), ...);
            return runtime::add_definition_beside(f, f.name + "_of_members",
                                                  "(" + parameters + ") { return " + f.name + "(" + arguments + "); }");
        }();
        return d;
    }
};

/// What F does with each member of argument `Which`, and whether that is what it returns.
template <class F, std::size_t Which, class R>
struct uses_of_members {
    static constexpr std::size_t count = member_count<R>;
    codegen::member_use of[count];
    bool is_returned, all_unused = true;

    template <std::size_t... I>
    explicit uses_of_members(std::index_sequence<I...>)
        : of{codegen::use_of_member(F::sinter_definition().text, Which, member_name<R, I>())...},
          is_returned(codegen::returns_parameter(F::sinter_definition().text, Which)) {
        for (codegen::member_use u : of) all_unused = all_unused && u == codegen::member_use::unused;
    }
    static const uses_of_members& get() {
        static const uses_of_members found{member_numbers<R>()};
        return found;
    }
    /// Some of the columns have to tell the results' shape.
    bool needs(std::size_t i) const { return all_unused || of[i] != codegen::member_use::unused; }
    bool keeps(std::size_t i) const { return is_returned && of[i] != codegen::member_use::any; }
};

/// A column as a function's argument; where that is not used, nothing is moved for it.
template <class M>
function_argument column_argument(const array<M>& column, bool is_used) {
    if (is_used) return {column.get_handle(), {}};
    return {{}, codegen::scalar_value::of(M())};
}
template <class M>
void put_kept_column(array<M>& result, const array<M>& own, const dims& shape) {
    result = own.shape() == shape ? own : array<M>(record_broadcast("vectorize", own.get_handle(), shape));
}

/// Adds an argument's numbers.
template <class F, std::size_t Which, class P, class X>
void add_arguments(codegen::sequence<function_argument>& all, const X& x) {
    if constexpr (record_structure<P>) {
        x.checked_columns("vectorize");
        const auto& uses = uses_of_members<F, Which, P>::get();
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (all.push_back(column_argument(std::get<I>(x.columns()), uses.needs(I))), ...);
        }(member_numbers<P>());
    } else {
        all.push_back(make_argument<P>(x));
    }
}

/// Members that F returns as it got them are the argument's own, spread to the results' shape.
template <class F, std::size_t Which, class R, class X>
void put_kept_members(typename record_array<R>::columns_type& results, const X& from) {
    if constexpr (std::same_as<X, record_array<R>>) {
        const auto& uses = uses_of_members<F, Which, R>::get();
        const dims shape = std::get<0>(results).shape();
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            ((uses.keeps(I) ? put_kept_column(std::get<I>(results), std::get<I>(from.columns()), shape) : void()), ...);
        }(member_numbers<R>());
    }
}

template <class F>
struct record_caller {
    static_assert(
        requires { F::template sinter_pointer<F>(); },
        "sinter: a function of records names the types of its parameters");
    using type = function_type<decltype(F::template sinter_pointer<F>())>;

    template <class... P, class... X>
    static auto call_as(type_list<P...> parameters, const X&... x) {
        static_assert(sizeof...(P) == sizeof...(X), "sinter: this function takes another number of arguments");
        using Result = std::remove_cvref_t<typename type::result>;
        using Numbers = decltype((type_list<>() + ... + typename flat<P>::numbers()));
        using Flat = function_of_members<F, Result, type_list<P...>, Numbers>;
        static_cast<void>(parameters);
        return [&]<std::size_t... K>(std::index_sequence<K...>) {
            codegen::sequence<function_argument> arguments;
            (add_arguments<F, K, P>(arguments, x), ...);
            const auto results = record_invoke(bound_function<Flat, Result, Numbers>::invocation(),
                                               {arguments.begin(), arguments.size()});
            if constexpr (element<Result>) {
                return array<Result>(results[0]);
            } else {
                using List = typename result_parts<Result>::list;
                auto parts = arrays_of(results, List(), std::make_index_sequence<List::size>());
                if constexpr (record_structure<Result>) {
                    (put_kept_members<F, K, Result>(parts, x), ...);
                    return record_array<Result>(std::move(parts));
                } else {
                    return parts;
                }
            }
        }(std::index_sequence_for<X...>());
    }
    template <class... X>
    static auto call(const X&... x) {
        return call_as(typename type::parameters(), x...);
    }
};

}  // namespace sinter::inline SINTER_ABI::detail

#endif
