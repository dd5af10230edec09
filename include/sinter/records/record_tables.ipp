// Bodies of record_tables.hpp.
#pragma once

#include <cerrno>
#include <cstring>
#include <sinter/array/printing/format.hpp>
#include <sinter/array/reading.hpp>
#include <sinter/io/text_table.hpp>
#include <sinter/records/record_tables.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE void write_csv(const std::string& path, codegen::span<const record_column> columns,
                             const csv_options& options) {
    const dims& shape = columns[0].values->shape;
    if (shape.size() != 1)
        throw shape_error("[to_csv] records of one axis are wanted, not of shape " + to_string(shape));
    const auto data = columns_on_host(columns);
    runtime::output_file file("to_csv", path);
    std::string text;
    for (const record_column& c : columns) text += (&c == &columns[0] ? "" : options.delimiter) + c.name;
    text += '\n';
    for (std::int64_t i = 0; i < shape[0]; ++i) {
        for (std::size_t k = 0; k < columns.size(); ++k) {
            const dtype type = columns[k].values->type;
            if (k) text += options.delimiter;
            text += format_scalar(type, data[k].data() + i * codegen::size_of(type), false);
        }
        text += '\n';
        if (text.size() < (std::size_t{1} << 20)) continue;
        file.write(text.data(), text.size());
        text.clear();
    }
    file.write(text.data(), text.size());
    file.close();
}

/// The names in the first line, of which `#` of numpy.savetxt, quotes and space around are none.
SINTER_INLINE codegen::sequence<std::string> names_in_line(std::string line, const std::string& delimiter) {
    if (line.starts_with("\xef\xbb\xbf")) line.erase(0, 3);
    if (line.starts_with("#")) line.erase(0, 1);
    codegen::sequence<std::string> names;
    for (std::size_t from = 0; from <= line.size();) {
        std::size_t end = line.find(delimiter, from);
        if (end == std::string::npos) end = line.size();
        const std::string field = line.substr(from, end - from), around = " \t\r\"";
        const std::size_t first = field.find_first_not_of(around), last = field.find_last_not_of(around);
        names.push_back(first == std::string::npos ? "" : field.substr(first, last + 1 - first));
        from = end + delimiter.size();
    }
    return names;
}

// pandas and Python write words, C++ numbers.
SINTER_INLINE int truth_of_text(const std::string& field) {
    if (field == "True" || field == "true" || field == "TRUE" || field == "1") return 1;
    if (field == "False" || field == "false" || field == "FALSE" || field == "0") return 0;
    throw value_error("[read_csv] neither True nor False: '" + field + "'");
}

SINTER_INLINE codegen::sequence<handle> read_csv_columns(const std::string& path,
                                                         codegen::span<const wanted_member> members,
                                                         const csv_options& options) {
    if (options.delimiter.size() != 1)
        throw value_error("[read_csv] a delimiter of one character is wanted: '" + options.delimiter + "'");
    std::string text;
    errno = 0;
    if (!runtime::read_file(path.c_str(), text))
        throw io_error("[read_csv] cannot read " + path + ": " + std::strerror(errno));
    const auto names = names_in_line(text.substr(0, text.find('\n')), options.delimiter);
    codegen::sequence<handle> values;
    for (const wanted_member& m : members) {
        std::size_t column = 0;
        while (column < names.size() && names[column] != m.name) ++column;
        if (column == names.size()) throw_no_member("read_csv", path, m.name);
        loadtxt_options how;
        how.comments = "";
        how.delimiter = options.delimiter;
        how.skiprows = 1;
        how.usecols = {static_cast<std::int64_t>(column)};
        how.quotechar = "\"";
        if (m.type == dtype::bool_) how.converters = truth_of_text;
        const text_table table = parse_text_table(text, m.type, how, path);
        values.push_back(store(m.type, dims(table.shape.empty() ? 0 : table.shape[0]), table.data.data()));
    }
    return values;
}

}  // namespace sinter::inline SINTER_ABI::detail
