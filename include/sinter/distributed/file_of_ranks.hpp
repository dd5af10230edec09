// A file that all ranks write, each its own bytes, and what a rank writes of an array; must not know formats.
#pragma once

#include <sinter/distributed/value.hpp>
#include <sinter/runtime/base/file.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// A path at which a file is removed when this goes, once it has been made.
class unfinished_file {
public:
    explicit unfinished_file(std::string path) : path_(std::move(path)) {}
    unfinished_file(const unfinished_file&) = delete;
    unfinished_file& operator=(const unfinished_file&) = delete;
    ~unfinished_file();

    const char* path() const { return path_.c_str(); }
    void set_made(bool made) { is_made_ = made; }

private:
    std::string path_;
    bool is_made_ = false;
};

/// Rank 0 makes it, and gives it its name when all is written; what fails before leaves no file.
class file_of_ranks {
public:
    file_of_ranks(session_ref s, std::string operation, const std::string& path);
    file_of_ranks(const file_of_ranks&) = delete;
    file_of_ranks& operator=(const file_of_ranks&) = delete;

    /// What goes wrong is remembered, for all ranks to throw alike.
    void write(const char* from, std::size_t count, std::size_t offset);
    void close();

private:
    void open(int more);
    void agree();

    session_ref session_;
    std::string operation_, path_;
    unfinished_file unfinished_;
    runtime::file_descriptor file_;
    int problem_ = 0;
};

/// The elements that a rank writes of an array, and where they stand among all.
struct written_part {
    std::vector<char> bytes;
    std::size_t offset = 0, all = 0;
    std::vector<std::size_t> sizes;  ///< of all ranks
};

/// By rows, so that each rank's elements stand together; what all have alike rank 0 writes.
written_part part_to_write(const distributed_ref& given, std::string_view operation);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/distributed/file_of_ranks.ipp>
#endif
