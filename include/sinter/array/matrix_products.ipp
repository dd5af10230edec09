// Bodies of matrix_products.hpp.
#pragma once

#include <sinter/array/matrix_products.hpp>
#include <sinter/array/precision.hpp>
#include <sinter/codegen/kernels/linalg/tiled_products.hpp>
#include <sinter/codegen/ops/matrix_stack.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/execute/calls.hpp>
#include <sinter/runtime/library/blas.hpp>

#include <algorithm>
#include <climits>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE bool has_products(dtype type, device where) {
    if (!codegen::is_half(type)) return true;
    return !where.is_cpu() && !codegen::is_complex(type) &&
           (type == dtype::float16 || runtime::properties(where.index()).major >= 8);
}

SINTER_INLINE handle record_leading_ones(const handle& x, int rank) {
    dims shape = x->shape;
    while (shape.size() < rank) shape.insert(0, 1);
    return record_view(x, codegen::contiguous(shape));
}

// The product of stacks of matrices that fit, added to a value of the product's shape if there is one.
SINTER_INLINE handle record_product(std::string_view operation, const handle& base, const handle& a, const handle& b,
                                    precision in) {
    const dims &l = a->shape, &r = b->shape;
    const std::int64_t m = l[l.size() - 2], k = l.back(), n = r.back();
    const dims stack = broadcast_stacks(operation, l, r), shape = of_stack(stack, m, n);
    handle x = record_leading_ones(a, shape.size()), y = record_leading_ones(b, shape.size());
    // By sizes alone: how they are multiplied, and so no bit, depends on where operands lie.
    if (!codegen::has_one_stride(shape, x->shape, y->shape) && !codegen::is_listable(a->type, in, m, n, k)) {
        x = record_broadcast(operation, x, of_stack(stack, m, k));
        y = record_broadcast(operation, y, of_stack(stack, k, n));
    }
    runtime::statement s;
    runtime::use_calls();
    s.kind = runtime::statement_kind::call;
    s.call = {base ? codegen::routine::matmul_add : codegen::routine::matmul, in};
    if (base) s.inputs.push_back(base.get());
    s.inputs.push_back(x.get());
    s.inputs.push_back(y.get());
    const device where = device_of(operation, s.inputs);
    return runtime::make_pending(a->type, shape, where, std::move(s));
}

/// A value as a sum of one that TF32 holds and a rest; what is not finite is all in the rest.
struct tf32_parts {
    handle high, low;
};

// Both lie as the matrices do, by rows or by columns: nothing is transposed.
SINTER_INLINE tf32_parts parts_of(const handle& x) {
    if (!walks_rows(*x)) {
        dims order;
        for (int i = 0; i < x->shape.size(); ++i) order.push_back(i);
        std::swap(order[order.size() - 2], order[order.size() - 1]);
        auto turned = [&](const handle& h) {
            return record_view(h, codegen::transposed(codegen::contiguous(h->shape), order));
        };
        const tf32_parts parts = parts_of(turned(x));
        return {turned(parts.high), turned(parts.low)};
    }
    const handle high = record_apply(codegen::op::tf32_part, {&x, 1}), pair[] = {x, high};
    return {high, record_apply(codegen::op::subtract, pair)};
}

// Three products; what is left out is the smallest, of two rests. The smaller ones are added first.
SINTER_INLINE handle record_split_product(std::string_view operation, const handle& a, const handle& b) {
    const tf32_parts x = parts_of(a), y = parts_of(b);
    handle sum = record_product(operation, {}, x.low, y.high, precision::tf32);
    sum = record_product(operation, sum, x.high, y.low, precision::tf32);
    return record_product(operation, sum, x.high, y.high, precision::tf32x3);
}

SINTER_INLINE bool has_tiles(dtype type, device where, std::int64_t count, std::int64_t m, std::int64_t n,
                             std::int64_t k) {
    return where.is_cuda() && codegen::takes_tiled_products(type, count, m, n, k);
}

