// Bodies of record_linalg.hpp. A row-major matrix is its transpose lying by columns, which is what LAPACK takes.
#pragma once

#include <sinter/linalg/record_linalg.hpp>
#include <sinter/runtime/execute/calls.hpp>
#include <sinter/runtime/library/linalg/linalg.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE handle record_call(std::string_view operation, const call_info& c,
                                 std::initializer_list<handle> operands) {
    runtime::use_linalg();
    runtime::statement s;
    runtime::use_calls();
    s.kind = runtime::statement_kind::call;
    s.call = c;
    for (const handle& h : operands) s.inputs.push_back(h.get());
    const handle& base = *operands.begin();
    device where = device_of(operation, s.inputs);
    return runtime::make_pending(codegen::result_type(c, base->type), codegen::result_shape(c, base->shape), where,
                                 std::move(s));
}

SINTER_INLINE void require_matrices(std::string_view operation, const handle& x, bool square) {
    const int r = x->shape.size();
    if (r < 2)
        throw shape_error("[" + std::string(operation) + "] a matrix has two axes or more, not " + to_string(x->shape));
    if (square && x->shape[r - 1] != x->shape[r - 2])
        throw shape_error("[" + std::string(operation) +
                          "] the last two axes are not of one size: " + to_string(x->shape));
}

SINTER_INLINE lu_handles record_getrf(std::string_view operation, const handle& a, purpose why) {
    const call_info c(routine::getrf, 0, why);
    return {record_call(operation, c, {a}), record_call(operation, c.with_result(1), {a})};
}

// The right side as a stack of matrices, and whether it is a vector; checked against the left side's rows.
SINTER_INLINE handle right_side(std::string_view operation, const handle& a, const handle& b, bool& is_vector) {
    const int r = a->shape.size(), q = b->shape.size();
    const std::int64_t rows = a->shape[r - 1];
    is_vector = q == 1;
    if (q == 0 || b->shape[is_vector ? 0 : q - 2] != rows)
        throw shape_error("[" + std::string(operation) + "] shapes do not fit: " + to_string(a->shape) + " and " +
                          to_string(b->shape));
    return is_vector ? record_reshape(b, {rows, 1}) : b;
}

SINTER_INLINE handle as_vector(const handle& x, bool is_vector) {
    if (!is_vector) return x;
    dims shape = x->shape;
    shape.erase(shape.size() - 1);
    return record_reshape(x, shape);
}

SINTER_INLINE handle record_getrs(std::string_view operation, const lu_handles& factors, bool of_transposes,
                                  const handle& b, int trans) {
    bool is_vector = false;
    handle y = right_side(operation, factors.lu, b, is_vector), lu = factors.lu, pivots = factors.pivots;
    const std::int64_t n = lu->shape.back(), k = y->shape.back();
    const dims left = stack_of(lu->shape);
    dims stack = broadcast_stacks(operation, lu->shape, y->shape);
    const bool shared = left.product() == 1 && !stack.empty();
    // One matrix for many right sides: they are columns of one.
    if (shared) {
        y = record_reshape(transposed_last(record_broadcast(operation, y, of_stack(stack, n, k))),
                           {stack.product() * k, n});
        lu = record_reshape(lu, {n, n});
        pivots = record_reshape(pivots, dims(n));
    } else {
        y = transposed_last(record_broadcast(operation, y, of_stack(stack, n, k)));
        dims per_matrix = stack;
        per_matrix.push_back(n);
        lu = record_broadcast(operation, lu, of_stack(stack, n, n));
        pivots = record_broadcast(operation, pivots, per_matrix);
    }
    std::uint8_t how = trans == 2 ? call_info::adjoint : (trans == 1) != of_transposes ? call_info::transposed : 0;
    if (of_transposes && trans == 2)
        throw internal_error("[linalg] factors of the transposes solve no adjoint equations");
    handle x = record_call(operation, {routine::getrs, how}, {y, lu, pivots});
    if (shared) x = record_reshape(x, of_stack(stack, k, n));
    return as_vector(transposed_last(x), is_vector);
}

