// Bodies of record_columns.hpp.
#pragma once

#include <algorithm>
#include <cstring>
#include <sinter/array/evaluate.hpp>
#include <sinter/array/printing/format.hpp>
#include <sinter/array/reading.hpp>
#include <sinter/codegen/distributed/placement.hpp>
#include <sinter/functions/shape_functions.hpp>
#include <sinter/io/npy.hpp>
#include <sinter/io/zip.hpp>
#include <sinter/records/record_columns.hpp>
#include <sinter/runtime/base/byte_stream.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE void require_columns(std::string_view operation, codegen::span<const record_column> columns) {
    const dims& first = columns[0].values->shape;
    for (const record_column& c : columns)
        if (c.values->shape != first)
            throw shape_error("[" + std::string(operation) + "] the member '" + c.name + "' has shape " +
                              to_string(c.values->shape) + ", and '" + columns[0].name + "' has " + to_string(first));
}

/// Computes all columns together.
SINTER_INLINE void evaluate_columns(codegen::span<const record_column> columns) {
    codegen::sequence<handle> values;
    for (const record_column& c : columns) values.push_back(c.values);
    evaluate({values.begin(), values.size()});
}

SINTER_INLINE codegen::sequence<std::vector<char>> columns_on_host(codegen::span<const record_column> columns) {
    evaluate_columns(columns);
    codegen::sequence<std::vector<char>> all;
    for (const record_column& c : columns) {
        all.push_back(std::vector<char>(static_cast<std::size_t>(c.values->bytes()) + 1));
        read(c.values, all.back().data());
    }
    return all;
}

// As numpy.dtype's repr has it.
SINTER_INLINE std::string record_type_text(dtype t) {
    if (t == dtype::bool_) return "?";
    return (codegen::size_of(t) > 1 ? "<" : "") + (codegen::kind_of(t) + std::to_string(codegen::size_of(t)));
}

/// Members as they stand in a file one behind the other.
SINTER_INLINE codegen::sequence<npy_field> fields_of(codegen::span<const record_column> columns) {
    codegen::sequence<npy_field> fields;
    std::size_t bytes = 0;
    for (const record_column& c : columns) {
        fields.push_back({c.name, c.values->type, false, bytes});
        bytes += static_cast<std::size_t>(codegen::size_of(c.values->type));
    }
    return fields;
}

/// The records that are shown, as words.
SINTER_INLINE codegen::sequence<std::string> record_words(codegen::span<const record_column> columns,
                                                          const print_options& options) {
    const dims shown = shown_shape(columns[0].values->shape, options);
    codegen::sequence<std::string> words(static_cast<std::size_t>(shown.product()));
    for (std::size_t k = 0; k < columns.size() && words.size() > 0; ++k) {
        const handle& values = columns[k].values;
        const auto cells =
            write_words(values->type, words.size(), shown_elements(values, shown).data(), false, options);
        for (std::size_t i = 0; i < words.size(); ++i) words[i] += (k ? ", " : "(") + cells[i];
    }
    for (std::string& w : words) w += columns.size() == 1 ? ",)" : ")";
    return words;
}

SINTER_INLINE std::string format_records(codegen::span<const record_column> columns, bool repr) {
    const codegen::subnormal_scope exact;
    const print_options options = get_printoptions();
    const dims& shape = columns[0].values->shape;
    const std::string start = repr ? "rec.array(" : "";
    evaluate_columns(columns);
    const bool is_empty = shape.product() == 0;
    std::string text = is_empty ? "[]" : nest_words(record_words(columns, options), shape, start.size(), repr, options);
    if (!repr) return text;
    if (is_empty && !(shape == dims(0))) text += ", shape=" + to_string(shape);
    const auto fields = fields_of(columns);
    return start + text + ",\n" + std::string(start.size(), ' ') +
           "dtype=" + npy_record_descr({fields.begin(), fields.size()}, record_type_text) + ")";
}

/// Records one behind the other in memory of their own, about a MiB at once.
struct record_pieces {
    record_pieces(std::int64_t all, std::size_t bytes_of_one) : left(all), bytes(bytes_of_one) {
        most = std::clamp<std::int64_t>((std::int64_t{1} << 20) / static_cast<std::int64_t>(bytes), 1,
                                        std::max<std::int64_t>(all, 1));
        memory.resize(static_cast<std::size_t>(most) * bytes);
    }
    bool next() {
        first += count;
        count = std::min(left, most);
        left -= count;
        return count > 0;
    }
    char* record(std::int64_t i) { return memory.data() + static_cast<std::size_t>(i) * bytes; }

    std::int64_t left, first = 0, count = 0, most = 0;
    std::size_t bytes;
    std::vector<char> memory;
};

