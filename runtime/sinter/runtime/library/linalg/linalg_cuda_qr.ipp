// Bodies of linalg_cuda_qr.hpp.
#pragma once

#include <bit>
#include <utility>
#include <sinter/codegen/kernels/linalg/linalg_cuda.hpp>
#include <sinter/codegen/kernels/linalg/qr_cuda.hpp>
#include <sinter/codegen/kernels/linalg/svd_cuda.hpp>
#include <sinter/runtime/compile/kernel_cache.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda_qr.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda_stacks.hpp>
#include <sinter/runtime/memory/copy.hpp>

#if SINTER_HAS_CUDA

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE void cuda_qr::multiply_stack(const stack_product& p) const {
    const double wide[2][2] = {{p.factor, 0}, {p.kept, 0}};
    const float narrow[2][2] = {{static_cast<float>(p.factor), 0}, {static_cast<float>(p.kept), 0}};
    const bool is_narrow = codegen::real_of(r.task.type) == dtype::float32;
    const void *factor = is_narrow ? static_cast<const void*>(narrow[0]) : wide[0],
               *kept = is_narrow ? static_cast<const void*>(narrow[1]) : wide[1];
    constexpr int adjoint = 2;
    multiplied(function<cublas_linalg_types::gemm_strided>(0)(
        blas, p.adjoint ? adjoint : 0, 0, p.m, p.n, p.k, factor, p.a.data, static_cast<int>(p.a.leading), p.a.apart,
        p.b.data, static_cast<int>(p.b.leading), p.b.apart, kept, p.c.data, static_cast<int>(p.c.leading), p.c.apart,
        batch()));
}

SINTER_INLINE qr_layout::qr_layout(const linalg_task& t) {
    const std::int64_t most = std::max(t.m, t.n), element = codegen::size_of(t.type) * t.batch,
                       width = codegen::qr_width(t.type);
    auto take = [&](std::int64_t size) { return std::exchange(bytes, bytes + rounded_up(size)); };
    sums = take(codegen::qr_sums(t.type) * element);
    reflectors = take(most * width * element);
    squares = take(width * width * element);
    triangles = take(width * width * element);
    products = take(width * most * element);
    products_after = take(width * most * element);
}

// Reflectors number `first` and so many more, which lie below the diagonals of matrices of m rows.
struct qr_block {
    const char* matrices;
    std::int64_t m, apart;
    const char* tau;
    std::int64_t tau_apart, first;
    int columns;
};

SINTER_INLINE void prepare_panels_of_q(prepared_linalg& p, device where) {
    const written_text& text = find_text(codegen::qr_cuda(p.task.type), where);
    qr_kernels& k = p.qr;
    k.reflect_panel = text.kernel("reflect_panel");
    k.take_reflectors = text.kernel("take_reflectors");
    k.form_triangle = text.kernel("form_triangle");
    k.begin_q = text.kernel("begin_q");
    k.blocks = std::min(allow_cluster(where, k.reflect_panel, {codegen::qr_threads}, codegen::most_qr_blocks),
                        std::max(1, static_cast<int>(properties(where.index()).multiprocessors / p.task.batch)));
    k.blocks = static_cast<int>(std::bit_floor(static_cast<unsigned>(k.blocks)));
    p.work[0] = qr_layout(p.task).bytes;
}

// The matrix t of a block's reflectors, and these by themselves.
SINTER_INLINE void cuda_qr::form_block(const qr_block& b, const qr_layout& l, char* workspace) const {
    const std::int64_t element = codegen::size_of(r.task.type);
    const void *a = b.matrices + b.first * (b.m + 1) * element, *tau = b.tau + b.first * element;
    std::int64_t ld = b.m, apart = b.apart, tau_apart = b.tau_apart, rows = b.m - b.first;
    void *v = workspace + l.reflectors, *g = workspace + l.squares, *t = workspace + l.triangles;
    int n = b.columns;
    void* taken[] = {&a, &ld, &apart, &v, &rows, &n};
    launch_cuda(where, r.qr.take_reflectors, {static_cast<std::uint32_t>(r.task.batch * n)}, {codegen::qr_threads}, 0,
                taken);
    multiply_stack({.m = n,
                    .n = n,
                    .k = static_cast<int>(rows),
                    .a = {v, rows, rows * n},
                    .b = {v, rows, rows * n},
                    .c = {g, n, n * n},
                    .adjoint = true});
    void* formed[] = {&g, &tau, &tau_apart, &t, &n};
    launch_cuda(where, r.qr.form_triangle, {static_cast<std::uint32_t>(r.task.batch)}, {32}, 0, formed);
}

// Columns of matrices of as many rows, `apart` elements apart, times a formed block or its adjoint.
SINTER_INLINE void cuda_qr::multiply_block(const qr_block& b, bool adjoint, const qr_layout& l, char* workspace,
                                           char* c, std::int64_t apart, std::int64_t columns) const {
    const std::int64_t rows = b.m - b.first;
    const int n = b.columns, count = static_cast<int>(columns), height = static_cast<int>(rows);
    char *v = workspace + l.reflectors, *t = workspace + l.triangles, *w = workspace + l.products,
         *after = workspace + l.products_after;
    c += b.first * codegen::size_of(r.task.type);
    const stack_operand reflectors{v, rows, rows * n}, triangles{t, n, n * n}, given{c, b.m, apart},
        products{w, n, n * columns}, products_after{after, n, n * columns};
    multiply_stack({.m = n, .n = count, .k = height, .a = reflectors, .b = given, .c = products, .adjoint = true});
    multiply_stack(
        {.m = n, .n = count, .k = n, .a = triangles, .b = products, .c = products_after, .adjoint = adjoint});
    multiply_stack(
        {.m = height, .n = count, .k = n, .a = reflectors, .b = products_after, .c = given, .factor = -1, .kept = 1});
}

