// Bodies of io.hpp.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sinter/codegen/base/owner.hpp>
#include <sinter/io/io.hpp>
#include <sinter/io/npy.hpp>
#include <sinter/io/text_table_write.hpp>
#include <sinter/parts/large_values.hpp>
#include <sinter/runtime/memory/absent_buffer.hpp>
#include <sinter/runtime/memory/stream_work.hpp>
#include <sinter/runtime/memory/streaming.hpp>
#include <sinter/io/zip.hpp>

namespace sinter::inline SINTER_ABI {

namespace detail {

SINTER_INLINE std::string with_extension(const std::string& path, const char* extension) {
    return path.ends_with(extension) ? path : path + extension;
}

// The elements of a computed row-major value.
SINTER_INLINE void write_elements(const handle& h, runtime::byte_sink& to) {
    runtime::require_valid(*h);
    const auto item = static_cast<std::size_t>(codegen::size_of(h->type));
    if (h->bytes() == 0) return;
    runtime::stream_work work(h->where);
    work.reads(*h->memory);
    runtime::write_from_device(
        h->where, static_cast<const char*>(h->memory->data) + static_cast<std::size_t>(h->at.offset) * item,
        static_cast<std::size_t>(h->bytes()), to);
}

SINTER_INLINE void save_value(const std::string& path, const handle& h) {
    const std::string header = make_npy_header(h->type, h->shape);
    const handle rows = computed_rows(h);
    runtime::require_valid(*rows);
    const std::string name = with_extension(path, ".npy");
    // A file that is mapped is read while it is written: the new one takes its name at the end.
    const bool may_be_mapped = rows->memory && rows->memory->release_owner;
    const std::string unfinished = may_be_mapped ? name + ".part" : name;
    runtime::output_file file("save", unfinished);
    file.write(header.data(), header.size());
    write_elements(rows, file);
    file.close();
    if (may_be_mapped && std::rename(unfinished.c_str(), name.c_str()) != 0)
        throw io_error("[save] cannot name " + unfinished + " " + name + ": " + std::strerror(errno));
}

SINTER_INLINE void require_kind(const npy_header& header, dtype type, const file_place& where) {
    if (header.type == dtype::bfloat16 && type != dtype::bfloat16)
        throw type_error("[" + where.operation + "] " + where.name +
                         " holds elements of two bytes without a type, such as " +
                         "bfloat16: load them as bfloat16 and use astype");
    if (codegen::kind_rank(header.type) > codegen::kind_rank(type))
        throw type_error("[" + where.operation + "] " + where.name + " holds " + std::string(to_string(header.type)) +
                         ", which " + std::string(to_string(type)) + " cannot hold: load it as it is and use astype");
}

// How elements lie behind a header: a file in Fortran order holds the transpose, which is looked at transposed.
SINTER_INLINE layout layout_in_file(const npy_header& header) {
    if (!header.fortran_order) return codegen::contiguous(header.shape);
    dims reversed, order;
    for (int i = header.shape.size(); i-- > 0;) {
        reversed.push_back(header.shape[i]);
        order.push_back(i);
    }
    return codegen::transposed(codegen::contiguous(reversed), order);
}

// The elements behind a header as a stored value.
SINTER_INLINE handle load_elements(byte_source& from, const npy_header& header, dtype type) {
    runtime::check_shape(header.type, header.shape);
    const device where = runtime::current_device();
    const auto bytes = static_cast<std::size_t>(header.data_bytes);
    runtime::buffer_ref memory = runtime::allocate_buffer(where, bytes);
    npy_elements elements(from, header);
    {
        runtime::stream_work work(where);
        work.writes(*memory);
        runtime::read_to_device(where, memory->data, bytes, elements);
    }
    return record_cast(runtime::make_stored(header.type, header.shape, std::move(memory), layout_in_file(header)),
                       type);
}

SINTER_INLINE handle load_value(const std::string& path, dtype type) {
    const input_file file("load", path);
    runtime::file_source from(file, 0);
    const npy_header header = read_npy_header(from, static_cast<std::int64_t>(file.size()), file.place());
    require_kind(header, type, file.place());
    return load_elements(from, header, type);
}

/// The elements of an open file as what a buffer holds once it is used.
class npy_origin final : public runtime::buffer_origin {
public:
    npy_origin(input_file file, npy_header header) : file_(std::move(file)), header_(std::move(header)) {}
    void copy(const runtime::byte_runs& runs, device to, void* destination) const override {
        runtime::runs_source source(file_, header_.data_offset, runs);
        npy_elements elements(source, header_);
        runtime::read_to_device(to, destination, runs.bytes(), elements);
    }

private:
    input_file file_;
    npy_header header_;
};

// What lies in a file until it is used.
SINTER_INLINE handle make_absent(input_file file, const npy_header& header) {
    runtime::check_shape(header.type, header.shape);
    runtime::compute_in_parts.store(compute_large_values, std::memory_order_relaxed);
    runtime::buffer_ref memory =
        runtime::make_absent_buffer(runtime::current_device(), static_cast<std::size_t>(header.data_bytes),
                                    std::make_shared<npy_origin>(std::move(file), header));
    return runtime::make_stored(header.type, header.shape, std::move(memory), codegen::contiguous(header.shape));
}

SINTER_INLINE handle load_mapped(const std::string& path, dtype type) {
    input_file file("load", path);
    runtime::file_source from(file, 0);
    const npy_header header = read_npy_header(from, static_cast<std::int64_t>(file.size()), file.place());
    require_kind(header, type, file.place());
    const auto item = static_cast<std::size_t>(codegen::size_of(header.type));
    const bool as_it_is = !header.byte_swapped && header.type != dtype::bool_ && header.data_offset % item == 0;
    if (header.data_bytes > 0 && !header.fortran_order && runtime::current_device().is_cuda())
        return record_cast(make_absent(std::move(file), header), type);
    if (!as_it_is || header.data_bytes == 0 || runtime::current_device().is_cuda())
        return load_elements(from, header, type);
    runtime::check_shape(header.type, header.shape);
    auto pages = codegen::owner(new runtime::mapped_file(file));
    runtime::buffer_ref memory = runtime::adopt_buffer(
        device::cpu(), pages->data(), pages->size(),
        [](void* owner) noexcept { delete static_cast<runtime::mapped_file*>(owner); }, pages.get());
    pages.release();
    layout at = layout_in_file(header);
    at.offset = static_cast<std::int64_t>(header.data_offset / item);
    return record_cast(runtime::make_stored(header.type, header.shape, std::move(memory), at), type);
}

SINTER_INLINE void save_archive(const std::string& path, codegen::span<const named_array> arrays, bool compressed) {
    const char* operation = compressed ? "savez_compressed" : "savez";
    codegen::sequence<handle> values;
    std::vector<std::string> headers;
    for (const named_array& a : arrays) {
        for (const named_array& b : arrays)
            if (&a != &b && a.name == b.name)
                throw value_error("[" + std::string(operation) + "] two arrays are called '" + a.name + "'");
        headers.push_back(make_npy_header(a.value->type, a.value->shape));
        values.push_back(a.value);
    }
    if (!values.empty()) evaluate(values);
    for (handle& v : values) {
        v = computed_rows(v);
        runtime::require_valid(*v);
    }
    zip_writer file(operation, with_extension(path, ".npz"));
    for (std::size_t i = 0; i < values.size(); ++i) {
        file.begin(arrays[i].name + ".npy", compressed);
        file.write(headers[i].data(), headers[i].size());
        write_elements(values[i], file);
        file.end();
    }
    file.close();
}

SINTER_INLINE std::string text_of_file(const char* operation, const std::string& path) {
    std::string text;
    errno = 0;
    if (!runtime::read_file(path.c_str(), text))
        throw io_error("[" + std::string(operation) + "] cannot read " + path + ": " + std::strerror(errno));
    return text;
}

SINTER_INLINE handle load_gapped_text(const std::string& path, dtype type, const genfromtxt_options& options) {
    const std::string text = text_of_file("genfromtxt", path);
    const text_table table = parse_gapped_table(text, type, options, path);
    const handle h = store(type, shape_of_text(table.shape, options.ndmin), table.data.data());
    return options.unpack ? transposed_all(h) : h;
}

SINTER_INLINE handle load_text(const std::string& path, dtype type, const loadtxt_options& options) {
    const std::string text = text_of_file("loadtxt", path);
    const text_table table = parse_text_table(text, type, options, path);
    const handle h = store(type, shape_of_text(table.shape, options.ndmin), table.data.data());
    return options.unpack ? transposed_all(h) : h;
}

SINTER_INLINE void save_text(const std::string& path, const handle& h, const savetxt_options& options) {
    if (h->shape.size() != 1 && h->shape.size() != 2)
        throw shape_error("[savetxt] an array of one or two axes is wanted, not of shape " + to_string(h->shape));
    std::vector<char> data(static_cast<std::size_t>(h->bytes()) + 1);
    read(h, data.data());
    runtime::output_file file("savetxt", path);
    write_text_table(file, h->type, dims(h->shape[0], h->shape.size() == 2 ? h->shape[1] : 1), data.data(), options);
    file.close();
}

}  // namespace detail

struct npz_file::contents {
    detail::input_file file;
    codegen::sequence<detail::zip_member> members;