SINTER_INLINE void save_records(const std::string& path, codegen::span<const record_column> columns) {
    const auto fields = fields_of(columns);
    const std::size_t bytes = fields.back().offset + static_cast<std::size_t>(codegen::size_of(fields.back().type));
    const dims& shape = columns[0].values->shape;
    const std::string header = make_npy_record_header({fields.begin(), fields.size()}, shape);
    const auto data = columns_on_host(columns);
    runtime::output_file file("save", path.ends_with(".npy") ? path : path + ".npy");
    file.write(header.data(), header.size());
    record_pieces pieces(shape.product(), bytes);
    while (pieces.next()) {
        for (std::int64_t i = 0; i < pieces.count; ++i)
            for (std::size_t k = 0; k < columns.size(); ++k) {
                const auto item = static_cast<std::size_t>(codegen::size_of(fields[k].type));
                std::memcpy(pieces.record(i) + fields[k].offset,
                            data[k].data() + static_cast<std::size_t>(pieces.first + i) * item, item);
            }
        file.write(pieces.record(0), static_cast<std::size_t>(pieces.count) * bytes);
    }
    file.close();
}

SINTER_INLINE void throw_no_member(const std::string& operation, const std::string& path, const std::string& name) {
    throw io_error("[" + operation + "] " + path + ": there is no member '" + name + "'");
}

SINTER_INLINE const npy_field& find_member(const npy_header& h, const wanted_member& m, const file_place& where) {
    for (const npy_field& f : h.fields)
        if (f.name == m.name) {
            if (codegen::kind_rank(f.type) > codegen::kind_rank(m.type))
                throw type_error("[load] the member '" + f.name + "' of " + where.name + " holds " +
                                 std::string(to_string(f.type)) + ", which " + std::string(to_string(m.type)) +
                                 " cannot hold");
            return f;
        }
    throw_no_member("load", where.name, m.name);
}

SINTER_INLINE dims reversed(const dims& shape) {
    dims r;
    for (int i = shape.size(); i-- > 0;) r.push_back(shape[i]);
    return r;
}

/// Where the records of a rank stand, and which of those that are read they are.
struct records_in_file {
    dims shape;               ///< of what is read
    std::size_t offset = 0;   ///< its first byte
    distributed::range part;  ///< of the first axis of that
};

SINTER_INLINE records_in_file find_records(const npy_header& h, int ranks, int rank) {
    records_in_file r{h.shape, h.data_offset, {0, h.shape.empty() ? 1 : h.shape[0]}};
    if (ranks == 1 || h.shape.empty()) return r;
    r.part = distributed::part_of(h.shape[0], ranks, rank);
    // In Fortran order a part of the first axis does not stand together.
    if (h.fortran_order && h.shape.size() > 1) return r;
    r.shape[0] = r.part.size();
    if (h.shape[0] > 0)
        r.offset += static_cast<std::size_t>(r.part.begin * (h.shape.product() / h.shape[0]) * h.record_bytes);
    r.part = {0, r.part.size()};
    return r;
}

SINTER_INLINE bool is_archive(const std::string& path) {
    const input_file file("load", path);
    char start[2] = {};
    if (file.size() >= sizeof start) file.read(start, sizeof start, 0);
    return start[0] == 'P' && start[1] == 'K';
}

SINTER_INLINE codegen::sequence<handle> load_records(const std::string& path,
                                                     codegen::span<const wanted_member> members) {
    dims whole;
    return load_records(path, members, &whole, 1, 0);
}

SINTER_INLINE codegen::sequence<handle> load_records(const std::string& path,
                                                     codegen::span<const wanted_member> members, dims* whole, int ranks,
                                                     int rank) {
    const input_file file("load", path);
    runtime::file_source start(file, 0);
    const npy_header h = read_npy_header(start, static_cast<std::int64_t>(file.size()), file.place(), true);
    if (h.fields.empty()) throw io_error("[load] " + path + ": an array of numbers, not of records");
    *whole = h.shape;
    const records_in_file own = find_records(h, ranks, rank);
    const std::int64_t count = own.shape.product();
    runtime::file_source from(file, own.offset);
    codegen::sequence<npy_field> fields;
    for (const wanted_member& m : members) fields.push_back(find_member(h, m, file.place()));
    codegen::sequence<std::vector<char>> columns;
    for (const npy_field& f : fields)
        columns.push_back(std::vector<char>(static_cast<std::size_t>(count * codegen::size_of(f.type)) + 1));
    record_pieces pieces(count, static_cast<std::size_t>(h.record_bytes));
    while (pieces.next()) {
        from.read(pieces.record(0), static_cast<std::size_t>(pieces.count * h.record_bytes));
        for (std::int64_t i = 0; i < pieces.count; ++i)
            for (std::size_t k = 0; k < fields.size(); ++k) {
                const auto item = static_cast<std::size_t>(codegen::size_of(fields[k].type));
                char* to = columns[k].data() + static_cast<std::size_t>(pieces.first + i) * item;
                std::memcpy(to, pieces.record(i) + fields[k].offset, item);
                to_machine_order(to, fields[k]);
            }
    }
    codegen::sequence<handle> values;
    for (std::size_t k = 0; k < fields.size(); ++k) {
        handle v = store(fields[k].type, h.fortran_order ? reversed(own.shape) : own.shape, columns[k].data());
        if (h.fortran_order) v = transposed_all(v);
        if (!own.shape.empty() && own.part.size() != own.shape[0]) v = record_part(v, 0, own.part.begin, own.part.end);
        values.push_back(record_cast(v, members[k].type));
    }
    return values;
}

}  // namespace sinter::inline SINTER_ABI::detail