SINTER_INLINE handle record_solve(purpose why, const handle& a, const handle& b) {
    const std::string_view name = to_string(why);
    require_matrices(name, a, true);
    bool is_vector = false;
    right_side(name, a, b, is_vector);
    const bool by_rows = walks_rows(*a);
    return record_getrs(name, record_getrf(name, by_rows ? a : transposed_last(a), why), by_rows, b, 0);
}

// A routine that changes a matrix into one that lies as it does.
SINTER_INLINE handle record_change(const call_info& c, const handle& a, bool by_rows) {
    const std::string_view name = to_string(c.why);
    return by_rows ? record_call(name, c, {a}) : transposed_last(record_call(name, c, {transposed_last(a)}));
}

SINTER_INLINE handle record_inv(purpose why, const handle& a) {
    require_matrices(to_string(why), a, true);
    return record_change({routine::inverse, 0, why}, a, walks_rows(*a));
}

SINTER_INLINE handle record_cholesky(purpose why, const handle& a, bool upper) {
    require_matrices(to_string(why), a, true);
    // cuSOLVER factors what it takes for a lower triangle in less than half the time, which pays for another layout.
    constexpr std::int64_t least_lower = 256;
    const bool wants_lower = a->where.is_cuda() && a->shape.size() == 2 && a->shape.back() >= least_lower;
    const bool by_rows = wants_lower ? upper : walks_rows(*a);
    return record_change({routine::potrf, upper == by_rows ? std::uint8_t{0} : call_info::upper, why}, a, by_rows);
}

SINTER_INLINE handle record_solve_triangular(std::string_view operation, const handle& a, const handle& b, bool lower,
                                             int trans, bool unit_diagonal) {
    require_matrices(operation, a, true);
    if (trans < 0 || trans > 2)
        throw value_error("[" + std::string(operation) + "] trans is 0, 1 or 2, not " + std::to_string(trans));
    bool is_vector = false;
    handle y = right_side(operation, a, b, is_vector);
    dims stack = broadcast_stacks(operation, a->shape, y->shape);
    const std::int64_t n = a->shape.back(), k = y->shape.back();
    // x.T @ op(a).T = b.T, where a lies as its transpose, or as it is.
    const bool by_columns = !walks_rows(*a) && trans != 2;
    const int how = by_columns ? 1 - trans : trans;
    auto options = static_cast<std::uint8_t>(call_info::right | (lower != by_columns ? call_info::upper : 0) |
                                             (unit_diagonal ? call_info::unit : 0) |
                                             (how == 1   ? call_info::transposed
                                              : how == 2 ? call_info::adjoint
                                                         : 0));
    handle left = record_broadcast(operation, a, of_stack(stack, n, n));
    handle x =
        record_call(operation, {routine::trsm, options},
                    {record_broadcast(operation, y, of_stack(stack, n, k)), by_columns ? transposed_last(left) : left});
    return as_vector(x, is_vector);
}

SINTER_INLINE handle record_cholesky_solve(const handle& factor, const handle& b, bool upper) {
    require_matrices("cholesky_solve", factor, true);
    bool is_vector = false;
    handle x = right_side("cholesky_solve", factor, b, is_vector);
    for (int trans : {upper ? 2 : 0, upper ? 0 : 2})
        x = record_solve_triangular("cholesky_solve", factor, x, !upper, trans, false);
    return as_vector(x, is_vector);
}

// A diagonal beside the main one of n elements, without the one that lies outside the matrix, where that is given.
SINTER_INLINE handle side_diagonal(const char* name, const handle& x, std::int64_t n, std::int64_t first) {
    const int r = x->shape.size();
    if (r > 0 && n > 0 && x->shape.back() == n)
        return record_view(x, codegen::sliced(codegen::contiguous(x->shape), r - 1, first, 1, n - 1));
    if (r == 0 || x->shape.back() != std::max<std::int64_t>(n - 1, 0))
        throw shape_error("[solve_tridiagonal] " + std::string(name) + " of shape " + to_string(x->shape) +
                          " does not fit a diagonal of " + std::to_string(n));
    return x;
}

