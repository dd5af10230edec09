// Bodies of gradient.hpp.
#pragma once

#include <sinter/functions/term.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/analysis/gradient.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

[[noreturn]] SINTER_INLINE void throw_several_gradients(std::size_t count) {
    throw value_error("[gradient] there are " + std::to_string(count) +
                      " derivatives, one for each axis: take one of them, gradient(f)[0]");
}

// An axis' elements before, at and behind places, which are those of the axis itself or, so that there is an element on
// both sides, those next to its ends.
struct neighbours {
    term number, low, middle, high;

    neighbours(std::int64_t n, bool inner)
        : number(record_index(dims(n))),
          low(number),
          middle(inner ? apply(op::maximum, apply(op::minimum, number, static_cast<double>(n - 2)), 1) : number),
          high(number) {
        low = apply(op::maximum, middle - 1, 0);
        high = apply(op::minimum, middle + 1, static_cast<double>(n - 1));
    }
};

// What multiplies the three neighbours at the ends, of second order, and between them.
struct weights {
    term low, middle, high;
};

SINTER_INLINE weights chosen(const term& condition, const weights& a, const weights& b) {
    return {choose_where(condition, a.low, b.low), choose_where(condition, a.middle, b.middle),
            choose_where(condition, a.high, b.high)};
}

// The weights of points that stand d1 and d2 apart.
SINTER_INLINE weights weights_between(const term& d1, const term& d2) {
    return {-d2 / (d1 * (d1 + d2)), (d2 - d1) / (d1 * d2), d1 / (d2 * (d1 + d2))};
}

SINTER_INLINE weights weights_everywhere(const term& number, std::int64_t n, const term& d1, const term& d2) {
    const weights first{-(2 * d1 + d2) / (d1 * (d1 + d2)), (d1 + d2) / (d1 * d2), -d1 / (d2 * (d1 + d2))};
    const weights last{d2 / (d1 * (d1 + d2)), -(d2 + d1) / (d1 * d2), (2 * d2 + d1) / (d2 * (d1 + d2))};
    return chosen(number == 0, first, chosen(number == static_cast<double>(n - 1), last, weights_between(d1, d2)));
}

SINTER_INLINE handle gradient_along(const term& f, int axis, const gradient_spacing& spacing, int edge_order) {
    const std::int64_t n = f.shape()[axis];
    const int rank = f.shape().size();
    const neighbours at(n, edge_order == 2);
    auto taken = [&](const term& where) { return term(record_take(f, where, axis)); };
    auto along = [&](const term& v) { return vector_along(v, axis, rank); };
    const term low = taken(at.low), middle = taken(at.middle), high = taken(at.high);
    const term is_end = at.number == 0 || at.number == static_cast<double>(n - 1);
    if (!spacing.points() || spacing.points()->shape.empty()) {
        const term step = spacing.points() ? record_cast(spacing.points(), f.type()) : constant_like(f, spacing.step());
        if (edge_order == 1) return (high - low) / along(term(record_cast(at.high - at.low, f.type())) * step);
        const term sign =
            record_cast(choose_where(at.number == 0, constant_like(f, 1), constant_like(f, -1)), f.type());
        const term far = choose_where(along(at.number == 0), high, low),
                   near = choose_where(along(at.number == 0), low, high);
        const term end =
            along(-1.5 * sign / step) * near + along(2 * sign / step) * middle + along(-0.5 * sign / step) * far;
        return choose_where(along(is_end), end, (high - low) / (2 * step));
    }
    const term points =
        record_cast(spacing.points(), codegen::promote(spacing.points()->type, codegen::real_of(f.type())));
    const term x0 = elements_at(points, at.low), x1 = elements_at(points, at.middle), x2 = elements_at(points, at.high);
    const term d1 = x1 - x0, d2 = x2 - x1;
    const weights w = edge_order == 1 ? weights_between(d1, d2) : weights_everywhere(at.number, n, d1, d2);
    const term inside = along(w.low) * low + along(w.middle) * middle + along(w.high) * high;
    if (edge_order == 2) return record_cast(inside, f.type());
    return record_cast(choose_where(along(is_end), (high - low) / along(x2 - x0), inside), f.type());
}

SINTER_INLINE void require_spacing(const gradient_spacing& s, std::int64_t n, int axis, int edge_order) {
    if (n < edge_order + 1)
        throw value_error("[gradient] axis " + std::to_string(axis) + " has " + std::to_string(n) +
                          " elements, and at least " + std::to_string(edge_order + 1) + " are needed");
    if (!s.points()) return;
    if (s.points()->shape.size() > 1)
        throw value_error("[gradient] points of an axis are no vector: " + to_string(s.points()->shape));
    if (s.points()->shape.size() == 1 && s.points()->shape[0] != n)
        throw value_error("[gradient] " + std::to_string(s.points()->shape[0]) + " points for axis " +
                          std::to_string(axis) + " with size " + std::to_string(n));
}

SINTER_INLINE codegen::sequence<handle> record_gradient(const handle& x, codegen::span<const gradient_spacing> spacing,
                                                        const gradient_options& o) {
    const dims along = o.axis.list("gradient", x->shape.size());
    if (o.edge_order != 1 && o.edge_order != 2)
        throw value_error("[gradient] edge_order is neither 1 nor 2: " + std::to_string(o.edge_order));
    const bool shared = spacing.size() == 1 && !(spacing[0].points() && spacing[0].points()->shape.size() == 1);
    if (!spacing.empty() && !shared && static_cast<int>(spacing.size()) != along.size())
        throw value_error("[gradient] " + std::to_string(spacing.size()) + " spacings for " +
                          std::to_string(along.size()) + " axes");
    device_scope on(x->where);
    codegen::sequence<handle> result;
    for (int i = 0; i < along.size(); ++i) {
        const int axis = static_cast<int>(along[i]);
        const gradient_spacing s =
            spacing.empty() ? gradient_spacing(1) : spacing[shared ? 0 : static_cast<std::size_t>(i)];
        require_spacing(s, x->shape[axis], axis, o.edge_order);
        result.push_back(gradient_along(x, axis, s, o.edge_order));
    }
    return result;
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
