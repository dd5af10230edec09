// When the work that is enqueued on GPUs while a trace is open runs there; must not know what the work is.
#pragma once

#include <sinter/codegen/base/config.hpp>
#include <string>
#include <string_view>

namespace sinter::inline SINTER_ABI::runtime {

/// The events of GPUs since the last call, as the timeline writes them; waits for the work that they are of.
std::string take_gpu_events() noexcept;

}  // namespace sinter::inline SINTER_ABI::runtime

// Whose bodies use what is declared above.
#include <sinter/runtime/device/device.hpp>
#include <sinter/runtime/device/timeline.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// Work that is enqueued on a device: an event of this thread from here to end(), if events are recorded then, and on a
/// GPU another one, on a track of the device and this thread's stream, from its beginning to its end there.
class timed_work {
public:
    timed_work(const char* category, device where) : host_(category), category_(category), where_(where) {
        if (host_ && where.is_cuda()) begin();
    }
    ~timed_work() {
        if (begin_) drop();
    }
    timed_work(const timed_work&) = delete;
    timed_work& operator=(const timed_work&) = delete;
    explicit operator bool() const { return static_cast<bool>(host_); }
    /// What follows until end(), as waiting, is none of the GPU's work.
    void enqueued() {
        if (begin_) mark_end();
    }
    /// As timed_event::end; without it nothing is recorded.
    void end(std::string_view name, std::int64_t bytes = no_bytes);

private:
    void begin() noexcept;
    void mark_end() noexcept;
    void drop() noexcept;
    timed_event host_;
    const char* category_;
    device where_;
    void *begin_ = nullptr, *end_ = nullptr;  ///< CUevents
};

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/device/gpu_timeline.ipp>
#endif
