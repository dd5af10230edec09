// What is asked for beside created numbers: the distance of those between two ends, and open grids of indices.
#pragma once

#include <sinter/array/constants.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/creation.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI {

/// Options of linspace that ask for the distance of numbers, too.
struct linspace_step_options {
    detail::asked_for retstep;
    bool endpoint = true;
    std::int64_t axis = 0;
};
/// Numbers and how far they lie apart, NaN where there are none.
template <class T, class Step>
struct linspace_result {
    array<T> samples;
    Step step;
};

/// Numbers between two ends and their distance, an array between ends of arrays (numpy.linspace with retstep=True):
/// `auto [x, dx] = linspace(0, 1, 5, {.retstep = true})`.
template <class T = void, detail::operand A, detail::operand B>
auto linspace(const A& a, const B& b, std::int64_t n, linspace_step_options o) {
    using R = detail::spaced_type<T, A, B>;
    using W = typename codegen::cpp_type<detail::space_type<A, B>()>::type;
    const std::int64_t gaps = o.endpoint ? n - 1 : n;
    const double share = gaps > 0 ? 1 / static_cast<double>(gaps) : constants::nan;
    const array<R> samples = linspace<T>(a, b, n, linspace_options{o.endpoint, o.axis});
    if constexpr (expression<A> || expression<B>) {
        const auto [first, last] = detail::spaced_ends(a, b);
        const array<W> step = (array<W>(last) - array<W>(first)) *
                              static_cast<typename codegen::cpp_type<codegen::real_of(dtype_of<W>)>::type>(share);
        return linspace_result<R, array<W>>{samples, step};
    } else {
        return linspace_result<R, W>{samples, (W(b) - W(a)) * share};
    }
}

/// Options of indices that ask for an open grid.
struct sparse_indices_options {
    detail::asked_for sparse;
};
/// Of each axis its indices, of size one along the others (numpy.indices with sparse=True): `indices({3, 4}, {.sparse =
/// true})[1]` has the shape (1, 4).
template <class T = std::int64_t>
std::vector<array<T>> indices(const dims& shape, sparse_indices_options) {
    std::vector<array<T>> each;
    for (int axis = 0; axis < shape.size(); ++axis) {
        dims own = dims::filled(shape.size(), 1);
        own[axis] = shape[axis];
        each.emplace_back(detail::record_cast(detail::record_axis_index(own, axis), dtype_of<T>));
    }
    return each;
}

}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END
