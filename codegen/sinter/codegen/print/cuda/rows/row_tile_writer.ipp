// Bodies of row_tile_writer.hpp.
#pragma once

#include <sinter/codegen/print/cuda/rows/row_tile_writer.hpp>
#include <sinter/codegen/schedule/geometry.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE void row_tile_writer::write_row_tile() {
    line("const index begin = tile * 4096;");
    line("const int size = (int)(reduced - begin < 4096 ? reduced - begin : 4096);");
}

// What a thread has of a block of a row, for each of a stage's reductions, to where a warp combines it.
SINTER_INLINE void row_tile_writer::leave_tile(int stage, callback<std::string(int)> buffer) {
    if (tile_ == tile_kind::any) line("const int lanes = size < 1024 ? size : 1024;");
    write_thread_reduces(stage);
    int n = 0;
    for (std::size_t r : reductions_of(stage)) {
        const std::string id = std::to_string(r);
        write_into_buffer(r, buffer(n++), "a" + id, takes_striped());
    }
}

// Once all threads have left theirs, a warp each combines one of up to so many blocks for one reduction, number n of
// the stage; `tile` is the number of block p in the row.
SINTER_INLINE void row_tile_writer::write_tile_warp_reduces(int stage, int tiles, const std::string& tile,
                                                            callback<void(std::size_t r, int n)> combine) {
    line("__syncthreads();");
    const int at_once = cuda_threads / 32 / tiles;
    int n = 0;
    for (std::size_t r : reductions_of(stage)) {
        const std::string count = std::to_string(tiles);
        const int first = n % at_once * tiles;
        open(first == 0 ? "if (const int p = t / 32; p < " + count + ")"
                        : "if (const int p = t / 32 - " + std::to_string(first) + "; p >= 0 && p < " + count + ")");
        line({"const index tile = ", tile, ";"});
        write_row_tile();
        combine(r, n++);
        close();
    }
}

// The room of the block that a warp has, to the first thread's accumulator.
SINTER_INLINE void row_tile_writer::write_tile_buffer_reduce(std::size_t r, const std::string& buffer) {
    line(reduce_text("buffer_reduce", r, buffer + ", t % 32, ((size < 1024 ? size : 1024) + 3) / 4"));
}

SINTER_INLINE void row_tile_writer::write_first_of_warp(callback<void()> then) {
    open("if (t % 32 == 0 && size > 0)");
    then();
    close();
}

// What is computed once per row: every thread has it, one stores it.
SINTER_INLINE void row_tile_writer::write_row_stage(int stage) {
    write_body(stage);
    if (!of(stage).stores.empty()) {
        open(team_.writer);
        write_stores(stage);
        close();
    }
    in_row_ = false;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