// A stack of vectors with another stack.
SINTER_INLINE handle with_stack(const handle& x, dims stack) {
    stack.push_back(x->shape.back());
    return record_broadcast("solve_tridiagonal", x, stack);
}

// A stack broadcast with those of diagonals, if they fit.
SINTER_INLINE std::optional<dims> with_stacks_of(codegen::span<const handle> diagonals, std::optional<dims> stack) {
    for (const handle& x : diagonals) {
        dims own = x->shape;
        own.erase(own.size() - 1);
        if (stack) stack = codegen::common_shape(*stack, own);
    }
    return stack;
}

SINTER_INLINE handle record_solve_tridiagonal(const handle& lower, const handle& diagonal, const handle& upper,
                                              const handle& b) {
    if (diagonal->shape.empty()) throw shape_error("[solve_tridiagonal] the diagonal is a number, not a vector");
    const std::int64_t n = diagonal->shape.back();
    handle parts[] = {side_diagonal("lower", lower, n, 1), diagonal, side_diagonal("upper", upper, n, 0)};
    int rank = 1;
    for (const handle& x : parts) rank = std::max(rank, x->shape.size());
    const int q = b->shape.size();
    const bool is_vector = q <= rank;
    if (q == 0 || b->shape[is_vector ? q - 1 : q - 2] != n)
        throw shape_error("[solve_tridiagonal] shapes do not fit: a diagonal of " + to_string(diagonal->shape) +
                          " and a right-hand side of " + to_string(b->shape));
    dims one = b->shape;
    one.push_back(1);
    handle y = is_vector ? record_reshape(b, one) : b;
    const std::int64_t k = y->shape.back();
    const std::optional<dims> common = with_stacks_of(parts, stack_of(y->shape));
    if (!common)
        throw shape_error("[solve_tridiagonal] shapes do not broadcast: diagonals of " + to_string(lower->shape) +
                          ", " + to_string(diagonal->shape) + ", " + to_string(upper->shape) +
                          " and a right-hand side of " + to_string(b->shape));
    const dims stack = *common;
    const bool shared = with_stacks_of(parts, dims())->product() == 1;
    y = transposed_last(record_broadcast("solve_tridiagonal", y, of_stack(stack, n, k)));
    // One matrix for many right-hand sides: they are columns of one.
    if (shared) y = record_reshape(y, {stack.product() * k, n});
    for (handle& x : parts) x = shared ? record_reshape(x, dims(x->shape.back())) : with_stack(x, stack);
    const call_info c(routine::gtsv, 0, purpose::solve_tridiagonal);
    handle x = record_call("solve_tridiagonal", c, {y, parts[0], parts[1], parts[2]});
    if (shared) x = record_reshape(x, of_stack(stack, k, n));
    return as_vector(transposed_last(x), is_vector);
}

SINTER_INLINE factor_handles record_lu(std::string_view operation, const handle& a, bool with_rows) {
    require_matrices(operation, a, false);
    const call_info c(routine::getrf, with_rows ? call_info::rows : 0);
    const handle columns = transposed_last(a);
    handle rows = record_call(operation, c.with_result(2), {columns});
    // Without columns nobody orders the rows.
    if (with_rows && a->shape.product() == 0)
        rows = record_broadcast(operation, record_cast(record_index({columns->shape.back()}), rows->type), rows->shape);
    return {transposed_last(record_call(operation, c, {columns})), record_call(operation, c.with_result(1), {columns}),
            rows};
}

// The first `count` of the last axis but one.
SINTER_INLINE handle record_leading(const handle& x, std::int64_t count) {
    const int r = x->shape.size();
    return record_view(x, codegen::sliced(codegen::contiguous(x->shape), r - 2, 0, 1, count));
}

// Identity matrices, for what has no elements to factorise.
SINTER_INLINE handle record_identity(dtype type, const dims& stack, std::int64_t rows, std::int64_t columns) {
    handle one = record_cast(record_pattern(codegen::op::equal, rows, columns, 0), type);
    return record_broadcast("eye", one, of_stack(stack, rows, columns));
}

