// Bodies of selection_writer.hpp.
#pragma once

#include <sinter/codegen/print/cuda/scans/selection_writer.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// Counts are exact, so that a prefix may be put together from whatever is there: 32 tiles before this one at a time,
// back to the first whose prefix is known. A word holds what it is in two bits and the number in the others.
inline constexpr const char* before_selected_text =
#include <sinter/codegen/print/cuda/text/scans/selected.cuh>
    ;

// Elements wait in shared memory to be written side by side; 16-byte ones take two turns.
SINTER_INLINE void selection_writer::write_kernel() {
    out_ += before_selected_text;
    // 32 KB at most, of which a multiprocessor of an H200 has room for seven.
    int largest = 1;
    for (const store& s : k_.stores) {
        int size = size_of(k_.operand_of(s.access).type);
        largest = size > largest ? size : largest;
    }
    write_head();
    write_sizes();
    const int elements = scan_.elements;
    std::string size = std::to_string(elements);
    if (k_.how.wide || k_.count_operand >= 0)
        line({"const index tiles = (reduced + ", elements - 1, ") / ", size, ";"});
    write_tile_id();
    line({"const index tile = item, begin = tile * ", size, ";"});
    leave_beyond("tile >= tiles");
    line({"const int size = (int)(reduced - begin < ", size, " ? reduced - begin : ", size, ");"});
    line("const int t = threadIdx.x, lane = t % 32, warp = t / 32, warps = 8;");
    line("unsigned long long* const status = partial0 + 1;");
    line({"__shared__ unsigned segments[", scan_.segments + 1, "];"});
    line("__shared__ unsigned long long selected_before;");
    if (!k_.stores.empty()) line({"__shared__ double buffer[", elements / 8 * (largest < 8 ? largest : 8), "];"});
    for (int i = 0; i < k_.kept; ++i) at_[static_cast<std::size_t>(i)].assign(1, '0');
    write_scan_bodies();
    write_scan_arrays("[" + std::to_string(scan_.chunks) + "][4] = {}");
    line("unsigned set = 0;");
    line(scan_.chunks > 4 ? "unsigned long long counts = 0;" : "unsigned counts = 0;");
    whole_and_part([&](bool whole) { write_select_masks(whole); }, elements);
    write_select_positions();
    for (std::size_t s = 0; s < k_.stores.size(); ++s) write_select_store(s);
    close();
}

// set: a bit for each element of the thread, which is all that stays of the mask; counts: a byte for each of its
// chunks.
SINTER_INLINE void selection_writer::write_select_masks(bool whole) {
    write_scan_chunks(whole);
    line("const unsigned here = a0[q][0] | a0[q][1] << 1 | a0[q][2] << 2 | a0[q][3] << 3;");
    line("set |= here << 4 * q;");
    line({scan_.chunks > 4 ? "counts |= (unsigned long long)" : "counts |= (unsigned)", "__popc(here) << 8 * q;"});
    close();
}

inline constexpr const char* select_positions_text =
#include <sinter/codegen/print/cuda/text/scans/select_positions.cuh>
    ;

// segments: the selected elements of the tile before each segment, then all of it. Before the tile: asked for by the
// first warp while the others go on.
SINTER_INLINE void selection_writer::write_select_positions() {
    fill(select_positions_text, {{"chunks", std::to_string(scan_.chunks)},
                                 {"two_of_lane", scan_.segments == 64},
                                 {"segments", std::to_string(scan_.segments)}});
    if (k_.stores.empty()) write_select_before();
}

SINTER_INLINE void selection_writer::write_select_before() {
    open("if (warp == 0)");
    line("const unsigned long long sum = selected_by_earlier(status, tile, (unsigned long long)total, lane);");
    line("if (lane == 0) selected_before = sum;");
    if (k_.count_operand >= 0)
        line({"if (lane == 0 && tile + 1 == tiles) *y", k_.count_operand, " = (long long)sum + total;"});
    close();
}

inline constexpr const char* select_store_text =
#include <sinter/codegen/print/cuda/text/scans/select_store.cuh>
    ;

SINTER_INLINE void selection_writer::write_select_store(std::size_t s) {
    const store& to = k_.stores[s];
    std::string type = operand_type(to.access), id = std::to_string(s);
    int size = size_of(k_.operand_of(to.access).type);
    std::string capacity = std::to_string(size > 8 ? scan_.elements / 2 : scan_.elements);
    std::string& at = at_element();
    // The first turn is made even when nothing is selected: it tells those behind.
    open(size > 8 ? "for (int first = 0; first == 0 || first < total; first += " + capacity + ")" : "");
    if (size <= 8) line("const int first = 0;");
    unroll();
    open({"for (int q = 0; q < ", scan_.chunks, "; ++q)"});
    line("const int segment = warp + warps * q, at = 128 * segment + 4 * lane;");
    line("int place = (int)(segments[segment] + (earlier >> 8 * q & 255)) - first;");
    unroll();
    open("for (int c = 0; c < 4; ++c)");
    line("if (!(set >> (4 * q + c) & 1)) continue;");
    at = "(begin + at + c)";
    for (std::size_t i = 0; i < k_.stores.size(); ++i) line({operand_type(k_.stores[i].access), " u", i, ";"});
    std::string inside = size > 8 ? "if (place >= 0 && place < " + capacity + ") " : "";
    list("behind", scan_arguments(2, "begin + at + c", "[q][c]", false), ");");
    line({inside, "((", type, "*)buffer)[place] = u", id, ";"});
    line("++place;");
    close();
    close();
    if (s == 0) {
        if (size > 8) open("if (first == 0)");
        write_select_before();
        if (size > 8) close();
    }
    fill(select_store_text, {{"capacity", capacity}, {"to", operand_name(to.access)}, {"type", type}});
    if (size > 8 || s + 1 < k_.stores.size()) line("__syncthreads();");
    close();
}

SINTER_INLINE kernel_source print_select(const kernel& k) { return written_by<selection_writer>(k); }

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
