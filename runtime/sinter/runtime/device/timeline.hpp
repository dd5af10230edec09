// What happens when, as complete events of chrome's trace format, while somebody asks for it; must not know what events
// are.
#pragma once

#include <atomic>
#include <cstdint>
#include <sinter/codegen/base/config.hpp>
#include <string>
#include <string_view>

namespace sinter::inline SINTER_ABI::runtime {

// Constant-initialised, so that asking it is a load and a branch.
inline constinit std::atomic<int> timeline_users{0};

/// Whether events are recorded.
inline bool is_timed() { return timeline_users.load(std::memory_order_relaxed) != 0; }

/// Records events from now on until as many end_timeline() as begin_timeline() have been called. The first one decides
/// the file, which is made anew when the process names it first; later ones of the same process add to it. False, and
/// no event is recorded, when there is no file. Throws io_error.
bool begin_timeline(const std::string& file);
/// Writes what was recorded when the last user has gone.
void end_timeline() noexcept;

/// Nanoseconds of the clock of events.
long long timeline_clock();

/// Of events that move no known number of bytes.
inline constexpr std::int64_t no_bytes = -1;

/// An event as it is written, of some thread or track, between two times; and the name of a track.
std::string event_text(std::string_view category, std::string_view name, long long begin, long long end, long track,
                       std::int64_t bytes = no_bytes);
std::string track_name_text(long track, std::string_view name);

/// An event of this thread that lasted from `begin` until now; nothing where no timeline is open.
void add_event(std::string_view category, std::string_view name, long long begin, std::int64_t bytes = no_bytes);

/// An event that begins where it is made, if events are recorded then.
class timed_event {
public:
    explicit timed_event(const char* category) : category_(category), begin_(is_timed() ? timeline_clock() : -1) {}
    explicit operator bool() const { return begin_ >= 0; }
    /// Ends it; call it only where the event is true, so that names are made for nobody.
    void end(std::string_view name, std::int64_t bytes = no_bytes) const { add_event(category_, name, begin_, bytes); }

private:
    const char* category_;
    long long begin_;
};

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/device/timeline.ipp>
#endif
