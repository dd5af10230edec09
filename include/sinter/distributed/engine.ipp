// Bodies of engine.hpp.
#pragma once

#include <algorithm>
#include <cstring>
#include <sinter/array/reading.hpp>
#include <sinter/codegen/distributed/placement.hpp>
#include <sinter/distributed/engine.hpp>
#include <sinter/distributed/messages.hpp>
#include <sinter/distributed/redistribution.hpp>
#include <sinter/functions/shape_functions.hpp>
#include <sinter/runtime/distributed/matrix_engine.hpp>

namespace sinter::inline SINTER_ABI::detail {

using codegen::purpose;
using codegen::routine;
using distributed::blocked_matrix;

SINTER_INLINE bool needs_engine(std::string_view operation, const distributed_ref& v, bool square) {
    settled(v);
    const std::string name = "[" + std::string(operation) + "] ";
    if (!v->session->has_engine() || v->where.kind == placement_kind::replicated) return false;
    if (v->shape.size() != 2)
        throw value_error(name + "over ranks it takes matrices of two axes, not " + to_string(v->shape) +
                          ": reshard to replicated first");
    if (square && v->shape[0] != v->shape[1])
        throw shape_error(name + "square matrices are wanted, not " + to_string(v->shape));
    if (v->shape.product() == 0)
        throw value_error(name +
                          "over ranks there is nothing for a matrix without elements: reshard to replicated "
                          "first");
    return true;
}

/// A matrix of an engine's call: what this rank has of it, by columns.
struct engine_matrix {
    dims shape, local;
    std::vector<char> bytes;
    blocked_matrix whole;
};

/// A call of a session's engine: brings operands into its blocks, and takes results out of them.
class engine_call {
public:
    engine_call(std::string_view operation, const distributed_ref& v, dtype type)
        : name_(operation),
          session_(v->session),
          engine_(v->session->engine(reason_of(operation, v))),
          block_(block_for(v)),
          type_(type) {}

    distributed::matrix_engine& engine() const { return engine_; }
    void use_block(std::int64_t block) { block_ = distributed::block_cyclic(block); }
    distributed::matrix_engine::kind kind() const { return {type_, block_.block}; }
    const placement& blocks() const { return block_; }

