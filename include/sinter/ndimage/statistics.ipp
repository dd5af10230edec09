// Bodies of statistics.hpp.
#pragma once

#include <sinter/array/reading.hpp>
#include <sinter/functions/joining.hpp>
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

SINTER_INLINE handle record_extreme_of(const object_groups& groups, const handle& x, bool is_minimum,
                                       const codegen::scalar_value& identity, const term& counts) {
    // Bytes of bool are combined as numbers.
    const bool is_bool = x->type == dtype::bool_;
    const term values = is_bool ? record_cast(x, dtype::uint8) : x;
    const codegen::scalar_value first = is_bool ? number(static_cast<std::uint8_t>(is_minimum ? 1 : 0)) : identity;
    const term found = is_minimum
                           ? groups.combined(codegen::reduction::min, codegen::routine::scatter_min, values, first)
                           : groups.combined(codegen::reduction::max, codegen::routine::scatter_max, values, first);
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
