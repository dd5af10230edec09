// Bodies of reductions.hpp.
#pragma once

#include <sinter/functions/reductions.hpp>

namespace sinter::inline SINTER_ABI {

SINTER_INLINE axes axes::of(std::initializer_list<std::int64_t> list) {
    axes a;
    a.given_ = list.size() != 0;
    for (std::int64_t axis : list) a.list_.push_back(axis);
    return a;
}

SINTER_INLINE dims axes::list(std::string_view operation, int rank) const {
    dims all;
    for (int i = 0; !given_ && i < rank; ++i) all.push_back(i);
    for (std::int64_t a : list_) {
        const int axis = codegen::normalize_axis(operation, a, rank);
        for (std::int64_t other : all)
            if (other == axis)
                throw value_error("[" + std::string(operation) + "] axis " + std::to_string(a) + " is given twice");
        all.push_back(axis);
    }
    return all;
}

SINTER_INLINE std::uint8_t axes::mask(std::string_view operation, int rank) const {
    int m = 0;
    for (std::int64_t axis : list(operation, rank)) m |= 1 << axis;
    return static_cast<std::uint8_t>(m);
}

namespace detail {

SINTER_INLINE handle record_reduce_axes(codegen::reduction how, const handle& x, const axes& a, bool keep) {
    const std::uint8_t mask = a.mask(to_string(how), x->shape.size());
    handle r = record_reduce(how, x, mask, keep);
    if (how != codegen::reduction::prod || codegen::kind_rank(x->type) < 2) return r;
    return record_zero_of_overflow(r, record_reduce(how, record_signs(x), mask, keep));
}

SINTER_INLINE handle record_scan_axis(codegen::reduction how, const handle& x, int axis) {
    handle r = record_scan(how, x, axis);
    if (how != codegen::reduction::prod || codegen::kind_rank(x->type) < 2) return r;
    return record_zero_of_overflow(r, record_scan(how, record_signs(x), axis));
}

SINTER_INLINE handle record_signs(const handle& x) {
    const dtype type = codegen::real_of(x->type);
    recorder r;
    if (codegen::is_complex(x->type)) {
        r.add_input(x);
        r.add_cast(dtype::bool_);
        r.add_cast(type);
    } else {
        r.add_literal(type, 1);
        r.add_input(x);
        r.add_op(codegen::op::copysign);
    }
    r.add_input(x);
    r.add_input(x);
    r.add_op(codegen::op::subtract);
    if (codegen::is_complex(x->type)) r.add_op(codegen::op::abs2);
    r.add_op(codegen::op::add);
    return record(r, type, x->shape);
}

SINTER_INLINE handle record_zero_of_overflow(const handle& product, const handle& signs) {
    recorder r;
    r.add_input(product);
    r.add_op(codegen::op::isnan);
    r.add_input(signs);
    if (codegen::is_complex(product->type)) {
        r.add_literal(signs->type, 0);
        r.add_op(codegen::op::equal);
        r.add_op(codegen::op::logical_and);
        r.add_literal(product->type, 0);
    } else {
        r.add_literal(signs->type, 0);
        r.add_op(codegen::op::multiply);
    }
    r.add_input(product);
    r.add_op(codegen::op::where);
    return record(r, product->type, product->shape);
}

SINTER_INLINE std::int64_t count_reduced(std::string_view operation, const dims& shape, const axes& a) {
    std::uint8_t mask = a.mask(operation, shape.size());
    std::int64_t n = 1;
    for (int i = 0; i < shape.size(); ++i)
        if (mask >> i & 1) n *= shape[i];
    return n;
}

SINTER_INLINE handle record_weights(const handle& weights, const dims& shape, const axes& a) {
    const dims over = a.list("average", shape.size()), &own = weights->shape;
    if (own == shape) return weights;
    bool fits = own.size() == over.size();
    for (int i = 0; fits && i < own.size(); ++i) fits = own[i] == shape[static_cast<int>(over[i])];
    if (!fits)
        throw shape_error("[average] weights of shape " + to_string(own) + " fit neither " + to_string(shape) +
                          " nor its axes " + to_string(over));
    dims order, wide;
    for (int axis = 0; axis < shape.size(); ++axis) {
        wide.push_back(1);
        for (int i = 0; i < over.size(); ++i)
            if (over[i] == axis) {
                order.push_back(i);
                wide[axis] = shape[axis];
            }
    }
    return record_reshape(record_view(weights, codegen::transposed(codegen::contiguous(own), order)), wide);
}

}  // namespace detail
}  // namespace sinter::inline SINTER_ABI
