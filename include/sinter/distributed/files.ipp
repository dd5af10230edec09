// Bodies of files.hpp.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sinter/array/reading.hpp>
#include <sinter/codegen/ops/apply.hpp>
#include <sinter/distributed/files.hpp>
#include <sinter/distributed/messages.hpp>
#include <sinter/functions/shape_functions.hpp>
#include <sinter/io/npy.hpp>
#include <sinter/runtime/base/file.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// The elements of a part of an axis, in the file's order.
class npy_part final : public byte_source {
public:
    npy_part(const runtime::input_file& file, const npy_header& h, int axis, range part) : file_(file) {
        std::int64_t inner = codegen::size_of(h.type);
        for (int i = axis + 1; i < h.shape.size(); ++i) inner *= h.shape[i];
        run_ = static_cast<std::size_t>(part.size() * inner);
        stride_ = static_cast<std::size_t>(h.shape[axis] * inner);
        at_ = h.data_offset + static_cast<std::size_t>(part.begin * inner);
    }
    void read(char* to, std::size_t count) override {
        while (count > 0) {
            const std::size_t n = std::min(count, run_ - done_);
            file_.read(to, n, at_ + done_);
            to += n;
            count -= n;
            done_ += n;
            if (done_ < run_) continue;
            done_ = 0;
            at_ += stride_;
        }
    }

private:
    const runtime::input_file& file_;
    std::size_t run_ = 0, stride_ = 0, at_ = 0, done_ = 0;
};

SINTER_INLINE dims reversed_shape(const dims& shape) {
    dims r;
    for (int i = shape.size(); i-- > 0;) r.push_back(shape[i]);
    return r;
}

// A part of the elements behind a header.
SINTER_INLINE handle load_part(const runtime::input_file& file, npy_header h, int axis, range part, dtype type) {
    if (codegen::kind_rank(h.type) > codegen::kind_rank(type))
        throw type_error("[load] " + file.place().name + " holds " + std::string(to_string(h.type)) + ", which " +
                         std::string(to_string(type)) + " cannot hold: load it as it is and use astype");
    const bool transposed = h.fortran_order;
    if (transposed) {
        h.shape = reversed_shape(h.shape);
        axis = h.shape.size() - 1 - axis;
    }
    const dims shape = with_size(h.shape, axis, part.size());
    std::vector<char> bytes(static_cast<std::size_t>(shape.product() * codegen::size_of(h.type)));
    npy_part source(file, h, axis, part);
    npy_elements(source, h).read(bytes.data(), bytes.size());
    const handle stored = record_cast(store(h.type, shape, bytes.data()), type);
    return transposed ? transposed_all(stored) : stored;
}

SINTER_INLINE distributed_ref load_distributed(const std::string& path, dtype type, placement p) {
    const session_ref& s = current_session("load");
    const runtime::input_file file("load", path);
    runtime::file_source from(file, 0);
    const npy_header h = read_npy_header(from, static_cast<std::int64_t>(file.size()), file.place());
    p = checked("load", p, h.shape.size());
    if (p.kind == placement_kind::partial)
        throw value_error("[load] an array has no parts that add up to it: use replicated or split");
    const bool is_split = p.kind == placement_kind::split;
    if (h.shape.empty()) {
        npy_header one = h;
        one.shape = dims(1);
        return make_distributed(s, h.shape, p, record_reshape(load_part(file, one, 0, {0, 1}, type), dims()));
    }
    const int axis = is_split ? p.axis : 0;
    const range part = is_split ? distributed::part_of(h.shape[axis], s->ranks(), s->rank()) : range{0, h.shape[0]};
    return make_distributed(s, h.shape, p, load_part(file, h, axis, part, type));
}

// Writes at a place of a file that is there; 0, or the number of the error.
SINTER_INLINE int write_part_at(const std::string& path, const char* from, std::size_t count, std::size_t offset) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) return errno;
    int problem = 0;
    while (count > 0 && problem == 0) {
        const ssize_t n = ::pwrite(file, from, count, static_cast<off_t>(offset));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            problem = n < 0 ? errno : EIO;
            break;
        }
        from += n;
        count -= static_cast<std::size_t>(n);
        offset += static_cast<std::size_t>(n);
    }
    if (::close(file) != 0 && problem == 0) problem = errno;
    return problem;
}

// Makes a file of zeros; 0, or the number of the error.
SINTER_INLINE int make_whole_file(const std::string& path, std::size_t size) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) return errno;
    int problem = ::ftruncate(file, static_cast<off_t>(size)) != 0 ? errno : 0;
    if (::close(file) != 0 && problem == 0) problem = errno;
    if (problem != 0) ::unlink(path.c_str());
    return problem;
}

// All ranks throw what one of them met.
SINTER_INLINE void agree_on_file(const session_ref& s, const std::string& path, int problem) {
    std::vector<char> mine(sizeof problem);
    std::memcpy(mine.data(), &problem, sizeof problem);
    const std::vector<std::int64_t> sizes(static_cast<std::size_t>(s->ranks()), sizeof problem);
    std::string words;
    const std::vector<char> all = s->all_gather("save", mine, sizes, words);
    for (int r = 0; r < s->ranks(); ++r) {
        std::memcpy(&problem, all.data() + static_cast<std::size_t>(r) * sizeof problem, sizeof problem);
        if (problem != 0)
            throw io_error("[save] rank " + std::to_string(r) + " cannot write " + path + ": " +
                           std::strerror(problem));
    }
}

SINTER_INLINE void save_distributed(const std::string& path, const distributed_ref& given) {
    distributed_ref v = settled(given);
    if (v->where.kind == placement_kind::split && v->where.axis != 0)
        v = record_reshard(v, distributed::split(0), "save");
    const session_ref& s = v->session;
    const std::string name = path.ends_with(".npy") ? path : path + ".npy", unfinished = name + ".part";
    const std::string header = make_npy_header(v->type, v->shape);
    const auto item = static_cast<std::size_t>(codegen::size_of(v->type));
    const std::size_t bytes = static_cast<std::size_t>(v->shape.product()) * item;
    const bool root = s->rank() == 0, is_split = v->where.kind == placement_kind::split;
    std::vector<char> mine;
    if (is_split || root) append_elements(mine, v->local);
    int problem = root ? make_whole_file(unfinished, header.size() + bytes) : 0;
    agree_on_file(s, name, problem);
    const std::size_t row = is_split && v->shape[0] > 0 ? bytes / static_cast<std::size_t>(v->shape[0]) : 0;
    const std::size_t offset = header.size() + (is_split ? static_cast<std::size_t>(v->part().begin) * row : 0);
    try {
        if (root) problem = write_part_at(unfinished, header.data(), header.size(), 0);
        if (problem == 0) problem = write_part_at(unfinished, mine.data(), mine.size(), offset);
        agree_on_file(s, name, problem);
        if (root && std::rename(unfinished.c_str(), name.c_str()) != 0) problem = errno;
        agree_on_file(s, name, problem);
    } catch (...) {
        if (root) ::unlink(unfinished.c_str());
        throw;
    }
}

}  // namespace sinter::inline SINTER_ABI::detail
