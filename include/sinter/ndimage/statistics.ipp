// Bodies of statistics.hpp.
#pragma once

#include <sinter/array/reading.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/joining.hpp>
#include <sinter/functions/ordering.hpp>
#include <sinter/functions/term.hpp>
#include <sinter/ndimage/statistics.hpp>

#include <algorithm>

namespace sinter::inline SINTER_ABI::ndimage::detail {

// Elements in a line, and by which numbers they are put together: none where all are one object.
struct object_groups {
    std::string_view operation;
    handle labels;
    object_numbers index;

    std::int64_t count() const { return *std::max_element(index.begin(), index.end()) + 1; }

    // Of each number from 0 on, or of the one object.
    term combined(codegen::reduction how, codegen::routine by, const term& values,
                  const codegen::scalar_value& identity) const {
        if (!index.empty()) return record_segments(operation, by, values, labels, count(), identity);
        const term counted =
            labels ? choose_where(term(labels) > 0, values, term(record_scalar(identity, {}))) : values;
        return record_reduce(how, counted, 1, false);
    }
    term summed(const term& values) const {
        return combined(codegen::reduction::sum, codegen::routine::scatter_add, values, number(0.0));
    }
    // What is known of each number, for each element.
    term spread(const term& of_each) const {
        if (index.empty()) return of_each;
        const term numbers = labels;
        const term belongs = numbers >= 0 && numbers < static_cast<double>(count());
        return elements_at(of_each, choose_where(belongs, numbers, constant_like(numbers, 0)));
    }
    handle chosen(const term& of_each) const {
        if (index.empty()) return of_each;
        const handle taken = record_take_known(of_each, index, 0);
        return index.is_one ? record_reshape(taken, {}) : taken;
    }
};

SINTER_INLINE object_groups groups_of(std::string_view operation, const handle& x, const object_options& o) {
    const handle given = o.labels.value;
    if (!o.index.empty() && (!given || *std::min_element(o.index.begin(), o.index.end()) < 0))
        throw value_error("[" + std::string(operation) + "] an index without labels, or of negative ones");
    handle labels;
    if (given)
        labels = record_reshape(record_broadcast(operation, record_cast(given, dtype::int64), x->shape),
                                dims(x->shape.product()));
    return {operation, labels, o.index};
}

// The elements, bytes of bool as numbers, and what is the smallest or largest of each group.
struct extremes_of_groups {
    term values, found;
};

SINTER_INLINE extremes_of_groups combine_extremes(const object_groups& groups, const handle& x, bool is_minimum,
                                                  const codegen::scalar_value& identity) {
    const bool is_bool = x->type == dtype::bool_;
    const term values = is_bool ? record_cast(x, dtype::uint8) : x;
    const codegen::scalar_value first = is_bool ? number(static_cast<std::uint8_t>(is_minimum ? 1 : 0)) : identity;
    return {values, is_minimum
                        ? groups.combined(codegen::reduction::min, codegen::routine::scatter_min, values, first)
                        : groups.combined(codegen::reduction::max, codegen::routine::scatter_max, values, first)};
}

SINTER_INLINE handle record_extreme_of(const object_groups& groups, const handle& x, bool is_minimum,
                                       const codegen::scalar_value& identity, const term& counts) {
    const term found = combine_extremes(groups, x, is_minimum, identity).found;
    return record_cast(groups.chosen(choose_where(counts > 0, found, constant_like(found, 0))), x->type);
}

SINTER_INLINE handle record_object_statistic(std::string_view operation, const handle& given, const object_options& o,
                                             object_statistic which, const codegen::scalar_value& identity) {
    device_scope on(given->where);
    const object_groups groups = groups_of(operation, given, o);
    const std::int64_t n = given->shape.product();
    const handle x = record_reshape(given, dims(n));
    const term values = record_cast(x, dtype::float64);
    if (which == object_statistic::sum) return groups.chosen(groups.summed(values));
    const term counts = groups.summed(record_scalar(number(1.0), dims(n)));
    if (which == object_statistic::minimum || which == object_statistic::maximum)
        return record_extreme_of(groups, x, which == object_statistic::minimum, identity, counts);
    const term means = groups.summed(values) / counts;
    if (which == object_statistic::mean) return groups.chosen(means);
    const term off = values - groups.spread(means);
    const term variances = groups.summed(off * off) / counts;
    return groups.chosen(which == object_statistic::variance ? variances : apply(op::sqrt, variances));
}

SINTER_INLINE handle record_object_position(std::string_view operation, const handle& given, const object_options& o,
                                            bool is_minimum, const codegen::scalar_value& identity) {
    device_scope on(given->where);
    const object_groups groups = groups_of(operation, given, o);
    const std::int64_t n = given->shape.product();
    const auto [values, found] = combine_extremes(groups, record_reshape(given, dims(n)), is_minimum, identity);
    const term place = record_index(dims(n)), nowhere = constant_like(place, static_cast<double>(n));
    const term is_extreme = values == groups.spread(found);
    const term first = groups.chosen(groups.combined(codegen::reduction::min, codegen::routine::scatter_min,
                                                     choose_where(is_extreme, place, nowhere), number(n)));
    codegen::sequence<handle> each;
    const dims strides = codegen::contiguous(given->shape).strides;
    for (int axis = 0; axis < given->shape.size(); ++axis) {
        const term along =
            apply(op::floor_divide, first, static_cast<double>(std::max<std::int64_t>(strides[axis], 1)));
        const term at = apply(op::remainder, along, static_cast<double>(std::max<std::int64_t>(given->shape[axis], 1)));
        each.push_back(choose_where(first < static_cast<double>(n), at, constant_like(at, -1)));
    }
    return record_stack(operation, each, dtype::int64, first.shape().size());
}

// Sorted by values and then by objects, each object's elements lie side by side.
SINTER_INLINE handle record_object_median(const handle& given, const object_options& o) {
    device_scope on(given->where);
    object_groups groups = groups_of("median", given, o);
    const std::int64_t n = given->shape.product();
    const handle values = record_reshape(record_cast(given, dtype::float64), dims(n));
    const bool is_single = groups.index.empty();
    if (is_single) {
        groups.labels = groups.labels ? record_cast(term(groups.labels) > 0, dtype::int64)
                                      : record_scalar(number(std::int64_t{1}), dims(n));
        groups.index = object_numbers(1);
    }
    const handle by_value = record_sort(codegen::routine::argsort, values, 0);
    const term labels = elements_at(groups.labels, by_value);
    const term order = elements_at(by_value, record_sort(codegen::routine::argsort, labels, 0));
    const term sorted = elements_at(values, order), numbers = elements_at(groups.labels, order);
    const term wanted = groups.chosen(record_index(dims(groups.count())));
    const term begin = record_searchsorted(numbers, n, wanted, false),
               end = record_searchsorted(numbers, n, wanted, true);
    const term count = end - begin, half = apply(op::floor_divide, count - 1, 2.0);
    const auto at = [&](const term& place) {
        return elements_at(sorted, choose_where(count > 0, place, constant_like(place, 0)));
    };
    const term middle = (at(begin + half) + at(end - 1 - half)) / 2;
    // NaN is sorted behind all numbers, and what it belongs to has no median.
    const term last = at(end - 1);
    const term known = (count > 0) && (last == last);
    return choose_where(known, middle, constant_like(middle, codegen::ieee::quiet_nan));
}

SINTER_INLINE std::vector<std::vector<slice>> find_bounds(const handle& labels, std::int64_t max_label) {
    device_scope on(labels->where);
    const int rank = labels->shape.size();
    const std::int64_t n = labels->shape.product();
    const term numbers = record_reshape(record_cast(labels, dtype::int64), dims(n));
    std::int64_t count = std::max<std::int64_t>(max_label, 0);
    if (max_label == 0 && n > 0)
        count = std::max<std::int64_t>(
            read_item(record_reduce(codegen::reduction::max, numbers, 1, false), {}).as<std::int64_t>(), 0);
    std::vector<std::vector<slice>> boxes(static_cast<std::size_t>(count));
    if (count == 0 || rank == 0 || n == 0) return boxes;
    codegen::sequence<handle> ends;
    for (int axis = 0; axis < rank; ++axis) {
        const handle place = record_reshape(record_cast(record_axis_index(labels->shape, axis), dtype::int64), dims(n));
        ends.push_back(record_segments("find_objects", codegen::routine::scatter_min, place, numbers - 1, count,
                                       number(std::numeric_limits<std::int64_t>::max())));
        ends.push_back(record_segments("find_objects", codegen::routine::scatter_max, place, numbers - 1, count,
                                       number(std::int64_t{-1})));
    }
    std::vector<std::int64_t> at(static_cast<std::size_t>(2 * rank * count));
    read(record_stack("find_objects", ends, dtype::int64, 0), at.data());
    for (std::size_t k = 0; k < boxes.size(); ++k)
        for (std::size_t end = 0; end < ends.size(); end += 2)
            if (const std::int64_t last = at[(end + 1) * boxes.size() + k]; last >= 0)
                boxes[k].emplace_back(at[end * boxes.size() + k], last + 1);
    return boxes;
}

}  // namespace sinter::inline SINTER_ABI::ndimage::detail
