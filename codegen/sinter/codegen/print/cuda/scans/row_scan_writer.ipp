// Bodies of row_scan_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/cuda/cuda_copies_text.hpp>
#include <sinter/codegen/print/cuda/scans/row_scan_writer.hpp>
#include <sinter/codegen/print/fill_text.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* lanes_text =
#include <sinter/codegen/print/cuda/text/scans/scan_lanes.cuh>
    ;

inline constexpr const char* complex_lanes_text =
#include <sinter/codegen/print/cuda/text/scans/complex_scan_lanes.cuh>
    ;

// The prefixes of a warp's values, each lane's own included.
inline constexpr const char* tree_text =
#include <sinter/codegen/print/cuda/text/scans/scan_tree.cuh>
    ;

// In a row of up to 32 tiles each waits for those before it. In a longer one a thread block of its own, the carry
// block, puts the prefixes together: its warps take the groups of 32 tiles in turn, the groups' totals run from warp to
// warp, and a tile polls nothing but its own prefix. Nobody waits for ever, however few blocks are at work at once: the
// carry block takes its tile id before the row's tiles, so that it is at work when they are; a tile tells its total
// before it waits; and it gets its prefix as soon as the tiles with earlier ids have told theirs, be the others of its
// group at work or not. By hand and without tile ids, cumsum of 2^27 floats takes an H200 294 us like this, 335 where
// each tile looks back at tiles and groups.
inline constexpr const char* before_text =
#include <sinter/codegen/print/cuda/text/scans/look_back.cuh>
    ;

// Elements are converted to a larger accumulator before the wait and after it. The compiler would convert them once and
// keep the results over the wait, in twice the registers (on an H200 445 us instead of 400); so it is told that they
// are others.
inline constexpr const char* renewal_text =
#include <sinter/codegen/print/cuda/text/scans/renewal.cuh>
    ;

inline constexpr const char* soon_text =
#include <sinter/codegen/print/cuda/text/scans/fetch_soon.cuh>
    ;

SINTER_INLINE void row_scan_writer::write_row_scan_functions() {
    out_ += lanes_text;
    if (codegen::any_of(k_.reductions.begin(), k_.reductions.end(),
                        [](const reduction_step& r) { return is_complex(r.type); }))
        out_ += complex_lanes_text;
    write_per_scan(tree_text);
    if (scan_.one_tile) return;
    write_per_scan(before_text);
    if (!scan_.fetched.empty()) out_ += soon_text;
    if (!scan_.renewed.empty()) out_ += renewal_text;
}

// A tile of a row per thread block, or several rows that are no longer than one.
SINTER_INLINE void row_scan_writer::write_kernel() {
    write_scan_functions();
    write_row_scan_functions();
    if (scan_.is_resident()) out_ += copies_text;
    out_ += "\n";
    write_head();
    write_sizes();
    write_scanned_position();
    if (!scan_.one_tile) write_carry_blocks();
    if (!scan_.within_warp) write_scan_buffers();
    write_decode("row", 0, k_.kept);
    if (scan_.is_resident()) write_copies();
    write_scan_bodies();
    const std::string chunks = std::to_string(scan_.chunks);
    if (scan_.is_resident()) line("wait_for_copies();");
    else write_scan_arrays("[" + chunks + "][4]");
    if (scan_.is_resident()) per_reduction("@ e#[" + chunks + "];");
    else if (scan_.within_warp) per_reduction("@ e#;");
    whole_and_part([&](bool whole) { write_scan_segments(whole); });
    if (!scan_.within_warp) write_scan_of_totals();
    write_renewal();
    whole_and_part([&](bool whole) { write_scan_results(whole); });
    close();
}

// Which row and tile of it a thread has.
SINTER_INLINE void row_scan_writer::write_scanned_position() {
    if (scan_.one_tile) {
        line({"const index row = ", block_number(), " * blockDim.y + threadIdx.y, begin = 0;"});
        line("const int size = row < kept ? (int)reduced : 0;");
    } else {
        std::string carry_blocks = std::to_string(k_.reductions.size());
        line({"const index tiles = (reduced + 4095) / 4096, carry_blocks = tiles > 32 ? ", carry_blocks, " : 0;"});
        write_tile_id();
        // A division takes longer than anything else that is done before memory is asked.
        line(
            "const index own = tiles + carry_blocks, row = item < own ? 0 : item / own, tile = item - row * own - "
            "carry_blocks, "
            "begin = tile * 4096;");
        leave_beyond("row >= kept");
        line("const int size = (int)(reduced - begin < 4096 ? reduced - begin : 4096);");
    }
    if (scan_.within_warp) return line("const int lane = threadIdx.x, warp = 0, warps = 1;");
    line({"const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = ",
          scan_.one_tile ? "blockDim.x / 32;" : std::to_string(scan_.threads / 32) + ";"});
}

