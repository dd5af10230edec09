// Bodies of column_scan_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/cuda/cuda_copies_text.hpp>
#include <sinter/codegen/print/cuda/scans/column_scan_writer.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// Which tile a thread block takes, or that it is a carry block, which does all that it has to do here.
SINTER_INLINE void column_scan_writer::write_column_tile_ids() {
    const bool asks = scan_.asks_all_tiles;
    if (scan_.one_tile) {
        line({"const index item = ", block_number(), ";"});
    } else {
        line("const index tiles = (reduced + 127) / 128;");
        if (asks) {
            const std::string fan = std::to_string(column_scan_fan), last = std::to_string(column_scan_fan - 1),
                              few = std::to_string(reduction_schedules.groups_without_carry_block);
            const std::string each =
                k_.reductions.size() > 1 ? std::to_string(k_.reductions.size()) + " * strips" : "strips";
            line({"const index groups = (tiles + ", last, ") / ", fan, ";"});
            line({"const index carry_blocks = groups > ", few, " && ", each,
                  " <= ", reduction_schedules.most_carry_blocks, " ? ", each, " : 0;"});
        }
        write_tile_id();
        if (asks) write_column_carry_blocks();
    }
}

// A tile of columns side by side, each of its eight chunks, or of as many as short columns have, the work of one
// thread. The tile before in the same columns was begun as many tiles ago as there are strips of columns.
SINTER_INLINE void column_scan_writer::write_kernel() {
    write_scan_functions();
    if (scan_.is_resident()) out_ += copies_text;
    out_ += "\n";
    const int width = scan_.columns;
    const bool asks = scan_.asks_all_tiles;
    const std::string columns = std::to_string(width);
    write_head();
    write_sizes();
    line({"const index strips = (kept + ", width - 1, ") / ", columns, ";"});
    write_column_tile_ids();
    const std::string item = asks ? "(item - carry_blocks)" : "item";
    line({"const index tile = ", item, " / strips, column = ", item, " % strips * ", columns, " + threadIdx.x;"});
    if (!scan_.one_tile) leave_beyond("tile >= tiles");
    line("const int x = threadIdx.x, part = threadIdx.y;");
    line("const index begin = tile * 128 + 16 * part;");
    write_scan_buffer(scan_.threads);
    per_reduction("@(* const totals#)[" + columns + "] = (@(*)[" + columns + "])buffer#;");
    write_decode("column", 0, k_.kept);
    line({"const int ", scan_.one_tile ? "size" : "left",
          " = column >= kept || begin >= reduced ? 0 : reduced - begin < 16 ? (int)(reduced - begin) : 16;"});
    if (!scan_.one_tile) {
        line("// Chunks of one size known here need no comparisons: most tiles have no others.");
        line({"const bool whole = (tile + 1) * 128 <= reduced && ", item, " % strips * ", columns, " + ", columns,
              " <= kept;"});
    }
    write_column_copies();
    write_column_scan();
    close();
    loaded_.clear();
}

// What goes over a chunk, twice: what is between does not ask how long chunks are, and stands once. Of a chunk that may
// be shorter, what is in shared memory is taken in a loop, which needs no registers of known numbers.
SINTER_INLINE void column_scan_writer::write_by_size(const std::string& name, callback<void()> write) {
    if (takes_elements()) {
        open({"const auto ", name, " = [&](int c)"});
        write();
        close("};");
        open("if (whole)");
        write_unrolled("for (int c = 0; c < 16; ++c) " + name + "(c);");
        close("} else {");
        write_unrolled("for (int c = 0; c < left; ++c) " + name + "(c);", 4);
        return close();
    }
    if (scan_.one_tile) return write();
    open({"const auto ", name, " = [&](int size)"});
    write();
    close("};");
    line({"if (whole) ", name, "(16);"});
    line({"else ", name, "(left);"});
}

