// Bodies of byte_stream.hpp.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/runtime/base/byte_stream.hpp>
#include <sinter/runtime/base/thread_team.hpp>

namespace sinter::inline SINTER_ABI::runtime {

// Of a large read, what a thread takes at least: a system call is nothing beside it.
inline constexpr std::int64_t bytes_of_read = 256 << 10;

SINTER_INLINE void file_place::fail(std::size_t offset, const std::string& what) const {
    throw io_error(codegen::joined({"[", operation, "] ", name, ": ", what, " (at byte ", base + offset, ")"}));
}

SINTER_INLINE input_file::input_file(std::string operation, const std::string& path)
    : place_{path, std::move(operation)}, file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    auto refuse = [&](const std::string& what) {
        throw io_error(codegen::joined({"[", place_.operation, "] ", what}));
    };
    if (!file_) refuse("cannot open " + path + ": " + std::strerror(errno));
    struct stat status = {};
    if (fstat(file_.get(), &status) != 0 || !S_ISREG(status.st_mode))
        refuse("not a regular file: " + path +
               ": pipes and devices have no size, which is checked before memory is taken");
    size_ = static_cast<std::size_t>(status.st_size);
}

SINTER_INLINE input_file::input_file(std::string operation, std::string name, std::string_view bytes)
    : place_{std::move(name), std::move(operation)}, bytes_(bytes), size_(bytes.size()) {}

// A read of a file by several threads, whose copies out of the system's memory are slower than that: where the first of
// them failed, and why.
struct parallel_read {
    int file;
    char* to;
    std::size_t offset;
    std::mutex guard{};
    std::size_t failed = SIZE_MAX;
    int problem = 0;  // 0: the file has ended

    void run(std::size_t begin, std::size_t end);
};

SINTER_INLINE void parallel_read::run(std::size_t begin, std::size_t end) {
    while (begin < end) {
        const ssize_t n = pread(file, to + begin, end - begin, static_cast<off_t>(offset + begin));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            const int why = n < 0 ? errno : 0;
            const std::lock_guard<std::mutex> lock(guard);
            if (begin < failed) failed = begin, problem = why;
            return;
        }
        begin += static_cast<std::size_t>(n);
    }
}

SINTER_INLINE void input_file::read(char* to, std::size_t count, std::size_t offset) const {
    if (offset > size_ || count > size_ - offset) place_.fail(size_, "the file ends too early");
    if (!file_) {
        if (count > 0) std::memcpy(to, bytes_.data() + offset, count);
        return;
    }
    parallel_read r{file_.get(), to, offset};
    const auto part = [](void* context, std::int64_t begin, std::int64_t end) {
        static_cast<parallel_read*>(context)->run(static_cast<std::size_t>(begin), static_cast<std::size_t>(end));
    };
    parallel_for(static_cast<std::int64_t>(count), bytes_of_read, part, &r);
    if (r.failed == SIZE_MAX) return;
    if (r.problem) place_.fail(offset + r.failed, std::string("cannot read: ") + std::strerror(r.problem));
    place_.fail(offset + r.failed, "the file became shorter while it was read");
}

SINTER_INLINE mapped_file::mapped_file(const input_file& file) : size_(file.size()) {
    if (size_ == 0) return;
    void* pages = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE, file.file_.get(), 0);
    if (pages == MAP_FAILED) file.place().fail(0, std::string("cannot be mapped: ") + std::strerror(errno));
    data_ = static_cast<char*>(pages);
}

SINTER_INLINE mapped_file::~mapped_file() {
    if (data_) munmap(data_, size_);
}

SINTER_INLINE void file_source::read(char* to, std::size_t count) {
    file_.read(to, count, at_);
    at_ += count;
}

SINTER_INLINE void runs_source::read(char* to, std::size_t count) {
    while (count > 0) {
        const std::size_t n = count < runs_.run - done_ ? count : runs_.run - done_;
        file_.read(to, n, at_ + done_);
        to += n;
        count -= n;
        done_ += n;
        if (done_ < runs_.run) continue;
        done_ = 0;
        at_ += runs_.stride;
    }
}

SINTER_INLINE output_file::output_file(std::string operation, const std::string& path)
    : place_{path, std::move(operation)}, file_(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
    if (!file_)
        throw io_error(codegen::joined({"[", place_.operation, "] cannot create ", path, ": ", std::strerror(errno)}));
}

SINTER_INLINE void output_file::fail(int problem) const {
    throw io_error(codegen::joined(
        {"[", place_.operation, "] cannot write ", place_.name, ": ", std::strerror(problem), " (at byte ", at_, ")"}));
}

SINTER_INLINE void output_file::write(const char* from, std::size_t count) {
    while (count > 0) {
        const ssize_t n = ::write(file_.get(), from, count);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) fail(n < 0 ? errno : EIO);
        from += n;
        at_ += static_cast<std::size_t>(n);
        count -= static_cast<std::size_t>(n);
    }
}

SINTER_INLINE void output_file::overwrite(const char* from, std::size_t count, std::size_t offset) {
    while (count > 0) {
        const ssize_t n = pwrite(file_.get(), from, count, static_cast<off_t>(offset));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) fail(n < 0 ? errno : EIO);
        from += n;
        offset += static_cast<std::size_t>(n);
        count -= static_cast<std::size_t>(n);
    }
}

SINTER_INLINE void output_file::close() {
    if (!file_.close()) fail(errno);
}

}  // namespace sinter::inline SINTER_ABI::runtime
