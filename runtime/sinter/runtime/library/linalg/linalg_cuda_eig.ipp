// Bodies of linalg_cuda_eig.hpp.
#pragma once

#include <climits>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/codegen/kernels/linalg/eig_cuda.hpp>
#include <sinter/codegen/kernels/linalg/linalg_cuda.hpp>
#include <sinter/runtime/memory/copy.hpp>
#include <sinter/runtime/compile/kernel_cache.hpp>
#include <sinter/runtime/library/libraries.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda_eig.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda_stacks.hpp>
#include <sinter/runtime/memory/index_errors.hpp>

namespace sinter::inline SINTER_ABI::runtime {

#if SINTER_HAS_CUDA

SINTER_INLINE bool has_eig_kernel(const linalg_task& t) {
    return t.call.what == codegen::routine::geev && (codegen::is_eig_stack(codegen::is_complex(t.type), t.n, t.batch) ||
                                                     !cusolver_library().function<void()>("cusolverDnXgeev"));
}

SINTER_INLINE prepared_linalg prepare_cuda_eig(const linalg_task& t, device where) {
    if (t.batch > INT_MAX) throw value_error("[linalg] more than 2147483647 matrices: " + to_string(t.stack));
    const cuda_properties& gpu = properties(where.index());
    const bool vectors = t.call.has(codegen::call_info::vectors), many = t.batch > gpu.multiprocessors;
    prepared_linalg p;
    p.task = t;
    p.check_info = find_text(codegen::linalg_cuda("check_info"), where).kernel("check_info");
    eig_kernel& k = p.eig;
    k.solve = find_text(codegen::eig_cuda(t.type), where).kernel("solve_eig");
    k.threads = codegen::eig_threads(t.n, many);
    const codegen::eig_shape s = codegen::eig_shape_of(t.type, t.n, vectors, gpu.shared_per_block_optin);
    k.window = s.window;
    k.shared_bytes = static_cast<std::size_t>(s.shared_bytes);
    if (k.shared_bytes + codegen::eig_fixed > 48 << 10) allow_shared_memory(where, k.solve, k.shared_bytes);
    const std::int64_t most = t.n < codegen::least_shared_eig ? 1 : gpu.multiprocessors / t.batch;
    if (most > 1) {
        const launch_extent block{static_cast<std::uint32_t>(k.threads)};
        k.blocks = allow_cluster(where, k.solve, block, codegen::most_eig_blocks, k.shared_bytes);
        k.blocks = static_cast<int>(std::bit_floor(static_cast<std::uint64_t>(std::min<std::int64_t>(k.blocks, most))));
    }
    p.work[0] = (4 * t.batch + 255) / 256 * 256;
    p.work[1] = codegen::eig_workspace(t.type, t.n, k.window, vectors, k.blocks);
    p.workspace = p.work[0] + t.batch * p.work[1];
    return p;
}

SINTER_INLINE void run_cuda_eig(const prepared_linalg& r, device where, char* const* arrays, char* workspace,
                                codegen::sequence<index_check>& checks) {
    const linalg_task& t = r.task;
    auto words = std::make_shared<const error_words>(where, 1);
    checks.push_back({words, 0, "linalg", index_check::in_matrix, 0, t.stack, t.call});
    eig_kernel k = r.eig;
    int n = t.n, vectors = t.call.has(codegen::call_info::vectors);
    void *a = arrays[0], *values = arrays[1], *columns = arrays[2], *info = workspace, *own = workspace + r.work[0],
         *error = words->address(), *none = nullptr;
    std::int64_t bytes = r.work[1], count = t.batch, unused = 0;
    fill_zero(where, info, static_cast<std::size_t>(4 * count));
    void* arguments[] = {&a, &values, &columns, &own, &bytes, &n, &vectors, &k.window, &k.blocks, &info};
    launch_cuda(where, k.solve, {static_cast<std::uint32_t>(count * k.blocks)}, {static_cast<std::uint32_t>(k.threads)},
                k.shared_bytes, arguments, {.cluster = k.blocks});
    void* report[] = {&info, &none, &count, &error, &none, &unused, &unused, &unused};
    launch_cuda(where, r.check_info, {1}, {checking_threads(r.task)}, 0, report);
}

#endif

}  // namespace sinter::inline SINTER_ABI::runtime
