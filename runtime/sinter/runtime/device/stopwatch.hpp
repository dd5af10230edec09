// Measures time on a device: between two events of a GPU's stream, or by the clock.
#pragma once

#include <sinter/runtime/device/device.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// Seconds of the monotonic clock.
double seconds_now();

/// The time from start() to stop() as a device sees it: of all work enqueued between the two on a GPU, whose stream
/// stamps both, or of the clock on the CPU.
class stopwatch {
public:
    explicit stopwatch(device where);
    ~stopwatch();
    stopwatch(stopwatch&& other) noexcept;
    stopwatch(const stopwatch&) = delete;
    stopwatch& operator=(const stopwatch&) = delete;
    void start();
    void stop();
    /// Waits for stop() to be reached.
    double seconds();

private:
    device where_;
    void* events_[2] = {};  ///< CUevent
    double times_[2] = {};
};

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/device/stopwatch.ipp>
#endif
