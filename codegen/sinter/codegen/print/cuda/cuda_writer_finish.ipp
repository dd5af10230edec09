// Bodies of cuda_writer.hpp that join the partial results of rows: by the last thread block.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* arrival_text =
#include <sinter/codegen/print/cuda/text/arrival.cuh>
    ;

// arrive(): fences around an atomic operation wait for more than one that releases and acquires itself. One H100, means
// and variances of 2097152 x 32 floats: 117 us with two fences, 112 so.
SINTER_INLINE void cuda_writer::write_arrival() { out_ += arrival_text; }

// The threads of the thread block that is the last of `count` to come here go on, and see what the others' threads have
// written that met with `writer`.
SINTER_INLINE void cuda_writer::write_last_check(const std::string& writer, const std::string& counter,
                                                 const std::string& count) {
    line("__shared__ bool is_last;");
    open("if (" + writer + ")");
    line("is_last = arrive(&" + counter + ") == " + count + " - 1;");
    line("if (is_last) " + counter + " = 0;");
    close();
    line("__syncthreads();");
    line("if (!is_last) return;");
}

// Where a row's results of its blocks lie.
SINTER_INLINE std::string cuda_writer::results_at(std::size_t r, bool of_index) const {
    const std::string id = std::to_string(r);
    if (k_.is_row_kernel()) return (of_index ? "ati" : "at") + id;
    return (of_index ? "position" : "partial") + id + " + row * tiles";
}

// Whole groups of the first level, each by a warp; a group's result takes the place of its first.
SINTER_INLINE void cuda_writer::write_whole_groups(int stage) {
    const sequence<std::size_t> which = reductions_of(stage);
    const std::string count = std::to_string(which.size());
    open("for (index job = t / 32; job < " + (which.size() > 1 ? count + " * whole" : "whole") + "; job += 8)");
    line("const index at = " + std::string(which.size() > 1 ? "job / " + count : "job") +
         (facts_.prefetches ? " * 1024;" : " * 4096;"));
    for (std::size_t n = 0; n < which.size(); ++n) {
        const std::string from = results_at(which[n], false) + " + at",
                          index_from = results_at(which[n], true) + " + at";
        if (which.size() > 1) open("if (job % " + count + " == " + std::to_string(n) + ")");
        line(levels_text("group_reduce", which[n], "", {from, index_from}));
        write_for(which[n], "if (t % 32 == 0) *(" + from + ") = a#[0];",
                  "if (t % 32 == 0) *(" + index_from + ") = ai#[0];");
        if (which.size() > 1) close();
    }
    close();
}

// A group of any level by all threads, up to four reductions at a time, each at last by a warp of its own.
SINTER_INLINE void cuda_writer::write_any_group(int stage) {
    constexpr std::size_t most = 4;
    const sequence<std::size_t> which = reductions_of(stage);
    auto buffer = [](std::size_t n) { return "buffer[" + std::to_string(n % most) + "]"; };
    for (std::size_t first = 0; first < which.size(); first += most) {
        const std::size_t end = std::min(first + most, which.size());
        for (std::size_t n = first; n < end; ++n) {
            const std::string id = std::to_string(which[n]);
            line(levels_text("lanes_reduce", which[n], "step, size, ",
                             {results_at(which[n], false) + " + at", results_at(which[n], true) + " + at"}));
            write_into_buffer(which[n], buffer(n), "a" + id);
        }
        line("__syncthreads();");
        for (std::size_t n = first; n < end; ++n) {
            open("if (t / 32 == " + std::to_string(n % most) + ")");
            line(reduce_text("buffer_reduce", which[n], buffer(n) + ", t % 32, ((size < 1024 ? size : 1024) + 3) / 4"));
            write_for(which[n],
                      "if (t % 32 == 0) *(groups == 1 ? result# : " + results_at(which[n], false) + " + at) = a#[0];",
                      "if (t % 32 == 0) *(groups == 1 ? resulti# : " + results_at(which[n], true) + " + at) = ai#[0];");
            close();
        }
        line("__syncthreads();");
    }
}

// The results of a row's blocks to `result<r>`, level by level, as threads then `wait` for each other; where several
// levels are to be joined, only threads `inside` do.
SINTER_INLINE void cuda_writer::write_levels(int stage, const std::string& inside, const std::string& wait) {
    line("index step = 1;");
    open("for (index count = tiles, groups = 0; groups != 1; count = groups)");
    line("groups = (count + 4095) / 4096;");
    // Of the first level only the lanes are there where thread blocks have joined the blocks of each.
    if (facts_.prefetches) line("const int most = step == 1 ? 1024 : 4096;");
    const std::string most = facts_.prefetches ? "most" : "4096";
    if (!inside.empty()) open("if (groups == 1 || " + inside + ")");
    line(std::string("const index whole = step > 1 || groups == 1 ? 0 : ") +
         (facts_.prefetches ? "(count + 3072) / 4096;" : "count / 4096;"));
    write_whole_groups(stage);
    open("for (index group = whole; group < groups; ++group)");
    line("const index at = group * " + most + " * step, left = count - 4096 * group;");
    line("const int size = (int)(left < " + most + " ? left : " + most + ");");
    write_any_group(stage);
    close();
    if (!inside.empty()) close();
    line("if (groups > 1) " + wait + ";");
    line("step *= " + most + ";");
    close();
}

// A row's results, by the only thread block of a short row, or by the last one of all that took its blocks; thread 0
// has them.
SINTER_INLINE void cuda_writer::write_rows_end() {
    open("if (!alone)");
    open("if (gridDim.y > 1)");  // else there may be more rows than counters
    write_last_check("t == 0", "counters[row]", "gridDim.y");
    close("} else {");
    line("__syncthreads();");
    close();
    write_levels(any_stage, "", "__syncthreads()");
    close();
    line("if (t != 0) return;");
    for (std::size_t r : reductions_of()) {
        std::string id = std::to_string(r);
        line("if (alone) thread_reduce<combine" + id + ">((int)tiles, " + values_at(r, "result", "") + ");");
    }
    per_reduction("a#[0] = result#[0];", "ai#[0] = resulti#[0];");
}

}  // namespace sinter::inline SINTER_ABI::codegen
