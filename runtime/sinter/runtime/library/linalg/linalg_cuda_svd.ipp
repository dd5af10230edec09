// Bodies of linalg_cuda_svd.hpp.
#pragma once

#include <sinter/codegen/kernels/linalg/linalg_cuda.hpp>
#include <sinter/codegen/kernels/linalg/svd_cuda.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/runtime/compile/kernel_cache.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda_polar.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda_stacks.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda_svd.hpp>
#include <sinter/runtime/memory/copy.hpp>
#include <sinter/runtime/memory/memory_pool.hpp>

#if SINTER_HAS_CUDA

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE cuda_svd_layout::cuda_svd_layout(const linalg_task& t) : p(std::max(t.m, t.n)), q(std::min(t.m, t.n)) {
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

SINTER_INLINE void prepare_svd_stack(prepared_linalg& p, device where) {
    const linalg_task& t = p.task;
    const cuda_svd_layout l(t);
    const cuda_properties& gpu = properties(where.index());
    const written_text& text = find_text(codegen::svd_cuda(t.type), where);
    svd_kernels& k = p.svd;
    k.scale = text.kernel("scale_matrices");
    k.reflect = text.kernel("reflect_columns");
    k.rotate = text.kernel("rotate_columns");
    k.order = text.kernel("order_values");
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
    k.width = s.width;
    k.groups = s.groups;
    k.blocks = s.blocks;
    k.shared_bytes = s.shared_bytes;
}

SINTER_INLINE void cuda_svd::rotate_columns(const cuda_svd_layout& l) const {
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

SINTER_INLINE void cuda_svd::run_svd_stack() const {
    const linalg_task& t = r.task;
    const cuda_svd_layout l(t);
    const bool has_vectors = has(codegen::call_info::vectors);
    const auto count = static_cast<std::uint32_t>(t.batch);
    void *a = at[0], *factors = work + l.factors, *exponents = work + l.exponents, *infos_at = info;
    std::int64_t m = t.m, n = t.n;
    int adjoint = m < n, q = static_cast<int>(l.q), bad = codegen::not_finite;
    void* scaled[] = {&a, &factors, &m, &n, &adjoint, &bad, &exponents, &infos_at};
    launch_cuda(where, r.svd.scale, {count}, {256}, 0, scaled);
    reflect_columns(work + l.factors, work + l.tau, l.p, l.q);
    const bool polar = is_polar_stack(t), measured = polar && !has_vectors;
    if (polar) cuda_polar{*this}.polarise_columns(l);
    else rotate_columns(l);
    void *x = measured ? nullptr : work + l.columns, *lengths = work + l.lengths, *values = at[2],
         *order = work + l.order, *units = has_vectors ? work + l.units : nullptr;
    void* ordered[] = {&x, &q, &exponents, &lengths, &values, &order, &units};
    launch_cuda(where, r.svd.order, {count}, {256}, 0, ordered);
    if (!has_vectors) return;
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

SINTER_INLINE void cuda_svd::size_gesvd(cuda_work& w) const {
    using s = cusolver_types;
    const linalg_task& t = r.task;
    const int ld = leading(t.m), jobz = has(codegen::call_info::vectors), econ = !has(codegen::call_info::full);
    if (is_polar_stack(t)) {
        const int q = std::min(t.m, t.n);
        check_cusolver(function<s::syev_batched_size>(2)(solver, params, jobz, linalg_constants::lower, q, element(),
                                                         nullptr, q, real_element(), nullptr, element(), &w.on_device,
                                                         &w.on_host, std::min(most_of_syev_batched, t.batch)),
                       "syevd");
    } else if (is_jacobi_stack(t))
        check_cusolver(function<s::gesvdj_batched_size>(1)(solver, jobz, t.m, t.n, nullptr, ld, nullptr, nullptr, ld,
                                                           nullptr, ld_of_v(), &w.elements, own.jacobi, batch()),
                       "gesvdjBatched");
    else if (is_jacobi(t))
        check_cusolver(function<s::gesvdj_size>(1)(solver, jobz, econ, t.m, t.n, nullptr, ld, nullptr, nullptr, ld,
                                                   nullptr, ld_of_v(), &w.elements, own.jacobi),
                       "gesvdj");
    else
        check_cusolver(function<s::gesvdp_size>(1)(solver, params, jobz, econ, t.m, t.n, element(), nullptr, ld,
                                                   real_element(), nullptr, element(), nullptr, ld, element(), nullptr,
                                                   ld_of_v(), element(), &w.on_device, &w.on_host),
                       "gesvdp");
}

// Jacobi's rotations for one matrix, u, values and v, by function number `first`.
SINTER_INLINE void cuda_svd::run_gesvdj(int first, char* const* matrix, void* workspace, int elements,
                                        int* status) const {
    const linalg_task& t = r.task;
    const int ld = leading(t.m), jobz = has(codegen::call_info::vectors), econ = !has(codegen::call_info::full);
    solved(function<cusolver_types::gesvdj>(first)(solver, jobz, econ, t.m, t.n, matrix[0], ld, matrix[2], matrix[1],
                                                   ld, matrix[3], ld_of_v(), workspace, elements, status, own.jacobi));
}

SINTER_INLINE void cuda_svd::run_gesvdp(char* const* matrix, int* status) const {
    using s = cusolver_types;
    const linalg_task& t = r.task;
    const int ld = leading(t.m), jobz = has(codegen::call_info::vectors), econ = !has(codegen::call_info::full);
    copy_between(where, copy, where, matrix[0], static_cast<std::size_t>(t.stride[0]));
    own.shift = 0;
    solved(function<s::gesvdp>(0)(solver, params, jobz, econ, t.m, t.n, element(), matrix[0], ld, real_element(),
                                  matrix[2], element(), matrix[1], ld, element(), matrix[3], ld_of_v(), element(), work,
                                  static_cast<std::size_t>(r.work[0]), host_work(), static_cast<std::size_t>(r.work[1]),
                                  status, &own.shift));
    host_synchronize(where);
    if (own.shift == 0) return;
    int elements = 0;
    check_cusolver(function<s::gesvdj_size>(3)(solver, jobz, econ, t.m, t.n, nullptr, ld, nullptr, nullptr, ld, nullptr,
                                               ld_of_v(), &elements, own.jacobi),
                   "gesvdj");
    const buffer_ref workspace =
        allocate_buffer(where, static_cast<std::size_t>(elements) * static_cast<std::size_t>(codegen::size_of(t.type)));
    copy_between(where, matrix[0], where, copy, static_cast<std::size_t>(t.stride[0]));
    run_gesvdj(2, matrix, workspace->data, elements, status);
}

SINTER_INLINE void cuda_svd::run_gesvd() const {
    const linalg_task& t = r.task;
    if (is_jacobi_stack(t))
        return solved(function<cusolver_types::gesvdj_batched>(0)(
            solver, has(codegen::call_info::vectors), t.m, t.n, at[0], leading(t.m), at[2], at[1], leading(t.m), at[3],
            ld_of_v(), work, lwork(), infos(), own.jacobi, batch()));
    if (is_svd_stack(t)) return run_svd_stack();
    if (is_jacobi(t)) run_gesvdj(0, at, work, lwork(), infos());
    else run_gesvdp(at, infos());
}

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_IEEE_END

#endif
