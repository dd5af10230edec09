// Runs the Fourier transforms of a plan by cuFFT and by FFTW, whose plans it keeps; must not know arrays.
#pragma once

#include <sinter/codegen/ops/fourier.hpp>
#include <sinter/codegen/schedule/plan.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/runtime/device/device.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// What every run of a transform shares.
struct prepared_fourier {
    codegen::transform_task task;
    std::int64_t workspace = 0;  ///< bytes of memory that it needs besides its operand and result
};

/// The transforms of a call. Throws device_error naming what to install.
prepared_fourier prepare_fourier(const codegen::library_call& c, const codegen::plan& p, device where);

/// Transforms what lies at `from`; on a GPU it returns when the work is enqueued. One call of the library.
void run_fourier(const prepared_fourier& r, device where, void* from, void* to, void* workspace);

/// Plans that are kept for a device, on the CPU those of float64: how many, how many may be, and how many have been
/// made so far.
struct fourier_plans_result {
    std::int64_t kept = 0, limit = 0, made = 0;
};
fourier_plans_result fourier_plans(device where);

/// Plans of a library by what they are for. When there are too many, the one that has not been used for longest goes.
class fourier_plan_cache {
public:
    static constexpr std::size_t limit = 64;

    struct entry {
        codegen::transform_task task;
        int placement = 0;  ///< what else a plan depends on
        void* plan = nullptr;
        std::size_t work = 0;
        std::uint64_t used = 0;
    };
    /// The entry, marked as used, or nullptr.
    entry* find(const codegen::transform_task& task, int placement);
    /// Keeps one more; `destroy` is called with the plan of one that goes.
    entry* add(const entry& e, void (*destroy)(void* plan));
    fourier_plans_result count() const;

private:
    codegen::sequence<entry> entries_;
    std::uint64_t clock_ = 0;
    std::int64_t made_ = 0;
};

/// The functions above, once a transform was recorded: programs that record none are not to compile them.
struct fourier_functions {
    prepared_fourier (*prepare)(const codegen::library_call&, const codegen::plan&, device);
    void (*run)(const prepared_fourier&, device, void*, void*, void*);

    static constexpr const char* name = "use_fourier";
    static const fourier_functions& all();
};
/// To be called before a transform is recorded.
void use_fourier();

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/fourier.ipp>
#endif
