// Bodies of segments.hpp.
#pragma once

#include <sinter/array/scatter.hpp>
#include <sinter/analysis/segments.hpp>
#include <sinter/functions/term.hpp>

namespace sinter::inline SINTER_ABI::detail {

// One more than the largest number.
SINTER_INLINE std::int64_t segments_in(const handle& numbers) {
    if (numbers->shape[0] == 0) return 0;
    const handle largest = record_reduce(codegen::reduction::max, numbers, 1, false);
    return std::max<std::int64_t>(read_item(record_cast(largest, dtype::int64), {}).as<std::int64_t>() + 1, 0);
}

SINTER_INLINE handle record_segments(std::string_view name, codegen::routine how, const handle& data,
                                     const handle& given, std::int64_t count, const codegen::scalar_value& identity) {
    if (data->shape.empty() || given->shape.size() != 1 || data->shape[0] != given->shape[0])
        throw shape_error("[" + std::string(name) + "] numbers of segments do not fit rows: " +
                          to_string(given->shape) + " and " + to_string(data->shape));
    device_scope on(data->where);
    const term numbers = record_cast(given, dtype::int64);
    if (count < 0) count = segments_in(numbers);
    dims shape = data->shape;
    shape[0] = count;
    if (count == 0 || data->shape.product() == 0) return record_scalar(identity, shape);
    // Rows that belong nowhere have a segment of their own, behind the others.
    shape[0] = add_sizes(name, count, 1);
    const handle nothing = record_scalar(identity, shape);
    const term belongs = numbers >= 0 && numbers < static_cast<double>(count);
    const term outside = constant_like(numbers, static_cast<double>(count));
    const index_item item{.kind = index_item::what::indices, .indices = choose_where(belongs, numbers, outside)};
    return record_part(record_scatter(how, nothing, select(nothing, {&item, 1}), data), 0, 0, count);
}

}  // namespace sinter::inline SINTER_ABI::detail
