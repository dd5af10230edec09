// Functions of arrays over leading axes, by signatures of their core axes: vectorize<"(m,n),(n,p)->(m,p)">(f).
#pragma once

#include <sinter/user/kernel_parameters.hpp>
#include <sinter/user/vectorize.hpp>

namespace sinter::inline SINTER_ABI {

namespace detail {

/// How often "(" stands in a part of a signature.
constexpr std::size_t count_groups(std::string_view s) {
    std::size_t n = 0;
    for (char c : s) n += c == '(';
    return n;
}
constexpr std::string_view before_arrow(std::string_view s) { return s.substr(0, position_of("->", s)); }
constexpr std::string_view after_arrow(std::string_view s) {
    s.remove_prefix(position_of("->", s));
    return s.substr(s.empty() ? 0 : 2);
}

/// One application of a function over the leading axes of its arguments.
class core_application {
public:
    /// Throws value_error for a malformed signature, and shape_error when arguments do not fit it.
    core_application(std::string_view signature, codegen::span<const handle> arguments);
    /// How often the function is called.
    std::int64_t count() const { return leading_.product(); }
    /// What call number `i` gets of an argument: its core axes.
    handle part(std::size_t argument, std::int64_t i) const;
    /// Puts what it returned in its place; throws shape_error when the shape is not the signature's.
    void put(std::size_t result, std::int64_t i, const handle& value);
    /// All results of one kind; of no calls the signature's shape. Throws shape_error when that has an unknown size.
    handle take(std::size_t result, dtype type);

private:
    struct named_size {
        std::string name;
        std::int64_t size;
    };
    using group = codegen::sequence<std::string>;
    codegen::sequence<group> read(std::string_view part) const;
    std::int64_t* find(const std::string& name);
    void take_argument(std::size_t which, const dims& shape);
    dims core_of(const group& g, bool must_be_known);

    std::string signature_;
    codegen::sequence<group> inputs_, outputs_;
    codegen::sequence<named_size> sizes_;
    codegen::sequence<handle> arguments_, results_;
    dims leading_;
};

template <class R>
struct result_list {
    using types = std::tuple<R>;
};
template <class... R>
struct result_list<std::tuple<R...>> {
    using types = std::tuple<R...>;
};

}  // namespace detail

/// A function of arrays over the leading axes of its arguments; see vectorize.
template <detail::literal Signature, class F>
class core_vectorized {
    static constexpr std::size_t inputs = detail::count_groups(detail::before_arrow(Signature.view()));
    static constexpr std::size_t outputs = detail::count_groups(detail::after_arrow(Signature.view()));
    static_assert(inputs > 0 && outputs > 0, "sinter: a signature of core axes reads (m,n),(n,p)->(m,p)");

public:
    explicit core_vectorized(F f) : f_(std::move(f)) {}

    template <expression... X>
    auto operator()(const X&... x) const {
        static_assert(sizeof...(X) == inputs, "sinter: the signature has another number of arguments");
        if constexpr (sizeof...(X) == inputs)
            return call(std::index_sequence_for<X...>(), std::make_index_sequence<outputs>(), x...);
    }

private:
    template <std::size_t... I, std::size_t... O, class... X>
    auto call(std::index_sequence<I...>, std::index_sequence<O...>, const X&... x) const {
        using returned = std::remove_cvref_t<decltype(f_(std::declval<array<value_type_t<X>>>()...))>;
        using types = typename detail::result_list<returned>::types;
        static_assert(std::tuple_size_v<types> == outputs,
                      "sinter: the function returns another number of results than its signature has");
        const detail::handle arguments[] = {detail::as_handle(x)...};
        detail::core_application a(Signature.view(), arguments);
        for (std::int64_t i = 0; i < a.count(); ++i) {
            auto r = f_(array<value_type_t<X>>(a.part(I, i))...);
            if constexpr (std::is_same_v<types, returned>) (a.put(O, i, detail::as_handle(std::get<O>(r))), ...);
            else a.put(0, i, detail::as_handle(r));
        }
        if constexpr (std::is_same_v<types, returned>)
            return std::tuple<array<value_type_t<std::tuple_element_t<O, types>>>...>{
                array<value_type_t<std::tuple_element_t<O, types>>>(
                    a.take(O, dtype_of<value_type_t<std::tuple_element_t<O, types>>>))...};
        else return array<value_type_t<returned>>(a.take(0, dtype_of<value_type_t<returned>>));
    }

    F f_;
};

/// A function of arrays applied over the leading axes of its arguments, which broadcast (numpy.vectorize with a
/// signature): `vectorize<"(m,n),(n,p)->(m,p)">(f)`. The last axes of an argument are those in its parentheses; equal
/// names have equal sizes, and a number is a size. f is called once for each element of the leading axes, with arrays
/// of the core axes, and returns an expression or a tuple of them. Calls are recorded and computed together. Throws
/// shape_error that names the axis which does not fit.
template <detail::literal Signature, class F>
core_vectorized<Signature, F> vectorize(F f) {
    return core_vectorized<Signature, F>(std::move(f));
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/user/signatures.ipp>
#endif
