// Recorded steps: a function of arrays that is planned once and launched as a whole each time it is called.
#pragma once

#include <sinter/codegen/base/sequence.hpp>
#include <sinter/array/evaluate.hpp>
#include <sinter/runtime/lazy/steps/step_scope.hpp>

#include <tuple>

namespace sinter::inline SINTER_ABI {

namespace detail {

/// What a step returns, computed: an array for an expression, a tuple of such for a tuple, and structures and vectors
/// that hold arrays as they are.
template <class R>
struct step_result {
    static_assert(holds_several<R>,
                  "sinter: a step of a graph returns an expression, a tuple, structure or vector of such, or nothing");
    using type = R;
    static type make(const R& r) { return r; }
    static void finish(runtime::step_scope& s, const type& a) {
        codegen::sequence<handle> results;
        add_values(results, a);
        s.finish(results);
    }
};

template <expression R>
struct step_result<R> {
    using type = array<value_type_t<R>>;
    static type make(const R& r) { return type(r); }
    static void finish(runtime::step_scope& s, const type& a) { s.finish({&a.get_handle(), 1}); }
};

template <class... E>
struct step_result<std::tuple<E...>> {
    using type = std::tuple<typename step_result<E>::type...>;
    static type make(const std::tuple<E...>& r) {
        return std::apply([](const E&... e) { return type(step_result<E>::make(e)...); }, r);
    }
    static void finish(runtime::step_scope& s, const type& a) {
        if constexpr ((expression<E> && ...)) {
            std::apply(
                [&](const auto&... each) {
                    const handle results[] = {each.get_handle()...};
                    s.finish(results);
                },
                a);
        } else {
            codegen::sequence<handle> results;
            add_values(results, a);
            s.finish(results);
        }
    }
};

}  // namespace detail

/// A function of arrays and numbers as one unit: `graph step(f); u = step(u, dt);`. Each call returns what f returns,
/// as computed arrays; all of it is evaluated together. The first call plans and compiles, later ones of the same
/// shapes launch what was planned, with their own arrays, numbers and random numbers; on a CUDA device as one graph of
/// launches. f says what is to be computed and must not depend on the data: reading an array inside it throws
/// value_error, and `eval` inside it waits for the end of the step.
template <class F>
class graph {
public:
    explicit graph(F f) : f_(std::move(f)) {}

    template <class... A>
    auto operator()(A&&... arguments) {
        using R = std::remove_cvref_t<std::invoke_result_t<F&, A...>>;
        runtime::step_scope scope(memory_);
        if constexpr (std::is_void_v<R>) {
            f_(std::forward<A>(arguments)...);
            scope.finish({});
        } else {
            auto results = detail::step_result<R>::make(f_(std::forward<A>(arguments)...));
            detail::step_result<R>::finish(scope, results);
            return results;
        }
    }

private:
    F f_;
    runtime::step_memory memory_;
};

}  // namespace sinter::inline SINTER_ABI
