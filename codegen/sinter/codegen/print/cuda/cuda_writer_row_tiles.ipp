// Bodies of cuda_writer.hpp that print persistent reductions in registers, of several tiles of 4096 elements, 16 items
// per thread of each.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE void cuda_writer::write_tile_buffers() {
    write_shared_buffer(facts_.blocks * most_combined_reductions(k_));
    const std::string count = "[" + std::to_string(facts_.blocks) + "];";
    per_reduction("__shared__ @ result#" + count, "__shared__ index resulti#" + count);
}

// A thread's place in a group of its elements, of all blocks where they are kept.
SINTER_INLINE std::string cuda_writer::group_place(std::uint32_t i) const {
    return facts_.blocks > 1 && facts_.persistent[i] ? "[16 * p + 4 * g + c]" : "[4 * g + c]";
}

// The room for block p of a stage's reduction n.
SINTER_INLINE std::string cuda_writer::buffer_of_row_tile(int n) const {
    const std::string first = n == 0 ? "" : std::to_string(n * facts_.blocks) + " + ";
    return "buffer[" + first + "p]";
}

SINTER_INLINE void cuda_writer::open_tiles_of_row() {
    unroll();
    open("for (int p = 0; p < " + std::to_string(facts_.blocks) + "; ++p)");
    line("const index tile = p;");
    write_row_tile();
}

// Several blocks of a row by the same threads: what is kept is loaded of all of them at once, all else of one after the
// other.
SINTER_INLINE void cuda_writer::write_tiles_stage(int stage) {
    sequence<std::uint32_t> persistent, passing;
    for (std::uint32_t i : arrays_to_load(stage)) (facts_.persistent[i] ? persistent : passing).push_back(i);
    if (!persistent.empty()) {
        open_tiles_of_row();
        write_element_loads(persistent);
        close();
        // Compilers would leave some of many loads behind the shuffles that join those before them. One H200, softmax
        // of rows of 16001 floats 799 us, so 713; layer norms, which join two float64 of each row, 579 and 650.
        if (takes_striped() && of(stage).combined.size() == 1) line("__syncwarp();");
    }
    open_tiles_of_row();
    for (std::uint32_t i : passing) line(type_text(k_.body[i].type) + " k" + std::to_string(i) + "[16];");
    write_element_loads(passing);
    write_element_groups(stage);
    if (reduces_in(stage)) leave_tile(stage, [&](int n) { return buffer_of_row_tile(n); });
    close();
    if (reduces_in(stage)) write_tiles_results(stage);
}

// What a thread has of a block of a row, for each of a stage's reductions, to where a warp joins it.
SINTER_INLINE void cuda_writer::leave_tile(int stage, const std::function<std::string(int)>& buffer) {
    if (tile_ == tile_kind::any) line("const int lanes = size < 1024 ? size : 1024;");
    write_thread_reduces(stage);
    int n = 0;
    for (std::size_t r : reductions_of(stage)) {
        const std::string id = std::to_string(r);
        write_into_buffer(r, buffer(n++), "a" + id, takes_striped());
    }
}

// Once all threads have left theirs, a warp each joins one of up to so many blocks for one reduction, number n of the
// stage; `tile` is the number of block p in the row.
SINTER_INLINE void cuda_writer::write_tile_warp_reduces(int stage, int tiles, const std::string& tile,
                                                        const std::function<void(std::size_t r, int n)>& combine) {
    line("__syncthreads();");
    const int at_once = cuda_threads / 32 / tiles;
    int n = 0;
    for (std::size_t r : reductions_of(stage)) {
        const std::string count = std::to_string(tiles);
        const int first = n % at_once * tiles;
        open(first == 0 ? "if (const int p = t / 32; p < " + count + ")"
                        : "if (const int p = t / 32 - " + std::to_string(first) + "; p >= 0 && p < " + count + ")");
        line("const index tile = " + tile + ";");
        write_row_tile();
        combine(r, n++);
        close();
    }
}

// The room of the block that a warp has, to the first thread's accumulator.
SINTER_INLINE void cuda_writer::write_tile_buffer_reduce(std::size_t r, const std::string& buffer) {
    line(reduce_text("buffer_reduce", r, buffer + ", t % 32, ((size < 1024 ? size : 1024) + 3) / 4"));
}

SINTER_INLINE void cuda_writer::write_first_of_warp(const std::function<void()>& then) {
    open("if (t % 32 == 0 && size > 0)");
    then();
    close();
}

// The results of all blocks join in every thread.
SINTER_INLINE void cuda_writer::write_tiles_results(int stage) {
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

}  // namespace sinter::inline SINTER_ABI::codegen
