// Bodies of progress.hpp.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/tools/progress.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI {

namespace detail {

SINTER_INLINE std::int64_t progress_clock() {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<std::int64_t>(t.tv_sec) * 1000 + t.tv_nsec / 1'000'000;
}

/// `heat  37% [#######----------] 37/100  0:12 left 0:20`, without a line's end.
SINTER_INLINE std::string progress_line(const std::string& label, std::int64_t done, std::int64_t n, std::int64_t ms) {
    const int width = 30,
              filled = static_cast<int>(n > 0 ? static_cast<double>(done) / static_cast<double>(n) * width : width);
    const auto time = [](std::int64_t milliseconds) {
        char text[32];
        const long long s = milliseconds / 1000;
        std::snprintf(text, sizeof text, "%lld:%02lld", s / 60, s % 60);
        return std::string(text);
    };
    std::string line = label + (label.empty() ? "[" : " [") + std::string(static_cast<std::size_t>(filled), '#') +
                       std::string(static_cast<std::size_t>(width - filled), '-') + "] " + std::to_string(done) + "/" +
                       std::to_string(n) + "  " + time(ms);
    if (done > 0 && done < n)
        line += ", left " + time(static_cast<std::int64_t>(static_cast<double>(ms) * static_cast<double>(n - done) /
                                                           static_cast<double>(done)));
    return line;
}

}  // namespace detail

SINTER_INLINE progress::progress(std::int64_t n, std::string label)
    : n_(n > 0 ? n : 0),
      began_(detail::progress_clock()),
      shown_(began_),
      terminal_(isatty(STDERR_FILENO) != 0),
      label_(std::move(label)) {
    if (terminal_) write(began_);
}

SINTER_INLINE progress::~progress() {
    write(detail::progress_clock());
    std::fputc('\n', stderr);
}

SINTER_INLINE void progress::show(std::int64_t done) {
    done_ = done;
    if (!terminal_) return;
    const std::int64_t now = detail::progress_clock();
    if (now - shown_ < 100 && done < n_) return;
    shown_ = now;
    write(now);
}

SINTER_INLINE void progress::write(std::int64_t now) const {
    // The escape clears what a longer line left behind.
    std::fprintf(stderr, terminal_ ? "\r%s\x1b[K" : "%s",
                 detail::progress_line(label_, done_, n_, now - began_).c_str());
}

}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END
