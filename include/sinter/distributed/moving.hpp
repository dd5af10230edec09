// Views and moves of values over ranks, untyped: transposes, reshapes, parts, roll, and functions of whole lines.
#pragma once

#include <sinter/array/index.hpp>
#include <sinter/distributed/value.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// Axes in another order; none given means reversed.
distributed_ref record_distributed_transpose(const distributed_ref& v, dims order);
/// The same elements in another shape where each rank keeps what it has; one size may be -1.
distributed_ref record_distributed_reshape(const distributed_ref& v, dims shape);
/// Where an index of a value leads: elements of the whole, and how they lie; nothing moves for it.
struct distributed_part {
    /// Throws what an index of an ordinary array does, and value_error for what is not distributed.
    distributed_part(const distributed_ref& v, codegen::span<const index_item> items);

    distributed_ref of;
    selection whole;
    placement where;
    std::vector<index_item>
        items;  ///< an item for each axis, and those of new ones, where ranks have different elements
};
/// The elements at an index.
distributed_ref record_distributed_select(const distributed_part& p);
/// The value with others assigned at an index: each rank writes what it has of it, from the ranks that have the values.
/// Throws shape_error for values that do not fill it, and value_error for those that are split along another axis.
distributed_ref record_distributed_assign(const distributed_part& p, const distributed_ref& given);

/// Operands of a matrix product as this rank multiplies them, and how the result lies.
struct distributed_product {
    handle a, b;
    dims shape;
    placement where;
    std::vector<std::string> moves;
    bool engine = false;  ///< by a library of distributed matrices
};
distributed_product plan_matmul(const distributed_ref& a, const distributed_ref& b);

/// numpy.roll along an axis.
distributed_ref record_distributed_roll(const distributed_ref& v, std::int64_t shift, int axis);

/// Axes along which a function takes whole lines, a bit mask, and what becomes of axes in its result.
struct line_axes {
    std::uint8_t mask;
    bool drops = false;  ///< the result has them no more
    int in_front = 0;    ///< axes that the result has before the others
};
/// A function of the lines along axes, whose result keeps all other axes: local where the lines are whole, by way of
/// another axis for Fourier transforms along one, else value_error.
distributed_ref record_distributed_lines(std::string_view operation, distributed::operation_class c,
                                         const distributed_ref& v, const line_axes& along,
                                         const std::function<handle(const handle&)>& f);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/distributed/moving.ipp>
#endif
