// How each linear algebra routine calls cuSOLVER and cuBLAS: bodies of linalg_cuda.ipp.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/runtime/library/linalg_cuda.ipp>

#if SINTER_HAS_CUDA

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE int cuda_run::element() const {
    using k = cublas_constants;
    const bool wide = codegen::real_of(r.task.type) == dtype::float64;
    return codegen::is_complex(r.task.type) ? (wide ? k::complex128 : k::complex64) : wide ? k::float64 : k::float32;
}

SINTER_INLINE int cuda_run::real_element() const {
    return codegen::real_of(r.task.type) == dtype::float64 ? cublas_constants::float64 : cublas_constants::float32;
}

// The addresses of a stack's matrices, in the memory for one of two such lists.
SINTER_INLINE void** cuda_run::list(int which, char* first, std::int64_t stride, std::int64_t count) const {
    void *to = lists[which], *arguments[] = {&first, &stride, &to, &count};
    launch_cuda(where, r.list_matrices, {static_cast<std::uint32_t>((count + 255) / 256)}, {256}, 0, arguments);
    return static_cast<void**>(to);
}

SINTER_INLINE void cuda_run::size_getrf(cuda_work& w) const {
    const linalg_task& t = r.task;
    if (!has_panels(r))
        asked(function<cusolver_types::getrf_size>(1)(solver, t.m, t.n, nullptr, leading(t.m), &w.elements));
}

SINTER_INLINE void cuda_run::size_getrs(cuda_work&) const {}

// A kernel of its own solves them, see linalg_cuda_tridiagonal.ipp.
SINTER_INLINE void cuda_run::size_gtsv(cuda_work&) const {}
SINTER_INLINE void cuda_run::run_gtsv() const {}

SINTER_INLINE void cuda_run::size_inverse(cuda_work& w) const {
    if (r.task.batch == 1) size_getrf(w);
}

SINTER_INLINE void cuda_run::size_trsm(cuda_work&) const {}

SINTER_INLINE void cuda_run::size_potrf(cuda_work& w) const {
    const int n = r.task.n;
    asked(function<cusolver_types::potrf_size>(1)(solver, uplo(), n, nullptr, leading(n), &w.elements));
}

SINTER_INLINE void cuda_run::size_geqrf(cuda_work& w) const {
    const linalg_task& t = r.task;
    asked(function<cusolver_types::geqrf_size>(1)(solver, t.m, t.n, nullptr, leading(t.m), &w.elements));
}

SINTER_INLINE void cuda_run::size_orgqr(cuda_work& w) const {
    const linalg_task& t = r.task;
    asked(function<cusolver_types::orgqr_size>(1)(solver, t.m, t.n, t.k, nullptr, leading(t.m), nullptr, &w.elements));
}

SINTER_INLINE void cuda_run::size_ormqr(cuda_work& w) const {
    const linalg_task& t = r.task;
    const int side = has(codegen::call_info::right) ? linalg_constants::right : linalg_constants::left;
    asked(function<cusolver_types::ormqr_size>(1)(solver, side, trans(), t.m, t.n, t.k, nullptr,
                                                  leading(side ? t.n : t.m), nullptr, nullptr, leading(t.m),
                                                  &w.elements));
}

SINTER_INLINE void cuda_run::size_syevd(cuda_work& w) const {
    using s = cusolver_types;
    const linalg_task& t = r.task;
    const int ld = leading(t.n), jobz = has(codegen::call_info::vectors);
    if (t.batch > 1)
        asked(function<s::syev_batched_size>(1)(solver, params, jobz, uplo(), t.n, element(), nullptr, ld,
                                                real_element(), nullptr, element(), &w.on_device, &w.on_host, t.batch));
    else
        asked(function<s::syevd_size>(1)(solver, params, jobz, uplo(), t.n, element(), nullptr, ld, real_element(),
                                         nullptr, element(), &w.on_device, &w.on_host));
}

SINTER_INLINE void cuda_run::size_geev(cuda_work& w) const {
    const int ld = leading(r.task.n), jobz = has(codegen::call_info::vectors);
    asked(function<cusolver_types::geev_size>(1)(solver, params, 0, jobz, r.task.n, element(), nullptr, ld, element(),
                                                 nullptr, element(), nullptr, ld, element(), nullptr, ld, element(),
                                                 &w.on_device, &w.on_host));
}

