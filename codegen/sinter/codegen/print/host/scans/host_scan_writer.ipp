// Bodies of host_scan_writer.hpp.
#pragma once

#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/host/scans/host_scan_writer.hpp>
#include <sinter/codegen/schedule/host_geometry.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

static_assert(host_tile == scan_segment, "a tile of the loops is a segment of the order");

// Values of the tree that gives the prefixes of 32 totals one after the other, and of what runs above it.
inline constexpr const char* running_text =
#include <sinter/codegen/print/host/text/running.hxx>
    ;

SINTER_INLINE void host_scan_writer::write_kernel() {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        write_for(r, "static inline @ combine#(@ x, @ y) {");
        write_for(r, "    " + combine(r, "x", "", "y", "") + "\n    return x;\n}");
    }
    if (k_.tree == reduce_tree::columns) return write_scan_columns();
    if (side_by_side_) return write_vectorised_scans();
    out_ += running_text + std::string("\n");
    write_scan_part();
    write_scan_rows();
}

// The value at element l of a tile as a scan's accumulator holds it.
SINTER_INLINE std::string host_scan_writer::scanned(std::size_t r) const {
    const reduction_step& x = k_.reductions[r];
    return cast_text(x.type, x.accumulator(), value(x.argument));
}

// What follows a scan on the tile's elements, whose running values stand in a<r>.
SINTER_INLINE void host_scan_writer::write_scan_results(const tile_axes& element) {
    tile_axes t = element;
    begin_second_stage(t);
    write_stores(t);
    close();
}

// Elements [first, last) of a row, segment by segment; with `totals` nothing is stored.
SINTER_INLINE void host_scan_writer::write_scan_part() {
    std::string tile = std::to_string(host_tile);
    open({"static void ", name_,
          "_part(void* const* memory, const long long* n, const unsigned char* c, long long row, "
          "long long first, long long last, bool totals",
          per_reduction(", running<@, combine#>& state#"), ", long long* error)"});
    write_unpacking();
    write_bases_of("row", 0, k_.kept);
    tile_axes t = begin_both_stages(k_.kept, k_.space.size(), true);
    line(per_reduction("@ a#[" + tile + "] = {}; "));
    open({"for (long long i = first; i < last; i += ", tile, ")"});
    write_tile(t, "last");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        unroll();
        write_for(r, "for (int l = 0; l < m; ++l) a#[l] = " + scanned(r) + ";");
    }
    open("if (totals)");
    line(per_reduction("state#.pass(a#); "));
    line("continue;");
    close();
    line(per_reduction("state#.scan(a#); "));
    write_scan_results(t);
    close();
    close();
    out_ += "\n";
}

SINTER_INLINE void host_scan_writer::write_scan_rows() {
    std::string states = per_reduction(", state#");
    auto write_sizes = [&] {
        line({"const long long kept = ", extents_text(0, k_.kept, "n[", "]"), ", reduced = n[", k_.kept, "];"});
        line("const long long parts = kept >= 64 || reduced <= 131072 ? 1 : (reduced + 131071) / 131072;");
        for (std::size_t r = 0; r < k_.reductions.size(); ++r)
            write_for(r, "@* partial# = (@*)memory[" + std::to_string(k_.operands.size() + 2 * r) + "];");
        open("for (long long item = begin; item < end; ++item)");
        line("const long long row = item / parts, part = item % parts, first = part * 131072;");
        line("const long long last = parts == 1 || reduced - first < 131072 ? reduced : first + 131072;");
        line(per_reduction("running<@, combine#> state#; "));
    };
    write_function_head(name_);
    write_sizes();
    line({name_, "_part(memory, n, c, row, first, last, parts > 1", states, ", error);"});
    line({"if (parts > 1) { ", per_reduction("partial#[item] = state#.groups; "), " }"});
    close();
    close();
    out_ += "\n";
    write_function_head(name_ + "_finish");
    write_sizes();
    open("for (long long p = 0; p < part; ++p)");
    line(per_reduction(
        "state#.groups = p ? combine#(state#.groups, partial#[row * parts + p]) : partial#[row * parts + p]; ", ""));
    close();
    line(per_reduction("state#.any = part > 0; "));
    line({name_, "_part(memory, n, c, row, first, last, false", states, ", error);"});
    close();
    close();
}

// What a row's elements add to the chunks that they are in.
SINTER_INLINE void host_scan_writer::write_scan_of_row() {
    line({"const bool starts = row % ", column_scan_chunk, " == 0;"});
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        const std::string v = scanned(r), each = " for (int l = 0; l < m; ++l) ";
        write_for(r, "if (starts)" + each + "s#[l] = " + v + ";\nelse" + each + "s#[l] = combine#(s#[l], " + v + ");");
        write_for(r, "if (any)" + each + "a#[l] = combine#(before#[l], s#[l]);\nelse" + each + "a#[l] = s#[l];");
    }
}

