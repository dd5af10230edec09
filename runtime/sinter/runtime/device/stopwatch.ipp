// Bodies of stopwatch.hpp.
#pragma once

#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/device/cuda_module.hpp>
#include <sinter/runtime/device/stopwatch.hpp>

#include <ctime>
#include <utility>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE double seconds_now() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

SINTER_INLINE stopwatch::stopwatch(stopwatch&& other) noexcept : where_(other.where_) {
    for (int i = 0; i < 2; ++i) {
        events_[i] = std::exchange(other.events_[i], nullptr);
        times_[i] = other.times_[i];
    }
}

#if SINTER_HAS_CUDA

SINTER_INLINE stopwatch::stopwatch(device where) : where_(where) {
    if (where.is_cpu()) return;
    use_device(where.index());
    for (void*& e : events_)
        check(driver().cuEventCreate(reinterpret_cast<CUevent*>(&e), CU_EVENT_DEFAULT), "cuEventCreate");
}

// Nothing to report to: a device that has failed says so at the next call that may throw.
SINTER_INLINE stopwatch::~stopwatch() {
    for (void* e : events_)
        if (e) driver().cuEventDestroy(static_cast<CUevent>(e));
}

SINTER_INLINE void stamp(device where, void* event, double& time) {
    if (where.is_cpu()) return void(time = seconds_now());
    check(driver().cuEventRecord(static_cast<CUevent>(event), static_cast<CUstream>(cuda_stream(where))),
          "cuEventRecord");
}

SINTER_INLINE double stopwatch::seconds() {
    if (where_.is_cpu()) return times_[1] - times_[0];
    use_device(where_.index());
    check(driver().cuEventSynchronize(static_cast<CUevent>(events_[1])), "cuEventSynchronize");
    float milliseconds = 0;
    check(
        driver().cuEventElapsedTime(&milliseconds, static_cast<CUevent>(events_[0]), static_cast<CUevent>(events_[1])),
        "cuEventElapsedTime");
    return 1e-3 * static_cast<double>(milliseconds);
}

#else

SINTER_INLINE stopwatch::stopwatch(device where) : where_(where) {}
SINTER_INLINE stopwatch::~stopwatch() = default;
SINTER_INLINE void stamp(device, void*, double& time) { time = seconds_now(); }
SINTER_INLINE double stopwatch::seconds() { return times_[1] - times_[0]; }

#endif

SINTER_INLINE void stopwatch::start() { stamp(where_, events_[0], times_[0]); }
SINTER_INLINE void stopwatch::stop() { stamp(where_, events_[1], times_[1]); }

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_IEEE_END