SINTER_INLINE qr_handles record_qr(const handle& a, bool with_q, bool complete) {
    require_matrices("qr", a, false);
    const int d = a->shape.size();
    const std::int64_t m = a->shape[d - 2], n = a->shape[d - 1], k = std::min(m, n), width = complete ? m : k;
    const dims stack = stack_of(a->shape);
    const call_info c(routine::geqrf);
    const handle columns = transposed_last(a), reflectors = record_call("qr", c, {columns}),
                 tau = record_call("qr", c.with_result(1), {columns});
    qr_handles f;
    f.r = record_leading(transposed_last(reflectors), width);
    if (!with_q) return f;
    if (k == 0) {
        f.q = record_identity(a->type, stack, m, width);
        return f;
    }
    handle base = width <= n ? record_leading(reflectors, width) : handle();
    if (!base) {
        dims wide = of_stack(stack, m, m);
        layout where = codegen::sliced(codegen::contiguous(wide), d - 2, 0, 1, n);
        codegen::scalar_value zero;
        zero.type = a->type;
        base = record_update(record_scalar(zero, wide), reflectors, where);
    }
    f.q = transposed_last(record_call("qr", {routine::orgqr}, {base, tau}));
    return f;
}

SINTER_INLINE eigen_handles record_eigh(purpose why, const handle& a, bool lower, bool with_vectors, bool& conjugated) {
    const std::string_view name = to_string(why);
    require_matrices(name, a, true);
    // Read by columns, a is its conjugate.
    conjugated = walks_rows(*a);
    const auto options = static_cast<std::uint8_t>((lower == conjugated ? call_info::upper : 0) |
                                                   (with_vectors ? call_info::vectors : 0));
    const call_info c(routine::syevd, options, why);
    const handle base = conjugated ? a : transposed_last(a);
    return {record_call(name, c.with_result(1), {base}),
            with_vectors ? transposed_last(record_call(name, c, {base})) : handle()};
}

SINTER_INLINE eigen_handles record_eig(purpose why, const handle& a, bool with_vectors) {
    const std::string_view name = to_string(why);
    require_matrices(name, a, true);
    const call_info c(routine::geev, with_vectors ? call_info::vectors : 0, why);
    const handle base = transposed_last(a);
    return {record_call(name, c.with_result(1), {base}),
            with_vectors ? transposed_last(record_call(name, c.with_result(2), {base})) : handle()};
}

SINTER_INLINE svd_handles record_svd(purpose why, const handle& a, bool full_matrices, bool with_vectors,
                                     bool& conjugated) {
    const std::string_view name = to_string(why);
    require_matrices(name, a, false);
    const int d = a->shape.size();
    const std::int64_t m = a->shape[d - 2], n = a->shape[d - 1], k = std::min(m, n);
    const dims stack = stack_of(a->shape);
    const bool on_gpu = a->where.is_cuda(), few = on_gpu && stack.product() > 1 && std::max(m, n) <= 32;
    conjugated = false;
    svd_handles f;
    if (k == 0 && with_vectors) {
        f.u = record_identity(a->type, stack, m, full_matrices ? m : 0);
        f.vh = record_identity(a->type, stack, full_matrices ? n : 0, n);
    }
    // A stack of small matrices is computed in full there, and cut.
    const auto options = static_cast<std::uint8_t>((with_vectors ? call_info::vectors : 0) |
                                                   ((with_vectors && full_matrices) || few ? call_info::full : 0) |
                                                   (on_gpu ? call_info::plain_v : 0));
    const call_info c(routine::gesvd, options, why);
    // The transposed problem: a.T = u' s v'^H, so that conj(v') is u and u'.T, as it lies, is vh.
    f.s = record_call(name, c.with_result(2), {a});
    if (k == 0 || !with_vectors) return f;
    handle vh = record_call(name, c.with_result(1), {a}), u = record_call(name, c.with_result(3), {a});
    f.vh = few && !full_matrices ? record_leading(vh, k) : vh;
    if (on_gpu && few && !full_matrices) u = record_leading(u, k);
    f.u = on_gpu ? transposed_last(u) : u;
    conjugated = on_gpu;
    return f;
}

}  // namespace sinter::inline SINTER_ABI::detail