// What the end of a chunk, of a tile and of a group of tiles leaves for those behind.
SINTER_INLINE void host_scan_writer::write_ends_of_chunks() {
    const std::string chunk = std::to_string(column_scan_chunk), rows = std::to_string(column_scan_tile),
                      fan = std::to_string(column_scan_fan), group = std::to_string(column_scan_group);
    line({"if ((row + 1) % ", chunk, " != 0) continue;"});
    line({"const long long done = row / ", chunk, " % ", column_scan_tile / column_scan_chunk, ", tile = row / ", rows,
          " % ", fan, ", group = row / ", group, ";"});
    open("for (int l = 0; l < m; ++l)");
    line(
        per_reduction("chunks#[l] = done ? combine#(chunks#[l], s#[l]) : s#[l]; "
                      "before#[l] = tile || group ? combine#(outer#[l], chunks#[l]) : chunks#[l]; ",
                      ""));
    close();
    line({"if ((row + 1) % ", rows, " != 0) { any = true; continue; }"});
    open("for (int l = 0; l < m; ++l)");
    line(
        per_reduction("tiles#[l] = tile ? combine#(tiles#[l], chunks#[l]) : chunks#[l]; "
                      "outer#[l] = group ? combine#(groups#[l], tiles#[l]) : tiles#[l]; "
                      "if ((row + 1) % " +
                          group + " == 0) groups#[l] = outer#[l]; before#[l] = outer#[l]; ",
                      ""));
    close();
}

// Columns side by side, from the first row to the last.
SINTER_INLINE void host_scan_writer::write_scan_columns() {
    const std::string tile = std::to_string(host_tile);
    write_function_head(name_);
    write_unpacking();
    const std::string kept = extents_text(0, k_.kept), reduced = extents_text(k_.kept, k_.space.size());
    line({"const long long kept = ", kept, ", reduced = ", reduced, ";"});
    tile_axes t = begin_both_stages(0, k_.kept, true);
    line(per_reduction("@ a#[" + tile + "], s#[" + tile + "], chunks#[" + tile + "], tiles#[" + tile + "], groups#[" +
                           tile + "], outer#[" + tile + "], before#[" + tile + "]; ",
                       ""));
    open("for (long long item = begin; item < end; ++item)");
    line({"const long long i = item * ", tile, ";"});
    line("bool any = false;");
    open("for (long long row = 0; row < reduced; ++row)");
    write_bases_of("row", k_.kept, k_.space.size());
    write_tile(t, "kept");
    write_scan_of_row();
    write_scan_results(t);
    write_ends_of_chunks();
    line("any = true;");
    close();
    close();
    close();
}

inline constexpr const char* scan_lanes_text =
#include <sinter/codegen/print/host/text/scan_lanes.hxx>
    ;

// The row order of scans, where a chunk's prefix is one of up to eight; the last chunk's own total is not wanted.
SINTER_INLINE void host_scan_writer::write_scan_lanes() {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        fill(scan_lanes_text, {{"r", std::to_string(r)},
                               {"type", accumulator(r)},
                               {"tile", std::to_string(host_tile)},
                               {"chunks", std::to_string(vectorised_row / scan_chunk)}});
}

SINTER_INLINE void host_scan_writer::write_vectorised_scans() {
    const std::string tile = std::to_string(host_tile),
                      lanes = "[" + std::to_string(vectorised_row) + "][" + tile + "] = {}; ";
    write_scan_lanes();
    write_function_head(name_);
    write_reduction_parameters();
    tile_axes t = begin_both_stages(0, k_.kept, true);
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (persistent_[i]) line({stored_text(k_.body[i].type), " k", i, "[", vectorised_row, " * ", tile, "];"});
    line(per_reduction("@ lanes#" + lanes));
    open("for (long long item = begin; item < end; ++item)");
    line({"const long long i = item * ", tile, ";"});
    open("for (long long row = 0; row < reduced; ++row)");
    write_bases_of("row", k_.kept, k_.space.size());
    write_vectorised_persistent(0);
    line(per_reduction("@* a# = lanes#[row]; "));
    write_tile(t, "kept");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        write_for(r, "for (int l = 0; l < m; ++l) a#[l] = " + scanned(r) + ";");
    close();
    line(per_reduction("scan_lanes#(lanes#, (int)reduced); "));
    open("for (long long row = 0; row < reduced; ++row)");
    write_bases_of("row", k_.kept, k_.space.size());
    write_vectorised_persistent(2);
    line(per_reduction("const @* a# = lanes#[row]; "));
    line({"const int m = kept - i < ", tile, " ? (int)(kept - i) : ", tile, ";"});
    if (!in_parts_) line("const long long i0 = i;");
    write_scan_results(t);
    close();
    close();
    close();
}

SINTER_INLINE kernel_source print_host_scans(const kernel& k) { return written_by<host_scan_writer>(k); }
SINTER_INLINE kernel_source print_host_vector_scans(const kernel& k) { return written_by<host_scan_writer>(k); }

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