// Whether matrices of integers are multiplied by tiles.
SINTER_INLINE bool is_tiled(const handle& a, const handle& b) {
    const dims &l = a->shape, &r = b->shape;
    if (l.size() < 2 || r.size() < 2 || l.product() == 0 || r.product() == 0) return false;
    const std::int64_t m = l[l.size() - 2], k = l.back(), n = r.back();
    return has_tiles(a->type, a->where, std::max(l.product() / (m * k), r.product() / (k * n)), m, n, k);
}

// A product with a vector moves the matrix once: what is computed for it is fused with it, and with what follows. Where
// sums take longer than moving it, on a CPU, the library's are several times as fast.
SINTER_INLINE bool is_fused(const handle& a, const handle& b) {
    if (codegen::kind_rank(a->type) < 2) return !is_tiled(a, b);
    if (a->shape.size() == 1) return b->shape.size() < 2 || walks_rows(*b);
    if (b->shape.size() != 1 || !walks_rows(*a)) return false;
    const std::int64_t longest = a->shape.size() < 2 ? 0 : std::max(a->shape.back(), a->shape[a->shape.size() - 2]);
    return !a->where.is_cpu() || longest > INT_MAX || !has_products(a->type, a->where) ||
           !runtime::blas_available(a->where);
}

SINTER_INLINE dims product_shape(std::string_view operation, const dims& a, const dims& b) {
    const int p = a.size(), q = b.size();
    auto fail = [&](const char* what) {
        throw shape_error("[" + std::string(operation) + "] " + what + ": " + to_string(a) + " x " + to_string(b));
    };
    if (p == 0 || q == 0) fail("an operand has no axes");
    if (a.back() != b[q == 1 ? 0 : q - 2]) fail("inner dimensions differ");
    dims shape = p == 1 ? b : a;
    if (p > 1 && q > 1) shape = of_stack(broadcast_stacks(operation, a, b), a[p - 2], b.back());
    else shape.erase(p == 1 && q > 1 ? q - 2 : p - 1);
    return shape;
}

SINTER_INLINE handle record_matmul(const handle& a, const handle& b, precision in, std::string_view operation) {
    if (is_fused(a, b)) return record_products(a, b, operation);
    const dims shape = product_shape(operation, a->shape, b->shape);
    const handle x = a->shape.size() == 1 ? record_reshape(a, {1, a->shape[0]}) : a;
    const handle y = b->shape.size() == 1 ? record_reshape(b, {b->shape[0], 1}) : b;
    in = usable_precision(in, a->type, x->where);
    const handle c =
        in == precision::tf32x3 ? record_split_product(operation, x, y)
        : has_products(a->type, x->where)
            ? record_product(operation, {}, x, y, in)
            : record_cast(record_product(operation, {}, record_widened(x), record_widened(y), in), a->type);
    return record_view(c, codegen::contiguous(shape));
}

SINTER_INLINE handle record_products(const handle& a, const handle& b, std::string_view operation) {
    static_cast<void>(product_shape(operation, a->shape, b->shape));
    const int p = a->shape.size(), q = b->shape.size();
    // (…, m, k, 1) * (…, 1, k, n), summed over k; a vector lacks the axis m or n.
    dims left = a->shape, right = b->shape;
    if (q > 1) left.push_back(1);
    if (p > 1 && q > 1) right.insert(q - 2, 1);
    handle pair[] = {record_view(record_widened(a), codegen::contiguous(left)),
                     record_view(record_widened(b), codegen::contiguous(right))};
    handle products = record_apply(codegen::op::multiply, pair);
    auto axis = static_cast<std::uint8_t>(1 << (products->shape.size() - (q > 1 ? 2 : 1)));
    auto how = a->type == dtype::bool_ ? codegen::reduction::any : codegen::reduction::sum;
    return record_cast(record_reduce(how, products, axis, false), a->type);
}

}  // namespace sinter::inline SINTER_ABI::detail
