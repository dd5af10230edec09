// Bodies of structures.hpp.
#pragma once

#include <cstring>
#include <sinter/array/reading.hpp>
#include <sinter/distributed/file_of_ranks.hpp>
#include <sinter/distributed/messages.hpp>
#include <sinter/distributed/structures.hpp>
#include <sinter/io/npy.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE void save_distributed_records(const std::string& path, codegen::span<const named_distributed> columns) {
    codegen::sequence<npy_field> fields;
    std::vector<distributed_ref> values;
    std::size_t bytes = 0;
    for (const named_distributed& c : columns) {
        fields.push_back({c.name, c.value->type, false, bytes});
        bytes += static_cast<std::size_t>(codegen::size_of(c.value->type));
        values.push_back(c.value);
        if (c.value->shape != columns[0].value->shape)
            throw shape_error("[save] the member '" + c.name + "' has shape " + to_string(c.value->shape) + ", and '" +
                              columns[0].name + "' has " + to_string(columns[0].value->shape));
    }
    const session_ref& s = common_session("save", values);
    bool in_rows = false;  // the ranks that write records have all of their members
    for (distributed_ref& v : values) {
        v = settled(v);
        in_rows = in_rows || v->where.kind != placement_kind::replicated;
    }
    const std::string header = make_npy_record_header({fields.begin(), fields.size()}, columns[0].value->shape);
    std::vector<char> records;
    std::size_t first = 0;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        const distributed_ref v = in_rows ? record_reshard(values[k], distributed::split(0), "save") : values[k];
        const written_part part = part_to_write(v, "save");
        const auto item = static_cast<std::size_t>(codegen::size_of(fields[k].type));
        const std::size_t count = part.bytes.size() / item;
        first = part.offset / item;
        records.resize(count * bytes);
        for (std::size_t i = 0; i < count; ++i)
            std::memcpy(records.data() + i * bytes + fields[k].offset, part.bytes.data() + i * item, item);
    }
    file_of_ranks file(s, "save", path.ends_with(".npy") ? path : path + ".npy");
    if (s->rank() == 0) file.write(header.data(), header.size(), 0);
    file.write(records.data(), records.size(), header.size() + first * bytes);
    file.close();
}

SINTER_INLINE std::vector<distributed_ref> load_distributed_records(const std::string& path,
                                                                    codegen::span<const wanted_member> members,
                                                                    const placement& given) {
    const session_ref& s = current_session("load");
    std::vector<distributed_ref> columns;
    dims whole;
    const bool by_rows = given == distributed::split(0);
    const auto values =
        by_rows ? load_records(path, members, &whole, s->ranks(), s->rank()) : load_records(path, members);
    if (by_rows) checked("load", given, whole.size(), s->ranks());
    for (const handle& v : values)
        columns.push_back(by_rows ? make_distributed(s, whole, given, v) : record_distribute(v, given, "load"));
    return columns;
}

}  // namespace sinter::inline SINTER_ABI::detail
