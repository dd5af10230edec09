// Bodies of scan_chunk_writer.hpp.
#pragma once

#include <sinter/codegen/print/cuda/scans/scan_chunk_writer.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// What there is to do for a tile, first without checks for one that is full.
SINTER_INLINE void scan_chunk_writer::whole_and_part(callback<void(bool whole)> write, int elements) {
    if (!scan_.has_whole) return write(false);
    open({"if (size == ", elements, ")"});
    write(true);
    close("} else {");
    write(false);
    close();
}

// Opens the loop over a thread's chunks, 128 elements of a row apart for each warp.
SINTER_INLINE void scan_chunk_writer::open_scan_chunks(bool whole) {
    if (!whole && rolls_parts()) {
        open_unrolled("for (int segment = warp; 128 * segment < size; segment += warps)", 1);
        return line("const int at = 128 * segment + 4 * lane;");
    }
    unroll();
    open({"for (int q = 0; q < ", scan_.chunks, "; ++q)"});
    line("const int segment = warp + warps * q, at = 128 * segment + 4 * lane;");
    if (!whole && !scan_.within_warp) line("if (128 * segment >= size) break;");
}

// Begins the loop over a thread's chunks with their elements.
SINTER_INLINE void scan_chunk_writer::write_scan_chunks(bool whole) {
    std::string& at = at_element();
    open_scan_chunks(whole);
    const bool packs = whole || scan_.part_packs;
    if (packs) {
        if (!whole) open("if (at + 4 <= size)");
        at = "(begin + at)";
        for (std::uint32_t i = 0; i < k_.body.size(); ++i)
            if (is_parameter(i) && k_.body[i].stage == 0) write_load(i);
        unroll();
        list("for (int c = 0; c < 4; ++c) before", scan_arguments(0, "begin + at + c", "[q][c]", true), ");");
        if (!whole) close("} else {");
    }
    if (!whole) {
        at = "(begin + at + c)";
        unroll();
        open("for (int c = 0; c < 4; ++c)");
        write_scan_zeros("[q][c]");
        list("if (at + c < size) before", scan_arguments(0, "begin + at + c", "[q][c]", false), ");");
        close();
        if (packs) close();
    }
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
