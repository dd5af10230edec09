// Bodies of linalg_cuda_routines.hpp.
#pragma once

#include <sinter/codegen/kernels/linalg/linalg_cuda.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda_inverse.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda_routines.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda_stacks.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda_svd.hpp>

#if SINTER_HAS_CUDA

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE void cuda_routine::size_getrf(cuda_work& w) const {
    const linalg_task& t = r.task;
    if (!has_panels(r))
        asked(function<cusolver_types::getrf_size>(1)(solver, t.m, t.n, nullptr, leading(t.m), &w.elements));
}

SINTER_INLINE void cuda_routine::size_getrs(cuda_work&) const {}

// A kernel of its own solves them, see linalg_cuda_tridiagonal.ipp.
SINTER_INLINE void cuda_routine::size_gtsv(cuda_work&) const {}
SINTER_INLINE void cuda_routine::run_gtsv() const {}

SINTER_INLINE void cuda_routine::size_inverse(cuda_work& w) const {
    if (r.task.batch == 1) size_getrf(w);
}

SINTER_INLINE void cuda_routine::size_trsm(cuda_work&) const {}

SINTER_INLINE void cuda_routine::size_potrf(cuda_work& w) const {
    const int n = r.task.n;
    asked(function<cusolver_types::potrf_size>(1)(solver, uplo(), n, nullptr, leading(n), &w.elements));
}

SINTER_INLINE void cuda_routine::size_geqrf(cuda_work& w) const {
    const linalg_task& t = r.task;
    asked(function<cusolver_types::geqrf_size>(1)(solver, t.m, t.n, nullptr, leading(t.m), &w.elements));
}

SINTER_INLINE void cuda_routine::size_orgqr(cuda_work& w) const {
    const linalg_task& t = r.task;
    asked(function<cusolver_types::orgqr_size>(1)(solver, t.m, t.n, t.k, nullptr, leading(t.m), nullptr, &w.elements));
}

SINTER_INLINE void cuda_routine::size_ormqr(cuda_work& w) const {
    const linalg_task& t = r.task;
    const int side = has(codegen::call_info::right) ? linalg_constants::right : linalg_constants::left;
    asked(function<cusolver_types::ormqr_size>(1)(solver, side, trans(), t.m, t.n, t.k, nullptr,
                                                  leading(side ? t.n : t.m), nullptr, nullptr, leading(t.m),
                                                  &w.elements));
}

SINTER_INLINE void cuda_routine::size_syevd(cuda_work& w) const {
    using s = cusolver_types;
    const linalg_task& t = r.task;
    if (is_small(t)) return;
    const int ld = leading(t.n), jobz = has(codegen::call_info::vectors);
    if (t.batch > 1)
        asked(function<s::syev_batched_size>(1)(solver, params, jobz, uplo(), t.n, element(), nullptr, ld,
                                                real_element(), nullptr, element(), &w.on_device, &w.on_host,
                                                std::min(most_of_syev_batched, t.batch)));
    else
        asked(function<s::syevd_size>(1)(solver, params, jobz, uplo(), t.n, element(), nullptr, ld, real_element(),
                                         nullptr, element(), &w.on_device, &w.on_host));
}

SINTER_INLINE void cuda_routine::size_geev(cuda_work& w) const {
    const int ld = leading(r.task.n), jobz = has(codegen::call_info::vectors);
    asked(function<cusolver_types::geev_size>(1)(solver, params, 0, jobz, r.task.n, element(), nullptr, ld,
                                                 complex_element(), nullptr, element(), nullptr, ld, element(), nullptr,
                                                 ld, element(), &w.on_device, &w.on_host));
}