SINTER_INLINE void cuda_run::size() {
    using enum codegen::routine;
    const linalg_task& t = r.task;
    if (!r.functions[1] || (t.call.what == inverse && t.batch > 1)) return;
    cuda_work w;
    switch (t.call.what) {
#define SINTER_LINALG_ROUTINE(name, ...) \
    case name: size_##name(w); break;
#include <sinter/codegen/ops/routines.def>
        default: break;
    }
    // The library's part is behind that of our own kernels.
    r.work[0] += std::max(static_cast<std::int64_t>(w.on_device), w.elements * std::int64_t{codegen::size_of(t.type)});
    // Products above the diagonal, and of the columns of a block.
    if (t.call.what == inverse)
        r.work[0] = std::max(r.work[0], std::max(largest_above(t.n), std::int64_t{t.n} * codegen::inverse_block) *
                                            codegen::size_of(t.type));
    r.work[1] = static_cast<std::int64_t>(w.on_host);
}

SINTER_INLINE void cuda_run::run_order_rows() const {
    if (!has(codegen::call_info::rows)) return;
    void *pivots_of = at[1], *rows = at[2];
    std::int64_t m = r.task.m, k = std::min(r.task.m, r.task.n), count = r.task.batch;
    void* arguments[] = {&pivots_of, &k, &rows, &m, &count};
    launch_cuda(where, r.order_rows, {static_cast<std::uint32_t>((count + 255) / 256)}, {256}, 0, arguments);
}

// -1, 0 or 1 in the type of the elements.
SINTER_INLINE const void* cuda_run::number(int value) const {
    static constexpr double wide[3][2] = {{-1, 0}, {0, 0}, {1, 0}};
    static constexpr float narrow[3][2] = {{-1, 0}, {0, 0}, {1, 0}};
    if (codegen::real_of(r.task.type) == dtype::float64) return wide[value + 1];
    return narrow[value + 1];
}

SINTER_INLINE void cuda_run::run_trsm() const {
    const linalg_task& t = r.task;
    const int side = has(codegen::call_info::right) ? linalg_constants::right : linalg_constants::left;
    const int ld = leading(side ? t.n : t.m), ldb = leading(t.m),
              diag = has(codegen::call_info::unit) ? linalg_constants::unit : 0;
    if (t.batch > 1)
        multiplied(function<cublas_linalg_types::trsm_batched>(0)(blas, side, uplo(), trans(), diag, t.m, t.n,
                                                                  number(1), list(1, at[1], t.stride[1]), ld,
                                                                  list(0, at[0], t.stride[0]), ldb, batch()));
    else
        multiplied(function<cublas_linalg_types::trsm>(0)(blas, side, uplo(), trans(), diag, t.m, t.n, number(1), at[1],
                                                          ld, at[0], ldb));
}

SINTER_INLINE void cuda_run::form_q(const q_factors& f) const {
    if (is_by_panels(r.task)) return form_q_by_panels(f, qr_room());
    constexpr std::int64_t unasked_shared_memory = 48 * 1024;
    const void *a = f.reflectors, *tau = f.tau, *from = f.from, *order = f.order;
    void* to = f.to;
    std::int64_t apart = f.apart, m = f.m, n = f.n, k = f.k;
    const std::int64_t bytes = codegen::columns_of_warp * m * codegen::size_of(r.task.type),
                       parts = (n + codegen::columns_of_warp - 1) / codegen::columns_of_warp;
    int shared = bytes <= unasked_shared_memory, signs = f.signs;
    void* arguments[] = {&a, &apart, &tau, &from, &order, &to, &m, &n, &k, &shared, &signs};
    launch_cuda(where, r.form_q, {static_cast<std::uint32_t>(r.task.batch * parts)}, {32},
                shared ? static_cast<std::size_t>(bytes) : 0, arguments);
}

// The kernel has to find the reflectors elsewhere than where it writes.
SINTER_INLINE void cuda_run::run_orgqr_stack() const {
    const linalg_task& t = r.task;
    copy_between(where, copy, where, at[0], static_cast<std::size_t>(t.stride[0] * t.batch));
    form_q({.reflectors = copy,
            .apart = std::int64_t{t.m} * t.n,
            .tau = at[1],
            .to = at[0],
            .m = t.m,
            .n = t.n,
            .k = t.k});
}