// The loop over a chunk's elements, where it is not written by size.
SINTER_INLINE void column_scan_writer::open_elements() {
    if (takes_elements()) return;
    unroll();
    open("for (int c = 0; c < 16; ++c)");
}

SINTER_INLINE void column_scan_writer::close_elements() {
    if (!takes_elements()) close();
}

// What a thread's chunk sums up to, what is before it, and what becomes of it, given its elements' places or their
// copies.
SINTER_INLINE void column_scan_writer::write_column_scan() {
    write_scan_bodies();
    at_element() = "(begin + c)";
    if (scan_.is_resident()) line("wait_for_copies();");
    else write_scan_arrays("[16]");
    per_reduction(takes_elements() ? "@ s# = {};" : "@ s#;");
    write_by_size("add_up", [&] { write_column_sum(); });
    per_reduction("totals#[part][x] = s#;");
    line("__syncthreads();");
    line(scan_.one_tile ? "const int chunks = part;" : "const int chunks = part == 0 ? 8 : part;");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        write_for(r, "@ p# = totals#[0][x];");
        unroll();
        open("for (int j = 1; j < 8; ++j)");
        write_for(r, "if (j < chunks) combine#(p#, totals#[j][x]);");
        close();
    }
    if (!scan_.one_tile) write_scan_columns_before();
    line(scan_.one_tile ? "const bool any = part > 0;" : "const bool any = part > 0 || tile > 0;");
    write_by_size("store", [&] {
        open_elements();
        if (scan_.is_resident()) write_column_element();
        write_running_values(scan_.is_resident() ? "" : "[c]", "c == 0");
        list(if_there() + "behind", scan_arguments(2, "begin + c", scan_.is_resident() ? "" : "[c]", false), ");");
        close_elements();
    });
}

SINTER_INLINE void column_scan_writer::write_column_sum() {
    const bool resident = scan_.is_resident();
    open_elements();
    write_column_element();
    if (!resident) {
        close();
        open_unrolled("for (int c = 0; c < 16; ++c)");
    }
    const std::string place = resident ? "" : "[c]";
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        const std::string v = accumulated(r, place);
        write_for(r, "if (c == 0) s# = " + v + ";\nelse combine#(s#, " + v + ");");
    }
    close_elements();
}

// What a thread's chunk loads, where it finds it by itself: registers would have room for fewer tiles while theirs
// wait.
SINTER_INLINE void column_scan_writer::write_column_copies() {
    if (!scan_.is_resident()) return;
    at_element() = "(begin + c)";
    const std::string columns = std::to_string(scan_.columns);
    const sequence<std::uint32_t>& loads = scan_.copied;
    for (std::uint32_t i : loads)
        line({"__shared__ ", type_text(k_.body[i].type), " near", i, "[8][16][", columns, "];"});
    write_by_size("copy", [&] {
        open_elements();
        for (std::uint32_t i : loads)
            line({if_there(), "copy_soon(&near", i, "[part][c][x], &", element(k_.body[i].payload), ");"});
        close_elements();
    });
    loaded_.resize(k_.accesses.size());
    for (std::uint32_t i : loads) loaded_[k_.body[i].payload] = "near" + std::to_string(i) + "[part][i - begin][x]";
}

// Element c of the chunk: what goes into the scans and what passes by them.
SINTER_INLINE void column_scan_writer::write_column_element() {
    const std::string place = scan_.is_resident() ? "" : "[c]";
    if (scan_.is_resident()) write_scan_arrays("");
    if (!takes_elements()) write_scan_zeros(place);
    list(if_there() + "before", scan_arguments(0, "begin + c", place, false), ");");
}

// Where a tile leaves a value of its columns for others, and number `group` the prefix of the groups before it.
SINTER_INLINE std::string column_scan_writer::column_status(std::size_t r, const std::string& place) const {
    const int words = words_of(k_.reductions[r].accumulator());
    const std::string id = std::to_string(r);
    return joined({"partial", id, " + 1 + ((", place, ") * kept + column) * ", words});
}

