// Functions of structures over record arrays: vectorize(step)(p, dt), one kernel that moves columns. It uses Boost.
#pragma once

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
        const std::string name = "a" + std::to_string(number++);
        parameters += (parameters.empty() ? "" : ", ") + kernel_spelling<P>() + " " + name;
        return name;
    }
    template <class X>
    static auto arguments(const X& x) {
        return std::tuple<const X&>(x);
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
    static auto arguments(const record_array<R>& p) {
        p.checked_columns("vectorize");
        return std::apply([](const auto&... c) { return std::tie(c...); }, p.columns());
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
        return std::apply(
            [](const auto&... column) {
                auto results = array_function<Flat, Result, Numbers>::call(column...);
                if constexpr (record_structure<Result>) return record_array<Result>(std::move(results));
                else return results;
            },
            std::tuple_cat(flat<P>::arguments(x)...));
    }
    template <class... X>
    static auto call(const X&... x) {
        return call_as(typename type::parameters(), x...);
    }
};

}  // namespace sinter::inline SINTER_ABI::detail

#endif
