// Bodies of emit_host.hpp; the loops over tiles are in host_writer.ipp.
#pragma once

#include <sinter/codegen/emit_host.hpp>
#include <sinter/codegen/host_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE std::int64_t reduction_parts(const kernel& k) {
    std::int64_t n = k.reduced_size();
    std::int64_t part = k.tree == reduce_tree::rows ? row_block : column_chunk(n);
    return n <= part ? 1 : (n + part - 1) / part;
}

SINTER_INLINE sequence<std::int64_t> partial_bytes(const kernel& k) {
    sequence<std::int64_t> bytes;
    std::int64_t parts = reduction_parts(k), count = parts > 1 ? parts * k.kept_size() : 0;
    for (const reduction_step& r : k.reductions) {
        bytes.push_back(count * size_of(accumulator_type(r.how, r.type)));
        bytes.push_back(is_indexed(r.how) ? count * 8 : 0);
    }
    return bytes;
}

SINTER_INLINE sequence<host_phase> host_phases(const kernel& k) {
    constexpr std::int64_t elements_per_part = 16384;
    auto part = [](std::int64_t elements_per_item) {
        return elements_per_item >= elements_per_part ? 1 : elements_per_part / (elements_per_item ? elements_per_item : 1);
    };
    std::int64_t kept = k.kept_size(), reduced = k.reduced_size();
    if (!k.reduces()) return {{false, kept, elements_per_part}};
    std::int64_t parts = reduction_parts(k), tiles = (kept + host_tile - 1) / host_tile;
    bool rows = k.tree == reduce_tree::rows;
    std::int64_t items = rows ? kept : tiles, elements = (reduced + parts - 1) / parts * (rows ? 1 : host_tile);
    sequence<host_phase> phases{{false, items * parts, part(elements)}};
    if (parts > 1) phases.push_back({true, items, part(parts * (rows ? 1 : host_tile))});
    return phases;
}

SINTER_INLINE kernel_source emit_host(const kernel& k) { return host_writer(k).write(); }

}  // namespace sinter::inline SINTER_ABI::codegen
