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
#include <sinter/io/io.hpp>
#include <sinter/io/npy.hpp>
#include <sinter/io/zip.hpp>
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

// The elements behind a header, placed.
SINTER_INLINE distributed_ref load_placed(const runtime::input_file& file, const npy_header& h, dtype type,
                                          placement p) {
    const session_ref& s = current_session("load");
    p = checked("load", p, h.shape.size());
    if (p.kind == placement_kind::partial)
        throw value_error("[load] an array has no parts that add up to it: use replicated or split");
    if (p.kind == placement_kind::block_cyclic)
        return record_reshard(load_placed(file, h, type, distributed::split(0)), p, "load");
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

SINTER_INLINE distributed_ref load_distributed(const std::string& path, dtype type, placement p) {
    const runtime::input_file file("load", path);
    runtime::file_source from(file, 0);
    return load_placed(file, read_npy_header(from, static_cast<std::int64_t>(file.size()), file.place()), type, p);
}

SINTER_INLINE distributed_ref load_distributed_member(const std::string& path, const std::string& name, dtype type,
                                                      placement p) {
    const runtime::input_file file("load", path);
    for (const zip_member& m : read_zip_directory(file)) {
        if (m.name != name && m.name != name + ".npy") continue;
        zip_source from(file, m);
        if (!from.is_stored()) break;
        npy_header h = read_npy_header(from, static_cast<std::int64_t>(m.size), from.place());
        h.data_offset += from.data_offset();
        return load_placed(file, h, type, p);
    }
    return record_distribute(npz_file(path).get_value(name, type), p);
}

/// A file that all ranks write, each its own bytes: rank 0 makes it, and gives it its name when all is written.
class file_of_ranks {
public:
    file_of_ranks(session_ref s, std::string operation, const std::string& path)
        : session_(std::move(s)), operation_(std::move(operation)), path_(path), unfinished_(path + ".part") {
        if (session_->rank() == 0) open(O_CREAT | O_TRUNC);
        agree();
        if (session_->rank() != 0) open(0);
    }
    file_of_ranks(const file_of_ranks&) = delete;
    file_of_ranks& operator=(const file_of_ranks&) = delete;
    ~file_of_ranks() {
        if (!has_name_ && session_->rank() == 0) ::unlink(unfinished_.c_str());
    }

    /// What goes wrong is remembered, for all ranks to throw alike.
    void write(const char* from, std::size_t count, std::size_t offset) {
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
    void close() {
        if (!file_.close() && problem_ == 0) problem_ = errno;
        agree();
        if (session_->rank() == 0 && std::rename(unfinished_.c_str(), path_.c_str()) != 0) problem_ = errno;
        agree();
        has_name_ = true;
    }

private:
    void open(int more) {
        file_ = runtime::file_descriptor(::open(unfinished_.c_str(), O_WRONLY | O_CLOEXEC | more, 0666));
        if (!file_) problem_ = errno;
    }
    // All ranks throw what one of them met.
    void agree() {
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

// By rows, so that each rank's elements stand together; what all have alike rank 0 writes.
SINTER_INLINE written_part part_to_write(const distributed_ref& given, std::string_view operation) {
    distributed_ref v = settled(given);
    if (v->where.kind != placement_kind::replicated) v = record_reshard(v, distributed::split(0), operation);
    const session_ref& s = v->session;
    written_part part;
    part.all = static_cast<std::size_t>(v->shape.product() * codegen::size_of(v->type));
    const bool is_split = v->where.kind == placement_kind::split;
    const std::size_t row = is_split && v->shape[0] > 0 ? part.all / static_cast<std::size_t>(v->shape[0]) : 0;
    for (int r = 0; r < s->ranks(); ++r)
        part.sizes.push_back(is_split ? static_cast<std::size_t>(v->part(r).size()) * row : r == 0 ? part.all : 0);
    if (is_split) part.offset = static_cast<std::size_t>(v->part().begin) * row;
    if (is_split || s->rank() == 0) append_elements(part.bytes, v->local);
    return part;
}

SINTER_INLINE void save_distributed(const std::string& path, const distributed_ref& v) {
    const std::string header = make_npy_header(v->type, v->shape);
    const written_part part = part_to_write(v, "save");
    file_of_ranks file(v->session, "save", path.ends_with(".npy") ? path : path + ".npy");
    if (v->session->rank() == 0) file.write(header.data(), header.size(), 0);
    file.write(part.bytes.data(), part.bytes.size(), header.size() + part.offset);
    file.close();
}

// The checksum of a header and the parts of all ranks, from theirs.
SINTER_INLINE std::uint32_t joined_parts_crc(const std::string& header, const written_part& part, const char* crcs,
                                             std::size_t stride) {
    std::uint32_t crc = runtime::crc32(0, header.data(), header.size());
    for (std::size_t size : part.sizes) {
        std::uint32_t own = 0;
        std::memcpy(&own, crcs, sizeof own);
        crc = runtime::joined_crc32(crc, own, size);
        crcs += stride;
    }
    return crc;
}

SINTER_INLINE void save_distributed_archive(const std::string& path, std::span<const named_distributed> arrays) {
    std::vector<distributed_ref> values;
    for (const named_distributed& a : arrays) {
        for (const named_distributed& b : arrays)
            if (&a != &b && a.name == b.name) throw value_error("[savez] two arrays are called '" + a.name + "'");
        values.push_back(a.value);
    }
    const session_ref s = values.empty() ? current_session("savez") : common_session("savez", values);
    file_of_ranks file(s, "savez", path.ends_with(".npz") ? path : path + ".npz");
    std::vector<zip_member> members;
    std::vector<std::string> headers;
    std::vector<written_part> parts;
    std::vector<char> crcs;
    std::size_t at = 0;
    for (const named_distributed& a : arrays) {
        zip_member& m = members.emplace_back(make_zip_member("savez", a.name + ".npy", false, at));
        headers.push_back(make_npy_header(a.value->type, a.value->shape));
        written_part& part = parts.emplace_back(part_to_write(a.value, "savez"));
        const std::size_t data = at + zip_local_header(m).size();
        file.write(part.bytes.data(), part.bytes.size(), data + headers.back().size() + part.offset);
        const std::uint32_t crc = runtime::crc32(0, part.bytes.data(), part.bytes.size());
        crcs.insert(crcs.end(), reinterpret_cast<const char*>(&crc), reinterpret_cast<const char*>(&crc + 1));
        std::vector<char>().swap(part.bytes);
        m.size = m.packed = headers.back().size() + part.all;
        at = data + headers.back().size() + part.all;
    }
    const std::vector<std::int64_t> sizes(static_cast<std::size_t>(s->ranks()), static_cast<std::int64_t>(crcs.size()));
    std::string words;
    const std::vector<char> all = s->all_gather("savez", crcs, sizes, words);
    for (std::size_t i = 0; i < members.size() && s->rank() == 0; ++i) {
        members[i].crc = joined_parts_crc(headers[i], parts[i], all.data() + i * sizeof(std::uint32_t), crcs.size());
        const std::string header = zip_local_header(members[i]) + headers[i];
        file.write(header.data(), header.size(), static_cast<std::size_t>(members[i].at));
    }
    const std::string directory = zip_directory_text(members, at);
    if (s->rank() == 0) file.write(directory.data(), directory.size(), at);
    file.close();
}

}  // namespace sinter::inline SINTER_ABI::detail
