// Bodies of block_rows_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/cuda/rows/block_rows_writer.hpp>

#include <algorithm>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// A thread works on groups of four neighbours. Rows of up to 1024 elements: up to a warp for each, of up to 4096, also
// where they are only reduced, and of up to 16384: 256 threads. What later stages need stays in registers.
SINTER_INLINE void block_rows_writer::write_kernel() {
    begin_reduction();
    write_head();
    write_sizes();
    write_row_position();
    write_row_arrays();
    for (int stage = 0; stage < k_.stages; ++stage) {
        if (is_row_stage(stage)) write_row_stage(stage);
        else if (facts_.blocks > 1) write_element_stage(stage, [&] { write_tiles_stage(stage); });
        else write_element_stage(stage, [&] { write_block_stage(stage); });
    }
    close();
}

SINTER_INLINE void block_rows_writer::write_row_position() {
    line("const int t = threadIdx.x;");
    line({"const index row = ", block_number(), ";"});
    leave_beyond("row >= kept");
    if (facts_.blocks == 1) {
        line("const index begin = 0;");
        line("const int size = (int)reduced;");
    }
    write_decode("row", 0, k_.kept);
}

// That, and accumulators of all stages.
SINTER_INLINE void block_rows_writer::write_row_arrays() {
    write_persistent_arrays();
    per_reduction("@ a#[4], r#;", "index ai#[4], ri#;");
    if (facts_.blocks > 1) return write_tile_buffers();
    write_shared_buffer(2 * std::min(combined_reductions(k_), 4));
    per_reduction("__shared__ @ result#;", "__shared__ index resulti#;");
    if (combined_reductions(k_) > 0) line("int buffer_phase = 0;");
}

// That of rows which the threads of a block have in registers at once.
SINTER_INLINE void block_rows_writer::write_block_stage(int stage) {
    const sequence<std::uint32_t> arrays = arrays_to_load(stage);
    write_element_arrays(arrays);
    write_element_loads(arrays);
    write_element_groups(stage);
    if (reduces_in(stage)) write_one_block_results(stage);
}

SINTER_INLINE void block_rows_writer::write_one_block_results(int stage) {
    line(k_.how.row_capacity > row_lanes ? "constexpr int lanes = 1024;" : "const int lanes = size;");
    write_thread_reduces(stage);
    write_buffer_reduces(stage, "lanes",
                         [&](std::size_t r) { write_for(r, "result# = a#[0];", "resulti# = ai#[0];"); });
    line("__syncthreads();");
    per_reduction("r# = result#;", "ri# = resulti#;", stage);
}

SINTER_INLINE void block_rows_writer::write_tile_buffers() {
    write_shared_buffer(facts_.blocks * most_combined_reductions(k_));
    const std::string count = joined({"[", facts_.blocks, "];"});
    per_reduction("__shared__ @ result#" + count, "__shared__ index resulti#" + count);
}

// The room for block p of a stage's reduction n.
SINTER_INLINE std::string block_rows_writer::buffer_of_row_tile(int n) const {
    const std::string first = n == 0 ? "" : std::to_string(n * facts_.blocks) + " + ";
    return joined({"buffer[", first, "p]"});
}

SINTER_INLINE void block_rows_writer::open_tiles_of_row() {
    unroll();
    open({"for (int p = 0; p < ", facts_.blocks, "; ++p)"});
    line("const index tile = p;");
    write_row_tile();
}

// Several blocks of a row by the same threads: what is kept is loaded of all of them at once, all else of one after the
// other.
SINTER_INLINE void block_rows_writer::write_tiles_stage(int stage) {
    sequence<std::uint32_t> persistent, passing;
    for (std::uint32_t i : arrays_to_load(stage)) (facts_.persistent[i] ? persistent : passing).push_back(i);
    if (!persistent.empty()) {
        open_tiles_of_row();
        write_element_loads(persistent);
        close();
        // Compilers would leave some of many loads behind the shuffles that combine those before them. One H200,
        // softmax of rows of 16001 floats 799 us, so 713; layer norms, which combine two float64 of each row, 579 and
        // 650.
        if (takes_striped() && of(stage).combined.size() == 1) line("__syncwarp();");
    }
    open_tiles_of_row();
    for (std::uint32_t i : passing) line({type_text(k_.body[i].type), " k", i, "[16];"});
    write_element_loads(passing);
    write_element_groups(stage);
    if (reduces_in(stage)) leave_tile(stage, [&](int n) { return buffer_of_row_tile(n); });
    close();
    if (reduces_in(stage)) write_tiles_results(stage);
}

// The results of all blocks combine in every thread.
SINTER_INLINE void block_rows_writer::write_tiles_results(int stage) {
    write_tile_warp_reduces(stage, facts_.blocks, "p", [&](std::size_t r, int n) {
        write_tile_buffer_reduce(r, buffer_of_row_tile(n));
        write_first_of_warp([&] { write_for(r, "result#[p] = a#[0];", "resulti#[p] = ai#[0];"); });
    });
    line("__syncthreads();");
    for (std::size_t r : reductions_of(stage)) {
        const std::string id = std::to_string(r);
        line(levels_text("few_reduce", r, "(int)tiles, ", {"result" + id, "resulti" + id}, "&r"));
    }
}

SINTER_INLINE kernel_source print_block_per_row(const kernel& k) { return written_by<block_rows_writer>(k); }

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
