// When values are computed: eval of several together, out into existing memory, and synchronize.
#pragma once

#include <sinter/codegen/base/sequence.hpp>
#include <sinter/array/array.hpp>

#include <iterator>
#include <tuple>

namespace sinter::inline SINTER_ABI {

namespace detail {

/// Stands for a member of any type where the members of a structure are counted.
struct any_member {
    template <class T>
    operator T() const;
};

template <class T, class... Member>
constexpr int count_members() {
    if constexpr (sizeof...(Member) < 16 && requires { T{Member()..., any_member()}; })
        return count_members<T, Member..., any_member>();
    else return sizeof...(Member);
}

/// Calls f with the members of a structure, of which it has at most eight.
template <class T, class F>
void visit_members(const T& s, F f) {
    constexpr int count = count_members<T>();
    static_assert(count <= 8, "sinter: eval takes structures of at most eight members");
    if constexpr (count == 1) {
        const auto& [a] = s;
        f(a);
    } else if constexpr (count == 2) {
        const auto& [a, b] = s;
        f(a, b);
    } else if constexpr (count == 3) {
        const auto& [a, b, c] = s;
        f(a, b, c);
    } else if constexpr (count == 4) {
        const auto& [a, b, c, d] = s;
        f(a, b, c, d);
    } else if constexpr (count == 5) {
        const auto& [a, b, c, d, e] = s;
        f(a, b, c, d, e);
    } else if constexpr (count == 6) {
        const auto& [a, b, c, d, e, g] = s;
        f(a, b, c, d, e, g);
    } else if constexpr (count == 7) {
        const auto& [a, b, c, d, e, g, h] = s;
        f(a, b, c, d, e, g, h);
    } else if constexpr (count == 8) {
        const auto& [a, b, c, d, e, g, h, i] = s;
        f(a, b, c, d, e, g, h, i);
    }
}

/// How the members are visited of what is neither a range nor a std::tuple nor a structure of few members; headers of
/// such types specialise it.
template <class T>
struct member_visitor {
    static constexpr bool is_known = false;
};

template <class T>
concept range_of_any = requires(const T& r) {
    std::begin(r);
    std::end(r);
};
template <class T>
concept tuple_like = requires { std::tuple_size<T>::value; };
template <class T>
concept holds_several =
    member_visitor<T>::is_known || range_of_any<T> || tuple_like<T> || (std::is_class_v<T> && std::is_aggregate_v<T>);

/// Adds the values in arrays, expressions, and ranges, tuples and structures of them; what else they hold is passed
/// over.
template <class T>
void add_values(codegen::sequence<handle>& values, const T& x) {
    auto add_all = [&values](const auto&... member) { (add_values(values, member), ...); };
    if constexpr (expression<T>) {
        values.push_back(as_handle(x));
    } else if constexpr (member_visitor<T>::is_known) {
        member_visitor<T>::visit(x, add_all);
    } else if constexpr (range_of_any<T>) {
        using member = std::remove_cvref_t<decltype(*std::begin(x))>;
        if constexpr (expression<member> || holds_several<member>)
            for (const auto& each : x) add_values(values, each);
    } else if constexpr (tuple_like<T>) {
        std::apply(add_all, x);
    } else if constexpr (holds_several<T>) {
        visit_members(x, add_all);
    }
}

}  // namespace detail

/// Computes values now, together in as few kernels as possible. Arrays keep their values; other expressions are
/// recorded for the occasion.
template <expression... E>
void eval(const E&... e) {
    const detail::handle list[] = {detail::as_handle(e)...};
    detail::evaluate(list, runtime::policy::request);
}
/// The same for ranges, tuples and structures that hold arrays, as deep as may be: `eval(state, residuals)`.
template <class... T>
    requires(!(expression<T> && ...))
void eval(const T&... x) {
    static_assert(((expression<T> || detail::holds_several<T>) && ...),
                  "sinter: eval takes arrays and expressions, and ranges, tuples and structures of them");
    codegen::sequence<detail::handle> values;
    (detail::add_values(values, x), ...);
    detail::evaluate(values, runtime::policy::request);
}

namespace detail {
void precompile(codegen::span<const handle> values);
}  // namespace detail

/// Compiles the kernels that reading each of these by itself needs, all at the same time, and computes nothing; takes
/// what eval takes. For programs that record many results and read them one after the other, whose kernels would be
/// compiled one after the other as well; so are those of sorts, scatters, counts and linear algebra. What cannot be
/// compiled throws where it is read. Throws value_error while a step is recorded. NumPy, which compiles nothing, has no
/// equivalent.
template <class... T>
void precompile(const T&... x) {
    static_assert(((expression<T> || detail::holds_several<T>) && ...),
                  "sinter: precompile takes arrays and expressions, and ranges, tuples and structures of them");
    codegen::sequence<detail::handle> values;
    (detail::add_values(values, x), ...);
    detail::precompile(values);
}

/// Runs everything that this thread has recorded and something still names, and waits for the device.
inline void synchronize() { runtime::synchronize_all(); }

namespace detail {
/// A value in the memory of another of the same shape, which the expression that it is made of holds `inside` times.
/// What else holds that memory keeps its contents, which move, and a view of them gets memory of its own; throws
/// shape_error, and value_error where nothing can move.
handle written_into(const handle& target, const handle& value, int inside);
/// How often an expression holds a value.
int count_inside(const recorder& r, const handle& h);
}  // namespace detail

/// Existing memory as the place for a result: see out().
template <class T>
class output {
public:
    explicit output(array<T>& a) : array_(a) {}
    template <expression E>
    void operator=(const E& e) && {
        detail::require_assignable<value_type_t<E>, T>();
        detail::recorder r;
        if constexpr (requires { e.append_to(r); }) e.append_to(r);
        write(detail::record_expression<T>(e), detail::count_inside(r, array_.get_handle()));
    }
    template <detail::scalar_operand S>
    void operator=(const S& s) && {
        write(detail::record_scalar(detail::written_number<T>("out", s), array_.shape()), 0);
    }
    /// The array, for what writes it otherwise.
    array<T>& target() const { return array_; }

private:
    void write(const detail::handle& value, int inside) {
        array_ = array<T>(detail::written_into(array_.get_handle(), value, inside));
    }

    array<T>& array_;
};

/// Computes an expression, or a number for all elements, into an array's memory, whose address stays: `out(a) = e`
/// (NumPy's out=). Runs at once. Other arrays that share the memory keep what they hold; an array whose elements do not
/// lie side by side, because it is a view of another's such as a transpose, gets memory of its own and is written
/// there. value_error for memory of other libraries, and where the address that data() gave away may be another
/// array's. shape_error when the shapes differ.
template <class T>
output<T> out(array<T>& a) {
    return output<T>(a);
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/array/evaluate.ipp>
#endif
