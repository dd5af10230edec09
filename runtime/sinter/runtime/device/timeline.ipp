// Bodies of timeline.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/runtime/device/gpu_timeline.hpp>
#include <sinter/runtime/device/timeline.hpp>

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <mutex>

namespace sinter::inline SINTER_ABI::runtime {

/// Files of this process, and the events that are not written yet, as text.
struct timeline_state {
    struct file {
        std::string name;
        bool has_events;
    };
    std::mutex guard;
    codegen::sequence<file> files;
    std::size_t current = 0;
    std::string events;
};

SINTER_INLINE timeline_state& the_timeline() {
    static timeline_state& s = *new timeline_state;
    return s;
}

SINTER_INLINE long long timeline_clock() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1'000'000'000LL + t.tv_nsec;
}

inline constexpr std::string_view timeline_end = "\n]\n";

// A file that is a whole trace at any time.
SINTER_INLINE std::size_t open_timeline(timeline_state& s, const std::string& name) {
    for (std::size_t i = 0; i < s.files.size(); ++i)
        if (s.files[i].name == name) return i;
    std::FILE* file = std::fopen(name.c_str(), "wb");
    if (!file) throw io_error(codegen::joined({"[profiler] cannot write ", name, ": ", std::strerror(errno)}));
    std::fputs(("[" + std::string(timeline_end)).c_str(), file);
    std::fclose(file);
    s.files.push_back({name, false});
    return s.files.size() - 1;
}

SINTER_INLINE bool begin_timeline(const std::string& file) {
    timeline_state& s = the_timeline();
    std::lock_guard lock(s.guard);
    if (!is_timed() && file.empty()) return false;
    if (!is_timed()) s.current = open_timeline(s, file);
    timeline_users.fetch_add(1, std::memory_order_relaxed);
    return true;
}

// Over the end of the list, which follows again. A trace that cannot be written must not stop the program that it is
// of.
SINTER_INLINE void write_events(timeline_state& s) {
    timeline_state::file& to = s.files[s.current];
    std::FILE* file = s.events.empty() ? nullptr : std::fopen(to.name.c_str(), "rb+");
    bool written = file && std::fseek(file, -static_cast<long>(timeline_end.size()), SEEK_END) == 0;
    s.events += timeline_end;
    const std::size_t skipped = to.has_events ? 0 : 1;  // the comma before the first event
    written = written &&
              std::fwrite(s.events.data() + skipped, 1, s.events.size() - skipped, file) == s.events.size() - skipped;
    if (file && std::fclose(file) == 0 && written) to.has_events = true;
    else if (s.events.size() > timeline_end.size())
        std::fprintf(stderr, "sinter: the trace %s cannot be written\n", to.name.c_str());
    s.events.clear();
}

SINTER_INLINE void end_timeline() noexcept {
    timeline_state& s = the_timeline();
    std::lock_guard lock(s.guard);
    if (timeline_users.fetch_sub(1, std::memory_order_relaxed) != 1) return;
    s.events += take_gpu_events();
    write_events(s);
}

SINTER_INLINE std::string json_text(std::string_view text) {
    std::string s = "\"";
    for (char c : text) {
        char code[8];
        if (c == '"' || c == '\\') s += '\\';
        if (static_cast<unsigned char>(c) >= 32) s += c;
        else {
            std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned char>(c));
            s += code;
        }
    }
    return s + '"';
}

SINTER_INLINE std::string event_text(std::string_view category, std::string_view name, long long begin, long long end,
                                     long track, std::int64_t bytes) {
    char numbers[128];
    std::snprintf(numbers, sizeof numbers,
                  ",\"ph\":\"X\",\"ts\":%lld.%03lld,\"dur\":%lld.%03lld,\"pid\":%ld,\"tid\":%ld", begin / 1000,
                  begin % 1000, (end - begin) / 1000, (end - begin) % 1000, static_cast<long>(getpid()), track);
    const std::string arguments = bytes == no_bytes ? "" : ",\"args\":{\"bytes\":" + std::to_string(bytes) + "}";
    return codegen::joined(
        {",\n{\"name\":", json_text(name), ",\"cat\":", json_text(category), numbers, arguments, "}"});
}

SINTER_INLINE std::string track_name_text(long track, std::string_view name) {
    return codegen::joined({",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":", getpid(), ",\"tid\":", track,
                            ",\"args\":{\"name\":", json_text(name), "}}"});
}

SINTER_INLINE void add_event(std::string_view category, std::string_view name, long long begin, std::int64_t bytes) {
    const std::string text =
        event_text(category, name, begin, timeline_clock(), static_cast<long>(syscall(SYS_gettid)), bytes);
    timeline_state& s = the_timeline();
    std::lock_guard lock(s.guard);
    if (is_timed()) s.events += text;
}

}  // namespace sinter::inline SINTER_ABI::runtime
