// A file that all ranks write, each its own bytes, and what a rank writes of an array; must not know formats.
#pragma once

#include <sinter/distributed/value.hpp>
#include <sinter/runtime/base/file.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// Rank 0 makes it, and gives it its name when all is written.
class file_of_ranks {
public:
    file_of_ranks(session_ref s, std::string operation, const std::string& path);
    file_of_ranks(const file_of_ranks&) = delete;
    file_of_ranks& operator=(const file_of_ranks&) = delete;
    ~file_of_ranks();

    /// What goes wrong is remembered, for all ranks to throw alike.
    void write(const char* from, std::size_t count, std::size_t offset);
    void close();

private:
    void open(int more);
    void agree();

    session_ref session_;
    std::string operation_, path_, unfinished_;
    runtime::file_descriptor file_;
    int problem_ = 0;
    bool has_name_ = false;
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
