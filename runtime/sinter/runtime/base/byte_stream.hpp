// Bytes in order, from and to files of data whose errors name the file and the byte; must not know formats or devices.
#pragma once

#include <cstddef>
#include <sinter/runtime/base/file.hpp>
#include <string>
#include <string_view>

namespace sinter::inline SINTER_ABI::runtime {

/// Where bytes come from, once and in order.
class byte_source {
public:
    virtual ~byte_source() = default;
    /// The next `count` bytes; throws io_error when there are fewer.
    virtual void read(char* to, std::size_t count) = 0;
};

/// Where bytes go, in order.
class byte_sink {
public:
    virtual ~byte_sink() = default;
    virtual void write(const char* from, std::size_t count) = 0;
};

/// Where something in a file is, for messages: `[load] x.npy: what is wrong (at byte 80)`.
struct file_place {
    std::string name;
    std::string operation = "load";
    std::size_t base = 0;  ///< added to the bytes that are named

    [[noreturn]] void fail(std::size_t offset, const std::string& what) const;
};

/// A file open for reading anywhere, or bytes in memory that stand for one.
class input_file {
public:
    /// Opens a regular file; throws io_error.
    input_file(std::string operation, const std::string& path);
    /// Bytes that outlive this object.
    input_file(std::string operation, std::string name, std::string_view bytes);

    std::size_t size() const { return size_; }
    const file_place& place() const { return place_; }
    /// Exactly `count` bytes from `offset`; throws io_error.
    void read(char* to, std::size_t count, std::size_t offset) const;

private:
    friend class mapped_file;
    file_place place_;
    file_descriptor file_;
    std::string_view bytes_;
    std::size_t size_ = 0;
};

/// All of a file in memory, page by page as it is read; what is written to it stays in memory.
class mapped_file {
public:
    /// Throws io_error. The file has to keep its size, without which the system ends the program.
    explicit mapped_file(const input_file& file);
    ~mapped_file();
    mapped_file(const mapped_file&) = delete;
    mapped_file& operator=(const mapped_file&) = delete;

    char* data() const { return data_; }
    std::size_t size() const { return size_; }

private:
    char* data_ = nullptr;
    std::size_t size_ = 0;
};

/// A file's bytes from an offset on.
class file_source final : public byte_source {
public:
    file_source(const input_file& file, std::size_t from) : file_(file), at_(from) {}
    void read(char* to, std::size_t count) override;

private:
    const input_file& file_;
    std::size_t at_;
};

/// Equal runs of bytes whose beginnings are `stride` apart.
struct byte_runs {
    std::size_t begin = 0, run = 0, stride = 0, count = 1;

    std::size_t bytes() const { return run * count; }
};

/// Such runs of a file, counted from an offset, one behind the other.
class runs_source final : public byte_source {
public:
    runs_source(const input_file& file, std::size_t offset, const byte_runs& runs)
        : file_(file), runs_(runs), at_(offset + runs.begin) {}
    void read(char* to, std::size_t count) override;

private:
    const input_file& file_;
    byte_runs runs_;
    std::size_t at_, done_ = 0;
};

/// A new file, written from its start; throws io_error. What was written until then stays.
class output_file final : public byte_sink {
public:
    output_file(std::string operation, const std::string& path);
    void write(const char* from, std::size_t count) override;
    /// Writes over bytes that were written before.
    void overwrite(const char* from, std::size_t count, std::size_t offset);
    /// Has to be called at the end: the system may find out only then that there is no room.
    void close();
    std::size_t position() const { return at_; }

private:
    [[noreturn]] void fail(int problem) const;

    file_place place_;
    file_descriptor file_;
    std::size_t at_ = 0;
};

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/base/byte_stream.ipp>
#endif