SINTER_INLINE void cuda_run::run_geqrf() const {
    const linalg_task& t = r.task;
    const int ld = leading(t.m);
    if (is_geqrf_stack(t)) return reflect_columns(at[0], at[1], t.m, t.n);
    if (is_small_qr_stack(t)) {
        int status = 0;
        return multiplied(function<cublas_linalg_types::geqrf_batched>(0)(
            blas, t.m, t.n, list(0, at[0], t.stride[0]), ld, list(1, at[1], t.stride[1]), &status, batch()));
    }
    solved(function<cusolver_types::geqrf>(0)(solver, t.m, t.n, at[0], ld, at[1], work, lwork(), infos()));
}

SINTER_INLINE void cuda_run::run_orgqr() const {
    const linalg_task& t = r.task;
    if (is_orgqr_stack(t)) return run_orgqr_stack();
    solved(
        function<cusolver_types::orgqr>(0)(solver, t.m, t.n, t.k, at[0], leading(t.m), at[1], work, lwork(), infos()));
}

// No function takes stacks.
SINTER_INLINE void cuda_run::run_ormqr() const {
    const linalg_task& t = r.task;
    const int side = has(codegen::call_info::right) ? linalg_constants::right : linalg_constants::left;
    for (std::int64_t i = 0; i < t.batch; ++i)
        solved(function<cusolver_types::ormqr>(0)(solver, side, trans(), t.m, t.n, t.k, at[1] + i * t.stride[1],
                                                  leading(side ? t.n : t.m), at[2] + i * t.stride[2],
                                                  at[0] + i * t.stride[0], leading(t.m), work, lwork(), infos() + i));
}

SINTER_INLINE void cuda_run::run_syevd() const {
    using s = cusolver_types;
    const linalg_task& t = r.task;
    const int ld = leading(t.n), jobz = has(codegen::call_info::vectors);
    const auto on_device = static_cast<std::size_t>(r.work[0]), on_host = static_cast<std::size_t>(r.work[1]);
    if (t.batch > 1)
        solved(function<s::syev_batched>(0)(solver, params, jobz, uplo(), t.n, element(), at[0], ld, real_element(),
                                            at[1], element(), work, on_device, host_work(), on_host, infos(), t.batch));
    else
        solved(function<s::syevd>(0)(solver, params, jobz, uplo(), t.n, element(), at[0], ld, real_element(), at[1],
                                     element(), work, on_device, host_work(), on_host, infos()));
}

