// Bodies of cuda_writer.hpp that print scans in the order of columns.
#pragma once

#include <sinter/codegen/cuda_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// A tile of up to 32 or 64 columns side by side, each of its eight chunks the work of one thread. The tile before in the same
// columns was begun as many tiles ago as there are strips of columns.
SINTER_INLINE void cuda_writer::write_scan_columns() {
    const int width = columns_of_scan(k_);
    const std::string columns = std::to_string(width);
    write_head(name_, 8 * width);
    write_sizes();
    line("const index strips = (kept + " + std::to_string(width - 1) + ") / " + columns + ";");
    if (k_.one_tile) {
        line("const index item = " + block_number() + ";");
    } else {
        line("const index tiles = (reduced + 127) / 128;");
        write_ticket();
    }
    line("const index tile = item / strips, column = item % strips * " + columns + " + threadIdx.x;");
    if (k_.wide && !k_.one_tile) line("if (tile >= tiles) return;");
    line("const int x = threadIdx.x, part = threadIdx.y;");
    line("const index begin = tile * 128 + 16 * part;");
    write_scan_room(8 * width);
    per_reduction("@(* const totals#)[" + columns + "] = (@(*)[" + columns + "])room#;", "");
    write_decode("column", 0, k_.kept);
    open("const auto scan = [&](int size)");
    if (stays_) write_column_copies();
    write_column_scan();
    close("};");
    line("// Chunks of one size known here need no comparisons: most tiles have no others.");
    line("if ((tile + 1) * 128 <= reduced && item % strips * " + columns + " + " + columns + " <= kept) scan(16);");
    line("else scan(column >= kept || begin >= reduced ? 0 : reduced - begin < 16 ? (int)(reduced - begin) : 16);");
    close();
    loaded_.clear();
}

// What a thread's chunk sums up to, what is before it, and what becomes of it, given its elements' places or their copies.
SINTER_INLINE void cuda_writer::write_column_scan() {
    write_scan_bodies();
    at_[static_cast<std::size_t>(k_.kept)] = "(begin + c)";
    if (stays_) line("wait_for_copies();");
    else write_scan_arrays("[16]");
    per_reduction("@ s#;", "");
    unroll();
    open("for (int c = 0; c < 16; ++c)");
    write_column_element();
    if (!stays_) close(), line("#pragma unroll"), open("for (int c = 0; c < 16; ++c)");
    const std::string place = stays_ ? "" : "[c]";
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r);
        line("if (c == 0) s" + id + " = " + accumulated(r, place) + ";");
        line("else join" + id + "(s" + id + ", " + accumulated(r, place) + ");");
    }
    close();
    per_reduction("totals#[part][x] = s#;", "");
    line("__syncthreads();");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r);
        line(accumulator(r) + " p" + id + " = totals" + id + "[0][x];");
        line("for (int j = 1; j < part; ++j) join" + id + "(p" + id + ", totals" + id + "[j][x]);");
    }
    if (!k_.one_tile) write_scan_columns_before();
    line(k_.one_tile ? "const bool any = part > 0;" : "const bool any = part > 0 || tile > 0;");
    unroll();
    open("for (int c = 0; c < 16; ++c)");
    if (stays_) write_column_element();
    write_running_values(place, "c == 0");
    list("if (c < size) behind", scan_arguments(2, "begin + c", place, false), ");");
    close();
}

// What a thread's chunk loads, where it finds it by itself: registers would have room for fewer tiles while theirs wait.
SINTER_INLINE void cuda_writer::write_column_copies() {
    at_[static_cast<std::size_t>(k_.kept)] = "(begin + c)";
    const std::string columns = std::to_string(columns_of_scan(k_));
    sequence<std::uint32_t> loads;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (may_stay(k_, k_.body[i])) loads.push_back(i);
    for (std::uint32_t i : loads) line("__shared__ " + type_text(k_.body[i].type) + " near" + std::to_string(i) + "[8][16][" + columns + "];");
    unroll();
    open("for (int c = 0; c < 16; ++c)");
    for (std::uint32_t i : loads) line("if (c < size) copy_soon(&near" + std::to_string(i) + "[part][c][x], &" + element(k_.body[i].payload) + ");");
    close();
    loaded_.resize(k_.accesses.size());
    for (std::uint32_t i : loads) loaded_[k_.body[i].payload] = "near" + std::to_string(i) + "[part][i - begin][x]";
}

// Element c of the chunk: what goes into the scans and what passes by them.
SINTER_INLINE void cuda_writer::write_column_element() {
    const std::string place = stays_ ? "" : "[c]";
    if (stays_) write_scan_arrays("");
    write_scan_zeros(place);
    list("if (c < size) before", scan_arguments(0, "begin + c", place, false), ");");
}

// The prefix before the tile comes down the columns; the threads of chunk 0 hand it on.
SINTER_INLINE void cuda_writer::write_scan_columns_before() {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r), a = accumulator(r), join = "join" + id;
        int words = (size_of(accumulator_type(k_.reductions[r].how, k_.reductions[r].type)) + 3) / 4;
        const int doubles = columns_of_scan(k_) * (is_complex(k_.reductions[r].type) ? 2 : 1);
        line("__shared__ double above" + id + "[" + std::to_string(doubles) + "];");
        open("if (part == 0)");
        line("unsigned long long* const marks = partial" + id + " + 1 + (tile * kept + column) * " + std::to_string(words) + ";");
        line(a + " t = totals" + id + "[0][x], b = t;");
        line("for (int j = 1; j < 8; ++j) " + join + "(t, totals" + id + "[j][x]);");
        line("for (bool missing = tile > 0 && column < kept; __ballot_sync(0xffffffffu, missing) != 0;)");
        line("    missing = missing && !received(marks - kept * " + std::to_string(words) + ", b, launch);");
        line("((" + a + "*)above" + id + ")[x] = b;");
        line("if (tile > 0) { " + join + "(b, t); t = b; }");
        line("if (column < kept && tile + 1 < tiles) publish(marks, t, launch);");
        close();
    }
    line("__syncthreads();");
    open("if (tile > 0)");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r);
        line(accumulator(r) + " b" + id + " = ((" + accumulator(r) + "*)above" + id + ")[x];");
        line("if (part > 0) join" + id + "(b" + id + ", p" + id + ");");
        line("p" + id + " = b" + id + ";");
    }
    close();
}

}  // namespace sinter::inline SINTER_ABI::codegen
