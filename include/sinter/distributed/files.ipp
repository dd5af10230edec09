// Bodies of files.hpp.
#pragma once

#include <cstring>
#include <sinter/array/reading.hpp>
#include <sinter/codegen/ops/apply.hpp>
#include <sinter/distributed/file_of_ranks.hpp>
#include <sinter/distributed/files.hpp>
#include <sinter/distributed/messages.hpp>
#include <sinter/functions/shape_functions.hpp>
#include <sinter/io/io.hpp>
#include <sinter/io/npy.hpp>
#include <sinter/io/zip.hpp>
#include <sinter/runtime/base/file.hpp>

namespace sinter::inline SINTER_ABI::detail {

// Where the elements of a part of an axis lie, in the file's order.
SINTER_INLINE runtime::byte_runs runs_of_part(const npy_header& h, int axis, range part) {
    std::int64_t inner = codegen::size_of(h.type), outer = 1;
    for (int i = 0; i < h.shape.size(); ++i)
        if (i != axis) (i < axis ? outer : inner) *= h.shape[i];
    return {static_cast<std::size_t>(part.begin * inner), static_cast<std::size_t>(part.size() * inner),
            static_cast<std::size_t>(h.shape[axis] * inner), static_cast<std::size_t>(outer)};
}

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
    runtime::runs_source source(file, h.data_offset, runs_of_part(h, axis, part));
    npy_elements(source, h).read(bytes.data(), bytes.size());
    const handle stored = record_cast(store(h.type, shape, bytes.data()), type);
    return transposed ? transposed_all(stored) : stored;
}

// The elements behind a header, placed.
SINTER_INLINE distributed_ref load_placed(const runtime::input_file& file, const npy_header& h, dtype type,
                                          placement p) {
    const session_ref& s = current_session("load");
    p = checked("load", p, h.shape.size(), s->ranks());
    if (p.kind == placement_kind::partial)
        throw value_error("[load] an array has no parts that add up to it: use replicated or split");
    if (p.kind == placement_kind::block_cyclic || p.kind == placement_kind::mesh)
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
    return record_distribute(npz_file(path).get_value(name, type), p, "load");
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

SINTER_INLINE void save_distributed_archive(const std::string& path, codegen::span<const named_distributed> arrays) {
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
