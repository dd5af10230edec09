// Bodies of record_columns.hpp.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <sinter/array/evaluate.hpp>
#include <sinter/array/format.hpp>
#include <sinter/array/reading.hpp>
#include <sinter/io/npy.hpp>
#include <sinter/io/zip.hpp>
#include <sinter/records/record_columns.hpp>
#include <sinter/runtime/base/byte_stream.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE void require_columns(std::string_view operation, std::span<const record_column> columns) {
    const dims& first = columns[0].values->shape;
    for (const record_column& c : columns)
        if (c.values->shape.size() != 1 || c.values->shape != first)
            throw shape_error("[" + std::string(operation) + "] the member '" + c.name + "' has shape " +
                              to_string(c.values->shape) + ", and '" + columns[0].name + "' has " + to_string(first));
}

/// The records' bytes in host memory, one column behind the other, all computed together.
SINTER_INLINE codegen::sequence<std::vector<char>> columns_on_host(std::span<const record_column> columns) {
    codegen::sequence<handle> values;
    for (const record_column& c : columns) values.push_back(c.values);
    evaluate({values.begin(), values.size()});
    codegen::sequence<std::vector<char>> all;
    for (const handle& v : values) {
        all.push_back(std::vector<char>(static_cast<std::size_t>(v->bytes()) + 1));
        read(v, all.back().data());
    }
    return all;
}

// As numpy.dtype's repr has it.
SINTER_INLINE std::string record_type_text(dtype t) {
    if (t == dtype::bool_) return "?";
    return (codegen::size_of(t) > 1 ? "<" : "") + (codegen::kind_of(t) + std::to_string(codegen::size_of(t)));
}

/// The elements of a column as they are printed, all of one width, the first and last ones where there are too many.
SINTER_INLINE codegen::sequence<std::string> column_cells(const record_column& c, const char* data, std::int64_t edge,
                                                          print_options options) {
    const std::int64_t n = c.values->shape[0], shown = edge ? 2 * edge : n;
    const auto item = static_cast<std::size_t>(codegen::size_of(c.values->type));
    std::vector<char> bytes(static_cast<std::size_t>(shown) * item + 1);
    for (std::int64_t i = 0; i < shown; ++i) {
        const std::int64_t from = edge && i >= edge ? n - shown + i : i;
        std::memcpy(bytes.data() + static_cast<std::size_t>(i) * item, data + static_cast<std::size_t>(from) * item,
                    item);
    }
    options.threshold = shown;
    options.linewidth = std::numeric_limits<int>::max() / 2;
    const std::string text = format_array(c.values->type, dims(shown), bytes.data(), false, options);
    // `[cell cell cell]`
    const std::size_t width = (text.size() - 1 - static_cast<std::size_t>(shown)) / static_cast<std::size_t>(shown);
    codegen::sequence<std::string> cells;
    for (std::int64_t i = 0; i < shown; ++i)
        cells.push_back(text.substr(1 + static_cast<std::size_t>(i) * (width + 1), width));
    return cells;
}

/// Records as words, `...` between the first and the last ones where there are too many.
SINTER_INLINE codegen::sequence<std::string> record_words(std::span<const record_column> columns) {
    const print_options options = get_printoptions();
    const std::int64_t n = columns[0].values->shape[0];
    const std::int64_t edge = n > options.threshold && n > 2 * options.edgeitems ? options.edgeitems : 0;
    codegen::sequence<std::string> words;
    const auto data = columns_on_host(columns);
    for (std::size_t k = 0; n > 0 && k < columns.size(); ++k) {
        const auto cells = column_cells(columns[k], data[k].data(), edge, options);
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (k == 0) words.push_back("(" + cells[i]);
            else words[i] += ", " + cells[i];
    }
    for (std::string& w : words) w += columns.size() == 1 ? ",)" : ")";
    if (!edge) return words;
    codegen::sequence<std::string> shortened;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i == static_cast<std::size_t>(edge)) shortened.push_back("...");
        shortened.push_back(words[i]);
    }
    return shortened;
}

SINTER_INLINE std::string format_records(std::span<const record_column> columns, bool repr) {
    const std::string start = repr ? "rec.array(" : "", separator = repr ? ", " : " ";
    const std::string indent(start.size() + 1, ' ');
    // Of a line's characters the bracket takes one, and in repr the comma behind it another.
    const std::size_t width = static_cast<std::size_t>(get_printoptions().linewidth) - (repr ? 2 : 1);
    std::string text, line = indent;
    const auto words = record_words(columns);
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (line.size() + words[i].size() > width && line.size() > indent.size()) {
            text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
            line = indent;
        }
        line += words[i];
        if (i + 1 < words.size()) line += separator;
    }
    text = "[" + (text + line).substr(indent.size()) + "]";
    if (!repr) return text;
    text = start + text + ",\n" + std::string(start.size(), ' ') + "dtype=[";
    for (std::size_t k = 0; k < columns.size(); ++k)
        text += std::string(k ? ", " : "") + "('" + columns[k].name + "', '" +
                record_type_text(columns[k].values->type) + "')";
    return text + "])";
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

SINTER_INLINE void save_records(const std::string& path, std::span<const record_column> columns) {
    codegen::sequence<npy_field> fields;
    std::size_t bytes = 0;
    for (const record_column& c : columns) {
        fields.push_back({c.name, c.values->type, false, bytes});
        bytes += static_cast<std::size_t>(codegen::size_of(c.values->type));
    }
    const std::int64_t n = columns[0].values->shape[0];
    const std::string header = make_npy_record_header({fields.begin(), fields.size()}, n);
    const auto data = columns_on_host(columns);
    runtime::output_file file("save", path.ends_with(".npy") ? path : path + ".npy");
    file.write(header.data(), header.size());
    record_pieces pieces(n, bytes);
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

SINTER_INLINE const npy_field& find_member(const npy_header& h, const wanted_member& m, const file_place& where) {
    for (const npy_field& f : h.fields)
        if (f.name == m.name) {
            if (codegen::kind_rank(f.type) > codegen::kind_rank(m.type))
                throw type_error("[load] the member '" + f.name + "' of " + where.name + " holds " +
                                 std::string(to_string(f.type)) + ", which " + std::string(to_string(m.type)) +
                                 " cannot hold");
            return f;
        }
    throw io_error("[load] " + where.name + ": there is no member '" + m.name + "'");
}

SINTER_INLINE codegen::sequence<handle> load_records(const std::string& path, std::span<const wanted_member> members) {
    const input_file file("load", path);
    runtime::file_source from(file, 0);
    const npy_header h = read_npy_header(from, static_cast<std::int64_t>(file.size()), file.place(), true);
    if (h.fields.empty()) throw io_error("[load] " + path + ": an array of numbers, not of records");
    if (h.shape.size() != 1)
        throw io_error("[load] " + path + ": records of shape " + to_string(h.shape) + ", not along one axis");
    codegen::sequence<npy_field> fields;
    for (const wanted_member& m : members) fields.push_back(find_member(h, m, file.place()));
    codegen::sequence<std::vector<char>> columns;
    for (const npy_field& f : fields)
        columns.push_back(std::vector<char>(static_cast<std::size_t>(h.shape[0] * codegen::size_of(f.type)) + 1));
    record_pieces pieces(h.shape[0], static_cast<std::size_t>(h.record_bytes));
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
    for (std::size_t k = 0; k < fields.size(); ++k)
        values.push_back(record_cast(store(fields[k].type, h.shape, columns[k].data()), members[k].type));
    return values;
}

}  // namespace sinter::inline SINTER_ABI::detail