inline constexpr const char* column_look_back_text =
#include <sinter/codegen/print/cuda/text/scans/column_look_back.cuh>
    ;

// The prefix before the tile: that of the groups before its own, and in the group that of the tiles, which each hands
// on or which a thread block of few columns, where many tiles are at work at once, combines from the totals of all,
// asked for at once: few, since status of more would take registers for which fewer thread blocks have room.
SINTER_INLINE void column_scan_writer::write_scan_columns_before() {
    const std::string fan = std::to_string(column_scan_fan), columns = std::to_string(scan_.columns);
    line({"const index group = tile / ", fan, ";"});
    line({"const int place = (int)(tile % ", fan, ");"});
    line("const bool first = part == 0 && column < kept;");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        const std::string id = std::to_string(r), a = accumulator(r);
        const int doubles = scan_.columns * (is_complex(k_.reductions[r].type) ? 2 : 1);
        line({"__shared__ double above", id, "[", doubles, "];"});
        open("");
        fill(column_look_back_text, {{"scan", id},
                                     {"type", a},
                                     {"asks", scan_.asks_all_tiles},
                                     {"doubles", std::to_string((column_scan_fan - 1) * doubles)},
                                     {"tiles_before", a + "(* const tiles_before)[" + columns + "] = (" + a + "(*)[" +
                                                          columns + "])earlier" + id},
                                     {"rounds", std::to_string(column_scan_fan / 8)},
                                     {"at_once", std::to_string(reduction_schedules.tiles_at_once)},
                                     {"last", std::to_string(column_scan_fan - 1)},
                                     {"own_status", column_status(r, "tile")},
                                     {"status_before", column_status(r, "tile - 1")},
                                     {"earlier_status", column_status(r, "tile - place + at")},
                                     {"group_total", column_status(r, "tiles + groups + group")},
                                     {"group_before", column_status(r, "tiles + group - 1")},
                                     {"group_prefix", column_status(r, "tiles + group")}});
        close();
    }
    line("__syncthreads();");
    open("if (tile > 0)");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        write_for(r, "@ b# = ((@*)above#)[x];");
        write_for(r, "if (part > 0) combine#(b#, p#);");
        write_for(r, "p# = b#;");
    }
    close();
}

inline constexpr const char* column_carry_block_text =
#include <sinter/codegen/print/cuda/text/scans/column_carry_block.cuh>
    ;

// Where a scan has many groups of tiles, thread blocks of its own, a warp of each for a strip of columns, put together
// what groups come to, from the first to the last, and leave the prefix of each: handed on from group to group it would
// take as many trips through memory. They take the first tile ids, and each scan has its own, so that none of them
// waits for what another one lets go on.
SINTER_INLINE void column_scan_writer::write_column_carry_blocks() {
    constexpr int at_once = 8;
    const int width = scan_.columns;
    open("if (item < carry_blocks)");
    line("// A warp hands on what is before each group.");
    line({"if (threadIdx.y >= ", 32 / width, ") return;"});
    line({"const index column = item % strips * ", width, " + threadIdx.x;"});
    line("const bool mine = threadIdx.y == 0 && column < kept;");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        open(k_.reductions.size() > 1 ? "if (item / strips == " + std::to_string(r) + ")" : "");
        fill(column_carry_block_text, {{"scan", std::to_string(r)},
                                       {"type", accumulator(r)},
                                       {"at_once", std::to_string(at_once)},
                                       {"group_total", column_status(r, "tiles + groups + g + q")},
                                       {"group_prefix", column_status(r, "tiles + g + q")}});
        close();
    }
    line("return;");
    close();
}

SINTER_INLINE kernel_source print_scan_columns(const kernel& k) { return written_by<column_scan_writer>(k); }
SINTER_INLINE kernel_source print_scan_column_tiles(const kernel& k) { return written_by<column_scan_writer>(k); }

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
