// Bodies of fourier.hpp; FFTW's calls are in fourier_host.ipp, those of cuFFT in fourier_cuda.ipp.
#pragma once

#include <sinter/runtime/base/on_demand.hpp>
#include <sinter/runtime/library/fourier.hpp>
#include <sinter/runtime/library/fourier_cuda.hpp>
#include <sinter/runtime/library/fourier_host.hpp>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE fourier_plan_cache::entry* fourier_plan_cache::find(const codegen::transform_task& task, int placement) {
    for (entry& e : entries_)
        if (e.placement == placement && e.task == task) {
            e.used = ++clock_;
            return &e;
        }
    return nullptr;
}

SINTER_INLINE fourier_plan_cache::entry* fourier_plan_cache::add(const entry& e, void (*destroy)(void* plan)) {
    if (entries_.size() == limit) {
        entry* oldest = entries_.begin();
        for (entry& o : entries_)
            if (o.used < oldest->used) oldest = &o;
        destroy(oldest->plan);
        entries_.erase(oldest);
    }
    entries_.push_back(e);
    entries_.back().used = ++clock_;
    ++made_;
    return &entries_.back();
}

SINTER_INLINE fourier_plans_result fourier_plan_cache::count() const {
    return {static_cast<std::int64_t>(entries_.size()), static_cast<std::int64_t>(limit), made_};
}

SINTER_INLINE prepared_fourier prepare_fourier(const codegen::library_call& c, const codegen::plan& p, device where) {
    const auto task = codegen::find_transform(c.call, p.slots[c.args[0].slot].type, c.args[0].at);
    if (!task) throw internal_error("[fft] no library transforms an operand that lies like this");
    prepared_fourier r{*task, 0};
    if (where.is_cuda()) r.workspace = cuda_fourier_workspace(r.task, where);
    else loaded_fftw(r.task.type);
    return r;
}

SINTER_INLINE void run_fourier(const prepared_fourier& r, device where, void* from, void* to, void* workspace) {
    if (where.is_cuda()) run_cuda_fourier(r, where, from, to, workspace);
    else run_fftw(r.task, from, to);
}

SINTER_INLINE fourier_plans_result fourier_plans(device where) {
    return where.is_cuda() ? cuda_fourier_plans(where) : fftw_plans();
}

SINTER_INLINE const fourier_functions& fourier_functions::all() {
    static constexpr fourier_functions functions{prepare_fourier, run_fourier};
    return functions;
}

SINTER_INLINE void use_fourier() { on_demand<fourier_functions>::bring(); }

}  // namespace sinter::inline SINTER_ABI::runtime