SINTER_INLINE void cuda_routine::size() {
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

SINTER_INLINE void cuda_routine::run_trsm() const {
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

SINTER_INLINE void cuda_routine::run_getrf() const { cuda_lu{*this}.run_getrf(); }
SINTER_INLINE void cuda_routine::run_inverse() const { cuda_inverse{{*this}}.run_inverse(); }
SINTER_INLINE void cuda_routine::run_geqrf() const { cuda_qr{*this}.run_geqrf(); }
SINTER_INLINE void cuda_routine::run_orgqr() const { cuda_qr{*this}.run_orgqr(); }
SINTER_INLINE void cuda_routine::size_gesvd(cuda_work& w) const { cuda_svd{{*this}}.size_gesvd(w); }
SINTER_INLINE void cuda_routine::run_gesvd() const { cuda_svd{{*this}}.run_gesvd(); }

// No function takes stacks.
SINTER_INLINE void cuda_routine::run_ormqr() const {
    const linalg_task& t = r.task;
    const int side = has(codegen::call_info::right) ? linalg_constants::right : linalg_constants::left;
    for (std::int64_t i = 0; i < t.batch; ++i)
        solved(function<cusolver_types::ormqr>(0)(solver, side, trans(), t.m, t.n, t.k, at[1] + i * t.stride[1],
                                                  leading(side ? t.n : t.m), at[2] + i * t.stride[2],
                                                  at[0] + i * t.stride[0], leading(t.m), work, lwork(), infos() + i));
}

SINTER_INLINE void cuda_routine::rotate_small() const {
    void *a = at[0], *to = at[1];
    const void* infos_at = info;
    int upper = has(codegen::call_info::upper), with_vectors = has(codegen::call_info::vectors);
    std::int64_t count = r.task.batch;
    void* arguments[] = {&a, &to, &upper, &with_vectors, &count, &infos_at};
    launch_cuda(where, r.small, {blocks_of_small(r.task)}, {codegen::small_matrix_threads}, 0, arguments);
}

SINTER_INLINE void cuda_routine::run_syevd() const {
    using s = cusolver_types;
    const linalg_task& t = r.task;
    if (is_small(t)) return rotate_small();
    const int ld = leading(t.n), jobz = has(codegen::call_info::vectors);
    const auto on_device = static_cast<std::size_t>(r.work[0]), on_host = static_cast<std::size_t>(r.work[1]);
    if (t.batch > 1)
        solve_syev_batched(0, uplo(), static_cast<int>(t.n), at[0], ld, t.stride[0], at[1], work, on_device, on_host);
    else
        solved(function<s::syevd>(0)(solver, params, jobz, uplo(), t.n, element(), at[0], ld, real_element(), at[1],
                                     element(), work, on_device, host_work(), on_host, infos()));
}

SINTER_INLINE void cuda_routine::run_geev() const {
    using s = cusolver_types;
    const linalg_task& t = r.task;
    const int ld = leading(t.n), jobz = has(codegen::call_info::vectors);
    const bool packed = has_packed_vectors(t);
    for (std::int64_t i = 0; i < t.batch; ++i) {
        char *values = at[1] + i * t.stride[1], *columns = at[2] + i * t.stride[2], *to = packed ? vectors : columns;
        solved(function<s::geev>(0)(solver, params, 0, jobz, t.n, element(), at[0] + i * t.stride[0], ld,
                                    complex_element(), values, element(), nullptr, ld, element(), to, ld, element(),
                                    work, static_cast<std::size_t>(r.work[0]), host_work(),
                                    static_cast<std::size_t>(r.work[1]), infos() + i));
        if (packed) unpack_vectors(values, columns);
    }
}

SINTER_INLINE void cuda_routine::unpack_vectors(char* values, char* columns) const {
    void* from = vectors;
    std::int64_t n = r.task.n, wide = codegen::size_of(r.task.type) / 4;
    void* arguments[] = {&values, &from, &columns, &n, &wide};
    launch_cuda(where, r.unpack_vectors, {static_cast<std::uint32_t>(n)}, {256}, 0, arguments);
}

SINTER_INLINE void cuda_routine::clear_not_finite() const {
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

SINTER_INLINE void cuda_routine::mark_overflows() const {
    const linalg_task& t = r.task;
    const int array = codegen::array_of_values(t.call.what);
    void *values = at[array], *infos_at = info;
    std::int64_t words = t.stride[array] / 4, count = t.batch, wide = codegen::size_of(codegen::real_of(t.type)) / 4;
    void* arguments[] = {&values, &words, &count, &wide, &infos_at};
    launch_cuda(where, r.mark_overflows, {static_cast<std::uint32_t>((words * count + 255) / 256)}, {256}, 0,
                arguments);
}

SINTER_INLINE void cuda_routine::run_getrs() const {
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

SINTER_INLINE void cuda_routine::factor_small() const {
    void* a = at[0];
    const void* infos_at = info;
    std::int64_t n = r.task.n, count = r.task.batch;
    int upper = has(codegen::call_info::upper);
    void* arguments[] = {&a, &n, &count, &upper, &infos_at};
    launch_cuda(where, r.small, {blocks_of_small(r.task)}, {codegen::small_matrix_threads}, 0, arguments);
}

SINTER_INLINE void cuda_routine::run_potrf() const {
    using s = cusolver_types;
    const linalg_task& t = r.task;
    const int n = t.n, ld = leading(n);
    if (is_small(t)) return factor_small();
    if (t.batch == 1) return solved(function<s::potrf>(0)(solver, uplo(), n, at[0], ld, work, lwork(), infos()));
    solved(function<s::potrf_batched>(0)(solver, uplo(), n, list(0, at[0], t.stride[0]), ld, infos(), batch()));
}

SINTER_INLINE void cuda_routine::run() const {
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
