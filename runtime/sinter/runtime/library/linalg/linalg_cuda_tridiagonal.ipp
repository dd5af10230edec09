// Bodies of linalg_cuda_tridiagonal.hpp.
#pragma once

#include <climits>
#include <sinter/codegen/kernels/linalg/linalg_cuda.hpp>
#include <sinter/runtime/memory/copy.hpp>
#include <sinter/runtime/compile/kernel_cache.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda_tridiagonal.hpp>
#include <sinter/runtime/memory/index_errors.hpp>

namespace sinter::inline SINTER_ABI::runtime {

#if SINTER_HAS_CUDA

// Blocks take turns at the right-hand sides: as many as a large GPU runs at a time, so that their factors stay in its
// cache.
SINTER_INLINE std::int64_t tridiagonal_blocks(const linalg_task& t) {
    constexpr std::int64_t most = 768;
    return std::min((t.batch * t.n + codegen::tridiagonal_block - 1) / codegen::tridiagonal_block, most);
}

SINTER_INLINE prepared_linalg prepare_cuda_tridiagonal(const linalg_task& t, device where) {
    if (t.batch > INT_MAX) throw value_error("[linalg] more than 2147483647 matrices: " + to_string(t.stack));
    prepared_linalg p;
    p.task = t;
    const written_text* const text = &find_text(codegen::tridiagonal_cuda(t.type), where);
    p.solve_tridiagonal = text->kernel("solve_tridiagonal");
    p.report_matrix = text->kernel("report_matrix");
    const std::int64_t factors = 4 * codegen::tridiagonal_block * codegen::size_of(t.type);
    p.work[0] = p.workspace = 256 + tridiagonal_blocks(t) * t.m * factors;
    return p;
}

SINTER_INLINE void run_cuda_tridiagonal(const prepared_linalg& r, device where, char* const* arrays, char* workspace,
                                        codegen::sequence<index_check>& checks) {
    const linalg_task& t = r.task;
    auto words = std::make_shared<const error_words>(where, 1);
    checks.push_back({words, 0, "linalg", index_check::in_matrix, 0, t.stack, t.call});
    void *b = arrays[0], *lower = arrays[1], *diagonal = arrays[2], *upper = arrays[3], *worst = workspace,
         *work = workspace + 256, *error = words->address();
    std::int64_t n = t.m, columns = t.n, count = t.batch * t.n;
    fill_zero(where, worst, 8);
    void* arguments[] = {&lower, &diagonal, &upper, &b, &work, &n, &columns, &count, &worst};
    launch_cuda(where, r.solve_tridiagonal, {static_cast<std::uint32_t>(tridiagonal_blocks(t))},
                {codegen::tridiagonal_block}, 0, arguments);
    void* report[] = {&worst, &error};
    launch_cuda(where, r.report_matrix, {1}, {1}, 0, report);
}

#endif

}  // namespace sinter::inline SINTER_ABI::runtime
