// Bodies of linalg_cuda_run.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/runtime/device/stream_order.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/library/blas_cuda.hpp>
#include <sinter/runtime/library/libraries.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda_run.hpp>

#include <algorithm>
#include <mutex>

#if SINTER_HAS_CUDA

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE void check_cusolver(int status, const char* what) {
    if (status == 0) return;
    const std::string text = codegen::joined({"[linalg] ", what, ": cuSOLVER status ", status});
    if (status == linalg_constants::cusolver_alloc_failed) throw out_of_memory(text);
    throw device_error(text);
}

SINTER_INLINE void* cusolver_symbol(const char* name) {
    void* f = cusolver_library().symbol(name);
    if (!f)
        throw device_error("[linalg] " + (cusolver_library() ? cusolver_library().path() + " has no " + name +
                                                                   ": a later cuSOLVER is needed"
                                                             : missing_cuda_library("cuSOLVER", cusolver_library())));
    return f;
}

SINTER_INLINE cusolver_handle& cusolver_of(device where) {
    cusolver_handle& h = own_of_stream<cusolver_handle>(where);
    std::lock_guard lock(h.guard);
    void* stream = cuda_stream(where);
    auto tell = [&](void* handle) {
        if (h.stream == stream) return;
        check_cusolver(cusolver_function<cusolver_types::set_stream>("cusolverDnSetStream")(handle, stream),
                       "cusolverDnSetStream");
        h.stream = stream;
    };
    if (h.handle) return tell(h.handle), h;
    void *handle = nullptr, *params = nullptr, *jacobi = nullptr;
    check_cusolver(cusolver_function<cusolver_types::create>("cusolverDnCreate")(&handle), "cusolverDnCreate");
    tell(handle);
    check_cusolver(cusolver_function<cusolver_types::create_params>("cusolverDnCreateParams")(&params),
                   "cusolverDnCreateParams");
    check_cusolver(cusolver_function<cusolver_types::create_info>("cusolverDnCreateGesvdjInfo")(&jacobi),
                   "cusolverDnCreateGesvdjInfo");
    h.params = params;
    h.jacobi = jacobi;
    h.handle = handle;
    return h;
}

SINTER_INLINE int cuda_run::element() const {
    using k = cublas_constants;
    const bool wide = codegen::real_of(r.task.type) == dtype::float64;
    return codegen::is_complex(r.task.type) ? (wide ? k::complex128 : k::complex64) : wide ? k::float64 : k::float32;
}

SINTER_INLINE int cuda_run::real_element() const {
    return codegen::real_of(r.task.type) == dtype::float64 ? cublas_constants::float64 : cublas_constants::float32;
}

SINTER_INLINE int cuda_run::complex_element() const {
    return codegen::real_of(r.task.type) == dtype::float64 ? cublas_constants::complex128 : cublas_constants::complex64;
}

SINTER_INLINE void** cuda_run::list(int which, char* first, std::int64_t stride, std::int64_t count) const {
    void *to = lists[which], *arguments[] = {&first, &stride, &to, &count};
    launch_cuda(where, r.list_matrices, {static_cast<std::uint32_t>((count + 255) / 256)}, {256}, 0, arguments);
    return static_cast<void**>(to);
}

SINTER_INLINE const void* cuda_run::number(int value) const {
    static constexpr double wide[3][2] = {{-1, 0}, {0, 0}, {1, 0}};
    static constexpr float narrow[3][2] = {{-1, 0}, {0, 0}, {1, 0}};
    if (codegen::real_of(r.task.type) == dtype::float64) return wide[value + 1];
    return narrow[value + 1];
}

SINTER_INLINE void* cuda_run::host_work() const {
    const auto bytes = static_cast<std::size_t>(r.work[1]);
    if (own.host_work.size() < bytes) {
        host_synchronize(where);
        own.host_work.resize(bytes);
    }
    return own.host_work.data();
}

SINTER_INLINE void cuda_run::asked(int status) const { check_cusolver(status, codegen::info(r.task.call.what).name); }

SINTER_INLINE void cuda_run::solved(int status) const {
    check_cusolver(status, codegen::info(r.task.call.what).name);
    count_library_call();
}

SINTER_INLINE void cuda_run::multiplied(int status) const {
    check_cublas(status, codegen::info(r.task.call.what).name);
    count_library_call();
}

SINTER_INLINE void cuda_run::solve_syev_batched(int which, int uplo, int n, char* a, int ld, std::int64_t apart,
                                                char* values, char* memory, std::size_t bytes,
                                                std::size_t host_bytes) const {
    const int jobz = has(codegen::call_info::vectors);
    const std::int64_t values_apart = std::int64_t{n} * codegen::size_of(codegen::real_of(r.task.type));
    for (std::int64_t first = 0; first < r.task.batch; first += most_of_syev_batched)
        solved(function<cusolver_types::syev_batched>(which)(
            solver, params, jobz, uplo, n, element(), a + first * apart, ld, real_element(),
            values + first * values_apart, element(), memory, bytes, host_work(), host_bytes, infos() + first,
            std::min(most_of_syev_batched, r.task.batch - first)));
}

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_IEEE_END

#endif
