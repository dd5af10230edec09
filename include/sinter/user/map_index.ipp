// Bodies of map_index.hpp.
#pragma once

#include <sinter/user/map_index.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE void throw_outside(codegen::span<const std::int64_t> index, codegen::span<const std::int64_t> extents) {
    dims at, shape;
    for (std::int64_t i : index) at.push_back(i);
    for (std::int64_t n : extents) shape.push_back(n);
    throw index_error("[array_view] index " + to_string(at) + " is outside of shape " + to_string(shape));
}

SINTER_INLINE map_arguments::map_arguments(const char* function, const dims& shape, int indices)
    : function_(function), shape_(shape) {
    if (shape.size() != indices)
        throw shape_error("[map_index] " + function_ + " takes " + std::to_string(indices) +
                          " indices, but the shape is " + to_string(shape));
    for (int axis = 0; axis < indices; ++axis) {
        layout along{shape, dims::filled(indices, 0), 0};
        along.strides[axis] = 1;
        arguments_.push_back({record_view(record_index(dims(shape[axis])), along), {}});
    }
}

SINTER_INLINE void map_arguments::add_whole(const handle& array, dtype type, int rank) {
    if (array->shape.size() != rank)
        throw shape_error("[map_index] " + function_ + " reads an array of " + std::to_string(rank) +
                          " axes, but its shape is " + to_string(array->shape));
    arguments_.push_back({record_cast(array, type), {}});
    for (std::int64_t n : array->shape) arguments_.push_back({{}, codegen::scalar_value::of(n)});
}

SINTER_INLINE codegen::sequence<handle> map_arguments::call(const codegen::invocation& f) const {
    codegen::sequence<handle> results = record_invoke(f, arguments_);
    if (results[0]->shape != shape_)
        throw shape_error("[map_index] elements of shape " + to_string(results[0]->shape) + " do not broadcast to " +
                          to_string(shape_));
    return results;
}

}  // namespace sinter::inline SINTER_ABI::detail