// Shared memory for segments' totals and, where elements stay in registers, for chunks' prefixes.
SINTER_INLINE void row_scan_writer::write_scan_buffers() {
    write_scan_buffer(scan_.buffer_values);
    if (scan_.is_resident()) return per_reduction("@* const totals# = (@*)buffer#;");
    const std::string t = std::to_string(scan_.threads);
    per_reduction("@* const totals# = (@*)buffer# + 1024 + 32 * threadIdx.y;");
    per_reduction("@(* const chunks#)[" + t + "] = (@(*)[" + t + "])((@*)buffer# + blockDim.x * threadIdx.y);");
}

// Where a thread has what is before one of its chunks in the chunk's segment.
SINTER_INLINE std::string row_scan_writer::chunk_prefix(std::size_t r, bool whole) const {
    const std::string id = std::to_string(r);
    if (scan_.within_warp) return "e" + id;
    if (!whole && rolls_parts()) return "part" + id;
    return scan_.is_resident() ? "e" + id + "[q]" : "chunks" + id + "[q][threadIdx.x]";
}

// Each scan has its carry block, so that none of them waits for what another one lets go on.
SINTER_INLINE void row_scan_writer::write_carry_blocks() {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r);
        const int words = words_of(k_.reductions[r].accumulator());
        line({"unsigned long long* const status", id, " = partial", id, " + 1 + row * 2 * tiles * ", words, ";"});
    }
    open("if (tile < 0)");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r), own = "if (tile == " + std::to_string(-1 - static_cast<int>(r)) + ") ";
        line({k_.reductions.size() > 1 ? own : "", "carry", id, "(status", id, ", launch, tiles, lane, warp, warps);"});
    }
    line("return;");
    close();
}

// near<i>: what a tile loads, where each thread finds what it asked for itself, so that nobody waits for others.
SINTER_INLINE void row_scan_writer::write_copies() {
    for (std::uint32_t i : scan_.copied) line({"__shared__ ", pack_at(k_.body[i].payload), " near", i, "[1024];"});
    open("if (size == 4096)");
    write_chunk_copies(true);
    close("} else {");
    write_chunk_copies(false);
    close();
}

SINTER_INLINE void row_scan_writer::write_chunk_copies(bool whole) {
    std::string& at = at_element();
    auto each = [&](const char* place, const std::string& text) {
        at = std::string("(begin + at") + place + ")";
        for (std::uint32_t i : scan_.copied) {
            std::uint32_t a = k_.body[i].payload;
            std::string here = joined({"near", i, "[at / 4]"});
            line(text.empty() ? here + ".v[c] = " + element(a) + ";"
                              : text + "(&" + here + ", (const " + pack_at(a) + "*)&" + element(a) + ");");
        }
    };
    open_scan_chunks(whole);
    if (!whole) open("if (at + 4 <= size)");
    each("", "copy_soon");
    if (!whole) {
        close("} else {");
        unroll();
        open("for (int c = 0; c < 3; ++c)");
        line("if (at + c >= size) continue;");
        each(" + c", "");
        close();
        close();
    }
    close();
}

// The elements of a chunk from what stays, now or again.
SINTER_INLINE void row_scan_writer::write_resident_chunk(bool whole) {
    at_element() = "(begin + at)";
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!is_parameter(i) || k_.body[i].stage != 0) continue;
        std::string id = std::to_string(i), pack = pack_at(k_.body[i].payload);
        if (facts_.packed[k_.body[i].payload]) line({"const ", pack, " t", id, " = near", id, "[at / 4];"});
        else write_load(i);
    }
    write_scan_arrays("[4]");
    unroll();
    open("for (int c = 0; c < 4; ++c)");
    if (!whole) write_scan_zeros("[c]");
    list(std::string(whole ? "" : "if (at + c < size) ") + "before", scan_arguments(0, "begin + at + c", "[c]", true),
         ");");
    close();
}

// w<r>: what comes to a chunk's end in the segment that a warp holds.
SINTER_INLINE void row_scan_writer::write_chunk_total(std::size_t r) {
    std::string id = std::to_string(r), x = "w" + id;
    line({accumulator(r), " ", x, " = ", accumulated(r, element_place("0")), ";"});
    for (int c = 1; c < 4; ++c)
        line({"combine", id, "(", x, ", ", accumulated(r, element_place(std::to_string(c))), ");"});
    line({x, " = tree", id, "(", x, ", lane);"});
}