    engine_matrix make(const dims& shape) const {
        engine_matrix m{shape, local_shape(shape, block_, session_->ranks(), session_->rank()), {}, {}};
        m.bytes.assign(static_cast<std::size_t>(m.local.product() * codegen::size_of(type_)) + 16, 0);
        return with_address(std::move(m));
    }
    engine_matrix bring(const distributed_ref& v) {
        const distributed_ref wide =
            make_distributed(session_, v->shape, v->where, record_cast(v->local, type_), v->moves);
        const distributed_ref placed = record_reshard(wide, block_, name_);
        for (const std::string& words : placed->moves) add_move(moves_, words);
        engine_matrix m = make(v->shape);
        m.bytes.clear();
        append_elements(m.bytes, record_transpose(placed->local, dims(1, 0)));
        m.bytes.resize(m.bytes.size() + 16);
        return with_address(std::move(m));
    }
    // A part from the first element on, placed.
    distributed_ref take(const engine_matrix& m, const dims& shape, const placement& to) const {
        handle local = store_by_columns(type_, m.local[0], m.local[1], m.bytes.data());
        const dims part = local_shape(shape, block_, session_->ranks(), session_->rank());
        local = take_part(take_part(local, 0, {0, part[0]}), 1, {0, part[1]});
        return record_reshard(make_distributed(session_, shape, block_, std::move(local), moves_), to, name_);
    }
    // Rank 0 has part of every matrix; others that have none may not have been told the numbers.
    distributed_ref take_numbers(dtype type, const dims& shape, std::vector<char>& numbers) const {
        std::string words;
        session_->broadcast(name_, numbers, 0, words);
        return make_distributed(session_, shape, distributed::replicated(), store(type, shape, numbers.data()), moves_);
    }
    // Zeros below or above the diagonal.
    void keep_triangle(engine_matrix& m, bool upper) const {
        const auto size = static_cast<std::size_t>(codegen::size_of(type_));
        for (std::int64_t j = 0; j < m.local[1]; ++j)
            for (std::int64_t i = 0; i < m.local[0]; ++i)
                if (upper ? row_of(i) > column_of(j) : row_of(i) < column_of(j))
                    std::memset(m.bytes.data() + static_cast<std::size_t>(j * m.local[0] + i) * size, 0, size);
    }
    std::int64_t row_of(std::int64_t i) const {
        return distributed::cyclic_element(i, block_.block, grid().row_of(session_->rank()), grid().rows);
    }
    std::int64_t column_of(std::int64_t j) const {
        return distributed::cyclic_element(j, block_.block, grid().column_of(session_->rank()), grid().columns);
    }
    void require_finite(purpose why, routine what, const engine_matrix& m) const {
        const handle local = store_by_columns(type_, m.local[0], m.local[1], m.bytes.data());
        const handle finite = record_apply(codegen::op::isfinite, codegen::span<const handle>(&local, 1));
        const bool own = read_item(record_reduce(codegen::reduction::all, finite, 3, false), {}).as<bool>();
        const std::vector<std::int64_t> sizes(static_cast<std::size_t>(session_->ranks()), 1);
        std::string words;
        for (char is_finite : session_->all_gather(name_, {static_cast<char>(own)}, sizes, words))
            if (!is_finite) fail(why, what, codegen::not_finite);
    }
    [[noreturn]] static void fail(purpose why, routine what, int info) {
        throw linalg_error(codegen::failure_text({what, 0, why}, {}, 0, info));
    }

private:
    // Small matrices have blocks for all ranks.
    static placement block_for(const distributed_ref& v) {
        if (v->where.kind == placement_kind::block_cyclic) return v->where;
        const std::int64_t n = std::max(v->shape[0], v->shape[1]);
        const distributed::rank_grid g = distributed::grid_of(v->session->ranks());
        const std::int64_t each = (n + std::max(g.rows, g.columns) - 1) / std::max(g.rows, g.columns);
        return distributed::block_cyclic(std::clamp<std::int64_t>(each, 1, 64));
    }
    static engine_matrix with_address(engine_matrix m) {
        m.whole = {m.shape[0], m.shape[1], m.bytes.data()};
        return m;
    }
    distributed::rank_grid grid() const { return distributed::grid_of(session_->ranks()); }

