// Fourier transforms by cuFFT, loaded at the first of them; what it works in comes from the memory pool.
#pragma once

#include <mutex>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/runtime/device/cuda_module.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/library/fourier.hpp>
#include <sinter/runtime/library/cufft_types.hpp>
#include <sinter/runtime/library/fourier_cuda.hpp>
#include <sinter/runtime/library/libraries.hpp>

namespace sinter::inline SINTER_ABI::runtime {

#if SINTER_HAS_CUDA

/// cuFFT's functions.
struct cufft_table {
    cufft_types::create* create = nullptr;
    cufft_types::destroy* destroy = nullptr;
    cufft_types::set_auto_allocation* set_auto_allocation = nullptr;
    cufft_types::set_stream* set_stream = nullptr;
    cufft_types::set_work_area* set_work_area = nullptr;
    cufft_types::make_plan* make_plan = nullptr;
    cufft_types::execute* execute = nullptr;
    std::string why;  ///< not empty: it could not be loaded
};

SINTER_INLINE void load_cufft(cufft_table& t) {
    const shared_library& library = cufft_library();
    const function_finder find(library, t.why, "a later cuFFT", missing_cuda_library("cuFFT", library));
    find(t.create, "cufftCreate");
    find(t.destroy, "cufftDestroy");
    find(t.set_auto_allocation, "cufftSetAutoAllocation");
    find(t.set_stream, "cufftSetStream");
    find(t.set_work_area, "cufftSetWorkArea");
    find(t.make_plan, "cufftXtMakePlanMany");
    find(t.execute, "cufftXtExec");
}

SINTER_INLINE const cufft_table& loaded_cufft() { return loaded_or_throw<cufft_table, load_cufft>("[fft] "); }

SINTER_INLINE void check_cufft(int status, const char* what) {
    if (status == cufft_constants::success) return;
    const std::string text = codegen::joined({"[fft] ", what, ": cuFFT status ", status});
    if (status == cufft_constants::alloc_failed) throw out_of_memory(text);
    throw device_error(text);
}

/// A device's plans; the work area of a plan is set for each run, by one thread at a time.
struct cufft_plans {
    std::mutex guard;
    fourier_plan_cache plans;
};

SINTER_INLINE cufft_plans& cufft_plans_of(device where) {
    static cufft_plans* all = new cufft_plans[64];
    return all[where.index()];
}

SINTER_INLINE void destroy_cufft_plan(void* plan) {
    loaded_cufft().destroy(static_cast<int>(reinterpret_cast<std::intptr_t>(plan)));
}

/// How one side of a transform lies, in cuFFT's terms.
struct cufft_side {
    long long embed[codegen::transform_task::most_axes], stride, distance;
};

SINTER_INLINE cufft_side cufft_side_of(const codegen::transform_task& task, const std::int64_t* stride,
                                       std::int64_t distance) {
    cufft_side side;
    // How many of an axis' strides go into that of the axis before it; the first one's only has to be there.
    side.embed[0] = task.size[0];
    for (int i = 1; i < task.rank; ++i) side.embed[i] = stride[i - 1] / stride[i];
    side.stride = stride[task.rank - 1];
    // cuFFT refuses a distance of 0 even where no second transform lies behind it.
    side.distance = task.batch > 1 ? distance : task.size[0] * stride[0];
    return side;
}

SINTER_INLINE fourier_plan_cache::entry make_cufft_plan(const cufft_table& t, const codegen::transform_task& task) {
    using k = cufft_constants;
    const bool wide = task.type == dtype::float64, half = task.type == dtype::float16;
    const int real = wide   ? k::float64
                     : half ? k::float16
                            : k::float32,
              complex = wide   ? k::complex128
                        : half ? k::complex32
                               : k::complex64;
    long long n[codegen::transform_task::most_axes];
    for (int i = 0; i < task.rank; ++i) n[i] = task.size[i];
    cufft_side in = cufft_side_of(task, task.in_stride, task.in_distance),
               out = cufft_side_of(task, task.out_stride, task.out_distance);
    int plan = 0;
    std::size_t work = 0;
    check_cufft(t.create(&plan), "cufftCreate");
    int status = t.set_auto_allocation(plan, 0);
    if (status == k::success)
        status = t.make_plan(plan, task.rank, n, in.embed, in.stride, in.distance,
                             task.what == codegen::routine::rfft ? real : complex, out.embed, out.stride, out.distance,
                             task.what == codegen::routine::irfft ? real : complex, task.batch, &work, complex);
    if (status != k::success) t.destroy(plan);
    check_cufft(status, "cufftXtMakePlanMany");
    return {.task = task, .plan = reinterpret_cast<void*>(static_cast<std::intptr_t>(plan)), .work = work};
}

SINTER_INLINE const fourier_plan_cache::entry& cufft_plan_of(cufft_plans& own, const codegen::transform_task& task) {
    if (const auto* e = own.plans.find(task, 0)) return *e;
    return *own.plans.add(make_cufft_plan(loaded_cufft(), task), destroy_cufft_plan);
}

SINTER_INLINE std::int64_t cuda_fourier_workspace(const codegen::transform_task& task, device where) {
    cufft_plans& own = cufft_plans_of(where);
    std::lock_guard lock(own.guard);
    use_device(where.index());
    return static_cast<std::int64_t>(cufft_plan_of(own, task).work);
}

SINTER_INLINE void run_cuda_fourier(const prepared_fourier& r, device where, void* from, void* to, void* workspace) {
    const cufft_table& t = loaded_cufft();
    const auto pair = static_cast<std::uintptr_t>(2 * codegen::size_of(r.task.type));
    if (reinterpret_cast<std::uintptr_t>(from) % pair != 0 || reinterpret_cast<std::uintptr_t>(to) % pair != 0)
        throw value_error(codegen::joined({"[fft] cuFFT wants memory aligned to ", pair, " bytes"}));
    cufft_plans& own = cufft_plans_of(where);
    std::lock_guard lock(own.guard);
    void* stream = cuda_stream(where);
    const fourier_plan_cache::entry& e = cufft_plan_of(own, r.task);
    if (static_cast<std::int64_t>(e.work) > r.workspace)
        throw internal_error(
            codegen::joined({"[fft] cuFFT wants ", e.work, " bytes to work in, and ", r.workspace, " before"}));
    const int plan = static_cast<int>(reinterpret_cast<std::intptr_t>(e.plan));
    check_cufft(t.set_stream(plan, stream), "cufftSetStream");
    check_cufft(t.set_work_area(plan, workspace), "cufftSetWorkArea");
    check_cufft(t.execute(plan, from, to, r.task.inverse ? cufft_constants::inverse : cufft_constants::forward),
                "cufftXtExec");
    count_library_call();
}

SINTER_INLINE fourier_plans_result cuda_fourier_plans(device where) {
    cufft_plans& own = cufft_plans_of(where);
    std::lock_guard lock(own.guard);
    return own.plans.count();
}

#else

SINTER_INLINE std::int64_t cuda_fourier_workspace(const codegen::transform_task&, device) {
    throw device_error("[cuda] built without CUDA headers");
}
SINTER_INLINE void run_cuda_fourier(const prepared_fourier&, device, void*, void*, void*) {
    throw device_error("[cuda] built without CUDA headers");
}
SINTER_INLINE fourier_plans_result cuda_fourier_plans(device) { return {}; }

#endif

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HAS_CUDA && !SINTER_HEADER_ONLY && __has_include(<cufftXt.h>) && __has_include(<cusolverDn.h>)
#include <sinter/runtime/library/fourier_check.hpp>
#endif