// A chunk per turn: its elements, and its prefix in its segment, which is found again where chunks are taken one by
// one: no register has a number that is not known.
SINTER_INLINE void row_scan_writer::write_scan_segments(bool whole) {
    if (scan_.is_resident()) {
        open_scan_chunks(whole);
        write_resident_chunk(whole);
    } else {
        write_scan_chunks(whole);
    }
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        write_chunk_total(r);
        if (!scan_.within_warp) write_for(r, "if (lane == 31) totals#[segment] = w#;");
        if (whole || !rolls_parts()) write_for(r, chunk_prefix(r, whole) + " = from_before(w#, 1);");
    }
    close();
}

inline constexpr const char* row_scan_totals_text =
#include <sinter/codegen/print/cuda/text/scans/row_scan_totals.cuh>
    ;

// From the segments' totals to the prefixes before them, by a warp for each scan.
SINTER_INLINE void row_scan_writer::write_scan_of_totals() {
    line("__syncthreads();");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        fill(row_scan_totals_text, {{"scan", std::to_string(r)},
                                    {"type", accumulator(r)},
                                    {"zero", zero_text(k_.reductions[r].accumulator())},
                                    {"looks_back", !scan_.one_tile}});
    }
    line("__syncthreads();");
}

SINTER_INLINE void row_scan_writer::write_scan_results(bool whole) {
    std::string& at = at_element();
    open_scan_chunks(whole);
    line(std::string("const bool later = ") +
         (scan_.within_warp ? "false"
          : scan_.one_tile  ? "segment > 0"
          : whole           ? "segment > 0 || tile > 0"
                            : "segment + tile > 0") +  // which compilers do not write the last tile twice for
         ", any = later || lane > 0;");
    const bool again = !whole && rolls_parts();
    if (again) write_resident_chunk(false);
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        const std::string chunk = chunk_prefix(r, whole);
        if (again) {
            write_chunk_total(r);
            write_for(r, "const @ " + chunk + " = from_before(w#, 1);");
        }
        write_for(r, scan_.within_warp ? "const @ p# = " + chunk + ";"
                                       : "@ p# = later ? totals#[segment] : " + chunk +
                                             ";\nif (later && lane > 0) combine#(p#, " + chunk + ");");
    }
    if (scan_.is_resident() && !again) write_resident_chunk(whole);
    per_reduction("@ s#;");
    auto write_elements = [&](bool packed) {
        unroll();
        open("for (int c = 0; c < 4; ++c)");
        const std::string place = element_place("c");
        write_running_values(place, "c == 0");
        list((packed ? "" : "if (at + c < size) ") + std::string("behind"),
             scan_arguments(2, "begin + at + c", place, packed), ");");
        close();
    };
    if (scan_.packs) {
        if (!whole) open("if (at + 4 <= size)");
        at = "(begin + at)";
        for (std::uint32_t i = 0; i < k_.body.size(); ++i)
            if (is_parameter(i) && k_.body[i].stage == 2) write_load(i);
        for (std::size_t s = 0; s < k_.stores.size(); ++s) line({pack_at(k_.stores[s].access), " u", s, ";"});
        write_elements(true);
        for (std::size_t s = 0; s < k_.stores.size(); ++s) {
            std::uint32_t a = k_.stores[s].access;
            line({"*(", pack_at(a), "*)&", element(a), " = u", s, ";"});
        }
        if (!whole) close("} else {");
    }
    if (!whole) {
        at = "(begin + at + c)";
        write_elements(false);
        if (scan_.packs) close();
    }
    close();
}

SINTER_INLINE void row_scan_writer::write_renewal() {
    for (std::size_t r : scan_.renewed) {
        const std::string at = std::string("a").append(std::to_string(r)) + "[i / 4][i % 4]";
        unroll();
        line({"for (int i = 0; i < ", 4 * scan_.chunks, "; ++i) ", at, " = renewed(", at, ");"});
    }
}

// A text once for each scan: its number, and its accumulator's type.
SINTER_INLINE void row_scan_writer::write_per_scan(const char* text) {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        out_ += fill_text(text, {{"scan", std::to_string(r)}, {"type", accumulator(r)}});
}

SINTER_INLINE kernel_source print_scan_rows(const kernel& k) { return written_by<row_scan_writer>(k); }
SINTER_INLINE kernel_source print_scan_row_tiles(const kernel& k) { return written_by<row_scan_writer>(k); }

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