SINTER_INLINE void cuda_run::size_gesvd(cuda_work& w) const {
    using s = cusolver_types;
    const linalg_task& t = r.task;
    const int ld = leading(t.m), jobz = has(codegen::call_info::vectors), econ = !has(codegen::call_info::full);
    if (is_polar_stack(t)) {
        const int q = std::min(t.m, t.n);
        check_cusolver(
            function<s::syev_batched_size>(2)(solver, params, jobz, linalg_constants::lower, q, element(), nullptr, q,
                                              real_element(), nullptr, element(), &w.on_device, &w.on_host, t.batch),
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

// Memory on the host for functions that may still work in it when they return.
SINTER_INLINE void* cuda_run::host_work() const {
    const auto bytes = static_cast<std::size_t>(r.work[1]);
    if (own.host_work.size() < bytes) {
        host_synchronize(where);
        own.host_work.resize(bytes);
    }
    return own.host_work.data();
}

// Jacobi's rotations for one matrix, u, values and v, by function number `first`.
SINTER_INLINE void cuda_run::run_gesvdj(int first, char* const* matrix, void* room, int elements, int* status) const {
    const linalg_task& t = r.task;
    const int ld = leading(t.m), jobz = has(codegen::call_info::vectors), econ = !has(codegen::call_info::full);
    solved(function<cusolver_types::gesvdj>(first)(solver, jobz, econ, t.m, t.n, matrix[0], ld, matrix[2], matrix[1],
                                                   ld, matrix[3], ld_of_v(), room, elements, status, own.jacobi));
}

SINTER_INLINE void cuda_run::run_gesvdp(char* const* matrix, int* status) const {
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
    const buffer_ref room = allocate_buffer(where, static_cast<std::size_t>(elements) * codegen::size_of(t.type));
    copy_between(where, matrix[0], where, copy, static_cast<std::size_t>(t.stride[0]));
    run_gesvdj(2, matrix, room->data, elements, status);
}

SINTER_INLINE void cuda_run::run_gesvd() const {
    const linalg_task& t = r.task;
    if (is_jacobi_stack(t))
        return solved(function<cusolver_types::gesvdj_batched>(0)(
            solver, has(codegen::call_info::vectors), t.m, t.n, at[0], leading(t.m), at[2], at[1], leading(t.m), at[3],
            ld_of_v(), work, lwork(), infos(), own.jacobi, batch()));
    if (is_svd_stack(t)) return run_svd_stack();
    if (is_jacobi(t)) run_gesvdj(0, at, work, lwork(), infos());
    else run_gesvdp(at, infos());
}

SINTER_INLINE void cuda_run::run_geev() const {
    using s = cusolver_types;
    const linalg_task& t = r.task;
    const int ld = leading(t.n), jobz = has(codegen::call_info::vectors);
    for (std::int64_t i = 0; i < t.batch; ++i)
        solved(function<s::geev>(0)(solver, params, 0, jobz, t.n, element(), at[0] + i * t.stride[0], ld, element(),
                                    at[1] + i * t.stride[1], element(), nullptr, ld, element(), at[2] + i * t.stride[2],
                                    ld, element(), work, static_cast<std::size_t>(r.work[0]), host_work(),
                                    static_cast<std::size_t>(r.work[1]), infos() + i));
}

SINTER_INLINE void cuda_run::clear_not_finite() const {
    const linalg_task& t = r.task;
    void *a = at[0], *marks_at = marks;
    std::int64_t m = t.m, n = t.n, count = t.batch, words = codegen::size_of(t.type) / 4,
                 wide = codegen::size_of(codegen::real_of(t.type)) / 4;
    int triangle = t.call.what != codegen::routine::syevd ? 0 : has(codegen::call_info::upper) ? 1 : -1;
    const auto blocks =
        static_cast<std::uint32_t>((n * count + codegen::columns_to_check - 1) / codegen::columns_to_check);
    void* marked[] = {&a, &m, &n, &count, &words, &wide, &triangle, &marks_at};
    launch_cuda(where, r.mark_not_finite, {blocks}, {256}, 0, marked);
    void* cleared[] = {&a, &m, &n, &count, &words, &marks_at};
    launch_cuda(where, r.clear_marked, {blocks}, {256}, 0, cleared);
}

SINTER_INLINE void cuda_run::mark_overflows() const {
    const linalg_task& t = r.task;
    const int array = codegen::array_of_values(t.call.what);
    void *values = at[array], *infos_at = info;
    std::int64_t words = t.stride[array] / 4, count = t.batch, wide = codegen::size_of(codegen::real_of(t.type)) / 4;
    void* arguments[] = {&values, &words, &count, &wide, &infos_at};
    launch_cuda(where, r.mark_overflows, {static_cast<std::uint32_t>((words * count + 255) / 256)}, {256}, 0,
                arguments);
}

SINTER_INLINE void cuda_run::run_getrs() const {
    const linalg_task& t = r.task;
    const int ld = leading(t.m);
    int status = 0;
    if (t.batch == 1)
        return solved(
            function<cusolver_types::getrs>(0)(solver, trans(), t.m, t.n, at[1], ld, pivots_at(2), at[0], ld, infos()));
    multiplied(function<cublas_linalg_types::getrs_batched>(0)(blas, trans(), t.m, t.n, list(1, at[1], t.stride[1]), ld,
                                                               pivots_at(2), list(0, at[0], t.stride[0]), ld, &status,
                                                               batch()));
}

SINTER_INLINE void cuda_run::run_potrf() const {
    using s = cusolver_types;
    const linalg_task& t = r.task;
    const int n = t.n, ld = leading(n);
    if (t.batch == 1) return solved(function<s::potrf>(0)(solver, uplo(), n, at[0], ld, work, lwork(), infos()));
    solved(function<s::potrf_batched>(0)(solver, uplo(), n, list(0, at[0], t.stride[0]), ld, infos(), batch()));
}

SINTER_INLINE void cuda_run::run() const {
    switch (r.task.call.what) {
#define SINTER_LINALG_ROUTINE(name, ...) \
    case codegen::routine::name: return run_##name();
#include <sinter/codegen/ops/routines.def>
        default: throw internal_error("[linalg] a routine is none of linear algebra");
    }
}

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_IEEE_END

#endif
