// Bodies of linalg_cuda_factor.hpp.
#pragma once

#include <sinter/codegen/kernels/linalg/factor_cuda.hpp>
#include <sinter/runtime/compile/kernel_cache.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda_factor.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda_stacks.hpp>

#if SINTER_HAS_CUDA

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE codegen::panel_source panels_of(const linalg_task& t, bool tall) {
    return codegen::factor_cuda(t.type, tall, tall && t.batch > 1);
}

SINTER_INLINE void add_panel_texts(codegen::sequence<codegen::kernel_source>& to, const linalg_task& t) {
    for (const bool tall : {false, true}) {
        const codegen::panel_source panels = panels_of(t, tall);
        to.push_back(panels.source);
        to.push_back(panels.exchange);
        if (t.m <= std::int64_t{codegen::most_panel_blocks} * panels.threads) return;
    }
}

// Whether a cluster's blocks suffice for wide ones is known when these are there.
SINTER_INLINE void prepare_panels(prepared_linalg& p, device where) {
    for (const bool tall : {false, true}) {
        const codegen::panel_source source = panels_of(p.task, tall);
        const written_text& text = find_text(source.source, where);
        panel_kernels& k = p.panels[tall];
        k.factor = text.kernel("factor_panel");
        k.exchange = find_text(source.exchange, where).kernel("exchange_rows");
        k.width = source.width;
        k.threads = source.threads;
        k.blocks = allow_cluster(where, k.factor, {static_cast<std::uint32_t>(k.threads)}, codegen::most_panel_blocks);
        if (k.takes(p.task.m)) return;
        k.long_panels = tall && p.task.batch > 1;
        if (!k.long_panels) continue;
        k.factor = text.kernel("factor_long_panel");
        k.blocks = allow_cluster(where, k.factor, {static_cast<std::uint32_t>(k.threads)}, codegen::most_panel_blocks);
    }
}

SINTER_INLINE bool has_panels(const prepared_linalg& p) {
    return p.panels[0].takes(p.task.m) || p.panels[1].takes(p.task.m);
}

SINTER_INLINE void cuda_lu::run_order_rows() const {
    if (!has(codegen::call_info::rows)) return;
    void *pivots_of = at[1], *rows = at[2];
    std::int64_t m = r.task.m, k = std::min(r.task.m, r.task.n), count = r.task.batch;
    void* arguments[] = {&pivots_of, &k, &rows, &m, &count};
    launch_cuda(where, r.order_rows, {static_cast<std::uint32_t>((count + 255) / 256)}, {256}, 0, arguments);
}

// Stacks of long panels, one H100, float64, ms by cuSOLVER's getrf one by one and so: 4 of 20000 x 64 1.26 and 1.01, of
// 20000 x 500 11.7 and 11.8, of 100000 x 32 1.34 and 1.35; complex128, 2 of 16400 x 1000 15 and 46. Factors of the next
// columns before `end`, at most a panel, and their exchanges in all other columns; those up to `end` are solved for U.
// Returns the first column beyond.
SINTER_INLINE int cuda_lu::factor_panel(const lu_factors& lu, int first, int end) const {
    int rows = lu.m - first;
    const panel_kernels& k = r.panels[!r.panels[0].takes(rows)];
    int columns = std::min(k.width, end - first), blocks = 1, begin = 0, others = lu.n;
    while (rows > codegen::lone_panel_rows && blocks < k.blocks && blocks * codegen::shared_panel_rows < rows)
        blocks *= 2;
    codegen::panel_stack stack{lu.count, lu.size(), std::min(lu.m, lu.n), lu.m};
    constexpr std::int64_t most_along_axis = 65535;
    const auto y = static_cast<std::uint32_t>(std::min(lu.count, most_along_axis)),
               z = static_cast<std::uint32_t>((lu.count + most_along_axis - 1) / most_along_axis);
    const int threads = std::min(((rows + blocks - 1) / blocks + 31) / 32 * 32, k.threads);
    std::int64_t ld = lu.m;
    void *a = lu.at(first, first), *top = lu.at(first, 0), *exchanges = lu.pivots + first, *from = moves,
         *to = moves + 4 * codegen::most_panel_columns, *places = lu.rows ? lu.rows + first : nullptr,
         *status = lu.info;
    void* factored[] = {&a, &ld, &rows, &columns, &first, &exchanges, &from, &to, &places, &status, &stack};
    launch_cuda(where, k.factor, {static_cast<std::uint32_t>(blocks), y, z}, {static_cast<std::uint32_t>(threads)}, 0,
                factored, {blocks});
    void* exchanged[] = {&top, &ld, &begin, &others, &first, &columns, &end, &from, &to, &stack};
    constexpr int columns_of_block = 32;
    if (lu.n > columns)
        launch_cuda(where, k.exchange,
                    {static_cast<std::uint32_t>((lu.n - columns + columns_of_block - 1) / columns_of_block), y, z},
                    {256}, 0, exchanged);
    return first + columns;
}

