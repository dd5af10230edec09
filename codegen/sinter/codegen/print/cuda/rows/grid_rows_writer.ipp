// Bodies of grid_rows_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/cuda/rows/grid_rows_writer.hpp>

#include <algorithm>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// One block of a row, while the next one is on its way.
SINTER_INLINE void grid_rows_writer::write_row_block() {
    const std::string block = std::to_string(row_lanes * facts_.groups);
    line({"const index begin = tile * ", block, ";"});
    line({"const int size = (int)(reduced - begin < ", block, " ? reduced - begin : ", block, ");"});
    if (facts_.combines_exactly) write_lane_ends();
    write_block_lanes();
    if (facts_.prefetches) {
        if (!facts_.combines_exactly) write_lane_ends();
        line("if (ends) lane += gridDim.y;");
        line("tile = ends ? first_of(lane) : tile + 1024;");
        line("fetch(tile);");
    }
    if (facts_.combines_exactly) write_lanes_at_once();
    else if (facts_.one_wait) write_blocks_at_once("size");
    else write_blocks_in_turn();
}

// Thread blocks of a row take its blocks of 4096 elements in turn.
SINTER_INLINE void grid_rows_writer::write_kernel() {
    begin_reduction();
    find_draws();
    write_head();
    write_sizes();
    line("const int t = threadIdx.x;");
    line({"const index row = ", block_number(), ";"});
    leave_beyond("row >= kept");
    line("const bool alone = gridDim.y == 1 && tiles <= 4;");
    write_shared_buffer(facts_.one_wait ? std::max(4, 2 * combined_reductions(k_)) : 4);
    per_reduction("__shared__ @ result#[4];", "__shared__ index resulti#[4];");
    write_decode("row", 0, k_.kept);
    write_origins(0, "reduced > 0");
    write_accumulate();
    if (facts_.prefetches) write_fetch();
    line("int buffer_phase = 0;");
    per_reduction("@ a#[4];", "index ai#[4];");
    for (std::size_t r : reductions_of())
        if (facts_.narrow[r]) write_for(r, "int narrow#[4];");
    if (facts_.prefetches && !facts_.combines_exactly) per_reduction("@ lane#;", "index lanei#;");
    open_unrolled(
        facts_.prefetches ? "while (tile < tiles)" : "for (index tile = blockIdx.y; tile < tiles; tile += gridDim.y)",
        1);
    write_row_block();
    close();
    if (facts_.one_wait) line("__syncthreads();");
    write_rows_end();
    per_reduction("const @ r# = a#[0];", "const index ri# = ai#[0];");
    write_epilogue();
    close();
    out_ += "\n";
}

// A block's results, one reduction after the other, by the first warp.
SINTER_INLINE void grid_rows_writer::write_blocks_in_turn() {
    for (std::size_t r : reductions_of()) line(reduce_text("block_reduce", r, "size, buffer[buffer_phase ^= 1]"));
    open("if (t == 0)");  // and no `continue`: the first warp's threads stay together
    for (std::size_t r : reductions_of()) write_block_result(r);
    close();
}

SINTER_INLINE void grid_rows_writer::write_lane_ends() {
    line("const index own = lane;");
    line("const bool opens = tile % 4096 < 1024, ends = tile % 4096 >= 3072 || tile + 1024 >= tiles;");
}

// What the last of a lane's blocks leaves: where the first of them was whole, all threads have elements.
SINTER_INLINE void grid_rows_writer::write_lanes_at_once() {
    open("if (ends)");
    for (std::size_t r : reductions_of()) {
        if (facts_.narrow[r]) write_for(r, "for (int c = 0; c < 4; ++c) a#[c] = narrow#[c];");
    }
    write_blocks_at_once("(opens ? size : " + std::to_string(row_lanes * facts_.groups) + ")");
    close();
}

// The same with one wait of all threads: a warp for each reduction.
SINTER_INLINE void grid_rows_writer::write_blocks_at_once(const std::string& size) {
    line({"const int lanes = ", size, " < 1024 ? ", size, " : 1024;"});
    write_thread_reduces(0);
    write_buffer_reduces(0, "lanes", [&](std::size_t r) { write_block_result(r); });
}

// A block's result goes into its lane of the next level.
SINTER_INLINE void grid_rows_writer::write_block_result(std::size_t r) {
    const std::string id = std::to_string(r);
    write_identity(r, "size <= 0", "a", "[0]");
    auto results = [&](const std::string& at, bool index) {
        const std::string i = index ? "i" : "", from = index ? "position" : "partial";
        return joined({"(alone ? result", i, id, " : ", from, id, " + row * tiles)[", at, "] = "});
    };
    if (!facts_.prefetches) {
        return write_for(r, results("tile", false) + "a#[0];", results("tile", true) + "ai#[0];");
    }
    if (facts_.combines_exactly) return write_for(r, results("own", false) + "a#[0];");
    write_for(r,
              "if (opens) lane# = a#[0]{?, lanei# = ai#[0]?};\nelse combine#(lane#{?, lanei#?}, a#[0]{?, ai#[0]?});");
    write_for(r, "if (ends) " + results("own", false) + "lane#;", "if (ends) " + results("own", true) + "lanei#;");
}

// fetch(tile): what a thread needs of a whole block.
SINTER_INLINE void grid_rows_writer::write_fetch() {
    const std::string groups = std::to_string(facts_.groups), block = std::to_string(row_lanes * facts_.groups);
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (is_ahead(i)) line({ahead_type(i), " t", i, "[", groups, "];"});
    open("const auto fetch = [&](index tile)");
    line({"if (tile >= reduced / ", block, ") return;"});
    open_unrolled("for (int j = 0; j < " + groups + "; ++j)");
    line({"const index i = tile * ", block, " + 1024 * j + 4 * t;"});
    write_decode("i", k_.kept, k_.space.size());
    write_loads_ahead();
    close();
    close("};");
    line({"// What joins to one lane of the next level: up to four blocks of ", block,
          " elements, 1024 of them apart."});
    line("const auto first_of = [](index lane) { return lane / 1024 * 4096 + lane % 1024; };");
    line("index lane = blockIdx.y, tile = first_of(lane);");
    line("fetch(tile);");
}

// A row's results, by the only thread block of a short row, or by the last one of all that took its blocks; thread 0
// has them.
SINTER_INLINE void grid_rows_writer::write_rows_end() {
    open("if (!alone)");
    open("if (gridDim.y > 1)");  // else there may be more rows than counters
    write_last_check("t == 0", "counters[row]", "gridDim.y");
    close("} else {");
    line("__syncthreads();");
    close();
    write_levels(any_stage, "", "__syncthreads()");
    close();
    line("if (t != 0) return;");
    for (std::size_t r : reductions_of())
        write_for(r, "if (alone) thread_reduce<combine#>((int)tiles, " + values_at(r, "result") + ");");
    per_reduction("a#[0] = result#[0];", "ai#[0] = resulti#[0];");
}

SINTER_INLINE kernel_source print_grid_per_row(const kernel& k) { return written_by<grid_rows_writer>(k); }

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
