// Bodies of file_of_ranks.hpp.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sinter/array/reading.hpp>
#include <sinter/distributed/file_of_ranks.hpp>
#include <sinter/distributed/messages.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE file_of_ranks::file_of_ranks(session_ref s, std::string operation, const std::string& path)
    : session_(std::move(s)), operation_(std::move(operation)), path_(path), unfinished_(path + ".part") {
    if (session_->rank() == 0) open(O_CREAT | O_TRUNC);
    unfinished_.set_made(session_->rank() == 0 && problem_ == 0);
    agree();
    if (session_->rank() != 0) open(0);
}

SINTER_INLINE unfinished_file::~unfinished_file() {
    if (is_made_) ::unlink(path_.c_str());
}

SINTER_INLINE void file_of_ranks::write(const char* from, std::size_t count, std::size_t offset) {
    while (count > 0 && problem_ == 0) {
        const ssize_t n = ::pwrite(file_.get(), from, count, static_cast<off_t>(offset));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            problem_ = n < 0 ? errno : EIO;
            break;
        }
        from += n;
        count -= static_cast<std::size_t>(n);
        offset += static_cast<std::size_t>(n);
    }
}

SINTER_INLINE void file_of_ranks::close() {
    if (!file_.close() && problem_ == 0) problem_ = errno;
    agree();
    if (session_->rank() == 0 && std::rename(unfinished_.path(), path_.c_str()) != 0) problem_ = errno;
    unfinished_.set_made(session_->rank() == 0 && problem_ != 0);
    agree();
}

SINTER_INLINE void file_of_ranks::open(int more) {
    file_ = runtime::file_descriptor(::open(unfinished_.path(), O_WRONLY | O_CLOEXEC | more, 0666));
    if (!file_) problem_ = errno;
}

// All ranks throw what one of them met.
SINTER_INLINE void file_of_ranks::agree() {
    std::vector<char> mine(sizeof problem_);
    std::memcpy(mine.data(), &problem_, sizeof problem_);
    const std::vector<std::int64_t> sizes(static_cast<std::size_t>(session_->ranks()), sizeof problem_);
    std::string words;
    const std::vector<char> all = session_->all_gather(operation_, mine, sizes, words);
    for (int r = 0; r < session_->ranks(); ++r) {
        int problem = 0;
        std::memcpy(&problem, all.data() + static_cast<std::size_t>(r) * sizeof problem, sizeof problem);
        if (problem != 0)
            throw io_error("[" + operation_ + "] rank " + std::to_string(r) + " cannot write " + path_ + ": " +
                           std::strerror(problem));
    }
}

SINTER_INLINE written_part part_to_write(const distributed_ref& given, std::string_view operation) {
    distributed_ref v = settled(given);
    if (v->where.kind != placement_kind::replicated) v = record_reshard(v, distributed::split(0), operation);
    const session_ref& s = v->session;
    written_part part;
    part.all = static_cast<std::size_t>(v->shape.product() * codegen::size_of(v->type));
    const bool is_split = v->where.kind == placement_kind::split;
    const std::size_t row = is_split && v->shape[0] > 0 ? part.all / static_cast<std::size_t>(v->shape[0]) : 0;
    for (int r = 0; r < s->ranks(); ++r)
        part.sizes.push_back(is_split ? static_cast<std::size_t>(v->part(r, 0).size()) * row : r == 0 ? part.all : 0);
    if (is_split) part.offset = static_cast<std::size_t>(v->part(0).begin) * row;
    if (is_split || s->rank() == 0) append_elements(part.bytes, v->local);
    return part;
}

}  // namespace sinter::inline SINTER_ABI::detail