// What columns `first` to `next` of the factors take from the rows and columns beyond, columns up to `end`.
SINTER_INLINE void cuda_lu::subtract_product(const lu_factors& lu, int first, int next, int end) const {
    using b = cublas_linalg_types;
    if (next >= end || next >= lu.m) return;
    if (lu.count > 1)
        return multiplied(function<b::gemm_strided>(3)(
            blas, 0, 0, lu.m - next, end - next, next - first, number(-1), lu.at(next, first), lu.m, lu.size(),
            lu.at(first, next), lu.m, lu.size(), number(1), lu.at(next, next), lu.m, lu.size(), batch()));
    multiplied(function<b::gemm>(3)(blas, 0, 0, lu.m - next, end - next, next - first, number(-1), lu.at(next, first),
                                    lu.m, lu.at(first, next), lu.m, number(1), lu.at(next, next), lu.m));
}

// Columns from `end` on, solved for U's rows `first` to `end`.
SINTER_INLINE void cuda_lu::solve_rows(const lu_factors& lu, int first, int end) const {
    using b = cublas_linalg_types;
    constexpr int left = linalg_constants::left, lower = linalg_constants::lower, unit = linalg_constants::unit;
    const int rows = end - first, columns = lu.n - end;
    if (lu.count == 1)
        return multiplied(function<b::trsm>(2)(blas, left, lower, 0, unit, rows, columns, number(1),
                                               lu.at(first, first), lu.m, lu.at(first, end), lu.m));
    const std::int64_t stride = lu.size() * lu.element;
    multiplied(function<b::trsm_batched>(2)(blas, left, lower, 0, unit, rows, columns, number(1),
                                            list(0, lu.at(first, first), stride), lu.m,
                                            list(1, lu.at(first, end), stride), lu.m, batch()));
}

SINTER_INLINE void cuda_lu::run_keep_nan() const {
    const linalg_task& t = r.task;
    void *factors = at[0], *infos_at = infos();
    std::int64_t n = t.n, count = t.batch, words = codegen::size_of(t.type) / 4,
                 wide = codegen::size_of(codegen::real_of(t.type)) / 4;
    void* arguments[] = {&factors, &n, &count, &words, &wide, &infos_at};
    launch_cuda(where, r.keep_nan, {static_cast<std::uint32_t>((count + 7) / 8)}, {256}, 0, arguments);
}

// By blocks of columns, so that nearly all arithmetic is in large products, and panels within them, which take most of
// the time. One H200, float64, ms with cuSOLVER's getrf and so: n = 100 0.17 and 0.11, 316 0.61 and 0.34, 1000 2.2
// and 1.4, 3162 10.2 and 6.1, 10000 53 and 43; blocks of 64 columns 61, of 128 46, of 512 43.
SINTER_INLINE void cuda_lu::factor(const lu_factors& lu) const {
    constexpr int block = 256;
    const int steps = std::min(lu.m, lu.n);
    for (int first = 0; first < steps;) {
        const int end = steps <= 4 * block ? steps : std::min(first + block, steps);
        for (int begin = first; begin < end;) {
            const int next = factor_panel(lu, begin, end);
            subtract_product(lu, begin, next, end);
            begin = next;
        }
        if (end < lu.n) solve_rows(lu, first, end);
        subtract_product(lu, first, end, lu.n);
        first = end;
    }
}

SINTER_INLINE void cuda_lu::run_getrf() const {
    using s = cusolver_types;
    const linalg_task& t = r.task;
    const int m = t.m, n = t.n, ld = leading(m);
    if (is_lu_stack(t)) {
        multiplied(function<cublas_linalg_types::getrf_batched>(0)(blas, n, list(0, at[0], t.stride[0]), ld,
                                                                   pivots_at(1), infos(), batch()));
        if (keeps_nan(t)) run_keep_nan();
        return run_order_rows();
    }
    int* exchanges = pivots_at(1);
    if (has_panels(r) && std::min(m, n) > 0)
        return factor({at[0], m, n, exchanges, has(codegen::call_info::rows) ? pivots_at(2) : nullptr, infos(),
                       codegen::size_of(t.type), t.batch});
    for (std::int64_t i = 0; i < t.batch; ++i)
        solved(function<s::getrf>(0)(solver, m, n, at[0] + i * t.stride[0], ld, work, exchanges + i * std::min(m, n),
                                     infos() + i));
    run_order_rows();
}

}  // namespace sinter::inline SINTER_ABI::runtime

#endif
