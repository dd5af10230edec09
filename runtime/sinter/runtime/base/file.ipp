// Bodies of file.hpp.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sinter/codegen/base/error.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/base/file.hpp>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE bool file_descriptor::close() {
    const int fd = std::exchange(fd_, -1);
    return fd < 0 || ::close(fd) == 0;
}

SINTER_INLINE bool read_all(int fd, std::string& text, std::size_t size) {
    text.resize(size);
    for (std::size_t at = 0; at < size;) {
        const ssize_t n = pread(fd, text.data() + at, size - at, off_t(at));
        if (n <= 0 && !(n < 0 && errno == EINTR)) return false;
        if (n > 0) at += std::size_t(n);
    }
    return true;
}

SINTER_INLINE bool read_file(const char* path, std::string& text, std::size_t at_most) {
    const file_descriptor file(open(path, O_RDONLY | O_CLOEXEC));
    if (!file) return false;
    text.clear();
    char buffer[4096];
    while (text.size() < at_most) {
        const ssize_t n = read(file.get(), buffer, std::min(sizeof buffer, at_most - text.size()));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n == 0;
        text.append(buffer, std::size_t(n));
    }
    return true;
}

/// While it lives, a write beyond the limit of a file's size (ulimit -f) is an error of this thread and no signal.
class size_limit_scope {
public:
    size_limit_scope() {
        rlimit limit{};
        if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
        sigset_t pending;
        sigemptyset(&signal_);
        sigaddset(&signal_, SIGXFSZ);
        was_pending_ = sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
        is_blocked_ = pthread_sigmask(SIG_BLOCK, &signal_, &before_) == 0;
    }
    ~size_limit_scope() {
        if (!is_blocked_) return;
        const int reason = errno;
        const timespec at_once{};
        if (!was_pending_) sigtimedwait(&signal_, nullptr, &at_once);
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
        errno = reason;
    }
    size_limit_scope(const size_limit_scope&) = delete;
    size_limit_scope& operator=(const size_limit_scope&) = delete;

private:
    sigset_t signal_, before_;
    bool was_pending_ = false, is_blocked_ = false;
};

SINTER_INLINE bool write_all(int fd, std::string_view text) {
    const size_limit_scope errors_only;
    while (!text.empty()) {
        const ssize_t n = write(fd, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        text.remove_prefix(std::size_t(n));
    }
    return true;
}

SINTER_INLINE file_descriptor memory_file(const char* label) {
    // MFD_EXEC (0x10, Linux 6.3) keeps the image loadable where files in memory are not executable by default.
    int fd = memfd_create(label, MFD_CLOEXEC | 0x10u);
    if (fd < 0) fd = memfd_create(label, MFD_CLOEXEC);
    if (fd < 0 || fd > 9) return file_descriptor(fd);
    // Small numbers are where spawned programs get theirs, and a copy onto itself would go wrong there.
    file_descriptor low(fd);
    return file_descriptor(fcntl(fd, F_DUPFD_CLOEXEC, 10));
}

SINTER_INLINE std::string contents(const file_descriptor& file) {
    struct stat s;
    std::string text;
    if (fstat(file.get(), &s) != 0 || !read_all(file.get(), text, std::size_t(s.st_size)))
        throw io_error(std::string("[compile] what a program has written cannot be read: ") + std::strerror(errno));
    return text;
}

SINTER_INLINE std::string make_temporary_folder() {
    for (const std::string& parent : {env().temporary_dir, std::string("/dev/shm"), std::string("/tmp")}) {
        std::string folder = parent + "/sinter-XXXXXX";
        if (!parent.empty() && mkdtemp(folder.data())) return folder;
    }
    return "";
}

}  // namespace sinter::inline SINTER_ABI::runtime