    explicit contents(const std::string& path) : file("loadz", path), members(detail::read_zip_directory(file)) {}
};

SINTER_INLINE npz_file::npz_file(const std::string& path) : contents_(std::make_shared<const contents>(path)) {}

SINTER_INLINE std::vector<std::string> npz_file::names() const {
    std::vector<std::string> list;
    for (const detail::zip_member& m : contents_->members)
        list.push_back(m.name.ends_with(".npy") ? m.name.substr(0, m.name.size() - 4) : m.name);
    return list;
}

SINTER_INLINE bool npz_file::contains(const std::string& name) const {
    for (const std::string& n : names())
        if (n == name) return true;
    return false;
}

// Of members with one name the last one counts, as in Python.
SINTER_INLINE detail::handle npz_file::get_value(const std::string& name, dtype type) const {
    const detail::zip_member* found = nullptr;
    for (const detail::zip_member& m : contents_->members)
        if (m.name == name || m.name == name + ".npy") found = &m;
    const detail::input_file& file = contents_->file;
    if (!found) {
        std::string known;
        for (const std::string& n : names()) known += (known.empty() ? "" : ", ") + n;
        throw index_error("[loadz] " + file.place().name + " has no array '" + name + "' among: " + known);
    }
    detail::zip_source from(file, *found);
    if (found->size > INT64_MAX) from.place().fail(0, "the member is too large");
    const detail::npy_header header =
        detail::read_npy_header(from, static_cast<std::int64_t>(found->size), from.place());
    detail::require_kind(header, type, from.place());
    detail::handle h = detail::load_elements(from, header, type);
    from.finish();
    return h;
}

}  // namespace sinter::inline SINTER_ABI