    std::string name_;
    const session_ref& session_;
    distributed::matrix_engine& engine_;
    placement block_;
    dtype type_;
    std::vector<std::string> moves_;
};

SINTER_INLINE distributed_ref record_engine_product(const distributed_ref& a, const distributed_ref& b, dtype type,
                                                    const placement& where) {
    engine_call call("matmul", b->where.kind == placement_kind::block_cyclic ? b : a, type);
    const engine_matrix x = call.bring(a), y = call.bring(b);
    const dims shape(a->shape[0], b->shape[1]);
    engine_matrix z = call.make(shape);
    if (a->shape[1] > 0 && shape.product() > 0) call.engine().multiply(call.kind(), x.whole, y.whole, z.whole);
    return call.take(z, shape, where);
}

SINTER_INLINE distributed_ref record_engine_solve(const distributed_ref& a, const distributed_ref& b) {
    engine_call call("solve", a, a->type);
    engine_matrix x = call.bring(a), y = call.bring(b);
    if (const int info = b->shape[1] > 0 ? call.engine().solve(call.kind(), x.whole, y.whole) : 0)
        call.fail(purpose::solve, routine::getrf, info);
    return call.take(y, b->shape, b->where);
}

SINTER_INLINE distributed_ref record_engine_cholesky(const distributed_ref& a, bool upper) {
    engine_call call("cholesky", a, a->type);
    engine_matrix x = call.bring(a);
    if (const int info = call.engine().cholesky(call.kind(), x.whole, upper))
        call.fail(purpose::cholesky, routine::potrf, info);
    call.keep_triangle(x, upper);
    return call.take(x, a->shape, a->where);
}

SINTER_INLINE distributed_ref record_engine_pivots(const distributed_ref& a) {
    engine_call call("det", a, a->type);
    engine_matrix x = call.bring(a);
    std::vector<int> pivots(static_cast<std::size_t>(x.local[0]) + 1);
    const bool is_singular = call.engine().factor(call.kind(), x.whole, pivots.data()) > 0;
    const std::int64_t n = a->shape[0], size = codegen::size_of(a->type);
    // Each element of the diagonal is one rank's, and others add nothing to it.
    std::vector<char> diagonal(static_cast<std::size_t>(n * size));
    std::vector<std::int32_t> signs(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < x.local[0] && !is_singular; ++i)
        for (std::int64_t j = 0; j < x.local[1]; ++j) {
            const std::int64_t at = call.row_of(i);
            if (at != call.column_of(j)) continue;
            std::memcpy(diagonal.data() + at * size, x.bytes.data() + (j * x.local[0] + i) * size,
                        static_cast<std::size_t>(size));
            signs[static_cast<std::size_t>(at)] = pivots[static_cast<std::size_t>(i)] == at + 1 ? 1 : -1;
        }
    auto added = [&](dtype type, const void* numbers) {
        return settled(make_distributed(a->session, dims(n), distributed::partial(), store(type, dims(n), numbers)))
            ->local;
    };
    const handle factors[] = {added(a->type, diagonal.data()), record_cast(added(dtype::int32, signs.data()), a->type)};
    return make_distributed(a->session, dims(n), distributed::replicated(),
                            record_apply(codegen::op::multiply, factors));
}

SINTER_INLINE engine_qr record_engine_qr(const distributed_ref& a) {
    engine_call call("qr", a, a->type);
    engine_matrix x = call.bring(a), q = call.make(a->shape);
    call.engine().orthogonalize(call.kind(), x.whole, q.whole);
    call.keep_triangle(x, true);
    const std::int64_t least = std::min(a->shape[0], a->shape[1]);
    return {call.take(q, dims(a->shape[0], least), a->where), call.take(x, dims(least, a->shape[1]), a->where)};
}

SINTER_INLINE engine_eigh record_engine_eigh(purpose why, const distributed_ref& a, bool lower) {
    engine_call call(to_string(why), a, a->type);
    call.use_block(call.engine().block_of_eigenvalues(call.kind().block));
    engine_matrix x = call.bring(a), vectors = call.make(a->shape);
    call.require_finite(why, routine::syevd, x);
    const dtype real = codegen::real_of(a->type);
    std::vector<char> values(static_cast<std::size_t>(a->shape[0] * codegen::size_of(real)));
    if (const int info = call.engine().eigenvalues(call.kind(), x.whole, lower, values.data(), vectors.whole))
        call.fail(why, routine::syevd, info);
    return {call.take_numbers(real, dims(a->shape[0]), values), call.take(vectors, a->shape, a->where)};
}

SINTER_INLINE engine_svd record_engine_svd(purpose why, const distributed_ref& a, const placement& where_u,
                                           const placement& where_vh) {
    engine_call call(to_string(why), a, a->type);
    const std::int64_t m = a->shape[0], n = a->shape[1], least = std::min(m, n);
    engine_matrix x = call.bring(a), u = call.make(dims(m, least)), vh = call.make(dims(least, n));
    call.require_finite(why, routine::gesvd, x);
    const dtype real = codegen::real_of(a->type);
    std::vector<char> values(static_cast<std::size_t>(least * codegen::size_of(real)));
    if (const int info = call.engine().singular_values(call.kind(), x.whole, values.data(), u.whole, vh.whole))
        call.fail(why, routine::gesvd, info);
    return {call.take(u, dims(m, least), where_u), call.take_numbers(real, dims(least), values),
            call.take(vh, dims(least, n), where_vh)};
}

}  // namespace sinter::inline SINTER_ABI::detail
