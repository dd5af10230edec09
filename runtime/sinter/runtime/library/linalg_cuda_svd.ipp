// QR factors, singular values and vectors of stacks on GPUs by kernels of our own, in as many launches whatever the
// stack: bodies of linalg_cuda.ipp.
#pragma once

#include <sinter/runtime/library/linalg_cuda_qr.ipp>

#if SINTER_HAS_CUDA

namespace sinter::inline SINTER_ABI::runtime {

// Where things lie in the room of a stack's singular values: of p rows and q columns, or of the adjoints where there
// are more columns, factors q r; the columns that rotate, as given for polar decompositions, the rotations, these
// columns with length one.
struct cuda_svd_layout {
    std::int64_t p, q;
    std::int64_t given = 0, factors, tau, columns, rotations = 0, units = 0, unit_tau = 0, order, exponents, lengths,
                 turned, bytes = 0;

    explicit cuda_svd_layout(const linalg_task& t) : p(std::max(t.m, t.n)), q(std::min(t.m, t.n)) {
        const std::int64_t element = codegen::size_of(t.type), square = t.batch * q * q * element;
        auto take = [&](std::int64_t size) { return std::exchange(bytes, bytes + rounded_up(size)); };
        take(is_by_panels(t) ? qr_layout(t).bytes : 0);
        factors = take(t.batch * p * q * element);
        tau = take(t.batch * q * element);
        columns = take(square);
        const bool vectors = t.call.has(codegen::call_info::vectors), polar = is_polar_stack(t);
        if (polar) given = take(square);
        if (vectors || polar) {
            rotations = take(square);
            units = take(square);
            unit_tau = take(t.batch * q * element);
        }
        order = take(4 * t.batch * q);
        exponents = take(4 * t.batch);
        lengths = take(t.batch * q * codegen::size_of(codegen::real_of(t.type)));
        turned = take(4 * t.batch);
    }
};

// That share a matrix of n columns: as many as a GPU has, while each has columns for all of its warps.
SINTER_INLINE int reflecting_blocks(const prepared_linalg& p, device where, std::int64_t n) {
    constexpr std::int64_t warps = codegen::svd_threads / 32;
    const std::int64_t most = allow_cluster(where, p.svd.reflect, {codegen::svd_threads}, codegen::most_svd_blocks),
                       wanted =
                           std::min(properties(where.index()).multiprocessors / p.task.batch, (n + warps - 1) / warps);
    return static_cast<int>(std::bit_floor(static_cast<std::uint64_t>(std::clamp<std::int64_t>(wanted, 1, most))));
}

// Clusters of as many blocks as a GPU has for each matrix.
SINTER_INLINE void prepare_svd_stack(prepared_linalg& p, device where) {
    const linalg_task& t = p.task;
    const cuda_svd_layout l(t);
    const cuda_properties& gpu = properties(where.index());
    const cuda_module& text = find_text(codegen::svd_cuda(t.type), where).cuda;
    svd_kernels& k = p.svd;
    k.scale = text.kernel("scale_matrices"), k.reflect = text.kernel("reflect_columns");
    k.rotate = text.kernel("rotate_columns"), k.order = text.kernel("order_values");
    p.work[0] = l.bytes;
    if (is_polar_stack(t)) {
        k.blocks = reflecting_blocks(p, where, l.q);
        return prepare_polar(p, where);
    }
    const auto shared = static_cast<std::size_t>(gpu.shared_per_block_optin);
    const int wanted =
        static_cast<int>(std::clamp<std::int64_t>(gpu.multiprocessors / t.batch, 1, codegen::most_svd_blocks));
    allow_shared_memory(where, k.rotate, shared);
    const int most = std::min(allow_cluster(where, k.reflect, {codegen::svd_threads}, codegen::most_svd_blocks),
                              allow_cluster(where, k.rotate, {codegen::svd_threads}, codegen::most_svd_blocks, shared));
    const std::int64_t column = l.q * codegen::size_of(t.type) * (t.call.has(codegen::call_info::vectors) ? 2 : 1);
    const codegen::rotation_shape s = codegen::rotation_shape_of(
        static_cast<int>(l.q), static_cast<std::size_t>(column), std::min(most, wanted), shared);
    k.width = s.width, k.groups = s.groups, k.blocks = s.blocks, k.shared_bytes = s.shared_bytes;
}

SINTER_INLINE void prepare_geqrf_stack(prepared_linalg& p, device where) {
    p.svd.reflect = find_text(codegen::svd_cuda(p.task.type), where).cuda.kernel("reflect_columns");
    p.svd.blocks = reflecting_blocks(p, where, p.task.n);
}

SINTER_INLINE void cuda_run::reflect_columns(char* matrices, char* factors, std::int64_t m, std::int64_t n) const {
    if (is_by_panels(r.task)) return reflect_by_panels(matrices, factors, m, n, qr_room());
    int blocks = r.svd.blocks;
    void* arguments[] = {&matrices, &factors, &m, &n, &blocks};
    launch_cuda(where, r.svd.reflect, {static_cast<std::uint32_t>(r.task.batch * blocks)}, {codegen::svd_threads}, 0,
                arguments, {blocks});
}

SINTER_INLINE void cuda_run::rotate_columns(const cuda_svd_layout& l) const {
    svd_kernels s = r.svd;
    void *factors = work + l.factors, *x = work + l.columns,
         *z = has(codegen::call_info::vectors) ? work + l.rotations : nullptr, *turned = work + l.turned,
         *infos_at = info;
    std::int64_t rows = l.p;
    int q = static_cast<int>(l.q), bad = q + 1;
    // A warp for each pair, or for equally many.
    constexpr int most_warps = codegen::svd_threads / 32;
    const int turns = (s.width + most_warps - 1) / most_warps, threads = (s.width + turns - 1) / turns * 32;
    fill_zero(where, turned, static_cast<std::size_t>(4 * r.task.batch));
    void* arguments[] = {&factors, &rows, &x, &z, &q, &s.width, &s.groups, &s.blocks, &turned, &bad, &infos_at};
    launch_cuda(where, r.svd.rotate, {static_cast<std::uint32_t>(r.task.batch * s.blocks)},
                {static_cast<std::uint32_t>(threads)}, s.shared_bytes, arguments, {s.blocks});
}

SINTER_INLINE void cuda_run::run_svd_stack() const {
    const linalg_task& t = r.task;
    const cuda_svd_layout l(t);
    const bool vectors = has(codegen::call_info::vectors);
    const auto count = static_cast<std::uint32_t>(t.batch);
    void *a = at[0], *factors = work + l.factors, *exponents = work + l.exponents, *infos_at = info;
    std::int64_t m = t.m, n = t.n;
    int adjoint = m < n, q = static_cast<int>(l.q), bad = codegen::not_finite;
    void* scaled[] = {&a, &factors, &m, &n, &adjoint, &bad, &exponents, &infos_at};
    launch_cuda(where, r.svd.scale, {count}, {256}, 0, scaled);
    reflect_columns(work + l.factors, work + l.tau, l.p, l.q);
    const bool polar = is_polar_stack(t), measured = polar && !vectors;
    if (polar) polarise_columns(l);
    else rotate_columns(l);
    void *x = measured ? nullptr : work + l.columns, *lengths = work + l.lengths, *values = at[2],
         *order = work + l.order, *units = vectors ? work + l.units : nullptr;
    void* ordered[] = {&x, &q, &exponents, &lengths, &values, &order, &units};
    launch_cuda(where, r.svd.order, {count}, {256}, 0, ordered);
    if (!vectors) return;
    // Signs undo what making them orthonormal did to the columns that were so already.
    reflect_columns(work + l.units, work + l.unit_tau, l.q, l.q);
    form_q({.reflectors = work + l.units,
            .apart = l.q * l.q,
            .tau = work + l.unit_tau,
            .to = at[adjoint ? 1 : 3],
            .m = l.q,
            .n = l.q,
            .k = l.q,
            .signs = true});
    form_q({.reflectors = work + l.factors,
            .apart = l.p * l.q,
            .tau = work + l.tau,
            .from = work + l.rotations,
            .order = work + l.order,
            .to = at[adjoint ? 3 : 1],
            .m = l.p,
            .n = has(codegen::call_info::full) ? l.p : l.q,
            .k = l.q});
}

}  // namespace sinter::inline SINTER_ABI::runtime

#endif
