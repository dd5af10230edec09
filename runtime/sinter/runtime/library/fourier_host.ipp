// Fourier transforms of the CPU by FFTW, which is loaded at the first of them and runs on the library's own threads.
#pragma once

#include <mutex>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/library/fourier.hpp>
#include <sinter/runtime/library/fourier_host.hpp>
#include <sinter/runtime/library/libraries.hpp>
#include <sinter/runtime/base/thread_team.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// FFTW's functions, the same in both precisions: numbers are void.
struct fftw_table {
    struct dimension {
        std::ptrdiff_t n, is, os;
    };
    using plan_complex = void*(int rank, const dimension* axes, int batch_rank, const dimension* batch, void* from,
                               void* to, int sign, unsigned flags);
    using plan_real = void*(int rank, const dimension* axes, int batch_rank, const dimension* batch, void* from,
                            void* to, unsigned flags);
    using execute = void(void* plan, void* from, void* to);
    using job = void*(char* data);

    plan_complex* plan_dft = nullptr;
    plan_real *plan_r2c = nullptr, *plan_c2r = nullptr;
    execute *execute_dft = nullptr, *execute_r2c = nullptr, *execute_c2r = nullptr;
    void (*destroy)(void* plan) = nullptr;
    void (*set_threads)(int count) = nullptr;  ///< null: FFTW came without threads
    std::string why;                           ///< not empty: it was not found
    std::mutex guard;                          ///< FFTW plans one transform at a time
    fourier_plan_cache plans;

    static constexpr unsigned unaligned = 1u << 1, estimate = 1u << 6;
    static constexpr int forward = -1, backward = 1;
};

// FFTW hands out jobs of one plan; they become a loop of the team.
SINTER_INLINE void run_fftw_jobs(fftw_table::job* work, char* data, std::size_t size, int jobs, void*) {
    struct loop {
        fftw_table::job* work;
        char* data;
        std::size_t size;
    } all{work, data, size};
    parallel_for(
        jobs, 1,
        [](void* context, std::int64_t begin, std::int64_t end) {
            const loop& l = *static_cast<const loop*>(context);
            for (std::int64_t i = begin; i < end; ++i) l.work(l.data + l.size * static_cast<std::size_t>(i));
        },
        &all);
}

SINTER_INLINE void load_fftw(fftw_table& t, bool is_single) {
    const std::string prefix = is_single ? "fftwf_" : "fftw_";
    const shared_library& plain = fftw_library(is_single);
    bool is_whole = true;
    auto find = [&](auto& function, const char* name) {
        reinterpret_cast<void*&>(function) = plain.symbol((prefix + name).c_str());
        is_whole = is_whole && function;
        return function != nullptr;
    };
    find(t.plan_dft, "plan_guru64_dft");
    find(t.plan_r2c, "plan_guru64_dft_r2c");
    find(t.plan_c2r, "plan_guru64_dft_c2r");
    find(t.execute_dft, "execute_dft");
    find(t.execute_r2c, "execute_dft_r2c");
    find(t.execute_c2r, "execute_dft_c2r");
    find(t.destroy, "destroy_plan");
    if (!is_whole) {
        t.why = "FFTW was not found; install " + std::string(is_single ? "libfftw3-single3" : "libfftw3-double3") +
                " (" + (plain ? plain.path() + " is not FFTW 3" : plain.why()) + ")";
        return;
    }
    int (*start)() = nullptr;
    void (*set_loop)(void (*)(fftw_table::job*, char*, std::size_t, int, void*), void*) = nullptr;
    if (find(start, "init_threads") && find(set_loop, "threads_set_callback") && start()) {
        set_loop(run_fftw_jobs, nullptr);
        find(t.set_threads, "plan_with_nthreads");
    }
}

template <bool IsSingle>
fftw_table& fftw_of_precision() {
    static fftw_table* const table = [] {
        auto* fresh = new fftw_table;
        load_fftw(*fresh, IsSingle);
        return fresh;
    }();
    return *table;
}

SINTER_INLINE fftw_table& loaded_fftw(dtype type) {
    if (type != dtype::float32 && type != dtype::float64)
        throw internal_error("[fft] FFTW transforms no " + std::string(to_string(type)));
    fftw_table& t = type == dtype::float32 ? fftw_of_precision<true>() : fftw_of_precision<false>();
    if (!t.why.empty()) throw device_error("[fft] " + t.why);
    return t;
}

SINTER_INLINE void* make_fftw_plan(fftw_table& t, const codegen::transform_task& task, void* from, void* to,
                                   unsigned flags) {
    fftw_table::dimension axes[codegen::transform_task::most_axes];
    std::int64_t points = task.batch;
    for (int i = 0; i < task.rank; ++i) {
        axes[i] = {task.size[i], task.in_stride[i], task.out_stride[i]};
        points *= task.size[i];
    }
    const fftw_table::dimension batch{task.batch, task.in_distance, task.out_distance};
    const int batches = task.batch > 1;
    if (t.set_threads) t.set_threads(points >= 1 << 15 ? thread_count() : 1);
    void* plan = task.what == codegen::routine::rfft ? t.plan_r2c(task.rank, axes, batches, &batch, from, to, flags)
                 : task.what == codegen::routine::irfft
                     ? t.plan_c2r(task.rank, axes, batches, &batch, from, to, flags)
                     : t.plan_dft(task.rank, axes, batches, &batch, from, to,
                                  task.inverse ? fftw_table::backward : fftw_table::forward, flags);
    if (!plan) throw device_error(codegen::joined({"[fft] FFTW makes no plan for ", task.size[0], " points"}));
    return plan;
}

SINTER_INLINE void run_fftw(const codegen::transform_task& task, void* from, void* to) {
    fftw_table& t = loaded_fftw(task.type);
    auto is_aligned = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 64 == 0; };
    const bool aligned = is_aligned(from) && is_aligned(to);
    const int placement = (from == to) + 2 * aligned;
    std::lock_guard lock(t.guard);
    fourier_plan_cache::entry* e = t.plans.find(task, placement);
    if (!e) {
        void* plan = make_fftw_plan(t, task, from, to, fftw_table::estimate | (aligned ? 0 : fftw_table::unaligned));
        e = t.plans.add({.task = task, .placement = placement, .plan = plan}, t.destroy);
    }
    (task.what == codegen::routine::rfft    ? t.execute_r2c
     : task.what == codegen::routine::irfft ? t.execute_c2r
                                            : t.execute_dft)(e->plan, from, to);
    count_library_call();
}

SINTER_INLINE fourier_plans_result fftw_plans() {
    fftw_table& t = loaded_fftw(dtype::float64);
    std::lock_guard lock(t.guard);
    return t.plans.count();
}

}  // namespace sinter::inline SINTER_ABI::runtime