SINTER_INLINE void cuda_qr::reflect_by_panels(char* matrices, char* factors, std::int64_t m, std::int64_t n,
                                              char* workspace) const {
    const std::int64_t element = codegen::size_of(r.task.type), reflectors = std::min(m, n);
    const qr_layout l(r.task);
    fill_zero(where, workspace + l.sums,
              static_cast<std::size_t>(codegen::qr_sums(r.task.type) * element * r.task.batch));
    for (std::int64_t first = 0; first < reflectors; first += codegen::qr_width(r.task.type)) {
        int columns = static_cast<int>(std::min<std::int64_t>(codegen::qr_width(r.task.type), reflectors - first)),
            blocks = 1;
        std::int64_t rows = m - first, ld = m, apart = m * n, tau_apart = reflectors;
        while (2 * blocks <= r.qr.blocks && 2 * blocks * codegen::least_qr_rows <= rows) blocks *= 2;
        void *a = matrices + first * (m + 1) * element, *tau = factors + first * element, *sums = workspace + l.sums;
        void* arguments[] = {&a, &ld, &apart, &tau, &tau_apart, &rows, &columns, &blocks, &sums};
        launch_cuda(where, r.qr.reflect_panel, {static_cast<std::uint32_t>(r.task.batch * blocks)},
                    {codegen::qr_threads}, 0, arguments, {blocks});
        const std::int64_t next = first + columns;
        if (next >= n) break;
        const qr_block b{matrices, m, apart, factors, tau_apart, first, columns};
        form_block(b, l, workspace);
        multiply_block(b, true, l, workspace, matrices + next * m * element, apart, n - next);
    }
}

SINTER_INLINE void cuda_qr::form_q_by_panels(const q_factors& f, char* workspace) const {
    const std::int64_t element = codegen::size_of(r.task.type), width = codegen::qr_width(r.task.type);
    const qr_layout l(r.task);
    const void *a = f.reflectors, *from = f.from, *order = f.order;
    void* to = f.to;
    std::int64_t apart = f.apart, m = f.m, n = f.n, k = f.k;
    int signs = f.signs;
    void* begun[] = {&a, &apart, &from, &order, &to, &m, &n, &k, &signs};
    launch_cuda(where, r.qr.begin_q, {static_cast<std::uint32_t>(r.task.batch * n)}, {codegen::qr_threads}, 0, begun);
    for (std::int64_t first = k > 0 ? (k - 1) / width * width : -1; first >= 0; first -= width) {
        const qr_block b{f.reflectors, m, apart, f.tau, k, first, static_cast<int>(std::min(width, k - first))};
        // An identity's columns before the block's have zeros in its rows.
        const std::int64_t begin = from ? 0 : std::min(first, n);
        if (begin == n) continue;
        form_block(b, l, workspace);
        multiply_block(b, false, l, workspace, f.to + begin * m * element, m * n, n - begin);
    }
}

SINTER_INLINE int reflecting_blocks(const prepared_linalg& p, device where, std::int64_t n) {
    constexpr std::int64_t warps = codegen::svd_threads / 32;
    const std::int64_t most = allow_cluster(where, p.svd.reflect, {codegen::svd_threads}, codegen::most_svd_blocks),
                       wanted =
                           std::min(properties(where.index()).multiprocessors / p.task.batch, (n + warps - 1) / warps);
    return static_cast<int>(std::bit_floor(static_cast<std::uint64_t>(std::clamp<std::int64_t>(wanted, 1, most))));
}

SINTER_INLINE void prepare_geqrf_stack(prepared_linalg& p, device where) {
    p.svd.reflect = find_text(codegen::svd_cuda(p.task.type), where).kernel("reflect_columns");
    p.svd.blocks = reflecting_blocks(p, where, p.task.n);
}

SINTER_INLINE void cuda_qr::reflect_columns(char* matrices, char* factors, std::int64_t m, std::int64_t n) const {
    if (is_by_panels(r.task)) return reflect_by_panels(matrices, factors, m, n, qr_workspace());
    int blocks = r.svd.blocks;
    void* arguments[] = {&matrices, &factors, &m, &n, &blocks};
    launch_cuda(where, r.svd.reflect, {static_cast<std::uint32_t>(r.task.batch * blocks)}, {codegen::svd_threads}, 0,
                arguments, {blocks});
}

SINTER_INLINE void cuda_qr::form_q(const q_factors& f) const {
    if (is_by_panels(r.task)) return form_q_by_panels(f, qr_workspace());
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
SINTER_INLINE void cuda_qr::run_orgqr_stack() const {
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

SINTER_INLINE void cuda_qr::run_geqrf() const {
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

SINTER_INLINE void cuda_qr::run_orgqr() const {
    const linalg_task& t = r.task;
    if (is_orgqr_stack(t)) return run_orgqr_stack();
    solved(
        function<cusolver_types::orgqr>(0)(solver, t.m, t.n, t.k, at[0], leading(t.m), at[1], work, lwork(), infos()));
}

}  // namespace sinter::inline SINTER_ABI::runtime

#endif
