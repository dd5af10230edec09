// Owned file descriptors, whole reads and writes, files in memory; must not know what is in a file.
#pragma once

#include <cstddef>
#include <sinter/codegen/base/config.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace sinter::inline SINTER_ABI::runtime {

/// A file descriptor that is closed with its owner; -1 is none.
class file_descriptor {
public:
    file_descriptor() = default;
    explicit file_descriptor(int fd) : fd_(fd) {}
    file_descriptor(file_descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    file_descriptor& operator=(file_descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~file_descriptor() { close(); }

    explicit operator bool() const { return fd_ >= 0; }
    int get() const { return fd_; }
    bool close();

private:
    int fd_ = -1;
};

/// Reads exactly `size` bytes from the start of a file, without moving its position.
bool read_all(int fd, std::string& text, std::size_t size);

/// Reads a file of any kind from its start to its end.
bool read_file(const char* path, std::string& text, std::size_t at_most = std::size_t(-1));

bool write_all(int fd, std::string_view text);

/// A file that lives in memory only and has no name; closed on exec.
file_descriptor memory_file(const char* label);

/// All bytes of a file in memory. Throws io_error.
std::string contents(const file_descriptor& file);

/// A new private folder for temporary files, or "" when none can be made.
std::string make_temporary_folder();

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/base/file.ipp>
#endif
